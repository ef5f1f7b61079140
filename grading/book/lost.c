/* lost.c - a result's missing points in words; see lost.h. */
#include "grading/book/lost.h"

#include "base/json.h"
#include "grading/book/judged.h"
#include "grading/book/table.h"

#include <string.h>

/* What was given and could have been, summed while it is told. */
typedef struct Lost {
    const char *indent;
    long points, most;
    Text *out;
} Lost;

static void begin_line(Lost *lost, long missing) {
    text_format(lost->out, "%s%ld %s: ", lost->indent, missing, missing == 1 ? "point" : "points");
}

static void count(Lost *lost, long points, long most) {
    lost->points += points;
    lost->most += most;
}

/* "hidden case 2" has no name, and says what it is by itself. */
static bool is_nameless(struct json_object *entry) {
    return json_flag(entry, "hidden", false) && json_text(entry, "concept", NULL) == NULL;
}

static void add_case(Lost *lost, struct json_object *entry) {
    const long points = json_number(entry, "points", 0), most = json_number(entry, "max_points", 0);
    count(lost, points, most);
    if (points >= most) return;
    begin_line(lost, most - points);
    if (!is_nameless(entry)) text_add(lost->out, "the case ");
    table_words(json_text(entry, "name", ""), lost->out);
    text_add(lost->out, "\n");
}

/* A line that was not measured has no case that is right to measure it by. */
static void add_budget(Lost *lost, struct json_object *line) {
    const long points = json_number(line, "points", 0), most = json_number(line, "max_points", 0);
    struct json_object *number;
    const bool shown = json_object_object_get_ex(line, "expected", &number);
    const bool measured = !shown || json_object_object_get_ex(line, "measured", &number);
    count(lost, points, most);
    if (points >= most) return;
    begin_line(lost, most - points);
    text_add(lost->out, "the budget, ");
    table_words(json_text(line, "title", ""), lost->out);
    text_add(lost->out, measured ? ": " : ": not measured, because the case is not right");
    if (measured) table_words(json_text(line, "why", ""), lost->out);
    text_add(lost->out, "\n");
}

/* "shared-race, line 14, and 2 more"; false without any. */
static bool add_errors(struct json_object *findings, Text *out) {
    size_t errors = 0;
    for (size_t i = 0; i < judged_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        if (strcmp(json_text(finding, "severity", ""), "error") != 0 || errors++ > 0) continue;
        table_words(json_text(finding, "kind", ""), out);
        const long line = json_number(finding, "line", 0);
        if (line > 0) text_format(out, ", line %ld", line);
    }
    if (errors > 1) text_format(out, ", and %zu more", errors - 1);
    return errors > 0;
}

/* What is left is for having no mistakes, and needs right answers as well. */
static void add_rest(Lost *lost, struct json_object *result) {
    const long missing = json_number(result, "max_score", 0) - json_number(result, "score", 0);
    const long rest = missing - (lost->most - lost->points);
    Text errors = text_new();
    if (rest <= 0) return;
    begin_line(lost, rest);
    if (add_errors(json_array(result, "findings"), &errors))
        text_format(lost->out, "for a program without mistakes: %s\n", errors.bytes);
    else
        text_add(lost->out, "for a program whose answers are all right\n");
    text_free(&errors);
}

/* What was never run has nothing to tell of its cases one by one: why it does not compile is told instead,
 * which may be that it is empty. NULL when it did run. */
static struct json_object *find_compile_error(struct json_object *result) {
    struct json_object *findings = json_array(result, "findings");
    if (json_number(result, "score", 0) != 0) return NULL;
    for (size_t i = 0; i < judged_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        if (strcmp(json_text(finding, "kind", ""), "compile-error") == 0) return finding;
    }
    return NULL;
}

void lost_add(struct json_object *result, const char *indent, Text *out) {
    struct json_object *cases = json_array(result, "cases"), *budget = json_array(result, "budget");
    Lost lost = {.indent = indent, .out = out};
    if (json_number(result, "score", 0) >= json_number(result, "max_score", 0)) return;
    struct json_object *error = find_compile_error(result);
    if (error != NULL) {
        text_format(out, "%sall points: it does not compile: ", indent);
        table_words(json_text(error, "message", ""), out);
        text_add(out, "\n");
        return;
    }
    for (size_t i = 0; i < judged_length(cases); i++)
        add_case(&lost, json_object_array_get_idx(cases, i));
    for (size_t i = 0; i < judged_length(budget); i++)
        add_budget(&lost, json_object_array_get_idx(budget, i));
    add_rest(&lost, result);
}
