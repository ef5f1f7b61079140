/* effects.h - what each instruction's result depends on, as effects.def says: steady.c and speculation.c
 * follow values by it.
 */
#ifndef GPU_EFFECTS_H
#define GPU_EFFECTS_H

#include "ptx/ptx.h"

typedef enum Effect {
    EFFECT_UNKNOWN,
    EFFECT_ARITHMETIC,
    EFFECT_MOVE,
    EFFECT_CALL,
    EFFECT_CONTROL,
    EFFECT_WARP,
    EFFECT_ATOMIC,
    EFFECT_ADVICE
} Effect;

Effect effect_of(PtxOpcode opcode);

#endif
