/* minmax.h - the smaller and the larger of two values, which are evaluated twice: no argument may do
 * anything. Of two that do not compare, as NaN, or are alike, it is the second. */
#pragma once

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
