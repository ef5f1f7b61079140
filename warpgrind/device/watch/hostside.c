/* hostside.c - see hostside.h. */
#include "device/watch/hostside.h"
#include "base/minmax.h"
#include "base/poison.h"
#include "device/state/complain.h"
#include "device/state/names.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, GROUP = 64 /* words of one element of the bitmap */ };
/* So many touches of one byte, and no call between: the host waits for a kernel to change it. Fewer than the
 * client tells of (WATCH_MAX_TOUCHES). */
enum { POLLS = 100 };

/* ---- what the host has written ---- */

static uint64_t groups_of(const DeviceShared *shared) {
    return (shared->bytes / WORD + GROUP - 1) / GROUP;
}

bool hostside_begin(Device *device, DeviceShared *shared) {
    uint32_t *words = gpu_memory_host(device->gpu, shared->address, shared->bytes);
    uint64_t count = shared->bytes / WORD;
    shared->fresh = calloc((size_t)groups_of(shared) + 1, sizeof *shared->fresh);
    if (words == NULL || shared->fresh == NULL) return false;
    for (uint64_t i = 0; i < count; i++) {
        words[i] = POISON_SHARED_WORD;
        shared->fresh[i / GROUP] |= UINT64_C(1) << (i % GROUP);
    }
    return true;
}

void hostside_end(DeviceShared *shared) {
    free(shared->fresh);
    shared->fresh = NULL;
}

/** Bit i: word i has lost the pattern. */
static uint64_t changed_words(const uint32_t *words, uint64_t count) {
    uint32_t any = 0;
    for (uint64_t i = 0; i < count; i++)
        any |= words[i] ^ POISON_SHARED_WORD;
    if (any == 0) return 0;
    uint64_t changed = 0;
    for (uint64_t i = 0; i < count; i++)
        changed |= (uint64_t)(words[i] != POISON_SHARED_WORD) << i;
    return changed;
}

/** Words that lie side by side are one write. */
static void note_writes(Device *device, uint64_t address, const uint32_t *words, uint64_t written) {
    while (written != 0) {
        unsigned first = (unsigned)__builtin_ctzll(written);
        uint64_t rest = ~(written >> first);
        unsigned count = GROUP;
        if (rest != 0) count = (unsigned)__builtin_ctzll(rest);
        gpu_memory_write(device->gpu, address + first * WORD, words + first, (uint64_t)count * WORD, 0);
        if (first + count >= GROUP) return;
        written &= ~UINT64_C(0) << (first + count);
    }
}

static void look_through(Device *device, DeviceShared *shared, bool by_host) {
    const uint32_t *words = gpu_memory_host(device->gpu, shared->address, shared->bytes);
    uint64_t count = shared->bytes / WORD;
    for (uint64_t group = 0; group * GROUP < count; group++) {
        if (shared->fresh[group] == 0) continue;
        uint64_t first = group * GROUP, size = MIN(count - first, GROUP);
        uint64_t written = shared->fresh[group] & changed_words(words + first, size);
        shared->fresh[group] &= ~written;
        if (by_host) note_writes(device, shared->address + first * WORD, words + first, written);
    }
    uint64_t tail = shared->bytes % WORD; /* less than a word: taken for written */
    if (by_host && tail != 0)
        gpu_memory_write(device->gpu, shared->address + count * WORD, words + count, tail, 0);
}

static void look_through_all(Device *device, bool by_host) {
    for (DeviceShared *shared = device->objects.shared; shared != NULL; shared = shared->next)
        if (shared->used && shared->fresh != NULL) look_through(device, shared, by_host);
}

void hostside_take_writes(Device *device) {
    look_through_all(device, true);
}

void hostside_skip_writes(Device *device) {
    look_through_all(device, false);
}

/* ---- what the host touches too early ---- */

static const char *kernel_name(const DeviceOperation *launch) {
    return gpu_kernel_function(launch->launch.spec.kernel)->plain_name;
}

/** What a kernel does to memory that the host may watch while the kernel runs: PTX ISA 8.5, volatile is
 * relaxed at system scope; an atomic without a scope has the device's. */
bool hostside_may_watch(const GpuAccess *access) {
    if (access->semantics == PTX_SEM_VOLATILE) return true;
    bool strong = access->kind == GPU_ATOMIC || access->semantics != PTX_SEM_WEAK;
    return strong && access->scope == PTX_SCOPE_SYS;
}

static const char *noun_of_kernel(const GpuAccess *access) {
    if (access->kind == GPU_READ) return "read";
    if (access->kind == GPU_ATOMIC) return "atomic";
    return "write";
}

static const char *noun_of_host(const DeviceTouch *touch) {
    if (touch->freed) return "free";
    if (touch->write) return "write";
    return "read";
}

/** The finding's first party is the host's access, where the wait is missing; the second is the kernel's. */
static void report(Device *device, const DeviceTouch *touch, const GpuAccess *access) {
    const DeviceOperation *running = device->queue.running;
    TouchFacts facts = {.freed = touch->freed,
                        .host_writes = touch->write,
                        .atomic = access->kind == GPU_ATOMIC,
                        .kernel_reads = access->kind == GPU_READ,
                        .kernel = kernel_name(running),
                        .place = complain_line(device, running->site)};
    CheckFinding finding = {
        .kind = FINDING_MISSING_SYNC,
        .severity = FINDING_ERROR,
        .kernel = kernel_name(running),
        .party = {.what = noun_of_host(touch)},
        .other = {.what = noun_of_kernel(access), .place = check_place_of_pc(device->check, access->pc)},
        .mark = device->program.mark,
        .count = 1};
    symbols_place(device->symbols, touch->site, &finding.party.place);
    complain_finding(device, &finding, said_touch(TOUCH_MESSAGE, TOUCH_WHY, &facts));
}

/** Whether bytes from `address` on are among those of the touches, which may be a row of touches. */
static bool touches_any(const DeviceTouch *touch, uint64_t address, uint64_t bytes) {
    if (address >= touch->address + touch->bytes || touch->address >= address + bytes) return false;
    if (touch->step <= 1 || address < touch->address) return true;
    uint64_t past = (address - touch->address) % touch->step;
    return past == 0 || past + bytes > touch->step;
}

static bool meets(const GpuAccess *access, const DeviceTouch *touch) {
    for (uint32_t lanes = access->wanted; lanes != 0; lanes &= lanes - 1)
        if (touches_any(touch, access->address[__builtin_ctz(lanes)], access->bytes)) return true;
    return false;
}

/** Whether the kernel and the host may do that at once. */
static bool agree(const DeviceTouch *touch, const GpuAccess *access) {
    if (touch->freed) return false;
    return hostside_may_watch(access) || (!touch->write && access->kind == GPU_READ);
}

/** Compares a kernel's access with what the host did to shared memory while the kernel was pending. A kernel
 * that was queued after the host's access is in order, whatever it does. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (device->touches.count == 0 || device->queue.running == NULL || access->space != PTX_SPACE_GLOBAL)
        return;
    for (unsigned i = 0; i < device->touches.count; i++) {
        DeviceTouch *touch = &device->touches.list[i];
        if (touch->told || device->queue.running->sequence > touch->sequence || agree(touch, access))
            continue;
        if (!meets(access, touch)) continue;
        touch->told = true;
        report(device, touch, access);
    }
}

static bool may_repeat(void *self, const GpuRepeat *earlier) {
    const Device *device = self;
    (void)earlier;
    return device->touches.count == 0;
}

/** Remembers what the host did to memory that both sides use. Kernels are watched from the first such access
 * on, so that programs without shared memory pay nothing. */
static void add_touch(Device *device, DeviceTouch touch) {
    if (device->touches.count == DEVICE_MAX_TOUCHES) hostside_forget_touches(device);
    if (device->touches.count == DEVICE_MAX_TOUCHES) return;
    if (!device->touches.watched) {
        GpuObserver observer = {.self = device,
                                .access = on_access,
                                .in_repeats = true,
                                .repeats = may_repeat,
                                .in_ranges = true};
        gpu_attach(device->gpu, &observer);
        device->touches.watched = true;
    }
    touch.site = device->serving.site;
    touch.sequence = device->queue.next_sequence;
    device->touches.list[device->touches.count++] = touch;
}

/** A loop that walks through an array makes touches at even distances, in one line: they are kept as one. */
static bool grows(DeviceTouch *touch, uint64_t address) {
    uint64_t last = touch->address + touch->bytes - 1;
    if (address <= last || (touch->step != 0 && address - last != touch->step)) return false;
    touch->step = address - last;
    touch->bytes = address - touch->address + 1;
    return true;
}

bool hostside_touch(Device *device, uint64_t address, bool write) {
    for (unsigned i = 0; i < device->touches.count; i++) { /* a loop's: once for each byte */
        DeviceTouch *touch = &device->touches.list[i];
        if (touch->write != write || touch->freed || !touches_any(touch, address, 1)) continue;
        return ++touch->again == POLLS;
    }
    if (device->touches.count > 0) {
        DeviceTouch *newest = &device->touches.list[device->touches.count - 1];
        bool like = newest->write == write && !newest->freed && !newest->told &&
                    newest->site == device->serving.site && newest->sequence == device->queue.next_sequence;
        if (like && grows(newest, address)) return false;
    }
    add_touch(device, (DeviceTouch){.address = address, .bytes = 1, .write = write});
    return false;
}

void hostside_touched_too_often(Device *device, uint64_t site) {
    complain_note_at(device, FINDING_LIMIT, site, device->program.mark,
                     said_memory(MEMORY_TOUCHES_MESSAGE, MEMORY_TOUCHES_WHY, NULL));
}

void hostside_called_within(Device *device, uint32_t function, uint64_t site) {
    CallFacts facts = {.function = names_function(function), .launch = function == WIRE_cudaLaunchKernel};
    complain_at(device, FINDING_API_MISUSE, site, device->program.mark,
                said_call(CALL_WITHIN_MESSAGE, CALL_WITHIN_WHY, &facts));
}

void hostside_give_back(Device *device, uint64_t address, uint64_t bytes) {
    if (device->queue.first == NULL || bytes == 0) return;
    add_touch(device, (DeviceTouch){.address = address, .bytes = bytes, .write = true, .freed = true});
}

void hostside_forget_touches(Device *device) {
    uint64_t oldest = UINT64_MAX;
    for (const DeviceOperation *any = device->queue.first; any != NULL && oldest == UINT64_MAX;
         any = any->next)
        if (any->kind == OPERATION_LAUNCH && any != device->queue.running) oldest = any->sequence;
    unsigned kept = 0;
    for (unsigned i = 0; i < device->touches.count; i++)
        if (oldest <= device->touches.list[i].sequence)
            device->touches.list[kept++] = device->touches.list[i];
    device->touches.count = kept;
}
