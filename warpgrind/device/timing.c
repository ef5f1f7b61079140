/* timing.c - see timing.h. */
#include "device/timing.h"

#include "device/complain.h"
#include "device/device.h"

typedef struct TimingLaunch TimingLaunch;

void timing_launched(Device *device, const DeviceOperation *operation) {
    Timing *timing = &device->timing;
    timing->last[timing->launches++ % TIMING_LAUNCHES] =
        (TimingLaunch){operation->sequence, device->site, operation->stream->slot};
}

static bool is_between(const TimingLaunch *launch, const DeviceEvent *start, const DeviceEvent *end) {
    return launch->sequence > start->record_sequence && launch->sequence < end->record_sequence;
}

static bool comes_before(const TimingLaunch *launch, const DeviceEvent *event) {
    return launch->stream >= ORDER_STREAMS || event->clock.seen[launch->stream] >= launch->sequence;
}

void timing_clock_read(Device *device) {
    const Timing *timing = &device->timing;
    if (timing->launches == 0) return;
    const TimingLaunch *last = &timing->last[(timing->launches - 1) % TIMING_LAUNCHES];
    if (last->stream >= ORDER_STREAMS || order_host_has_waited(device, last->stream, last->sequence)) return;
    complain_note_at(
        device, FINDING_API_MISUSE, last->site, device->mark,
        "A launch returns at once, so the time that has passed is not the kernel's. Call "
        "cudaDeviceSynchronize() before the clock is read again, or record a CUDA event on either side of "
        "the launch and call cudaEventElapsedTime.",
        "a clock is read after this launch, which only starts the kernel: nothing has waited for it");
}

/** The first event was recorded behind the second: by the order of one stream, or since its stream waited. */
static bool is_backwards(const DeviceEvent *start, const DeviceEvent *end) {
    return start->record_sequence > end->record_sequence && end->stream < ORDER_STREAMS &&
           start->clock.seen[end->stream] >= end->record_sequence;
}

/** Nothing was asked for between the two records, and a kernel since: they stand on the same side of it. */
static bool is_beside_launch(const Timing *timing, const DeviceEvent *start, const DeviceEvent *end) {
    if (end->record_sequence != start->record_sequence + 1 || timing->launches == 0) return false;
    return timing->last[(timing->launches - 1) % TIMING_LAUNCHES].sequence > end->record_sequence;
}

/** What can be said of the two events alone. */
static bool tell_of_order(Device *device, const DeviceEvent *start, const DeviceEvent *end) {
    if (start == end)
        complain_note(
            device, FINDING_API_MISUSE,
            "Create two events. Record one before the work and the other after it, then ask for the time "
            "between them.",
            "cudaEventElapsedTime was given the same event twice: the time is 0");
    else if (is_backwards(start, end))
        complain(
            device, FINDING_API_MISUSE,
            "The order is cudaEventElapsedTime(&milliseconds, start, stop): first the event that was "
            "recorded "
            "before the work, then the one after it.",
            "cudaEventElapsedTime: the first event was recorded after the second, so the time is negative");
    else if (is_beside_launch(&device->timing, start, end))
        complain_note(
            device, FINDING_API_MISUSE, "Record the first event before the launch, and the second after it.",
            "cudaEventElapsedTime: no work lies between the two records; the kernel was launched after "
            "both");
    else
        return false;
    return true;
}

void timing_measured(Device *device, const DeviceEvent *start, const DeviceEvent *end) {
    const Timing *timing = &device->timing;
    if (tell_of_order(device, start, end)) return;
    const TimingLaunch *missed = NULL;
    uint64_t kept = timing->launches < TIMING_LAUNCHES ? timing->launches : TIMING_LAUNCHES;
    for (uint64_t i = 0; i < kept; i++) {
        const TimingLaunch *launch = &timing->last[i];
        if (!is_between(launch, start, end)) continue;
        if (comes_before(launch, end)) return;
        missed = launch;
    }
    if (!missed) return;
    complain_both(
        device, FINDING_API_MISUSE, missed->site, "launch",
        "An event is reached when the work before it in its own stream is done. Record both events "
        "in the stream that the kernel is launched in: cudaEventRecord(start, stream).",
        "cudaEventElapsedTime: the time of the kernel launched at %s is not in it, since both events "
        "were recorded in other streams, which do not wait for it",
        complain_line(device, missed->site));
}
