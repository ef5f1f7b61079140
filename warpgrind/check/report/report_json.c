/* report_json.c - the report for programs: warpgrind/report/v1, described in docs/report-schema.md.
 *
 * Text that comes from the program (marks, names, files) is put in as JSON strings; json-c escapes it.
 * Invalid UTF-8 is replaced first, because readers of JSON may refuse it.
 */
#include "check/counts/counters.h"
#include "check/counts/lines.h"
#include "check/fidelity/fidelity.h"

#include <json-c/json_object_iterator.h>
#include <inttypes.h>
#include <string.h>

/* The names are those of docs/report-schema.md. */
static const char *status_name(const LoggedLaunch *launch) {
    if (!launch->ended) return "unfinished";
    switch (launch->status) {
    case GPU_OK:
        return "ok";
    case GPU_ILLEGAL_ADDRESS:
        return "illegal-address";
    case GPU_MISALIGNED:
        return "misaligned";
    case GPU_HANG:
        return "hang";
    case GPU_TRAP:
        return "trap";
    case GPU_ASSERT:
        return "assert";
    case GPU_ILLEGAL_INSTRUCTION:
        return "illegal-instruction";
    case GPU_OUT_OF_MEMORY:
        return "out-of-memory";
    case GPU_STACK_OVERFLOW:
        return "stack-overflow";
    case GPU_HALTED:
        return "stopped";
    }
    BUG("status %d", (int)launch->status);
}

/* Of a text that a program gave, no more is told than a person would read. */
enum { LONGEST_TOLD = 4096 };

static struct json_object *new_text(const char *text) {
    Text clean;
    text_init(&clean);
    if (text) text_add_utf8(&clean, text, strnlen(text, LONGEST_TOLD));
    struct json_object *object = json_object_new_string(clean.bytes);
    text_free(&clean);
    return object;
}

static void add_text(struct json_object *object, const char *key, const char *text) {
    json_object_object_add(object, key, new_text(text));
}

static void add_number(struct json_object *object, const char *key, uint64_t value) {
    json_object_object_add(object, key,
                           json_object_new_int64(value > INT64_MAX ? INT64_MAX : (int64_t)value));
}

static void add_dim(struct json_object *object, const char *key, GpuDim dim) {
    struct json_object *list = json_object_new_array();
    json_object_array_add(list, json_object_new_int64(dim.x));
    json_object_array_add(list, json_object_new_int64(dim.y));
    json_object_array_add(list, json_object_new_int64(dim.z));
    json_object_object_add(object, key, list);
}

static void add_line(struct json_object *object, const CheckPlace *place) {
    add_text(object, "file", place->file);
    json_object_object_add(object, "line", json_object_new_int(place->line));
    if (place->address) add_number(object, "address", place->address);
}

static void add_party(struct json_object *object, const CheckParty *party) {
    add_line(object, &party->place);
    json_object_object_add(object, "column", json_object_new_int(party->place.column));
    if (party->what) add_text(object, "what", party->what);
    if (!party->has_thread) return;
    add_dim(object, "thread", party->thread);
    add_dim(object, "block", party->block);
}

static struct json_object *array_json(const CheckArray *array) {
    struct json_object *object = json_object_new_object();
    if (array->name) add_text(object, "name", array->name);
    add_text(object, "space", array->space);
    json_object_object_add(object, "index", json_object_new_int64(array->index));
    add_number(object, "length", array->length);
    add_number(object, "element_bytes", array->element_bytes);
    add_line(object, &array->declared);
    return object;
}

/* The number of the finding in the list. */
static int64_t number_of(const Check *check, const CheckFinding *wanted) {
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++)
        if (finding == wanted) return i;
    return -1;
}

/* Members that say nothing are left out, as docs/report-schema.md has it: who reads the report takes a
 * missing one for none. */
static struct json_object *finding_json(const Check *check, const CheckFinding *finding) {
    struct json_object *object = json_object_new_object();
    add_text(object, "kind", finding_info(finding->kind)->name);
    add_text(object, "severity", finding->severity == FINDING_ERROR ? "error" : "note");
    add_number(object, "count", finding->count);
    add_text(object, "mark", finding->mark);
    if (finding->kernel) add_text(object, "kernel", finding->kernel);
    if (finding->launch) add_number(object, "launch", finding->launch);
    add_party(object, &finding->party);
    if (finding->other.place.line > 0 || finding->other.has_thread) {
        struct json_object *other = json_object_new_object();
        add_party(other, &finding->other);
        json_object_object_add(object, "other", other);
    }
    if (finding->array.space) json_object_object_add(object, "array", array_json(&finding->array));
    add_text(object, "message", finding->message);
    add_text(object, "explanation", finding->explanation);
    if (finding->sort) add_text(object, "sort", finding->sort);
    if (finding->cause)
        json_object_object_add(object, "follows", json_object_new_int64(number_of(check, finding->cause)));
    return object;
}

static struct json_object *counters_json(const Counters *counters) {
    struct json_object *object = json_object_new_object();
    if (!counters) return object;
#define COUNTER(name, what) add_number(object, #name, counters->name);
#include "check/counts/counters.def"
#undef COUNTER
    return object;
}

/* Each launch that is listed, with its counters. */
static struct json_object *launch_json(const LoggedLaunch *launch) {
    struct json_object *object = json_object_new_object();
    add_number(object, "id", launch->id);
    if (launch->parent) add_number(object, "parent", launch->parent);
    add_text(object, "mark", launch->mark);
    add_text(object, "kernel", launch->kernel);
    add_text(object, "code_file", launch->code_file);
    add_line(object, &launch->place);
    add_dim(object, "grid", launch->grid);
    add_dim(object, "block", launch->block);
    add_number(object, "dynamic_shared", launch->dynamic_shared);
    if (launch->resident) {
        add_number(object, "resident", launch->resident);
        add_number(object, "occupancy", launch->occupancy);
    }
    add_text(object, "status", status_name(launch));
    add_number(object, "thread_instructions", launch->thread_instructions);
    json_object_object_add(object, "races_watched", json_object_new_boolean(launch->races_watched));
    json_object_object_add(object, "counters", counters_json(launch->counters));
    return object;
}

/* What the host has read, and who wrote each piece: the judge finds a wrong answer's line here. */
static struct json_object *copy_json(const LoggedCopy *copy) {
    struct json_object *object = json_object_new_object(), *writers = json_object_new_array();
    add_text(object, "mark", copy->mark);
    add_text(object, "to", copy->to);
    add_number(object, "bytes", copy->bytes);
    add_number(object, "fingerprint", copy->fingerprint);
    add_line(object, &copy->place);
    for (unsigned i = 0; i < copy->writer_count; i++) {
        const LoggedWriter *writer = &copy->writers[i];
        struct json_object *entry = json_object_new_object();
        add_number(entry, "offset", writer->offset);
        add_number(entry, "bytes", writer->bytes);
        add_number(entry, "fingerprint", writer->fingerprint);
        if (writer->kernel) add_text(entry, "kernel", writer->kernel);
        if (writer->unwritten) add_text(entry, "what", "unwritten");
        if (writer->unknown) add_text(entry, "what", "unknown");
        add_line(entry, &writer->place);
        json_object_array_add(writers, entry);
    }
    json_object_object_add(object, "writers", writers);
    return object;
}

static struct json_object *line_json(const LineRow *row) {
    struct json_object *object = json_object_new_object();
    add_text(object, "file", row->file);
    json_object_object_add(object, "line", json_object_new_int(row->line));
    add_text(object, "function", row->function);
#define LINE(name, what) add_number(object, #name, row->name);
#include "check/counts/lines.def"
#undef LINE
    return object;
}

static void add_lines(const Check *check, struct json_object *report) {
    struct json_object *lines = json_object_new_array();
    const LineRow *row;
    for (unsigned i = 0; (row = lines_row(check->lines, i)); i++)
        json_object_array_add(lines, line_json(row));
    json_object_object_add(report, "lines", lines);
}

/* Each list has a total beside it, since lists are cut. */
static void add_lists(const Check *check, struct json_object *report) {
    struct json_object *launches = json_object_new_array(), *copies = json_object_new_array(),
                       *findings = json_object_new_array();
    for (unsigned i = 0; i < check->log.launch_count; i++)
        json_object_array_add(launches, launch_json(&check->log.launches[i]));
    for (unsigned i = 0; i < check->log.copy_count; i++)
        json_object_array_add(copies, copy_json(&check->log.copies[i]));
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++)
        json_object_array_add(findings, finding_json(check, finding));
    json_object_object_add(report, "launches", launches);
    add_number(report, "launches_total", check->log.launches_total);
    json_object_object_add(report, "copies", copies);
    add_number(report, "copies_total", check->log.copies_total);
    json_object_object_add(report, "findings", findings);
    add_number(report, "findings_total", findings_total(check->findings));
}

static void take_over(struct json_object *report, struct json_object *header) {
    if (!header) return;
    struct json_object_iterator at = json_object_iter_begin(header), end = json_object_iter_end(header);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        struct json_object *value = json_object_iter_peek_value(&at);
        json_object_object_add(report, json_object_iter_peek_name(&at), json_object_get(value));
    }
}

struct json_object *check_report_json(const Check *check, struct json_object *header) {
    struct json_object *report = json_object_new_object();
    add_text(report, "schema", "warpgrind/report/v1");
    take_over(report, header);
    add_lists(check, report);
    if (check->options.lines) add_lines(check, report);
    json_object_object_add(report, "fidelity", fidelity_json(check));
    return report;
}
