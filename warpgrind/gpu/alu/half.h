/* half.h - floats of 16 bits: f16 (IEEE binary16) and bf16, through doubles, with one rounding. */
#pragma once

#include "ptx/ptx.h"

double half_from_f16(uint16_t bits);
double half_from_bf16(uint16_t bits);
/** Rounds to nearest even (PTX_RN, PTX_ROUND_DEFAULT), PTX_RZ, PTX_RM or PTX_RP; NaN becomes 0x7fff. */
uint16_t half_to_f16(double value, PtxRounding rounding);
uint16_t half_to_bf16(double value, PtxRounding rounding);

/** Whether the type is one of these two, or a pair of it; and the same for each of them by its type. */
bool half_is_one(PtxType type);
double half_from(PtxType type, uint16_t bits);
uint16_t half_to(PtxType type, double value, PtxRounding rounding);

/** Pairs of 8 bits: 4 or 5 bits of exponent. What is too large becomes the largest number. */
double half_from_e4m3(uint8_t bits);
double half_from_e5m2(uint8_t bits);
uint8_t half_to_e4m3(double value);
uint8_t half_to_e5m2(double value);
