/* sketch.h - whether a folder holds downloads of learning systems, by names alone and before any of it is
 * read.
 *
 * What one student hands in has a budget, so that it cannot use up everybody's; what a class has handed in
 * does not fit into one. Of a folder or archive beside others, the names in it tell which of the two it is,
 * and they cost little: a folder is listed, and of a .zip its directory is read, without unpacking anything.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether every folder and archive among these names is a download; one at least is. */
bool sketch_holds_downloads(Arena *arena, int folder, char *const *names, size_t count);
