/* host_functions.c - see host_functions.h. */
#include "device/streams/host_functions.h"
#include "device/state/complain.h"
#include "device/state/names.h"
#include "device/streams/ranges.h"
#include "device/watch/hostside.h"
#include "device/watch/order.h"

/** Memory that work uses which the function does not wait for, and which does not wait for the function: what
 * is pending, and what has been done by chance before. */
static void find_ranges(Device *device, const DeviceOperation *function, RangeList *ranges) {
    for (const DeviceOperation *any = device->queue.first; any != NULL; any = any->next)
        if (order_free_of_each_other(function, any)) ranges_of_operation(device, any, ranges);
    uint64_t address = 0;
    while (order_next_unordered(device, function, &address))
        if (objects_shared(device, address) != NULL)
            ranges_add(ranges, (WireRange){address, 1, WIRE_USED_BY_LAUNCH});
}

static void on_told(void *self, const WireRequest *touch) {
    Device *device = self;
    uint64_t site = objects_site(device, touch);
    if (touch->function == WIRE_CALL_WITHIN) {
        hostside_called_within(device, (uint32_t)touch->CALL_WITHIN.called, site);
        return;
    }
    uint64_t address = touch->EARLY_TOUCH.address, reached = objects_pinned_address(device, address);
    if (touch->EARLY_TOUCH.last != 0) hostside_touched_too_often(device, site);
    order_host_touches(device, reached != 0 ? reached : address, touch->EARLY_TOUCH.write != 0, site);
}

/** Whether this one waits, with the same number as it was before, and nothing but the program has run since.
 */
static bool has_lost_number(const DeviceOperation *earlier, const DeviceOperation *function) {
    return earlier != function && earlier->kind == OPERATION_HOST &&
           earlier->host.data == function->host.data && earlier->host.bytes == function->host.bytes &&
           earlier->host.content != function->host.content && earlier->host.before == function->host.before;
}

void host_functions_note_number(Device *device, DeviceOperation *function) {
    function->host.before = device->queue.host_functions_run;
    if (function->host.bytes == 0 || function->stream->capture != NULL) return;
    for (const DeviceOperation *any = device->queue.first; any != NULL; any = any->next) {
        if (!has_lost_number(any, function)) continue;
        Complaint complaint = {.kind = FINDING_MISSING_SYNC,
                               .note = true,
                               .other_site = any->site,
                               .other_what = "given before"};
        complain_that(
            device, complaint,
            SAID_CALL(NUMBER_CHANGED, .function = names_function(device->serving.request->function)));
        return;
    }
}

CudaCode host_functions_run(Device *device, const DeviceOperation *operation) {
    WireRange list[DEVICE_MAX_RANGES];
    RangeList ranges = {.list = list, .room = DEVICE_MAX_RANGES};
    find_ranges(device, operation, &ranges);
    WireReply ask = {.magic = WIRE_MAGIC,
                     .kind = WIRE_CALLBACK,
                     .payload_bytes = ranges.count * sizeof *list,
                     .callback = {.function = operation->host.function,
                                  .data = operation->host.data,
                                  .stream = operation->stream->handle,
                                  .form = operation->host.form,
                                  .status = (uint64_t)device->errors.sticky}};
    device->queue.host_functions_run++;
    link_call(&device->link, &ask, list, on_told, device);
    return CUDA_OK;
}
