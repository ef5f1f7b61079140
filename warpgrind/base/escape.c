/* escape.c - see escape.h. Each text is made visible first, then its characters are looked up in escape.def.
 */
#include "base/escape.h"

#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

typedef struct EscapeRow {
    EscapeLanguage language;
    char character;
    const char *written;
} EscapeRow;

static const EscapeRow rows[] = {
#define ESCAPE(language, character, written) {ESCAPE_##language, character, written},
#include "base/escape.def"
#undef ESCAPE
};

static const char *written_as(EscapeLanguage language, char character) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].language == language && rows[i].character == character) return rows[i].written;
    return NULL;
}

static void add_visible(Text *out, EscapeLanguage language, const char *text) {
    for (; *text != '\0'; text++) {
        const char *written = written_as(language, *text);
        if (written)
            text_add(out, written);
        else
            text_append(out, text, 1);
    }
}

void escape_add_bytes(Text *out, EscapeLanguage language, const char *bytes, size_t length) {
    Text clean = text_new();
    text_add_visible(&clean, bytes, length);
    add_visible(out, language, clean.bytes);
    out->failed |= clean.failed;
    text_free(&clean);
}

void escape_add(Text *out, EscapeLanguage language, const char *text) {
    if (text) escape_add_bytes(out, language, text, strlen(text));
}

/* One conversion, with what stands behind its percent sign; where the next part of the format begins. */
static const char *add_argument(Text *out, EscapeLanguage language, const char *conversion,
                                va_list *arguments) {
    switch (*conversion) {
    case 's':
        escape_add(out, language, va_arg(*arguments, const char *));
        return conversion + 1;
    case '%':
        text_add(out, "%");
        return conversion + 1;
    case 'd':
        text_format(out, "%d", va_arg(*arguments, int));
        return conversion + 1;
    case 'u':
        text_format(out, "%u", va_arg(*arguments, unsigned));
        return conversion + 1;
    case 'l':
        text_format(out, "%ld", va_arg(*arguments, long));
        return conversion + strlen("ld");
    case 'z':
        text_format(out, "%zu", va_arg(*arguments, size_t));
        return conversion + strlen("zu");
    default:
        BUG("a format with %%%c", *conversion);
    }
}

void escape_format(Text *out, EscapeLanguage language, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    while (*format != '\0') {
        const size_t own = strcspn(format, "%");
        text_append(out, format, own);
        format += own;
        if (*format == '%') format = add_argument(out, language, format + 1, &arguments);
    }
    va_end(arguments);
}

/* What a spreadsheet may take for the beginning of a formula; the full-width forms count in some. */
static bool begins_formula(const char *text) {
    static const char *const signs[] = {
        "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (text_starts_with(text, signs[i])) return true;
    return false;
}

/* Spaces and quotes in front of a formula do not disarm it: some readers strip them. */
static bool is_formula(const char *text) {
    return begins_formula(text + strspn(text, " \t\n\"'"));
}

/* After a quote, a newline, a tab or a semicolon a reader with other separators than ours may begin a new
 * cell. */
static void add_guarded(Text *out, const char *text) {
    if (is_formula(text)) text_add(out, "'");
    for (; *text != '\0'; text++) {
        const char *written = written_as(ESCAPE_CSV, *text);
        if (written)
            text_add(out, written);
        else
            text_append(out, text, 1);
        if (strchr("\"\n\t;", *text) != NULL && begins_formula(text + 1)) text_add(out, "'");
    }
}

static void add_clean(Text *out, const char *text, size_t length) {
    Text clean = text_new();
    text_add_visible(&clean, text, length);
    add_guarded(out, clean.bytes);
    out->failed |= clean.failed;
    text_free(&clean);
}

void escape_cell(Text *out, const char *text) {
    text_add(out, "\"");
    if (text) add_clean(out, text, strlen(text));
    text_add(out, "\"");
}

/* Each line is guarded as a cell is: a reader that ends cells at newlines finds no formula either. */
void escape_cell_lines(Text *out, const char *text) {
    text_add(out, "\"");
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, "\n");
        add_clean(out, text, length);
        text += length;
        if (*text != '\0') text_add(out, "\n");
        text += *text != '\0';
    }
    text_add(out, "\"");
}

void escape_shell_word(Text *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        text_add(out, word);
        return;
    }
    text_add(out, "'");
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            text_add(out, "'\\''");
        else
            text_append(out, word, 1);
    }
    text_add(out, "'");
}
