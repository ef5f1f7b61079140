/* judges.h - the table of all lessons' judges, which the build makes of lessons/NN-name/judge.c (judges.awk).
 */
#pragma once

#include "autograder/judges.h"

/** A `Judges`: main hands it to whoever judges. */
extern const Judge *const lessons_judges[];
