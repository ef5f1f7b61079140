/* decode.h - what the files of the decoder share: from a PtxFunction to an array of GpuInstruction.
 *
 * decode_kernel.c finds what a kernel may reach; decode.c walks a function and fixes up targets;
 * decode_emit.c adds an instruction; decode_control.c and decode_warp.c do what moves lanes or brings them
 * together; decode_operand.c makes rows of operands; decode_memory.c does ld, st and atom, decode_frame.c
 * what is known about places in the frame, decode_address.c addresses as values, decode_mbarrier.c what lies
 * on them; decode_operation.c finds handlers for arithmetic, contract.c products and sums that are one fma.
 */
#pragma once

#include "gpu/state/machine.h"

typedef struct DecodeFixup {
    GpuInstruction *ins;
    int32_t target, meet, taken, through; /**< indices of PtxInstructions, -1: none */
} DecodeFixup;

/** What contract.c found about an instruction. */
typedef struct DecodeFusion {
    uint32_t product; /**< of a sum that is an fma: which mul it takes in */
    bool sum;
    bool second; /**< the product is the sum's second operand */
    bool taken;  /**< a product that is in all of its sums: nothing is left to do */
} DecodeFusion;

typedef struct Decode {
    GpuKernel *kernel;
    GpuFunction *function;
    Diagnostics *diagnostics;
    const PtxInstruction *source;
    uint32_t ordinal;
    uint32_t *map; /**< [ptx instruction + 1] index of its first decoded instruction */
    bool *is_meet; /**< [ptx instruction + 1] a branch's sides meet here */
    DecodeFixup *fixups;
    DecodeFusion *fusions; /**< [ptx instruction] */
    unsigned fixup_count;
    bool failed;
    bool as_written; /**< each operation stands where the source has it (ptx_keeps_parameters) */
} Decode;

/* decode_emit.c */
/** Says that something cannot be done here; false. */
bool decode_fail(Decode *decode, const char *what);
/** The next instruction, of the current source. */
GpuInstruction *decode_emit(Decode *decode, GpuHandlers run);
/** With the same handler for full and partial groups. */
GpuInstruction *decode_emit_one(Decode *decode, GpuStep step);
void decode_set_step(GpuInstruction *ins, GpuStep step);
GpuExtra *decode_extra(Decode *decode, GpuInstruction *ins, unsigned count);
/** The instruction takes the guard of the current source. */
void decode_set_guard(Decode *decode, GpuInstruction *ins);
/* decode.c */
/** All of a function; false with diagnostics (which may be NULL). */
bool decode_function(GpuKernel *kernel, GpuFunction *function, Diagnostics *diagnostics);

/** One decoder for each family of instructions: each decodes the current source; false: it cannot be done. */
#define PTX_FAMILY(name, control, data) bool decode_##name(Decode *decode);
#include "ptx/families.def"
#undef PTX_FAMILY

/* decode_operand.c */
unsigned decode_width(PtxType type); /**< lane bytes of a value: 4 or 8; 0: a predicate */
unsigned decode_register_width(const Decode *decode, const PtxOperand *operand);
GpuRow decode_constant(Decode *decode, uint64_t bits, unsigned width);
/** The row of a source, or of a destination register; notes the register as used or defined. */
GpuRow decode_source(Decode *decode, GpuInstruction *ins, const PtxOperand *operand, unsigned width);
GpuRow decode_destination(Decode *decode, GpuInstruction *ins, const PtxOperand *operand, unsigned width);
/** The value of an operand that is an address known now; false when it is none. */
bool decode_address_constant(Decode *decode, const PtxOperand *operand, uint64_t *value);
/** One of two rows of 64 bits for what an instruction takes apart on the way. */
GpuRow decode_scratch_row(const Decode *decode, unsigned number);
GpuExtra decode_part(Decode *decode, const PtxOperand *operand, unsigned width);

/* decode_frame.c */
/** Finds the registers that always hold the same place in the frame. */
void decode_frame_constants(Decode *decode);
/** A load and a store of such a place. */
GpuInstruction *decode_frame_load(Decode *decode, const PtxOperand *to, uint32_t offset, unsigned bytes,
                                  bool sign);
GpuInstruction *decode_frame_store(Decode *decode, const PtxOperand *from, uint32_t offset, unsigned bytes);

/* decode_memory.c */
/** An instruction that accesses memory there, with elements of the source's type. */
GpuInstruction *decode_access(Decode *decode, GpuStep step, const PtxOperand *address);

/* decode_address.c */
bool decode_move_address(Decode *decode);

/* contract.c */
/** Finds the products that go into sums; false without memory. */
bool contract_find(const PtxFunction *ptx, DecodeFusion *fusions);
/** The sum and its product as one fma. */
bool contract_decode(Decode *decode, const DecodeFusion *fusion);

/* decode_operation.c */
/** Emits handlers for a conversion or move of a row that is no register: words of the local frame. */
GpuInstruction *decode_row_operation(Decode *decode, PtxOpcode opcode, PtxType type, PtxType source_type,
                                     int mode);
