/* options.h - command lines from a table: one row is an option, its help and where its value goes.
 *
 * Below it is getopt_long. argp prints by itself, or keeps to itself what was wrong; popt knows no
 * abbreviations and copies every string; and which option was probably meant would be ours to find with
 * either. warpcc has a table of its own (warpcc/options.def), since a compiler's options, such as -Idir,
 * -Wl,word and -arch=sm_80, are no words for any of the three.
 */
#pragma once

#include "base/diag.h"

typedef enum OptionKind {
    OPTION_FLAG,    /**< bool *    --name            */
    OPTION_STRING,  /**< const char ** --name VALUE  */
    OPTION_NUMBER,  /**< long *    --name N          */
    OPTION_HEADING, /**< no option: `help` stands above the rows that follow */
    OPTION_END
} OptionKind;

typedef struct Option {
    OptionKind kind;
    char letter; /**< 0: no short form */
    const char *name;
    const char *value_name; /**< shown in the help; NULL for flags */
    const char *help;
    void *value;
} Option;

/** Reads options from argv[1..] up to the first operand or "--"; returns the index of the first operand, or
 * -1 after adding an error with the nearest known option as remedy. `stop_at_operand` leaves options behind
 * the first operand alone (for commands that run other commands); otherwise options and operands may mix and
 * argv is permuted. */
int options_parse(const Option *table, int argc, char **argv, bool stop_at_operand, Diagnostics *diagnostics);
/** Whether `value` is one of `words`, which have commas between them; with `many` it may be several, with
 * commas between them too. False after adding an error that lists the words, with the nearest one as remedy.
 * NULL, an option that was not given, is fine. */
bool options_check_words(const char *name, const char *value, const char *words, bool many,
                         Diagnostics *diagnostics);
/** False after adding an error when `value` is not from `least` to `most`. */
bool options_check_range(const char *name, long value, long least, long most, Diagnostics *diagnostics);
/** The table as help text. */
void options_help(const Option *table, Text *out);

/** Whether output to `fd` may be coloured: `mode` is "always", "never", "auto" or NULL; NO_COLOR,
 * CLICOLOR_FORCE, TERM=dumb and isatty decide for auto. */
bool options_colour(const char *mode, int fd);
