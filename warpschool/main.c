/* main.c - warpschool: joins the tables of commands, finds the command among their rows and runs it. */
#ifdef WITH_GRADING
#include "grading/commands.h"
#include "serve/class/office.h"
#else
#include "autograder/commands/commands.h"
#endif
#include "lessons/judges.h"
#ifdef WITH_SERVE
#include "serve/desk/serve.h"
#endif

#include "base/nearest.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Command all_commands[] = {
#define COMMAND(name, function, operands, help) {name, operands, help, function},
#include "autograder/commands/commands.def"
#ifdef WITH_SERVE
#include "serve/commands.def"
#endif
#ifdef WITH_GRADING
#include "grading/commands.def"
#include "serve/class/commands.def"
#endif
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

#ifndef WITH_GRADING
/* The repository of a class is without grading, and so without its formats. */
static bool export_result(Session *session, const char *format, struct json_object *result, Text *out) {
    (void)result;
    (void)out;
    return advise(
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no format `%s` here", format),
        "--json prints the whole result");
}
#endif

static const Command *find_command(const char *name) {
    for (const Command *command = all_commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}

static const char *nearest_command(const char *name) {
    Nearest nearest = nearest_to(name);
    for (const Command *command = all_commands; command->name != NULL; command++)
        nearest_offer(&nearest, command->name);
    return nearest.best;
}

static void report_unknown(Session *session, const char *name) {
    Diagnostic *added =
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no command `%s`", name);
    const char *nearest = nearest_command(name);
    if (added == NULL) return;
    added->remedy = "see: warpschool help";
    if (nearest != NULL) added->remedy = arena_format(session->arena, "did you mean %s?", nearest);
}

/* Options of the program stand before the command, those of the command after it. */
static int dispatch(Session *session, int argc, char **argv) {
    bool help = false, version = false;
    const Option options[] = {{OPTION_STRING, 0, "root", "DIR", "where the course is", &session->root},
                              {OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
                              {OPTION_FLAG, 'h', "help", NULL, "show the help", &help},
                              {OPTION_FLAG, 0, "version", NULL, "show the version", &version},
                              {.kind = OPTION_END}};
    int first = options_parse(options, argc, argv, true, &session->diagnostics);
    if (first < 0) return EXIT_USAGE;
    if (version) return version_run(session, 0, NULL);
    if (help || first == argc) return help_run(session, 0, NULL) != 0 || help ? EXIT_FINE : EXIT_USAGE;
    const Command *command = find_command(argv[first]);
    if (command == NULL) {
        report_unknown(session, argv[first]);
        return EXIT_USAGE;
    }
    int status = command->run(session, argc - first, argv + first);
    if (session->helped) return EXIT_FINE;
    return status;
}

/* The program joins what the folders offer: the tables of commands, the formats of results, and the judges of
 * the lessons. Output that could not be written is an error, as a pipe's reader may rely on it. */
int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    Session session = {.commands = all_commands,
                       .format_result = export_result,
#ifdef WITH_GRADING
                       .classes = &office_class,
#endif
                       .judges = lessons_judges,
                       .arena = arena_create()};
    if (session.arena == NULL) return EXIT_INTERNAL;
    diag_init(&session.diagnostics, session.arena);
    int status = dispatch(&session, argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        diag_add(&session.diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot write the output: %s",
                 strerror(errno));
        status = EXIT_INTERNAL;
    }
    commands_report(&session);
    arena_destroy(session.arena);
    return status;
}
