/* escape.h - untrusted text in the languages that pages and exports are written in: one table (escape.def),
 * one place.
 *
 * Names, messages and paths come from students. Every text goes through here on its way out, whatever has
 * looked at it before; escaping twice for the same reader is what the formats' tests would notice. JSON is
 * not here: json-c quotes, and json_put_visible cleans for it.
 */
#pragma once

#include "base/text.h"

typedef enum EscapeLanguage {
    ESCAPE_XML,
    ESCAPE_HTML,
    ESCAPE_CSV,
    ESCAPE_GITHUB_DATA,
    ESCAPE_GITHUB_PROPERTY,
    ESCAPE_MARKDOWN,
    ESCAPE_LANGUAGES
} EscapeLanguage;

/** Appends any bytes (NULL is empty) so that the language's reader gets them as harmless text. */
void escape_add(Text *out, EscapeLanguage language, const char *text);
/** The same for a part of a text, such as one line of a program. */
void escape_add_bytes(Text *out, EscapeLanguage language, const char *bytes, size_t length);
/** printf whose texts are escaped, and whose format is the language's own: `<td>%s</td>`. Besides %s it knows
 * %d, %u, %ld, %zu and %%, without widths. */
void escape_format(Text *out, EscapeLanguage language, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Markup with texts in it. */
#define escape_html(out, ...) escape_format((out), ESCAPE_HTML, __VA_ARGS__)
/** A quoted CSV field. A spreadsheet runs a cell that begins like a formula, so such text gets an apostrophe
 * in front. */
void escape_cell(Text *out, const char *text);
/** The same, in which lines stay lines: for a letter in a cell. */
void escape_cell_lines(Text *out, const char *text);
/** A word as a shell takes it for one. */
void escape_shell_word(Text *out, const char *word);
