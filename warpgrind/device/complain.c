/* complain.c - see complain.h. */
#include "device/complain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Complaint {
    FindingKind kind;
    uint64_t site, other_site;
    const char *other_what, *mark, *explanation;
    bool note; /**< whatever the kind's severity is */
} Complaint;

__attribute__((format(printf, 3, 0))) static void add(Device *device, const Complaint *complaint,
                                                      const char *format, va_list arguments) {
    Text message;
    text_init(&message);
    char buffer[1024];
    vsnprintf(buffer, sizeof buffer, format, arguments);
    text_add_visible(&message, buffer, strlen(buffer));
    CheckFinding finding = {.kind = complaint->kind,
                            .severity =
                                complaint->note ? FINDING_NOTE : finding_info(complaint->kind)->severity,
                            .message = message.bytes,
                            .explanation = complaint->explanation,
                            .mark = complaint->mark,
                            .count = 1};
    symbols_place(device->symbols, complaint->site, &finding.party.place);
    if (complaint->other_site != 0 &&
        symbols_place(device->symbols, complaint->other_site, &finding.other.place))
        finding.other.what = complaint->other_what;
    const char *now = device->mark;
    if (complaint->mark != NULL) check_mark(device->check, complaint->mark);
    check_add(device->check, &finding);
    if (complaint->mark != NULL) check_mark(device->check, now);
    text_free(&message);
}

void complain(Device *device, FindingKind kind, const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {
        .kind = kind, .site = device->site, .explanation = explanation, .mark = device->mark};
    add(device, &complaint, format, arguments);
    va_end(arguments);
}

void complain_note(Device *device, FindingKind kind, const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {
        .kind = kind, .site = device->site, .explanation = explanation, .mark = device->mark, .note = true};
    add(device, &complaint, format, arguments);
    va_end(arguments);
}

void complain_at(Device *device, FindingKind kind, uint64_t site, const char *mark, const char *explanation,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {.kind = kind, .site = site, .explanation = explanation, .mark = mark};
    add(device, &complaint, format, arguments);
    va_end(arguments);
}

void complain_note_at(Device *device, FindingKind kind, uint64_t site, const char *mark,
                      const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {
        .kind = kind, .site = site, .explanation = explanation, .mark = mark, .note = true};
    add(device, &complaint, format, arguments);
    va_end(arguments);
}

void complain_both(Device *device, FindingKind kind, uint64_t other_site, const char *other_what,
                   const char *explanation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Complaint complaint = {.kind = kind,
                           .site = device->site,
                           .other_site = other_site,
                           .other_what = other_what,
                           .explanation = explanation,
                           .mark = device->mark};
    add(device, &complaint, format, arguments);
    va_end(arguments);
}

const char *complain_line(Device *device, uint64_t site) {
    CheckPlace place, here;
    if (!symbols_place(device->symbols, site, &place)) return "an unknown place";
    /* While queued work runs there is no call to compare with: the file's name says enough. */
    bool same = symbols_place(device->symbols, device->site, &here) && strcmp(here.file, place.file) == 0;
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
    const DeviceVariable *variable = device_variable(device, address);
    switch (device_address_kind(device, address)) {
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
