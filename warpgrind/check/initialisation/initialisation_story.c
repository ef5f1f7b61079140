/* initialisation_story.c - tells a value from nowhere: which array it came from, what it decided, what is
 * missing. The words are in [undefined] of texts.txt.
 *
 * The line that is named is where the value was read; where it decided something is the other place. A copy
 * to the host is named by its own line when the memory was never written, and by the kernel's line when
 * something undefined was written there.
 */
#include "base/headers.h"
#include "check/initialisation/initialisation.h"
#include "check/races/writers.h"

#include <string.h>

/* What the machine calls a use, as a text of [use]. */
static UseText use_text(GpuUndefinedUse use) {
    switch (use) {
    case GPU_UNDEFINED_BRANCH:
        return USE_BRANCH;
    case GPU_UNDEFINED_ADDRESS:
        return USE_ADDRESS;
    case GPU_UNDEFINED_ATOMIC:
        return USE_ATOMIC;
    case GPU_UNDEFINED_BARRIER:
        return USE_BARRIER;
    case GPU_UNDEFINED_SHUFFLE_LANE:
        return USE_SHUFFLE_LANE;
    case GPU_UNDEFINED_PRINTF:
        return USE_PRINTF;
    }
    BUG("undefined use %d", (int)use);
}

/* ---- how much of an array has values ---- */

typedef struct Coverage {
    uint64_t first, last; /**< elements without a value: the first run of them */
    uint64_t missing;     /**< elements without a value in all */
    uint64_t prefix;      /**< bytes that have a value before the first one that has not */
    uint64_t part;        /**< bytes from the start to the end of that first run: a chunk, or all of it */
    bool nothing;         /**< no byte has a value */
    bool in_part;         /**< every element has a value in some of its bytes */
} Coverage;

/* Of the bytes of an array from `low` to `high` none has a value: the elements that lack all of theirs, or
 * also those that lack a part. */
static void count_gap(Coverage *coverage, uint64_t low, uint64_t high, unsigned element, bool whole) {
    uint64_t first = low / element, behind = (high + element - 1) / element;
    if (whole) {
        first = (low + element - 1) / element;
        behind = high / element;
    }
    if (first >= behind) return;
    if (coverage->missing == 0) {
        coverage->first = first;
        coverage->last = behind - 1;
    }
    coverage->missing += behind - first;
}

static void count_gaps(const Initialisation *initialisation, uint64_t from, uint64_t end, unsigned element,
                       bool whole, Coverage *coverage) {
    uint64_t gap = bits_find(initialisation->global, from, end, false);
    while (gap < end) {
        const uint64_t behind = bits_find(initialisation->global, gap, end, true);
        count_gap(coverage, gap - from, behind - from, element, whole);
        gap = bits_find(initialisation->global, behind, end, false);
    }
}

/* How much of an array has a value: the length of the first part that does, how many elements lack one, and
 * where the first gap is. Where some elements have no value at all, those that lack a part, such as padding
 * or a member that nobody sets, are no gap. */
static Coverage measure(const Initialisation *initialisation, uint64_t start, uint64_t bytes,
                        unsigned element) {
    const uint64_t from = start - GPU_GLOBAL_BASE, end = from + bytes;
    const uint64_t gap = bits_find(initialisation->global, from, end, false);
    Coverage coverage = {.prefix = gap - from, .first = (gap - from) / element};
    coverage.part = bits_find(initialisation->global, gap, end, true) - from;
    coverage.nothing = bytes > 0 && coverage.prefix == 0 && coverage.part == bytes;
    count_gaps(initialisation, from, end, element, true, &coverage);
    coverage.in_part = coverage.missing == 0;
    if (coverage.in_part) count_gaps(initialisation, from, end, element, false, &coverage);
    return coverage;
}

/* Who put the values there: of a kernel the index or the threads are short, of the host the bytes. */
static void know_writer(Check *check, uint64_t address, uint64_t bytes, UndefinedFacts *facts) {
    LoggedWriter first;
    if (!check->races || bytes == 0 || writers_list(check, address, bytes, &first, 1) == 0) return;
    facts->kernel = first.kernel;
    facts->by_library = first.kernel && headers_of_library(text_or(first.place.file, ""));
    if (!first.kernel && !first.unwritten) facts->brought.place = first.place;
}

/* Which elements of the array that begins there have no value, and what that says about the copy or kernel
 * that should have made them. */
static void know_gap(Check *check, UndefinedFacts *facts, uint64_t address, uint64_t bytes,
                     unsigned element) {
    uint64_t length = 1;
    if (bytes / element) length = bytes / element;
    Coverage coverage = measure(check->initialisation, address, bytes, element);
    uint64_t told = coverage.last - coverage.first + 1;
    facts->gap = coverage.missing > 0;
    facts->all_missing = coverage.nothing;
    facts->members = facts->gap && coverage.in_part;
    facts->one_missing = coverage.first == coverage.last;
    facts->first = (int64_t)coverage.first;
    facts->last = (int64_t)coverage.last;
    facts->length = length;
    if (coverage.missing > told)
        facts->others = coverage.missing - told;
    else
        facts->others = 0;
    facts->prefix = coverage.prefix;
    facts->element_bytes = element;
    know_writer(check, address, coverage.prefix, facts);
    /* "copied 1000 bytes for 1000 elements" is seen in how far the values reach, be it in each chunk */
    facts->bytes_counted = element > 1 && coverage.prefix > 0 && coverage.prefix * element == coverage.part;
}

/* ---- where a value came from ---- */

static void know_padding(const Check *check, uint64_t address, UndefinedFacts *facts) {
    const CheckOptions *options = &check->options;
    CheckRows rows;
    if (!options->rows || !options->rows(options->rows_self, address, &rows)) return;
    if ((address - rows.start) % rows.pitch < rows.width) return;
    facts->padding = true;
    facts->row_width = rows.width;
    facts->row_pitch = rows.pitch;
}

/* Of shared memory: whether anybody had stored there, and of an element of several members, how much. */
static void know_member(const UndefinedSource *read, UndefinedFacts *facts) {
    facts->untouched = read->untouched;
    facts->one_member = read->held > 0;
    if (read->held == 0) return;
    facts->held = read->held;
    facts->element_bytes = read->array.element_bytes;
}

/* The value came from memory: the read that took it is the first party, and how much of that array has
 * values tells forgotten initialisation from an index that is off by one. */
static void know_source(Check *check, const GpuLaunch *launch, const UndefinedSource *source,
                        CheckFinding *finding, UndefinedFacts *facts) {
    const GpuAllocation *allocation = NULL;
    if (source->space != PTX_SPACE_SHARED) allocation = gpu_memory_find(check->gpu, source->address);
    finding->party = check_party_at(check, launch, source->block, source->thread, source->pc, "read");
    finding->array = check_array_at(check, launch, source->space, source->address, allocation, source->bytes);
    facts->source = true;
    facts->shared = finding->of_shared = !allocation;
    know_member(source, facts);
    facts->copying = source->copying;
    facts->name = source->array.name;
    facts->element = &finding->array;
    if (allocation) finding->allocation = allocation->id;
    if (allocation) know_padding(check, source->address, facts);
    if (!allocation || facts->padding) return;
    uint64_t bytes = finding->array.length * finding->array.element_bytes;
    know_gap(check, facts, allocation->address + allocation->bytes - bytes, bytes,
             finding->array.element_bytes);
    /* a kernel that reads an array and writes it back is not the one that should have filled it */
    facts->rewrites = facts->kernel && text_same(facts->kernel, check_kernel_name(launch));
}

/** The value comes through a texture or a surface. */
static bool is_texel(const PtxInstruction *instruction) {
    const PtxFamily family = ptx_opcode_info(instruction->opcode)->family;
    return family == PTX_FAMILY_texture_fetch || family == PTX_FAMILY_texture_gather ||
           family == PTX_FAMILY_surface_load;
}

static bool has_barrier(const PtxFunction *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == PTX_OP_bar) return true;
    return false;
}

/* The value goes into a product of matrices: the instruction is one, or belongs to the line of the next one,
 * where code that is not optimised loads register by register. */
static bool feeds_matrix(const GpuPlace *place) {
    const PtxInstruction *end = place->function->instructions + place->function->instruction_count;
    const PtxInstruction *next = place->instruction;
    while (next < end && next->opcode != PTX_OP_wmma_mma)
        next++;
    return next < end &&
           (next == place->instruction || (next->line > 0 && next->line == place->instruction->line));
}

/* BlockReduce and WarpReduce of CUB, in the copies of their headers (warpcc/cub.sh), have a register that
 * gets no value for all threads but the one that has the result. */
static bool is_of_first_thread(const GpuPlace *place) {
    for (unsigned i = 0; i < place->instruction->operand_count; i++) {
        const PtxOperand *operand = &place->instruction->operands[i];
        if (operand->kind != PTX_OPERAND_REGISTER || operand->index < 0) continue;
        const char *name = place->function->registers[operand->index].name;
        if (name && strstr(name, "warpgrind_first_only")) return true;
    }
    return false;
}

/* What of the thread's own the value came from that the instruction reads: the names come from the debug
 * information. A kernel with a barrier has threads that are meant to share something. */
static void know_own(const Check *check, uint32_t pc, CheckFinding *finding, UndefinedFacts *facts) {
    GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction) return;
    const PtxLocal *indexed, *named = ptx_find_local(place.function, place.instruction);
    bool computed = ptx_reads_own_array(place.function, place.instruction, &indexed);
    const PtxLocal *local = named;
    if (computed) local = indexed;
    facts->function = place.function->plain_name;
    facts->meeting = has_barrier(place.function);
    facts->own_array = computed || (named && named->element_bytes && named->bytes > named->element_bytes);
    facts->texel = is_texel(place.instruction);
    facts->matrix = !facts->texel && feeds_matrix(&place);
    facts->first_only = is_of_first_thread(&place);
    facts->own = !facts->texel &&
                 (local || facts->own_array || facts->matrix || place.instruction->opcode != PTX_OP_ld);
    if (!local) return;
    const unsigned read = ptx_type_bytes(place.instruction->type);
    facts->one_member = !facts->own_array && named && read > 0 && read < named->bytes;
    unsigned element = 1;
    if (local->element_bytes) element = local->element_bytes;
    facts->local = local->name;
    facts->declared.place.line = local->line;
    finding->array = (CheckArray){.name = local->name,
                                  .space = "local",
                                  .element_bytes = element,
                                  .length = local->bytes / element,
                                  .declared = {.file = finding->party.place.file, .line = local->line}};
}

static const char *type_of_atomic(const PtxInstruction *instruction) {
    PtxType type = PTX_U32;
    if (instruction) type = instruction->type;
    if (type == PTX_F32) return "float";
    if (type == PTX_F64) return "double";
    if (ptx_type_bytes(type) == 8) return "unsigned long long";
    return "int";
}

/* How much of the element, and of its array, has a value: cudaMemset(p, 0, 1) sets one byte. */
static void know_initial(Check *check, const GpuAccess *access, unsigned lane, const CheckArray *array,
                         UndefinedFacts *facts) {
    const uint64_t address = access->address[lane], from = address - GPU_GLOBAL_BASE;
    const GpuAllocation *allocation = gpu_memory_find(check->gpu, address);
    if (!allocation) return;
    const uint64_t bytes = array->length * array->element_bytes;
    know_gap(check, facts, allocation->address + allocation->bytes - bytes, bytes, array->element_bytes);
    facts->held = bits_find(check->initialisation->global, from, from + access->bytes, false) - from;
    facts->element_bytes = access->bytes;
    if (facts->held) know_writer(check, address, facts->held, facts);
}

/* Atomics read memory and use the value in one instruction, so there is no later use to wait for. */
void initialisation_tell_atomic(Check *check, const GpuAccess *access, unsigned lane) {
    uint64_t key = check_key(SEEN_UNDEFINED, access->pc, 0);
    if (!check->options.initialisation || check_seen(check, key, 1)) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    const GpuLaunch *launch = gpu_block_launch(block);
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR};
    finding.party = check_party(check, block, 32 * gpu_warp_index(access->warp) + lane, access->pc, "atomic");
    finding.array = check_array_at(check, launch, access->space, access->address[lane], access->allocation,
                                   access->bytes);
    UndefinedFacts facts = {.shared = access->space == PTX_SPACE_SHARED,
                            .several = finding.array.length > 1,
                            .party = {&finding.party, launch},
                            .element = &finding.array,
                            .name = finding.array.name,
                            .type = type_of_atomic(gpu_place(check->gpu, access->pc).instruction)};
    if (access->allocation) finding.allocation = access->allocation->id;
    if (!facts.shared) know_initial(check, access, lane, &finding.array, &facts);
    Said said = said_undefined(UNDEFINED_ATOMIC_MESSAGE, UNDEFINED_ATOMIC_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* ---- copies to the host ---- */

/* By the time of the copy the array may have been freed. */
static const char *name_of_freed(Check *check, const UndefinedSource *read) {
    const GpuAllocation *nearest = gpu_memory_nearest(check->gpu, read->address);
    const bool inside =
        nearest && read->address >= nearest->address && read->address - nearest->address < nearest->bytes;
    if (inside) return check_array_global(check, NULL, nearest, read->address, read->bytes).name;
    return NULL;
}

/* What was read there: of shared memory as it was then, of other memory as it is now. */
static void know_read(Check *check, const UndefinedSource *read, CheckFinding *finding,
                      UndefinedFacts *facts) {
    const GpuAllocation *allocation = gpu_memory_find(check->gpu, read->address);
    facts->shared = finding->of_shared = read->space == PTX_SPACE_SHARED;
    know_member(read, facts);
    facts->copying = read->copying;
    facts->name = read->array.name;
    if (read->space == PTX_SPACE_GLOBAL && !allocation) facts->name = name_of_freed(check, read);
    if (read->space != PTX_SPACE_GLOBAL || !allocation) return;
    know_padding(check, read->address, facts);
    const Bits *global = check->initialisation->global;
    if (facts->padding || bits_all(global, read->address - GPU_GLOBAL_BASE, read->bytes)) return;
    const CheckArray array = check_array_global(check, NULL, allocation, read->address, read->bytes);
    const uint64_t bytes = array.length * array.element_bytes;
    finding->array.given_to = facts->function;
    finding->allocation = allocation->id;
    facts->name = array.name;
    know_gap(check, facts, allocation->address + allocation->bytes - bytes, bytes, array.element_bytes);
    facts->rewrites = facts->kernel && text_same(facts->kernel, facts->function);
}

/* A kernel stored there what it had made of nothing: its line is the one to look at. */
static void know_written(Check *check, uint32_t origin, CheckFinding *finding, UndefinedFacts *facts) {
    facts->origin = true;
    facts->name = NULL;
    finding->other = finding->party;
    finding->party = (CheckParty){.place = check_place_of_pc(check, origin), .what = "read"};
    facts->read.place.line = finding->party.place.line;
    know_own(check, origin, finding, facts);
    finding->kernel = facts->function;
    const UndefinedSource *read = &check->initialisation->sources[origin % SOURCE_SLOTS];
    if (!facts->own && read->pc == origin && !read->shuffle) know_read(check, read, finding, facts);
}

/* ---- uses in kernels ---- */

/* The use that a finding is about. */
typedef struct UndefinedUse {
    const GpuWarp *warp;
    uint32_t lanes, pc, origin;
} UndefinedUse;

static CheckParty user_of(Check *check, const UndefinedUse *used, uint32_t pc, const char *what) {
    const uint32_t thread = 32 * gpu_warp_index(used->warp) + check_first_lane(used->lanes);
    return check_party(check, gpu_warp_block(used->warp), thread, pc, what);
}

/* The value was read, or left out, in an earlier launch, which stored what came of it: the thread that uses
 * it now is another one, and perhaps of another kernel. */
static bool is_of_earlier_launch(const Check *check, const GpuLaunch *launch, uint32_t origin) {
    const UndefinedSource *read = &check->initialisation->sources[origin % SOURCE_SLOTS];
    const PtxFunction *function = gpu_place(check->gpu, origin).function;
    if (read->pc == origin) return read->launch != launch->id;
    return function && function->entry && function != gpu_kernel_function(launch->spec.kernel);
}

static void know_use(Check *check, const UndefinedUse *used, CheckFinding *finding, UndefinedFacts *facts) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(used->warp));
    const UndefinedSource *source = initialisation_source(check->initialisation, launch, used->origin);
    if (source) {
        know_source(check, launch, source, finding, facts);
    } else if (is_of_earlier_launch(check, launch, used->origin)) {
        know_written(check, used->origin, finding, facts);
        finding->kernel = NULL; /* that of the use */
        facts->party.party = &finding->other;
        facts->used.place = check_place_of_pc(check, used->pc);
        finding->other = user_of(check, used, used->pc, "use");
        return;
    } else {
        finding->party = user_of(check, used, used->origin, "read");
        know_own(check, used->origin, finding, facts);
    }
    CheckPlace place = check_place_of_pc(check, used->pc);
    if (place.line == 0 || place.line == finding->party.place.line) return;
    facts->used.place = place;
    finding->other = user_of(check, used, used->pc, "use");
}

/* An undefined value is told where it is used (in a condition, an address), not where it is copied, since
 * copies are harmless. One finding for each origin: the uses that follow from it are counted. */
void initialisation_tell_use(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                             GpuUndefinedUse use, uint32_t origin) {
    if (!origin) origin = pc;
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(warp));
    const UndefinedSource *source = initialisation_source(check->initialisation, launch, origin);
    if (source && source->shuffle) {
        shuffle_story_tell(check, warp, lanes, pc, source, use_text(use));
        return;
    }
    uint64_t key = check_key(SEEN_UNDEFINED, origin, 0);
    if (!check->options.initialisation || check_seen(check, key, check_lane_count(lanes))) return;
    CheckFinding finding = {
        .kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR, .count = check_lane_count(lanes)};
    UndefinedFacts facts = {.party = {&finding.party, launch}, .use = plain_use(use_text(use))};
    know_use(check, &(UndefinedUse){warp, lanes, pc, origin}, &finding, &facts);
    Said said = said_undefined(UNDEFINED_USE_MESSAGE, UNDEFINED_USE_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* Every element lacks the same bytes: a component that nobody uses, padding of a type that is not known, or
 * a member that was forgotten. */
static void note_holes(Check *check, const CheckArray *array, const Holes *holes, uint64_t site,
                       uint32_t allocation) {
    uint64_t key = check_key(SEEN_UNDEFINED_HOLES, site, allocation);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_NOTE, .array = *array};
    finding.party = (CheckParty){.place = check_place_of_site(check, site), .what = "copy"};
    UndefinedFacts facts = {.array = array,
                            .several = holes->last > holes->first,
                            .first = holes->first,
                            .last = holes->last,
                            .period = holes->period};
    Said said = said_undefined(UNDEFINED_HOLES_MESSAGE, UNDEFINED_HOLES_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/** What the host has copied, and where. */
typedef struct Copied {
    uint64_t address, bytes, site;
} Copied;

/* All that the copy takes is missing, a row of the array perhaps or its second half, but not all of the
 * array. */
static void know_part(Check *check, const GpuAllocation *allocation, const CheckArray *array,
                      UndefinedFacts *facts) {
    Coverage whole =
        measure(check->initialisation, allocation->address, allocation->bytes, array->element_bytes);
    if (!facts->all_missing || array->index < 0 || whole.missing * array->element_bytes >= allocation->bytes)
        return;
    facts->all_missing = false;
    facts->first += array->index;
    facts->last += array->index;
    facts->length = array->length;
    know_writer(check, allocation->address, allocation->bytes, facts);
}

/* Either a kernel stored a value that it did not have, or nobody stored any: the first names the store, the
 * second the part of the array. */
static void tell_missing(Check *check, const GpuAllocation *allocation, const CheckArray *array,
                         const Copied *copied, uint32_t origin, uint64_t key) {
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR, .array = *array};
    finding.party = (CheckParty){.place = check_place_of_site(check, copied->site), .what = "copy"};
    UndefinedFacts facts = {.array = array, .element = array};
    if (origin)
        know_written(check, origin, &finding, &facts);
    else
        know_gap(check, &facts, copied->address, copied->bytes, array->element_bytes);
    if (!origin) finding.allocation = allocation->id;
    know_part(check, allocation, array, &facts);
    if (!facts.origin && !facts.all_missing) finding.sort = "partial";
    Said said = said_undefined(UNDEFINED_COPY_MESSAGE, UNDEFINED_COPY_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* The host has read bytes without a value. One finding for each origin, or for each copy and allocation
 * when there is none. */
void initialisation_tell_copy(Check *check, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                              uint64_t site) {
    if (!check->options.initialisation) return;
    Holes holes = holes_find(check, allocation, address, bytes);
    if (holes.kind == HOLES_PADDING) return;
    uint32_t origin = initialisation_origin_global(check->initialisation, holes.address);
    uint64_t key = check_key(SEEN_UNDEFINED_COPY, site, allocation->id);
    if (origin) key = check_key(SEEN_UNDEFINED, origin, 0);
    if (check_seen(check, key, 1)) return;
    unsigned guess = 1;
    if (bytes % 4 == 0) guess = 4;
    if (holes.element) guess = holes.element;
    CheckArray array = check_array_global(check, NULL, allocation, holes.address, guess);
    if (holes.kind == HOLES_ALIKE)
        note_holes(check, &array, &holes, site, allocation->id);
    else
        tell_missing(check, allocation, &array, &(Copied){address, bytes, site}, origin, key);
}
