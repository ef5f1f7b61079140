/* speculation_find.c - which loads may have been moved out from under their condition?
 *
 * An optimiser may only do so where the address can always be read: that of a variable, with a fixed offset.
 * And the value must leave the basic block, or come to a selection or a predicate in it: what it is added
 * into a sum there, stored, or branched on, has been wanted by all who loaded it. That spares most loads the
 * look ahead, those of inner loops above all.
 */
#include "gpu/dataflow/speculation.h"

#include <stdlib.h>

enum { MOST_FOLLOWED = 4096, MOST_LIVE_WORDS = 1 << 18, MOST_ROUNDS = 64, MOST_STEPS_OF_ADDRESS = 8 };

typedef struct Finding {
    GpuFunction *function;
    const PtxFunction *ptx;
    GpuSpeculation *made;
    bool *starts;     /**< [ptx instruction] of a basic block */
    bool *candidates; /**< [ptx instruction] */
    uint32_t *writer; /**< [register] the last instruction in the text that writes it */
    bool any;
} Finding;

/* ---- registers of an instruction ---- */

static void add_operand(const PtxFunction *ptx, const PtxOperand *operand, Registers *registers) {
    bool direct =
        operand->kind == PTX_OPERAND_REGISTER || (operand->kind == PTX_OPERAND_ADDRESS && !operand->variable);
    if (direct && operand->index >= 0 && registers->count < SPECULATION_MOST_REGISTERS)
        registers->at[registers->count++] = (uint16_t)operand->index;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        add_operand(ptx, &ptx->parts[operand->first_part + i], registers);
}

static void collect(const PtxFunction *ptx, const PtxInstruction *instruction, bool results,
                    Registers *registers) {
    registers->count = 0;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (ptx_is_destination(instruction, k) == results)
            add_operand(ptx, &instruction->operands[k], registers);
}

void speculation_sources(const PtxFunction *ptx, const PtxInstruction *instruction, Registers *registers) {
    collect(ptx, instruction, false, registers);
}

void speculation_results(const PtxFunction *ptx, const PtxInstruction *instruction, Registers *registers) {
    collect(ptx, instruction, true, registers);
}

/* ---- the function's text ---- */

static void find_blocks(const Finding *finding) {
    const PtxFunction *ptx = finding->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        PtxControl control = ptx_control(instruction->opcode);
        if (control == PTX_CONTROL_BRANCH || control == PTX_CONTROL_TABLE) finding->starts[i + 1] = true;
        if (instruction->opcode == PTX_OP_bra) finding->starts[instruction->operands[0].index] = true;
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            finding->starts[instruction->branch_targets[k]] = true;
    }
}

static void count_writers(const Finding *finding) {
    Registers results;
    for (uint32_t i = 0; i < finding->ptx->instruction_count; i++) {
        speculation_results(finding->ptx, &finding->ptx->instructions[i], &results);
        for (unsigned k = 0; k < results.count; k++) {
            uint8_t *writers = &finding->made->writers[results.at[k]];
            if (*writers < 2) ++*writers;
            finding->writer[results.at[k]] = i;
        }
    }
}

/** Decoded instructions stand in the order of the text. */
static void find_decoded(const Finding *finding) {
    const GpuFunction *function = finding->function;
    uint32_t count = finding->ptx->instruction_count, next = 0;
    for (uint32_t i = 0; i <= count; i++) {
        while (next < function->code_count && function->code[next].ordinal < i)
            next++;
        finding->made->first[i] = next;
    }
}

/* ---- fixed addresses ---- */

static const PtxInstruction *only_writer(const Finding *finding, int32_t number) {
    bool one = finding->made->writers[number] == 1;
    if (one) return &finding->ptx->instructions[finding->writer[number]];
    return NULL;
}

/** The register holds the address of a variable, perhaps with a number added, and nothing else ever. */
static bool register_is_fixed(const Finding *finding, int32_t number, unsigned steps) {
    const PtxInstruction *writer = NULL;
    if (steps) writer = only_writer(finding, number);
    if (!writer || writer->guard >= 0 || writer->operand_count < 2) return false;
    const PtxOperand *from = &writer->operands[1];
    bool adds = writer->opcode == PTX_OP_add && writer->operands[2].kind == PTX_OPERAND_IMMEDIATE;
    if (writer->opcode != PTX_OP_mov && writer->opcode != PTX_OP_cvta && !adds) return false;
    if (from->kind == PTX_OPERAND_VARIABLE)
        return from->variable->space == PTX_SPACE_SHARED || from->variable->space == PTX_SPACE_GLOBAL;
    return from->kind == PTX_OPERAND_REGISTER && register_is_fixed(finding, from->index, steps - 1);
}

static bool is_fixed(const Finding *finding, const PtxOperand *address) {
    if (address->kind != PTX_OPERAND_ADDRESS) return false;
    if (address->variable)
        return address->variable->space == PTX_SPACE_SHARED || address->variable->space == PTX_SPACE_GLOBAL;
    return address->index >= 0 && register_is_fixed(finding, address->index, MOST_STEPS_OF_ADDRESS);
}

/* ---- what becomes of the value in its own block ---- */

typedef struct Trail {
    Registers held; /**< registers that hold what came of the value */
} Trail;

static bool trail_holds(const Trail *trail, int32_t number) {
    for (unsigned k = 0; k < trail->held.count; k++)
        if (trail->held.at[k] == number) return true;
    return false;
}

static bool trail_is_read(const Trail *trail, const Registers *sources) {
    for (unsigned k = 0; k < sources->count; k++)
        if (trail_holds(trail, sources->at[k])) return true;
    return false;
}

/** Whether the instruction may drop a value that it is given. */
static bool may_drop(const PtxInstruction *instruction) {
    bool combines = instruction->opcode != PTX_OP_setp || instruction->modifiers.boolean != PTX_BOOL_NONE;
    return combines && ptx_has_trait(instruction->opcode, PTX_TRAIT_DROPS);
}

typedef enum Fate { FATE_GOES_ON, FATE_WANTED, FATE_OPEN } Fate;

/** What the instruction does with a value that it reads. A sum that other instructions write too is one over
 * the rounds of a loop. */
static Fate fate_at(const Finding *finding, const PtxInstruction *instruction, Trail *trail) {
    Registers results;
    if (ptx_data(instruction->opcode) != PTX_DATA_ARITHMETIC) return FATE_WANTED;
    if (may_drop(instruction)) return FATE_OPEN;
    speculation_results(finding->ptx, instruction, &results);
    for (unsigned k = 0; k < results.count; k++) {
        bool copied = instruction->opcode == PTX_OP_mov || instruction->opcode == PTX_OP_cvt;
        if (finding->made->writers[results.at[k]] > 1 && !copied) return FATE_WANTED;
        if (trail->held.count == SPECULATION_MOST_REGISTERS) return FATE_OPEN;
        trail->held.at[trail->held.count++] = results.at[k];
    }
    return FATE_GOES_ON;
}

/** Follows the value to the end of the block. FATE_GOES_ON: it leaves the block, in one or more of the
 * registers of the trail; FATE_WANTED: all lanes that load it use it before. */
static Fate follow_trail(const Finding *finding, uint32_t load, Trail *trail, uint32_t *end) {
    const PtxFunction *ptx = finding->ptx;
    Registers sources;
    speculation_results(ptx, &ptx->instructions[load], &trail->held);
    for (*end = load + 1; *end < ptx->instruction_count && !finding->starts[*end]; ++*end) {
        const PtxInstruction *instruction = &ptx->instructions[*end];
        if (instruction->guard >= 0 && trail_holds(trail, instruction->guard)) return FATE_WANTED;
        speculation_sources(ptx, instruction, &sources);
        if (!trail_is_read(trail, &sources)) continue;
        Fate fate;
        if (instruction->guard >= 0)
            fate = FATE_OPEN;
        else
            fate = fate_at(finding, instruction, trail);
        if (fate != FATE_GOES_ON) return fate;
    }
    return FATE_GOES_ON;
}

static bool surely_wanted(const Finding *finding, uint32_t load) {
    Trail trail;
    uint32_t end;
    return follow_trail(finding, load, &trail, &end) == FATE_WANTED;
}

static bool is_plain_load(const PtxInstruction *instruction) {
    bool loads = instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_ldu;
    return loads && instruction->guard < 0 && instruction->modifiers.semantics == PTX_SEM_WEAK;
}

static void find_candidates(Finding *finding) {
    for (uint32_t i = 0; i < finding->ptx->instruction_count; i++) {
        const PtxInstruction *load = &finding->ptx->instructions[i];
        if (!is_plain_load(load) || !is_fixed(finding, &load->operands[1]) || surely_wanted(finding, i))
            continue;
        finding->candidates[i] = finding->any = true;
    }
}

/* ---- registers that a loaded value may come to, and where they are needed ---- */

static bool is_followed(const Finding *finding, int32_t number) {
    return finding->made->number[number] != SPECULATION_NO_NUMBER;
}

static bool follow(const Finding *finding, unsigned *count, uint16_t number) {
    GpuSpeculation *made = finding->made;
    if (is_followed(finding, number) || *count == MOST_FOLLOWED) return false;
    made->followed[*count] = number;
    made->number[number] = (uint16_t)(*count)++;
    return true;
}

static bool follow_results(const Finding *finding, unsigned *count, const PtxInstruction *instruction) {
    Registers results;
    bool grew = false;
    speculation_results(finding->ptx, instruction, &results);
    for (unsigned k = 0; k < results.count; k++)
        grew |= follow(finding, count, results.at[k]);
    return grew;
}

static bool reads_followed(const Finding *finding, const PtxInstruction *instruction) {
    Registers sources;
    speculation_sources(finding->ptx, instruction, &sources);
    for (unsigned k = 0; k < sources.count; k++)
        if (is_followed(finding, sources.at[k])) return true;
    return instruction->guard >= 0 && is_followed(finding, instruction->guard);
}

/** How many there are; MOST_FOLLOWED: too many, or found too slowly. */
static unsigned follow_all(const Finding *finding) {
    const PtxFunction *ptx = finding->ptx;
    unsigned count = 0, rounds = 0;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        if (finding->candidates[i]) follow_results(finding, &count, &ptx->instructions[i]);
    for (bool grew = true; grew;) {
        grew = false;
        if (rounds++ == MOST_ROUNDS) return MOST_FOLLOWED;
        for (uint32_t i = 0; i < ptx->instruction_count; i++) {
            const PtxInstruction *instruction = &ptx->instructions[i];
            if (ptx_data(instruction->opcode) == PTX_DATA_ARITHMETIC && reads_followed(finding, instruction))
                grew |= follow_results(finding, &count, instruction);
        }
    }
    return count;
}

static void set_live(const Finding *finding, uint64_t *row, uint16_t number, bool live) {
    unsigned at = finding->made->number[number];
    if (at == SPECULATION_NO_NUMBER) return;
    row[at / 64] &= ~(UINT64_C(1) << at % 64);
    row[at / 64] |= (uint64_t)live << at % 64;
}

static void join_live(const Finding *finding, uint64_t *row, uint32_t from) {
    unsigned words = finding->made->words;
    if (from >= finding->ptx->instruction_count) return;
    for (unsigned w = 0; w < words; w++)
        row[w] |= finding->made->live[(size_t)from * words + w];
}

static void join_successors(const Finding *finding, uint64_t *row, uint32_t at) {
    const PtxInstruction *instruction = &finding->ptx->instructions[at];
    PtxControl control = ptx_control(instruction->opcode);
    bool ends = control == PTX_CONTROL_BRANCH || control == PTX_CONTROL_TABLE || control == PTX_CONTROL_LEAVE;
    if (!ends || instruction->guard >= 0) join_live(finding, row, at + 1);
    if (instruction->opcode == PTX_OP_bra) join_live(finding, row, (uint32_t)instruction->operands[0].index);
    for (uint32_t k = 0; k < instruction->branch_target_count; k++)
        join_live(finding, row, (uint32_t)instruction->branch_targets[k]);
}

/** True when the row of the instruction has changed; `row` is room for one. */
static bool renew_live(const Finding *finding, uint64_t *row, uint32_t at) {
    const PtxInstruction *instruction = &finding->ptx->instructions[at];
    size_t bytes = finding->made->words * sizeof *row;
    uint64_t *old = finding->made->live + (size_t)at * finding->made->words;
    Registers registers;
    memset(row, 0, bytes);
    join_successors(finding, row, at);
    speculation_results(finding->ptx, instruction, &registers);
    for (unsigned k = 0; k < registers.count && instruction->guard < 0; k++)
        set_live(finding, row, registers.at[k], false);
    speculation_sources(finding->ptx, instruction, &registers);
    for (unsigned k = 0; k < registers.count; k++)
        set_live(finding, row, registers.at[k], true);
    if (instruction->guard >= 0) set_live(finding, row, (uint16_t)instruction->guard, true);
    if (memcmp(old, row, bytes) == 0) return false;
    memcpy(old, row, bytes);
    return true;
}

/** False without memory. `settled`: nothing changes any more. */
static bool find_live(const Finding *finding, bool *settled) {
    GpuSpeculation *made = finding->made;
    uint32_t count = finding->ptx->instruction_count;
    unsigned rounds = 0;
    made->live = calloc((size_t)count + 1, made->words * sizeof *made->live);
    uint64_t *row = calloc(made->words, sizeof *row);
    *settled = false;
    while (made->live && row && !*settled && rounds++ < MOST_ROUNDS) {
        *settled = true;
        for (uint32_t i = count; i-- > 0;)
            if (renew_live(finding, row, i)) *settled = false;
    }
    free(row);
    return made->live && row;
}

/* ---- loads whose values go into one register ---- */

/** The only register of the trail that is needed where the block ends; GPU_NO_REGISTER: there are more, or
 * none. */
static uint16_t leaves_in(const Finding *finding, const Trail *trail, uint32_t end) {
    const GpuSpeculation *made = finding->made;
    const uint64_t *live = made->live + (size_t)end * made->words;
    uint16_t found = GPU_NO_REGISTER;
    for (unsigned k = 0; k < trail->held.count; k++) {
        unsigned at = made->number[trail->held.at[k]];
        if (!(live[at / 64] >> at % 64 & 1)) continue;
        if (found != GPU_NO_REGISTER && found != trail->held.at[k]) return GPU_NO_REGISTER;
        found = trail->held.at[k];
    }
    return found;
}

/** The terms of a sum that has been unrolled: one look ahead does for all. */
static void find_joint(const Finding *finding) {
    uint32_t first_of = SPECULATION_NO_LOAD, end_of = 0, end;
    uint16_t in = GPU_NO_REGISTER;
    for (uint32_t load = 0; load < finding->ptx->instruction_count; load++) {
        Trail trail;
        if (!finding->candidates[load] || follow_trail(finding, load, &trail, &end) != FATE_GOES_ON) continue;
        uint16_t leaves = leaves_in(finding, &trail, end);
        if (leaves == GPU_NO_REGISTER) continue;
        if (leaves != in || end != end_of) first_of = load;
        in = leaves;
        end_of = end;
        finding->made->joint[load] = first_of;
    }
}

/* ---- all of it ---- */

/** Frees what a function keeps for looking ahead; all its parts may be NULL. */
void speculation_free(GpuSpeculation *made) {
    if (!made) return;
    free(made->first);
    free(made->writers);
    free(made->number);
    free(made->followed);
    free(made->live);
    free(made->joint);
    free(made->tainted);
    free(made->unknown);
    free(made->nonzero);
    free(made->reached);
    free(made->frame);
    free(made);
}

/** The tables of a look ahead, as large as the function needs: made once, when it is decoded, since a
 * look has no time for it. */
static GpuSpeculation *make(const GpuFunction *function) {
    size_t registers = (size_t)function->ptx->register_count + 1,
           instructions = (size_t)function->ptx->instruction_count + 2;
    GpuSpeculation *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->first = calloc(instructions, sizeof *made->first);
    made->writers = calloc(registers, sizeof *made->writers);
    made->number = malloc(registers * sizeof *made->number);
    made->followed = calloc(MOST_FOLLOWED, sizeof *made->followed);
    made->joint = malloc(instructions * sizeof *made->joint);
    made->tainted = calloc(registers, sizeof *made->tainted);
    made->unknown = calloc(registers, sizeof *made->unknown);
    made->nonzero = calloc(registers, sizeof *made->nonzero);
    made->reached = calloc(instructions, sizeof *made->reached);
    made->frame = aligned_alloc(64, (function->frame_bytes + 63u) & ~63u);
    bool memory = made->first && made->writers && made->number && made->followed && made->joint &&
                  made->tainted && made->unknown && made->nonzero && made->reached && made->frame;
    if (!memory) {
        speculation_free(made);
        return NULL;
    }
    memset(made->number, 0xff, registers * sizeof *made->number);  /* SPECULATION_NO_NUMBER */
    memset(made->joint, 0xff, instructions * sizeof *made->joint); /* SPECULATION_NO_LOAD */
    return made;
}

/** Marks the candidates, unless the function is too large to be looked ahead in. */
static bool keep(Finding *finding) {
    GpuSpeculation *made = finding->made;
    GpuFunction *function = finding->function;
    unsigned count = follow_all(finding);
    bool settled;
    made->words = (count + 63) / 64;
    bool large = (uint64_t)made->words * finding->ptx->instruction_count > MOST_LIVE_WORDS;
    if (large || count == MOST_FOLLOWED) return true;
    if (!find_live(finding, &settled)) return false;
    if (!settled) return true;
    find_joint(finding);
    find_decoded(finding);
    for (uint32_t i = 0; i < function->code_count; i++) {
        GpuInstruction *ins = &function->code[i];
        bool chosen = ins->ordinal < finding->ptx->instruction_count && finding->candidates[ins->ordinal];
        if (ins->step == STEP_memory_load) ins->memory.speculative = chosen;
    }
    function->speculation = made;
    finding->made = NULL;
    return true;
}

/** Most functions have no candidates, and keep nothing. */
bool speculation_find(GpuFunction *function) {
    size_t count = (size_t)function->ptx->instruction_count + 2;
    Finding finding = {.function = function,
                       .ptx = function->ptx,
                       .made = make(function),
                       .starts = calloc(count, sizeof *finding.starts),
                       .candidates = calloc(count, sizeof *finding.candidates),
                       .writer = calloc((size_t)function->ptx->register_count + 1, sizeof *finding.writer)};
    bool memory = finding.made && finding.starts && finding.candidates && finding.writer;
    if (memory) {
        find_blocks(&finding);
        count_writers(&finding);
        find_candidates(&finding);
        if (finding.any) memory = keep(&finding);
    }
    speculation_free(finding.made);
    free(finding.starts);
    free(finding.candidates);
    free(finding.writer);
    return memory;
}
