/* fragments.h - how much of one program is in another, counted by rarity.
 *
 * A fragment is a run of a few tokens. What two programs share is evidence as far as others do not have it: a
 * fragment weighs the more the fewer programs have it, next to nothing when half of the class has it or the
 * lesson's page shows it, and nothing when the starter gave it. So two textbook answers by people who
 * never met share much and weigh little, and a copy is found by what only these two have, in whatever order
 * it stands and under whatever names.
 */
#ifndef GRADING_SIMILARITY_FRAGMENTS_H
#define GRADING_SIMILARITY_FRAGMENTS_H

#include "grading/similarity/tokens.h"

#include <stdbool.h>

/** What everybody was given. */
typedef struct Given {
    Tokens starter, page;
} Given;

/** Of each two programs, in an order of its own. malloc'ed: fragments_free. */
typedef struct Shares {
    size_t count;   /**< of programs */
    float *weight;  /**< [first * count + second], first < second: what both have */
    float *all;     /**< [program]: what it has */
    unsigned *rare; /**< like weight: how many fragments that hardly anybody else has */
} Shares;

/** Compares all programs by fragments of `length` tokens. False without memory. */
bool fragments_compare(Shares *shares, const Tokens *programs, size_t count, const Given *given,
                       size_t length);
void fragments_free(Shares *shares);

/** Percent of the smaller program that is in the other, by weight. */
int fragments_percent(const Shares *shares, size_t first, size_t second);
/** How strong the likeness is, 0 to 1: the same share, but held back while the weight behind it is small. */
double fragments_strength(const Shares *shares, size_t first, size_t second);

#endif
