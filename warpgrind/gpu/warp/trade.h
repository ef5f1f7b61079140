/* trade.h - what the lanes of a warp exchange in one operation: exec_warp.c brings together those that take
 * part and gathers their operands, trade.c computes the results, and exec_warp.c gives them out. */
#pragma once

#include "gpu/state/machine.h"

typedef struct WarpTrade {
    const PtxInstruction *source; /**< the qualifiers, which all have in common */
    uint32_t lanes;               /**< that take part */
    /* what they bring along */
    uint64_t a[GPU_WARP_LANES];
    uint32_t b[GPU_WARP_LANES], c[GPU_WARP_LANES]; /**< of shfl */
    uint32_t votes;                                /**< of vote */
    uint32_t lost;                                 /**< lanes whose a, or whose vote, is undefined */
    uint32_t origin;                               /**< where that came from; 0: nobody knows */
    /* what they take home */
    uint64_t d[GPU_WARP_LANES];
    uint8_t from[GPU_WARP_LANES]; /**< of shfl: whose value it is */
    uint32_t predicate;
    uint32_t undefined; /**< lanes whose result is */
    uint32_t outsiders; /**< of these: lanes that read from one that does not take part */
} WarpTrade;

void trade_begin(WarpTrade *trade, const PtxInstruction *source, uint32_t lanes);

typedef void Trade(WarpTrade *trade);
Trade trade_shfl, trade_vote, trade_match, trade_redux, trade_elect;
/** The width that the functions of CUDA make an operand c of, as 32 - width from bit 8 on. */
int32_t trade_width(uint32_t c);
/** Lanes whose shuffle has a width that is no power of two from 1 to 32: "results are undefined" (Programming
 * Guide, Warp Shuffle Functions). */
uint32_t trade_wrong_widths(const WarpTrade *trade);
/** A shuffle up, down or across by at least the width, the same for all lanes, so that each gets its own
 * value: the width, and from bit 8 on the distance. 0: it is none. */
uint32_t trade_too_far(const WarpTrade *trade);
/** After the operation: each lane takes home the value that it brought (GpuConfig.lanes_apart). */
void trade_undo(WarpTrade *trade);
