/* releases.h - what is told through memory, the slow part of clocks.h: only launches with fences use it.
 *
 * It follows the PTX memory model (PTX ISA 8.9 and 8.10). A fence and then a strong write (atomic, volatile
 * or relaxed) by the same thread tell what the thread did and knew before the fence; a strong read of that
 * write and then a fence learn it. A fence of block scope on either side does so within a block only. What is
 * fenced, and what was read but not yet fenced, goes through barriers like all knowledge: so "all write, all
 * fence, __syncthreads(), thread 0 sets the flag" is ordered, as it is on a card.
 *
 * In two ways more counts as ordered than PTX promises. An atomic that counts (a ticket) learns without a
 * fence behind it: CUDA's own examples have none (threadFenceReduction). One that compares or exchanges, as a
 * lock is taken by, needs the fence. And a store takes the place of what was told there before it, but an
 * atomic adds to it, whoever executes it.
 */
#pragma once

#include "check/order/clocks.h"

Releases *releases_create(void);
void releases_destroy(Clocks *clocks);
void releases_clear(Clocks *clocks);

/* lore.c: what blocks, warps and lanes have learnt */

/** Forgets what this block's threads have learnt. */
void lore_forget(Vectors *vectors, BlockClock *clock);
/** All threads of the warp have met, or those lanes of it. */
void lore_meet(Clocks *clocks, BlockClock *clock, unsigned warp, uint32_t lanes, bool whole);
/** All threads of the block have met. */
void lore_meet_all(Clocks *clocks, BlockClock *clock, unsigned warps);
/** What the arrived warps have learnt, those that waited know as well. */
void lore_hand_over(Clocks *clocks, BlockClock *clock, const GpuBarrier *barrier, unsigned warps);
/** The warp's lore, made when there is none; NULL without memory. */
WarpLore *lore_of_warp(Clocks *clocks, BlockClock *clock, unsigned warp);
/** The same with what its block and its warp have learnt. The caller drops it. */
Vector *lore_of_lane(Clocks *clocks, const BlockClock *clock, unsigned warp, unsigned lane, LoreKind kind);

/* of clocks.c */
uint32_t clocks_advance(BlockClock *clock);
