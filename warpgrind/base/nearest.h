/* nearest.h - which of the known words somebody may have meant by one that is not known.
 *
 * Candidates are offered one by one, wherever they stand; the nearest one so far is kept. It is nothing
 * unless it is near enough that a person would see the likeness, too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Nearest {
    const char *word; /**< that is not known */
    const char *best; /**< the nearest candidate so far; NULL: none is near */
    size_t least;     /**< what the next one's distance must be below */
} Nearest;

/** Nothing is offered yet; a third of the word's letters, and one more, may be other ones. */
Nearest nearest_to(const char *word);
/** The same with another bound: a distance below `least` is near. */
Nearest nearest_within(const char *word, size_t least);
/** Whether the candidate (NULL is none) is nearer than all before; then it is the best. It must live as long
 * as `nearest`. */
bool nearest_offer(Nearest *nearest, const char *candidate);
/** How many letters must be changed, put in or left out to make one word of the other (Levenshtein); a long
 * `b` counts as far away. */
size_t nearest_distance(const char *a, const char *b);
