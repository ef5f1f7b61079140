/* order_report.c - two operations that nothing orders, in words. */
#include "device/watch/order_parts.h"
#include "device/state/complain.h"

/** A cudaFree of what a stream allocated, which waits for nobody. */
static bool is_at_once(const Device *device, const Footprint *footprint) {
    return footprint->kind == OPERATION_FREE && device->queue.frees != NULL &&
           device->order->owners[footprint->stream] == device->queue.frees;
}

/** One of the two operations in words: what it is, and what it does to the memory. */
static const char *told(Device *device, OrderText text, const Footprint *footprint) {
    const OrderFacts facts = {.kernel = footprint->kernel,
                              .place = complain_line(device, footprint->site),
                              .copy = footprint->kind == OPERATION_COPY,
                              .set = footprint->kind == OPERATION_SET,
                              .allocate = footprint->kind == OPERATION_ALLOCATE,
                              .free = footprint->kind == OPERATION_FREE,
                              .at_once = is_at_once(device, footprint),
                              .host = footprint->kind == OPERATION_HOST,
                              .in_graph = footprint->graph != 0,
                              .write = footprint->write};
    const char *words = told_order(device->arena, text, &facts);
    if (words != NULL) return words;
    return "?";
}

/** A party's place is the line of the access when a kernel of the program made it, and the line of the call
 * otherwise. */
static CheckParty party(Device *device, const Footprint *footprint) {
    CheckParty made = {.what = footprint->write ? "write" : "read"};
    if (footprint->kind == OPERATION_FREE) made.what = "free";
    if (footprint->kind == OPERATION_ALLOCATE) made.what = "allocated";
    if (footprint->pc != 0 && !check_in_library(device->check, footprint->pc))
        made.place = check_place_of_pc(device->check, footprint->pc);
    else
        symbols_place(device->symbols, footprint->site, &made.place);
    return made;
}

/** The call of a launch in the default stream, where the other operation is in a stream that does not wait
 * for that one; 0. */
static uint64_t launch_in_default(const Device *device, const Footprint *launch, const Footprint *other) {
    const DeviceStream *stream = device->order->owners[launch->stream];
    const DeviceStream *another = device->order->owners[other->stream];
    const bool beside = stream != NULL && another != NULL && stream->handle == STREAM_LEGACY &&
                        !another->blocking && another->handle != STREAM_LEGACY &&
                        another->device == stream->device;
    if (beside && launch->kind == OPERATION_LAUNCH) return launch->site;
    return 0;
}

/** An event that the earlier operation's stream recorded after it, and that the later one's stream had been
 * told to wait for when it was not recorded yet: the right calls in the wrong order. NULL: there is none. */
static const DeviceEvent *waited_too_soon(const Device *device, const Footprint *later,
                                          const Footprint *earlier) {
    for (const DeviceEvent *event = device->objects.events; event != NULL; event = event->next)
        if (event->early_wait != 0 && event->early_stream == later->stream &&
            event->stream == earlier->stream && event->record_sequence > earlier->sequence)
            return event;
    return NULL;
}

/** Two operations of one call, a launch's or a copy's, whose line goes through several streams. */
static bool is_one_line(const Footprint *a, const Footprint *b) {
    return a->kind == b->kind && a->site == b->site &&
           (a->kind == OPERATION_LAUNCH || a->kind == OPERATION_COPY);
}

/** Whether the stream of the one has had the other one's work as well, from the same call and with the same
 * memory: each stream does what should be done with a part of its own. */
static bool is_done_alike(const Device *device, const Footprint *one, const Footprint *other) {
    for (const Footprint *own = device->order->footprints; own != NULL; own = own->next)
        if (own->stream == one->stream && own->write == other->write &&
            own->allocation == other->allocation && is_one_line(own, other) && order_overlap(own, other))
            return true;
    return false;
}

/** The operation that was asked for later comes first in the message: its line is where an event or another
 * stream is to be put. */
void order_report(Device *device, const Footprint *a, const Footprint *b) {
    const bool first_is_later = a->sequence > b->sequence;
    const Footprint *later = b;
    if (first_is_later) later = a;
    const Footprint *earlier = a;
    if (first_is_later) earlier = b;
    CheckFinding finding = {.kind = FINDING_MISSING_SYNC,
                            .severity = FINDING_ERROR,
                            .kernel = later->kernel,
                            .party = party(device, later),
                            .other = party(device, earlier),
                            .mark = device->program.mark,
                            .work = later->sequence,
                            .other_work = earlier->sequence,
                            .count = 1};
    const bool at_once = is_at_once(device, later);
    if (at_once && earlier->kind == OPERATION_ALLOCATE) return; /* what nobody uses may go at once */
    if (!at_once) finding.in_default = launch_in_default(device, a, b) | launch_in_default(device, b, a);
    const DeviceEvent *early = waited_too_soon(device, later, earlier);
    complain_finding(
        device, &finding,
        SAID_ORDER(UNORDERED, .later = told(device, ORDER_WHO, later),
                   .later_deed = told(device, ORDER_DEED, later), .earlier = told(device, ORDER_WHO, earlier),
                   .earlier_deed = told(device, ORDER_DEED, earlier),
                   .in_default = finding.in_default != 0 ? complain_line(device, finding.in_default) : NULL,
                   .early_wait = early != NULL ? complain_line(device, early->early_wait) : NULL,
                   .staged = earlier->staged, .within = earlier->within,
                   .one_graph = a->graph != 0 && a->graph == b->graph, .one_line = is_one_line(a, b),
                   .alike = is_done_alike(device, a, b) || is_done_alike(device, b, a), .at_once = at_once));
}
