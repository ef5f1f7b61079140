/* minmax.h - the smaller and the larger of two values, which are evaluated twice: no argument may do
 * anything. Of two that do not compare, as NaN, or are alike, it is the second. */
#ifndef BASE_MINMAX_H
#define BASE_MINMAX_H

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#endif
