/* serve_crash.c - how the program dies, in words: which signal, where in the host's code, and when a copy
 * went past the end of the host's memory, that copy. All numbers come from the dying program and are only
 * shown. */
#include "device/complain.h"
#include "device/serve.h"

#include <signal.h>
#include <string.h>

void serve_note_landing(Device *device, const DeviceCopy *copy, uint64_t site) {
    device->landings[device->landing_count++ % DEVICE_MAX_LANDINGS] =
        (DeviceLanding){.address = copy->to, .site = site};
}

/** The newest copy to that host address; 0: forgotten. */
static uint64_t site_of_landing(const Device *device, uint64_t address) {
    for (unsigned i = 1; i <= DEVICE_MAX_LANDINGS && i <= device->landing_count; i++) {
        const DeviceLanding *landing = &device->landings[(device->landing_count - i) % DEVICE_MAX_LANDINGS];
        if (landing->address == address) return landing->site;
    }
    return 0;
}

static const char *signal_name(uint64_t number) {
    switch (number) {
    case SIGSEGV:
        return "a segmentation fault";
    case SIGBUS:
        return "a bus error";
    case SIGFPE:
        return "an arithmetic error (division by zero)";
    case SIGILL:
        return "an illegal instruction";
    case SIGTRAP:
        return "a breakpoint instruction";
    case SIGSYS:
        return "a system call that is not allowed";
    default:
        return "a signal";
    }
}

/** The memory that a device pointer used on the host belongs to, in words. free() reads the bytes before it.
 */
static const char *used_device_memory(Device *device, uint64_t address) {
    enum { HEAP_HEADER = 16 };
    if (device_address_kind(device, address) == ADDRESS_NEAR &&
        device_address_kind(device, address + HEAP_HEADER) == ADDRESS_DEVICE)
        address += HEAP_HEADER;
    const char *text = complain_address(device, address);
    if (device_address_kind(device, address) == ADDRESS_NEAR) return text; /* says so itself */
    const char *whole = arena_format(device->arena, "an address in %s", text);
    return whole != NULL ? whole : text;
}

/* ---- a copy past the end of the host's memory ---- */

/** What the C library said of the heap, in quotes and with a blank before it; "" when it said nothing. */
static const char *library_words(Device *device, const Arguments_CRASH *a) {
    char words[WIRE_CRASH_TEXT + 1] = "";
    memcpy(words, a->text, WIRE_CRASH_TEXT);
    if (words[0] == 0) return "";
    const char *text = arena_format(device->arena, " (\"%s\")", words);
    return text != NULL ? text : "";
}

static const char *ending_of(uint64_t number) {
    return number == SIGABRT ? "" : ", and the program died of the damage";
}

/** The copy's line comes first: where the damage was noticed says little. False when no copy is to blame. */
static bool tell_copy(Device *device, const Arguments_CRASH *a) {
    uint64_t noticed = device->site, site = a->copy_bytes != 0 ? site_of_landing(device, a->copy_address) : 0;
    if (site == 0) return false;
    const char *words = library_words(device, a), *bytes = complain_number(device, a->copy_bytes);
    device->site = site;
    if (a->copy_room != 0)
        complain_both(device, FINDING_CRASH, noticed, "noticed here",
                      "The array on the host is smaller than what is copied into it. Use the same number "
                      "of bytes for both: count * sizeof(element), with the count that the array was "
                      "allocated for.",
                      "this copy writes %s bytes to a block of the host's heap that has room for %s%s%s",
                      bytes, complain_number(device, a->copy_room), words, ending_of(a->signal));
    else
        complain_both(device, FINDING_CRASH, noticed, "noticed here",
                      "Compare the bytes of the copy with those of the array that it writes to. If they "
                      "fit, the host's own code wrote past an array.",
                      a->cause == WIRE_CRASH_STACK
                          ? "the program overwrote its own stack; this copy of %s bytes was the last that "
                            "wrote to an array there%s"
                          : "the C library found the host's heap damaged; this copy of %s bytes was the last "
                            "that wrote there%s",
                      bytes, words);
    device->site = noticed;
    return true;
}

static void tell_abort(Device *device, const Arguments_CRASH *a) {
    switch ((WireCrashCause)a->cause) {
    case WIRE_CRASH_ASSERTION:
        complain(device, FINDING_CRASH, "The condition of this assert() does not hold.",
                 "an assertion on the host failed and ended the program");
        return;
    case WIRE_CRASH_HEAP:
        complain(device, FINDING_CRASH,
                 "Something wrote past the end of an array from malloc or new before this line, or freed "
                 "memory twice. Build the host's code with -fsanitize=address to see where.",
                 "the C library found the host's heap damaged and ended the program%s",
                 library_words(device, a));
        return;
    case WIRE_CRASH_STACK:
        complain(device, FINDING_CRASH,
                 "The function that returns here wrote past the end of one of its local arrays.",
                 "the program overwrote its own stack, and the C library aborted it");
        return;
    case WIRE_CRASH_EXCEPTION:
        complain(device, FINDING_CRASH, "It was thrown here, and no catch took it.",
                 "an exception that nothing catches ended the program");
        return;
    case WIRE_CRASH_ITSELF:
        break;
    }
    complain(device, FINDING_CRASH, NULL, "the program called abort()");
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
    complain(device, FINDING_HOST_DEVICE_POINTER,
             "Free memory from cudaMalloc with cudaFree. free() and delete know only the host's memory. (A "
             "host index of -1 would crash in the same way.)",
             "host code seems to free a device pointer: it touched the bytes before %s",
             complain_address(device, gpu_memory_nearest(device->gpu, address)->address));
}

/** free() of a large array gives its pages back; small ones stay, and a copy into them goes unnoticed. */
static bool tell_unpinned(Device *device, uint64_t address) {
    const DevicePinned *pinned = device_pinned(device, address);
    if (pinned == NULL) return false;
    complain(device, FINDING_CRASH,
             "free(), delete and the destructor of a container take the memory away from copies and "
             "kernels that still use it. Wait for them first (cudaStreamSynchronize), then call "
             "cudaHostUnregister, then free the memory.",
             "the program died of a segmentation fault: host memory that was registered at %s was freed "
             "while it was still registered",
             complain_line(device, pinned->site));
    return true;
}

SERVE(serve_crash, CRASH) {
    device->crashed = true;
    DeviceAddressKind kind = device_address_kind(device, a->address);
    bool device_memory = kind == ADDRESS_DEVICE || kind == ADDRESS_FREED || kind == ADDRESS_NEAR;
    if (a->signal == SIGSEGV && device_memory && crashed_in_free(device, a->address))
        tell_freed_by_host(device, a->address);
    else if (a->signal == SIGSEGV && device_memory)
        complain(device, FINDING_HOST_DEVICE_POINTER,
                 "A device pointer is an address in the GPU's memory: the host may keep it and pass it on, "
                 "but not read or write through it. Copy the data with cudaMemcpy, or do the work in a "
                 "kernel.",
                 "host code used a device pointer: %s", used_device_memory(device, a->address));
    else if (a->signal == SIGSEGV && tell_unpinned(device, a->address))
        return CUDA_OK;
    else if (tell_copy(device, a))
        return CUDA_OK;
    else if (a->signal == SIGABRT)
        tell_abort(device, a);
    else
        complain(
            device, FINDING_CRASH,
            a->signal != SIGSEGV
                ? NULL
                : "The host side of the program touched memory that is not its own: a null or wild pointer, "
                  "an index past the end of an array, or memory that was freed.",
            "the program died of %s%s%s", signal_name(a->signal),
            a->signal == SIGSEGV ? " in host code, using " : " in host code",
            a->signal == SIGSEGV ? (kind == ADDRESS_HOST ? "an address that is not mapped"
                                                         : complain_address(device, a->address))
                                 : "");
    return CUDA_OK;
}
