/* complain.c - see complain.h. */
#include "device/state/complain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** Files a finding with these words, of which some came from the program. */
static void add(Device *device, const Complaint *complaint, const char *words, const char *explanation) {
    Text message = text_new();
    text_add_visible(&message, words, strlen(words));
    FindingSeverity severity = finding_info(complaint->kind)->severity;
    if (complaint->note) severity = FINDING_NOTE;
    const char *now = device->program.mark;
    uint64_t site;
    if (complaint->earlier)
        site = complaint->site;
    else
        site = device->serving.site;
    CheckFinding finding = {.kind = complaint->kind,
                            .severity = severity,
                            .message = message.bytes,
                            .explanation = explanation,
                            .sort = complaint->sort,
                            .capture = complaint->capture,
                            .allocation = complaint->allocation,
                            .mark = complaint->earlier ? complaint->mark : now,
                            .count = 1};
    symbols_place(device->symbols, site, &finding.party.place);
    if (complaint->other_site != 0 &&
        symbols_place(device->symbols, complaint->other_site, &finding.other.place))
        finding.other.what = complaint->other_what;
    if (finding.mark != NULL) check_mark(device->check, finding.mark);
    check_add(device->check, &finding);
    if (finding.mark != NULL) check_mark(device->check, now);
    text_free(&message);
}

void complain_that(Device *device, Complaint complaint, Said said) {
    Text message = text_new(), why = text_new();
    say_both(&message, &why, &said);
    add(device, &complaint, message.bytes, why.bytes);
    text_free(&message);
    text_free(&why);
}

void complain_finding(Device *device, CheckFinding *finding, Said said) {
    Text message = text_new(), why = text_new();
    say_both(&message, &why, &said);
    finding->message = message.bytes;
    finding->explanation = why.bytes;
    check_add(device->check, finding);
    text_free(&message);
    text_free(&why);
}

void complain(Device *device, FindingKind kind, Said said) {
    complain_that(device, (Complaint){.kind = kind}, said);
}

void complain_captured(Device *device, CheckCapture capture, Said said) {
    complain_that(device, (Complaint){.kind = FINDING_API_MISUSE, .capture = capture}, said);
}

void complain_note(Device *device, FindingKind kind, Said said) {
    complain_that(device, (Complaint){.kind = kind, .note = true}, said);
}

void complain_at(Device *device, FindingKind kind, uint64_t site, const char *mark, Said said) {
    complain_that(device, (Complaint){.kind = kind, .earlier = true, .site = site, .mark = mark}, said);
}

void complain_note_at(Device *device, FindingKind kind, uint64_t site, const char *mark, Said said) {
    Complaint complaint = {.kind = kind, .note = true, .earlier = true, .site = site, .mark = mark};
    complain_that(device, complaint, said);
}

void complain_both(Device *device, FindingKind kind, uint64_t other_site, const char *other_what, Said said) {
    complain_that(device, (Complaint){.kind = kind, .other_site = other_site, .other_what = other_what},
                  said);
}

static const char *tell_line(Device *device, const char *path, int line) {
    CheckPlace here;
    /* While queued work runs there is no call to compare with: the file's name says enough. */
    bool same = symbols_place(device->symbols, device->serving.site, &here) && strcmp(here.file, path) == 0;
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    const char *text = TOLD_PLACE(LINE, device->arena, .file = same ? NULL : file, .line = line);
    if (text != NULL) return text;
    return plain_place(PLACE_UNKNOWN);
}

const char *complain_line(Device *device, uint64_t site) {
    CheckPlace place;
    if (!symbols_place(device->symbols, site, &place)) return plain_place(PLACE_UNKNOWN);
    return tell_line(device, place.file, place.line);
}

const char *complain_memory_line(Device *device, const GpuAllocation *allocation) {
    uint64_t site = allocation->freed ? allocation->free_site : allocation->alloc_site;
    if (allocation->kind != GPU_ALLOC_DEVICE_HEAP) return complain_line(device, site);
    GpuPlace place = gpu_place(device->gpu, (uint32_t)site);
    if (place.line <= 0) return plain_place(PLACE_UNKNOWN);
    return tell_line(device, place.file, place.line);
}

CheckPlace complain_freed(Device *device, const GpuAllocation *allocation) {
    CheckPlace place = {.line = 0};
    if (allocation->kind != GPU_ALLOC_DEVICE_HEAP)
        symbols_place(device->symbols, allocation->free_site, &place);
    return place;
}

const char *complain_line_above(Device *device, const CheckPlace *place) {
    if (place->caller == 0) return NULL;
    return tell_line(device, place->file, place->caller);
}

static DescribedFacts allocation_facts(Device *device, uint64_t address, bool freed) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    if (allocation == NULL) return (DescribedFacts){0};
    GpuAllocation allocated = *allocation; /* whatever became of it */
    allocated.freed = false;
    return (DescribedFacts){.freed = freed,
                            .heap = allocation->kind == GPU_ALLOC_DEVICE_HEAP,
                            .bytes = allocation->bytes,
                            .place = complain_memory_line(device, &allocated)};
}

/** What the address is, by the kind that the objects know: the text is the kind's, and only device memory and
 * placeholders have facts. */
const char *complain_address(Device *device, uint64_t address) {
    static const DescribedText texts[] = {
        [ADDRESS_NULL] = DESCRIBED_NULL_ADDRESS, [ADDRESS_DEVICE] = DESCRIBED_DEVICE,
        [ADDRESS_FREED] = DESCRIBED_DEVICE,      [ADDRESS_NEAR] = DESCRIBED_NEAR,
        [ADDRESS_SHARED] = DESCRIBED_SHARED,     [ADDRESS_SHADOW] = DESCRIBED_PLACEHOLDER,
        [ADDRESS_IMAGE] = DESCRIBED_IMAGE,       [ADDRESS_STACK] = DESCRIBED_STACK,
        [ADDRESS_HOST] = DESCRIBED_HOST};
    DeviceAddressKind kind = objects_address_kind(device, address);
    const DeviceVariable *variable = objects_variable(device, address);
    DescribedFacts facts = {.variable = variable != NULL ? variable->name : NULL};
    if (kind == ADDRESS_DEVICE || kind == ADDRESS_FREED)
        facts = allocation_facts(device, address, kind == ADDRESS_FREED);
    const char *text = told_described(device->arena, texts[kind], &facts);
    if (text != NULL) return text;
    return "memory";
}
