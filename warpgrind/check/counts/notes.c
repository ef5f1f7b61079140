/* notes.c - right, but slow: said once per line, and only where it is clear-cut and the launch is large
 * enough to matter.
 *
 * The thresholds are deliberately high. A note that is wrong, or that comes with every small test, teaches to
 * skip notes.
 */
#include "check/counts/notes.h"

#include <string.h>

enum {
    MIN_REQUESTS = 128, /* of one line in one launch, before anything is said about it */
    MIN_EXCESS = 4,     /* times the ideal */
    MIN_WASTE = 2048,   /* sectors or turns more than ideal */
    MIN_BRANCHES = 512,
    MIN_QUEUE = 4096,  /* atomic operations of one line */
    MIN_LOOPED = 1024, /* atomic operations that are loops, of one line */
    MOST_IN_A_BLOCK = 1024,
    MIN_SMALL_BLOCKS = 256,
    MIN_LONELY = 4096, /* instructions of launches of a single thread, at one place */
    MIN_FETCHES = 8
};

/** Which two texts of [slow] a note is made of. */
typedef struct NoteTexts {
    FindingKind kind;
    SlowText message, why;
} NoteTexts;

static const NoteTexts uncoalesced = {FINDING_UNCOALESCED, SLOW_UNCOALESCED_MESSAGE, SLOW_UNCOALESCED_WHY},
                       constants = {FINDING_UNCOALESCED, SLOW_CONSTANTS_MESSAGE, SLOW_CONSTANTS_WHY},
                       bank_conflict = {FINDING_BANK_CONFLICT, SLOW_BANKS_MESSAGE, SLOW_BANKS_WHY},
                       divergent = {FINDING_DIVERGENT_BRANCH, SLOW_DIVERGENT_MESSAGE, SLOW_DIVERGENT_WHY},
                       contention = {FINDING_ATOMIC_CONTENTION, SLOW_QUEUE_MESSAGE, SLOW_QUEUE_WHY},
                       atomic_loop = {FINDING_ATOMIC_CONTENTION, SLOW_LOOP_MESSAGE, SLOW_LOOP_WHY},
                       corners = {FINDING_API_MISUSE, SLOW_CORNERS_MESSAGE, SLOW_CORNERS_WHY},
                       stray_doubles = {FINDING_DOUBLE_PRECISION, SLOW_DOUBLE_MESSAGE, SLOW_DOUBLE_WHY},
                       small_blocks = {FINDING_LOW_OCCUPANCY, SLOW_SMALL_BLOCKS_MESSAGE,
                                       SLOW_SMALL_BLOCKS_WHY},
                       lonely_thread = {FINDING_LOW_OCCUPANCY, SLOW_LONELY_MESSAGE, SLOW_LONELY_WHY};

static void file_note(Check *check, CheckFinding *finding, const NoteTexts *texts, const SlowFacts *facts,
                      uint64_t key) {
    finding->kind = texts->kind;
    finding->severity = FINDING_NOTE;
    Said said = said_slow(texts->message, texts->why, facts);
    check_tell(check, finding, key, &said);
}

/* ---- lines ---- */

static bool wasteful(const LineCount *line) {
    return line->requests >= MIN_REQUESTS && line->cost >= MIN_EXCESS * line->ideal &&
           line->cost - line->ideal >= MIN_WASTE;
}

/* Of floats and of 64 bits, the shared memory of a card can only exchange and compare-and-swap. */
static bool is_loop(const Check *check, const LineCount *line) {
    const PtxInstruction *instruction = gpu_place(check->gpu, line->pc).instruction;
    if (!instruction || line->space != PTX_SPACE_SHARED) return false;
    PtxAtomic operation = instruction->modifiers.atomic;
    if (operation == PTX_ATOM_EXCH || operation == PTX_ATOM_CAS) return false;
    PtxType type = instruction->type;
    return type == PTX_F32 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 ||
           type == PTX_BF16X2 || ptx_type_bytes(type) == 8;
}

static bool swaps(const Check *check, const LineCount *line) {
    const PtxInstruction *instruction = gpu_place(check->gpu, line->pc).instruction;
    return instruction && instruction->modifiers.atomic == PTX_ATOM_CAS;
}

/* A line of the source that reads or writes one array several times is told once. */
static uint64_t key_of_line(const CheckFinding *finding, const LineCount *line, const NoteTexts *texts) {
    const CheckPlace *place = &finding->party.place;
    if (!finding->array.name || place->line <= 0)
        return check_key(SEEN_NOTE + (uint64_t)texts->kind, line->pc, 0);
    uint64_t what = check_key((uint64_t)texts->kind, (uintptr_t)finding->array.name, line->store);
    return check_key(SEEN_NOTE + what, (uintptr_t)place->file, (uint64_t)place->line);
}

/* What has been counted of one line of the kernel, for whichever texts speak of it. */
static void note_line(Check *check, const GpuLaunch *launch, const LineCount *line, const NoteTexts *texts) {
    CheckFinding finding = {.party.place = check_place_of_pc(check, line->pc)};
    if (!line->branch && !line->fetch)
        finding.array = check_array_at(check, launch, line->space, line->address, NULL, 4);
    uint64_t key = key_of_line(&finding, line, texts);
    if (check_seen(check, key, 1)) return;
    uint64_t ways = 0;
    if (line->ideal > 0) ways = (line->cost + line->ideal / 2) / line->ideal;
    SlowFacts facts = {.array = &finding.array,
                       .store = line->store,
                       .chosen = texts == &uncoalesced && gather_chosen_by_data(check, line->pc),
                       .loop = line->atomic && is_loop(check, line),
                       .swaps = line->atomic && swaps(check, line),
                       .shared = line->space == PTX_SPACE_SHARED,
                       .cost = line->cost,
                       .ideal = line->ideal,
                       .ways = (SayNumber)ways,
                       .requests = line->requests,
                       .divergent = line->divergent,
                       .lanes = line->lanes};
    file_note(check, &finding, texts, &facts, key);
}

static void note_of_coordinates(Check *check, const LineCount *line, bool clamped) {
    uint64_t key = check_key(SEEN_NOTE + FINDING_API_MISUSE, line->pc, clamped);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_API_MISUSE,
                            .severity = FINDING_NOTE,
                            .party.place = check_place_of_pc(check, line->pc)};
    CoordinatesFacts facts = coordinates_facts(&line->fetched);
    Said said = said_coordinates(COORDINATES_MESSAGE, COORDINATES_WHY, &facts);
    if (clamped) said = said_coordinates(COORDINATES_CLAMPED_MESSAGE, COORDINATES_CLAMPED_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

static void note_of_fetch(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (coordinates_judge(&line->fetched) != COORDINATES_FINE)
        note_of_coordinates(check, line, false);
    else if (line->fetched.clamped > 0)
        note_of_coordinates(check, line, true);
    else if (line->requests >= MIN_FETCHES && line->cost == line->requests)
        note_line(check, launch, line, &corners);
}

/* A block of one warp parts in every reduction: there is no better way. The edge of the work costs nothing,
 * and neighbours that do a little more than the others of a whole warp are as close together as they can be.
 */
static void note_of_branch(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (check_dim_volume(launch->spec.block) < 64 || line->requests < MIN_BRANCHES) return;
    if (2 * line->divergent < line->requests) return;
    if (2 * (line->divergent - line->edges) < line->requests && edges_branch_ends(check, line->pc)) return;
    if (2 * (line->divergent - line->runs) < line->requests && edges_branch_skips(check, line->pc)) return;
    note_line(check, launch, line, &divergent);
}

/* Every thread arrives at a barrier object, which is what it is for. */
static bool arrives(const Check *check, const LineCount *line) {
    const PtxInstruction *instruction = gpu_place(check->gpu, line->pc).instruction;
    PtxOpcode opcode = PTX_OP_atom;
    if (instruction) opcode = instruction->opcode;
    return opcode == PTX_OP_mbarrier_arrive || opcode == PTX_OP_mbarrier_arrive_drop ||
           opcode == PTX_OP_mbarrier_inval || opcode == PTX_OP_cp_async_mbarrier;
}

/* Where lanes had addresses of their own before, it is the data that make them queue now. */
static void note_of_atomic(Check *check, const GpuLaunch *launch, const LineCount *line) {
    uint32_t *no_queue = &check->notes->no_queue[line->pc % LINE_SLOTS];
    if (arrives(check, line)) return;
    if (line->lanes >= 16 * line->requests && line->lanes >= 8 * line->cost) *no_queue = line->pc;
    if (line->lanes >= MIN_QUEUE && line->cost >= 16 * line->requests && *no_queue != line->pc)
        note_line(check, launch, line, &contention);
    else if (line->lanes >= MIN_LOOPED && is_loop(check, line))
        note_line(check, launch, line, &atomic_loop);
}

/* An access to memory whose cost is far from ideal, however seldom it happens. */
static bool is_costly(const LineCount *line) {
    bool access = line->cost > 0 && !line->fetch && !line->branch && !line->atomic;
    return access && line->cost >= MIN_EXCESS * line->ideal;
}

static bool is_plain(const Check *check, uint32_t pc) {
    const PtxInstruction *instruction = gpu_place(check->gpu, pc).instruction;
    return instruction && (instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_st);
}

static bool same_line(Check *check, const LineCount *line, const LineCount *other) {
    if (!is_plain(check, other->pc) || !is_plain(check, line->pc)) return false;
    if (other->space != line->space || other->store != line->store || !is_costly(other)) return false;
    const CheckPlace a = check_place_of_pc(check, line->pc), b = check_place_of_pc(check, other->pc);
    return a.line > 0 && a.line == b.line && a.column == b.column && a.file && b.file &&
           strcmp(a.file, b.file) == 0;
}

/* A loop that the compiler has unrolled is several instructions of one line: they count together, as the
 * first of them. False: another one has counted this one. */
static bool take_line(Check *check, const Notes *notes, unsigned at, LineCount *line) {
    *line = notes->lines[notes->used[at]];
    for (unsigned i = 0; is_costly(line) && i < notes->used_count; i++) {
        const LineCount *other = &notes->lines[notes->used[i]];
        if (i == at || !same_line(check, line, other)) continue;
        if (i < at) return false;
        line->requests += other->requests;
        line->lanes += other->lanes;
        line->cost += other->cost;
        line->ideal += other->ideal;
    }
    return true;
}

/* Branches and fetches are told by their own rules; a memory access by the space that it wastes turns in. */
static void note_of_line(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (line->fetch) {
        note_of_fetch(check, launch, line);
    } else if (line->branch) {
        note_of_branch(check, launch, line);
    } else if (line->atomic) {
        note_of_atomic(check, launch, line);
    } else if (wasteful(line)) {
        if (line->space == PTX_SPACE_GLOBAL) note_line(check, launch, line, &uncoalesced);
        if (line->space == PTX_SPACE_CONST) note_line(check, launch, line, &constants);
        if (line->space == PTX_SPACE_SHARED) note_line(check, launch, line, &bank_conflict);
    }
}

/* ---- kernels ---- */

static bool is_among(PtxOpcode opcode, const PtxOpcode *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (opcode == list[i]) return true;
    return false;
}

static bool is_double_arithmetic(const PtxInstruction *instruction) {
    static const PtxOpcode arithmetic[] = {PTX_OP_add, PTX_OP_sub, PTX_OP_mul, PTX_OP_fma,
                                           PTX_OP_mad, PTX_OP_div, PTX_OP_sqrt};
    return instruction->type == PTX_F64 &&
           is_among(instruction->opcode, arithmetic, sizeof arithmetic / sizeof arithmetic[0]);
}

/* To or from memory that others see as well. */
static bool moves_type(const PtxFunction *function, const PtxInstruction *instruction, PtxType type) {
    static const PtxOpcode moves[] = {PTX_OP_ld, PTX_OP_st, PTX_OP_atom, PTX_OP_red};
    if (!is_among(instruction->opcode, moves, sizeof moves / sizeof moves[0])) return false;
    PtxSpace space = instruction->modifiers.space;
    return instruction->type == type && space != PTX_SPACE_LOCAL && space != PTX_SPACE_PARAM &&
           !ptx_is_frame_access(function, instruction);
}

/* A product that was fused with a sum has no code of its own: then what runs before it names the line. */
static CheckPlace place_of(Check *check, const GpuLaunch *launch, const PtxFunction *function,
                           uint32_t index) {
    CheckPlace place = {0};
    for (uint32_t i = index + 1; i > 0 && place.line == 0; i--)
        place = check_place_of_pc(check, gpu_kernel_pc(launch->spec.kernel, &function->instructions[i - 1]));
    return place;
}

/* Computes in double precision although everything it reads and writes is float: where it begins to, in a
 * line that is known. Values only widened (for printf) do not count. */
static CheckPlace stray_double(Check *check, const GpuLaunch *launch, const PtxFunction *function) {
    CheckPlace first = {0};
    bool floats = false;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        if (moves_type(function, instruction, PTX_F64)) return (CheckPlace){0};
        if (moves_type(function, instruction, PTX_F32)) floats = true;
        if (first.line == 0 && is_double_arithmetic(instruction) && instruction->line > 0)
            first = place_of(check, launch, function, i);
    }
    return floats ? first : (CheckPlace){0};
}

static void note_double(Check *check, const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    uint64_t key = check_key(SEEN_NOTE + FINDING_DOUBLE_PRECISION, (uint64_t)(uintptr_t)function, 0);
    if (check_seen(check, key, 1)) return;
    const CheckPlace place = stray_double(check, launch, function);
    if (place.line == 0) return;
    CheckFinding finding = {.party.place = place};
    SlowFacts facts = {.line = place.line, .kernel = function->plain_name};
    file_note(check, &finding, &stray_doubles, &facts, key);
}

/* Blocks smaller than a warp leave lanes idle whatever the card. A few such blocks cost nothing and are
 * fine. */
static void note_occupancy(Check *check, const GpuLaunch *launch) {
    uint64_t threads = check_dim_volume(launch->spec.block), blocks = check_dim_volume(launch->spec.grid);
    uint64_t key = check_key(SEEN_NOTE + FINDING_LOW_OCCUPANCY, launch->spec.site, 0);
    if (threads >= 32 || blocks < MIN_SMALL_BLOCKS || check_seen(check, key, 1)) return;
    CheckFinding finding = {.party.place = check_place_of_launch(check, launch),
                            .index_at_fault = threads == 1};
    if (threads == 1) finding.sort = "one-thread";
    SlowFacts facts = {.one_thread = threads == 1,
                       .blocks = blocks,
                       .threads = threads,
                       .idle = 32 - threads,
                       .one_block = blocks <= MOST_IN_A_BLOCK,
                       .of_256 = (int64_t)((blocks + 255) / 256),
                       .shape = (int64_t)blocks};
    file_note(check, &finding, &small_blocks, &facts, key);
}

void notes_tell(Check *check, const GpuLaunch *launch, const Notes *notes) {
    LineCount line;
    for (unsigned i = 0; i < notes->used_count; i++)
        if (take_line(check, notes, i, &line)) note_of_line(check, launch, &line);
    note_double(check, launch);
    note_occupancy(check, launch);
}

/* ---- launches of one thread ---- */

/* Two calls of the function around a launch are two sites, and one line. */
static LonelyLaunches *lonely_at(Notes *notes, const CheckPlace *place) {
    for (unsigned i = 0; i < notes->lonely_count; i++) {
        const CheckPlace *known = &notes->lonely[i].place;
        if (known->line == place->line && strcmp(known->file, place->file) == 0) return &notes->lonely[i];
    }
    if (notes->lonely_count == LONELY_PLACES) return NULL;
    LonelyLaunches *made = &notes->lonely[notes->lonely_count++];
    *made = (LonelyLaunches){.place = *place};
    return made;
}

void notes_lonely(Check *check, Notes *notes, const GpuLaunch *launch) {
    const GpuLaunchSpec *spec = &launch->spec;
    CheckPlace place = check_place_of_launch(check, launch);
    LonelyLaunches *lonely = NULL;
    if (place.line > 0 && place.file) lonely = lonely_at(notes, &place);
    if (!lonely) return;
    if (check_dim_volume(spec->grid) * check_dim_volume(spec->block) > 1) lonely->others = true;
    lonely->instructions += launch->thread_instructions;
    lonely->launches++;
    lonely->kernel = check_intern(check, check_kernel_name(launch));
    lonely->launch = launch->id;
}

/* A shape that comes from arguments is another one at some time, or has little to do when it is this one. */
void notes_tell_lonely(Check *check, const Notes *notes) {
    for (unsigned i = 0; i < notes->lonely_count; i++) {
        const LonelyLaunches *lonely = &notes->lonely[i];
        uint64_t key = check_key(SEEN_NOTE + FINDING_LOW_OCCUPANCY, i, 1);
        if (lonely->others || lonely->instructions < MIN_LONELY || check_seen(check, key, 1)) continue;
        CheckFinding finding = {
            .kernel = lonely->kernel, .launch = lonely->launch, .party.place = lonely->place};
        SlowFacts facts = {.kernel = lonely->kernel,
                           .instructions = lonely->instructions,
                           .repeated = lonely->launches > 1,
                           .launches = lonely->launches};
        file_note(check, &finding, &lonely_thread, &facts, key);
    }
}
