/* commands.c - the table of commands, and what they share; see commands.h. */
#include "autograder/commands.h"

#include <stdio.h>

const Command commands_table[] = {
#define COMMAND(name, function, operands, help) {name, operands, help, function},
#include "autograder/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

bool commands_load_course(Session *session, Course *course) {
    return lessons_load(course, session->arena, session->root, &session->diagnostics);
}

int commands_parse(Session *session, const Option *options, int argc, char **argv, int least, int most) {
    int first = options_parse(options, argc, argv, false, &session->diagnostics);
    if (first < 0) return -1;
    int operands = argc - first;
    if (operands >= least && operands <= most) return first;
    const char *command = argv[0];
    Diagnostic *added = diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                                 operands < least ? "%s needs more words" : "%s takes fewer words", command);
    if (added != NULL) added->remedy = "see: warpschool help";
    return -1;
}

void commands_print(Text *text) {
    fwrite(text->bytes, 1, text->length, stdout);
    text_free(text);
}

int version_run(Session *session, int argc, char **argv) {
    (void)session;
    (void)argc;
    (void)argv;
    puts("warpschool 0.1");
    return EXIT_FINE;
}

int help_run(Session *session, int argc, char **argv) {
    (void)session;
    (void)argc;
    (void)argv;
    puts("warpschool: a CUDA C course with a software GPU\n\nusage: warpschool [--root DIR] COMMAND ...\n");
    for (const Command *command = commands_table; command->name != NULL; command++) {
        char words[64];
        snprintf(words, sizeof words, "%s %s", command->name, command->operands);
        printf("  %-22s %s\n", words, command->help);
    }
    puts("\nLESSON is a number (7), a name (07-block-sum-dynamic) or the beginning of one.\n"
         "`warpschool check --help` and the others list their options.\n"
         "Exit status: 0 passed, 1 not yet, 2 not understood, 3 something is wrong with the installation.");
    return EXIT_FINE;
}
