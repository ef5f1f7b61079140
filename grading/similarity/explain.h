/* explain.h - whether one or two other programs account for a program.
 *
 * A copy leaves nothing over: each of its functions comes from the source. A mix of two leaves nothing over
 * either when both sources are looked at together, while each alone explains a part. Two people who took some
 * of the same spellings from a textbook always leave over a good deal. So what is not explained counts
 * against a pair more than what is shared counts for it, and a pair is judged by the best story that it is
 * in. A program that has one source has another for the rest of it; and that a copy is like whatever its
 * source is like is no news.
 */
#pragma once

#include "grading/similarity/fragments.h"

/** For each two programs, [first * count + second] with first < second: how much speaks for it that one was
 * made from the other, alone or together with a third, in fragments that only two have. malloc'ed; NULL
 * without memory. */
double *explain_pairs(const Shares *shares);
