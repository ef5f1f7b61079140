/* summary.c - see summary.h. */
#include "device/report/summary.h"
#include "base/escape.h"
#include "base/merge.h"
#include "device/texts.h"

#include <string.h>

/** A line of the summary. */
static void add_line(Text *out, SummaryText text, const SummaryFacts *facts) {
    say_summary(out, text, facts);
    text_add(out, "\n");
}

unsigned summary_count(struct json_object *report, const char *severity) {
    unsigned count = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strcmp(json_text(finding, "severity", ""), severity) == 0) count++;
    return count;
}

bool summary_kernel_ran(struct json_object *report) {
    return json_number(report, "launches_total", 0) > 0;
}

static size_t process_count(struct json_object *report) {
    struct json_object *processes = json_array(report, "processes");
    if (processes != NULL) return json_object_array_length(processes);
    return 0;
}

static struct json_object *process_at(struct json_object *report, size_t process) {
    return json_object_array_get_idx(json_array(report, "processes"), process);
}

/** What the trace does not show. */
static void tell_trace(struct json_object *report, const char *given, Text *out) {
    for (size_t i = 0; i < process_count(report); i++)
        tell_trace(process_at(report, i), given, out);
    const char *file = json_text(report, "trace_file", given);
    struct json_object *trace = json_member(report, "trace");
    if (trace == NULL || file == NULL) return;
    const SummaryFacts facts = {.file = file, .events = (uint64_t)json_number(trace, "events_left_out", 0)};
    if (!json_flag(trace, "written", false))
        add_line(out, SUMMARY_TRACE_BROKEN, &facts);
    else if (facts.events > 0)
        add_line(out, SUMMARY_TRACE_CUT, &facts);
}

/** The facts of an ending: of the run, or of one process. */
static SummaryFacts facts_of_ending(struct json_object *report) {
    const char *ended = json_text(report, "ended", "");
    int number = (int)json_number(report, "signal", 0);
    SummaryFacts facts = {.stopped = strcmp(ended, "stopped") == 0,
                          .number = number,
                          .meaning = sigdescr_np(number),
                          .status = json_number(report, "exit_status", 0)};
    facts.by_signal = facts.stopped || strcmp(ended, "signal") == 0;
    if (facts.meaning != NULL) facts.signal = sigabbrev_np(number);
    return facts;
}

/* The first process that ended like this one says it for all of them. */
static bool ended_alike(struct json_object *a, struct json_object *b) {
    return strcmp(json_text(a, "ended", ""), json_text(b, "ended", "")) == 0 &&
           json_number(a, "signal", 0) == json_number(b, "signal", 0) &&
           json_number(a, "exit_status", 0) == json_number(b, "exit_status", 0);
}

static bool told_before(struct json_object *report, size_t process) {
    for (size_t i = 0; i < process; i++)
        if (ended_alike(process_at(report, i), process_at(report, process))) return true;
    return false;
}

static void add_alike(struct json_object *report, size_t process, Text *out) {
    struct json_object *alike = json_object_new_array(), *holder = json_object_new_object();
    for (size_t i = process; i < process_count(report); i++)
        if (ended_alike(process_at(report, process), process_at(report, i)))
            json_object_array_add(alike, json_object_new_int64((int64_t)i));
    json_object_object_add(holder, "processes", alike);
    merge_names(report, holder, out);
    json_object_put(holder);
}

/** How the processes ended that did not end well. */
static void tell_endings(struct json_object *report, Text *out) {
    for (size_t i = 0; i < process_count(report); i++) {
        struct json_object *process = process_at(report, i);
        SummaryFacts facts = facts_of_ending(process);
        if ((!facts.by_signal && facts.status == 0) || told_before(report, i)) continue;
        Text who = text_new();
        add_alike(report, i, &who);
        facts.processes = who.bytes;
        add_line(out, SUMMARY_PROCESS_ENDED, &facts);
        text_free(&who);
    }
}

/** The launch that did not come to its end, if there is one in the report. */
static void add_stopped_launch(struct json_object *report, Text *out) {
    JSON_EACH(launch, json_array(report, "launches")) {
        if (strcmp(json_text(launch, "status", ""), "stopped") != 0) continue;
        const char *kernel = json_text(launch, "kernel", "");
        Text visible = text_new();
        text_add_visible(&visible, kernel, strlen(kernel));
        say_summary(out, SUMMARY_LAUNCH,
                    &(SummaryFacts){.kernel = visible.bytes, .number = json_number(launch, "id", 0)});
        text_free(&visible);
    }
}

/** An ending by a signal is said; an exit is not, since the exit status shows it. Programs of several
 * processes have a line for each that ended so. */
static void tell_ending(struct json_object *report, Text *out) {
    if (process_count(report) > 0) {
        tell_endings(report, out);
        return;
    }
    SummaryFacts facts = facts_of_ending(report);
    if (!facts.by_signal) return;
    Text where = text_new();
    if (facts.stopped) add_stopped_launch(report, &where);
    facts.where = where.bytes;
    add_line(out, SUMMARY_ENDED, &facts);
    text_free(&where);
}

/** The names of the approximate functions, "sinf, expf". */
static void add_functions(struct json_object *fidelity, Text *out) {
    struct json_object *functions = json_array(fidelity, "functions");
    for (size_t i = 0; i < json_length(functions); i++) {
        const char *name = json_text(json_object_array_get_idx(functions, i), "name", "");
        if (i > 0) text_add(out, ", ");
        text_add_visible(out, name, strlen(name));
    }
}

/** A line where what a card has otherwise may decide where threads go or what they touch. */
static void tell_fidelity(struct json_object *report, Text *out) {
    static const struct {
        const char *origin;
        SummaryText text;
    } ORIGINS[] = {{"functions", SUMMARY_FUNCTIONS_DECIDE}, {"clock", SUMMARY_CLOCK_DECIDES}};
    struct json_object *fidelity = json_member(report, "fidelity");
    Text functions = text_new();
    if (fidelity != NULL) add_functions(fidelity, &functions);
    for (size_t i = 0; fidelity != NULL && i < sizeof ORIGINS / sizeof *ORIGINS; i++) {
        struct json_object *ends = json_member(json_member(fidelity, "depends"), ORIGINS[i].origin);
        const SummaryFacts facts = {.functions = functions.bytes,
                                    .branch = json_flag(ends, "branch", false),
                                    .address = json_flag(ends, "address", false)};
        if (facts.branch || facts.address) add_line(out, ORIGINS[i].text, &facts);
    }
    text_free(&functions);
}

static void add_command(struct json_object *words, Text *command) {
    text_init(command);
    for (size_t i = 0; i < json_length(words); i++) {
        if (i > 0) text_add(command, " ");
        escape_shell_word(command, json_object_get_string(json_object_array_get_idx(words, i)));
    }
}

static uint64_t product_of(struct json_object *sizes) {
    uint64_t product = 1;
    JSON_EACH(size, sizes)
        product *= (uint64_t)json_object_get_int64(size);
    return product;
}

/** Where --smallest was given: what it has found for one error. */
static void tell_smallest(struct json_object *finding, Text *out) {
    struct json_object *smallest = json_member(finding, "smallest"), *words = json_array(smallest, "command");
    if (smallest == NULL) return;
    Text command, file = text_new();
    add_command(words, &command);
    const char *path = json_text(finding, "file", ""), *slash = strrchr(path, '/');
    if (slash != NULL) path = slash + 1;
    text_add_visible(&file, path, strlen(path));
    add_line(out, SUMMARY_SMALLEST,
             &(SummaryFacts){.found = words != NULL,
                             .kernel = json_text(finding, "kernel", ""),
                             .kind = json_text(finding, "kind", ""),
                             .file = file.bytes,
                             .line = json_number(finding, "line", 0),
                             .placed = json_number(finding, "line", 0) > 0,
                             .command = command.bytes,
                             .launched = json_array(smallest, "grid") != NULL,
                             .blocks = product_of(json_array(smallest, "grid")),
                             .threads = product_of(json_array(smallest, "block"))});
    text_free(&command);
    text_free(&file);
}

/** The commands that go through the run again, and through smaller ones. */
static void tell_replay(struct json_object *report, Text *out) {
    struct json_object *words = json_array(report, "replay"), *findings = json_array(report, "findings");
    JSON_EACH(finding, findings)
        tell_smallest(finding, out);
    if (words == NULL) return;
    Text command;
    add_command(words, &command);
    add_line(out, SUMMARY_REPLAY, &(SummaryFacts){.command = command.bytes});
    text_free(&command);
}

/** The last lines of every run: what cut the run or its trace short, then the counts of findings and of what
 * ran. */
void summary_text(struct json_object *report, const char *trace, Text *out) {
    int64_t suppressed = json_number(report, "suppressed", 0);
    const SummaryFacts facts = {.ran = summary_kernel_ran(report),
                                .several = process_count(report) > 0,
                                .left_out = suppressed > 0,
                                .errors = summary_count(report, "error"),
                                .notes = summary_count(report, "note"),
                                .launches = (uint64_t)json_number(report, "launches_total", 0),
                                .threads = (uint64_t)json_number(report, "threads_total", 0),
                                .number = (int64_t)process_count(report),
                                .processes = merge_noun(report),
                                .suppressed = suppressed};
    tell_replay(report, out);
    tell_trace(report, trace, out);
    tell_ending(report, out);
    tell_fidelity(report, out);
    add_line(out, SUMMARY_COUNTS, &facts);
    if (!facts.ran && facts.errors == 0) add_line(out, SUMMARY_NOTHING_CHECKED, &facts);
}
