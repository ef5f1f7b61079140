/* trace_words.c - a call in a learner's words: its name, and of its arguments those that mean something.
 *
 * Which argument is which stands in api.def: the row's list of names is read here, so a new row needs nothing
 * more. Addresses are said as what they are, never as numbers: those of the host differ from run to run.
 */
#include "device/complain.h"
#include "device/trace_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const argument_names[WIRE_FUNCTION_COUNT] = {
#define API_FUNCTION(name, arguments, results, summary, test) [WIRE_##name] = arguments,
#define API_REFUSED(name) [WIRE_##name] = "",
#include "cudart/api.def"
};

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
    const DeviceStream *stream = device_stream(device, *value);
    Text name;
    if (stream == NULL) return;
    text_init(&name);
    trace_name_stream(stream, &name);
    trace_file_text(file, key, name.bytes);
    text_free(&name);
}

static void add_event(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    const DeviceEvent *event = device_event(device, *value);
    char name[32];
    if (event == NULL) return;
    snprintf(name, sizeof name, "event %u", trace_event_number(event));
    trace_file_text(file, key, name);
}

static void add_kernel(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    const DeviceKernel *kernel = device_kernel(device, *value);
    if (kernel == NULL) return;
    trace_file_text(file, key,
                    kernel->gpu != NULL ? gpu_kernel_function(kernel->gpu)->plain_name : kernel->name);
}

static void add_shape(Device *device, TraceFile *file, const char *key, const uint64_t *value) {
    Text text;
    (void)device;
    text_init(&text);
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0) text_add(&text, " x ");
        text_number(&text, value[i]);
    }
    trace_file_text(file, key, text.bytes);
    text_free(&text);
}

typedef struct WordRow {
    const char *name, *key;
    AddWord *add;
    unsigned values;
} WordRow;

/** Names that are not here are counted but not shown: out-pointers, user data, settings. */
static const WordRow words[] = {
    {"to", "to", add_address, 1},
    {"from", "from", add_address, 1},
    {"address", "address", add_address, 1},
    {"symbol", "symbol", add_address, 1},
    {"kind", "kind", add_direction, 1},
    {"stream", "stream", add_stream, 1},
    {"event", "event", add_event, 1},
    {"start", "start", add_event, 1},
    {"end", "end", add_event, 1},
    {"function", "kernel", add_kernel, 1},
    {"grid x y z", "grid", add_shape, 3},
    {"block x y z", "block", add_shape, 3},
    {"bytes", "bytes", add_number, 1},
    {"shared bytes", "shared_bytes", add_number, 1},
    {"width", "width", add_number, 1},
    {"width in bytes", "width", add_number, 1},
    {"height", "height", add_number, 1},
    {"depth", "depth", add_number, 1},
    {"pitch", "pitch", add_number, 1},
    {"to pitch", "to_pitch", add_number, 1},
    {"from pitch", "from_pitch", add_number, 1},
    {"offset", "offset", add_number, 1},
    {"device", "device", add_number, 1},
    {"to device", "to_device", add_number, 1},
    {"from device", "from_device", add_number, 1},
    {"peer", "peer", add_number, 1},
    {"value", "value", add_number, 1},
    {"threads", "threads", add_number, 1},
};

static const WordRow *find_word(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0) return &words[i];
    return NULL;
}

/* ---- a row's list ---- */

/** "as cudaMemcpyAsync, 10: graph": begins with the arguments of another function. */
static const char *list_of(const char *name, size_t length) {
    for (uint32_t function = 0; function < WIRE_FUNCTION_COUNT; function++) {
        const char *other = device_function_name(function);
        if (strlen(other) == length && strncmp(other, name, length) == 0) return argument_names[function];
    }
    return NULL;
}

static unsigned add_list(Device *device, TraceFile *file, const char *list, unsigned at) {
    const uint64_t *values = device->request->arguments;
    while (list != NULL && *list != 0 && *list != ';') {
        size_t length = strcspn(list, ",;");
        char *behind = NULL;
        unsigned long number = strtoul(list, &behind, 10);
        size_t prefix = behind != list && *behind == ':' ? (size_t)(behind + 2 - list) : 0;
        const WordRow *word = find_word(list + prefix, length - prefix);
        unsigned count = word != NULL ? word->values : 1;
        if (prefix > 0) at = (unsigned)number;
        if (strncmp(list, "as ", 3) == 0)
            at = add_list(device, file, list_of(list + 3, length - 3), 0);
        else {
            if (word != NULL && at + count <= WIRE_ARGUMENTS) word->add(device, file, word->key, &values[at]);
            at += count;
        }
        list += length + strspn(list + length, ", ");
    }
    return at;
}

void trace_add_arguments(Device *device, TraceFile *file) {
    uint32_t function = device->request->function;
    if (argument_names[function] != NULL) add_list(device, file, argument_names[function], 0);
}

/* ---- names ---- */

static const char *name_launch(Device *device) {
    const uint64_t *a = device->request->arguments;
    const DeviceKernel *kernel = device_kernel(device, a[0]);
    if (kernel == NULL) return NULL;
    Text text;
    text_init(&text);
    text_format(&text, "%s<<<",
                kernel->gpu != NULL ? gpu_kernel_function(kernel->gpu)->plain_name : kernel->name);
    trace_spell_shape(&text, (GpuDim){(uint32_t)a[1], (uint32_t)a[2], (uint32_t)a[3]});
    text_add(&text, ", ");
    trace_spell_shape(&text, (GpuDim){(uint32_t)a[4], (uint32_t)a[5], (uint32_t)a[6]});
    text_add(&text, ">>>");
    const char *name = text.failed ? NULL : arena_string(device->arena, text.bytes);
    text_free(&text);
    return name;
}

const char *trace_call_name(Device *device) {
    uint32_t function = device->request->function;
    const char *name = NULL;
    if (function == WIRE_GOODBYE) return "the program ends";
    if (function == WIRE_REFUSED) return device_function_name((uint32_t)device->request->arguments[0]);
    if (argument_names[function] == NULL) return NULL;
    if (function == WIRE_cudaLaunchKernel) name = name_launch(device);
    return name != NULL ? name : device_function_name(function);
}
