/* judges.h - the table of all lessons' judges, made by the build from lessons/NN-name/judge.c. */
#ifndef AUTOGRADER_JUDGES_H
#define AUTOGRADER_JUDGES_H

#include "autograder/judge.h"

/** Ends with NULL. */
extern const Judge *const judges[];

/** The judge of "07-block-sum-dynamic", or NULL. */
const Judge *judges_find(const char *lesson);

/** The same judge without its hidden cases, in the arena; NULL without memory. */
const Judge *judges_without_hidden(const Judge *judge, Arena *arena);

#endif
