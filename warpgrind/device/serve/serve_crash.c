/* serve_crash.c - how the program dies, in words: which signal, where in the host's code, and when a copy
 * went past the end of the host's memory, that copy. All numbers come from the dying program and are only
 * shown. */
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/copies.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Signals that a program dies of by itself have texts of their own; SIGNAL_OTHER is said of all others. */
static SignalText signal_text(uint64_t number) {
    switch (number) {
    case SIGSEGV:
        return SIGNAL_SEGV;
    case SIGBUS:
        return SIGNAL_BUS;
    case SIGFPE:
        return SIGNAL_FPE;
    case SIGILL:
        return SIGNAL_ILL;
    case SIGTRAP:
        return SIGNAL_TRAP;
    case SIGSYS:
        return SIGNAL_SYS;
    default:
        return SIGNAL_OTHER;
    }
}

/** The memory that a device pointer used on the host belongs to, in words. free() reads the bytes before it.
 */
static void tell_device_pointer(Device *device, uint64_t address) {
    enum { HEAP_HEADER = 16 };
    if (objects_address_kind(device, address) == ADDRESS_NEAR &&
        objects_address_kind(device, address + HEAP_HEADER) == ADDRESS_DEVICE)
        address += HEAP_HEADER;
    CrashFacts facts = {.near = objects_address_kind(device, address) == ADDRESS_NEAR,
                        .memory = complain_address(device, address)};
    complain(device, FINDING_HOST_DEVICE_POINTER,
             said_crash(CRASH_POINTER_MESSAGE, CRASH_POINTER_WHY, &facts));
}

/* ---- a copy past the end of the host's memory ---- */

/** The copy's line comes first: where the damage was noticed says little. False when no copy is to blame. */
static bool tell_copy(Device *device, const Arguments_CRASH *a, CrashFacts *facts) {
    uint64_t noticed = device->serving.site,
             site = a->copy_bytes != 0 ? copies_landing_site(device, a->copy_address) : 0;
    if (site == 0) return false;
    bool too_large = a->copy_room != 0;
    facts->stack = a->cause == WIRE_CRASH_STACK;
    device->serving.site = site;
    complain_that(device,
                  (Complaint){.kind = FINDING_CRASH, .other_site = noticed, .other_what = "noticed here"},
                  too_large ? said_crash(CRASH_SIZE_MESSAGE, CRASH_SIZE_WHY, facts)
                            : said_crash(CRASH_LAST_MESSAGE, CRASH_LAST_WHY, facts));
    device->serving.site = noticed;
    return true;
}

/** How the program died: by the library that ended it, if one did. */
static Said said_of_end(WireCrashCause cause, const CrashFacts *facts) {
    switch (cause) {
    case WIRE_CRASH_ASSERTION:
        return said_crash(CRASH_ASSERTION_MESSAGE, CRASH_ASSERTION_WHY, facts);
    case WIRE_CRASH_HEAP:
        return said_crash(CRASH_HEAP_MESSAGE, CRASH_HEAP_WHY, facts);
    case WIRE_CRASH_STACK:
        return said_crash(CRASH_STACK_MESSAGE, CRASH_STACK_WHY, facts);
    case WIRE_CRASH_EXCEPTION:
        return said_crash(CRASH_EXCEPTION_MESSAGE, CRASH_EXCEPTION_WHY, facts);
    case WIRE_CRASH_ITSELF:
    case WIRE_CRASH_ARGUMENT: /* told by tell_argument */
        break;
    }
    return said_crash(CRASH_DIED_MESSAGE, CRASH_DIED_WHY, facts);
}

/** free() and realloc() read the size that malloc left before a block: 8 or 16 bytes before what they are
 * given. */
static bool crashed_in_free(Device *device, uint64_t address) {
    enum { HEAP_HEADER = 16 };
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    if (allocation == NULL || address >= allocation->address) return false;
    return allocation->address - address <= HEAP_HEADER;
}

static void tell_freed_by_host(Device *device, uint64_t address) {
    const uint64_t memory = gpu_memory_nearest(device->gpu, address)->address;
    CrashFacts facts = {.memory = complain_address(device, memory),
                        .shared = objects_shared(device, memory) != NULL};
    complain(device, FINDING_HOST_DEVICE_POINTER, said_crash(CRASH_FREE_MESSAGE, CRASH_FREE_WHY, &facts));
}

/** free() of a large array gives its pages back; small ones stay, and a copy into them goes unnoticed. */
static bool tell_unpinned(Device *device, uint64_t address) {
    const DevicePinned *pinned = objects_pinned(device, address);
    if (pinned == NULL) return false;
    CrashFacts facts = {.place = complain_line(device, pinned->site)};
    complain(device, FINDING_CRASH, said_crash(CRASH_REGISTERED_MESSAGE, CRASH_REGISTERED_WHY, &facts));
    return true;
}

/** A launch that takes addresses of its arguments was given something else. */
static void tell_argument(Device *device, const CrashFacts *facts, bool device_memory) {
    const CrashFacts told = {.words = facts->words, .memory = device_memory ? facts->memory : NULL};
    complain(device, FINDING_CRASH, said_crash(CRASH_ARGUMENT_MESSAGE, CRASH_ARGUMENT_WHY, &told));
}

/** Of the types that the C++ ABI names, those of namespaces and classes: "St9bad_alloc" is std::bad_alloc,
 * and "N4math5ErrorE" math::Error. False of others. */
static bool read_type(const char *mangled, char *name, size_t room) {
    const bool nested = *mangled == 'N';
    size_t length = 0;
    if (nested) mangled++;
    if (strncmp(mangled, "St", 2) == 0) {
        length = (size_t)snprintf(name, room, "std");
        mangled += 2;
    }
    while (*mangled >= '1' && *mangled <= '9') {
        char *part = NULL;
        const unsigned long count = strtoul(mangled, &part, 10);
        if (count > strlen(part) || length + count + sizeof "::" > room) return false;
        length += (size_t)snprintf(name + length, room - length, "%s%.*s", length > 0 ? "::" : "", (int)count,
                                   part);
        mangled = part + count;
    }
    if (nested && *mangled == 'E') mangled++;
    return length > 0 && *mangled == '\0';
}

/** The exception's type, where it is one that has a plain name; what `new` and containers throw says more. */
static void add_exception(CrashFacts *facts, const char *mangled, char *name, size_t room) {
    static const char *const sizes[] = {"std::bad_alloc", "std::bad_array_new_length", "std::length_error"};
    facts->words = NULL;
    if (!read_type(mangled, name, room)) return;
    facts->words = name;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        facts->oversized = facts->oversized || strcmp(name, sizes[i]) == 0;
}

/** The most telling cause first: an argument that is no address, a device pointer used on the host, memory
 * that was freed while registered, a copy that went too far; then what is left. */
SERVE(serve_crash, CRASH) {
    device->program.crashed = true;
    DeviceAddressKind kind = objects_address_kind(device, a->address);
    bool device_memory = kind == ADDRESS_DEVICE || kind == ADDRESS_FREED || kind == ADDRESS_NEAR;
    bool segmentation = a->signal == SIGSEGV;
    char words[WIRE_CRASH_TEXT + 1] = "", type[2 * WIRE_CRASH_TEXT];
    memcpy(words, a->text, WIRE_CRASH_TEXT);
    CrashFacts facts = {.segmentation = segmentation,
                        .aborted = a->signal == SIGABRT,
                        .unmapped = kind == ADDRESS_HOST,
                        .room = a->copy_room,
                        .bytes = a->copy_bytes,
                        .signal = plain_signal(signal_text(a->signal)),
                        .memory = complain_address(device, a->address),
                        .words = words[0] != 0 ? words : NULL};
    if (a->cause == WIRE_CRASH_EXCEPTION) add_exception(&facts, words, type, sizeof type);
    if (segmentation && a->cause == WIRE_CRASH_ARGUMENT)
        tell_argument(device, &facts, device_memory);
    else if (segmentation && device_memory && crashed_in_free(device, a->address))
        tell_freed_by_host(device, a->address);
    else if (segmentation && device_memory)
        tell_device_pointer(device, a->address);
    else if ((segmentation && tell_unpinned(device, a->address)) || tell_copy(device, a, &facts))
        return CUDA_OK;
    else
        complain(device, FINDING_CRASH,
                 said_of_end(facts.aborted ? (WireCrashCause)a->cause : WIRE_CRASH_ITSELF, &facts));
    return CUDA_OK;
}
