/* asked.c - see asked.h. */
#include "device/watch/asked.h"
#include "base/headers.h"
#include "device/state/complain.h"

#include <string.h>

/** Of "static cudaError_t cub::DeviceReduce::Sum(void *, size_t &, ...) [T = int]" DeviceReduce::Sum: the
 * namespaces before it have versions in their names. In the device's arena. */
static const char *short_name(Device *device, const char *whole) {
    const char *end = strchr(whole, '('), *begin = end;
    unsigned colons = 0;
    if (end == NULL) return NULL;
    for (; begin > whole && begin[-1] != ' '; begin--) {
        if (begin[-1] == ':') colons++;
        if (colons == 3) break;
    }
    return arena_format(device->arena, "%.*s", (int)(end - begin), begin);
}

static DeviceAsked *find(AskedSizes *asked, const char *function) {
    for (unsigned i = 0; i < asked->count; i++)
        if (text_same(asked->list[i].function, function)) return &asked->list[i];
    return NULL;
}

/** Past DEVICE_MAX_ASKED functions nothing is said of others. */
static DeviceAsked *find_or_add(Device *device, const char *function) {
    AskedSizes *asked = &device->asked;
    DeviceAsked *known = find(asked, function);
    if (known != NULL || asked->count == DEVICE_MAX_ASKED) return known;
    known = &asked->list[asked->count++];
    *known = (DeviceAsked){.function = function};
    return known;
}

void asked_note(Device *device, const AskedCall *call) {
    const char *function = short_name(device, call->function);
    DeviceAsked *asked = NULL;
    if (function != NULL) asked = find_or_add(device, function);
    if (asked == NULL) return;
    if (call->storage != 0)
        asked->times = 0;
    else if (asked->times > 0 && asked->bytes_at == call->bytes_at)
        asked->times++;
    else
        asked->times = 1;
    asked->bytes_at = call->bytes_at;
    asked->site = call->site;
    asked->mark = device->program.mark;
}

void asked_report(Device *device) {
    for (unsigned i = 0; i < device->asked.count; i++) {
        const DeviceAsked *asked = &device->asked.list[i];
        CheckPlace place;
        if (asked->times < 2 || !symbols_place(device->symbols, asked->site, &place)) continue;
        if (headers_are(place.file)) continue;
        Complaint complaint = {.kind = FINDING_API_MISUSE,
                               .note = true,
                               .earlier = true,
                               .site = asked->site,
                               .mark = asked->mark,
                               .sort = "asked"};
        complain_that(device, complaint, SAID_CALL(ASKED, .function = asked->function));
    }
}
