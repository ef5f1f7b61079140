/* race_advice.c - what to do about a race: each reason is one function that explains it or declines, and the
 * first that explains wins.
 *
 * They stand in the order of how certain they are. What is advised works when it is followed literally, so
 * a missing barrier is blamed only where a barrier would help.
 */
#include "check/race_story.h"

#include <inttypes.h>
#include <string.h>

/* ---- what to do ---- */

static const char *array_name(const RaceStory *story) {
    return story->finding.array.name ? story->finding.array.name : "the array";
}

/* The expression that names this thread among those of its block, as people write it. */
static const char *first_thread_test(const RaceStory *story) {
    GpuDim block = story->launch->spec.block;
    return block.y * block.z > 1 ? "if (threadIdx.x == 0 && threadIdx.y == 0)" : "if (threadIdx.x == 0)";
}

/* As it stands in the source, as far as that is known: out[0] when all mean it, else bins[...]. */
static const char *element(const RaceStory *story, Text *text) {
    const CheckArray *array = &story->finding.array;
    if (!array->name || text_starts_with(array->name, "parameter ")) /* its name is not known */
        text_add(text, "element");
    else if (array->length == 1 || story->actor->access->uniform)
        words_element(text, array);
    else
        text_format(text, "%s[...]", array->name);
    return text->bytes;
}

static bool why_lost_updates(RaceStory *story) {
    if (!story_loses_updates(story)) return false;
    Text name;
    text_init(&name);
    text_format(
        &story->why,
        "An update reads the old value, computes, and writes the new one back; what other threads wrote in "
        "between is lost. Let the hardware do it in one step: atomicAdd(&%s, value) for a sum, atomicMax or "
        "atomicMin (of integers) for the largest or the smallest. Or give every thread an element of its own "
        "and combine them afterwards.",
        element(story, &name));
    text_free(&name);
    return true;
}

/* Many lanes of one warp write to one place at once: no index tells them apart. */
static bool all_write_one(const RaceStory *story) {
    const GpuAccess *access = story->actor->access;
    return story_on_one_line(story) && story_is_kind(story, GPU_WRITE, GPU_WRITE) && access->uniform;
}

static bool many_lanes(const RaceStory *story) {
    return check_lane_count(story->actor->access->lanes) > 1;
}

/* The elements are many, and more than one thread works out the same one. */
static bool indexes_meet(const RaceStory *story) {
    return story_on_one_line(story) && !story->actor->access->uniform && story->finding.array.length > 1;
}

/* Whether all threads store the value, or only those whose condition holds, is not known from two of them. */
static bool why_same_value(RaceStory *story) {
    if (!story->same_value || indexes_meet(story)) return false;
    Text name;
    text_init(&name);
    const char *one = story_in_one_block(story) ? first_thread_test(story) : "one thread of one block";
    text_format(
        &story->why,
        "They write the same value, so the answer does not depend on who comes last. If every thread "
        "writes it, let one do so: %s. If a condition decides which threads do, atomicExch(&%s, value) "
        "says that any of them may.",
        one, element(story, &name));
    text_free(&name);
    return true;
}

/* float v in shared memory, where every thread wanted its own. */
static bool why_one_variable(RaceStory *story) {
    if (!story_is_shared(story) || !all_write_one(story) || !many_lanes(story)) return false;
    if (story->finding.array.length != 1) return false;
    const char *name = array_name(story);
    story->finding.index_at_fault = true;
    text_format(
        &story->why,
        "%s is __shared__: the block has just one, and every thread stores its own value there; only the "
        "last survives. If each thread should have its own, leave __shared__ out of the declaration. If "
        "all threads should share one value, let one thread store it, %s, and put __syncthreads() before "
        "the others read it.",
        name, first_thread_test(story));
    return true;
}

/* out[0] = ... by every thread, or by one thread of every block. */
static bool why_who_writes(RaceStory *story) {
    if (!all_write_one(story)) return false;
    Text name;
    text_init(&name);
    const char *where = element(story, &name);
    if (story_in_one_block(story) && !many_lanes(story))
        text_format(&story->why,
                    "Several threads write to %s, and the last one wins. If one of them has the result, let "
                    "only that one write it. Otherwise give each an element of its own, or add the results "
                    "up with atomicAdd(&%s, value).",
                    where, where);
    if (many_lanes(story))
        text_format(&story->why,
                    "Every thread writes to %s, and the last one wins. Let only the thread that has the "
                    "result write it: %s, when thread 0 has it.",
                    where, first_thread_test(story));
    if (!story_in_one_block(story))
        text_format(&story->why,
                    "%sEvery block writes to one element, and the last one wins. Give each block its own, "
                    "[blockIdx.x], or "
                    "add the results up with atomicAdd(&%s, value).",
                    many_lanes(story) ? " " : "", where);
    text_free(&name);
    return true;
}

static bool is_flat(const GpuLaunchSpec *spec) {
    return spec->grid.y * spec->grid.z * spec->block.y * spec->block.z == 1;
}

/* Threads of the same number in different blocks have met at the element of that number: the index knows
 * nothing of the block. */
static bool forgets_block(const RaceStory *story) {
    return !story_in_one_block(story) && story->now_thread == story->before_thread &&
           story->finding.array.index == (int64_t)story->now_thread && is_flat(&story->launch->spec) &&
           story->launch->spec.block.x > 1;
}

static void advise_index(RaceStory *story) {
    story->finding.index_at_fault = true;
    const GpuLaunchSpec *spec = &story->launch->spec;
    if (forgets_block(story)) {
        text_format(&story->why,
                    "Thread %" PRIu32
                    " of every block has the same index here, so blockIdx.x is missing from it: "
                    "blockIdx.x * blockDim.x + threadIdx.x is different for every thread of the grid.",
                    story->now_thread);
        return;
    }
    text_add(&story->why,
             "Check the index: blockIdx.x * blockDim.x + threadIdx.x is different for every thread");
    if (is_flat(spec)) {
        text_add(&story->why,
                 ", and a loop over the elements must step by the number of all threads, gridDim.x * "
                 "blockDim.x");
        if (spec->grid.x > 1)
            text_format(&story->why, " (here %" PRIu32 " * %" PRIu32 ")", spec->grid.x, spec->block.x);
        text_add(&story->why, ".");
        return;
    }
    text_add(&story->why,
             ". In two dimensions each index needs its own guard (row < rows && column < columns), or the "
             "threads past the end of one row work on the next.");
}

static bool why_same_index(RaceStory *story) {
    bool updates = story_is_kind(story, GPU_READ, GPU_WRITE) && story_updates_same_element(story);
    if (!story_on_one_line(story) || (!story_is_kind(story, GPU_WRITE, GPU_WRITE) && !updates)) return false;
    text_format(&story->why, "Both threads compute the same index into %s", array_name(story));
    if (story->same_value)
        text_add(&story->why, ", and the work is done twice. ");
    else
        text_add(&story->why,
                 updates ? ", and one of the updates is lost. " : ", and the last one to write wins. ");
    advise_index(story);
    if (!updates) return true;
    Text name;
    text_init(&name);
    text_format(&story->why,
                " If several threads are meant to add to one element, use atomicAdd(&%s, value).",
                element(story, &name));
    text_free(&name);
    return true;
}

static bool only_block(const RaceStory *story) {
    return story_in_one_block(story) && check_dim_volume(story->launch->spec.grid) == 1;
}

static bool why_atomic(RaceStory *story) {
    bool with_write = story_is_kind(story, GPU_ATOMIC, GPU_WRITE);
    if (!with_write && !story_is_kind(story, GPU_ATOMIC, GPU_READ)) return false;
    if (with_write)
        text_format(&story->why,
                    "Nothing orders the plain write and the atomics on %s: the write may come after other "
                    "threads' atomics and wipe them out. Set the initial value before %s",
                    array_name(story),
                    story_is_shared(story) ? "the atomics, with __syncthreads() in between."
                                           : "the launch (cudaMemset), or in a separate kernel.");
    else
        text_format(&story->why, "The plain read of %s may come before other threads' atomics are done. %s",
                    array_name(story),
                    story_is_shared(story) || only_block(story)
                        ? "Put __syncthreads() between them."
                        : "Read the result after the kernel has ended, or let the last block read it: "
                          "each block calls __threadfence(), then counts itself with an atomic.");
    return true;
}

static bool why_scope(RaceStory *story) {
    if (!story_has_two_atomics(story)) return false;
    text_format(&story->why,
                "An operation whose name ends in _block is atomic among the threads of one block. Another "
                "block may come in between, and updates are lost. Use the plain one (atomicAdd) for %s, "
                "which several blocks share.",
                array_name(story));
    return true;
}

/* The writer did make its write known, but only to its own block. */
static bool why_fence_scope(RaceStory *story) {
    const Actor *actor = story->actor;
    if (story_in_one_block(story)) return false;
    if (!clocks_told_too_near(actor->block, actor->warp_index, story->record)) return false;
    text_format(&story->why,
                "__threadfence_block() orders what a thread wrote for the threads of its own block only; "
                "another block that sees the atomic after it may still find the old value of %s. Use "
                "__threadfence() there.",
                array_name(story));
    return true;
}

/* The reader waited for the flag, but may have read before. */
static bool why_no_fence_behind_look(RaceStory *story) {
    const Actor *actor = story->actor;
    if (story->now_kind != GPU_READ || !clocks_only_heard(actor->block, actor->warp_index, story->record))
        return false;
    text_format(
        &story->why,
        "The flag was seen, but nothing stops the read of %s from happening before that. Put %s between "
        "the loop that waits for the flag and this read; the thread that sets the flag already has its "
        "fence.",
        array_name(story), story_in_one_block(story) ? "__threadfence_block()" : "__threadfence()");
    return true;
}

static const PtxInstruction *global_atomic(const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (uint32_t i = 0; function && i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        bool atomic = instruction->opcode == PTX_OP_atom || instruction->opcode == PTX_OP_red;
        if (atomic && instruction->modifiers.space != PTX_SPACE_SHARED && instruction->line > 0)
            return instruction;
    }
    return NULL;
}

/* The last block finds out that it is the last, and reads what the others wrote: all but the fence is there.
 */
static bool why_no_fence(RaceStory *story) {
    if (story_in_one_block(story) || story->actor->races->clocks.fenced) return false;
    if (!story_is_kind(story, GPU_READ, GPU_WRITE) || story_on_one_line(story)) return false;
    const PtxInstruction *atomic = global_atomic(story->launch);
    if (!atomic) return false;
    const CheckParty *write = story->now_kind == GPU_WRITE ? &story->now : &story->before;
    text_format(&story->why,
                "__threadfence() is missing between the write at line %d and an atomic that tells other "
                "blocks of it (there is one at line %d): without it the atomic may be seen before the "
                "write. With the fence, the block that the counter shows to be the last may read %s. "
                "Without such a counter, read it in a second kernel, which starts when the first has "
                "ended.",
                write->place.line, atomic->line, array_name(story));
    return true;
}

static bool why_warp(RaceStory *story) {
    if (!story_of_warp_alone(story)) return false;
    text_format(
        &story->why,
        "The 32 threads of a warp need not run in step: since Volta nothing guarantees it, and volatile "
        "does not change that. Put __syncwarp() between the write and the read of %s (in every round of a "
        "loop, and between reading and writing), or use __syncthreads().",
        array_name(story));
    return true;
}

/* ---- where a barrier helps ---- */

/* The extern arrays of a kernel all begin at the same byte. */
static bool why_overlap(RaceStory *story) {
    if (!story_is_shared(story) || !story->finding.array.dynamic) return false;
    const PtxVariable *other = check_dynamic_other(story->launch, story->finding.array.name);
    if (!other) return false;
    const char *name = array_name(story);
    text_format(
        &story->why,
        "%s and %s are the same memory: all extern __shared__ arrays of a kernel begin at the same address. "
        "Declare one array, ask for the bytes of both in the launch, and let the second begin where the "
        "first "
        "ends: float *%s = %s + elements_of_%s;",
        name, other->plain_name, other->plain_name, name, name);
    return true;
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
        bool leads = branch->opcode == PTX_OP_bra && branch->operands[0].kind == PTX_OPERAND_LABEL;
        uint32_t target = leads ? (uint32_t)branch->operands[0].index : 0;
        if (target > instruction && target <= last) return true;
    }
    return false;
}

static Round barriers_between(const PtxFunction *function, uint32_t first, uint32_t last) {
    Round round = ROUND_WITHOUT_BARRIER;
    for (uint32_t i = first; i <= last; i++) {
        if (!is_barrier(&function->instructions[i])) continue;
        if (!is_skipped(function, first, last, i)) return ROUND_WITH_BARRIER;
        round = ROUND_BARRIER_ON_CONDITION;
    }
    return round;
}

/* The smallest loop, from the target of a backward branch to the branch, round both accesses. */
static Round round_of(const RaceStory *story) {
    const Gpu *gpu = story->actor->check->gpu;
    GpuPlace here = gpu_place(gpu, story->actor->access->pc);
    GpuPlace there = gpu_place(gpu, (uint32_t)story->actor->races->sites[record_site(story->record)].at);
    const PtxFunction *function = here.function;
    if (!function || function != there.function || !here.instruction || !there.instruction)
        return ROUND_NO_LOOP;
    uint32_t a = (uint32_t)(here.instruction - function->instructions);
    uint32_t b = (uint32_t)(there.instruction - function->instructions);
    uint32_t low = a < b ? a : b, high = a < b ? b : a, shortest = UINT32_MAX;
    Round round = ROUND_NO_LOOP;
    for (uint32_t i = high; i < function->instruction_count; i++) {
        const PtxInstruction *branch = &function->instructions[i];
        if (branch->opcode != PTX_OP_bra || branch->operands[0].kind != PTX_OPERAND_LABEL) continue;
        uint32_t target = (uint32_t)branch->operands[0].index;
        if (target > low || i - target >= shortest) continue;
        shortest = i - target;
        round = barriers_between(function, target, i);
    }
    return round;
}

/* temp[tid] += temp[tid + d] with tid <= d: thread 0 reads what thread d, which should rest, writes. */
static bool lets_one_in_too_many(const RaceStory *story) {
    bool now_reads = story->now_kind == GPU_READ;
    uint32_t reader = now_reads ? story->now_thread : story->before_thread;
    uint32_t writer = now_reads ? story->before_thread : story->now_thread;
    return reader == 0 && writer > 0 && story->finding.array.index == (int64_t)writer;
}

static void advise_within_round(RaceStory *story) {
    const char *name = array_name(story);
    if (lets_one_in_too_many(story)) {
        int64_t d = story->finding.array.index;
        text_format(
            &story->why,
            "The loop has its barrier; the two threads meet within one round, and no further barrier helps. "
            "Thread 0 adds %s[%" PRId64 "] to its own element while thread %" PRId64
            ", which should rest in this round, changes it. When thread tid adds %s[tid + d], only the first "
            "d "
            "threads may work: if (tid < d), with < and not <=.",
            name, d, d, name);
        return;
    }
    text_format(
        &story->why,
        "The loop has its barrier; the two threads meet within one round, where one reads the element of "
        "%s that the other writes. Either the condition lets too many threads in, or all must read before "
        "any of them writes: read into a variable inside the condition, call __syncthreads() outside it, "
        "where all threads of the block arrive, and write under the condition again.",
        name);
}

static void advise_condition(RaceStory *story) {
    text_format(
        &story->why,
        "The loop's barrier is under a condition, and in the rounds that skip it nothing orders the write "
        "to %s and the access by the other thread",
        array_name(story));
    if (story_in_one_warp(story))
        text_add(&story->why,
                 ". The 32 threads of a warp need not run in step. Give every round the barrier, or a "
                 "__syncwarp() between its reads and writes once only one warp is left.");
    else
        text_add(&story->why,
                 ". Remove the condition: all threads of the block must reach the barrier in every round.");
}

static void advise_shared(RaceStory *story) {
    const char *name = array_name(story);
    bool reads = story_is_kind(story, GPU_READ, GPU_WRITE);
    Round round = story_on_one_line(story) && reads ? round_of(story) : ROUND_WITHOUT_BARRIER;
    if (round == ROUND_WITH_BARRIER) {
        advise_within_round(story);
        return;
    }
    if (round == ROUND_BARRIER_ON_CONDITION) {
        advise_condition(story);
        return;
    }
    const char *warp = story_in_one_warp(story) ? ", even those of one warp" : "";
    text_format(&story->why, "The threads of a block run in any order%s. ", warp);
    if (round == ROUND_NO_LOOP)
        text_format(
            &story->why,
            "One reads the element of %s that the other writes in the same statement. Read into a variable "
            "first, then __syncthreads(), then write; if the statement belongs to a loop, every round needs "
            "a "
            "barrier.",
            name);
    else
        text_format(&story->why,
                    "Put __syncthreads() between the write to %s and the access by the other thread; a loop "
                    "that reads what its previous round wrote needs one in every round.",
                    name);
    text_add(&story->why, " All threads of the block must reach it.");
    if (story_in_one_warp(story))
        text_add(&story->why, " Among the threads of one warp, __syncwarp() is enough.");
}

static bool why_block(RaceStory *story) {
    if (!story_in_one_block(story)) return false;
    if (story_is_shared(story)) {
        advise_shared(story);
        return true;
    }
    text_format(
        &story->why,
        "The threads of a block run in any order%s, and one uses an element of %s that another writes. If "
        "a thread reads its neighbours' elements, write the results to a second array. Within one block, "
        "__syncthreads() between the two accesses orders them; between blocks it does not.",
        story_in_one_warp(story) ? ", even those of one warp" : "", array_name(story));
    return true;
}

static bool why_grid(RaceStory *story) {
    text_format(
        &story->why,
        "Blocks run in any order, several at a time, and __syncthreads() works within one block only. Let "
        "every thread (or block) write elements of %s that no other one touches in the same launch, use "
        "an atomic, or do the second part in a second kernel, which starts when the first has ended. For "
        "one result from all blocks, call __threadfence() before an atomic counter, and let the last "
        "block read.",
        array_name(story));
    return true;
}

void story_advise(RaceStory *story) {
    static bool (*const reasons[])(RaceStory *) = {
        why_scope,        why_overlap,    why_same_value, why_lost_updates,
        why_one_variable, why_who_writes, why_same_index, why_no_fence_behind_look,
        why_fence_scope,  why_atomic,     why_no_fence,   why_warp,
        why_block,        why_grid};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i](story)) return;
}
