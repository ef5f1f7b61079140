/* sent_record.c - one record of what the program sends: the call, its numbers, its contents; see sent.h. */
#include "device/record/sent_parts.h"
#include "device/state/devices.h"

#include <string.h>

enum { NUMBER_BITS = 21 /* of an allocation's number among its device's; the device's three stand above */ };
#define MOST_BYTES ((size_t)64 << 20)

void sent_record_pad(Text *text) {
    static const char zeros[8];
    text_append(text, zeros, (size_t)(sent_padded(text->length) - text->length));
}

static void add_padded(Text *text, const void *bytes, size_t count) {
    text_append(text, bytes, count);
    sent_record_pad(text);
}

/* Lines are looked up once for each site. */
static CheckPlace place_of(Device *device, uint64_t site) {
    unsigned slot = (unsigned)(site % SENT_PLACES);
    if (device->sent->places[slot].site != site) {
        CheckPlace place = {0};
        if (site == 0 || !symbols_place(device->symbols, site, &place)) place = (CheckPlace){0};
        device->sent->places[slot].site = site;
        device->sent->places[slot].place = place;
    }
    return device->sent->places[slot].place;
}

SentCall sent_record_call_of(const DeviceOperation *operation) {
    return (SentCall){.order = 2 * operation->sequence,
                      .site = operation->site,
                      .device = operation->device,
                      .thread = operation->thread,
                      .devices = 1U << operation->device,
                      .mark = operation->mark,
                      .kernel = ""};
}

static bool has_room(Sent *sent, uint64_t bytes) {
    sent->cut = sent->cut || sent->count == SENT_MOST_RECORDS || bytes > MOST_BYTES ||
                sent->bytes.length + bytes > MOST_BYTES || sent->bytes.failed;
    return !sent->cut;
}

/* The record without its contents. */
void sent_record_add(Device *device, SentKind kind, const SentCall *call, const uint64_t *numbers,
                     unsigned count) {
    Sent *sent = device->sent;
    if (!has_room(sent, sizeof(SentRecord))) return;
    CheckPlace place = place_of(device, call->site);
    const char *file = "";
    if (place.file != NULL) file = place.file;
    const SentRecord record = {.magic = SENT_MAGIC,
                               .kind = (uint32_t)kind,
                               .order = call->order,
                               .line = (uint32_t)place.line,
                               .kernel_bytes = (uint32_t)strlen(call->kernel),
                               .file_bytes = (uint32_t)strlen(file),
                               .mark_bytes = (uint32_t)strlen(call->mark),
                               .numbers = count,
                               .devices = (uint16_t)call->devices,
                               .device = (uint16_t)call->device,
                               .thread = call->thread};
    sent->starts[sent->count++] = sent->bytes.length;
    text_append(&sent->bytes, (const char *)&record, sizeof record);
    add_padded(&sent->bytes, call->kernel, record.kernel_bytes);
    add_padded(&sent->bytes, file, record.file_bytes);
    add_padded(&sent->bytes, call->mark, record.mark_bytes);
    if (count > 0) text_append(&sent->bytes, (const char *)numbers, count * sizeof *numbers);
}

void sent_record_contents(Sent *sent, const void *bytes, uint64_t count) {
    if (sent->count == 0 || !has_room(sent, count)) return;
    text_append(&sent->bytes, bytes, (size_t)count);
    SentRecord record;
    char *start = sent->bytes.bytes + sent->starts[sent->count - 1];
    memcpy(&record, start, sizeof record);
    record.contents += count;
    memcpy(start, &record, sizeof record);
}

void sent_record_whole(Device *device, SentKind kind, const SentCall *call, const uint64_t *numbers,
                       unsigned count, const void *bytes, uint64_t length) {
    sent_record_add(device, kind, call, numbers, count);
    sent_record_contents(device->sent, bytes, length);
    sent_record_pad(&device->sent->bytes);
}

/* Two numbers: which allocation of which device, and where in it; 0 and the address itself for anything else.
 */
void sent_record_put_address(const Device *device, uint64_t address, uint64_t *numbers) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    numbers[0] = 0;
    numbers[1] = address;
    if (allocation == NULL) return;
    if (allocation->number >= 1U << NUMBER_BITS) device->sent->cut = true;
    numbers[0] = (uint64_t)devices_owner(device, allocation) << NUMBER_BITS | allocation->number;
    numbers[1] = address - allocation->address;
}
