/* serve_stream.c - streams, events, waiting. */
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/devices.h"
#include "device/streams/graph_memory.h"
#include "device/streams/host_functions.h"
#include "device/streams/queue.h"
#include "device/streams/streams.h"
#include "device/watch/order.h"
#include "device/watch/timing.h"

#include <string.h>

/* ---- handles ---- */

/** The legacy stream waits for blocking streams, and one that captures never finishes. */
static bool refuse_legacy(Device *device, const DeviceStream *stream) {
    if (stream->handle != STREAM_LEGACY || device->graphs.first == NULL) return false;
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next) {
        if (!any->blocking || any->capture == NULL || any->device != stream->device) continue;
        any->capture->invalid = true;
        device->errors.refusal = CUDA_CAPTURE_IMPLICIT;
        complain_captured(device, CHECK_CAPTURE_LOST,
                          SAID_CAPTURE(DEFAULT, .function = serve_function(device)));
        return true;
    }
    return false;
}

DeviceStream *serve_stream(Device *device, uint64_t handle) {
    DeviceStream *stream = objects_stream(device, handle);
    if (stream != NULL && refuse_legacy(device, stream)) return NULL;
    if (stream != NULL && stream->capture != NULL) graph_memory_show(device);
    if (stream == NULL)
        complain(device, FINDING_API_MISUSE, SAID_STREAM(NO_STREAM, .function = serve_function(device)));
    return stream;
}

static DeviceEvent *event_of(Device *device, uint64_t handle) {
    DeviceEvent *event = objects_event(device, handle);
    if (event == NULL)
        complain(device, FINDING_API_MISUSE, SAID_STREAM(NO_EVENT, .function = serve_function(device)));
    return event;
}

/* ---- waiting ---- */

SERVE(serve_attend, ATTEND) {
    r->left = queue_attend(device);
    return CUDA_OK;
}

SERVE(serve_synchronize, cudaDeviceSynchronize) {
    return queue_run_device(device, devices_current(device));
}

SERVE(serve_stream_synchronize, cudaStreamSynchronize) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    return queue_run_stream(device, stream);
}

/** The first of two queries finds the work not begun, as late as it may be; only who asks again, as loops do,
 * has it done. So a query whose answer is not looked at is no wait. */
static bool is_first_query(bool *asked) {
    *asked = !*asked;
    return *asked;
}

/** An idle stream answers as if the host had waited for it. A busy one is found busy at least once, and
 * works when it is asked again. */
SERVE(serve_stream_query, cudaStreamQuery) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    if (queue_stream_idle(device, stream)) {
        order_host_waited_stream(device, stream);
        return device->errors.sticky;
    }
    if (is_first_query(&stream->asked)) return CUDA_NOT_READY;
    CudaCode error = queue_run_stream(device, stream);
    if (error != CUDA_OK) return error;
    return CUDA_NOT_READY;
}

/* ---- streams ---- */

/** A number out of the range is the nearest in it. It is kept as the attribute of that name. */
static void set_priority(DeviceStream *stream, int64_t wanted) {
    int32_t priority = 0;
    if (wanted < 0) priority = wanted < STREAM_GREATEST_PRIORITY ? STREAM_GREATEST_PRIORITY : (int32_t)wanted;
    memcpy(stream->attributes[STREAM_PRIORITY], &priority, sizeof priority);
}

/** All forms of creation come here; what a form does not have is zero. */
SERVE(serve_stream_create, cudaStreamCreateWithPriority) {
    enum { NON_BLOCKING = 1 };
    if (a->flags > NON_BLOCKING) return CUDA_INVALID_VALUE;
    DeviceStream *stream = streams_add(device, device->objects.next_handle, a->flags != NON_BLOCKING);
    if (stream == NULL) return CUDA_OUT_OF_MEMORY;
    stream->site = device->serving.site;
    set_priority(stream, (int64_t)a->priority);
    order_watch(device);
    device->objects.next_handle += 16;
    r->stream = stream->handle;
    return CUDA_OK;
}

/** Its work is still done, as late as any; only the handle goes. */
SERVE(serve_stream_destroy, cudaStreamDestroy) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL || stream->handle <= STREAM_BUILDER || stream->handle == STREAM_HIDDEN)
        return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL && stream->capture->origin == stream) {
        stream->capture->invalid = true;
        return CUDA_CAPTURE_UNSUPPORTED;
    }
    stream->capture = NULL; /* what it has captured stays, and is to be joined */
    graph_set_clear(&stream->tail);
    stream->handle = UINT64_MAX;
    stream->site = 0;
    return CUDA_OK;
}

SERVE(serve_stream_flags, cudaStreamGetFlags) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    r->flags = stream->handle != STREAM_LEGACY && !stream->blocking;
    return CUDA_OK;
}

SERVE(serve_stream_priority, cudaStreamGetPriority) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    int32_t priority;
    memcpy(&priority, stream->attributes[STREAM_PRIORITY], sizeof priority);
    r->priority = (uint64_t)(int64_t)priority;
    return CUDA_OK;
}

SERVE(serve_stream_id, cudaStreamGetId) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    r->id = stream->number;
    return CUDA_OK;
}

SERVE(serve_stream_device, cudaStreamGetDevice) {
    const DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    r->device = stream->device;
    return CUDA_OK;
}

/** Where a stream keeps the attribute of this cudaLaunchAttributeID, which is one that streams have; or NULL.
 */
static uint8_t *find_attribute(DeviceStream *stream, uint64_t id) {
    static const uint8_t ids[STREAM_ATTRIBUTES] = {
        1, 3, [STREAM_PRIORITY] = 8}; /* access policy window, waiting */
    for (size_t i = 0; i < STREAM_ATTRIBUTES; i++)
        if (ids[i] == id) return stream->attributes[i];
    return NULL;
}

SERVE(serve_stream_set_attribute, cudaStreamSetAttribute) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    uint8_t *kept = find_attribute(stream, a->attribute);
    if (kept == NULL) return CUDA_INVALID_VALUE;
    memcpy(kept, device->link.payload, STREAM_ATTRIBUTE_BYTES);
    return CUDA_OK;
}

SERVE(serve_stream_attribute, cudaStreamGetAttribute) {
    DeviceStream *stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    const uint8_t *kept = find_attribute(stream, a->attribute);
    if (kept == NULL) return CUDA_INVALID_VALUE;
    return serve_reply_with(device, kept, STREAM_ATTRIBUTE_BYTES);
}

SERVE(serve_stream_copy_attributes, cudaStreamCopyAttributes) {
    DeviceStream *to = serve_stream(device, a->to);
    const DeviceStream *from = NULL;
    if (to != NULL) from = serve_stream(device, a->from);
    if (from == NULL) return CUDA_INVALID_HANDLE;
    memmove(to->attributes, from->attributes, sizeof to->attributes);
    return CUDA_OK;
}

/** LIMIT: memory attached to one stream may still be used from others. */
SERVE(serve_attach, cudaStreamAttachMemAsync) {
    if (serve_stream(device, a->stream) == NULL) return CUDA_INVALID_HANDLE;
    return serve_check_managed(device, a->address);
}

/** A host function is an operation like others: it runs in the program, when the queue comes to it. */
CudaCode serve_call_in(Device *device, uint64_t stream_handle, DeviceHostCall call) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (call.function == 0) return CUDA_INVALID_VALUE;
    DeviceOperation *operation = queue_add(device, OPERATION_HOST, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->host = call;
    host_functions_note_number(device, operation);
    return CUDA_OK;
}

SERVE(serve_host_function, cudaLaunchHostFunc) {
    return serve_call_in(device, a->stream,
                         (DeviceHostCall){.function = a->function,
                                          .data = a->data,
                                          .form = WIRE_HOST_FUNCTION,
                                          .content = a->content,
                                          .bytes = a->bytes});
}

SERVE(serve_add_callback, cudaStreamAddCallback) {
    return serve_call_in(device, a->stream,
                         (DeviceHostCall){.function = a->function,
                                          .data = a->data,
                                          .form = WIRE_STREAM_CALLBACK,
                                          .content = a->content,
                                          .bytes = a->bytes});
}

/* ---- events ---- */

/** A handle and the flags; whether it may be timed is asked of it later. */
SERVE(serve_event_create, cudaEventCreateWithFlags) {
    enum { DISABLE_TIMING = 2, ALL_FLAGS = 7 };
    if (a->flags > ALL_FLAGS) return CUDA_INVALID_VALUE;
    DeviceEvent *event = DEVICE_NEW(device, DeviceEvent);
    if (event == NULL) return CUDA_OUT_OF_MEMORY;
    *event = (DeviceEvent){.handle = device->objects.next_handle,
                           .timing = (a->flags & DISABLE_TIMING) == 0,
                           .next = device->objects.events};
    event->device = devices_current(device);
    event->site = device->serving.site;
    event->mark = device->program.mark;
    event->created = device->queue.next_sequence;
    device->objects.events = event;
    device->objects.next_handle += 16;
    r->event = event->handle;
    return CUDA_OK;
}

/** In a stream that captures, the record only orders the captured work, unless it is asked for as a node. */
SERVE(serve_event_record, cudaEventRecordWithFlags) {
    DeviceEvent *event = event_of(device, a->event);
    DeviceStream *stream = NULL;
    if (event != NULL) stream = serve_stream(device, a->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (event->device != stream->device) return devices_refuse(device, true, event->device, stream->device);
    event->ever_recorded = true;
    bool external = a->flags != 0;
    if (stream->capture != NULL && !external)
        return graph_record(event, stream) ? CUDA_OK : CUDA_OUT_OF_MEMORY;
    return serve_record_in(device, a->event, a->stream);
}

/** From now on the event stands for this record, and no longer for what a capture gave it. */
CudaCode serve_record_in(Device *device, uint64_t event_handle, uint64_t stream_handle) {
    DeviceEvent *event = event_of(device, event_handle);
    DeviceStream *stream = NULL;
    if (event != NULL) stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    DeviceOperation *operation = queue_add(device, OPERATION_RECORD, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->record.event = event;
    event->ever_recorded = true;
    event->record_sequence = operation->sequence;
    event->stream = stream->slot;
    if (stream->capture != NULL) return CUDA_OK;
    graph_set_clear(&event->tail);
    event->captured = NULL;
    queue_recorded(operation);
    return CUDA_OK;
}

static CudaCode refuse_captured(Device *device) {
    complain(device, FINDING_API_MISUSE, SAID_CAPTURE(EVENT, .function = serve_function(device)));
    return CUDA_CAPTURED_EVENT;
}

/** Who waits for an event that was not recorded yet waits for nothing, which is meant where the record comes
 * later in a loop: told at the end, if there was none. */
static void note_unrecorded(const Device *device, DeviceEvent *event) {
    if (event->ever_recorded || event->asked_site != 0) return;
    if (event->created == device->queue.next_sequence) return; /* there was nothing to record it after */
    event->asked_site = device->serving.site;
    event->asked_what = serve_function(device);
}

void serve_report_unrecorded(Device *device) {
    for (const DeviceEvent *event = device->objects.events; event != NULL; event = event->next) {
        if (event->ever_recorded || event->asked_site == 0) continue;
        complain_note_at(device, FINDING_API_MISUSE, event->asked_site, event->mark,
                         SAID_STREAM(NOT_RECORDED, .function = event->asked_what));
    }
}

SERVE(serve_event_synchronize, cudaEventSynchronize) {
    DeviceEvent *event = event_of(device, a->event);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL) return refuse_captured(device);
    note_unrecorded(device, event);
    CudaCode error;
    if (event->pending != NULL)
        error = queue_run_to(device, event->pending);
    else
        error = device->errors.sticky;
    order_host_waited(device, &event->clock);
    return error;
}

/** The first question after a record is always answered by "not ready", and the second one runs the work: so
 * a loop that polls ends, and a program that asks once and goes on is found out. */
SERVE(serve_event_query, cudaEventQuery) {
    DeviceEvent *event = event_of(device, a->event);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL) return refuse_captured(device);
    note_unrecorded(device, event);
    if (event->pending == NULL) {
        order_host_waited(device, &event->clock);
        return device->errors.sticky;
    }
    if (is_first_query(&event->asked)) return CUDA_NOT_READY;
    CudaCode error = queue_run_to(device, event->pending);
    if (error != CUDA_OK) return error;
    return CUDA_NOT_READY;
}

static CudaCode refuse_isolation(Device *device, Graph *graph) {
    graph->invalid = true;
    complain_captured(device, CHECK_CAPTURE_LOST,
                      said_capture(CAPTURE_OUTSIDE_MESSAGE, CAPTURE_OUTSIDE_WHY, NULL));
    return CUDA_CAPTURE_ISOLATION;
}

static CudaCode wait_for_nothing(const Device *device, const DeviceStream *stream, DeviceEvent *event) {
    event->early_wait = device->serving.site;
    event->early_stream = stream->slot;
    return CUDA_OK;
}

/** Waiting for an event that was never recorded is no wait at all. One that a capture recorded draws the
 * stream into that capture. */
SERVE(serve_stream_wait_event, cudaStreamWaitEvent) {
    DeviceStream *stream = serve_stream(device, a->stream);
    DeviceEvent *event = NULL;
    if (stream != NULL) event = event_of(device, a->event);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL)
        return stream->handle == STREAM_LEGACY ? CUDA_CAPTURE_IMPLICIT : graph_wait(stream, event);
    note_unrecorded(device, event);
    if (!event->recorded) return wait_for_nothing(device, stream, event);
    if (stream->capture != NULL) return refuse_isolation(device, stream->capture);
    DeviceOperation *target = event->pending;
    DeviceOperation *operation = queue_add(device, OPERATION_WAIT, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    if (event->pending == target)
        operation->wait.target = target;
    else
        operation->wait.target = NULL; /* NULL: reached already */
    operation->wait.sequence = event->sequence;
    if (event->early_stream == stream->slot) event->early_wait = 0;
    order_wait_event(operation, event);
    return CUDA_OK;
}

static CudaCode check_timed(Device *device, const DeviceEvent *event, bool first) {
    if (event->timing && event->recorded) return CUDA_OK;
    complain(device, FINDING_API_MISUSE, SAID_STREAM(NOT_TIMED, .first = first, .recorded = event->recorded));
    return CUDA_INVALID_HANDLE;
}

/** Both events must have been recorded with timing, on one device, and must have happened. */
SERVE(serve_event_elapsed, cudaEventElapsedTime) {
    const DeviceEvent *start = event_of(device, a->start);
    const DeviceEvent *end = NULL;
    if (start != NULL) end = event_of(device, a->end);
    if (end == NULL) return CUDA_INVALID_HANDLE;
    if (start->device != end->device) return devices_refuse(device, true, start->device, end->device);
    CudaCode error = check_timed(device, start, true);
    if (error == CUDA_OK) error = check_timed(device, end, false);
    if (error != CUDA_OK) return error;
    if (start->pending != NULL || end->pending != NULL) {
        complain(device, FINDING_MISSING_SYNC, SAID_STREAM(NOT_HAPPENED, .first = start->pending != NULL));
        return CUDA_NOT_READY;
    }
    timing_measured(device, start, end);
    r->nanoseconds = end->when - start->when;
    return CUDA_OK;
}

SERVE(serve_event_destroy, cudaEventDestroy) {
    DeviceEvent *event = event_of(device, a->event);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    event->handle = UINT64_MAX;
    event->site = 0;
    return CUDA_OK;
}
