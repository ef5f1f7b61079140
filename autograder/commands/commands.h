/* commands.h - what a command of warpschool is, and the learner's ones: one row of commands.def each.
 *
 * A command gets its words (argv[0] is its name) and what all share; it prints, and returns an exit status.
 * The program joins these commands and those of grading in one table, which reaches the help through the
 * Session.
 */
#pragma once

#include "autograder/course/lessons.h"
#include "autograder/judges.h"
#include "base/options.h"
#include "base/version.h"

typedef struct Session Session;
struct json_object;
struct ServeClass;

/** Writes a result in the format of that name (`check --format`); with `result` NULL it only says whether
 * there is such a format for a single result. False after adding a diagnostic. */
typedef bool ResultFormatter(Session *session, const char *format, struct json_object *result, Text *out);

struct Session {
    ResultFormatter *format_result; /**< the program's: formats are grading's business */
    const struct Command
        *commands; /**< all of the program, in the order of its help; ends with name == NULL */
    const struct ServeClass *classes; /**< for `serve --class`; NULL: the program has no grading */
    Judges judges;                    /**< of the lessons: the program's */
    Arena *arena;
    Diagnostics diagnostics; /**< shown by main when a command returns */
    const char *root;        /**< --root; NULL */
    const char *colour;      /**< --color; NULL */
    const char *sandbox;     /**< --sandbox; NULL */
    bool watched;            /**< inside watch, where keys do what commands do elsewhere */
    bool helped;             /**< the command's help was asked for, and shown */
};

typedef int CommandRun(Session *session, int argc, char **argv);

/** A row of a table of commands (commands.def). */
typedef struct Command {
    const char *name;
    const char *operands;
    const char *help;
    CommandRun *run;
} Command;

/** The version that `warpschool version` prints and that each result's record has. */
#define WARPSCHOOL_VERSION WARPGRIND_VERSION

/** Loads the course, or adds diagnostics. */
bool commands_load_course(Session *session, Course *course);
/** Parses a command's options and checks the number of operands; the index of the first operand, or -1.
 * `--help` shows the command's help, and is -1 as well: nothing is left to do. */
int commands_parse(Session *session, const Option *options, int argc, char **argv, int least, int most);
/** Prints the diagnostics to stderr. */
void commands_report(const Session *session);
/** Prints words for people to stdout, harmless to a terminal (show_guarded), and frees them. */
void commands_print(Text *words);
/** Prints a line for people; `words` NULL, for want of memory, is no line. */
void commands_say(const char *words);
/** The same with more said beside the words, `gap` blanks away. */
void commands_say_beside(const char *words, int gap, const char *beside);
/** Prints a document for other programs to stdout, byte by byte, and frees it. */
void commands_write(Text *document);
/** The same to a file that its owner alone can read, as such documents hold grades; false with a diagnostic,
 * which says `what` could not be done and what to do about it. */
bool commands_write_file(Session *session, const char *path, Text *document, const char *what);
/** Writes a file that nobody else on the machine may read; false with errno set. */
bool commands_write_private(const char *path, const Text *document);

#define COMMAND(name, function, operands, help) CommandRun function;
#include "autograder/commands/commands.def"
#undef COMMAND
