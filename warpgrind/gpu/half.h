/* half.h - floats of 16 bits: f16 (IEEE binary16) and bf16, through doubles, with one rounding. */
#ifndef GPU_HALF_H
#define GPU_HALF_H

#include "ptx/ptx.h"

double half_from_f16(uint16_t bits);
double half_from_bf16(uint16_t bits);
/** Rounds to nearest even (PTX_RN, PTX_ROUND_DEFAULT), PTX_RZ, PTX_RM or PTX_RP; NaN becomes 0x7fff. */
uint16_t half_to_f16(double value, PtxRounding rounding);
uint16_t half_to_bf16(double value, PtxRounding rounding);

#endif
