/* unread.c - see unread.h. */
#include "device/watch/unread.h"
#include "base/minmax.h"

#include "base/growable.h"
#include "base/headers.h"
#include "device/state/complain.h"
#include "device/state/state.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, WORDS_OF_UNIT = 64 };

/** What happened to one allocation. A word that a kernel wrote has its bit until it is used or written anew
 * by the host; the first use of such a word is the end of it: then the kernel's work was not in vain. */
typedef struct UnreadState {
    uint32_t pc; /* of the first store in the code that wrote there; 0: no kernel has */
    const char *mark;
    uint64_t base, bytes;
    uint64_t *written; /* NULL: nothing yet, or it does not matter any more */
    uint64_t over;     /* the call that wrote over all of it, before anybody used it; 0: none */
    bool used, touched /* in the launch that runs */;
} UnreadState;

struct Unread {
    UnreadState *states; /* by allocation id */
    size_t capacity;
    uint32_t *touched; /* ids, in the launch that runs */
    size_t touched_count, touched_capacity;
};

/* ---- the table ---- */

static UnreadState *state_of(Unread *unread, uint32_t id) {
    UnreadState *states = growable_grow(unread->states, &unread->capacity, (size_t)id + 1, sizeof *states);
    if (states == NULL) return NULL;
    unread->states = states;
    return &states[id];
}

static bool make_room(Unread *unread) {
    uint32_t *touched =
        growable_grow(unread->touched, &unread->touched_capacity, unread->touched_count + 1, sizeof *touched);
    if (touched == NULL) return false;
    unread->touched = touched;
    return true;
}

static void use(UnreadState *state) {
    state->used = true;
    free(state->written);
    state->written = NULL;
}

/** The state of an allocation that a kernel touches; NULL: it does not matter any more. */
static UnreadState *touch(Unread *unread, uint32_t id) {
    UnreadState *state = state_of(unread, id);
    if (state == NULL || state->used) return NULL;
    if (state->touched) return state;
    if (!make_room(unread)) return NULL;
    unread->touched[unread->touched_count++] = id;
    state->touched = true;
    return state;
}

/* ---- words ---- */

/** The words of a range of addresses, within the allocation; false when there are none. */
static bool words_of(const UnreadState *state, uint64_t address, uint64_t bytes, uint64_t *first,
                     uint64_t *end) {
    if (address < state->base || address - state->base >= state->bytes || bytes == 0) return false;
    uint64_t from = address - state->base, room = state->bytes - from;
    *first = from / WORD;
    *end = (from + MIN(bytes, room) - 1) / WORD + 1;
    return true;
}

/** Those of the words that are in one unit. */
static uint64_t mask_of(uint64_t unit, uint64_t first, uint64_t end) {
    uint64_t base = unit * WORDS_OF_UNIT, mask = ~UINT64_C(0);
    if (first > base) mask <<= first - base;
    if (end < base + WORDS_OF_UNIT) mask &= (UINT64_C(1) << (end - base)) - 1;
    return mask;
}

static void set_words(UnreadState *state, uint64_t address, uint64_t bytes, bool value) {
    uint64_t first, end;
    if (state->written == NULL || !words_of(state, address, bytes, &first, &end)) return;
    for (uint64_t unit = first / WORDS_OF_UNIT; unit <= (end - 1) / WORDS_OF_UNIT; unit++) {
        uint64_t mask = mask_of(unit, first, end), now = state->written[unit];
        if (value)
            state->written[unit] = now | mask;
        else
            state->written[unit] = now & ~mask;
    }
}

/** A use of these bytes, by anybody. */
static void use_words(UnreadState *state, uint64_t address, uint64_t bytes) {
    uint64_t first, end;
    if (state->written == NULL || !words_of(state, address, bytes, &first, &end)) return;
    for (uint64_t unit = first / WORDS_OF_UNIT; unit <= (end - 1) / WORDS_OF_UNIT && !state->used; unit++)
        if ((state->written[unit] & mask_of(unit, first, end)) != 0) use(state);
}

static bool begin_words(UnreadState *state, const GpuAllocation *allocation) {
    if (state->written != NULL) return true;
    state->base = allocation->address;
    state->bytes = allocation->bytes;
    state->written = calloc((size_t)(allocation->bytes / WORD / WORDS_OF_UNIT + 1), sizeof *state->written);
    if (state->written == NULL) state->used = true;
    return state->written != NULL;
}

/* ---- kernels ---- */

static void note_bytes(UnreadState *state, const GpuAccess *access, uint64_t address, uint64_t bytes) {
    if (access->kind == GPU_READ) {
        use_words(state, address, bytes);
    } else {
        set_words(state, address, bytes, true);
        state->over = 0;
    }
}

/** The value that an atomic operation returns is what it is for. */
static void note_lanes(UnreadState *state, const GpuAccess *access, uint32_t lanes) {
    if (access->kind == GPU_ATOMIC && !access->reduction) use(state);
    if (access->contiguous && lanes == access->lanes) {
        uint64_t bytes = (uint64_t)access->bytes * (uint64_t)__builtin_popcount(lanes);
        note_bytes(state, access, access->address[__builtin_ctz(lanes)], bytes);
        return;
    }
    for (; lanes != 0 && !state->used; lanes &= lanes - 1)
        note_bytes(state, access, access->address[__builtin_ctz(lanes)], access->bytes);
}

static void note(Unread *unread, const GpuAccess *access, const GpuAllocation *allocation, uint32_t lanes) {
    UnreadState *state = state_of(unread, allocation->id);
    if (state == NULL || state->used || (access->kind == GPU_READ && state->written == NULL)) return;
    if (touch(unread, allocation->id) == NULL || !begin_words(state, allocation)) return;
    note_lanes(state, access, lanes);
    if (access->kind != GPU_READ && (state->pc == 0 || access->pc < state->pc)) state->pc = access->pc;
}

/** Lanes of one access usually share an allocation; otherwise each is looked up by itself. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (access->space != PTX_SPACE_GLOBAL || access->lanes == 0) return;
    if (access->allocation != NULL) {
        note(device->unread, access, access->allocation, access->lanes);
        return;
    }
    for (uint32_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = lanes & -lanes;
        const GpuAllocation *one = gpu_memory_find(device->gpu, access->address[__builtin_ctz(lanes)]);
        if (one != NULL) note(device->unread, access, one, lane);
    }
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Device *device = self;
    Unread *unread = device->unread;
    (void)launch, (void)status;
    for (size_t i = 0; i < unread->touched_count; i++) {
        UnreadState *state = &unread->states[unread->touched[i]];
        if (device->queue.running != NULL)
            state->mark = device->queue.running->mark;
        else
            state->mark = device->program.mark;
        state->touched = false;
    }
    unread->touched_count = 0;
}

/* ---- copies ---- */

static UnreadState *known(const Device *device, const GpuAllocation *allocation) {
    const Unread *unread = device->unread;
    bool is_known = allocation != NULL && allocation->id < unread->capacity;
    if (is_known) return &unread->states[allocation->id];
    return NULL;
}

static void on_host_read(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                         uint64_t site) {
    UnreadState *state = known(self, allocation);
    (void)site;
    if (state != NULL) use_words(state, address, bytes);
}

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    UnreadState *state = known(self, allocation);
    if (state == NULL) return;
    set_words(state, address, bytes, false);
    if (state->pc != 0 && bytes == allocation->bytes) state->over = site;
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    const Device *device = self;
    UnreadState *source = known(device, gpu_memory_find(device->gpu, from));
    UnreadState *target = known(device, gpu_memory_find(device->gpu, to));
    (void)site;
    if (source != NULL) use_words(source, from, bytes);
    if (target != NULL) set_words(target, to, bytes, false);
}

/* ---- ranges ---- */

/** One allocation that a range touched. */
typedef struct UnreadPiece {
    uint32_t id, pc;
    uint64_t used;
} UnreadPiece;

static void on_range_put(void *self, GpuRange *range) {
    const Unread *unread = ((const Device *)self)->unread;
    const uint64_t count = unread->touched_count;
    gpu_range_put(range, &count, sizeof count);
    for (uint64_t i = 0; i < count; i++) {
        const UnreadState *state = &unread->states[unread->touched[i]];
        const UnreadPiece piece = {.id = unread->touched[i], .pc = state->pc, .used = state->used};
        gpu_range_put(range, &piece, sizeof piece);
    }
}

static void take_word(Device *device, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    UnreadState *state = NULL;
    if (allocation != NULL) state = touch(device->unread, allocation->id);
    if (state != NULL && begin_words(state, allocation)) set_words(state, address, WORD, true);
}

static void take_page(Device *device, const GpuRangePage *page) {
    for (unsigned i = 0; i < 32; i++)
        for (uint32_t words = page->written[i] | page->atomic[i]; words != 0; words &= words - 1)
            take_word(device,
                      GPU_GLOBAL_BASE + page->offset + WORD * (32 * i + (unsigned)__builtin_ctz(words)));
}

/** What a worker process saw of its range of blocks (--threads) joins what is known here. The least pc is
 * kept, so that the line does not depend on how the blocks were divided. */
static void on_range_take(void *self, GpuRange *range) {
    Device *device = self;
    const uint64_t *count = gpu_range_take(range, sizeof *count);
    for (uint64_t i = 0; i < *count; i++) {
        const UnreadPiece *piece = gpu_range_take(range, sizeof *piece);
        UnreadState *state = touch(device->unread, piece->id);
        if (state == NULL) continue;
        if (piece->pc != 0 && (state->pc == 0 || piece->pc < state->pc)) state->pc = piece->pc;
        if (piece->used != 0) use(state);
    }
    const GpuRangePage *page;
    for (unsigned i = 0; (page = gpu_range_page(range, i)) != NULL; i++)
        if (page->changed) take_page(device, page);
}

/* ---- launches that are done again ---- */

/** What it writes is marked already, or else the host has written there since. What it reads must not be a
 * kernel's work that nobody has used yet. */
static bool may_repeat(void *self, const GpuRepeat *earlier) {
    const Unread *unread = ((const Device *)self)->unread;
    for (unsigned i = 0; i < earlier->read_count; i++) {
        uint32_t id = earlier->read[i];
        if (id < unread->capacity && unread->states[id].written != NULL) return false;
    }
    return true;
}

/* ---- the end ---- */

static bool is_of_program(const Device *device, const PtxVariable *variable) {
    for (const DeviceVariable *any = device->objects.variables; any != NULL; any = any->next)
        if (strcmp(any->name, variable->name) == 0) return true;
    return false;
}

static bool is_result(const Device *device, const GpuAllocation *allocation, const UnreadState *state) {
    if (state->pc == 0 || state->used || state->written == NULL) return false;
    if (allocation->kind == GPU_ALLOC_DEVICE) return allocation->alloc_site != 0;
    if (allocation->kind != GPU_ALLOC_GLOBAL_VARIABLE || allocation->variable->managed) return false;
    return is_of_program(device, allocation->variable);
}

/** A volatile store, or one with an order, is meant for threads of the same kernel that run beside it,
 * whether they come to read it this time or not. */
static bool is_message(const Device *device, const UnreadState *state) {
    const PtxInstruction *store = gpu_place(device->gpu, state->pc).instruction;
    return store != NULL && store->opcode == PTX_OP_st && store->modifiers.semantics != PTX_SEM_WEAK;
}

/** In the storage of CUB, and in a vector that Thrust fills, there is much that nobody needs to read. */
static bool is_of_library(const Device *device, const UnreadState *state) {
    return headers_of_library(text_or(check_place_of_pc(device->check, state->pc).file, ""));
}

static bool is_read(const CheckParty *party) {
    return party->what != NULL && strcmp(party->what, "read") == 0;
}

/** A kernel that races for it reads it, if only too early this time. */
static bool is_raced_for(const Device *device, const GpuAllocation *allocation) {
    const CheckPlace place =
        check_array_at(device->check, NULL, PTX_SPACE_GLOBAL, allocation->address, allocation, 1).declared;
    const CheckFinding *finding;
    for (unsigned i = 0; place.line > 0 && (finding = check_finding(device->check, i)) != NULL; i++) {
        const CheckPlace *declared = &finding->array.declared;
        if (finding->kind != FINDING_GLOBAL_RACE || !(is_read(&finding->party) || is_read(&finding->other)))
            continue;
        if (declared->line == place.line && text_same(declared->file, place.file)) return true;
    }
    return false;
}

static bool is_write_at(const CheckParty *party, const CheckPlace *place) {
    return text_same(party->what, "write") && place->line > 0 && party->place.line == place->line &&
           text_same(party->place.file, place->file);
}

/** Another stream reads it, and did so too early this time. */
static bool is_awaited(const Device *device, const UnreadState *state) {
    const CheckPlace place = check_place_of_pc(device->check, state->pc);
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(device->check, i)) != NULL; i++) {
        if (finding->kind != FINDING_MISSING_SYNC) continue;
        if (is_write_at(&finding->party, &place) && is_read(&finding->other)) return true;
        if (is_write_at(&finding->other, &place) && is_read(&finding->party)) return true;
    }
    return false;
}

/** The kernel's store is the place, the allocation the other one. A library's store says nothing: which of
 * its calls made it is not known any more. */
static void tell(Device *device, const GpuAllocation *allocation, const UnreadState *state) {
    GpuPlace place = gpu_place(device->gpu, state->pc);
    const PtxVariable *variable = allocation->variable;
    const char *kernel = NULL;
    if (place.function != NULL) kernel = place.function->plain_name;
    UnreadFacts facts = {.kernel = text_or(kernel, ""),
                         .bytes = allocation->bytes,
                         .place = complain_line(device, allocation->alloc_site)};
    if (state->over != 0) facts.over = complain_line(device, state->over);
    CheckFinding finding = {.kind = FINDING_UNUSED_RESULT,
                            .severity = FINDING_NOTE,
                            .kernel = kernel,
                            .party = {.what = "write"},
                            .mark = state->mark,
                            .count = 1};
    if (variable != NULL) {
        facts.variable = variable->plain_name;
        finding.array =
            check_array_at(device->check, NULL, PTX_SPACE_GLOBAL, allocation->address, allocation, 1);
    }
    CheckPlace allocated;
    bool known = symbols_place(device->symbols, allocation->alloc_site, &allocated);
    if (check_in_library(device->check, state->pc)) {
        finding.party.place = allocated;
        finding.party.what = "allocated";
    } else {
        finding.party.place = check_place_of_pc(device->check, state->pc);
        if (known) finding.other = (CheckParty){.place = allocated, .what = "allocated"};
    }
    CheckPlace over;
    if (state->over != 0 && symbols_place(device->symbols, state->over, &over))
        finding.other = (CheckParty){.place = over, .what = "copy"};
    complain_finding(device, &finding, said_unread(UNREAD_MESSAGE, UNREAD_WHY, &facts));
}

/** One allocation stands for all that the same line wrote. */
static bool is_told(const uint32_t *pcs, unsigned count, uint32_t pc) {
    for (unsigned i = 0; i < count; i++)
        if (pcs[i] == pc) return true;
    return false;
}

/** At most MOST findings, one for each writing line: results that are never read have mostly one cause. */
void unread_report(Device *device) {
    enum { MOST = 4 };
    uint32_t pcs[MOST] = {0};
    unsigned count = 0;
    const GpuAllocation *allocation = NULL;
    while (device->unread != NULL && count < MOST &&
           (allocation = gpu_memory_next(device->gpu, allocation)) != NULL) {
        const UnreadState *state = NULL;
        if (allocation->id < device->unread->capacity) state = &device->unread->states[allocation->id];
        if (state == NULL || !is_result(device, allocation, state) || is_told(pcs, count, state->pc))
            continue;
        if (is_message(device, state) || is_raced_for(device, allocation) || is_awaited(device, state))
            continue;
        if (is_of_library(device, state)) continue;
        pcs[count++] = state->pc;
        tell(device, allocation, state);
    }
}

/* ---- life ---- */

/** Every way in which memory is written or read is an event that this observer hears. */
bool unread_watch(Device *device) {
    device->unread = calloc(1, sizeof *device->unread);
    if (device->unread == NULL) return false;
    GpuObserver observer = {.self = device,
                            .host_write = on_host_write,
                            .host_read = on_host_read,
                            .device_copy = on_device_copy,
                            .launch_end = on_launch_end,
                            .access = on_access,
                            .in_repeats = true,
                            .repeats = may_repeat,
                            .in_ranges = true,
                            .range_put = on_range_put,
                            .range_take = on_range_take};
    gpu_attach(device->gpu, &observer);
    return true;
}

void unread_destroy(Unread *unread) {
    if (unread == NULL) return;
    for (size_t i = 0; i < unread->capacity; i++)
        free(unread->states[i].written);
    free(unread->states);
    free(unread->touched);
    free(unread);
}
