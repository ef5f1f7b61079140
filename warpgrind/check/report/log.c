/* log.c - what happened, for the report: launches, copies to the host and who had written what they copied;
 * and how launches end.
 *
 * Also keeps check->launch, which every other observer asks. Lists are bounded, totals go on.
 */
#include "base/fingerprint.h"
#include "base/minmax.h"
#include "check/faults/faults.h"
#include "check/races/writers.h"
#include "check/report/log.h"
#include "check/texts.h"

#include <string.h>

#define MAX_TRACED_COPY (UINT64_C(64) << 20) /* writers of larger copies are not listed */

bool log_create(Check *check) {
    check->log.launches = ARENA_ARRAY(check->arena, CHECK_MAX_LAUNCHES, LoggedLaunch);
    check->log.copies = ARENA_ARRAY(check->arena, CHECK_MAX_COPIES, LoggedCopy);
    return check->log.launches && check->log.copies;
}

void check_add_launch(Check *check, uint32_t id, uint32_t parent, GpuDim grid, GpuDim block) {
    Log *log = &check->log;
    if (log->launch_count < CHECK_MAX_LAUNCHES)
        log->launches[log->launch_count++] =
            (LoggedLaunch){.id = id, .parent = parent, .grid = grid, .block = block};
}

/* Beyond CHECK_MAX_LAUNCHES a launch is counted and not listed; findings still name it. */
static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Check *check = self;
    Log *log = &check->log;
    check->launch = launch;
    check->launch_told = check->told;
    check->notes_told = 0;
    check_remember_names(check, launch);
    libraries_launch(check, launch);
    log->launches_total++;
    if (log->launch_count == CHECK_MAX_LAUNCHES) return;
    LoggedLaunch *entry = &log->launches[log->launch_count++];
    *entry = (LoggedLaunch){
        .id = launch->id, .mark = check->mark, .grid = launch->spec.grid, .block = launch->spec.block};
    entry->kernel = check_intern(check, check_kernel_name(launch));
    entry->code_file = check_intern(check, gpu_kernel_file(launch->spec.kernel));
    entry->place = check_place_of_launch(check, launch);
    entry->dynamic_shared = launch->spec.dynamic_shared;
    entry->resident = launch->spec.resident;
    entry->occupancy = launch->spec.occupancy;
    entry->parent = launch->spec.parent;
    overlaps_tell(check, launch);
}

/* A launch that ended badly is told once for each place and kind; where it is known which instruction ended
 * it, that one comes first. */
static void add_end(Check *check, const GpuLaunch *launch, FindingKind kind, EndText message, EndText why) {
    uint64_t key = check_key(SEEN_END, (uint64_t)kind, launch->spec.site);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {
        .kind = kind, .severity = FINDING_ERROR, .party.place = check_place_of_launch(check, launch)};
    if (launch->trap_pc && kind == FINDING_CRASH) {
        finding.other = finding.party;
        finding.other.what = "launch";
        finding.party =
            check_party_at(check, launch, launch->trap_block, launch->trap_thread, launch->trap_pc, "trap");
    }
    EndFacts facts = {.kernel = check_kernel_name(launch)};
    Said said = said_end(message, why, &facts);
    check_tell(check, &finding, key, &said);
}

/* A fault or a hang has had an event of its own, which nobody looks at when that check is switched off. That
 * the launch was stopped is told all the same. The other ways to end are told here, but for assertions. */
static void tell_end(Check *check, const GpuLaunch *launch, GpuStatus status) {
    const CheckOptions *options = &check->options;
    bool apart = launch->meets_grid && !launch->spec.cooperative;
    switch (status) {
    case GPU_TRAP:
        if (apart)
            add_end(check, launch, FINDING_INVALID_LAUNCH, END_GRID_MESSAGE, END_GRID_WHY);
        else
            add_end(check, launch, FINDING_CRASH, END_TRAP_MESSAGE, END_TRAP_WHY);
        return;
    case GPU_ILLEGAL_INSTRUCTION:
        if (launch->trap_pc)
            add_end(check, launch, FINDING_CRASH, END_FUNCTION_MESSAGE, END_FUNCTION_WHY);
        else
            add_end(check, launch, FINDING_CRASH, END_INSTRUCTION_MESSAGE, END_INSTRUCTION_WHY);
        return;
    case GPU_STACK_OVERFLOW:
        add_end(check, launch, FINDING_LIMIT, END_STACK_MESSAGE, END_STACK_WHY);
        return;
    case GPU_OUT_OF_MEMORY:
        add_end(check, launch, FINDING_LIMIT, END_MEMORY_MESSAGE, END_MEMORY_WHY);
        return;
    case GPU_HANG:
        if (!options->synchronisation) add_end(check, launch, FINDING_HANG, END_HANG_MESSAGE, END_HANG_WHY);
        return;
    case GPU_ILLEGAL_ADDRESS:
        if (!options->memory)
            add_end(check, launch, FINDING_OUT_OF_BOUNDS, END_ADDRESS_MESSAGE, END_ACCESS_WHY);
        return;
    case GPU_MISALIGNED:
        if (!options->memory)
            add_end(check, launch, FINDING_MISALIGNED, END_MISALIGNED_MESSAGE, END_ACCESS_WHY);
        return;
    case GPU_OK:
    case GPU_ASSERT:
    case GPU_HALTED:
        return;
    }
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Check *check = self;
    Log *log = &check->log;
    tell_end(check, launch, status);
    LoggedLaunch *entry = NULL;
    if (log->launch_count) entry = &log->launches[log->launch_count - 1];
    if (!entry || entry->id != launch->id) return;
    entry->status = status;
    entry->ended = true;
    entry->thread_instructions = launch->thread_instructions;
}

/* The assertion's own file and line are used when the kernel has no debug lines. Its condition is the
 * program's text, so it is made visible before it is part of a message. */
static void on_asserted(void *self, const GpuWarp *warp, uint32_t lane, uint32_t pc, const char *condition,
                        const char *file, unsigned line) {
    Check *check = self;
    uint64_t key = check_key(SEEN_ASSERTION, pc, 0);
    if (check_seen(check, key, 1)) return;
    const GpuBlock *block = gpu_warp_block(warp);
    CheckFinding finding = {.kind = FINDING_CRASH, .severity = FINDING_ERROR};
    finding.party = check_party(check, block, 32 * gpu_warp_index(warp) + lane, pc, "assert");
    if (finding.party.place.line == 0)
        finding.party.place = (CheckPlace){.file = text_or(file, ""), .line = (int)line};
    Text visible;
    text_init(&visible);
    if (condition) text_add_visible(&visible, condition, strlen(condition));
    ThreadFacts facts = {.party = {&finding.party, gpu_block_launch(block)}, .condition = visible.bytes};
    Said said = said_thread(THREAD_ASSERT_MESSAGE, THREAD_ASSERT_WHY, &facts);
    check_tell(check, &finding, key, &said);
    text_free(&visible);
}

/* The launch was refused in the kernel, whose author may never look at cudaGetLastError there: so it is
 * told. */
static void on_child_refused(void *self, const GpuWarp *warp, unsigned lane, uint32_t pc, const char *kernel,
                             const char *mistake) {
    Check *check = self;
    uint64_t key = check_key(SEEN_CHILD_REFUSED, pc, 0);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_INVALID_LAUNCH, .severity = FINDING_ERROR};
    finding.party = check_party(check, gpu_warp_block(warp), 32 * gpu_warp_index(warp) + lane, pc, "child");
    ThreadFacts facts = {.party = {&finding.party, gpu_block_launch(gpu_warp_block(warp))},
                         .kernel = kernel[0] ? kernel : NULL,
                         .mistake = mistake};
    Said said = said_thread(THREAD_LAUNCH_MESSAGE, THREAD_LAUNCH_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* printf in a kernel knows less than the host's, and prints what lies there where it was given no value: once
 * for each line. */
static void on_printed_wrongly(void *self, const GpuWarp *warp, unsigned lane, uint32_t pc,
                               const char *specifier, GpuPrintfMistake mistake) {
    Check *check = self;
    uint64_t key = check_key(SEEN_PRINTED, pc, mistake);
    if (check_seen(check, key, 1)) return;
    const GpuBlock *block = gpu_warp_block(warp);
    CheckFinding finding = {.kind = FINDING_API_MISUSE, .severity = FINDING_NOTE};
    const bool note =
        mistake == GPU_PRINTF_UNKNOWN || mistake == GPU_PRINTF_EXCESS || mistake == GPU_PRINTF_CUT;
    if (!note) finding.severity = FINDING_ERROR;
    finding.party = check_party(check, block, 32 * gpu_warp_index(warp) + lane, pc, "printf");
    Text visible;
    text_init(&visible);
    text_add_visible(&visible, specifier, strlen(specifier));
    ThreadFacts facts = {.excess = mistake == GPU_PRINTF_EXCESS,
                         .missing = mistake == GPU_PRINTF_MISSING,
                         .unknown = mistake == GPU_PRINTF_UNKNOWN,
                         .cut = mistake == GPU_PRINTF_CUT,
                         .wide = mistake == GPU_PRINTF_WIDE,
                         .real = mistake == GPU_PRINTF_DOUBLE,
                         .whole = mistake == GPU_PRINTF_WHOLE,
                         .no_text = mistake == GPU_PRINTF_NO_TEXT,
                         .no_end = mistake == GPU_PRINTF_NO_END,
                         .specifier = visible.bytes};
    Said said = said_thread(THREAD_PRINTF_MESSAGE, THREAD_PRINTF_WHY, &facts);
    check_tell(check, &finding, key, &said);
    text_free(&visible);
}

/* The last word of an odd number of bytes is filled up with zeros; 0 for memory that is not there. */
static uint64_t fingerprint_of(Check *check, uint64_t address, uint64_t bytes) {
    const unsigned char *memory = gpu_memory_host(check->gpu, address, bytes);
    uint64_t print = 0, at = 0;
    for (; memory && bytes - at >= 16; at += 16) {
        uint32_t words[4];
        memcpy(words, memory + at, sizeof words);
        print = fingerprint_add_four(print, words);
    }
    for (; memory && at < bytes; at += 4) {
        uint32_t word = 0;
        memcpy(&word, memory + at, MIN(bytes - at, 4));
        print = fingerprint_add(print, word);
    }
    return print;
}

/* LIMIT: CHECK_MAX_WRITERS of a copy and CHECK_MAX_ALL_WRITERS of a run, or a report of a program with many
 * copies would not fit in memory. The fingerprint of each piece lets a judge find it in an answer. */
static void list_writers(Check *check, LoggedCopy *copy, uint64_t address, uint64_t bytes) {
    LoggedWriter writers[CHECK_MAX_WRITERS];
    unsigned left = CHECK_MAX_ALL_WRITERS - check->log.writers_total;
    unsigned most;
    if (left < CHECK_MAX_WRITERS)
        most = left;
    else
        most = (unsigned)CHECK_MAX_WRITERS;
    unsigned count;
    if (strcmp(copy->to, "shared") == 0)
        count = writers_list_apart(check, address, bytes, writers, most);
    else
        count = writers_list(check, address, bytes, writers, most);
    check->log.writers_total += count;
    copy->writers = ARENA_ARRAY(check->arena, count ? count : 1, LoggedWriter);
    if (!copy->writers) {
        check_incomplete(check);
        return;
    }
    copy->writer_count = count;
    for (unsigned i = 0; i < count; i++) {
        copy->writers[i] = writers[i];
        copy->writers[i].fingerprint = fingerprint_of(check, address + writers[i].offset, writers[i].bytes);
    }
}

/* When the list is full, nothing more is worked out about the copy. */
static void add_copy(Check *check, const LoggedCopy *shown, uint64_t address) {
    Log *log = &check->log;
    log->copies_total++;
    if (log->copy_count == CHECK_MAX_COPIES) return;
    LoggedCopy *copy = &log->copies[log->copy_count++];
    *copy = *shown;
    copy->mark = check->mark;
    copy->fingerprint = fingerprint_of(check, address, copy->bytes);
    if (copy->bytes <= MAX_TRACED_COPY) list_writers(check, copy, address, copy->bytes);
}

static void on_host_read(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                         uint64_t site) {
    Check *check = self;
    (void)allocation;
    LoggedCopy shown = {.to = "host", .bytes = bytes, .place = check_place_of_site(check, site)};
    add_copy(check, &shown, address);
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    Check *check = self;
    (void)to;
    LoggedCopy copy = {.to = "device", .bytes = bytes, .place = check_place_of_site(check, site)};
    add_copy(check, &copy, from);
}

/* The host sees managed and mapped memory without a copy. */
static void log_shared_memory(Check *check, const GpuLaunch *launch) {
    const GpuAllocation *memory = NULL;
    while ((memory = gpu_memory_next(check->gpu, memory))) {
        bool managed = memory->kind == GPU_ALLOC_MANAGED || (memory->variable && memory->variable->managed);
        if (memory->freed || (!managed && memory->kind != GPU_ALLOC_MAPPED)) continue;
        LoggedCopy copy = {
            .to = "shared", .bytes = memory->bytes, .place = check_place_of_launch(check, launch)};
        add_copy(check, &copy, memory->address);
    }
}

static void on_launch_over(void *self, const GpuLaunch *launch, GpuStatus status) {
    Check *check = self;
    (void)status;
    log_shared_memory(check, launch);
    check->launch = NULL;
    check->called = NULL;
}

/* ---- launches that are done again ---- */

static bool nothing_was_told(void *self, const GpuLaunch *launch) {
    const Check *check = self;
    (void)launch;
    return check->told == check->launch_told + check->notes_told;
}

static void on_range_begin(void *self) {
    Check *check = self;
    check->range_told = check->told;
}

/* What the others tell, the first process has to tell: it knows what was told before. */
static bool on_range_quiet(void *self, const GpuRange *range) {
    const Check *check = self;
    (void)range;
    return check->told == check->range_told;
}

GpuObserver log_last_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .launch_end = on_launch_over,
                         .in_repeats = true,
                         .keep = nothing_was_told,
                         .in_ranges = true,
                         .range_begin = on_range_begin,
                         .range_quiet = on_range_quiet};
}

/* A launch may be repeated without being executed when nothing but notes was told of it. */
GpuObserver log_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .launch_begin = on_launch_begin,
                         .launch_end = on_launch_end,
                         .host_read = on_host_read,
                         .device_copy = on_device_copy,
                         .asserted = on_asserted,
                         .child_refused = on_child_refused,
                         .divided_by_zero = division_on_zero,
                         .shifted_far = shifts_on_far,
                         .printed_wrongly = on_printed_wrongly,
                         .in_repeats = true,
                         .keep = nothing_was_told,
                         .in_ranges = true};
}
