/* parameters.c - which bytes of its parameters a kernel's code can read.
 *
 * As compilers write it, a kernel reads its parameters at places that are known: by their names, or by a
 * register that holds a parameter's address. Code that does anything else with an address may read anything.
 */
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

/** Of each register, at which byte of the parameters the address lies that it holds; or NOWHERE. */
typedef struct Reader {
    const PtxFunction *kernel;
    int64_t *places;
    uint8_t *read;
} Reader;

static bool is_own_parameter(const PtxFunction *kernel, const PtxVariable *variable) {
    for (unsigned i = 0; i < kernel->parameter_count; i++)
        if (variable == &kernel->parameters[i]) return true;
    return false;
}

/** What the operand is the address of, or is read from: a place in the parameters, or NOWHERE. */
static int64_t place_of(const Reader *reader, const PtxOperand *operand) {
    const bool in_register = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
    if (operand->variable && is_own_parameter(reader->kernel, operand->variable))
        return (int64_t)operand->variable->offset + operand->offset;
    if (operand->variable || !in_register || operand->index < 0) return NOWHERE;
    const int64_t place = reader->places[operand->index];
    if (place == NOWHERE || operand->kind == PTX_OPERAND_REGISTER) return place;
    return place + operand->offset;
}

/** One look at all moves of addresses. Changes are counted; -1 where a register gets two of them. */
static int follow_moves(const Reader *reader) {
    const PtxFunction *kernel = reader->kernel;
    int changes = 0;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const PtxInstruction *move = &kernel->instructions[i];
        if (move->opcode != PTX_OP_mov || move->operands[0].kind != PTX_OPERAND_REGISTER) continue;
        const int64_t place = place_of(reader, &move->operands[1]);
        int64_t *to = &reader->places[move->operands[0].index];
        if (place == NOWHERE || place == *to) continue;
        if (*to != NOWHERE || place < 0) return -1;
        *to = place;
        changes++;
    }
    return changes;
}

/** The bytes that a load takes from its address; 0: it is no plain load. */
static uint32_t bytes_of_load(const PtxInstruction *load) {
    const PtxOperand *to = &load->operands[0];
    uint32_t parts = 1;
    if (load->opcode != PTX_OP_ld) return 0;
    if (to->kind == PTX_OPERAND_VECTOR) parts = to->parts;
    return parts * ptx_type_bytes(load->type);
}

/** False when the instruction may do more with the place than to read it, or to hand on its address. */
static bool mark_use(const Reader *reader, const PtxInstruction *instruction, unsigned operand,
                     int64_t place) {
    if (instruction->opcode == PTX_OP_mov) return instruction->operands[0].kind == PTX_OPERAND_REGISTER;
    const uint32_t bytes = bytes_of_load(instruction);
    const bool from = operand == 1 && instruction->operands[1].kind == PTX_OPERAND_ADDRESS;
    if (bytes == 0 || !from || place < 0 || place + bytes > reader->kernel->parameter_bytes) return false;
    memset(reader->read + place, 1, bytes);
    return true;
}

/** A load from a parameter that is named by a number, or by a register of which nothing is known. */
static bool reads_unnamed(const Reader *reader, const PtxInstruction *load) {
    const PtxOperand *from = &load->operands[1];
    if (load->opcode != PTX_OP_ld || load->modifiers.space != PTX_SPACE_PARAM) return false;
    return !from->variable && place_of(reader, from) == NOWHERE;
}

static bool mark_instruction(const Reader *reader, const PtxInstruction *instruction) {
    if (reads_unnamed(reader, instruction)) return false;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const int64_t place = place_of(reader, &instruction->operands[i]);
        if (place != NOWHERE && !mark_use(reader, instruction, i, place)) return false;
    }
    return true;
}

/** False when more may be read than what is marked. */
static bool mark_all_uses(const Reader *reader) {
    const PtxFunction *kernel = reader->kernel;
    int changes = 1;
    while (changes > 0)
        changes = follow_moves(reader);
    bool known = changes == 0 && !kernel->refusal;
    for (uint32_t i = 0; i < kernel->instruction_count && known; i++)
        known = mark_instruction(reader, &kernel->instructions[i]);
    for (uint32_t i = 0; i < kernel->part_count && known; i++) /* of vectors, and arguments of calls */
        known = place_of(reader, &kernel->parts[i]) == NOWHERE;
    return known;
}

void ptx_mark_parameters(const PtxFunction *kernel, uint8_t *read) {
    Reader reader = {.kernel = kernel, .read = read};
    reader.places = malloc(((size_t)kernel->register_count + 1) * sizeof *reader.places);
    for (uint32_t i = 0; reader.places && i < kernel->register_count; i++)
        reader.places[i] = NOWHERE;
    memset(read, 0, kernel->parameter_bytes);
    if (!reader.places || !mark_all_uses(&reader)) memset(read, 1, kernel->parameter_bytes);
    free(reader.places);
}
