/* complain.c - see complain.h. */
#include "device/complain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** Files a finding with these words, of which some came from the program. */
static void add(Device *device, const Complaint *complaint, const char *words, const char *explanation) {
    Text message;
    text_init(&message);
    text_add_visible(&message, words, strlen(words));
    FindingSeverity usual = finding_info(complaint->kind)->severity;
    uint64_t site = complaint->earlier ? complaint->site : device->serving.site;
    CheckFinding finding = {.kind = complaint->kind,
                            .severity = complaint->note ? FINDING_NOTE : usual,
                            .message = message.bytes,
                            .explanation = explanation,
                            .mark = complaint->earlier ? complaint->mark : device->program.mark,
                            .count = 1};
    symbols_place(device->symbols, site, &finding.party.place);
    if (complaint->other_site != 0 &&
        symbols_place(device->symbols, complaint->other_site, &finding.other.place))
        finding.other.what = complaint->other_what;
    const char *now = device->program.mark;
    if (finding.mark != NULL) check_mark(device->check, finding.mark);
    check_add(device->check, &finding);
    if (finding.mark != NULL) check_mark(device->check, now);
    text_free(&message);
}

void complain_that(Device *device, Complaint complaint, Said said) {
    Text message, why;
    text_init(&message);
    text_init(&why);
    say_both(&message, &why, &said);
    add(device, &complaint, message.bytes, why.bytes);
    text_free(&message);
    text_free(&why);
}

void complain_finding(Device *device, CheckFinding *finding, Said said) {
    Text message, why;
    text_init(&message);
    text_init(&why);
    say_both(&message, &why, &said);
    finding->message = message.bytes;
    finding->explanation = why.bytes;
    check_add(device->check, finding);
    text_free(&message);
    text_free(&why);
}

__attribute__((format(printf, 4, 0))) static void add_format(Device *device, const Complaint *complaint,
                                                             const char *explanation, const char *format,
                                                             va_list arguments) {
    char words[1024];
    vsnprintf(words, sizeof words, format, arguments);
    add(device, complaint, words, explanation);
}

void complain(Device *device, FindingKind kind, const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_format(device, &(Complaint){.kind = kind}, explanation, format, arguments);
    va_end(arguments);
}

void complain_note(Device *device, FindingKind kind, const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_format(device, &(Complaint){.kind = kind, .note = true}, explanation, format, arguments);
    va_end(arguments);
}

void complain_at(Device *device, FindingKind kind, uint64_t site, const char *mark, const char *explanation,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {.kind = kind, .earlier = true, .site = site, .mark = mark};
    add_format(device, &complaint, explanation, format, arguments);
    va_end(arguments);
}

void complain_note_at(Device *device, FindingKind kind, uint64_t site, const char *mark,
                      const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {.kind = kind, .note = true, .earlier = true, .site = site, .mark = mark};
    add_format(device, &complaint, explanation, format, arguments);
    va_end(arguments);
}

void complain_both(Device *device, FindingKind kind, uint64_t other_site, const char *other_what,
                   const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {.kind = kind, .other_site = other_site, .other_what = other_what};
    add_format(device, &complaint, explanation, format, arguments);
    va_end(arguments);
}

const char *complain_line(Device *device, uint64_t site) {
    CheckPlace place, here;
    if (!symbols_place(device->symbols, site, &place)) return "an unknown place";
    /* While queued work runs there is no call to compare with: the file's name says enough. */
    bool same =
        symbols_place(device->symbols, device->serving.site, &here) && strcmp(here.file, place.file) == 0;
    const char *slash = strrchr(place.file, '/');
    const char *text =
        same ? arena_format(device->arena, "line %d", place.line)
             : arena_format(device->arena, "%s:%d", slash != NULL ? slash + 1 : place.file, place.line);
    return text != NULL ? text : "an unknown place";
}

const char *complain_number(Device *device, uint64_t number) {
    const char *text = arena_number(device->arena, number);
    return text != NULL ? text : "?";
}

static const char *describe_allocation(Device *device, uint64_t address, bool freed) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    if (allocation == NULL) return "device memory";
    return arena_format(
        device->arena, "%s of %s bytes allocated at %s", freed ? "freed device memory" : "device memory",
        complain_number(device, allocation->bytes), complain_line(device, allocation->alloc_site));
}

const char *complain_address(Device *device, uint64_t address) {
    const char *text = NULL;
    const DeviceVariable *variable = objects_variable(device, address);
    switch (objects_address_kind(device, address)) {
    case ADDRESS_NULL:
        return "a null pointer";
    case ADDRESS_DEVICE:
        text = describe_allocation(device, address, false);
        break;
    case ADDRESS_FREED:
        text = describe_allocation(device, address, true);
        break;
    case ADDRESS_NEAR:
        return "an address in device memory that belongs to no allocation";
    case ADDRESS_SHARED:
        return "memory that host and device share";
    case ADDRESS_SHADOW:
        text =
            arena_format(device->arena, "the host's placeholder of the device variable %s", variable->name);
        break;
    case ADDRESS_IMAGE:
        return "host memory (a global or static variable of the program)";
    case ADDRESS_STACK:
        return "host memory (a local variable on the program's stack)";
    case ADDRESS_HOST:
        return "host memory";
    }
    return text != NULL ? text : "memory";
}
