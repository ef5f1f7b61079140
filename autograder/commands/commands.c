/* commands.c - what commands share; see commands.h. */
#include "autograder/commands/commands.h"

#include "autograder/screen/show.h"
#include "autograder/texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool commands_load_course(Session *session, Course *course) {
    return lessons_load(course, session->arena, session->root, &session->diagnostics);
}

static void show_command_help(const Session *session, const char *name, const Option *options) {
    Text out = text_new();
    for (const Command *command = session->commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0)
            text_format(&out, "usage: warpschool %s%s%s\n\n%s.\n\n", name, *command->operands ? " " : "",
                        command->operands, command->help);
    options_help(options, &out);
    commands_print(&out);
}

/* The command's options with --help behind them. */
static void add_help(Option *all, size_t room, const Option *options, bool *help) {
    size_t count = 0;
    while (options[count].kind != OPTION_END)
        count++;
    if (count + 2 > room) BUG("a command with %zu options", count);
    memcpy(all, options, count * sizeof *options);
    all[count] = (Option){OPTION_FLAG, 'h', "help", NULL, "show this help", help};
    all[count + 1] = (Option){.kind = OPTION_END};
}

static const Command *command_named(const Session *session, const char *name) {
    const Command *command = session->commands;
    while (command->name != NULL && strcmp(command->name, name) != 0)
        command++;
    if (command->name != NULL) return command;
    return NULL;
}

/* The first word of those a command needs that is not there; an empty one, which make passes on for a
 * variable without a value, is not there. `least`: all are. */
static int missing_operand(char **operands, int count, int least) {
    int at = 0;
    while (at < least && at < count && *operands[at] != '\0')
        at++;
    return at;
}

/* Names the word that is missing, as the help does ("FILE"), or the one too many. */
static void refuse_operands(Session *session, const char *name, const char *extra, int missing) {
    const Command *command = command_named(session, name);
    const char *words = "";
    if (command != NULL) words = command->operands;
    for (int i = 0; i < missing && extra == NULL; i++)
        words += strcspn(words, " ") + (words[strcspn(words, " ")] == ' ');
    const HelpFacts facts = {.word = extra != NULL ? extra
                                                   : arena_copy(session->arena, words, strcspn(words, " "))};
    if (facts.word == NULL) return;
    Diagnostic *added =
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                 told_help(session->arena, extra != NULL ? HELP_TOO_MANY : HELP_MISSING, &facts));
    if (added != NULL && command != NULL)
        added->remedy = arena_format(session->arena, "usage: warpschool %s%s%s", name,
                                     *command->operands != '\0' ? " " : "", command->operands);
}

/* What a row of commands.def without operands says holds whoever parses them. */
static int most_operands(const Session *session, const char *name, int most) {
    const Command *command = command_named(session, name);
    if (command != NULL && *command->operands == '\0') return 0;
    return most;
}

/* Every command has --help, and refuses operands that are missing or too many in the same words. -1: the
 * caller is done. */
int commands_parse(Session *session, const Option *options, int argc, char **argv, int least, int most) {
    Option all[24];
    most = most_operands(session, argv[0], most);
    add_help(all, sizeof all / sizeof *all, options, &session->helped);
    int first = options_parse(all, argc, argv, false, &session->diagnostics);
    if (session->helped) show_command_help(session, argv[0], all);
    if (first < 0 || session->helped) return -1;
    int missing = missing_operand(argv + first, argc - first, least);
    bool too_many = argc - first > most;
    if (missing == least && !too_many) return first;
    refuse_operands(session, argv[0], too_many ? argv[first + most] : NULL, missing);
    return -1;
}

void commands_report(const Session *session) {
    Text said = text_new();
    diag_render(&session->diagnostics, &said, options_colour(session->colour, STDERR_FILENO));
    fputs(said.bytes, stderr);
    text_free(&said);
}

/* What stands in the way of a file, as far as whoever named it can clear the way. */
static const char *advise_on_writing(int error) {
    if (error == ENOSPC || error == EDQUOT) return "make room on the disk, and give the same command again";
    if (error == ENOENT || error == ENOTDIR) return "make its folder first, or name another place";
    if (error == EISDIR) return "name a file in it";
    return "name a place that you may write to";
}

bool commands_write_private(const char *path, const Text *document) {
    const mode_t mask = umask(S_IRWXG | S_IRWXO);
    const bool written = text_write_file(path, document->bytes, document->length);
    const int error = errno;
    umask(mask);
    errno = error;
    return written;
}

/* A rename onto a folder fails in many words, so a folder is looked for first. */
bool commands_write_file(Session *session, const char *path, Text *document, const char *what) {
    struct stat status;
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (is_folder) errno = EISDIR;
    const bool written = !is_folder && commands_write_private(path, document);
    const int error = errno;
    if (!written) advise(diag_add_errno(&session->diagnostics, path, what), advise_on_writing(error));
    text_free(document);
    return written;
}

void commands_print(Text *words) {
    Text shown = text_new();
    show_guarded(words, &shown);
    text_free(words);
    commands_write(&shown);
}

void commands_say(const char *words) {
    if (words != NULL) puts(words);
}

void commands_say_beside(const char *words, int gap, const char *beside) {
    if (words != NULL && beside != NULL) printf("%s%*s%s\n", words, gap, "", beside);
}

void commands_write(Text *document) {
    fwrite(document->bytes, 1, document->length, stdout);
    text_free(document);
}

/* `version` and `help` take no words; as the program's own options they come without any (`argc` is 0). */
static bool takes_no_words(Session *session, int argc, char **argv) {
    const Option none[] = {{.kind = OPTION_END}};
    return argc == 0 || commands_parse(session, none, argc, argv, 0, 0) >= 0;
}

int version_run(Session *session, int argc, char **argv) {
    if (!takes_no_words(session, argc, argv)) return EXIT_USAGE;
    puts("warpschool " WARPSCHOOL_VERSION);
    return EXIT_FINE;
}

/* The list is made of the table of commands, so a new command needs no other place. */
int help_run(Session *session, int argc, char **argv) {
    if (!takes_no_words(session, argc, argv)) return EXIT_USAGE;
    printf("%s\n\n%s\n\n", plain_help(HELP_TITLE), plain_help(HELP_USAGE));
    for (const Command *command = session->commands; command->name != NULL; command++) {
        char words[64];
        snprintf(words, sizeof words, "%s %s", command->name, command->operands);
        printf("  %-22s %s\n", words, command->help);
    }
    printf("\n%s\n%s\n%s\n", plain_help(HELP_LESSON), plain_help(HELP_OPTIONS), plain_help(HELP_STATUS));
    return EXIT_FINE;
}
