/* contract.c - which sums take a product in as one fma, as NVIDIA's assembler does it.
 *
 * Where mul, add and sub name no rounding, PTX ISA 9.7.3 leaves it to the assembler whether a product is
 * rounded before it is added. docs/arithmetic.md lists what ptxas does, read from its machine code: a product
 * goes into its sums when each of its uses is such a sum in the same basic block, else into none. Of two
 * products in one sum, that with fewer uses goes in, the first of two alike; the other is rounded, and so
 * stays in its other sums too.
 *
 * LIMIT: a product that is negated or copied on its way, or whose factors change before the sum, is left
 * alone here, where ptxas follows it.
 */
#include "gpu/decode/decode.h"
#include "gpu/alu/scalar.h"

#include <stdlib.h>

enum { FARTHEST_USE = 4096 }; /* instructions: the search costs so much for each product */

typedef struct Product {
    uint32_t uses;
    bool whole; /**< fused into all of its sums */
} Product;

/** Which products reach a sum: the mul of either operand, or NO_PRODUCT. */
typedef struct Sum {
    uint32_t products[2];
} Sum;
#define NO_PRODUCT UINT32_MAX

typedef struct Contraction {
    const PtxFunction *ptx;
    bool *starts;       /**< [instruction] a basic block begins */
    uint32_t *readings; /**< [register] how often it is read */
    Product *products;  /**< [instruction] */
    Sum *sums;          /**< [instruction] */
} Contraction;

static bool type_contracts(PtxType type) {
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 ||
           type == PTX_BF16X2;
}

static bool is_open(const PtxInstruction *instruction) {
    return type_contracts(instruction->type) && instruction->modifiers.rounding == PTX_ROUND_DEFAULT &&
           instruction->operand_count == 3 && instruction->operands[0].kind == PTX_OPERAND_REGISTER;
}

static bool is_product(const PtxInstruction *instruction) {
    return instruction->opcode == PTX_OP_mul && is_open(instruction) && !instruction->modifiers.sat &&
           instruction->guard < 0;
}

static bool is_sum(const PtxInstruction *instruction) {
    return (instruction->opcode == PTX_OP_add || instruction->opcode == PTX_OP_sub) && is_open(instruction);
}

/* ---- basic blocks ---- */

static bool ends_block(PtxOpcode opcode) {
    PtxControl control = ptx_control(opcode);
    return control != PTX_CONTROL_NEXT && control != PTX_CONTROL_MEET;
}

static void mark_block_starts(Contraction *all) {
    uint32_t count = all->ptx->instruction_count;
    for (uint32_t i = 0; i < count; i++) {
        const PtxInstruction *instruction = &all->ptx->instructions[i];
        if (ends_block(instruction->opcode)) all->starts[i + 1] = true;
        if (instruction->opcode == PTX_OP_bra) all->starts[instruction->operands[0].index] = true;
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            all->starts[instruction->branch_targets[k]] = true;
    }
}

/* ---- reading and writing registers ---- */

static unsigned operand_readings(const PtxFunction *ptx, const PtxOperand *operand, int32_t number) {
    bool direct = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
    unsigned count = direct && operand->index == number && !operand->variable;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        count += operand_readings(ptx, &ptx->parts[operand->first_part + i], number);
    return count;
}

static unsigned instruction_readings(const PtxFunction *ptx, const PtxInstruction *instruction,
                                     int32_t number) {
    unsigned count = instruction->guard == number;
    for (unsigned k = instruction->destination_count; k < instruction->operand_count; k++)
        count += operand_readings(ptx, &instruction->operands[k], number);
    return count;
}

static bool instruction_writes(const PtxFunction *ptx, const PtxInstruction *instruction, int32_t number) {
    for (unsigned k = 0; k < instruction->destination_count; k++)
        if (operand_readings(ptx, &instruction->operands[k], number)) return true;
    return false;
}

static void count_operand(Contraction *all, const PtxOperand *operand) {
    bool direct = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
    if (direct && operand->index >= 0 && !operand->variable) all->readings[operand->index]++;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        count_operand(all, &all->ptx->parts[operand->first_part + i]);
}

/** Arguments of calls are .param variables: no register is among them. */
static void count_readings(Contraction *all) {
    for (uint32_t i = 0; i < all->ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &all->ptx->instructions[i];
        if (instruction->guard >= 0) all->readings[instruction->guard]++;
        for (unsigned k = instruction->destination_count; k < instruction->operand_count; k++)
            count_operand(all, &instruction->operands[k]);
    }
}

/* ---- from a product to its sums ---- */

/** Notes that the product at `at` reaches the sum at `to`; false when this use of it is no such sum. */
static bool reach_sum(Contraction *all, uint32_t at, uint32_t to, int32_t number) {
    const PtxInstruction *product = &all->ptx->instructions[at], *sum = &all->ptx->instructions[to];
    if (!is_sum(sum) || sum->type != product->type || sum->modifiers.ftz != product->modifiers.ftz)
        return false;
    if (sum->guard == number || instruction_readings(all->ptx, sum, number) != 1) return false;
    bool second = operand_readings(all->ptx, &sum->operands[2], number);
    all->sums[to].products[second] = at;
    return true;
}

static bool writes_factor(const PtxFunction *ptx, const PtxInstruction *product,
                          const PtxInstruction *instruction) {
    for (unsigned k = 1; k < 3; k++) {
        const PtxOperand *factor = &product->operands[k];
        bool is_register = factor->kind == PTX_OPERAND_REGISTER;
        if (is_register && instruction_writes(ptx, instruction, factor->index)) return true;
    }
    return false;
}

/** Goes from the product to the end of its block, and says whether all that reads it are sums. */
static bool follow_product(Contraction *all, uint32_t at) {
    const PtxFunction *ptx = all->ptx;
    const PtxInstruction *product = &ptx->instructions[at];
    int32_t number = product->operands[0].index;
    uint32_t seen = 0;
    bool changed = writes_factor(ptx, product, product); /* x = x * y: x is gone */
    for (uint32_t i = at + 1; i < ptx->instruction_count && i - at < FARTHEST_USE; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        if (all->starts[i]) break;
        if (instruction_readings(ptx, instruction, number)) {
            if (changed || !reach_sum(all, at, i, number)) return false;
            seen++;
        }
        if (instruction_writes(ptx, instruction, number) && instruction->guard < 0) {
            all->products[at].uses = seen;
            return seen > 0;
        }
        if (seen == all->readings[number]) break;
        changed = changed || writes_factor(ptx, product, instruction);
    }
    all->products[at].uses = seen;
    return seen > 0 && seen == all->readings[number];
}

static bool is_whole(const Contraction *all, uint32_t reached) {
    return reached != NO_PRODUCT && all->products[reached].whole;
}

/** Where two products meet, one is rounded. */
static void choose_product(Contraction *all, uint32_t at) {
    const uint32_t *reached = all->sums[at].products;
    if (!is_whole(all, reached[0]) || !is_whole(all, reached[1])) return;
    bool second = all->products[reached[1]].uses < all->products[reached[0]].uses;
    all->products[reached[!second]].whole = false;
}

/** Products choose first: one is whole when each of its uses is a sum in the same block. Then each sum
 * with two whole products keeps one of them, and only now is it clear which products have gone into all
 * of their sums. */
static void contract_all(Contraction *all, DecodeFusion *fusions) {
    uint32_t count = all->ptx->instruction_count;
    mark_block_starts(all);
    count_readings(all);
    for (uint32_t i = 0; i < count; i++)
        if (is_product(&all->ptx->instructions[i])) all->products[i].whole = follow_product(all, i);
    for (uint32_t i = 0; i < count; i++)
        choose_product(all, i);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *reached = all->sums[i].products;
        bool second = is_whole(all, reached[1]);
        if (!second && !is_whole(all, reached[0])) continue;
        fusions[i] = (DecodeFusion){.product = reached[second], .sum = true, .second = second};
        fusions[reached[second]].taken = true;
    }
}

/** The tables are as long as the text, and live only while it is looked at. */
bool contract_find(const PtxFunction *ptx, DecodeFusion *fusions) {
    size_t count = (size_t)ptx->instruction_count + 1, registers = (size_t)ptx->register_count + 1;
    Contraction all = {.ptx = ptx,
                       .starts = calloc(count, sizeof *all.starts),
                       .readings = calloc(registers, sizeof *all.readings),
                       .products = calloc(count, sizeof *all.products),
                       .sums = malloc(count * sizeof *all.sums)};
    bool memory = all.starts && all.readings && all.products && all.sums;
    if (memory) {
        memset(all.sums, 0xff, count * sizeof *all.sums); /* NO_PRODUCT */
        contract_all(&all, fusions);
    }
    free(all.starts);
    free(all.readings);
    free(all.products);
    free(all.sums);
    return memory;
}

/* ---- the fma itself ---- */

/** The text of the fma that stands for the sum: it takes the product's factors and what is added. */
static PtxInstruction contract_instruction(const PtxInstruction *sum, const PtxInstruction *product,
                                           bool second) {
    PtxInstruction fma = *sum;
    fma.opcode = PTX_OP_fma;
    fma.operand_count = 4;
    fma.operands[1] = product->operands[1];
    fma.operands[2] = product->operands[2];
    fma.operands[3] = sum->operands[second ? 1 : 2];
    return fma;
}

/** A row with the operand's value negated. */
static GpuRow contract_negated(Decode *decode, const PtxOperand *operand, PtxType type) {
    unsigned width = decode_width(type);
    GpuInstruction *ins =
        decode_row_operation(decode, PTX_OP_xor, width == 8 ? PTX_B64 : PTX_B32, PTX_NONE, 0);
    ins->a = decode_part(decode, operand, width).row;
    ins->b = decode_constant(decode, scalar_sign_bits(type), width);
    ins->d = decode_scratch_row(decode, 1);
    return ins->d;
}

/** Puts another row where the instruction takes its source number `i` from. */
static void contract_replace(const Decode *decode, GpuInstruction *ins, unsigned i, GpuRow row) {
    if (ins->u.scalar)
        decode->function->extra[ins->extra + i].row = row;
    else if (i == 0)
        ins->a = row;
    else
        ins->c = row;
}

bool contract_decode(Decode *decode, const DecodeFusion *fusion) {
    GpuFunction *function = decode->function;
    const PtxInstruction *sum = decode->source, *product = &function->ptx->instructions[fusion->product];
    PtxInstruction *fma = &function->fused[function->fused_count++];
    *fma = contract_instruction(sum, product, fusion->second);
    bool minus = sum->opcode == PTX_OP_sub;
    unsigned place = 2;
    if (fusion->second) place = 0; /* b - p is fma(-x, y, b), and p - b is fma(x, y, -b) */
    decode->source = fma;
    GpuRow negated = 0;
    if (minus) negated = contract_negated(decode, &fma->operands[1 + place], fma->type);
    if (!decode_operation(decode)) return false;
    if (minus) contract_replace(decode, &function->code[function->code_count - 1], place, negated);
    return true;
}
