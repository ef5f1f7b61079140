/* decode_texture.c - tex, tld4, suld, sust, sured and the queries (PTX ISA 9.7.10, 9.7.11).
 *
 * `a` is the handle's row; the list in `extra` has the data registers (ins->count of them), then the
 * coordinates, then what chooses the level of detail: the level, or the derivatives along x and along y.
 */
#include "gpu/decode/decode.h"
#include "gpu/texture/texture_access.h"

static unsigned parts_of(const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_VECTOR) return operand->parts;
    return 1;
}

static const PtxOperand *part_of(const Decode *decode, const PtxOperand *operand, unsigned i) {
    if (operand->kind == PTX_OPERAND_VECTOR) return &decode->function->ptx->parts[operand->first_part + i];
    return operand;
}

/** A register, or the name of a texture reference. */
static void decode_handle(Decode *decode, GpuInstruction *ins, const PtxOperand *object) {
    PtxOperand base = {.kind = PTX_OPERAND_REGISTER, .index = object->index};
    if (object->variable) base = (PtxOperand){.kind = PTX_OPERAND_VARIABLE, .variable = object->variable};
    GpuExtra part = decode_part(decode, &base, 8);
    ins->a = part.row;
    ins->address_register = part.number;
}

/** Fills the instruction's list: registers of the data, coordinates (`at`), then the level of detail or the
 * derivatives, which are the operands behind `at`. */
static bool decode_lists(Decode *decode, GpuInstruction *ins, const PtxOperand *data, const PtxOperand *at) {
    GpuExtra filled[TEXTURE_MAX_DATA + TEXTURE_MAX_COORDINATES + TEXTURE_MAX_DETAILS];
    const PtxInstruction *source = decode->source;
    unsigned count = parts_of(data), coordinates = ptx_geometry_coordinates(source->modifiers.geometry);
    unsigned details = texture_details(source), dimensions = texture_dimensions(source);
    unsigned all = count + coordinates + details;
    if (count > TEXTURE_MAX_DATA) return decode_fail(decode, "more than four values");
    for (unsigned i = 0; i < count; i++)
        filled[i] = decode_part(decode, part_of(decode, data, i), ins->bytes == 8 ? 8 : 4);
    for (unsigned i = 0; i < coordinates; i++)
        filled[count + i] = decode_part(decode, part_of(decode, at, i), 4);
    for (unsigned i = 0; i < details; i++)
        filled[count + coordinates + i] =
            decode_part(decode, part_of(decode, at + 1 + i / dimensions, i % dimensions), 4);
    GpuExtra *parts = decode_extra(decode, ins, all);
    if (!parts) return false;
    memcpy(parts, filled, all * sizeof *filled);
    ins->count = (uint8_t)count;
    return !decode->failed;
}

static bool decode_texel_access(Decode *decode, GpuStep step, unsigned data, unsigned object) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, step);
    ins->bytes = (uint8_t)ptx_type_bytes(source->type);
    decode_handle(decode, ins, &source->operands[object]);
    return decode_lists(decode, ins, &source->operands[data], &source->operands[object + 1]);
}

bool decode_texture_query(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, STEP_texture_query);
    decode_handle(decode, ins, &source->operands[1]);
    ins->d = decode_destination(decode, ins, &source->operands[0], 4);
    return !decode->failed;
}

bool decode_texture_fetch(Decode *decode) {
    return decode_texel_access(decode, STEP_texture_fetch, 0, 1);
}

bool decode_texture_gather(Decode *decode) {
    return decode_texel_access(decode, STEP_texture_gather, 0, 1);
}

bool decode_surface_load(Decode *decode) {
    return decode_texel_access(decode, STEP_surface_load, 0, 1);
}

bool decode_surface_store(Decode *decode) {
    return decode_texel_access(decode, STEP_surface_store, 2, 0);
}

bool decode_surface_reduce(Decode *decode) {
    return decode_texel_access(decode, STEP_surface_reduce, 2, 0);
}
