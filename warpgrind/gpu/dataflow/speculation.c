/* speculation.c - leads a warp on from a load, to see in which lanes the loaded value may matter.
 *
 * The warp's registers are copied, and instructions that only compute are executed in the copy. The loaded
 * value taints what is made from it, lane by lane, until it is dropped: by a selection of the other value, by
 * an `and` with a false predicate, an `or` with a true one. A lane in which something tainted is stored, used
 * as an address or a condition, or handed to others, wants the value; a lane that needs no tainted register
 * any more does not. What memory and other lanes will give is unknown. Nothing is left of the look ahead but
 * the answer.
 *
 * First lanes go where they really will, for SHORT_WAY instructions at most. That is enough for all but loads
 * moved out of loops. What is then still open, and what comes to a branch of unknown direction, goes both
 * ways: instructions are looked at again until nothing changes, a register that several instructions write
 * is unknown once one of them has been met, and each instruction adds to what is tainted. Where a look ahead
 * costs too much the value counts as wanted.
 */
#include "gpu/dataflow/speculation.h"

enum {
    SHORT_WAY = 192,
    LONG_WAY = 1 << 15, /* instructions at most, over all rounds */
    /* Of a warp: instructions looked ahead at, at first and for each that it executes. */
    STEPS_AT_FIRST = 1 << 16,
    STEPS_EACH = 4
};

typedef struct Look {
    GpuWarp *warp;
    const GpuFunction *function;
    const PtxFunction *ptx;
    GpuSpeculation *known;
    uint32_t wanted;
    uint64_t steps;
    bool both_ways; /**< lanes go where they may go, not only where they will */
    bool changed;
    struct {
        uint32_t at, lanes;
    } groups[GPU_WARP_LANES];
    unsigned group_count;
} Look;

/* ---- operands ---- */

/** What is known of an operand, lane by lane. */
typedef struct Value {
    uint32_t tainted, unknown, zero, nonzero;
} Value;

static uint32_t predicate_bits(const Look *look, const PtxOperand *operand) {
    uint32_t bits;
    GpuRow row = GPU_ROW(GPU_BASE_FRAME, look->function->register_offset[operand->index]);
    memcpy(&bits, gpu_row(look->warp, row), sizeof bits);
    if (operand->negated) return ~bits;
    return bits;
}

/** The lanes in which a register, or a negated predicate, is zero. */
static uint32_t register_zero(const Look *look, const PtxOperand *operand, uint32_t lanes) {
    PtxType type = look->ptx->registers[operand->index].type;
    if (type == PTX_PRED) return ~predicate_bits(look, operand);
    GpuRow row = GPU_ROW(GPU_BASE_FRAME, look->function->register_offset[operand->index]);
    unsigned width = 4;
    if (ptx_type_bytes(type) == 8) width = 8;
    uint32_t zero = 0;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        zero |= (uint32_t)(gpu_lane_value(look->warp, row, width, lane) == 0) << lane;
    }
    return zero;
}

/** What is known of an operand in these lanes. Whether a register is zero is only found when asked for, since
 * that takes a look at every lane. */
static Value value_of(const Look *look, const PtxOperand *operand, uint32_t lanes, bool ask_zero) {
    Value value = {0};
    if (operand->kind == PTX_OPERAND_IMMEDIATE) {
        if (operand->bits)
            value.zero = 0;
        else
            value.zero = UINT32_MAX;
        value.nonzero = ~value.zero;
    } else if (operand->kind == PTX_OPERAND_REGISTER) {
        value.tainted = look->known->tainted[operand->index];
        value.unknown = look->known->unknown[operand->index];
        value.nonzero = look->known->nonzero[operand->index];
        uint32_t sure = lanes & ~(value.tainted | value.unknown);
        if (ask_zero && sure) {
            value.zero = register_zero(look, operand, sure) & sure;
            value.nonzero |= sure & ~value.zero;
        }
    } else if (operand->kind == PTX_OPERAND_SPECIAL) {
        bool of_clock = operand->index >= PTX_CLOCK && operand->index <= PTX_GLOBALTIMER_HI;
        if (of_clock)
            value.unknown = UINT32_MAX;
        else
            value.unknown = 0;
    }
    return value;
}

/** What is known of a value that is made from all sources of the instruction: it is tainted where any of
 * them is, unknown where any of them is, or where it depends on a special register such as a clock. */
static Value value_of_all(const Look *look, const PtxInstruction *instruction, uint32_t lanes) {
    Value all = {0};
    Registers sources;
    speculation_sources(look->ptx, instruction, &sources);
    for (unsigned k = 0; k < sources.count; k++) {
        all.tainted |= look->known->tainted[sources.at[k]] & lanes;
        all.unknown |= look->known->unknown[sources.at[k]] & lanes;
    }
    for (unsigned k = instruction->destination_count; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_SPECIAL)
            all.unknown |= value_of(look, &instruction->operands[k], lanes, false).unknown;
    return all;
}

/* ---- what comes out of an operation ---- */

/** One of two is dropped where the third is known: c ? a : b. */
static Value value_selected(Value a, Value b, Value c) {
    uint32_t open = c.tainted | c.unknown, first = open | ~c.zero, second = open | c.zero;
    return (Value){.tainted = (a.tainted & first) | (b.tainted & second) | c.tainted,
                   .unknown = (a.unknown & first) | (b.unknown & second) | c.unknown};
}

/** Lanes in `settled` have their value from one side alone. */
static Value value_joined(Value a, Value b, uint32_t settled) {
    return (Value){.tainted = (a.tainted | b.tainted) & ~settled,
                   .unknown = (a.unknown | b.unknown) & ~settled};
}

static bool is_equality(PtxCompare compare) {
    return compare == PTX_EQ || compare == PTX_NE;
}

/** A comparison, and with .and and .or a predicate beside it. */
static Value value_compared(const Look *look, const PtxInstruction *setp, uint32_t lanes) {
    const PtxOperand *from = &setp->operands[setp->destination_count];
    Value a = value_of(look, &from[0], lanes, false), b = value_of(look, &from[1], lanes, false);
    uint32_t apart = 0;
    if (is_equality(setp->modifiers.compare)) apart = (a.nonzero & b.zero) | (a.zero & b.nonzero);
    Value compared = value_joined(a, b, apart);
    PtxBoolean boolean = setp->modifiers.boolean;
    if (boolean == PTX_BOOL_NONE) return compared;
    Value c = value_of(look, &from[2], lanes, true);
    uint32_t sure = lanes & ~(c.tainted | c.unknown), settled = 0;
    if (boolean == PTX_BOOL_AND) settled = sure & c.zero;
    if (boolean == PTX_BOOL_OR) settled = sure & ~c.zero;
    if (setp->destination_count > 1) return value_joined(compared, c, 0);
    return value_joined(compared, c, settled);
}

static Value value_logical(const Look *look, const PtxInstruction *instruction, uint32_t lanes) {
    const PtxOperand *from = &instruction->operands[1];
    Value a = value_of(look, &from[0], lanes, true), b = value_of(look, &from[1], lanes, true);
    if (instruction->opcode == PTX_OP_and) return value_joined(a, b, a.zero | b.zero);
    uint32_t nonzero = a.nonzero | b.nonzero;
    Value joined = value_joined(a, b, instruction->type == PTX_PRED ? nonzero : 0);
    joined.nonzero = nonzero;
    return joined;
}

/** The value that an instruction of arithmetic makes: selections, logic and comparisons may drop a
 * tainted source, everything else passes the taint on. */
static Value value_made(const Look *look, const PtxInstruction *instruction, uint32_t lanes) {
    const PtxOperand *from = &instruction->operands[1];
    PtxOpcode opcode = instruction->opcode;
    if (opcode == PTX_OP_and || opcode == PTX_OP_or) return value_logical(look, instruction, lanes);
    if (opcode == PTX_OP_setp) return value_compared(look, instruction, lanes);
    if (opcode != PTX_OP_selp) return value_of_all(look, instruction, lanes);
    return value_selected(value_of(look, &from[0], lanes, false), value_of(look, &from[1], lanes, false),
                          value_of(look, &from[2], lanes, true));
}

/* ---- registers ---- */

static void set_lanes(Look *look, uint32_t *of, uint32_t lanes, uint32_t to, bool keeps) {
    uint32_t now;
    if (keeps)
        now = *of | (to & lanes);
    else
        now = (*of & ~lanes) | (to & lanes);
    look->changed |= now != *of;
    *of = now;
}

/** The lanes of a result get what is known of it. Where lanes may come by several ways, or perhaps not at
 * all, it is added to what was known. */
static void set_result(Look *look, uint16_t number, uint32_t lanes, Value value, bool perhaps) {
    GpuSpeculation *known = look->known;
    bool keeps = look->both_ways || perhaps;
    if (keeps && (perhaps || known->writers[number] > 1)) value.unknown = UINT32_MAX, value.nonzero = 0;
    set_lanes(look, &known->tainted[number], lanes, value.tainted, keeps);
    set_lanes(look, &known->unknown[number], lanes, value.unknown, keeps);
    known->nonzero[number] = (known->nonzero[number] & ~lanes) | (value.nonzero & lanes);
}

static void set_results(Look *look, const PtxInstruction *instruction, uint32_t lanes, Value value,
                        bool perhaps) {
    Registers results;
    speculation_results(look->ptx, instruction, &results);
    for (unsigned k = 0; k < results.count; k++)
        set_result(look, results.at[k], lanes, value, perhaps);
}

/* ---- instructions ---- */

/** What moves lanes, asks the clock or tells observers is left out. */
static bool computes(const GpuInstruction *ins) {
    return ins->step != STEP_flow_join && ins->step != STEP_flow_skip && ins->step != STEP_flow_clock &&
           ins->step != STEP_divide_check && ins->step != STEP_shift_check;
}

/** Executes what has been decoded from the instruction. */
static void compute(const Look *look, uint32_t at, uint32_t lanes) {
    for (uint32_t i = look->known->first[at]; i < look->known->first[at + 1]; i++) {
        const GpuInstruction *ins = &look->function->code[i];
        GpuHandler *handler;
        if (gpu_is_guarded(ins))
            handler = ins->guard.inner.masked;
        else
            handler = ins->run.masked;
        if (computes(ins)) handler(look->warp, ins, lanes);
    }
}

/** Parameters of a kernel have rows of their own. */
static bool is_parameter(const Look *look, const PtxInstruction *load, uint32_t at) {
    const GpuInstruction *ins = &look->function->code[look->known->first[at]];
    while (ins->step == STEP_flow_join)
        ins++;
    bool searches = ins->step == STEP_local_load_parameter || ins->step == STEP_memory_load;
    return load->opcode == PTX_OP_ld && load->modifiers.space == PTX_SPACE_PARAM && look->ptx->entry &&
           load->guard < 0 && !searches;
}

static uint32_t guarded(const Look *look, const PtxInstruction *instruction, uint32_t lanes) {
    PtxOperand guard = {
        .kind = PTX_OPERAND_REGISTER, .index = instruction->guard, .negated = instruction->guard_negated};
    uint32_t open = look->known->tainted[guard.index] | look->known->unknown[guard.index];
    return lanes & (predicate_bits(look, &guard) | open);
}

/** Looks ahead over one instruction that goes on to the next. A tainted guard is a use of the loaded
 * value; an unknown one may execute the instruction or not, so that its result is kept beside the old
 * value. What is no arithmetic uses its tainted sources, and gives a value that is not known. */
static void step_plain(Look *look, const PtxInstruction *instruction, uint32_t at, uint32_t lanes) {
    bool perhaps = false;
    if (instruction->guard >= 0) {
        uint32_t tainted = look->known->tainted[instruction->guard] & lanes;
        look->wanted |= tainted;
        lanes = guarded(look, instruction, lanes & ~tainted);
        perhaps = (look->known->unknown[instruction->guard] & lanes) != 0;
    }
    if (!lanes) return;
    bool computes =
        ptx_data(instruction->opcode) == PTX_DATA_ARITHMETIC || is_parameter(look, instruction, at);
    Value value;
    if (computes)
        value = value_made(look, instruction, lanes);
    else
        value = value_of_all(look, instruction, lanes);
    if (computes) {
        compute(look, at, lanes);
    } else {
        look->wanted |= value.tainted & lanes;
        value = (Value){.unknown = UINT32_MAX};
    }
    set_results(look, instruction, lanes, value, perhaps);
}

/* ---- where lanes go ---- */

/** Lanes stand before the instruction `at` now. Those that need nothing tainted any more are left out. */
static void arrive(Look *look, uint32_t at, uint32_t lanes) {
    const GpuSpeculation *known = look->known;
    uint32_t needing = 0;
    lanes &= ~look->wanted;
    if (!lanes || at >= look->ptx->instruction_count) return;
    const uint64_t *live = known->live + (size_t)at * known->words;
    for (unsigned w = 0; w < known->words; w++)
        for (uint64_t left = live[w]; left; left &= left - 1)
            needing |= known->tainted[known->followed[64 * w + (unsigned)__builtin_ctzll(left)]];
    lanes &= needing;
    if (!lanes) return;
    if (look->both_ways) {
        look->changed |= (lanes & ~known->reached[at]) != 0;
        known->reached[at] |= lanes;
        return;
    }
    for (unsigned i = 0; i < look->group_count; i++)
        if (look->groups[i].at == at) {
            look->groups[i].lanes |= lanes;
            return;
        }
    look->groups[look->group_count].at = at;
    look->groups[look->group_count++].lanes = lanes;
}

/** The lanes of `at` whose way is unknown go both ways from here on. */
static uint32_t part_ways(Look *look, uint32_t at, uint32_t unknown) {
    if (look->both_ways) return 0;
    look->known->reached[at] |= unknown;
    return unknown;
}

/** Looks ahead over a branch. Lanes whose guard is tainted want the value; those whose guard is unknown
 * part ways, and, once both ways are gone, arrive at either side. */
static void step_branch(Look *look, const PtxInstruction *branch, uint32_t at, uint32_t lanes) {
    uint32_t taken = lanes, unknown = 0;
    if (branch->guard >= 0) {
        uint32_t tainted = look->known->tainted[branch->guard] & lanes;
        look->wanted |= tainted;
        lanes &= ~tainted;
        unknown = look->known->unknown[branch->guard] & lanes;
        lanes &= ~part_ways(look, at, unknown);
        taken = guarded(look, branch, lanes);
        if (look->both_ways) taken &= ~unknown;
    }
    uint32_t both = lanes & unknown;
    arrive(look, (uint32_t)branch->operands[0].index, taken | both);
    arrive(look, at + 1, lanes & (~taken | both));
}

/** One of several targets, by number. */
static void step_table(Look *look, const PtxInstruction *table, uint32_t at, uint32_t lanes) {
    const PtxOperand *index = &table->operands[0];
    Value value = value_of(look, index, lanes, false);
    look->wanted |= value.tainted & lanes;
    lanes &= ~value.tainted;
    if (table->guard >= 0) value.unknown = UINT32_MAX;
    lanes &= ~part_ways(look, at, value.unknown & lanes);
    if (table->guard >= 0) arrive(look, at + 1, lanes);
    for (uint32_t k = 0; k < table->branch_target_count; k++) {
        uint32_t here = lanes & value.unknown;
        for (uint32_t left = lanes & ~value.unknown; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            GpuRow row = GPU_ROW(GPU_BASE_FRAME, look->function->register_offset[index->index]);
            bool goes = index->kind == PTX_OPERAND_REGISTER && gpu_lane_value(look->warp, row, 4, lane) == k;
            here |= (uint32_t)goes << lane;
        }
        arrive(look, (uint32_t)table->branch_targets[k], here);
    }
}

static void step_end(Look *look, const PtxInstruction *end, uint32_t at, uint32_t lanes) {
    if (end->guard < 0) return;
    uint32_t tainted = look->known->tainted[end->guard] & lanes;
    look->wanted |= tainted;
    lanes &= ~tainted;
    uint32_t unknown = look->known->unknown[end->guard];
    arrive(look, at + 1, lanes & (~guarded(look, end, lanes) | unknown));
}

/** Looks ahead over one instruction in these lanes, and has them arrive where they may go on. */
static void step(Look *look, uint32_t at, uint32_t lanes) {
    const PtxInstruction *instruction = &look->ptx->instructions[at];
    look->steps++;
    switch (ptx_control(instruction->opcode)) {
    case PTX_CONTROL_BRANCH:
        step_branch(look, instruction, at, lanes);
        return;
    case PTX_CONTROL_TABLE:
        step_table(look, instruction, at, lanes);
        return;
    case PTX_CONTROL_LEAVE:
        step_end(look, instruction, at, lanes);
        return;
    case PTX_CONTROL_NEXT:
    case PTX_CONTROL_MEET:
    case PTX_CONTROL_CALL:
    case PTX_CONTROL_HALT:
        step_plain(look, instruction, at, lanes);
        arrive(look, at + 1, lanes);
    }
}

/* ---- the look ahead ---- */

/** The group that is furthest behind goes first, so that lanes come together again. */
static unsigned next_group(const Look *look) {
    unsigned next = 0;
    for (unsigned i = 1; i < look->group_count; i++)
        if (look->groups[i].at < look->groups[next].at) next = i;
    return next;
}

static void go_short_way(Look *look) {
    for (unsigned way = 0; look->group_count && way < SHORT_WAY; way++) {
        unsigned next = next_group(look);
        uint32_t at = look->groups[next].at, lanes = look->groups[next].lanes;
        look->groups[next] = look->groups[--look->group_count];
        step(look, at, lanes);
    }
    for (unsigned i = 0; i < look->group_count; i++)
        look->known->reached[look->groups[i].at] |= look->groups[i].lanes;
}

static bool anybody_left(const Look *look) {
    for (uint32_t at = 0; at < look->ptx->instruction_count; at++)
        if (look->known->reached[at] & ~look->wanted) return true;
    return false;
}

/** What the short way has left open: the text is gone through until no lane reaches an instruction it has
 * not reached in this state before. A look that runs out of steps wants the value in all lanes that got
 * anywhere in it. */
static void go_both_ways(Look *look) {
    look->both_ways = look->changed = true;
    while (look->changed && look->steps < LONG_WAY) {
        look->changed = false;
        for (uint32_t at = 0; at < look->ptx->instruction_count; at++) {
            uint32_t lanes = look->known->reached[at] & ~look->wanted;
            if (lanes) step(look, at, lanes);
        }
    }
    if (!look->changed) return;
    for (uint32_t at = 0; at < look->ptx->instruction_count; at++)
        look->wanted |= look->known->reached[at];
}

/** The state behind the load: its registers are tainted in the lanes that load, all others are known, as
 * they are in the warp. */
static void begin(Look *look, const GpuInstruction *load, uint32_t mask) {
    GpuSpeculation *known = look->known;
    size_t registers = look->ptx->register_count + 1u;
    Registers results;
    memset(known->tainted, 0, registers * sizeof *known->tainted);
    memset(known->unknown, 0, registers * sizeof *known->unknown);
    memset(known->nonzero, 0, registers * sizeof *known->nonzero);
    memset(known->reached, 0, (look->ptx->instruction_count + 2u) * sizeof *known->reached);
    memcpy(known->frame, look->warp->base[GPU_BASE_FRAME], look->function->frame_bytes);
    speculation_results(look->ptx, load->source, &results);
    for (unsigned k = 0; k < results.count; k++)
        known->tainted[results.at[k]] = mask;
    arrive(look, load->ordinal + 1, mask);
}

/** The same lanes have just executed the first of these joint loads. */
static bool is_last(const GpuSpeculation *known, uint32_t joint, const GpuWarp *warp, uint32_t mask) {
    return known->last.joint == joint && known->last.warp == warp && known->last.mask == mask;
}

/** Executes what follows the load in a copy of the registers, which takes the frame's place while it
 * lasts. Loads that fill one register from one block share an answer. A warp that has looked ahead too
 * much, compared with what it has executed, stops looking: then every lane counts as wanting the value. */
uint32_t speculation_wanted(GpuWarp *warp, const GpuInstruction *load, uint32_t mask) {
    const GpuFunction *function = load->function;
    Look look = {.warp = warp, .function = function, .ptx = function->ptx, .known = function->speculation};
    if (warp->looked > STEPS_AT_FIRST + STEPS_EACH * warp->steps) return mask;
    uint32_t joint = look.known->joint[load->ordinal];
    bool first = joint == load->ordinal;
    if (joint != SPECULATION_NO_LOAD && !first && is_last(look.known, joint, warp, mask))
        return look.known->last.wanted;
    uint8_t *registers = warp->base[GPU_BASE_FRAME];
    uint32_t carry = warp->frame->carry;
    begin(&look, load, mask);
    warp->base[GPU_BASE_FRAME] = look.known->frame;
    go_short_way(&look);
    if (anybody_left(&look)) go_both_ways(&look);
    warp->base[GPU_BASE_FRAME] = registers;
    warp->frame->carry = carry;
    warp->looked += look.steps;
    if (first) {
        look.known->last.warp = warp;
        look.known->last.joint = joint;
        look.known->last.mask = mask;
        look.known->last.wanted = look.wanted & mask;
    }
    return look.wanted & mask;
}
