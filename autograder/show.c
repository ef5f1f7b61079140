/* show.c - a result in a learner's words; see show.h.
 *
 * Order: what was checked and how it went; the cases, those that failed alike together; what the program
 * printed; the findings, the first few in full with their source lines, the others a line each, as many as a
 * screen holds. What to do next is said by the command that knows it.
 */
#include "autograder/show.h"

#include "autograder/source.h"
#include "base/json.h"
#include "base/options.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FULL_FINDINGS = 3, LONGEST_OUTPUT_LINES = 20, WIDEST = 100, NARROWEST = 40 };

typedef enum Tone { TONE_GOOD, TONE_BAD, TONE_NOTE, TONE_STRONG, TONE_FAINT } Tone;
static const char *const tones[] = {"\x1b[1;32m", "\x1b[1;31m", "\x1b[1;36m", "\x1b[1m", "\x1b[2m"};

static void add_toned(const ShowStyle *style, Tone tone, const char *text, Text *out) {
    if (style->colour) text_add(out, tones[tone]);
    text_add_visible(out, text, strlen(text));
    if (style->colour) text_add(out, "\x1b[0m");
}

ShowStyle show_style(int fd, const char *colour_mode) {
    ShowStyle style = {.colour = options_colour(colour_mode, fd), .width = WIDEST};
    style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long wanted = columns ? strtol(columns, NULL, 10) : 0;
    if (wanted <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) wanted = size.ws_col;
    if (wanted > 0 && wanted < WIDEST) style.width = wanted < NARROWEST ? NARROWEST : (unsigned)wanted;
    return style;
}

/* ---- paragraphs ---- */

/* Columns of UTF-8 text: bytes that do not continue a character. */
static size_t columns_of(const char *text, size_t length) {
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* Words from column `used` on, further lines behind the indentation. */
static void add_words(const char *line, size_t length, size_t used, const char *indentation,
                      const ShowStyle *style, Text *out) {
    size_t indented = columns_of(indentation, strlen(indentation)), least = indented + 20;
    size_t room = style->width > least ? style->width : least;
    bool glued = true; /* nothing stands before the word, or what does ends with its own blank */
    for (size_t at = 0; at < length;) {
        size_t word = strcspn(line + at, " ");
        if (word > length - at) word = length - at;
        size_t columns = columns_of(line + at, word);
        if (used > indented && used + !glued + columns > room) {
            text_format(out, "\n%s", indentation);
            used = indented;
            glued = true;
        }
        if (!glued) text_add(out, " ");
        text_add_visible(out, line + at, word);
        used += columns + !glued;
        glued = false;
        at += word + 1;
    }
    text_add(out, "\n");
}

static void add_wrapped_line(const char *line, size_t length, const char *indentation, const ShowStyle *style,
                             Text *out) {
    text_add(out, indentation);
    add_words(line, length, columns_of(indentation, strlen(indentation)), indentation, style, out);
}

void show_paragraph(const char *text, const char *indentation, const ShowStyle *style, Text *out) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length == 0) {
            text_add(out, "\n");
        } else if (text_starts_with(text, "    ")) {
            text_add(out, indentation);
            text_add_visible(out, text, length);
            text_add(out, "\n");
        } else {
            add_wrapped_line(text, length, indentation, style, out);
        }
        text += length;
        if (*text == '\n') text++;
    }
}

/* ---- cases ---- */

static size_t length_of(struct json_object *array) {
    return array ? json_object_array_length(array) : 0;
}

static bool is_verdict(struct json_object *entry, const char *verdict) {
    return strcmp(json_text(entry, "verdict", ""), verdict) == 0;
}

/* Cases that failed in the same way are one line. */
static bool failed_alike(struct json_object *a, struct json_object *b) {
    return !is_verdict(a, "pass") && is_verdict(b, json_text(a, "verdict", "")) &&
           strcmp(json_text(a, "message", ""), json_text(b, "message", "")) == 0;
}

static bool told_before(struct json_object *cases, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (failed_alike(json_object_array_get_idx(cases, i), json_object_array_get_idx(cases, at)))
            return true;
    return false;
}

/* "one warp; two warps", or "all 7 cases". */
static void add_names(struct json_object *cases, size_t at, Text *line) {
    struct json_object *entry = json_object_array_get_idx(cases, at);
    size_t alike = 0;
    text_add(line, json_text(entry, "name", ""));
    for (size_t i = at + 1; i < length_of(cases); i++) {
        struct json_object *other = json_object_array_get_idx(cases, i);
        if (!failed_alike(entry, other)) continue;
        text_format(line, "; %s", json_text(other, "name", ""));
        alike++;
    }
    if (alike == 0 || alike + 1 < length_of(cases)) return;
    text_clear(line);
    text_format(line, "all %zu cases", length_of(cases));
}

static void add_mark(struct json_object *entry, const ShowStyle *style, Text *out) {
    if (is_verdict(entry, "pass"))
        add_toned(style, TONE_GOOD, style->unicode ? "✓" : "ok ", out);
    else if (is_verdict(entry, "not-run"))
        add_toned(style, TONE_FAINT, style->unicode ? "-" : "-  ", out);
    else
        add_toned(style, TONE_BAD, style->unicode ? "✗" : "x  ", out);
}

static void show_case(struct json_object *cases, size_t at, const ShowStyle *style, Text *out) {
    struct json_object *entry = json_object_array_get_idx(cases, at);
    const char *message = json_text(entry, "message", "");
    text_add(out, "  ");
    add_mark(entry, style, out);
    text_add(out, " ");
    Text line;
    text_init(&line);
    add_names(cases, at, &line);
    if (!is_verdict(entry, "pass") && *message != '\0') text_format(&line, ": %s", message);
    add_words(line.bytes, line.length, style->unicode ? 4 : 6, "      ", style, out);
    text_free(&line);
}

static bool nothing_ran(struct json_object *cases) {
    for (size_t i = 0; i < length_of(cases); i++)
        if (!is_verdict(json_object_array_get_idx(cases, i), "not-run")) return false;
    return true;
}

static void show_cases(struct json_object *result, const ShowStyle *style, Text *out) {
    struct json_object *cases = json_array(result, "cases");
    if (nothing_ran(cases)) return;
    for (size_t i = 0; i < length_of(cases); i++)
        if (!told_before(cases, i)) show_case(cases, i, style, out);
    text_add(out, "\n");
}

/* ---- findings ---- */

static int digits_of(long number) {
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* "   20 |     z[i] = x[i] + y[i];" and a caret under the column, which counts bytes from 1. */
static void show_source_line(const char *source, long line, long column, const ShowStyle *style, Text *out) {
    enum { LONGEST = 160 };
    size_t length = 0;
    const char *text = source ? source_line(source, (int)line, &length) : NULL;
    if (text == NULL) return;
    if (length > LONGEST) length = LONGEST;
    text_format(out, "  %4ld | ", line);
    text_add_visible(out, text, length);
    text_add(out, "\n");
    if (column < 1 || (size_t)column > length) return;
    text_format(out, "  %*s | ", digits_of(line) > 4 ? digits_of(line) : 4, "");
    for (long i = 0; i < column - 1; i++) {
        if (((unsigned char)text[i] & 0xC0) == 0x80) continue;
        text_append(out, text[i] == '\t' ? "\t" : " ", 1);
    }
    add_toned(style, TONE_GOOD, "^", out);
    text_add(out, "\n");
}

static void show_place(struct json_object *finding, Text *out) {
    const char *file = json_text(finding, "file", "");
    const char *kernel = json_text(finding, "kernel", "");
    long line = json_number(finding, "line", 0), column = json_number(finding, "column", 0);
    if (*file == '\0') return;
    text_add(out, "  ");
    text_add_visible(out, file, strlen(file));
    if (line > 0) text_format(out, ":%ld", line);
    if (line > 0 && column > 0) text_format(out, ":%ld", column);
    if (*kernel != '\0') {
        text_add(out, ", in ");
        text_add_visible(out, kernel, strlen(kernel));
    }
    text_add(out, "\n");
}

static void show_other(struct json_object *finding, const char *source, const ShowStyle *style, Text *out) {
    long line = json_number(finding, "other_line", 0);
    if (line <= 0 || line == json_number(finding, "line", 0)) return;
    const char *what = json_text(finding, "other_what", "");
    text_format(out, "  the other side, line %ld", line);
    if (*what != '\0') text_format(out, " (%s)", what);
    text_add(out, ":\n");
    show_source_line(source, line, json_number(finding, "other_column", 0), style, out);
}

static bool is_error(struct json_object *finding) {
    return strcmp(json_text(finding, "severity", ""), "error") == 0;
}

static void show_heading(struct json_object *finding, const ShowStyle *style, Text *out) {
    const char *kind = json_text(finding, "kind", ""), *separator = is_error(finding) ? ": " : " (a note): ";
    const char *message = json_text(finding, "message", "");
    add_toned(style, is_error(finding) ? TONE_BAD : TONE_NOTE, kind, out);
    text_add(out, separator);
    add_words(message, strlen(message), strlen(kind) + strlen(separator), "    ", style, out);
}

static void show_finding(struct json_object *finding, const char *source, const ShowStyle *style, Text *out) {
    show_heading(finding, style, out);
    show_place(finding, out);
    show_source_line(source, json_number(finding, "line", 0), json_number(finding, "column", 0), style, out);
    show_other(finding, source, style, out);
    show_paragraph(json_text(finding, "explanation", ""), "  ", style, out);
    text_add(out, "\n");
}

/* One line of the terminal; what does not fit is cut off at a blank. */
static void show_briefly(struct json_object *finding, const ShowStyle *style, Text *out) {
    const char *message = json_text(finding, "message", "");
    long number = json_number(finding, "line", 0);
    Text line;
    text_init(&line);
    text_format(&line, "  %s", json_text(finding, "kind", ""));
    if (number > 0) text_format(&line, ", line %ld", number);
    text_add(&line, ": ");
    text_append(&line, message, strcspn(message, "\n"));
    size_t length = line.length;
    bool cut = columns_of(line.bytes, length) > style->width;
    while (cut && length > 0 &&
           (line.bytes[length] != ' ' || columns_of(line.bytes, length) + 4 > style->width))
        length--;
    text_add_visible(out, line.bytes, length);
    text_add(out, cut ? " ...\n" : "\n");
    text_free(&line);
}

static unsigned lines_of(const Text *text) {
    unsigned lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* NEXT_LINES: what the command says to do next. REST_LINES: the heading of what is told briefly, the count of
 * what is not told, and the empty line after them. */
enum { SCREEN_LINES = 30, NEXT_LINES = 2, REST_LINES = 3 };

/* In full is told what follows from nothing else, as long as the whole fits on a screen; the first one
 * always. */
static bool show_if_it_fits(struct json_object *finding, bool first, bool last, const char *source,
                            const ShowStyle *style, Text *out) {
    if (!first && json_number(finding, "follows", -1) >= 0) return false;
    Text one;
    text_init(&one);
    show_finding(finding, source, style, &one);
    unsigned behind = last ? NEXT_LINES : REST_LINES + 1 + NEXT_LINES;
    bool fits = first || lines_of(out) + lines_of(&one) + behind <= SCREEN_LINES;
    if (fits) text_append(out, one.bytes, one.length);
    text_free(&one);
    return fits;
}

static bool all_follow(struct json_object *findings, size_t from) {
    for (size_t i = from; i < length_of(findings); i++)
        if (json_number(json_object_array_get_idx(findings, i), "follows", -1) < 0) return false;
    return true;
}

/* A line each, as many as there is room for. */
static void show_rest(struct json_object *findings, size_t from, const ShowStyle *style, Text *out) {
    size_t count = length_of(findings), used = lines_of(out) + REST_LINES + NEXT_LINES;
    size_t room = used < SCREEN_LINES ? SCREEN_LINES - used : 1, at = from;
    if (count - from == room + 1) room++; /* the last one takes no more lines than its count */
    text_format(out, "%zu more%s:\n", count - from,
                all_follow(findings, from) ? ", which may follow from what is above" : "");
    for (; at < count && at < from + room; at++)
        show_briefly(json_object_array_get_idx(findings, at), style, out);
    if (at < count)
        text_format(out, "  and %zu more, which show up here once those above are fixed\n", count - at);
    text_add(out, "\n");
}

static void show_findings(struct json_object *result, const char *source, const ShowStyle *style, Text *out) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = length_of(findings), shown = 0;
    while (shown < count && shown < FULL_FINDINGS &&
           show_if_it_fits(json_object_array_get_idx(findings, shown), shown == 0, shown + 1 == count, source,
                           style, out))
        shown++;
    if (shown < count) show_rest(findings, shown, style, out);
}

/* ---- the whole ---- */

static void show_output(struct json_object *result, const ShowStyle *style, Text *out) {
    const char *printed = json_text(result, "output", "");
    if (*printed == '\0') return;
    add_toned(style, TONE_STRONG, "your program printed:", out);
    text_add(out, "\n");
    for (int line = 0; *printed != '\0'; line++) {
        size_t length = strcspn(printed, "\n");
        if (line == LONGEST_OUTPUT_LINES) {
            text_add(out, "  ...\n");
            break;
        }
        text_add(out, "  ");
        text_add_visible(out, printed, length);
        text_add(out, "\n");
        printed += length + (printed[length] == '\n');
    }
    text_add(out, "\n");
}

static void show_title(struct json_object *result, const ShowStyle *style, Text *out) {
    const char *verdict = json_text(result, "verdict", "");
    add_toned(style, TONE_STRONG, json_text(result, "lesson", ""), out);
    text_add(out, ": ");
    if (strcmp(verdict, "pass") == 0)
        add_toned(style, TONE_GOOD, "passed", out);
    else if (strcmp(verdict, "fail") == 0)
        add_toned(style, TONE_BAD, "not yet", out);
    else
        add_toned(style, TONE_BAD, "could not be checked", out);
    if (strcmp(verdict, "error") != 0)
        text_format(out, ", %ld of %ld points", json_number(result, "score", 0),
                    json_number(result, "max_score", 0));
    text_add(out, "\n\n");
}

void show_result(struct json_object *result, const char *source, const ShowStyle *style, Text *out) {
    show_title(result, style, out);
    const char *problem = json_text(result, "problem", "");
    if (*problem != '\0') {
        show_paragraph(problem, "  ", style, out);
        show_paragraph(json_text(result, "remedy", ""), "  ", style, out);
        show_paragraph("This says nothing about your code: it was not judged.", "  ", style, out);
        text_add(out, "\n");
    }
    show_cases(result, style, out);
    show_output(result, style, out);
    show_findings(result, source, style, out);
}
