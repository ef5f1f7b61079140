/* trace_words.c - a call in a learner's words: its name, and of its arguments those that mean something.
 *
 * What an argument means its kind says in api.def, from which the tables here are made: a new row needs
 * nothing more. Addresses are said as what they are, never as numbers: those of the host differ from run to
 * run.
 */
#include "device/record/trace_parts.h"
#include "device/state/complain.h"
#include "device/state/names.h"

#include <stdio.h>

typedef void AddWord(Device *device, TraceFile *file, const char *key, const uint64_t *value);

/* ---- kinds of arguments ---- */

void trace_spell_shape(Text *out, GpuDim shape) {
    text_number(out, shape.x);
    if (shape.y == 1 && shape.z == 1) return;
    text_add(out, " x ");
    text_number(out, shape.y);
    if (shape.z == 1) return;
    text_add(out, " x ");
    text_number(out, shape.z);
}

unsigned trace_event_number(const DeviceEvent *event) {
    unsigned number = 0; /* the newest stands first */
    for (; event != NULL; event = event->next)
        number++;
    return number;
}

static bool is_programs_own(const DeviceStream *stream) {
    return stream->handle > STREAM_BUILDER && stream->handle != STREAM_HIDDEN;
}

void trace_name_stream(const DeviceStream *stream, Text *out) {
    unsigned number = 0; /* the newest stands first */
    for (const DeviceStream *any = stream; any != NULL; any = any->next)
        number += is_programs_own(any);
    if (stream->handle == STREAM_LEGACY)
        text_add(out, "the default stream");
    else if (stream->handle == STREAM_PER_THREAD)
        text_add(out, "the thread's own default stream");
    else if (!is_programs_own(stream))
        text_add(out, "another branch of a graph");
    else
        text_format(out, "stream %u", number);
}

static void add_number(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    (void)device;
    trace_file_number(file, key, *value);
}

static void add_address(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    trace_file_text(file, key, complain_address(device, *value));
}

static void add_direction(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                        "cudaMemcpyDefault"};
    (void)device;
    if (*value < sizeof names / sizeof *names) trace_file_text(file, key, names[*value]);
}

static void add_stream(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    const DeviceStream *stream = objects_stream(device, *value);
    Text name = text_new();
    if (stream == NULL) return;
    trace_name_stream(stream, &name);
    trace_file_text(file, key, name.bytes);
    text_free(&name);
}

static void add_event(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    const DeviceEvent *event = objects_event(device, *value);
    char name[32];
    if (event == NULL) return;
    snprintf(name, sizeof name, "event %u", trace_event_number(event));
    trace_file_text(file, key, name);
}

static void add_kernel(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    const DeviceKernel *kernel = objects_kernel(device, *value);
    if (kernel == NULL) return;
    trace_file_text(file, key,
                    kernel->gpu != NULL ? gpu_kernel_function(kernel->gpu)->plain_name : kernel->name);
}

static void add_shape(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    Text text = text_new();
    (void)device;
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0) text_add(&text, " x ");
        text_number(&text, value[i]);
    }
    trace_file_text(file, key, text.bytes);
    text_free(&text);
}

/* ---- the arguments of a function ---- */

/** An argument: how it is shown, by which name, and how many words of the request it takes. */
typedef struct WordRow {
    AddWord *add; /**< NULL: it is left out, such as out-pointers, user data, settings */
    const char *key;
    unsigned words;
} WordRow;

#define SHOWN(add, name)                                                                                     \
    { add, #name, 1 }
#define HIDDEN                                                                                               \
    { NULL, "", 1 }
#define SHOW_none HIDDEN
#define SHOW_address(name) SHOWN(add_address, name)
#define SHOW_pointer(name) HIDDEN
#define SHOW_handle(name) HIDDEN
#define SHOW_stream(name) SHOWN(add_stream, name)
#define SHOW_event(name) SHOWN(add_event, name)
#define SHOW_kernel(name) SHOWN(add_kernel, name)
#define SHOW_size(name) SHOWN(add_number, name)
#define SHOW_index(name) HIDDEN
#define SHOW_wide(name) HIDDEN
#define SHOW_number(name) SHOWN(add_number, name)
#define SHOW_setting(name) HIDDEN
#define SHOW_flags(name) HIDDEN
#define SHOW_direction(name) SHOWN(add_direction, name)
#define SHOW_shape(name)                                                                                     \
    { add_shape, #name, 3 }
#define SHOW_out(name) HIDDEN
#define SHOW_out_pointer(name) HIDDEN
#define SHOW_out_int(name) HIDDEN
#define SHOW_out_size(name) HIDDEN
#define SHOW_out_wide(name) HIDDEN
#define SHOW_word(name) HIDDEN
#define SHOW_LIST(...)                                                                                       \
    { FIELDS_WITH(SHOW_, FIELDS_COMMA, __VA_ARGS__) }

/** The arguments of each function that programs call; the client's own messages have none to show. */
static const WordRow arguments_of[WIRE_FUNCTION_COUNT][WIRE_ARGUMENTS] = {
#define API_FUNCTION(name, arguments, ...) [WIRE_##name] = SHOW_LIST arguments,
#include "cudart/api.def"
};

void trace_add_arguments(Device *device, TraceFile *file) {
    const uint64_t *value = device->serving.request->arguments;
    const WordRow *row = arguments_of[device->serving.request->function];
    for (const WordRow *end = row + WIRE_ARGUMENTS; row < end && row->words > 0; row++) {
        if (row->add != NULL) row->add(device, file, row->key, value);
        value += row->words;
    }
}

/* ---- names ---- */

/** A launch is written as in the source: the name, then grid and block in <<< >>>. */
static const char *name_launch(Device *device) {
    const Arguments_cudaLaunchKernel *a = &device->serving.request->cudaLaunchKernel;
    const DeviceKernel *kernel = objects_kernel(device, a->kernel);
    if (kernel == NULL) return NULL;
    Text text = text_new();
    text_format(&text, "%s<<<",
                kernel->gpu != NULL ? gpu_kernel_function(kernel->gpu)->plain_name : kernel->name);
    trace_spell_shape(&text, (GpuDim){(uint32_t)a->grid[0], (uint32_t)a->grid[1], (uint32_t)a->grid[2]});
    text_add(&text, ", ");
    trace_spell_shape(&text, (GpuDim){(uint32_t)a->block[0], (uint32_t)a->block[1], (uint32_t)a->block[2]});
    text_add(&text, ">>>");
    return arena_keep(device->arena, &text);
}

static const char *copy_name(const DeviceCopy *copy) {
    static const char *const names[] = {
        [COPY_HOST_TO_HOST] = "copy within the host",
        [COPY_HOST_TO_DEVICE] = "copy host to device",
        [COPY_DEVICE_TO_HOST] = "copy device to host",
        [COPY_DEVICE_TO_DEVICE] = "copy within the device",
    };
    if (copy->direction >= 0 && copy->direction < COPY_DEFAULT) return names[copy->direction];
    return "copy";
}

void trace_name_work(const DeviceOperation *operation, Text *out) {
    switch (operation->kind) {
    case OPERATION_LAUNCH:
        text_add(out, gpu_kernel_function(operation->launch.spec.kernel)->plain_name);
        return;
    case OPERATION_COPY:
        text_add(out, copy_name(&operation->copy));
        return;
    case OPERATION_SET:
        text_add(out, "set bytes");
        return;
    case OPERATION_RECORD:
        text_format(out, "event %u", trace_event_number(operation->record.event));
        return;
    case OPERATION_WAIT:
        text_add(out, "wait");
        return;
    case OPERATION_HOST:
        text_add(out, "host function");
        return;
    case OPERATION_ALLOCATE:
        text_add(out, "allocate");
        return;
    case OPERATION_FREE:
        text_add(out, "free");
        return;
    case OPERATION_BODIES:
        text_add(out, "graphs of a node");
        return;
    case OPERATION_EMPTY:
        text_add(out, "graph");
        return;
    }
}

/** Whether the function is one that programs call, and not a message of the client's own. */
static bool is_api(uint32_t function) {
    static const bool known[WIRE_FUNCTION_COUNT] = {
#define API_FUNCTION(name, ...) [WIRE_##name] = true,
#define API_REFUSED(name) [WIRE_##name] = true,
#include "cudart/api.def"
    };
    return known[function];
}

const char *trace_call_name(Device *device) {
    uint32_t function = device->serving.request->function;
    const char *name = NULL;
    if (function == WIRE_GOODBYE) return "the program ends";
    if (function == WIRE_REFUSED) return names_function((uint32_t)device->serving.request->REFUSED.function);
    if (!is_api(function)) return NULL;
    if (function == WIRE_cudaLaunchKernel) name = name_launch(device);
    if (name != NULL) return name;
    return names_function(function);
}
