/* show.c - a result in a learner's words; see show.h.
 *
 * Order: what was checked and how it went; the cases, those that failed alike together; what the program
 * printed; the findings, the first few in full with their source lines, the others a line each, as many as a
 * screen holds. What to do next is said by the command that knows it.
 */
#include "autograder/screen/show_parts.h"
#include "base/minmax.h"

#include "autograder/check/source.h"
#include "autograder/texts.h"
#include "base/json.h"

#include <string.h>

enum { FULL_FINDINGS = 3, LONGEST_OUTPUT_LINES = 20 };

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
    const char *text = NULL;
    if (source != NULL) text = source_line(source, (int)line, &length);
    if (text == NULL) return;
    if (length > LONGEST) length = LONGEST;
    text_format(out, "  %4ld | ", line);
    text_add_visible(out, text, length);
    text_add(out, "\n");
    if (column < 1 || (size_t)column > length) return;
    text_format(out, "  %*s | ", MAX(digits_of(line), 4), "");
    for (long i = 0; i < column - 1; i++) {
        if (((unsigned char)text[i] & 0xC0) == 0x80) continue;
        text_append(out, text[i] == '\t' ? "\t" : " ", 1);
    }
    show_toned(style, TONE_GOOD, "^", out);
    text_add(out, "\n");
}

/* FILE:LINE:COLUMN, in KERNEL: as much of it as is known. */
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

/* A thread may also wait there, or go another way. */
static bool is_access(const char *what) {
    return strcmp(what, "read") == 0 || strcmp(what, "write") == 0 || strcmp(what, "atomic") == 0;
}

static void show_other(struct json_object *finding, const char *source, const ShowStyle *style, Text *out) {
    long line = json_number(finding, "other_line", 0);
    if (line <= 0 || line == json_number(finding, "line", 0)) return;
    const char *what = json_text(finding, "other_what", "");
    text_add(out, "  ");
    say_show(out, SHOW_OTHER_SIDE,
             &(ShowFacts){.access = is_access(what), .line = line, .what = *what != '\0' ? what : NULL});
    text_add(out, "\n");
    show_source_line(source, line, json_number(finding, "other_column", 0), style, out);
}

void show_finding_lines(struct json_object *finding, const char *source, const ShowStyle *style, Text *out) {
    show_source_line(source, json_number(finding, "line", 0), json_number(finding, "column", 0), style, out);
    show_other(finding, source, style, out);
}

static bool is_error(struct json_object *finding) {
    return strcmp(json_text(finding, "severity", ""), "error") == 0;
}

static void show_heading(struct json_object *finding, const ShowStyle *style, Text *out) {
    const char *kind = json_text(finding, "kind", ""), *separator = is_error(finding) ? ": " : " (a note): ";
    const char *message = json_text(finding, "message", "");
    show_toned(style, is_error(finding) ? TONE_BAD : TONE_NOTE, kind, out);
    text_add(out, separator);
    show_words(message, strlen(message), strlen(kind) + strlen(separator), "    ", style, out);
}

static void show_finding(struct json_object *finding, const char *source, const ShowStyle *style, Text *out) {
    show_heading(finding, style, out);
    show_place(finding, out);
    show_finding_lines(finding, source, style, out);
    show_paragraph(json_text(finding, "explanation", ""), "  ", style, out);
    text_add(out, "\n");
}

static struct json_object *finding_at(struct json_object *findings, size_t i) {
    return json_object_array_get_idx(findings, i);
}

static bool says_the_same(struct json_object *a, struct json_object *b) {
    return strcmp(json_text(a, "kind", ""), json_text(b, "kind", "")) == 0 &&
           strcmp(json_text(a, "message", ""), json_text(b, "message", "")) == 0;
}

/* The first of those before `end` that says the same as the finding; `end`: none does. */
static size_t find_same(struct json_object *findings, size_t from, size_t end, struct json_object *finding) {
    while (from < end && !says_the_same(finding_at(findings, from), finding))
        from++;
    return from;
}

static bool is_line_of(struct json_object *findings, size_t from, size_t end, struct json_object *finding) {
    for (size_t i = from; i < end; i++)
        if (says_the_same(finding_at(findings, i), finding) &&
            json_number(finding_at(findings, i), "line", 0) == json_number(finding, "line", 0))
            return true;
    return false;
}

/* The lines of all that say the same as the first of them, "25, 27", without those that stand above in full;
 * how many they are. */
static size_t add_lines(struct json_object *findings, size_t first, size_t full, Text *lines) {
    size_t count = 0;
    for (size_t i = first; i < json_length(findings); i++) {
        struct json_object *finding = finding_at(findings, i);
        const long line = json_number(finding, "line", 0);
        if (!says_the_same(finding, finding_at(findings, first)) || line == 0) continue;
        if (is_line_of(findings, 0, full, finding) || is_line_of(findings, first, i, finding)) continue;
        if (count > 0) text_add(lines, ", ");
        text_format(lines, "%ld", line);
        count++;
    }
    return count;
}

/* Of those behind the first `full`, whether this one has a line of the screen: what says the same shares one,
 * and needs none where it stands above already, at the same line. */
static bool has_row(struct json_object *findings, size_t full, size_t i) {
    struct json_object *finding = finding_at(findings, i);
    if (find_same(findings, full, i, finding) < i) return false;
    if (find_same(findings, 0, full, finding) == full) return true;
    Text lines = text_new();
    const size_t count = add_lines(findings, i, full, &lines);
    text_free(&lines);
    return count > 0;
}

static size_t count_rows(struct json_object *findings, size_t full) {
    size_t rows = 0;
    for (size_t i = full; i < json_length(findings); i++)
        rows += has_row(findings, full, i);
    return rows;
}

/* One line of the terminal. */
static void show_briefly(struct json_object *findings, size_t full, size_t i, const ShowStyle *style,
                         Text *out) {
    struct json_object *finding = finding_at(findings, i);
    const bool above = find_same(findings, 0, full, finding) < full;
    const char *message;
    if (above)
        message = plain_show(SHOW_SAME);
    else
        message = json_text(finding, "message", "");
    Text line = text_new(), lines = text_new();
    const size_t count = add_lines(findings, i, full, &lines);
    text_add(&line, "  ");
    say_show(&line, SHOW_BRIEFLY,
             &(ShowFacts){.kind = json_text(finding, "kind", ""),
                          .placed = count > 0,
                          .several = count > 1,
                          .names = lines.bytes});
    text_add(&line, " ");
    text_append(&line, message, strcspn(message, "\n"));
    show_cut(&line, 0, style, out);
    text_free(&lines);
    text_free(&line);
}

/* NEXT_LINES: what the command says to do next. REST_LINES: the heading of what is told briefly, the count of
 * what is not told, and the empty line after them. */
enum { SCREEN_LINES = 30, NEXT_LINES = 2, REST_LINES = 3 };

/* In full is told what follows from nothing else, as long as the whole fits on a screen; the first one
 * always. */
static bool show_if_it_fits(struct json_object *finding, bool first, bool last, const char *source,
                            const ShowStyle *style, Text *out) {
    if (!first && json_number(finding, "follows", -1) >= 0) return false;
    Text one = text_new();
    show_finding(finding, source, style, &one);
    unsigned behind = NEXT_LINES;
    if (!last) behind = REST_LINES + 1 + NEXT_LINES;
    bool fits = first || show_lines(out) + show_lines(&one) + behind <= SCREEN_LINES;
    if (fits) text_append(out, one.bytes, one.length);
    text_free(&one);
    return fits;
}

static bool all_follow(struct json_object *findings, size_t from) {
    for (size_t i = from; i < json_length(findings); i++)
        if (json_number(finding_at(findings, i), "follows", -1) < 0) return false;
    return true;
}

/* A line each, as many as there is room for. */
static void show_rest(struct json_object *findings, size_t full, const ShowStyle *style, Text *out) {
    const size_t rows = count_rows(findings, full), used = show_lines(out) + REST_LINES + NEXT_LINES;
    size_t room = used < SCREEN_LINES ? SCREEN_LINES - used : 1, shown = 0;
    if (rows == 0) return;
    if (rows == room + 1) room++; /* the last one takes no more lines than its count */
    say_show(out, SHOW_MORE, &(ShowFacts){.count = rows, .follow = all_follow(findings, full)});
    text_add(out, "\n");
    for (size_t i = full; i < json_length(findings) && shown < room; i++) {
        if (!has_row(findings, full, i)) continue;
        show_briefly(findings, full, i, style, out);
        shown++;
    }
    if (shown < rows) {
        text_add(out, "  ");
        say_show(out, SHOW_LATER, &(ShowFacts){.count = rows - shown});
        text_add(out, "\n");
    }
    text_add(out, "\n");
}

/* As many findings in full as the screen has room for, the rest as one line each. */
static void show_findings(struct json_object *result, const char *source, const ShowStyle *style, Text *out) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = json_length(findings), shown = 0;
    while (shown < count && shown < FULL_FINDINGS &&
           find_same(findings, 0, shown, finding_at(findings, shown)) == shown &&
           show_if_it_fits(finding_at(findings, shown), shown == 0, shown + 1 == count, source, style, out))
        shown++;
    if (shown < count) show_rest(findings, shown, style, out);
    long left_out = json_number(result, "findings_left_out", 0);
    if (left_out <= 0) return;
    say_show(out, SHOW_LEFT_OUT, &(ShowFacts){.count = (SayCount)left_out});
    text_add(out, "\n\n");
}

/* ---- the whole ---- */

/* What CHECK printed, for one, is part of what a case says: on a screen it is not told twice. */
static bool is_quoted(struct json_object *result, const char *printed) {
    struct json_object *cases = json_array(result, "cases");
    Text line = text_new();
    text_append(&line, printed, strcspn(printed, "\n"));
    bool single = strlen(printed) <= line.length + 1, quoted = false;
    for (size_t i = 0; single && i < json_length(cases); i++)
        quoted |= strstr(json_text(json_object_array_get_idx(cases, i), "message", ""), line.bytes) != NULL;
    text_free(&line);
    return quoted;
}

/* What the program printed, LONGEST_OUTPUT_LINES of it. On a screen it is left out where a case's message
 * quotes it. */
static void show_output(struct json_object *result, const ShowStyle *style, Text *out) {
    const char *printed = json_text(result, "output", "");
    if (*printed == '\0' || (style->rows > 0 && is_quoted(result, printed))) return;
    show_toned(style, TONE_STRONG, plain_show(SHOW_PRINTED), out);
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

/* A card judges answers alone, and gives no points. */
static bool is_of_card(struct json_object *result) {
    return *json_text(result, "driver", "") != '\0';
}

/* The verdict in a learner's words. An error has no points: nothing was judged. */
static void show_title(struct json_object *result, const ShowStyle *style, Text *out) {
    const char *verdict = json_text(result, "verdict", "");
    const bool passed = strcmp(verdict, "pass") == 0, judged = strcmp(verdict, "error") != 0;
    const bool of_card = judged && is_of_card(result);
    const char *words = plain_show(SHOW_UNCHECKED);
    if (judged) words = plain_show(passed ? SHOW_PASSED : SHOW_NOT_YET);
    if (of_card) words = plain_card(passed ? CARD_ALL_RIGHT : CARD_NOT_ALL_RIGHT);
    show_toned(style, TONE_STRONG, json_text(result, "lesson", ""), out);
    text_add(out, ": ");
    show_toned(style, passed ? TONE_GOOD : TONE_BAD, words, out);
    if (of_card) {
        text_add(out, " ");
        say_card(
            out, CARD_TITLE,
            &(CardFacts){.name = json_text(result, "device", ""), .driver = json_text(result, "driver", "")});
    } else if (judged) {
        text_add(out, ", ");
        say_show(out, SHOW_POINTS,
                 &(ShowFacts){.score = json_number(result, "score", 0),
                              .points = json_number(result, "max_score", 0)});
    }
    text_add(out, "\n\n");
}

/* The verdict first, then what stood in its way, then the cases, what was printed, and what was found. */
void show_result(struct json_object *result, const char *source, const ShowStyle *style, Text *out) {
    show_title(result, style, out);
    const char *problem = json_text(result, "problem", "");
    if (*problem != '\0') {
        show_paragraph(problem, "  ", style, out);
        show_paragraph(json_text(result, "remedy", ""), "  ", style, out);
        show_paragraph(plain_show(SHOW_NOT_JUDGED), "  ", style, out);
        text_add(out, "\n");
    }
    if (is_of_card(result))
        show_card_alone(result, style, out);
    else
        show_cases(result, style, out);
    show_output(result, style, out);
    show_findings(result, source, style, out);
}
