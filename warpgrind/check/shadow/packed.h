/* packed.h - cells of a page that nobody has touched for a while, in a few words.
 *
 * Neighbouring cells are much alike: one thread after another, each with the same few bytes, or the same
 * fields of one structure after another. So most cells are what a straight line through two earlier ones
 * gives, a period ago and two periods ago; the period is 1 for bytes side by side, 16 for a thread's 16 bytes
 * or a structure of 16. A page is written as pieces, each of which is some cells as they are and how many
 * cells follow from them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The cells, `ways` records each, as words that the caller frees; NULL when less than three quarters of the
 * room would be gained, or without memory. */
uint64_t *packed_make(const uint64_t *cells, unsigned count, unsigned ways, uint32_t *words);
/** The reverse. */
void packed_read(const uint64_t *packed, uint64_t *cells, unsigned count, unsigned ways);
