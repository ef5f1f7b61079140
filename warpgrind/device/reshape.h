/* reshape.h - the option --reshape=LAUNCH:GRID:BLOCK, which makes one launch of a program smaller: what shows
 * with few threads is easier to follow than what shows with many. --smallest finds the words (smallest.h). */
#pragma once

#include "device/options.h"

enum { RESHAPE_BYTES = 96 };

/** "3:4:64,2" is launch 3 with 4 blocks of 64 x 2 threads; what is left out of a size is 1. False: it is no
 * shape. */
bool reshape_read(const char *words, DeviceReshape *reshape);
/** As reshape_read takes it. */
void reshape_spell(const DeviceReshape *reshape, char words[RESHAPE_BYTES]);
