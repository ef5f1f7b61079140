/* options.c - getopt_long driven by an Option table; see options.h. */
#include "base/options.h"

#include "base/nearest.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 64, LONG_ONLY = 256 };

/* ---- the nearest known option, for the remedy ---- */

static const char *nearest_name(const Option *table, const char *word) {
    Nearest nearest = nearest_to(word);
    for (; table->kind != OPTION_END; table++)
        nearest_offer(&nearest, table->name);
    return nearest.best;
}

/* An abbreviation that fits two options is unknown, too. For a long option the nearest name is offered. */
static void report_unknown(const Option *table, const char *argument, int letter, Diagnostics *diagnostics) {
    Diagnostic *error;
    if (!text_starts_with(argument, "--")) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "unknown option -%c", letter);
        return;
    }
    char *name = arena_copy(diagnostics->arena, argument + 2, strcspn(argument + 2, "="));
    error =
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "unknown or ambiguous option --%s", text_or(name, ""));
    const char *nearest = NULL;
    if (name) nearest = nearest_name(table, name);
    if (error && nearest) error->remedy = arena_format(diagnostics->arena, "Did you mean --%s?", nearest);
}

/* ---- parsing ---- */

typedef struct GetoptTables {
    struct option names[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 4];
} GetoptTables;

static void fill_tables(GetoptTables *tables, const Option *table, bool stop_at_operand) {
    char *letter = tables->letters;
    if (stop_at_operand) *letter++ = '+';
    *letter++ = ':'; /* tell a missing value from an unknown option */
    int count = 0;
    for (int i = 0; table[i].kind != OPTION_END; i++) {
        if (table[i].kind == OPTION_HEADING) continue;
        if (count == MOST_OPTIONS) BUG("more than %d options", MOST_OPTIONS);
        bool has_value = table[i].kind != OPTION_FLAG;
        tables->names[count++] =
            (struct option){table[i].name, has_value ? required_argument : no_argument, NULL, LONG_ONLY + i};
        if (!table[i].letter) continue;
        *letter++ = table[i].letter;
        if (has_value) *letter++ = ':';
    }
    tables->names[count] = (struct option){NULL, 0, NULL, 0};
    *letter = '\0';
}

static const Option *find_option(const Option *table, int result) {
    if (result >= LONG_ONLY) return &table[result - LONG_ONLY];
    for (; table->kind != OPTION_END; table++)
        if (table->letter == result) return table;
    BUG("getopt returned an option that is not in the table");
}

/* Decimal, octal or hexadecimal, as in C; nothing may follow the number. */
static bool set_number(const Option *option, const char *text, Diagnostics *diagnostics) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 0);
    if (errno || end == text || *end) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--%s needs a whole number, not \"%s\"", option->name,
                 text);
        return false;
    }
    *(long *)option->value = value;
    return true;
}

/* The row's kind says what type `value` points to. */
static bool set_value(const Option *option, const char *text, Diagnostics *diagnostics) {
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case OPTION_STRING:
        *(const char **)option->value = text;
        return true;
    case OPTION_NUMBER:
        return set_number(option, text, diagnostics);
    case OPTION_HEADING:
    case OPTION_END:
        break;
    }
    BUG("option of unknown kind %d", (int)option->kind);
}

int options_parse(const Option *table, int argc, char **argv, bool stop_at_operand,
                  Diagnostics *diagnostics) {
    GetoptTables tables = {0};
    fill_tables(&tables, table, stop_at_operand);
    opterr = 0;
    optind = 0; /* glibc: start over, also its hidden state */
    for (;;) {
        /* The word getopt will look at; inside a cluster of letters optind has not moved on yet. */
        int word = 1;
        if (optind) word = optind;
        int result = getopt_long(argc, argv, tables.letters, tables.names, NULL);
        if (result == -1) return optind;
        if (result == '?') {
            const char *argument;
            if (optind > word)
                argument = argv[optind - 1];
            else
                argument = argv[word];
            report_unknown(table, argument, optopt, diagnostics);
            return -1;
        }
        if (result == ':') {
            diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "option %s needs a value", argv[optind - 1]);
            return -1;
        }
        if (!set_value(find_option(table, result), optarg, diagnostics)) return -1;
    }
}

/* ---- values ---- */

/* The length of the word that a list with commas begins with. */
static size_t word_length(const char *list) {
    return strcspn(list, ",");
}

static const char *next_word(const char *list) {
    list += word_length(list);
    if (*list) return list + 1;
    return NULL;
}

static bool is_word(const char *word, size_t length, const char *words) {
    for (; words; words = next_word(words))
        if (word_length(words) == length && memcmp(words, word, length) == 0) return true;
    return false;
}

static const char *nearest_word(const char *word, const char *words, Arena *arena) {
    Nearest nearest = nearest_to(word);
    for (; words; words = next_word(words))
        nearest_offer(&nearest, arena_copy(arena, words, word_length(words)));
    return nearest.best;
}

/* All words are listed, as there are few, and the nearest is offered. */
static void report_word(const char *name, const char *word, const char *words, Diagnostics *diagnostics) {
    Text list = text_new();
    for (const char *at = words; at; at = next_word(at)) {
        if (at != words) text_add(&list, ", ");
        text_append(&list, at, word_length(at));
    }
    Diagnostic *error = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                                 "--%s does not know \"%s\"; it takes %s", name, word, list.bytes);
    text_free(&list);
    const char *nearest = nearest_word(word, words, diagnostics->arena);
    if (error && nearest) error->remedy = arena_format(diagnostics->arena, "Did you mean %s?", nearest);
}

/* An empty word, as after a comma at the end, is none of the words either. */
bool options_check_words(const char *name, const char *value, const char *words, bool many,
                         Diagnostics *diagnostics) {
    const char *next;
    for (; value; value = next) {
        next = NULL;
        if (many) next = next_word(value);
        size_t length = many ? word_length(value) : strlen(value);
        if (is_word(value, length, words)) continue;
        const char *word = arena_copy(diagnostics->arena, value, length);
        report_word(name, text_or(word, ""), words, diagnostics);
        return false;
    }
    return true;
}

bool options_check_range(const char *name, long value, long least, long most, Diagnostics *diagnostics) {
    if (value >= least && value <= most) return true;
    if (most == LONG_MAX)
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--%s takes a number from %ld on, not %ld", name, least,
                 value);
    else
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--%s takes a number from %ld to %ld, not %ld", name,
                 least, most, value);
    return false;
}

/* ---- help ---- */

/* Two columns; a long name pushes the second one to the right. man/options.awk reads this form. */
void options_help(const Option *table, Text *out) {
    const Option *first = table;
    for (; table->kind != OPTION_END; table++) {
        if (table->kind == OPTION_HEADING) {
            if (table != first) text_add(out, "\n");
            text_format(out, "%s\n", table->help);
            continue;
        }
        Text left = text_new();
        if (table->letter)
            text_format(&left, "  -%c, --%s", table->letter, table->name);
        else
            text_format(&left, "      --%s", table->name);
        if (table->kind != OPTION_FLAG) text_format(&left, " %s", text_or(table->value_name, "VALUE"));
        text_format(out, "%-28s  %s\n", left.bytes, text_or(table->help, ""));
        text_free(&left);
    }
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

bool options_colour(const char *mode, int fd) {
    if (mode && strcmp(mode, "always") == 0) return true;
    if (mode && strcmp(mode, "never") == 0) return false;
    if (is_set("NO_COLOR")) return false;
    const char *force = getenv("CLICOLOR_FORCE");
    if (force && *force && strcmp(force, "0") != 0) return true;
    const char *terminal = getenv("TERM");
    if (!terminal || strcmp(terminal, "dumb") == 0) return false;
    return isatty(fd) == 1;
}
