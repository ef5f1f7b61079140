/* test_code.c - what the checks ask of a kernel's instructions, which stand here by hand: is a value that was
 * read a flag, does a branch lead to the kernel's end, has data chosen an address? */
#include "check/counts/notes.h"
#include "check/findings/parts.h"
#include "check/races/races.h"
#include "fake_gpu.h"

enum { FRAME = 8, REGISTERS = 16, MOST = 24, PREDICATE = 3 };

static PtxOperand reg(int32_t index) {
    return (PtxOperand){.kind = PTX_OPERAND_REGISTER, .index = index};
}

static PtxOperand number(uint64_t bits) {
    return (PtxOperand){.kind = PTX_OPERAND_IMMEDIATE, .bits = bits};
}

static PtxOperand at(int32_t base, int64_t offset) {
    return (PtxOperand){.kind = PTX_OPERAND_ADDRESS, .index = base, .offset = offset};
}

static PtxInstruction three(PtxOpcode opcode, PtxType type, PtxOperand to, PtxOperand a, PtxOperand b) {
    return (PtxInstruction){.opcode = opcode,
                            .type = type,
                            .guard = -1,
                            .operand_count = 3,
                            .destination_count = 1,
                            .operands = {to, a, b}};
}

static PtxInstruction load(PtxSpace space, PtxType type, int32_t to, PtxOperand from) {
    return (PtxInstruction){.opcode = PTX_OP_ld,
                            .type = type,
                            .guard = -1,
                            .modifiers = {.space = space},
                            .operand_count = 2,
                            .destination_count = 1,
                            .operands = {reg(to), from}};
}

static PtxInstruction store(PtxSpace space, PtxOperand to, PtxOperand value) {
    return (PtxInstruction){.opcode = PTX_OP_st,
                            .type = PTX_S32,
                            .guard = -1,
                            .modifiers = {.space = space},
                            .operand_count = 2,
                            .operands = {to, value}};
}

static PtxInstruction branch(int32_t guard, int32_t target) {
    return (PtxInstruction){.opcode = PTX_OP_bra,
                            .guard = guard,
                            .operand_count = 1,
                            .operands = {{.kind = PTX_OPERAND_LABEL, .index = target}}};
}

static PtxInstruction set_predicate(int32_t to, uint64_t value) {
    return (PtxInstruction){.opcode = PTX_OP_mov,
                            .type = PTX_PRED,
                            .guard = -1,
                            .operand_count = 2,
                            .destination_count = 1,
                            .operands = {reg(to), number(value)}};
}

static PtxInstruction sum(void) {
    return three(PTX_OP_add, PTX_S32, reg(5), reg(5), number(1));
}

/* A kernel of the instructions, and what is asked of the one with that number. */
static Gpu *with_code(PtxInstruction *code, uint32_t count, uint32_t asked) {
    Gpu *gpu = fake_create();
    gpu->kernel.function.instructions = code;
    gpu->kernel.function.instruction_count = count;
    gpu->kernel.function.register_count = REGISTERS;
    gpu->placed = &code[asked];
    return gpu;
}

/* ---- flags.c: the first instruction is the volatile load ---- */

static bool is_flag(PtxInstruction *code, uint32_t count) {
    Gpu *gpu = with_code(code, count, 0);
    const GpuAccess access = {
        .pc = 1, .kind = GPU_READ, .space = PTX_SPACE_GLOBAL, .semantics = PTX_SEM_VOLATILE};
    const bool flag = flags_is_flag(gpu->check, &access);
    fake_destroy(gpu);
    return flag;
}

static PtxInstruction volatile_load(int32_t to) {
    PtxInstruction made = load(PTX_SPACE_GLOBAL, PTX_S32, to, at(0, 0));
    made.modifiers.semantics = PTX_SEM_VOLATILE;
    return made;
}

static PtxInstruction compare(PtxCompare how, PtxOperand a, PtxOperand b) {
    PtxInstruction made = three(PTX_OP_setp, PTX_S32, reg(PREDICATE), a, b);
    made.modifiers.compare = how;
    return made;
}

static bool decides_through(PtxInstruction between) {
    return is_flag((PtxInstruction[]){volatile_load(1), between, compare(PTX_NE, reg(2), number(0)),
                                      branch(PREDICATE, 0)},
                   4);
}

static void a_flag_decides_a_branch(void **state) {
    (void)state;
    assert_true(decides_through(three(PTX_OP_and, PTX_S32, reg(2), reg(1), number(1))));
    assert_true(decides_through(three(PTX_OP_sub, PTX_S32, reg(2), reg(1), number(1))));
    assert_false(decides_through(three(PTX_OP_sub, PTX_F32, reg(2), reg(1), number(1))));
    assert_false(decides_through(three(PTX_OP_mul, PTX_S32, reg(2), reg(1), number(1))));
    assert_false(decides_through(three(PTX_OP_and, PTX_S32, reg(2), reg(4), number(1))));
}

static bool decides_between_loads(PtxCompare how) {
    return is_flag((PtxInstruction[]){volatile_load(1), volatile_load(2), compare(how, reg(1), reg(2)),
                                      branch(PREDICATE, 0)},
                   4);
}

static void which_of_two_is_greater_asks_for_data(void **state) {
    (void)state;
    assert_true(decides_between_loads(PTX_EQ));
    assert_false(decides_between_loads(PTX_GT));
}

/* Code that is not optimised keeps the value in a variable, and what lies in another one is another value. */
static bool decides_through_memory(PtxSpace space, PtxOperand to, PtxOperand from) {
    return is_flag((PtxInstruction[]){volatile_load(1), store(space, to, reg(1)),
                                      load(space, PTX_S32, 2, from), compare(PTX_NE, reg(2), number(0)),
                                      branch(PREDICATE, 0)},
                   5);
}

static void variables_keep_the_value(void **state) {
    (void)state;
    const PtxVariable one = {.name = "one"}, other = {.name = "other"};
    PtxOperand to = at(-1, 0), from = at(-1, 0);
    to.variable = from.variable = &one;
    assert_true(decides_through_memory(PTX_SPACE_PARAM, to, from));
    from.variable = &other;
    assert_false(decides_through_memory(PTX_SPACE_PARAM, to, from));
    assert_true(decides_through_memory(PTX_SPACE_LOCAL, at(FRAME, 4), at(FRAME, 4)));
    assert_false(decides_through_memory(PTX_SPACE_LOCAL, at(FRAME, 4), at(FRAME, 8)));
    assert_false(decides_through_memory(PTX_SPACE_LOCAL, at(FRAME, 4), at(FRAME + 1, 4)));
    assert_false(decides_through_memory(PTX_SPACE_SHARED, at(FRAME, 4), at(FRAME, 4)));
}

/* ---- edges.c ---- */

/* `x < nx && y < ny` as nvcc -G writes it: a predicate is set and, somewhat later, a branch leads to another
 * one, which goes to the end where that predicate is false. */
typedef struct Edge {
    uint64_t value;       /* of the predicate */
    uint32_t later;       /* instructions between it and the branch */
    bool branches, joins; /* another branch stands between the two; others arrive between them */
} Edge;

static bool leads_to_the_end(Edge edge) {
    PtxInstruction code[MOST];
    uint32_t count = 0;
    code[count++] = set_predicate(1, edge.value);
    if (edge.branches) code[count++] = branch(2, 0);
    for (uint32_t i = 0; i < edge.later; i++)
        code[count++] = sum();
    const uint32_t asked = count, second = asked + 2, last = second + 3;
    code[asked] = branch(0, (int32_t)second);
    code[asked + 1] = sum();
    code[second] = branch(1, (int32_t)last);
    code[second].guard_negated = true;
    code[second + 1] = sum();
    code[second + 2] = branch(-1, (int32_t)second + 1);
    if (edge.joins) code[second + 2] = branch(-1, 1);
    code[last] = (PtxInstruction){.opcode = PTX_OP_ret, .guard = -1};
    Gpu *gpu = with_code(code, last + 1, asked);
    const bool ends = edges_branch_ends(gpu->check, 1);
    fake_destroy(gpu);
    return ends;
}

static void what_is_known_before_a_branch(void **state) {
    (void)state;
    assert_true(leads_to_the_end((Edge){.value = 0}));
    assert_false(leads_to_the_end((Edge){.value = 1}));
    assert_true(leads_to_the_end((Edge){.later = 15}));
    assert_false(leads_to_the_end((Edge){.later = 16}));
    assert_false(leads_to_the_end((Edge){.joins = true}));
    assert_false(leads_to_the_end((Edge){.branches = true}));
}

/* ---- gather.c: the last instruction is asked about ---- */

static bool is_chosen(PtxInstruction *code, uint32_t count) {
    Gpu *gpu = with_code(code, count, count - 1);
    const bool chosen = gather_chosen_by_data(gpu->check, 1);
    fake_destroy(gpu);
    return chosen;
}

/* x[columns[i]], where an element of `columns` is of that type, and what is added to the pointer */
static bool gathers(PtxType type, PtxOperand added) {
    return is_chosen((PtxInstruction[]){load(PTX_SPACE_PARAM, PTX_U64, 1, at(-1, 0)),
                                        load(PTX_SPACE_GLOBAL, type, 2, at(9, 0)),
                                        three(PTX_OP_mul, PTX_S32, reg(3), reg(2), number(4)),
                                        three(PTX_OP_add, PTX_U64, reg(4), added, reg(3)),
                                        load(PTX_SPACE_GLOBAL, PTX_F32, 5, at(4, 0))},
                     5);
}

static void an_index_is_read(void **state) {
    (void)state;
    assert_true(gathers(PTX_S32, reg(1)));
    assert_false(gathers(PTX_U64, reg(1)));  /* a pointer is no index */
    assert_false(gathers(PTX_S32, reg(10))); /* nor does it choose alone */
}

/* list[atomicAdd(&count, 1)]: a place that was given out, which is no data */
static void an_atomic_gives_a_place(void **state) {
    (void)state;
    PtxInstruction code[] = {
        load(PTX_SPACE_PARAM, PTX_U64, 1, at(-1, 0)), load(PTX_SPACE_GLOBAL, PTX_S32, 2, at(9, 0)),
        three(PTX_OP_mul, PTX_S32, reg(3), reg(2), number(4)),
        three(PTX_OP_add, PTX_U64, reg(4), reg(1), reg(3)), load(PTX_SPACE_GLOBAL, PTX_F32, 5, at(4, 0))};
    Gpu *gpu = with_code(code, 5, 4);
    assert_null(gather_counter(gpu->check, 1));
    fake_destroy(gpu);
    code[1].opcode = PTX_OP_atom;
    assert_false(is_chosen(code, 5));
    gpu = with_code(code, 5, 4);
    assert_non_null(gather_counter(gpu->check, 1));
    fake_destroy(gpu);
}

/* The address comes from a variable of the thread, in which that was stored, so many times. */
static bool gathers_from(PtxOperand stored, uint32_t times) {
    return is_chosen((PtxInstruction[]){load(PTX_SPACE_GLOBAL, PTX_S32, 0, at(9, 0)),
                                        store(PTX_SPACE_LOCAL, at(FRAME, 0), stored),
                                        store(PTX_SPACE_LOCAL, at(FRAME, times == 1 ? 8 : 0), stored),
                                        load(PTX_SPACE_LOCAL, PTX_S32, 4, at(FRAME, 0)),
                                        load(PTX_SPACE_GLOBAL, PTX_F32, 5, at(4, 0))},
                     5);
}

static void an_index_lies_in_a_variable(void **state) {
    (void)state;
    assert_true(gathers_from(reg(0), 1));
    assert_false(gathers_from(reg(0), 2));
    assert_false(gathers_from(number(64), 1));
    assert_false(gathers_from(reg(4), 1)); /* itself */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_atomic_gives_a_place),
        cmocka_unit_test(a_flag_decides_a_branch),
        cmocka_unit_test(which_of_two_is_greater_asks_for_data),
        cmocka_unit_test(variables_keep_the_value),
        cmocka_unit_test(what_is_known_before_a_branch),
        cmocka_unit_test(an_index_is_read),
        cmocka_unit_test(an_index_lies_in_a_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
