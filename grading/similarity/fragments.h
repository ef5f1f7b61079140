/* fragments.h - how much of one program is in another, counted by rarity.
 *
 * A fragment is a run of a few tokens of one function, so that functions may stand in any order. What two
 * programs share is evidence as far as others do not have it: a fragment weighs the more the fewer programs
 * have it, next to nothing when half of the class has it or the lesson's page shows it, and nothing when the
 * starter gave it. So two textbook answers by people who never met share much and weigh little, and a copy is
 * found by what only these two have, in whatever order it stands and under whatever names.
 */
#pragma once

#include "grading/similarity/tokens.h"

#include <stdbool.h>

/** What everybody was given. */
typedef struct Given {
    Tokens starter, page;
} Given;

/** The functions of a program that are told apart; what follows the last of so many counts to it. */
enum { PIECES_MOST = 8 };

/** Of each two programs. malloc'ed: fragments_free. */
typedef struct Shares {
    size_t count;   /**< of programs */
    float *all;     /**< [program * PIECES_MOST + piece]: what the piece has */
    float *weight;  /**< [(program * PIECES_MOST + piece) * count + other]: what of the piece the other has */
    unsigned *rare; /**< [first * count + second], first < second: fragments that hardly anybody else has */
} Shares;

/** Compares all programs by fragments of `length` tokens. False without memory. */
bool fragments_compare(Shares *shares, const Tokens *programs, size_t count, const Given *given,
                       size_t length);
void fragments_free(Shares *shares);

/** What a piece has, and what of it another program has. */
double fragments_of_piece(const Shares *shares, size_t program, size_t piece);
double fragments_of_piece_in(const Shares *shares, size_t program, size_t piece, size_t other);
/** The same for the whole program. */
double fragments_of(const Shares *shares, size_t program);
double fragments_in(const Shares *shares, size_t program, size_t other);
/** Percent of the smaller program that is in the other, by weight. */
int fragments_percent(const Shares *shares, size_t first, size_t second);
