/* notes.c - right, but slow: said once per line, and only where it is clear-cut and the launch is large
 * enough to matter.
 *
 * The thresholds are deliberately high. A note that is wrong, or that comes with every small test, teaches to
 * skip notes.
 */
#include "check/notes.h"

#include <inttypes.h>
#include <string.h>

enum {
    MIN_REQUESTS = 128, /* of one line in one launch, before anything is said about it */
    MIN_EXCESS = 4,     /* times the ideal */
    MIN_WASTE = 2048,   /* sectors or turns more than ideal */
    MIN_BRANCHES = 512,
    MIN_QUEUE = 4096,  /* atomic operations of one line */
    MIN_LOOPED = 1024, /* atomic operations that are loops, of one line */
    MIN_SMALL_BLOCKS = 256,
    MIN_LONELY = 4096, /* instructions of launches of a single thread, at one place */
    MIN_FETCHES = 8
};

typedef struct NoteStory {
    Check *check;
    const GpuLaunch *launch;
    CheckFinding finding;
    Text message, why;
} NoteStory;

static void file_note(NoteStory *story, FindingKind kind, CheckPlace place, uint64_t key) {
    story->finding.kind = kind;
    story->finding.severity = FINDING_NOTE;
    story->finding.party.place = place;
    story->finding.message = story->message.bytes;
    story->finding.explanation = story->why.bytes;
    check_record(story->check, &story->finding, key);
}

typedef void NoteText(NoteStory *story, const LineCount *line);

static void note_line(Check *check, const GpuLaunch *launch, const LineCount *line, FindingKind kind,
                      NoteText *text) {
    uint64_t key = check_key(SEEN_NOTE + (uint64_t)kind, line->pc, 0);
    if (check_seen(check, key, 1)) return;
    NoteStory story = {.check = check, .launch = launch};
    text_init(&story.message);
    text_init(&story.why);
    CheckPlace place = check_place_of_pc(check, line->pc);
    if (!line->branch && !line->fetch)
        story.finding.array = check_array_at(check, launch, line->space, line->address, NULL, 4);
    text(&story, line);
    file_note(&story, kind, place, key);
    text_free(&story.message);
    text_free(&story.why);
}

/* ---- lines ---- */

static bool wasteful(const LineCount *line) {
    return line->requests >= MIN_REQUESTS && line->cost >= MIN_EXCESS * line->ideal &&
           line->cost - line->ideal >= MIN_WASTE;
}

static void tell_uncoalesced(NoteStory *story, const LineCount *line) {
    words_array(&story->message, &story->finding.array);
    text_format(&story->message, " is %s in pieces that lie far apart: ", line->store ? "written" : "read");
    words_count(&story->message, line->cost, "sector");
    text_add(&story->message, " of 32 bytes where ");
    text_number(&story->message, line->ideal);
    text_add(&story->message, " would do");
    text_add(&story->why, "Neighbouring threads should use neighbouring elements: then a warp's 32 floats "
                          "lie in 4 sectors of 32 bytes. Let "
                          "threadIdx.x count the elements that lie side by side (the columns of a row).");
}

static void tell_constants(NoteStory *story, const LineCount *line) {
    words_array(&story->message, &story->finding.array);
    text_add(&story->message, " is read at different elements by the threads of a warp: ");
    words_count(&story->message, line->cost, "turn");
    text_add(&story->message, " where ");
    text_number(&story->message, line->ideal);
    text_add(&story->message, " would do");
    text_add(&story->why, "The constant cache gives a warp one element at a time. It is fast when all "
                          "threads want the same element; a table in which each thread reads a different "
                          "one is better off in global or shared memory.");
}

static void tell_bank_conflict(NoteStory *story, const LineCount *line) {
    text_format(&story->message, "%s ", line->store ? "writing" : "reading");
    words_array(&story->message, &story->finding.array);
    text_add(&story->message, " takes ");
    words_count(&story->message, line->cost, "turn");
    text_add(&story->message, " of the shared memory banks instead of ");
    text_number(&story->message, line->ideal);
    text_add(&story->why, "Words whose numbers differ by a multiple of 32 lie in one bank, and threads of a "
                          "warp queue for it. Read along rows, "
                          "or make the rows one element longer (float tile[32][33]).");
}

static void tell_divergent(NoteStory *story, const LineCount *line) {
    text_number(&story->message, line->divergent);
    text_add(&story->message, " of ");
    words_count(&story->message, line->requests, "time");
    text_add(&story->message, ", the threads of a warp take different branches here");
    text_add(&story->why,
             "A warp runs the branches one after the other, and meanwhile the threads that took the other "
             "branch idle. The result is right, but it takes longer. A condition that is the same for "
             "whole warps (tid < s rather than tid % (2 * s) == 0) avoids it.");
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

static void explain_loop(Text *why) {
    text_add(why,
             "In shared memory a card has atomic additions for 32-bit integers only: for floats, doubles and "
             "64-bit integers it runs a compare-and-swap loop, which repeats as long as other threads get in "
             "first.");
}

static void tell_loop(NoteStory *story, const LineCount *line) {
    words_count(&story->message, line->lanes, "atomic operation");
    text_add(&story->message, " on ");
    words_array(&story->message, &story->finding.array);
    text_format(&story->message, ", in shared memory, %s a loop on a card",
                line->lanes == 1 ? "is" : "are each");
    explain_loop(&story->why);
    text_add(&story->why,
             " If you add up within each warp first (__shfl_down_sync), only one addition per warp is left.");
}

static void tell_contention(NoteStory *story, const LineCount *line) {
    words_count(&story->message, line->lanes, "atomic operation");
    text_add(&story->message, " on ");
    words_array(&story->message, &story->finding.array);
    text_add(&story->message, " queue for the same address, ");
    words_count(&story->message, line->cost, "turn");
    text_add(&story->message, " in all");
    text_add(&story->why, "Operations on one address are done one after the other. Add up within the block "
                          "first (shared memory, or warp "
                          "shuffles), then do one atomic per block.");
    if (!is_loop(story->check, line)) return;
    text_add(&story->why, " ");
    explain_loop(&story->why);
}

static void tell_corners(NoteStory *story, const LineCount *line) {
    text_add(&story->message, "all ");
    text_number(&story->message, line->requests);
    text_add(&story->message,
             " fetches here read right between the texels, so each returns the mean of its neighbours");
    text_add(&story->why, "With linear filtering, the centre of texel i is at i + 0.5: "
                          "tex2D<float>(texture, x + 0.5f, y + 0.5f) gives texel (x, y) itself. If you want "
                          "the mean, ignore this note.");
}

static void tell_coordinates(NoteStory *story, const LineCount *line) {
    coordinates_tell(coordinates_judge(&line->fetched), &line->fetched, &story->message, &story->why);
}

static void note_of_fetch(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (coordinates_judge(&line->fetched) != COORDINATES_FINE)
        note_line(check, launch, line, FINDING_API_MISUSE, tell_coordinates);
    else if (line->requests >= MIN_FETCHES && line->cost == line->requests)
        note_line(check, launch, line, FINDING_API_MISUSE, tell_corners);
}

/* A block of one warp parts in every reduction: there is no better way. And the edge of the work costs
 * nothing. */
static void note_of_branch(Check *check, const GpuLaunch *launch, const LineCount *line) {
    const uint64_t inside = line->divergent - line->edges;
    if (check_dim_volume(launch->spec.block) < 64 || line->requests < MIN_BRANCHES) return;
    if (2 * line->divergent < line->requests) return;
    if (2 * inside < line->requests && edges_branch_ends(check, line->pc)) return;
    note_line(check, launch, line, FINDING_DIVERGENT_BRANCH, tell_divergent);
}

/* Every thread arrives at a barrier object, which is what it is for. */
static bool arrives(const Check *check, const LineCount *line) {
    const PtxInstruction *instruction = gpu_place(check->gpu, line->pc).instruction;
    PtxOpcode opcode = instruction ? instruction->opcode : PTX_OP_atom;
    return opcode == PTX_OP_mbarrier_arrive || opcode == PTX_OP_mbarrier_arrive_drop ||
           opcode == PTX_OP_mbarrier_inval || opcode == PTX_OP_cp_async_mbarrier;
}

static void note_of_atomic(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (arrives(check, line)) return;
    if (line->lanes >= MIN_QUEUE && line->cost >= 16 * line->requests)
        note_line(check, launch, line, FINDING_ATOMIC_CONTENTION, tell_contention);
    else if (line->lanes >= MIN_LOOPED && is_loop(check, line))
        note_line(check, launch, line, FINDING_ATOMIC_CONTENTION, tell_loop);
}

static void note_of_line(Check *check, const GpuLaunch *launch, const LineCount *line) {
    if (line->fetch) {
        note_of_fetch(check, launch, line);
    } else if (line->branch) {
        note_of_branch(check, launch, line);
    } else if (line->atomic) {
        note_of_atomic(check, launch, line);
    } else if (wasteful(line)) {
        if (line->space == PTX_SPACE_GLOBAL)
            note_line(check, launch, line, FINDING_UNCOALESCED, tell_uncoalesced);
        if (line->space == PTX_SPACE_CONST)
            note_line(check, launch, line, FINDING_UNCOALESCED, tell_constants);
        if (line->space == PTX_SPACE_SHARED)
            note_line(check, launch, line, FINDING_BANK_CONFLICT, tell_bank_conflict);
    }
}

/* ---- kernels ---- */

static bool is_double_arithmetic(const PtxInstruction *instruction) {
    static const PtxOpcode arithmetic[] = {PTX_OP_add, PTX_OP_sub, PTX_OP_mul, PTX_OP_fma,
                                           PTX_OP_mad, PTX_OP_div, PTX_OP_sqrt};
    if (instruction->type != PTX_F64) return false;
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
        if (instruction->opcode == arithmetic[i]) return true;
    return false;
}

static bool moves_type(const PtxFunction *function, const PtxInstruction *instruction, PtxType type) {
    if (instruction->opcode != PTX_OP_ld && instruction->opcode != PTX_OP_st) return false;
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
    if (!function || check_seen(check, key, 1)) return;
    const CheckPlace place = stray_double(check, launch, function);
    if (place.line == 0) return;
    NoteStory story = {.check = check, .launch = launch};
    text_init(&story.message);
    text_init(&story.why);
    text_format(&story.message, "line %d computes in double precision, though %s works on floats", place.line,
                function->plain_name);
    text_add(&story.why, "A constant like 0.5 and functions like sqrt are double precision: the floats are "
                         "converted to double, computed with at the much slower rate of doubles, and rounded "
                         "back. Write 0.5f and sqrtf.");
    file_note(&story, FINDING_DOUBLE_PRECISION, place, key);
    text_free(&story.message);
    text_free(&story.why);
}

static void note_occupancy(Check *check, const GpuLaunch *launch) {
    uint64_t threads = check_dim_volume(launch->spec.block), blocks = check_dim_volume(launch->spec.grid);
    uint64_t key = check_key(SEEN_NOTE + FINDING_LOW_OCCUPANCY, launch->spec.site, 0);
    if (threads >= 32 || blocks < MIN_SMALL_BLOCKS || check_seen(check, key, 1)) return;
    NoteStory story = {.check = check, .launch = launch};
    text_init(&story.message);
    text_init(&story.why);
    words_count(&story.message, blocks, "block");
    text_add(&story.message, " of only ");
    words_count(&story.message, threads, "thread");
    text_add(&story.message, " are launched");
    text_format(&story.why,
                "Threads run in warps of 32: a block of %" PRIu64 " leaves %" PRIu64 " of 32 lanes idle. ",
                threads, 32 - threads);
    if (threads == 1)
        text_format(&story.why,
                    "The first number between <<< and >>> is the number of blocks, the second the threads of "
                    "each: for one "
                    "block write <<<1, %" PRIu64 ">>>. ",
                    blocks);
    text_add(&story.why, "Blocks of 64 to 512 threads, a multiple of 32, use the GPU well.");
    story.finding.index_at_fault = threads == 1;
    file_note(&story, FINDING_LOW_OCCUPANCY, check_place_of_launch(check, launch), key);
    text_free(&story.message);
    text_free(&story.why);
}

void tell_notes(Check *check, const GpuLaunch *launch, const Notes *notes) {
    for (unsigned i = 0; i < notes->used_count; i++)
        note_of_line(check, launch, &notes->lines[notes->used[i]]);
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
    LonelyLaunches *lonely = place.line > 0 && place.file ? lonely_at(notes, &place) : NULL;
    if (!lonely) return;
    if (check_dim_volume(spec->grid) * check_dim_volume(spec->block) > 1) lonely->others = true;
    lonely->instructions += launch->thread_instructions;
    lonely->launches++;
    lonely->kernel = check_intern(check, check_kernel_name(launch));
    lonely->launch = launch->id;
}

/* A shape that comes from arguments is another one at some time, or has little to do when it is this one. */
void tell_lonely(Check *check, const Notes *notes) {
    for (unsigned i = 0; i < notes->lonely_count; i++) {
        const LonelyLaunches *lonely = &notes->lonely[i];
        uint64_t key = check_key(SEEN_NOTE + FINDING_LOW_OCCUPANCY, i, 1);
        if (lonely->others || lonely->instructions < MIN_LONELY || check_seen(check, key, 1)) continue;
        NoteStory story = {.check = check};
        story.finding.kernel = lonely->kernel;
        story.finding.launch = lonely->launch;
        text_init(&story.message);
        text_init(&story.why);
        text_format(&story.message, "%s is launched with one block of one thread, which executes ",
                    lonely->kernel);
        words_count(&story.message, lonely->instructions, "instruction");
        if (lonely->launches > 1) {
            text_add(&story.message, " in ");
            text_number(&story.message, lonely->launches);
            text_add(&story.message, " launches");
        }
        text_add(&story.why,
                 "A single GPU thread is much slower than a CPU; a GPU is fast because thousands of "
                 "threads work at once. Give each element a thread of its own, <<<(n + 255) / 256, "
                 "256>>>, in place of a loop over all of them.");
        file_note(&story, FINDING_LOW_OCCUPANCY, lonely->place, key);
        text_free(&story.message);
        text_free(&story.why);
    }
}
