/* serve.c - the loop: a request, its handler, the error's book-keeping, the reply; and what is found at the
 * end. */
#include "device/serve/serve.h"
#include "device/debug/debug.h"
#include "device/process/halt.h"
#include "device/record/calls.h"
#include "device/record/picture_streams.h"
#include "device/record/timeline.h"
#include "device/record/trace.h"
#include "device/state/complain.h"
#include "device/state/devices.h"
#include "device/state/names.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/watch/exhausted.h"
#include "device/watch/asked.h"
#include "device/watch/hints.h"
#include "device/watch/leaks.h"
#include "device/watch/order.h"
#include "device/watch/redundant.h"
#include "device/watch/unfinished.h"
#include "device/watch/unread.h"

#include <stddef.h>
#include <string.h>

/* ---- handlers ---- */

/** How a request is treated besides its handler: the flags of its row. */
enum {
    QUIET = 1,     /**< answers after a kernel's fault too, and does not touch the last error */
    NO_RESULT = 2, /**< nobody can see its return value: a launch by <<< >>> */
    UNSAFE = 4,    /**< may wait for the device: not allowed while a stream captures */
    ONE_WAY = 8,   /**< nobody waits for a reply */
    COUNTED = 16   /**< the report says how often it is called, and from where (calls.h) */
};

/** What is known of a function before its request is looked at. */
typedef struct ServeRow {
    unsigned flags;
    uint64_t payload,
        other; /**< bytes that may follow the request: one or the other; any, if that is ANY_BYTES */
} ServeRow;
#define ANY_BYTES UINT64_MAX

#define PAYLOAD_NONE 0, 0
#define PAYLOAD_BYTES 0, ANY_BYTES
#define PAYLOAD_ONE(Type) sizeof(Type), sizeof(Type)
#define PAYLOAD_EITHER(One, Other) sizeof(One), sizeof(Other)

static const ServeRow rows[WIRE_FUNCTION_COUNT] = {
#define WIRE_MESSAGE(name, arguments, results, payload, handler, flags, summary)                             \
    [WIRE_##name] = {flags, PAYLOAD_##payload},
#define WIRE_ONE_WAY(name, arguments, payload, handler, flags, summary)                                      \
    [WIRE_##name] = {ONE_WAY | flags, PAYLOAD_##payload},
#define API_FUNCTION(name, arguments, results, payload, handler, flags, ...)                                 \
    [WIRE_##name] = {flags, PAYLOAD_##payload},
#include "cudart/api.def"
};

static bool payload_fits(const ServeRow *row, uint64_t bytes) {
    return bytes == row->payload || bytes == row->other || row->other == ANY_BYTES;
}

/* For API_LIKE: each field of the row stands where it does in the request that the handler takes. */
#define SAME_none (sizeof(Own) <= sizeof(Like))
#define SAME_PLACE(name) (offsetof(Own, name) == offsetof(Like, name))
#define SAME_address SAME_PLACE
#define SAME_pointer SAME_PLACE
#define SAME_handle SAME_PLACE
#define SAME_stream SAME_PLACE
#define SAME_event SAME_PLACE
#define SAME_kernel SAME_PLACE
#define SAME_size SAME_PLACE
#define SAME_index SAME_PLACE
#define SAME_wide SAME_PLACE
#define SAME_number SAME_PLACE
#define SAME_setting SAME_PLACE
#define SAME_flags SAME_PLACE
#define SAME_direction SAME_PLACE
#define SAME_shape SAME_PLACE
#define SAME_out SAME_PLACE
#define SAME_out_pointer SAME_PLACE
#define SAME_out_int SAME_PLACE
#define SAME_out_size SAME_PLACE
#define SAME_out_wide SAME_PLACE
#define SAME_word SAME_PLACE
#define SAME_FIELDS(...) (FIELDS_WITH(SAME_, FIELDS_AND, __VA_ARGS__))

/* A function has nothing to do when the program names no place for a result of it. */
#define WANTS_none (void)a
#define WANTS_NOTHING(name) (void)a
#define WANTS_PLACE(name)                                                                                    \
    if (a->name == 0) return serve_refuse_null(device, #name)
#define WANTS_address WANTS_NOTHING
#define WANTS_pointer WANTS_NOTHING
#define WANTS_handle WANTS_NOTHING
#define WANTS_stream WANTS_NOTHING
#define WANTS_event WANTS_NOTHING
#define WANTS_kernel WANTS_NOTHING
#define WANTS_size WANTS_NOTHING
#define WANTS_index WANTS_NOTHING
#define WANTS_wide WANTS_NOTHING
#define WANTS_number WANTS_NOTHING
#define WANTS_setting WANTS_NOTHING
#define WANTS_flags WANTS_NOTHING
#define WANTS_direction WANTS_NOTHING
#define WANTS_shape WANTS_NOTHING
#define WANTS_word WANTS_NOTHING
#define WANTS_crash_text WANTS_NOTHING
#define WANTS_out WANTS_PLACE
#define WANTS_out_pointer WANTS_PLACE
#define WANTS_out_int WANTS_PLACE
#define WANTS_out_size WANTS_PLACE
#define WANTS_out_wide WANTS_PLACE
#define WANTS(...) FIELDS_WITH(WANTS_, FIELDS_THEN, __VA_ARGS__)

/** Calls the handler of the request's function, each with its own structs. */
static CudaCode dispatch(Device *device) {
    const WireRequest *request = device->serving.request;
    WireReply *reply = &device->serving.reply;
    switch ((WireFunction)request->function) {
#define WIRE_MESSAGE(name, arguments, results, payload, handler, ...)                                        \
    case WIRE_##name: {                                                                                      \
        const Arguments_##name *a = &request->name;                                                          \
        WANTS arguments;                                                                                     \
        return handler(device, a, &reply->name);                                                             \
    }
#define WIRE_ONE_WAY(name, arguments, payload, handler, ...)                                                 \
    WIRE_MESSAGE(name, arguments, (none), payload, handler, )
#define API_FUNCTION WIRE_MESSAGE
#define API_LIKE(name, like, arguments, results, payload, handler, ...)                                      \
    case WIRE_##name: {                                                                                      \
        typedef Arguments_##name Own;                                                                        \
        typedef Arguments_##like Like;                                                                       \
        _Static_assert(SAME_FIELDS arguments, "laid out as " #like);                                         \
        const Like *a = &request->like;                                                                      \
        WANTS arguments;                                                                                     \
        return handler(device, a, &reply->like);                                                             \
    }
#define API_REFUSED(name)                                                                                    \
    case WIRE_##name:                                                                                        \
        return CUDA_NOT_SUPPORTED;
#include "cudart/api.def"
    case WIRE_FUNCTION_COUNT:
        break;
    }
    return CUDA_NOT_SUPPORTED;
}

/* ---- errors ---- */

/** Remembers a failed call whose result the program throws away. */
static void note_unchecked(Device *device, CudaCode error, bool no_result) {
    if (device->serving.site == 0 || device->errors.unchecked_count == DEVICE_MAX_UNCHECKED) return;
    if (!no_result && symbols_result_is_used(device->symbols, device->serving.site)) return;
    device->errors.unchecked[device->errors.unchecked_count++] =
        (DeviceUnchecked){.thread = serve_thread(device),
                          .function = device->serving.request->function,
                          .site = device->serving.site,
                          .error = error,
                          .mark = device->program.mark};
}

/** By <<< >>>, which has no name that its author would know. */
static bool is_launch(uint32_t function) {
    return function == WIRE_cudaLaunchKernel || function == WIRE_KERNEL_PARAMETERS;
}

static void tell_debugger(Device *device, CudaCode error) {
    if (device->debug == NULL) return;
    bool launch = is_launch(device->serving.request->function);
    debug_failed(device->debug, launch ? "the launch" : serve_function(device), names_error(error));
}

static void keep_error(Device *device, CudaCode error, const ServeRow *row) {
    if (error == CUDA_OK || error == CUDA_NOT_READY) return;
    device->errors.last[serve_thread(device)] = error;
    tell_debugger(device, error);
    note_unchecked(device, error, (row->flags & NO_RESULT) != 0);
}

/** At the end: calls whose errors nobody took. A launch by <<< >>> is said to be one. */
static void report_unchecked(Device *device) {
    for (unsigned i = 0; i < device->errors.unchecked_count; i++) {
        const DeviceUnchecked *call = &device->errors.unchecked[i];
        bool launch = is_launch(call->function);
        complain_at(device, FINDING_UNCHECKED_ERROR, call->site, call->mark,
                    SAID_CALL(FAILED, .launch = launch, .function = names_function(call->function),
                              .error = names_error(call->error), .meaning = names_error_text(call->error)));
    }
    device->errors.unchecked_count = 0;
}

/* ---- one request ---- */

static CudaCode handle(Device *device, const ServeRow *row) {
    if (!payload_fits(row, device->serving.request->payload_bytes)) return CUDA_INVALID_VALUE;
    if (device->errors.sticky != CUDA_OK && (row->flags & QUIET) == 0) return device->errors.sticky;
    Graph *capture = NULL;
    if ((row->flags & UNSAFE) != 0) capture = serve_find_capture(device);
    if (capture != NULL) return serve_refuse_capturing(device, capture);
    device->errors.refusal = CUDA_OK;
    CudaCode error = dispatch(device);
    graph_memory_hide(device);
    if (error != CUDA_OK && device->errors.refusal != CUDA_OK) return device->errors.refusal;
    return error;
}

/** One request from its arrival to its reply: where it comes from is worked out, the handler called, the
 * error kept for cudaGetLastError, and the reply sent if anybody waits for it. */
static void serve_request(Device *device, const WireRequest *request) {
    const ServeRow *row = &rows[request->function];
    device->serving.request = request;
    device->serving.site = objects_site(device, request);
    gpu_memory_use_part(device->gpu, devices_current(device));
    device->serving.reply = (WireReply){.magic = WIRE_MAGIC, .kind = WIRE_DONE};
    device->serving.payload = NULL;
    bool answered = (row->flags & ONE_WAY) == 0;
    device->serving.answering = answered;
    device->serving.uncounted = false;
    if (device->trace != NULL) trace_call_begin(device);
    if (device->picture_streams != NULL) picture_streams_call_begin(device);
    CudaCode error = handle(device, row);
    if ((row->flags & COUNTED) != 0 && !device->serving.uncounted) calls_count(device);
    if ((row->flags & (QUIET | NO_RESULT)) == 0) serve_count_status(device);
    if ((row->flags & QUIET) == 0) keep_error(device, error, row);
    if (answered && device->options.early) queue_run_early(device);
    if (device->trace != NULL) trace_call_end(device, (int)error);
    if (device->picture_streams != NULL)
        picture_streams_call_end(device, (int)error, order_host_clock(device, request->thread));
    if (!answered) return;
    device->serving.reply.error = (int32_t)error;
    device->serving.reply.idle = device->queue.first == NULL;
    if (request->function == WIRE_HELLO)
        link_reply_hello(&device->link, &device->serving.reply);
    else
        link_reply(&device->link, &device->serving.reply, device->serving.payload);
}

/** Only HELLO is answered before HELLO; it comes once. */
static bool in_order(const Device *device, const WireRequest *request) {
    return (request->function == WIRE_HELLO) == !device->program.greeted;
}

/* ---- the end ---- */

/** Whether what is left behind counts. A program that failed has other worries, one that was stopped had no
 * time to clear up, and a judge's decides nothing: how it says it ended is left aside there, and only a fault
 * already found hides what follows from it. */
static bool leaves_in_order(const Device *device) {
    if (halt_came()) return false;
    if (device->options.judged) return check_finding_count(device->check, FINDING_ERROR) == 0;
    return device->program.goodbye && device->program.exit_status == 0 && !device->program.crashed &&
           device->errors.sticky == CUDA_OK;
}

static void finish(Device *device) {
    if (device->link.crash.magic == WIRE_MAGIC) {
        const WireRequest called = *device->serving.request;
        device->serving.received = device->link.crash;
        /* A crash inside the client is the fault of the call that was under way. */
        if (device->serving.received.site == 0 || device->serving.received.site == called.site) {
            device->serving.received.site = called.site;
            memcpy(device->serving.received.callers, called.callers, sizeof called.callers);
        }
        serve_request(device, &device->serving.received);
    }
    bool said_goodbye = device->program.goodbye || device->options.judged;
    bool orderly = leaves_in_order(device);
    if (orderly) unfinished_report(device);
    device->options.discard_output = true;
    if (said_goodbye) queue_run_all(device);
    queue_drop_all(device);
    timeline_settle(device);
    const bool parts = device->options.judged && !halt_came();
    if (orderly || parts) leaks_report(device, orderly ? LEAKS_OF_ALL : LEAKS_OF_CLEAN_MARKS);
    if (orderly) serve_report_unrecorded(device);
    if (orderly) unread_report(device);
    hints_report(device);
    asked_report(device);
    redundant_report(device);
    exhausted_report(device);
    if (said_goodbye) report_unchecked(device);
    if (orderly) serve_report_status(device);
    trace_finish(device);
    if (device->debug != NULL) debug_ended(device->debug);
}

/** The loop of the device process. It ends with the connection, or with a message out of order. */
void device_serve(Device *device) {
    const WireRequest *request = &device->serving.received;
    device->serving.request = request;
    if (device->debug != NULL) debug_begin(device->debug);
    while (link_receive(&device->link, &device->serving.received)) {
        if (!in_order(device, request)) {
            device->link.closed = true;
            break;
        }
        serve_request(device, request);
        if (device->program.goodbye) break;
    }
    finish(device);
}
