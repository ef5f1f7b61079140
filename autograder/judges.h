/* judges.h - the judges of the lessons, as a table that the program hands in: the autograder asks it, and
 * knows no lesson. */
#pragma once

#include "autograder/judge.h"

/** Pointers to judges up to a NULL. */
typedef const Judge *const *Judges;

/** The judge of "07-block-sum-dynamic", or NULL. */
const Judge *judges_find(Judges judges, const char *lesson);

/** The same judge without its hidden cases, in the arena; NULL without memory. */
const Judge *judges_without_hidden(const Judge *judge, Arena *arena);
