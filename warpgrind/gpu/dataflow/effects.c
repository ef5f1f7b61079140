/* effects.c - effects.def as a table. */
#include "gpu/dataflow/effects.h"

Effect effect_of(PtxOpcode opcode) {
    static const uint8_t effects[PTX_OPCODE_COUNT] = {
#define EFFECT(kind, name) [PTX_OP_##name] = EFFECT_##kind,
#include "gpu/dataflow/effects.def"
#undef EFFECT
    };
    return opcode < PTX_OPCODE_COUNT ? (Effect)effects[opcode] : EFFECT_UNKNOWN;
}
