/* race_facts.c - what is known of a race, as facts for the texts of texts.txt, which say what happened and
 * what to do.
 *
 * What is advised works when it is followed literally, so a missing barrier is blamed only where a barrier
 * would help: the loop round both accesses is searched for the barriers that it has.
 */
#include "base/minmax.h"
#include "check/races/race_story.h"
#include "ptx/provenance.h"

enum { WIDEST_ATOMIC = 16 }; /**< bytes: atomicAdd of a float4, atomicCAS of 128 bits */

/* ---- which threads and elements meet ---- */

static bool in_one_warp(const RaceStory *story) {
    return story->facts.one_block && story->now_thread / 32 == story->before_thread / 32;
}

static bool on_one_line(const RaceStory *story) {
    return story->now.place.line > 0 && story->now.place.line == story->before.place.line;
}

static uint32_t earlier_pc(const RaceStory *story) {
    return (uint32_t)story->actor->races->sites[record_site(story->record)].at;
}

static bool is_kind(const RaceStory *story, GpuAccessKind a, GpuAccessKind b) {
    return (story->now_kind == a && story->before_kind == b) ||
           (story->now_kind == b && story->before_kind == a);
}

/* The one parameter that an access to the element took its address from, when that is sure; NULL. */
static const PtxVariable *pointer_of(const RaceStory *story, uint32_t pc) {
    const Gpu *gpu = story->actor->check->gpu;
    const GpuPlace place = gpu_place(gpu, pc);
    const GpuAllocation *allocation = gpu_memory_find(gpu, story->address);
    const PtxVariable *found = NULL;
    uint64_t value;
    if (!allocation || !place.instruction || !place.function || !place.function->entry) return NULL;
    const Provenance sources = ptx_provenance(place.function, place.instruction);
    for (unsigned i = 0; !sources.open && i < sources.count; i++) {
        if (!check_parameter_value(story->launch, sources.from[i], &value)) continue;
        if (gpu_memory_find(gpu, value) != allocation) continue;
        if (found) return NULL;
        found = sources.from[i];
    }
    return found;
}

/* Two parameters hold addresses of one allocation, and the lower one was used past the other: what was meant
 * as two arrays overlaps. */
static void know_overlap(RaceStory *story, const PtxVariable *low, const PtxVariable *high, uint64_t apart) {
    story->facts.too_long = low->plain_name;
    story->facts.runs_into = high->plain_name;
    story->facts.apart = apart;
}

/* Two parameters hold the same address: what one thread writes by one name another reads by the other. */
static void know_alias(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    uint64_t value, other;
    if (facts->shared || !is_kind(story, GPU_READ, GPU_WRITE)) return;
    const uint32_t earlier = earlier_pc(story);
    const PtxVariable *now = pointer_of(story, story->actor->access->pc);
    const PtxVariable *before = pointer_of(story, earlier);
    if (!now || !before || now == before) return;
    if (!check_parameter_value(story->launch, now, &value) ||
        !check_parameter_value(story->launch, before, &other))
        return;
    if (value != other && story->address >= MAX(value, other)) {
        if (value < other)
            know_overlap(story, now, before, other - value);
        else
            know_overlap(story, before, now, value - other);
    }
    if (value != other) return;
    if (story->now_kind == GPU_WRITE) {
        facts->writes_by = now->plain_name;
        facts->reads_by = before->plain_name;
    } else {
        facts->writes_by = before->plain_name;
        facts->reads_by = now->plain_name;
    }
}

/* Both threads read the element through the same instruction, and the writer writes it back: x[i] += ... by
 * two threads. In temp[tid] += temp[tid + d] the other thread reads through another instruction than the
 * owner. */
static bool updates_same_element(const RaceStory *story) {
    const Actor *actor = story->actor;
    bool now_writes = story->now_kind == GPU_WRITE;
    uint64_t writer;
    if (now_writes)
        writer = actor->record + (story->now_thread % 32) * RECORD_LANE;
    else
        writer = story->record;
    uint32_t reader_site = record_site(now_writes ? story->record : actor->record);
    uint64_t readers[SHADOW_MAX_WAYS];
    race_cells_readers(actor, story->address, readers);
    for (unsigned i = 0; i < SHADOW_MAX_WAYS; i++)
        if (readers[i] && ((readers[i] ^ writer) & RECORD_WHO_MASK) == 0 &&
            record_site(readers[i]) == reader_site)
            return true;
    return false;
}

static bool is_flat(const GpuLaunchSpec *spec) {
    return spec->grid.y * spec->grid.z * spec->block.y * spec->block.z == 1;
}

/* Threads of the same number in different blocks have met at the element of that number: the index knows
 * nothing of the block. */
static bool forgets_block(const RaceStory *story) {
    return !story->facts.one_block && story->now_thread == story->before_thread &&
           story->finding.array.index == (int64_t)story->now_thread && story->facts.flat &&
           story->launch->spec.block.x > 1;
}

/* temp[tid] += temp[tid + d] with tid <= d: thread 0 reads what thread d, which should rest, writes. */
static bool lets_one_in_too_many(const RaceStory *story) {
    bool now_reads = story->now_kind == GPU_READ;
    uint32_t reader;
    if (now_reads)
        reader = story->now_thread;
    else
        reader = story->before_thread;
    uint32_t writer;
    if (now_reads)
        writer = story->before_thread;
    else
        writer = story->now_thread;
    return reader == 0 && writer > 0 && story->finding.array.index == (int64_t)writer;
}

/* ---- fences ---- */

static const PtxInstruction *global_atomic(const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        bool atomic = instruction->opcode == PTX_OP_atom || instruction->opcode == PTX_OP_red;
        if (atomic && instruction->modifiers.space != PTX_SPACE_SHARED && instruction->line > 0)
            return instruction;
    }
    return NULL;
}

static bool know_line(RaceStory *story, uint32_t pc) {
    if (pc) story->facts.atomic_line = check_place_of_pc(story->actor->check, pc).line;
    return pc != 0;
}

/* What may be the flag that the write is told by, the surest first: all but the fence is there. */
static bool know_teller(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const FirstFlags *flags = &story->actor->races->clocks.flags;
    facts->relaxed_flag = know_line(story, flags->relaxed);
    if (facts->relaxed_flag) return true;
    facts->relaxed_atomic = know_line(story, flags->relaxed_atomic);
    if (facts->relaxed_atomic) return true;
    const PtxInstruction *atomic = global_atomic(story->launch);
    facts->no_fence = atomic != NULL;
    if (atomic) facts->atomic_line = atomic->line;
    if (atomic) return true;
    facts->volatile_flag = know_line(story, flags->volatile_store);
    return facts->volatile_flag;
}

/* The last block finds out that it is the last, or a block waits for a flag, and reads what others wrote. */
static void know_fence(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    if (facts->one_block || on_one_line(story) || story->actor->races->clocks.fenced) return;
    if (!is_kind(story, GPU_READ, GPU_WRITE) || !know_teller(story)) return;
    if (story->now_kind == GPU_WRITE)
        facts->write_line = story->now.place.line;
    else
        facts->write_line = story->before.place.line;
    facts->volatile_flag &= facts->atomic_line != facts->write_line; /* the data itself is volatile */
}

/* ---- where a barrier helps ---- */

/* The write is an asynchronous copy's. It may happen from the start to the wait, and so be too late for a
 * read, or too early: from its start alone nobody can tell which. */
static void know_copy(RaceStory *story) {
    const bool now_writes = story->now_kind == GPU_WRITE;
    const Gpu *gpu = story->actor->check->gpu;
    uint32_t pc = story->actor->access->pc;
    if (!now_writes) pc = earlier_pc(story);
    const GpuPlace place = gpu_place(gpu, pc);
    story->facts.copied = place.instruction && place.instruction->opcode == PTX_OP_cp_async;
    story->facts.with_start = is_kind(story, GPU_READ, GPU_WRITE) && gpu_is_copy_start(gpu, pc);
}

typedef enum Round {
    ROUND_NO_LOOP,
    ROUND_WITHOUT_BARRIER,
    ROUND_BARRIER_ON_CONDITION, /* a branch in the loop leads around each barrier */
    ROUND_WITH_BARRIER
} Round;

static bool is_barrier(const PtxInstruction *instruction) {
    return instruction->opcode == PTX_OP_bar || instruction->opcode == PTX_OP_barrier;
}

/* A forward branch within the loop, from its first to its last instruction, leads past the instruction. */
static bool is_skipped(const PtxFunction *function, uint32_t first, uint32_t last, uint32_t instruction) {
    for (uint32_t i = first; i < instruction; i++) {
        const PtxInstruction *branch = &function->instructions[i];
        if (branch->opcode != PTX_OP_bra) continue;
        const uint32_t target = (uint32_t)branch->operands[0].index;
        if (target > instruction && target <= last) return true;
    }
    return false;
}

/* Who executes the first goes on to the second, unless it traps: no branch leads past that, and nothing
 * between them leads back. */
static bool leads_to(const GpuPlace *first, const GpuPlace *second) {
    const PtxFunction *function = first->function;
    if (!function || function != second->function || !first->instruction || !second->instruction)
        return false;
    const uint32_t from = (uint32_t)(first->instruction - function->instructions);
    const uint32_t to = (uint32_t)(second->instruction - function->instructions);
    for (uint32_t i = from; i < to; i++) {
        const PtxInstruction *between = &function->instructions[i];
        if (between->opcode == PTX_OP_bra || between->opcode == PTX_OP_ret ||
            between->opcode == PTX_OP_exit || between->opcode == PTX_OP_brx_idx)
            return false;
    }
    return from < to;
}

/* A barrier stands between them: who waits there wants what all have made. */
static bool waits_between(const GpuPlace *first, const GpuPlace *second) {
    for (const PtxInstruction *between = first->instruction; between < second->instruction; between++)
        if (is_barrier(between)) return true;
    return false;
}

/* What barriers the instructions from `first` to `last` have that no branch skips. */
static Round barriers_between(const PtxFunction *function, uint32_t first, uint32_t last) {
    Round round = ROUND_WITHOUT_BARRIER;
    for (uint32_t i = first; i <= last; i++) {
        if (!is_barrier(&function->instructions[i])) continue;
        if (!is_skipped(function, first, last, i)) return ROUND_WITH_BARRIER;
        round = ROUND_BARRIER_ON_CONDITION;
    }
    return round;
}

/* Of the smallest loop round both accesses. */
static Round round_of(const RaceStory *story) {
    const Gpu *gpu = story->actor->check->gpu;
    GpuPlace here = gpu_place(gpu, story->actor->access->pc);
    GpuPlace there = gpu_place(gpu, earlier_pc(story));
    const PtxFunction *function = here.function;
    if (!function || function != there.function || !here.instruction || !there.instruction)
        return ROUND_NO_LOOP;
    uint32_t a = (uint32_t)(here.instruction - function->instructions);
    uint32_t b = (uint32_t)(there.instruction - function->instructions);
    uint32_t first, last;
    if (!ptx_loop_round(function, MIN(a, b), MAX(a, b), &first, &last)) return ROUND_NO_LOOP;
    return barriers_between(function, first, last);
}

static void know_loop(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    if (!facts->one_block || !facts->shared || !on_one_line(story) || !is_kind(story, GPU_READ, GPU_WRITE))
        return;
    Round round = round_of(story);
    facts->has_barrier = round == ROUND_WITH_BARRIER;
    facts->conditional_barrier = round == ROUND_BARRIER_ON_CONDITION;
    facts->no_loop = round == ROUND_NO_LOOP;
    facts->one_too_many = lets_one_in_too_many(story);
}

/* A loop in which all threads of several blocks store to one element after the other. */
static void know_shared_loop(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const GpuAccess *access = story->actor->access;
    const bool whole_warp = facts->many_lanes && access->lanes == gpu_warp_alive(access->warp);
    const bool repeats = facts->may_be_same && !facts->one_block && facts->all_write_one && whole_warp;
    facts->whole_array = repeats && story->finding.array.length > 1 && round_of(story) != ROUND_NO_LOOP;
    if (facts->whole_array) story->finding.index_at_fault = true;
}

/* ---- all that is known ---- */

/* Where one warp works alone, __syncwarp() is what is missing: the unrolled tail of a reduction, which is
 * known by its volatile. Elsewhere the whole block should meet, which is right in a block of one warp as
 * well. */
static void know_launch(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const GpuLaunchSpec *spec = &story->launch->spec;
    facts->one_block = story->now_block == story->before_block;
    facts->cooperative = spec->cooperative;
    facts->one_warp = in_one_warp(story);
    facts->warp_alone = facts->one_warp && story->is_volatile;
    facts->shared = story->actor->access->space == PTX_SPACE_SHARED;
    facts->barrier_orders = facts->shared || (facts->one_block && check_dim_volume(spec->grid) == 1);
    facts->flat = is_flat(spec);
    facts->many_blocks = spec->grid.x > 1;
    facts->rows = spec->block.y * spec->block.z > 1;
    facts->grid_x = spec->grid.x;
    facts->block_x = spec->block.x;
    facts->thread = story->now_thread;
}

/* Both got to the element by the same name. */
static bool is_one_array(const RaceStory *story) {
    const uint32_t earlier = earlier_pc(story);
    const GpuAllocation *allocation = gpu_memory_find(story->actor->check->gpu, story->address);
    const PtxVariable *now = pointer_of(story, story->actor->access->pc);
    if (allocation && allocation->variable) return true;
    return now && now == pointer_of(story, earlier);
}

static void know_kinds(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    facts->two_atomics = story->now_kind == GPU_ATOMIC && story->before_kind == GPU_ATOMIC;
    facts->with_atomic = story->now_kind == GPU_ATOMIC || story->before_kind == GPU_ATOMIC;
    facts->atomic_write = is_kind(story, GPU_ATOMIC, GPU_WRITE);
    facts->atomic_read = is_kind(story, GPU_ATOMIC, GPU_READ);
    facts->two_writes = is_kind(story, GPU_WRITE, GPU_WRITE);
    know_alias(story);
    facts->updates = is_kind(story, GPU_READ, GPU_WRITE) && on_one_line(story) && !facts->reads_by &&
                     !facts->runs_into && updates_same_element(story);
    facts->one_line =
        is_kind(story, GPU_READ, GPU_WRITE) && on_one_line(story) && !facts->updates && is_one_array(story);
}

/* A race at the one element of a scalar, or at one address by all lanes, needs other advice than one at
 * many elements of an array. */
static void know_array(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const CheckArray *array = &story->finding.array;
    facts->element = array;
    facts->name = array->name;
    facts->index = array->index;
    facts->storage = facts->shared && facts->one_block && array->of_library && array->name;
    facts->nameless = !array->name || text_starts_with(array->name, "parameter ");
    facts->one_element = array->length == 1 || story->actor->access->uniform;
    const PtxVariable *other = NULL;
    if (facts->shared && array->dynamic) other = check_dynamic_other(story->launch, array->name);
    if (other)
        facts->other = other->plain_name;
    else
        facts->other = NULL;
}

/* The earlier write is one of several: a thread beside the one that made it wrote the element beside at the
 * same place in the code. */
static bool is_row_of_writes(const RaceStory *story) {
    const uint64_t record = story->record, bytes = (uint64_t)story->finding.array.element_bytes;
    const uint64_t before = race_cells_writer(story->actor, story->address - bytes);
    const uint64_t after = race_cells_writer(story->actor, story->address + bytes);
    return before + RECORD_LANE == record || record + RECORD_LANE == after;
}

/* a[t] = ... and b[t] = ..., where both are parts of one dynamic array and the second begins before the
 * first ends. */
static void know_parts(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const CheckArray *array = &story->finding.array;
    const GpuAccess *access = story->actor->access;
    if (!facts->shared || !array->dynamic || !facts->one_block || !facts->flat || !facts->two_writes) return;
    if (!access->contiguous || access->bytes != array->element_bytes) return;
    if (check_lane_count(access->lanes) == 1) return;
    if (on_one_line(story) || !is_row_of_writes(story)) return;
    const int64_t now_first = array->index - (int64_t)story->now_thread;
    const int64_t before_first = array->index - (int64_t)story->before_thread;
    if (now_first < 0 || before_first < 0) return;
    facts->parts = story->now.place.line > 0 && story->before.place.line > 0;
    facts->low_first = (uint64_t)MIN(now_first, before_first);
    facts->high_first = MAX(now_first, before_first);
    facts->low_line = facts->high_line = story->now.place.line;
    if (now_first < before_first)
        facts->high_line = story->before.place.line;
    else
        facts->low_line = story->before.place.line;
}

/* Some atomic of the kernel goes to memory of the same pointer as this access. */
static bool is_updated_besides(const RaceStory *story) {
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    const PtxVariable *pointer = pointer_of(story, story->actor->access->pc);
    for (uint32_t i = 0; pointer && i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        if (instruction->opcode != PTX_OP_atom && instruction->opcode != PTX_OP_red) continue;
        const Provenance sources = ptx_provenance(function, instruction);
        if (!sources.open && sources.count == 1 && sources.from[0] == pointer) return true;
    }
    return false;
}

/* The same lane of each warp, alone: a guard at the end of a row leaves any one. */
static bool is_one_lanes(const RaceStory *story) {
    return story->facts.lanes == 1 &&
           story->now_thread % GPU_WARP_LANES == story->before_thread % GPU_WARP_LANES;
}

/* result[0] += ... by many loses updates. When neighbouring threads have neighbouring elements, it is rather
 * the index that is wrong: the elements are many, and more than one thread works out the same one. */
static void know_mistake(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const GpuAccess *access = story->actor->access;
    bool single = story->finding.array.length == 1, line = on_one_line(story);
    bool indexes_meet = line && !access->uniform && story->finding.array.length > 1;
    const bool scattered = access->uniform || !access->contiguous || facts->index_read;
    facts->loses_updates = facts->updates && (scattered || single);
    if (story->finding.array.element_bytes > WIDEST_ATOMIC)
        facts->too_wide = story->finding.array.element_bytes;
    facts->may_be_same = facts->same_value && !indexes_meet;
    facts->lanes = check_lane_count(access->lanes);
    facts->many_lanes = facts->lanes > 1;
    /* of one lane alone it is known only where the same thread of each block comes there */
    const bool alike = facts->many_lanes || facts->one_block || story->now_thread == story->before_thread;
    facts->all_write_one = line && facts->two_writes && access->uniform && alike;
    facts->sets_again =
        facts->all_write_one && !facts->one_block && !facts->shared && is_updated_besides(story);
    facts->one_variable = facts->shared && facts->all_write_one && facts->many_lanes && single;
    facts->same_index = line && (facts->two_writes || facts->updates);
    facts->forgets_block = forgets_block(story);
    facts->one_lane = is_one_lanes(story) && facts->two_writes && !facts->same_value && !facts->forgets_block;
    facts->length = story->finding.array.length;
    facts->shared_by_blocks = facts->forgets_block && facts->two_writes && !facts->same_value &&
                              facts->length <= story->launch->spec.block.x;
    bool told = facts->other || facts->may_be_same || facts->loses_updates;
    story->finding.index_at_fault =
        !told && (facts->one_variable || (facts->same_index && !facts->all_write_one));
}

/* Both threads in a fixed order, whoever came first in this run; and the plain one and the atomic one. */
static void know_parties(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const CheckParty *now = &story->now, *before = &story->before;
    GpuDim grid = story->launch->spec.grid, block = story->launch->spec.block;
    bool swap = story->before_block < story->now_block ||
                (facts->one_block && story->before_thread < story->now_thread);
    bool now_plain = story->now_kind != GPU_ATOMIC;
    const CheckParty *a = now, *b = before, *plain = before, *atomic = now;
    if (swap) a = before, b = now;
    if (now_plain) plain = now, atomic = before;
    facts->a_thread = (SayDim){a->thread, block};
    facts->b_thread = (SayDim){b->thread, block};
    facts->a_block = (SayDim){a->block, grid};
    facts->b_block = (SayDim){b->block, grid};
    facts->plain_thread = (SayDim){plain->thread, block};
    facts->plain_block = (SayDim){plain->block, grid};
    facts->plain_does = words_access(now_plain ? story->now_kind : story->before_kind);
    facts->atomic_thread = (SayDim){atomic->thread, block};
    facts->atomic_block = (SayDim){atomic->block, grid};
}

/* The last atomicCAS in front of an instruction of the same function; NULL: none. */
static const PtxInstruction *compare_before(const GpuPlace *place) {
    const PtxFunction *function = place->function;
    if (!function || !place->instruction) return NULL;
    const uint64_t at = (uint64_t)(place->instruction - function->instructions);
    for (uint64_t i = at; at < function->instruction_count && i-- > 0;) {
        const PtxInstruction *earlier = &function->instructions[i];
        if (earlier->opcode == PTX_OP_atom && earlier->modifiers.atomic == PTX_ATOM_CAS) return earlier;
    }
    return NULL;
}

static bool has_atomic_behind(const GpuPlace *place) {
    const PtxFunction *function = place->function;
    const PtxInstruction *end = function->instructions + function->instruction_count;
    for (const PtxInstruction *i = place->instruction + 1; i < end; i++)
        if (i->opcode == PTX_OP_atom || i->opcode == PTX_OP_red) return true;
    return false;
}

/* if (atomicCAS(&keys[slot], EMPTY, key) == EMPTY) values[slot] = value; and who finds the key there reads
 * the value. Nothing is done behind the write that could tell of it. */
static void know_claim(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const Gpu *gpu = story->actor->check->gpu;
    const GpuPlace now = gpu_place(gpu, story->actor->access->pc), before = gpu_place(gpu, earlier_pc(story));
    const GpuPlace *write = &before, *read = &now;
    if (!is_kind(story, GPU_READ, GPU_WRITE) || on_one_line(story) || facts->reads_by) return;
    if (story->now_kind == GPU_WRITE) write = &now, read = &before;
    const PtxInstruction *claim = compare_before(write);
    if (!claim || claim->line == 0 || claim != compare_before(read) || has_atomic_behind(write)) return;
    facts->claimed = true;
    facts->claim_line = claim->line;
}

/* A lock that a plain write gives back; or a plain read where the thread should use what its atomic returns.
 */
static void know_atomic(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    const Gpu *gpu = story->actor->check->gpu;
    const GpuPlace now = gpu_place(gpu, story->actor->access->pc), before = gpu_place(gpu, earlier_pc(story));
    const GpuPlace *atomic = &before, *plain = &now;
    if (story->now_kind == GPU_ATOMIC) atomic = &now, plain = &before;
    if (!facts->with_atomic || facts->two_atomics || !atomic->instruction) return;
    facts->compares = atomic->instruction->modifiers.atomic == PTX_ATOM_CAS;
    facts->guesses = facts->atomic_read && facts->compares && round_of(story) != ROUND_NO_LOOP;
    facts->then_updates = facts->atomic_read && !facts->compares && leads_to(plain, atomic);
    facts->then_reads =
        facts->atomic_read && !facts->compares && leads_to(atomic, plain) && !waits_between(atomic, plain);
    if (story->now_kind == GPU_ATOMIC)
        facts->atomic_line = story->now.place.line;
    else
        facts->atomic_line = story->before.place.line;
}

static bool stands_at(const GpuPlace *a, const GpuPlace *b) {
    if (!a->instruction || !b->instruction || a->function != b->function) return false;
    return a->instruction == b->instruction ||
           (a->instruction->line > 0 && a->instruction->line == b->instruction->line &&
            a->instruction->column == b->instruction->column);
}

/* `if (distance[u] == -1) distance[u] = level;`: before it wrote, the thread had read the element, and
 * compared what it read with a number that is the same for all. Another thread that reads does so at the same
 * place. */
static bool tests_then_sets(const RaceStory *story) {
    const Actor *actor = story->actor;
    const Gpu *gpu = actor->check->gpu;
    const bool now_writes = story->now_kind == GPU_WRITE;
    const bool reads = is_kind(story, GPU_READ, GPU_WRITE);
    uint64_t writer = story->record, readers[SHADOW_MAX_WAYS];
    uint32_t write_pc = earlier_pc(story), read_pc = actor->access->pc;
    if (story->facts.updates || story->facts.reads_by || story->facts.runs_into) return false;
    if (!reads && !story->facts.two_writes) return false;
    if (now_writes) {
        writer = actor->record + (story->now_thread % 32) * RECORD_LANE;
        read_pc = earlier_pc(story);
        write_pc = actor->access->pc;
    }
    const GpuPlace write = gpu_place(gpu, write_pc), other_read = gpu_place(gpu, read_pc);
    race_cells_readers(actor, story->address, readers);
    for (unsigned i = 0; i < SHADOW_MAX_WAYS; i++) {
        if (!readers[i] || ((readers[i] ^ writer) & RECORD_WHO_MASK) != 0) continue;
        const GpuPlace read = gpu_place(gpu, (uint32_t)actor->races->sites[record_site(readers[i])].at);
        const bool at_same = !reads || stands_at(&read, &other_read); /* in each round of an unrolled loop */
        if (at_same && gather_decides(&read, &write)) return true;
    }
    return false;
}

/* The element that both write, or change, was chosen by a value in memory, and not by the threads' numbers.
 */
static void know_index(RaceStory *story) {
    const bool one_place = on_one_line(story) && (story->facts.two_writes || story->facts.updates);
    story->facts.index_read =
        one_place && gather_chosen_by_data(story->actor->check, story->actor->access->pc);
}

/* On one line, or one behind the other with no branch between: who does the one has the lock for the other.
 */
static bool stand_together(const RaceStory *story) {
    const Gpu *gpu = story->actor->check->gpu;
    const GpuPlace now = gpu_place(gpu, story->actor->access->pc);
    const GpuPlace before = gpu_place(gpu, earlier_pc(story));
    return on_one_line(story) || leads_to(&now, &before) || leads_to(&before, &now);
}

/* Who is last waited for a flag or a lock, but may have come before; or the writer did make its write known,
 * but only to its own block. */
static void know_flag(RaceStory *story) {
    const Actor *actor = story->actor;
    RaceFacts *facts = &story->facts;
    facts->told_too_near =
        !facts->one_block && releases_told_too_near(actor->block, actor->warp_index, story->record);
    const Clocks *clocks = &actor->races->clocks;
    if (facts->told_too_near && !clocks->near_fence)
        facts->near_release = know_line(story, clocks->flags.near_release);
    facts->heard_only = releases_only_heard(actor->block, actor->warp_index, story->record);
    facts->locked = releases_takes_lock(actor->block, actor->warp_index);
    facts->kept_back = facts->locked && !facts->heard_only && !facts->told_too_near && stand_together(story);
    facts->now_does = words_access_noun(story->now_kind);
    facts->at_object = facts->one_block && facts->shared && clocks->flags.arrival != 0;
}

/* The read comes after the write in every schedule, and may give the old value all the same. */
static void know_stale(RaceStory *story) {
    RaceFacts *facts = &story->facts;
    GpuDim grid = story->launch->spec.grid, block = story->launch->spec.block;
    if (!facts->stale) return;
    facts->one_thread = facts->one_block && story->now_thread == story->before_thread;
    facts->texture = story->actor->access->texture;
    facts->reader_thread = (SayDim){story->now.thread, block};
    facts->reader_block = (SayDim){story->now.block, grid};
    facts->writer_thread = (SayDim){story->before.thread, block};
    facts->writer_block = (SayDim){story->before.block, grid};
    story->finding.index_at_fault = false;
}

void race_facts_know(RaceStory *story) {
    know_launch(story);
    know_kinds(story);
    know_array(story);
    know_parts(story);
    know_index(story);
    story->facts.tests = tests_then_sets(story);
    know_mistake(story);
    know_parties(story);
    know_flag(story);
    know_fence(story);
    know_atomic(story);
    know_claim(story);
    know_copy(story);
    know_loop(story);
    know_shared_loop(story);
    know_stale(story);
}
