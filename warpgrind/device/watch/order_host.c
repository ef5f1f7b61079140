/* order_host.c - host functions among the operations whose order is watched: what they touch, and what they
 * and kernels may do side by side. */
#include "device/watch/order_parts.h"

#include <string.h>

bool order_free_of_each_other(const DeviceOperation *a, const DeviceOperation *b) {
    const unsigned slot = a->stream->slot, other = b->stream->slot;
    if (slot >= ORDER_STREAMS || other >= ORDER_STREAMS || slot == other) return false;
    return a->sequence > b->clock.seen[slot] && b->sequence > a->clock.seen[other];
}

/** Touches at another line are another footprint, so that a finding names the line that is at fault. */
void order_host_touches(Device *device, uint64_t address, bool write, uint64_t site) {
    Order *order = device->order;
    if (order->running == NULL || gpu_memory_find(device->gpu, address) == NULL) return;
    DeviceOperation at_site = *order->running;
    const DeviceOperation *function = order->running;
    at_site.site = site;
    order->running = &at_site;
    memset(order->last, 0, sizeof order->last);
    order_note_range(device, address, 1, 1, 1, write);
    order->running = function;
    memset(order->last, 0, sizeof order->last);
}

/** What one of them tells the other by words that it writes for the host to see, or the other way round. */
static bool talk(const Order *order, const Footprint *function, const Footprint *kernel) {
    for (const Footprint *any = order->footprints; any != NULL; any = any->next) {
        if (!any->for_host || any->sequence != kernel->sequence || any->stream != kernel->stream) continue;
        for (const Footprint *own = order->footprints; own != NULL; own = own->next)
            if (own->sequence == function->sequence && own->stream == function->stream &&
                own->allocation == any->allocation && (own->write || any->write) && order_overlap(own, any))
                return true;
    }
    return false;
}

bool order_agree_with_host(const Order *order, const Footprint *a, const Footprint *b) {
    if (a->kind == OPERATION_HOST && b->kind == OPERATION_HOST) return true;
    if (a->kind == OPERATION_HOST) return b->for_host || talk(order, a, b);
    if (b->kind == OPERATION_HOST) return a->for_host || talk(order, b, a);
    return false;
}
