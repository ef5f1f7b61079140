/* decode_memory.c - loads, stores, atomics and copies: where their address leads, and how their elements
 * move. */
#include "base/growable.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/decode/decode.h"

#include <stdlib.h>

/* ---- where an address operand leads ---- */

typedef enum PlaceKind { PLACE_FRAME, PLACE_UNIFORM, PLACE_PARAMETER_REGISTER, PLACE_MEMORY } PlaceKind;
typedef struct Place {
    PlaceKind kind;
    int64_t offset;
} Place;

static const PtxLocal *decode_array_of(const Decode *decode, const PtxOperand *address) {
    const GpuFunction *function = decode->function;
    if (!address->variable && address->index >= 0) return function->frame_array[address->index];
    return NULL;
}

static Place decode_place(const Decode *decode, const PtxOperand *address, PtxSpace space, uint32_t bytes) {
    const GpuFunction *function = decode->function;
    bool parameter =
        space == PTX_SPACE_PARAM || (address->variable && address->variable->space == PTX_SPACE_PARAM);
    bool formal = address->variable && parameter &&
                  address->variable->offset + address->variable->bytes <= function->ptx->parameter_bytes;
    if (parameter && function->ptx->entry && address->variable && formal &&
        decode->source->opcode != PTX_OP_st) {
        for (unsigned i = 0; i < function->ptx->parameter_count; i++)
            if (&function->ptx->parameters[i] == address->variable) {
                int64_t offset = (int64_t)address->variable->offset + address->offset;
                if (offset >= 0 && offset + bytes <= function->ptx->parameter_bytes)
                    return (Place){PLACE_UNIFORM, offset};
            }
    }
    int64_t offset = -1;
    if (parameter && address->variable)
        offset = (int64_t)function->param_base + address->variable->offset + address->offset;
    else if (address->variable && address->variable->space == PTX_SPACE_LOCAL)
        offset = (int64_t)address->variable->offset + address->offset;
    else if (!address->variable && address->index >= 0 &&
             (space == PTX_SPACE_GENERIC || space == PTX_SPACE_LOCAL) &&
             function->frame_constant[address->index] >= 0)
        offset = function->frame_constant[address->index] + address->offset;
    uint32_t limit;
    if (parameter)
        limit = function->stack_bytes;
    else
        limit = function->local_bytes;
    bool fits = offset >= 0 && offset + bytes <= limit;
    const PtxLocal *array = decode_array_of(decode, address);
    if (array && (offset < array->offset || offset + bytes > (int64_t)array->offset + array->bytes))
        fits = false; /* a fault, to be told when it happens */
    if (fits) return (Place){PLACE_FRAME, offset};
    return (Place){parameter ? PLACE_PARAMETER_REGISTER : PLACE_MEMORY, 0};
}

/** The address as a row; what is added to it goes to ins->memory.offset. */
static bool decode_address(Decode *decode, GpuInstruction *ins, const PtxOperand *address) {
    if (address->variable) {
        uint64_t value;
        PtxOperand place = *address;
        place.kind = PTX_OPERAND_VARIABLE;
        if (!decode_address_constant(decode, &place, &value))
            return decode_fail(decode, "this address is outside its variable");
        ins->a = decode_constant(decode, value, 8);
        ins->memory.address_width = 8;
    } else if (address->index >= 0) {
        PtxOperand base = {.kind = PTX_OPERAND_REGISTER, .index = address->index};
        ins->memory.address_width = (uint8_t)decode_register_width(decode, &base);
        ins->a = decode_part(decode, &base, ins->memory.address_width).row;
        ins->address_register = (uint16_t)address->index;
        ins->memory.offset = address->offset;
    } else {
        ins->a = decode_constant(decode, (uint64_t)address->offset, 8);
        ins->memory.address_width = 8;
    }
    return true;
}

static PtxSpace decode_space(const PtxInstruction *source, const PtxOperand *address) {
    if (source->modifiers.space != PTX_SPACE_GENERIC || !address->variable) return source->modifiers.space;
    return address->variable->space; /* a variable's own address is not generic */
}

/* ---- elements of a vector, or the one operand ---- */

static unsigned operand_parts(const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_VECTOR) return operand->parts;
    return 1;
}

static const PtxOperand *operand_part(const Decode *decode, const PtxOperand *operand, unsigned i) {
    if (operand->kind == PTX_OPERAND_VECTOR) return &decode->function->ptx->parts[operand->first_part + i];
    return operand;
}

static bool type_is_signed(PtxType type) {
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

/* ---- kernel parameters ---- */

/** The row for a piece of the kernel's parameters, read as that many bytes with or without sign: each
 * such reading gets one row in a block, filled when the launch begins. */
static uint32_t kernel_uniform(Decode *decode, uint32_t offset, uint32_t bytes, bool sign, unsigned width) {
    GpuKernel *kernel = decode->kernel;
    for (uint32_t i = 0; i < kernel->uniform_count; i++) {
        const GpuUniform *old = &kernel->uniforms[i];
        if (old->offset == offset && old->bytes == bytes && old->sign == sign && old->width == width)
            return old->row;
    }
    GpuUniform *uniforms = growable_grow(kernel->uniforms, &kernel->uniform_capacity,
                                         (size_t)kernel->uniform_count + 1, sizeof *uniforms);
    if (!uniforms) {
        decode->failed = true;
        return 0;
    }
    kernel->uniforms = uniforms;
    uint32_t row = kernel->uniform_bytes;
    kernel->uniforms[kernel->uniform_count++] = (GpuUniform){offset, bytes, sign, (uint8_t)width, row};
    kernel->uniform_bytes += width * GPU_WARP_LANES;
    return row;
}

static void decode_uniform_load(Decode *decode, const PtxOperand *to, uint32_t offset, unsigned bytes,
                                bool sign) {
    unsigned width = decode_register_width(decode, to);
    GpuInstruction *ins =
        decode_row_operation(decode, PTX_OP_mov, width == 8 ? PTX_B64 : PTX_B32, PTX_NONE, 0);
    ins->d = decode_destination(decode, ins, to, width);
    ins->a = GPU_ROW(GPU_BASE_BLOCK, kernel_uniform(decode, offset, bytes, sign, width));
}

/* ---- ld, st ---- */

/** A card takes the low 32 bits of an address in one of these spaces; only generic and global addresses have
 * more. Compilers count on it: (s + 32)[~x] is compiled to an address above 4 GiB. */
static void decode_set_space(GpuInstruction *ins, PtxSpace space) {
    ins->memory.space = (uint8_t)space;
    ins->memory.wraps = space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL || space == PTX_SPACE_CONST;
}

GpuInstruction *decode_access(Decode *decode, GpuStep step, const PtxOperand *address) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, step);
    if (!decode_address(decode, ins, address)) return NULL;
    decode_set_space(ins, decode_space(source, address));
    ins->bytes = (uint8_t)ptx_type_bytes(source->type);
    ins->memory.sign = type_is_signed(source->type);
    ins->memory.array = decode_array_of(decode, address);
    ins->memory.cache = decode->function->cache_count++;
    return ins;
}

/** What is loaded or stored there: `count` elements of `data` from number `first` on. */
static bool decode_elements(Decode *decode, GpuInstruction *ins, const PtxOperand *data, unsigned first,
                            unsigned count) {
    GpuExtra filled[8];
    if (!ins || count > 8) return false;
    for (unsigned i = 0; i < count; i++) {
        const PtxOperand *part = operand_part(decode, data, first + i);
        unsigned width = 4;
        if (ins->bytes == 8) width = 8;
        if (part->kind == PTX_OPERAND_REGISTER && decode_register_width(decode, part) == 8) width = 8;
        filled[i] = decode_part(decode, part, width);
    }
    GpuExtra *parts = decode_extra(decode, ins, count);
    if (parts) memcpy(parts, filled, count * sizeof *filled);
    return parts != NULL;
}

/** LIMIT: 32 bytes a lane (ld.v8.b32) are moved as two times 16, and need to be aligned to 16 only. The half
 * that may change the address goes last. */
static bool decode_halves(Decode *decode, GpuStep step, const PtxOperand *address, const PtxOperand *data) {
    enum { HALF = 16 };
    unsigned half = operand_parts(data) / 2;
    bool upper_first = false;
    for (unsigned i = 0; i < half; i++) {
        const PtxOperand *part = operand_part(decode, data, i);
        upper_first |= part->kind == PTX_OPERAND_REGISTER && part->index == address->index;
    }
    for (unsigned k = 0; k < 2; k++) {
        bool upper = upper_first == (k == 0);
        GpuInstruction *ins = decode_access(decode, step, address);
        if (!decode_elements(decode, ins, data, upper ? half : 0, half)) return false;
        ins->memory.offset += upper ? HALF : 0;
    }
    return true;
}

/** Words of the frame, to or from the two rows. */
static bool decode_wide_frame(Decode *decode, bool loads, uint32_t offset) {
    for (unsigned i = 0; i < 2; i++, offset += 8) {
        GpuInstruction *ins =
            decode_row_operation(decode, loads ? PTX_OP_ld : PTX_OP_st, PTX_B64, PTX_NONE, 0);
        GpuRow word = GPU_ROW(GPU_BASE_LOCAL, offset / 4 * GPU_ROW_BYTES);
        if (loads) {
            ins->a = word;
            ins->d = decode_scratch_row(decode, i);
        } else {
            ins->a = decode_scratch_row(decode, i);
            ins->d = word;
        }
        ins->memory.offset = offset;
        ins->bytes = ins->width = 8;
        if (loads)
            ins->frame_word = GPU_FRAME_LOAD;
        else
            ins->frame_word = GPU_FRAME_STORE;
    }
    return !decode->failed;
}

/** A value of 128 bits goes through two rows of 64. LIMIT: what is loaded so counts as defined. */
static bool decode_wide_access(Decode *decode, const PtxOperand *address) {
    const PtxInstruction *source = decode->source;
    bool loads = source->opcode != PTX_OP_st;
    Place place = decode_place(decode, address, source->modifiers.space, 16);
    if (place.kind == PLACE_FRAME && place.offset % 16 == 0)
        return decode_wide_frame(decode, loads, (uint32_t)place.offset);
    bool parameter = place.kind == PLACE_PARAMETER_REGISTER || place.kind == PLACE_UNIFORM;
    if (parameter && !loads) return decode_fail(decode, "a parameter is stored to outside its variable");
    GpuStep step = STEP_memory_store;
    if (loads) step = STEP_memory_load;
    GpuInstruction *ins = decode_access(decode, parameter ? STEP_local_load_parameter : step, address);
    GpuExtra *parts = NULL;
    if (ins) parts = decode_extra(decode, ins, 2);
    if (!parts) return false;
    ins->bytes = 8;
    for (unsigned i = 0; i < 2; i++)
        parts[i] = (GpuExtra){.row = decode_scratch_row(decode, i), .number = GPU_NO_REGISTER, .width = 8};
    return true;
}

static bool decode_data(Decode *decode, GpuStep step, const PtxOperand *address, const PtxOperand *data) {
    unsigned count = operand_parts(data), bytes = ptx_type_bytes(decode->source->type);
    if (bytes * count > 16) return decode_halves(decode, step, address, data);
    return decode_elements(decode, decode_access(decode, step, address), data, 0, count);
}

/** Between a register of 128 bits and the two rows. */
static bool decode_wide_halves(Decode *decode, GpuStep step, const PtxOperand *whole) {
    GpuInstruction *ins = decode_emit_one(decode, step);
    GpuExtra *parts = decode_extra(decode, ins, 2);
    if (!parts) return false;
    for (unsigned i = 0; i < 2; i++)
        parts[i] = (GpuExtra){.row = decode_scratch_row(decode, i), .number = GPU_NO_REGISTER, .width = 8};
    if (step == STEP_wide_pack)
        ins->d = decode_destination(decode, ins, whole, 4);
    else
        ins->a = decode_source(decode, ins, whole, 4);
    return !decode->failed;
}

/** ld: parameters and words of the frame are rows, element by element; everything else goes through an
 * address. */
bool decode_load(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *to = &source->operands[0], *address = &source->operands[1];
    unsigned bytes = ptx_type_bytes(source->type), count = operand_parts(to);
    bool sign = type_is_signed(source->type);
    if (source->type == PTX_B128)
        return decode_wide_access(decode, address) && decode_wide_halves(decode, STEP_wide_pack, to);
    Place place = decode_place(decode, address, source->modifiers.space, bytes * count);
    bool aligned = bytes && place.offset % bytes == 0;
    if (place.kind == PLACE_UNIFORM || (place.kind == PLACE_FRAME && aligned)) {
        for (unsigned i = 0; i < count; i++) {
            const PtxOperand *part = operand_part(decode, to, i);
            uint32_t offset = (uint32_t)place.offset + i * bytes;
            if (part->kind == PTX_OPERAND_SINK) continue;
            if (place.kind == PLACE_UNIFORM)
                decode_uniform_load(decode, part, offset, bytes, sign);
            else
                decode_frame_load(decode, part, offset, bytes, sign);
        }
        return !decode->failed;
    }
    return decode_data(decode,
                       place.kind == PLACE_PARAMETER_REGISTER ? STEP_local_load_parameter : STEP_memory_load,
                       address, to);
}

/** st: words of the frame are rows; everything else goes through an address. */
bool decode_store(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *address = &source->operands[0], *from = &source->operands[1];
    unsigned bytes = ptx_type_bytes(source->type), count = operand_parts(from);
    if (source->type == PTX_B128)
        return decode_wide_halves(decode, STEP_wide_unpack, from) && decode_wide_access(decode, address);
    Place place = decode_place(decode, address, source->modifiers.space, bytes * count);
    if (place.kind == PLACE_FRAME && bytes && place.offset % bytes == 0) {
        for (unsigned i = 0; i < count; i++)
            decode_frame_store(decode, operand_part(decode, from, i), (uint32_t)place.offset + i * bytes,
                               bytes);
        return !decode->failed;
    }
    if (place.kind == PLACE_PARAMETER_REGISTER)
        return decode_fail(decode, "a parameter is stored to outside its variable");
    return decode_data(decode, STEP_memory_store, address, from);
}

/* ---- atom, red: a is the address, b and c the operands, d the old value ---- */

/** Whether there is an old value that anything in the function looks at. */
static bool is_old_value_read(const Decode *decode, const PtxOperand *old) {
    return old && old->kind == PTX_OPERAND_REGISTER &&
           liveness_register_is_read(decode->function, old->index);
}

/** Several values: each in one step, not all together (PTX ISA 9.7.13.5). */
static bool decode_atomic_elements(Decode *decode) {
    const PtxInstruction *source = decode->source;
    bool reduction = source->opcode == PTX_OP_red;
    const PtxOperand *old = NULL;
    if (!reduction) old = &source->operands[0];
    const PtxOperand *address = &source->operands[!reduction], *from = address + 1;
    unsigned bytes = ptx_type_bytes(source->type);
    for (unsigned i = 0; i < operand_parts(from); i++) {
        const PtxOperand *to = NULL;
        if (old) to = operand_part(decode, old, i);
        GpuInstruction *ins = decode_access(decode, STEP_atomic_update, address);
        if (!ins) return false;
        if (to && to->kind == PTX_OPERAND_REGISTER) ins->d = decode_destination(decode, ins, to, 4);
        ins->count = to && to->kind == PTX_OPERAND_REGISTER;
        ins->memory.gives_way = is_old_value_read(decode, to);
        ins->width = 4;
        ins->memory.offset += i * bytes;
        ins->b = decode_source(decode, ins, operand_part(decode, from, i), 4);
    }
    return !decode->failed;
}

/** atom and red differ in whether anybody sees the old value: ins->count says so, and no destination
 * counts as a reduction. */
bool decode_atomic(Decode *decode) {
    const PtxInstruction *source = decode->source;
    if (source->modifiers.vector) return decode_atomic_elements(decode);
    bool reduction = source->opcode == PTX_OP_red;
    const PtxOperand *operand = source->operands;
    const PtxOperand *old = NULL;
    if (!reduction) old = operand++;
    const PtxOperand *address = operand++;
    unsigned width = decode_width(source->type);
    GpuInstruction *ins = decode_access(decode, STEP_atomic_update, address);
    if (!ins) return false;
    if (old)
        ins->d = decode_destination(decode, ins, old, width);
    else
        ins->d = 0;
    ins->width = (uint8_t)width;
    ins->count = old && old->kind == PTX_OPERAND_REGISTER;
    ins->memory.gives_way = is_old_value_read(decode, old);
    ins->b = decode_source(decode, ins, operand++, width);
    if (source->modifiers.atomic == PTX_ATOM_CAS) ins->c = decode_source(decode, ins, operand, width);
    return !decode->failed;
}

/* ---- cp.async ---- */

static bool decode_copy_mode(Decode *decode) {
    const PtxInstruction *source = decode->source;
    bool commits = source->modifiers.mode == PTX_MODE_COMMIT_GROUP;
    GpuInstruction *ins = decode_emit_one(decode, commits ? STEP_copy_commit : STEP_copy_wait);
    if (ins && source->modifiers.mode == PTX_MODE_WAIT_GROUP) ins->u.bits = source->operands[0].bits;
    return ins != NULL;
}

/** cp.async as a read and a write (exec_copy.c). An operand of 32 bits after the size says how many bytes
 * of the source count. */
bool decode_copy_async(Decode *decode) {
    const PtxInstruction *source = decode->source;
    if (source->modifiers.mode != PTX_MODE_NONE) return decode_copy_mode(decode);
    const PtxOperand *size = &source->operands[2];
    GpuInstruction *load = decode_access(decode, STEP_copy_load, &source->operands[1]);
    GpuInstruction *store = decode_access(decode, STEP_copy_store, &source->operands[0]);
    if (!load || !store) return false;
    decode_set_space(load, PTX_SPACE_GLOBAL);
    decode_set_space(store, PTX_SPACE_SHARED);
    load->bytes = store->bytes = (uint8_t)size->bits;
    bool ignores = source->operand_count > 3 && decode_register_width(decode, &source->operands[3]) == 4;
    load->count = store->count = ignores;
    if (ignores) load->b = store->b = decode_source(decode, load, &source->operands[3], 4);
    return size->bits == 4 || size->bits == 8 || size->bits == 16 ||
           decode_fail(decode, "a copy has 4, 8 or 16 bytes");
}
