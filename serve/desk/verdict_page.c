/* verdict_page.c - a check's result as HTML: the same for a page without a script and for one that puts it
 * in; see desk.h.
 *
 * The order is that of the screen: how it went, what was found, the cases, the cost, and after a pass what
 * has been learnt. Every text of the result is somebody else's, and escaped.
 */
#include "base/minmax.h"
#include "serve/desk/desk.h"

#include "autograder/check/result.h"
#include "autograder/check/source.h"
#include "base/escape.h"
#include "base/json.h"
#include "serve/texts.h"

#include <string.h>

/* ---- small parts ---- */

static void add_said(Text *out, DeskText what, const DeskFacts *facts) {
    Text words = text_new();
    say_desk(&words, what, facts);
    escape_add(out, ESCAPE_HTML, words.bytes);
    text_free(&words);
}

static void add_words(Text *out, const char *words) {
    words_line(words, strlen(words), out);
}

static bool is_pass(struct json_object *object) {
    return strcmp(json_text(object, "verdict", ""), "pass") == 0;
}

/* Paragraphs of an explanation; lines that begin with four blanks are code. */
static void add_explanation(const char *text, Text *out) {
    Text indented = text_new();
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        text_add(&indented, "  ");
        text_append(&indented, line, length);
        text_add(&indented, "\n");
        line += length + (line[length] == '\n');
    }
    words_page(indented.bytes, out);
    text_free(&indented);
}

/* ---- findings ---- */

/** The text that was judged, and whether it is in an editor beside. */
typedef struct Judged {
    const char *source;
    bool edited;
} Judged;

/* The line that is named, which leads to its place in the editor; on a page of the text alone, to its number.
 */
static void add_line(const Judged *judged, long line, long column, DeskText words, const char *what,
                     Text *out) {
    size_t length = 0;
    if (line <= 0) return;
    const char *text = NULL;
    if (judged->source != NULL) text = source_line(judged->source, (int)line, &length);
    text_add(out, "<p class=\"place\"><a href=\"#");
    if (judged->edited)
        text_format(out, "source\" data-line=\"%ld\" data-column=\"%ld\">", line, column);
    else
        text_format(out, "line-%ld\">", line);
    add_said(out, words, &(DeskFacts){.line = line, .name = what});
    text_add(out, "</a></p>\n");
    if (text == NULL) return;
    text_format(out, "<pre class=\"line\" tabindex=\"0\"><span class=\"number\">%ld</span> ", line);
    escape_add_bytes(out, ESCAPE_HTML, text, MIN(length, 200));
    text_add(out, "</pre>\n");
}

static void add_other(struct json_object *finding, const Judged *judged, Text *out) {
    long line = json_number(finding, "other_line", 0);
    if (line <= 0 || line == json_number(finding, "line", 0)) return;
    const char *what = json_text(finding, "other_what", "");
    add_line(judged, line, json_number(finding, "other_column", 0), DESK_OTHER, *what != '\0' ? what : NULL,
             out);
}

/* The kind leads to its page, which shows a wrong and a right version. */
static void add_finding(struct json_object *finding, size_t index, const Judged *judged, Text *out) {
    const char *kind = json_text(finding, "kind", "");
    const bool error = strcmp(json_text(finding, "severity", ""), "error") == 0;
    escape_html(out,
                "<li class=\"finding %s\" id=\"finding-%zu\" tabindex=\"-1\"><p class=\"message\"><a "
                "class=\"kind\" href=\"/findings/%s.html\">%s</a>",
                error ? "error" : "note", index, kind, kind);
    if (!error) escape_html(out, " (%s)", plain_desk(DESK_NOTE));
    text_add(out, ": ");
    add_words(out, json_text(finding, "message", ""));
    text_add(out, "</p>\n");
    add_line(judged, json_number(finding, "line", 0), json_number(finding, "column", 0), DESK_LINE, NULL,
             out);
    add_other(finding, judged, out);
    text_add(out, "<div class=\"explanation\">");
    add_explanation(json_text(finding, "explanation", ""), out);
    text_add(out, "</div>\n");
    long count = json_number(finding, "count", 1);
    if (count > 1) {
        text_add(out, "<p class=\"more\">");
        add_said(out, DESK_MORE, &(DeskFacts){.count = (SayCount)count - 1});
        text_add(out, "</p>\n");
    }
    text_add(out, "</li>\n");
}

static void begin_part(DeskText title, Text *out) {
    escape_html(out, "<h4>%s</h4>\n", plain_desk(title));
}

static void add_findings(struct json_object *result, const Judged *judged, Text *out) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = json_length(findings);
    if (count == 0) return;
    begin_part(DESK_FINDINGS, out);
    text_add(out, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < count; i++)
        add_finding(json_object_array_get_idx(findings, i), i, judged, out);
    text_add(out, "</ol>\n");
    long left_out = json_number(result, "findings_left_out", 0);
    if (left_out <= 0) return;
    text_add(out, "<p>");
    add_said(out, DESK_LEFT_OUT, &(DeskFacts){.count = (SayCount)left_out});
    text_add(out, "</p>\n");
}

/* Where each finding stands, for the margin of an editor. */
struct json_object *verdict_marks(struct json_object *result) {
    struct json_object *marks = json_object_new_array(), *findings = json_array(result, "findings");
    for (size_t i = 0; i < json_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i),
                           *mark = json_object_new_object();
        static const char *const numbers[] = {"line", "column", "other_line", "other_column"};
        static const char *const texts[] = {"kind", "severity", "message", "other_what"};
        json_put_number(mark, "index", (int64_t)i);
        for (int at = 0; at < 4; at++) {
            json_put_number(mark, numbers[at], json_number(finding, numbers[at], 0));
            json_put_text(mark, texts[at], json_text(finding, texts[at], ""));
        }
        json_object_array_add(marks, mark);
    }
    return marks;
}

/* ---- cases, cost ---- */

static void add_cases(struct json_object *result, Text *out) {
    struct json_object *cases = json_array(result, "cases");
    if (json_length(cases) == 0) return;
    begin_part(DESK_CASES, out);
    text_add(out, "<ul class=\"cases\">\n");
    JSON_EACH(entry, cases) {
        const char *verdict = json_text(entry, "verdict", ""), *message = json_text(entry, "message", "");
        const bool passed = is_pass(entry), unrun = strcmp(verdict, "not-run") == 0;
        const char *mark = "✗";
        if (unrun) mark = "-";
        escape_html(out,
                    "<li class=\"%s\"><span class=\"mark\" aria-hidden=\"true\">%s</span> <span "
                    "class=\"hidden\">%s</span> %s",
                    passed ? "passed" : "failed", passed ? "✓" : mark, verdict, json_text(entry, "name", ""));
        if (!passed && *message != '\0') {
            text_add(out, ": ");
            add_words(out, message);
        }
        text_add(out, "</li>\n");
    }
    text_add(out, "</ul>\n");
}

static void add_cell(Text *out, int64_t number) {
    text_add(out, "<td>");
    if (number >= 0) text_number(out, (uint64_t)number);
    text_add(out, "</td>");
}

static void add_budget(struct json_object *result, Text *out) {
    struct json_object *budget = json_array(result, "budget");
    if (json_length(budget) == 0) return;
    static const DeskText heads[] = {DESK_BUDGET, DESK_MEASURED, DESK_AT_MOST, DESK_WORTH};
    text_add(out, "<table class=\"budget\"><thead><tr>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        escape_html(out, "<th scope=\"col\">%s</th>", plain_desk(heads[i]));
    text_add(out, "</tr></thead><tbody>\n");
    JSON_EACH(line, budget) {
        escape_html(out, "<tr><th scope=\"row\">%s</th>", json_text(line, "title", ""));
        add_cell(out, json_number(line, "measured", -1));
        add_cell(out, json_number(line, "expected", -1));
        text_format(out, "<td>%ld of %ld</td></tr>\n", json_number(line, "points", 0),
                    json_number(line, "max_points", 0));
    }
    text_add(out, "</tbody></table>\n");
}

/* ---- after a pass ---- */

/* The line of the budget that an objective is about; NULL: it is about none, or about one that could not be
 * measured. */
static struct json_object *kept_line(struct json_object *result, const char *what) {
    JSON_EACH(line, json_array(result, "budget"))
        if (strcmp(json_text(line, "what", ""), what) == 0 && json_number(line, "measured", -1) >= 0)
            return line;
    return NULL;
}

/* What this run has shown is evidence of one of three kinds: no finding of a kind, a case that passed, a cost
 * that was kept. */
static void add_evidence(struct json_object *result, const char *check, Text *out) {
    static const char of_case[] = "case: ", of_budget[] = "budget: ";
    DeskText words = DESK_SHOWN_BY_KIND;
    DeskFacts facts = {.name = check};
    if (text_starts_with(check, of_case)) {
        words = DESK_SHOWN_BY_CASE;
        facts.name = check + strlen(of_case);
    } else if (text_starts_with(check, of_budget)) {
        struct json_object *line = kept_line(result, check + strlen(of_budget));
        if (line == NULL) return;
        words = DESK_SHOWN_BY_BUDGET;
        facts = (DeskFacts){.name = json_text(line, "title", ""),
                            .count = (SayCount)json_number(line, "measured", 0),
                            .of = (SayCount)json_number(line, "expected", 0)};
    }
    text_add(out, " <span class=\"evidence\">(");
    add_said(out, words, &facts);
    text_add(out, ")</span>");
}

static void add_learnt(struct json_object *result, Text *out) {
    bool begun = false;
    JSON_EACH(objective, json_array(result, "objectives")) {
        if (!json_flag(objective, "shown", false)) continue;
        if (!begun) begin_part(DESK_LEARNT, out);
        text_add(out, begun ? "<li>" : "<ul class=\"learnt\">\n<li>");
        begun = true;
        add_words(out, json_text(objective, "text", ""));
        add_evidence(result, json_text(objective, "check", ""), out);
        text_add(out, "</li>\n");
    }
    if (begun) text_add(out, "</ul>\n");
}

bool desk_next(const Desk *desk, const Lesson *lesson, const Lesson **next) {
    Progress progress;
    if (!desk_progress(desk, &progress)) return false;
    progress_of(&progress, &desk->course, lesson)->passed = true;
    *next = progress_next(&progress, &desk->course);
    return true;
}

static void add_next(const Desk *desk, const Lesson *lesson, Text *out) {
    const Lesson *next;
    if (!desk_next(desk, lesson, &next)) return;
    text_add(out, "<p class=\"go-on\">");
    if (next == NULL) {
        add_said(out, DESK_DONE, &(DeskFacts){.count = desk->course.count});
    } else {
        text_format(out, "<a href=\"%s.html\">", next->name);
        add_said(out, DESK_GO_ON, &(DeskFacts){.name = next->manifest.title});
        text_add(out, "</a>");
    }
    text_add(out, "</p>\n");
}

/* ---- the whole ---- */

static void add_title(struct json_object *result, Text *out) {
    const char *verdict = json_text(result, "verdict", "error");
    DeskText words = DESK_UNCHECKED;
    if (strcmp(verdict, "error") != 0) words = is_pass(result) ? DESK_PASSED : DESK_NOT_YET;
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.2f", json_real(result, "seconds", 0));
    text_add(out, "<h3>");
    if (is_pass(result)) text_add(out, "<span aria-hidden=\"true\">✓</span> ");
    add_said(out, words,
             &(DeskFacts){.score = json_number(result, "score", 0),
                          .points = json_number(result, "max_score", 0)});
    text_add(out, " <span class=\"took\">");
    add_said(out, DESK_TOOK, &(DeskFacts){.seconds = seconds});
    text_add(out, "</span></h3>\n");
}

static void add_problem(struct json_object *result, Text *out) {
    const char *problem = json_text(result, "problem", "");
    if (*problem == '\0') return;
    escape_html(out, "<p>%s</p>\n<p>%s</p>\n<p>%s</p>\n", problem, json_text(result, "remedy", ""),
                plain_desk(DESK_NOT_JUDGED));
}

static void add_output(struct json_object *result, Text *out) {
    const char *printed = json_text(result, "output", "");
    if (*printed == '\0') return;
    escape_html(out, "<details class=\"printed\"><summary>%s</summary><pre>%s</pre></details>\n",
                plain_desk(DESK_PRINTED), printed);
}

/* Else a file with all of its cases right, and something found, would lack points without a word why. */
static void add_clean(const Lesson *lesson, struct json_object *result, Text *out) {
    bool error = false;
    JSON_EACH(finding, json_array(result, "findings"))
        error = error || strcmp(json_text(finding, "severity", ""), "error") == 0;
    if (!error || lesson == NULL || lesson->manifest.points_clean <= 0) return;
    text_add(out, "<p class=\"more\">");
    add_said(out, DESK_CLEAN, &(DeskFacts){.count = (SayCount)lesson->manifest.points_clean});
    text_add(out, "</p>\n");
}

void verdict_page(const Desk *desk, const Lesson *lesson, struct json_object *event, const char *source,
                  Text *out) {
    struct json_object *result = json_member(event, "result");
    const char *verdict = json_text(result, "verdict", "error");
    const char *class = "error";
    if (strcmp(verdict, "pass") == 0 || strcmp(verdict, "fail") == 0) class = verdict;
    text_format(out, "<div class=\"verdict %s\">", class);
    add_title(result, out);
    add_problem(result, out);
    if (json_flag(event, "unlocked", false)) escape_html(out, "<p>%s</p>\n", plain_desk(DESK_UNLOCKED));
    if (is_pass(result) && lesson != NULL) add_next(desk, lesson, out);
    add_learnt(result, out);
    add_findings(result, &(Judged){source, lesson != NULL}, out);
    add_clean(lesson, result, out);
    add_cases(result, out);
    add_budget(result, out);
    add_output(result, out);
    text_add(out, "</div>\n");
}

struct json_object *verdict_take(Desk *desk, const Lesson *lesson, struct json_object *event) {
    DeskNote *note = desk_note(desk, lesson);
    struct json_object *result = json_member(event, "result"), *marks = json_object_new_object();
    Text source = text_new();
    char version[WIRE_VERSION + 1];
    source_read(desk, lesson, &source, version);
    text_clear(&note->verdict);
    verdict_page(desk, lesson, event, source.bytes, &note->verdict);
    text_free(&source);
    json_put_text(marks, "verdict", json_text(result, "verdict", "error"));
    json_put_flag(marks, "drawable", json_flag(event, "drawable", false));
    json_object_object_add(marks, "marks", verdict_marks(result));
    text_clear(&note->marks);
    text_add(&note->marks,
             json_object_to_json_string_ext(marks, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    return marks;
}
