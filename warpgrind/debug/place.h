/* place.h - blocks and threads as people write them, for the terminal and for an editor's console. */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** Reads words behind a place, as in "block (1,0,0) thread (3,0,0) hit 2 if i == 3", into members of the
 * question. False: one of them is not understood. */
bool place_read_limits(char *at, json_object *question);
/** The number of a place among those of the extent, both lists of three numbers. */
int64_t place_linear(json_object *at, json_object *extent);
/** "(3,0,0)" */
void place_add_dim(Text *out, json_object *list);
