/* card_check.h - a submission on a real GPU: the same file and the same driver, built by nvcc, and their
 * answers judged as those of the software GPU are. A card sees no cause: neither races nor what an answer
 * cost. So this says of each case whether it came out right, how long it took, and what stopped it; the
 * verdict that counts is the software GPU's.
 */
#pragma once

#include "autograder/check/check.h"

/** Fills check->result, as check_run does. Without a card, or what it needs, the verdict is an error that
 * says which. */
void card_check(Check *check);
