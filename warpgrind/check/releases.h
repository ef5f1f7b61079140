/* releases.h - what was released where: the slow part of clocks.h, used only by launches with fences. */
#ifndef CHECK_RELEASES_H
#define CHECK_RELEASES_H

#include "check/clocks.h"

Releases *releases_create(void);
void releases_destroy(Releases *releases);
void releases_clear(Releases *releases);

/* of clocks.c */
uint32_t clocks_advance(BlockClock *clock);
void clocks_learn(Knowledge *to, Acquired acquired);

#endif
