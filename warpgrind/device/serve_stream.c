/* serve_stream.c - streams, events, waiting. */
#include "device/complain.h"
#include "device/devices.h"
#include "device/graph_memory.h"
#include "device/serve.h"

#include <string.h>

/* ---- handles ---- */

/** The legacy stream waits for blocking streams, and one that captures never finishes. */
static bool refuse_legacy(Device *device, const DeviceStream *stream) {
    if (stream->handle != STREAM_LEGACY || device->graphs == NULL) return false;
    for (const DeviceStream *any = device->streams; any != NULL; any = any->next) {
        if (!any->blocking || any->capture == NULL || any->device != stream->device) continue;
        any->capture->invalid = true;
        device->refusal = CUDA_CAPTURE_IMPLICIT;
        complain(
            device, FINDING_API_MISUSE,
            "Put the call into the capturing stream, or make that stream with cudaStreamNonBlocking.",
            "%s: the default stream would have to wait for a stream that is capturing; the capture is lost",
            device_function_name(device->request->function));
        return true;
    }
    return false;
}

DeviceStream *serve_stream(Device *device, uint64_t handle) {
    DeviceStream *stream = device_stream(device, handle);
    if (stream != NULL && refuse_legacy(device, stream)) return NULL;
    if (stream != NULL && stream->capture != NULL) graph_memory_show(device);
    if (stream == NULL)
        complain(device, FINDING_API_MISUSE,
                 "Create it with cudaStreamCreate first, and do not use it after cudaStreamDestroy.",
                 "%s: this is not a stream, or it was destroyed",
                 device_function_name(device->request->function));
    return stream;
}

DeviceEvent *serve_event(Device *device, uint64_t handle) {
    DeviceEvent *event = device_event(device, handle);
    if (event == NULL)
        complain(device, FINDING_API_MISUSE,
                 "Create it with cudaEventCreate first, and do not use it after cudaEventDestroy.",
                 "%s: this is not an event, or it was destroyed",
                 device_function_name(device->request->function));
    return event;
}

static DeviceStream *add_stream(Device *device, uint64_t handle, bool blocking) {
    DeviceStream *stream = DEVICE_NEW(device, DeviceStream);
    if (stream == NULL) return NULL;
    *stream = (DeviceStream){
        .handle = handle, .blocking = blocking, .number = device->stream_count++, .next = device->streams};
    stream->slot = order_give_slot(device, stream);
    if (device->request != NULL) stream->device = device_current(device);
    device->streams = stream;
    return stream;
}

DeviceStream *device_hidden_stream(Device *device) {
    return add_stream(device, STREAM_HIDDEN, false);
}

void serve_create_streams(Device *device) {
    for (unsigned i = 0; i < device_count(device); i++) {
        DeviceStream *legacy = add_stream(device, STREAM_LEGACY, false);
        DeviceStream *own = add_stream(device, STREAM_PER_THREAD, true);
        if (legacy == NULL || own == NULL) BUG("the first objects do not fit");
        legacy->device = own->device = i;
    }
    DeviceStream *builder = add_stream(device, STREAM_BUILDER, false);
    if (builder == NULL) BUG("the first objects do not fit");
}

/* ---- waiting ---- */

CudaCode serve_synchronize(Device *device, const uint64_t *a, uint64_t *r) {
    (void)a, (void)r;
    return queue_run_device(device, device_current(device));
}

CudaCode serve_stream_synchronize(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    const DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    return queue_run_stream(device, stream);
}

/** A program may poll: the first question finds the stream busy, and lets it finish. */
/** The first of two queries finds the work not begun, as late as it may be; only who asks again, as loops do,
 * has it done. So a query whose answer is not looked at is no wait. */
static bool is_first_query(bool *asked) {
    *asked = !*asked;
    return *asked;
}

CudaCode serve_stream_query(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    if (queue_stream_idle(device, stream)) {
        order_host_waited_stream(device, stream);
        return device->sticky;
    }
    if (is_first_query(&stream->asked)) return CUDA_NOT_READY;
    CudaCode error = queue_run_stream(device, stream);
    return error != CUDA_OK ? error : CUDA_NOT_READY;
}

/* ---- streams ---- */

CudaCode serve_stream_create(Device *device, const uint64_t *a, uint64_t *r) {
    enum { NON_BLOCKING = 1 };
    CudaCode error = serve_check_out(device, a[0], "the stream");
    if (error != CUDA_OK) return error;
    if (a[1] > NON_BLOCKING) return CUDA_INVALID_VALUE;
    DeviceStream *stream = add_stream(device, device->next_handle, a[1] != NON_BLOCKING);
    if (stream == NULL) return CUDA_OUT_OF_MEMORY;
    stream->site = device->site;
    order_watch(device);
    device->next_handle += 16;
    r[0] = stream->handle;
    return CUDA_OK;
}

/** Its work is still done, as late as any; only the handle goes. */
CudaCode serve_stream_destroy(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
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

CudaCode serve_stream_flags(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the flags");
    const DeviceStream *stream = serve_stream(device, a[0]);
    if (error != CUDA_OK || stream == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    r[0] = stream->handle != STREAM_LEGACY && !stream->blocking;
    return CUDA_OK;
}

CudaCode serve_stream_priority(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the priority");
    r[0] = 0;
    if (error != CUDA_OK) return error;
    return serve_stream(device, a[0]) != NULL ? CUDA_OK : CUDA_INVALID_HANDLE;
}

CudaCode serve_stream_id(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the number");
    const DeviceStream *stream = error == CUDA_OK ? serve_stream(device, a[0]) : NULL;
    if (stream == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    r[0] = stream->number;
    return CUDA_OK;
}

CudaCode serve_stream_device(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[1], "the device");
    const DeviceStream *stream = error == CUDA_OK ? serve_stream(device, a[0]) : NULL;
    if (stream == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    r[0] = stream->device;
    return CUDA_OK;
}

/** Where a stream keeps the attribute of this cudaLaunchAttributeID, which is one that streams have; or NULL.
 */
static uint8_t *find_attribute(DeviceStream *stream, uint64_t id) {
    static const uint8_t ids[STREAM_ATTRIBUTES] = {1, 3, 8}; /* access policy window, waiting, priority */
    for (size_t i = 0; i < STREAM_ATTRIBUTES; i++)
        if (ids[i] == id) return stream->attributes[i];
    return NULL;
}

CudaCode serve_stream_set_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    uint8_t *kept = find_attribute(stream, a[1]);
    if (kept == NULL || device->request->payload_bytes != STREAM_ATTRIBUTE_BYTES) return CUDA_INVALID_VALUE;
    memcpy(kept, device->link.payload, STREAM_ATTRIBUTE_BYTES);
    return CUDA_OK;
}

CudaCode serve_stream_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = serve_check_out(device, a[2], "the value");
    DeviceStream *stream = error == CUDA_OK ? serve_stream(device, a[0]) : NULL;
    if (stream == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    const uint8_t *kept = find_attribute(stream, a[1]);
    if (kept == NULL) return CUDA_INVALID_VALUE;
    device->reply_payload = kept;
    device->reply.payload_bytes = STREAM_ATTRIBUTE_BYTES;
    return CUDA_OK;
}

CudaCode serve_stream_copy_attributes(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *to = serve_stream(device, a[0]);
    const DeviceStream *from = to != NULL ? serve_stream(device, a[1]) : NULL;
    if (from == NULL) return CUDA_INVALID_HANDLE;
    memmove(to->attributes, from->attributes, sizeof to->attributes);
    return CUDA_OK;
}

/** LIMIT: memory attached to one stream may still be used from others. */
CudaCode serve_attach(Device *device, const uint64_t *a, uint64_t *r) {
    const uint64_t advice[] = {a[1], a[2]};
    if (serve_stream(device, a[0]) == NULL) return CUDA_INVALID_HANDLE;
    return serve_memory_advice(device, advice, r);
}

static CudaCode add_host_function(Device *device, uint64_t stream_handle, uint64_t function, uint64_t data,
                                  uint64_t form) {
    DeviceStream *stream = serve_stream(device, stream_handle);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (function == 0) return CUDA_INVALID_VALUE;
    DeviceOperation *operation = queue_add(device, OPERATION_HOST, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->host.function = function;
    operation->host.data = data;
    operation->host.form = form;
    return CUDA_OK;
}

CudaCode serve_host_function(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return add_host_function(device, a[0], a[1], a[2], 0);
}

CudaCode serve_add_callback(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return add_host_function(device, a[0], a[1], a[2], 1);
}

/* ---- events ---- */

CudaCode serve_event_create(Device *device, const uint64_t *a, uint64_t *r) {
    enum { DISABLE_TIMING = 2, ALL_FLAGS = 7 };
    CudaCode error = serve_check_out(device, a[0], "the event");
    if (error != CUDA_OK) return error;
    if (a[1] > ALL_FLAGS) return CUDA_INVALID_VALUE;
    DeviceEvent *event = DEVICE_NEW(device, DeviceEvent);
    if (event == NULL) return CUDA_OUT_OF_MEMORY;
    *event = (DeviceEvent){
        .handle = device->next_handle, .timing = (a[1] & DISABLE_TIMING) == 0, .next = device->events};
    event->device = device_current(device);
    event->site = device->site;
    event->mark = device->mark;
    device->events = event;
    device->next_handle += 16;
    r[0] = event->handle;
    return CUDA_OK;
}

CudaCode serve_event_record(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceEvent *event = serve_event(device, a[0]);
    DeviceStream *stream = event != NULL ? serve_stream(device, a[1]) : NULL;
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (event->device != stream->device)
        return devices_refuse(device, "an event", event->device, stream->device);
    event->ever_recorded = true;
    bool external = device->request->function == WIRE_cudaEventRecordWithFlags && a[2] != 0;
    if (stream->capture != NULL && !external)
        return graph_record(event, stream) ? CUDA_OK : CUDA_OUT_OF_MEMORY;
    return serve_record_node(device, a, r);
}

CudaCode serve_record_node(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceEvent *event = serve_event(device, a[0]);
    DeviceStream *stream = event != NULL ? serve_stream(device, a[1]) : NULL;
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
    complain(device, FINDING_API_MISUSE,
             "An event recorded in a capture only orders the captured work. Wait for the stream that the "
             "graph was "
             "launched in, or use another event.",
             "%s: the event was last recorded by a stream that is capturing",
             device_function_name(device->request->function));
    return CUDA_CAPTURED_EVENT;
}

/** Who waits for an event that was not recorded yet waits for nothing, which is meant where the record comes
 * later in a loop: told at the end, if there was none. */
static void note_unrecorded(const Device *device, DeviceEvent *event) {
    if (event->ever_recorded || event->asked_site != 0) return;
    event->asked_site = device->site;
    event->asked_what = device_function_name(device->request->function);
}

void serve_report_unrecorded(Device *device) {
    for (const DeviceEvent *event = device->events; event != NULL; event = event->next) {
        if (event->ever_recorded || event->asked_site == 0) continue;
        complain_note_at(
            device, FINDING_API_MISUSE, event->asked_site, event->mark,
            "An event marks the work before its cudaEventRecord. Call cudaEventRecord(event, stream) "
            "after that work, in the same stream, and then wait for the event.",
            "%s: this event is never recorded, so the call waits for nothing", event->asked_what);
    }
}

CudaCode serve_event_synchronize(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceEvent *event = serve_event(device, a[0]);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL) return refuse_captured(device);
    note_unrecorded(device, event);
    CudaCode error = event->pending != NULL ? queue_run_to(device, event->pending) : device->sticky;
    order_host_waited(device, &event->clock);
    return error;
}

CudaCode serve_event_query(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceEvent *event = serve_event(device, a[0]);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL) return refuse_captured(device);
    note_unrecorded(device, event);
    if (event->pending == NULL) {
        order_host_waited(device, &event->clock);
        return device->sticky;
    }
    if (is_first_query(&event->asked)) return CUDA_NOT_READY;
    CudaCode error = queue_run_to(device, event->pending);
    return error != CUDA_OK ? error : CUDA_NOT_READY;
}

static CudaCode refuse_isolation(Device *device, Graph *graph) {
    graph->invalid = true;
    complain(
        device, FINDING_API_MISUSE, "Wait for the event before cudaStreamBeginCapture.",
        "cudaStreamWaitEvent: a capturing stream cannot wait for work outside the capture, which is lost");
    return CUDA_CAPTURE_ISOLATION;
}

CudaCode serve_stream_wait_event(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceStream *stream = serve_stream(device, a[0]);
    DeviceEvent *event = stream != NULL ? serve_event(device, a[1]) : NULL;
    if (event == NULL) return CUDA_INVALID_HANDLE;
    if (event->captured != NULL)
        return stream->handle == STREAM_LEGACY ? CUDA_CAPTURE_IMPLICIT : graph_wait(stream, event);
    note_unrecorded(device, event);
    if (!event->recorded) return CUDA_OK;
    if (stream->capture != NULL) return refuse_isolation(device, stream->capture);
    DeviceOperation *target = event->pending;
    DeviceOperation *operation = queue_add(device, OPERATION_WAIT, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    operation->wait.target = event->pending == target ? target : NULL; /* NULL: reached already */
    operation->wait.sequence = event->sequence;
    order_wait_event(operation, event);
    return CUDA_OK;
}

static CudaCode check_timed(Device *device, const DeviceEvent *event, const char *which) {
    if (event->timing && event->recorded) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             "Record both events with cudaEventRecord, without cudaEventDisableTiming.",
             "cudaEventElapsedTime: the %s event %s", which,
             event->recorded ? "was created without timing" : "was never recorded");
    return CUDA_INVALID_HANDLE;
}

CudaCode serve_event_elapsed(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the time");
    if (error != CUDA_OK) return error;
    const DeviceEvent *start = serve_event(device, a[1]);
    const DeviceEvent *end = start != NULL ? serve_event(device, a[2]) : NULL;
    if (end == NULL) return CUDA_INVALID_HANDLE;
    if (start->device != end->device) return devices_refuse(device, "an event", start->device, end->device);
    error = check_timed(device, start, "first");
    if (error == CUDA_OK) error = check_timed(device, end, "second");
    if (error != CUDA_OK) return error;
    if (start->pending != NULL || end->pending != NULL) {
        complain(device, FINDING_MISSING_SYNC, "Call cudaEventSynchronize(end) before asking for the time.",
                 "cudaEventElapsedTime: the %s event has not happened yet",
                 start->pending != NULL ? "first" : "second");
        return CUDA_NOT_READY;
    }
    timing_measured(device, start, end);
    r[0] = end->when - start->when;
    return CUDA_OK;
}

CudaCode serve_event_destroy(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceEvent *event = serve_event(device, a[0]);
    if (event == NULL) return CUDA_INVALID_HANDLE;
    event->handle = UINT64_MAX;
    event->site = 0;
    return CUDA_OK;
}
