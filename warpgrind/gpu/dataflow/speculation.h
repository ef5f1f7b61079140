/* speculation.h - loads that an optimiser has moved out from under their condition.
 *
 * `if (tid == 0 && temp[0] > 0)` becomes, where temp[0] can always be read, a load by every thread, a
 * comparison, and an `and` of two predicates: what the other threads read goes nowhere. A race on such a
 * value, or its lack of one, is none of the source's. So before a load that may be of this kind is shown to
 * observers, the warp is led on from there in a copy of its registers, and the loaded value is followed: the
 * lanes in which it comes to nothing are not GpuAccess.wanted.
 *
 * LIMIT: a value that goes through local memory, a call or another lane on its way counts as wanted, and so
 * does every element of a vector when one of them is; functions of very many registers are not looked ahead
 * in.
 *
 * speculation_find.c knows when code is decoded which loads may be so, and which registers are still needed
 * where; speculation.c leads the warp on.
 */
#pragma once

#include "gpu/state/machine.h"

/** What is known of a function that has such loads, and what a look ahead works in. */
struct GpuSpeculation {
    uint32_t *first;  /**< [ptx instruction + 1] its first decoded instruction */
    uint8_t *writers; /**< [register] instructions that write it; 2: or more */
    uint16_t *number; /**< [register] its bit in the rows of `live`, or SPECULATION_NO_NUMBER: no loaded value
                         goes there */
    uint16_t *followed; /**< [number] the register */
    unsigned words;     /**< of a row */
    uint64_t *live;     /**< [ptx instruction][word] registers whose value is needed there or later */
    uint32_t *joint; /**< [ptx instruction] of loads in one block whose values all go into one register: the
                        first of them; else SPECULATION_NO_LOAD */
    /* of the look ahead */
    struct {
        const GpuWarp *warp;
        uint32_t joint, mask, wanted;
    } last;            /**< what came out for the first of joint loads */
    uint32_t *tainted; /**< [register] lanes whose value was made from what is loaded */
    uint32_t *unknown; /**< [register] lanes whose value is not known ahead of time */
    uint32_t *nonzero; /**< [register] lanes whose value is not zero, whatever has been loaded */
    uint32_t *reached; /**< [ptx instruction + 1] lanes that may come here */
    uint8_t *frame;
};

#define SPECULATION_NO_NUMBER UINT16_MAX
#define SPECULATION_NO_LOAD UINT32_MAX

/** Marks the loads in the decoded function; false without memory. */
bool speculation_find(GpuFunction *function);
void speculation_free(GpuSpeculation *speculation);
/** Of the lanes that execute the load now: those in which its value may matter. */
uint32_t speculation_wanted(GpuWarp *warp, const GpuInstruction *load, uint32_t mask);

/* ---- registers of an instruction ---- */

enum { SPECULATION_MOST_REGISTERS = 48 };
typedef struct Registers {
    unsigned count;
    uint16_t at[SPECULATION_MOST_REGISTERS];
} Registers;

/** Those that it reads, without its guard, and those that it writes. */
void speculation_sources(const PtxFunction *ptx, const PtxInstruction *instruction, Registers *registers);
void speculation_results(const PtxFunction *ptx, const PtxInstruction *instruction, Registers *registers);
