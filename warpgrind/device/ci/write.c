/* write.c - what a run has come to, in the forms that services read; see ci.h. Names and messages come from
 * the programs, so each goes through its form's escapes. */
#include "device/ci/ci.h"

#include "base/escape.h"
#include "device/report/sarif.h"
#include "device/texts.h"

#include <string.h>

enum { MOST_ROWS = 50 };

typedef void AddFinding(const CiRun *run, struct json_object *finding, Text *out);

static size_t for_each(const CiRun *run, bool known, size_t most, AddFinding *add, Text *out) {
    size_t count = 0;
    JSON_EACH(finding, json_array(run->report, "findings")) {
        if (json_flag(finding, "known", false) != known) continue;
        if (count++ < most) add(run, finding, out);
    }
    return count;
}

static bool is_note(struct json_object *finding) {
    return strcmp(json_text(finding, "severity", "error"), "note") == 0;
}

/* "FILE:LINE", or where no place is known the kernel. */
static void add_place(struct json_object *finding, EscapeLanguage language, Text *out) {
    const char *file = json_text(finding, "file", "");
    escape_add(out, language, *file ? file : json_text(finding, "kernel", "somewhere"));
    if (*file) text_format(out, ":%ld", json_number(finding, "line", 0));
}

/* ---- JUnit: a suite with a test case for each finding, and one for the run ---- */

#define add_xml(out, ...) escape_format((out), ESCAPE_XML, __VA_ARGS__)

/* A known finding is skipped, a note passes with its text, an error fails. */
static void add_case(const CiRun *run, struct json_object *finding, Text *out) {
    bool known = json_flag(finding, "known", false), note = is_note(finding);
    const char *element = "failure";
    (void)run;
    if (note) element = "system-out";
    if (known) element = "skipped";
    const char *message = json_text(finding, "message", "");
    add_xml(out, "  <testcase classname=\"warpgrind.%s\" name=\"", json_text(finding, "kind", ""));
    add_place(finding, ESCAPE_XML, out);
    add_xml(out, "\" file=\"%s\"><%s", json_text(finding, "file", ""), element);
    if (known)
        add_xml(out, " message=\"%s: %s\">", plain_ci(CI_KNOWN), message);
    else
        add_xml(out, note ? ">%s. " : " message=\"%s\">", message);
    add_xml(out, "%s</%s></testcase>\n", json_text(finding, "explanation", ""), element);
}

static void add_unchecked_case(const Unchecked *unchecked, Text *out) {
    add_xml(out,
            "  <testcase classname=\"warpgrind.not-checked\" name=\"%s\"><failure message=\"%s\">%s"
            "</failure></testcase>\n",
            unchecked->program, plain_ci(CI_NOT_CHECKED), ci_remedy(unchecked));
}

static void add_command_case(const CiRun *run, Text *out) {
    add_xml(out, "  <testcase classname=\"warpgrind\" name=\"%s\">", run->command);
    if (run->status != 0) {
        text_add(out, "<failure message=\"");
        say_ci(out, CI_ENDED, &(CiFacts){.status = (uint64_t)run->status});
        text_add(out, "\"></failure>");
    }
    if (run->status == 0 && !run->kernel_ran)
        text_format(out, "<failure message=\"%s\"></failure>", plain_ci(CI_NO_KERNEL));
    text_add(out, "</testcase>\n");
}

void ci_add_junit(const CiRun *run, Text *out) {
    bool fails = run->status != 0 || !run->kernel_ran;
    size_t failures = run->new_errors + run->unchecked_count + fails;
    size_t tests = 1 + run->unchecked_count + run->new_errors + run->new_notes + run->known;
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_format(out,
                "<testsuites>\n <testsuite name=\"warpgrind\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                "skipped=\"%u\">\n",
                tests, failures, run->known);
    add_command_case(run, out);
    for (size_t i = 0; i < run->unchecked_count; i++)
        add_unchecked_case(&run->unchecked[i], out);
    for_each(run, false, SIZE_MAX, add_case, out);
    for_each(run, true, SIZE_MAX, add_case, out);
    text_add(out, " </testsuite>\n</testsuites>\n");
}

/* ---- Markdown: for the summary of a job ---- */

static void add_row(const CiRun *run, struct json_object *finding, Text *out) {
    (void)run;
    escape_format(out, ESCAPE_MARKDOWN, is_note(finding) ? "| note | %s | " : "| **error** | %s | ",
                  json_text(finding, "kind", ""));
    add_place(finding, ESCAPE_MARKDOWN, out);
    escape_format(out, ESCAPE_MARKDOWN, " | %s |\n", json_text(finding, "message", ""));
}

void ci_add_markdown(const CiRun *run, const char *why, Text *out) {
    text_format(out, "### %s\n\n", plain_ci(*why != '\0' ? CI_HEADING_FAILED : CI_HEADING_PASSED));
    for (const char *line = why; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        text_add(out, "* ");
        escape_add_bytes(out, ESCAPE_MARKDOWN, line, strcspn(line, "\n"));
        text_add(out, "\n");
    }
    struct json_object *processes = json_array(run->report, "processes");
    text_add(out, "\n");
    say_ci(out, CI_SUMMARY,
           &(CiFacts){.launches = (uint64_t)json_number(run->report, "launches_total", 0),
                      .processes = processes != NULL ? json_object_array_length(processes) : 1,
                      .errors = run->new_errors,
                      .notes = run->new_notes,
                      .known = run->known});
    text_add(out, "\n\n");
    if (run->new_errors + run->new_notes == 0) return;
    text_format(out, "%s\n|---|---|---|---|\n", plain_ci(CI_COLUMNS));
    size_t all = for_each(run, false, MOST_ROWS, add_row, out);
    if (all <= MOST_ROWS) return;
    text_add(out, "\n");
    say_ci(out, CI_MORE, &(CiFacts){.number = all - MOST_ROWS});
    text_add(out, "\n");
}

/* ---- GitHub's workflow commands ---- */

static void add_annotation(const CiRun *run, struct json_object *finding, Text *out) {
    (void)run;
    const char *file = json_text(finding, "file", "");
    text_add(out, is_note(finding) ? "::notice " : "::error ");
    if (*file != '\0')
        escape_format(out, ESCAPE_GITHUB_PROPERTY, "file=%s,line=%ld,", file,
                      json_number(finding, "line", 1));
    escape_format(out, ESCAPE_GITHUB_PROPERTY, "title=%s::", json_text(finding, "kind", ""));
    escape_format(out, ESCAPE_GITHUB_DATA, "%s. %s\n", json_text(finding, "message", ""),
                  json_text(finding, "explanation", ""));
}

void ci_add_annotations(const CiRun *run, Text *out) {
    for (size_t i = 0; i < run->unchecked_count; i++) {
        text_format(out, "::error title=%s::", plain_ci(CI_NOT_CHECKED));
        escape_format(out, ESCAPE_GITHUB_DATA, "%s: %s\n", run->unchecked[i].program,
                      ci_remedy(&run->unchecked[i]));
    }
    for_each(run, false, MOST_ROWS, add_annotation, out);
}

/* ---- SARIF: as warpgrind writes it, with what is new ---- */

struct json_object *ci_sarif(const CiRun *run) {
    struct json_object *log = sarif_of_report(run->report), *findings = json_array(run->report, "findings"),
                       *runs = json_array(log, "runs"),
                       *results =
                           runs != NULL ? json_array(json_object_array_get_idx(runs, 0), "results") : NULL;
    size_t next = 0;
    for (size_t i = 0; findings != NULL && results != NULL && i < json_object_array_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        struct json_object *result = NULL;
        if (next < json_object_array_length(results)) result = json_object_array_get_idx(results, next);
        if (result == NULL || strcmp(json_text(result, "ruleId", ""), json_text(finding, "kind", "")) != 0)
            continue;
        json_put_text(result, "baselineState", json_flag(finding, "known", false) ? "unchanged" : "new");
        next++;
    }
    return log;
}
