/* timing.c - see timing.h. */
#include "device/watch/timing.h"
#include "base/minmax.h"
#include "device/watch/order.h"

#include "device/state/complain.h"
#include "device/state/state.h"

typedef struct TimingLaunch TimingLaunch;

void timing_launched(Device *device, const DeviceOperation *operation) {
    Timing *timing = &device->timing;
    timing->last[timing->launches++ % TIMING_LAUNCHES] =
        (TimingLaunch){operation->sequence, device->serving.site, operation->stream->slot};
}

static bool is_between(const TimingLaunch *launch, const DeviceEvent *start, const DeviceEvent *end) {
    return launch->sequence > start->record_sequence && launch->sequence < end->record_sequence;
}

static bool comes_before(const TimingLaunch *launch, const DeviceEvent *event) {
    return launch->stream >= ORDER_STREAMS || event->clock.seen[launch->stream] >= launch->sequence;
}

/** The program reads a clock while its last launch has not been waited for: what it measures is the time of
 * starting a kernel. */
void timing_clock_read(Device *device) {
    const Timing *timing = &device->timing;
    if (timing->launches == 0) return;
    const TimingLaunch *last = &timing->last[(timing->launches - 1) % TIMING_LAUNCHES];
    if (last->stream >= ORDER_STREAMS || order_host_has_waited(device, last->stream, last->sequence)) return;
    Complaint complaint = {.kind = FINDING_API_MISUSE,
                           .note = true,
                           .earlier = true,
                           .site = last->site,
                           .mark = device->program.mark};
    complain_that(device, complaint,
                  said_timing(TIMING_CLOCK_MESSAGE, TIMING_CLOCK_WHY, &(TimingFacts){NULL}));
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
    Complaint note = {.kind = FINDING_API_MISUSE, .note = true}, error = {.kind = FINDING_API_MISUSE};
    TimingFacts none = {NULL};
    if (start == end)
        complain_that(device, note, said_timing(TIMING_SAME_MESSAGE, TIMING_SAME_WHY, &none));
    else if (is_backwards(start, end))
        complain_that(device, error, said_timing(TIMING_BACKWARDS_MESSAGE, TIMING_BACKWARDS_WHY, &none));
    else if (is_beside_launch(&device->timing, start, end))
        complain_that(device, note, said_timing(TIMING_BESIDE_MESSAGE, TIMING_BESIDE_WHY, &none));
    else
        return false;
    return true;
}

/** A kernel between the two records is missed by the second one when it was launched in a stream that the
 * event does not follow. One kernel that is timed is enough to say nothing. */
void timing_measured(Device *device, const DeviceEvent *start, const DeviceEvent *end) {
    const Timing *timing = &device->timing;
    if (tell_of_order(device, start, end)) return;
    const TimingLaunch *missed = NULL;
    uint64_t kept = MIN(timing->launches, TIMING_LAUNCHES);
    for (uint64_t i = 0; i < kept; i++) {
        const TimingLaunch *launch = &timing->last[i];
        if (!is_between(launch, start, end)) continue;
        if (comes_before(launch, end)) return;
        missed = launch;
    }
    if (missed == NULL) return;
    TimingFacts facts = {.place = complain_line(device, missed->site)};
    Complaint complaint = {.kind = FINDING_API_MISUSE, .other_site = missed->site, .other_what = "launch"};
    complain_that(device, complaint, said_timing(TIMING_MISSED_MESSAGE, TIMING_MISSED_WHY, &facts));
}
