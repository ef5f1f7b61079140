/* summary.c - see summary.h. */
#include "device/summary.h"
#include "base/merge.h"

#include <inttypes.h>
#include <string.h>

static void add_counted(Text *text, uint64_t number, const char *noun) {
    text_number(text, number);
    text_format(text, " %s", noun);
    if (number != 1) text_add(text, text_ends_with(noun, "ch") ? "es" : "s");
}

unsigned summary_count(struct json_object *report, const char *severity) {
    struct json_object *findings = json_array(report, "findings");
    unsigned count = 0;
    for (size_t i = 0; findings != NULL && i < json_object_array_length(findings); i++)
        if (strcmp(json_text(json_object_array_get_idx(findings, i), "severity", ""), severity) == 0) count++;
    return count;
}

bool summary_kernel_ran(struct json_object *report) {
    return json_number(report, "launches_total", 0) > 0;
}

static size_t process_count(struct json_object *report) {
    struct json_object *processes = json_array(report, "processes");
    return processes != NULL ? json_object_array_length(processes) : 0;
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
    int64_t left_out = json_number(trace, "events_left_out", 0);
    if (!json_flag(trace, "written", false))
        text_format(out, "warpgrind: %s: the trace could not be written in full\n", file);
    else if (left_out > 0) {
        text_format(out, "warpgrind: %s leaves out ", file);
        add_counted(out, (uint64_t)left_out, "event");
        text_add(out, ", past the limits of a trace\n");
    }
}

static void add_signal(Text *out, int number) {
    const char *name = sigabbrev_np(number), *meaning = sigdescr_np(number);
    if (name != NULL && meaning != NULL)
        text_format(out, "SIG%s (%s)", name, meaning);
    else
        text_format(out, "signal %d", number);
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
        const char *ended = json_text(process, "ended", "");
        int64_t status = json_number(process, "exit_status", 0);
        bool stopped = strcmp(ended, "stopped") == 0;
        if ((!stopped && strcmp(ended, "signal") != 0 && status == 0) || told_before(report, i)) continue;
        text_add(out, "warpgrind: ");
        add_alike(report, i, out);
        if (stopped || strcmp(ended, "signal") == 0) {
            text_add(out, stopped ? ": stopped by " : ": ended by ");
            add_signal(out, (int)json_number(process, "signal", 0));
        } else {
            text_format(out, ": exit status %" PRId64, status);
        }
        text_add(out, stopped ? "; this is what was found until then\n" : "\n");
    }
}

/** The launch that did not come to its end, if there is one in the report. */
static void add_stopped_launch(struct json_object *report, Text *out) {
    struct json_object *launches = json_array(report, "launches");
    for (size_t i = 0; launches != NULL && i < json_object_array_length(launches); i++) {
        struct json_object *launch = json_object_array_get_idx(launches, i);
        if (strcmp(json_text(launch, "status", ""), "stopped") != 0) continue;
        const char *kernel = json_text(launch, "kernel", "");
        text_add(out, " in kernel ");
        text_add_visible(out, kernel, strlen(kernel));
        text_format(out, ", launch %" PRId64, json_number(launch, "id", 0));
    }
}

/** An ending by a signal is said; an exit is not, since the exit status shows it. Programs of several
 * processes have a line for each that ended so. */
static void tell_ending(struct json_object *report, Text *out) {
    const char *ended = json_text(report, "ended", "");
    bool stopped = strcmp(ended, "stopped") == 0;
    if (process_count(report) > 0) {
        tell_endings(report, out);
        return;
    }
    if (!stopped && strcmp(ended, "signal") != 0) return;
    text_add(out, stopped ? "warpgrind: stopped by " : "warpgrind: the program was ended by ");
    add_signal(out, (int)json_number(report, "signal", 0));
    if (stopped) add_stopped_launch(report, out);
    text_add(out, stopped ? "; this is what was found until then\n" : "\n");
}

static void add_amount(struct json_object *report, Text *out) {
    if (!summary_kernel_ran(report)) {
        text_add(out, "no kernel ran");
        return;
    }
    add_counted(out, (uint64_t)json_number(report, "launches_total", 0), "launch");
    text_add(out, ", ");
    add_counted(out, (uint64_t)json_number(report, "threads_total", 0), "thread");
    if (process_count(report) > 0) text_format(out, ", %zu %s", process_count(report), merge_noun(report));
}

/** The last lines of every run: what cut the run or its trace short, then the counts of findings and of what
 * ran. */
void summary_text(struct json_object *report, const char *trace, Text *out) {
    unsigned errors = summary_count(report, "error"), notes = summary_count(report, "note");
    bool ran = summary_kernel_ran(report);
    int64_t suppressed = json_number(report, "suppressed", 0);
    tell_trace(report, trace, out);
    tell_ending(report, out);
    text_add(out, "warpgrind: ");
    if (errors + notes == 0 && ran) text_add(out, "no findings");
    if (errors > 0) add_counted(out, errors, "error");
    if (errors > 0 && notes > 0) text_add(out, " and ");
    if (notes > 0) add_counted(out, notes, "note");
    if (ran) text_add(out, " in ");
    if (!ran && errors + notes > 0) text_add(out, "; ");
    add_amount(report, out);
    if (suppressed > 0) text_format(out, " (%" PRId64 " suppressed)", suppressed);
    text_add(out, "\n");
    if (!ran && errors == 0)
        text_add(out,
                 "Nothing was checked. If the program does launch kernels: nvcc links the CUDA runtime so "
                 "that it looks for a real GPU, unless it is given -cudart shared.\n");
}
