/* work.h - the three pieces of work that every program of the benchmark does, and how time is taken.
 *
 * The smallest of several runs counts: on a shared machine the others measure the neighbours.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { WORK_VECTOR_ADD, WORK_TREE_SUM, WORK_ARITHMETIC, WORK_COUNT };
enum { WORK_BLOCK = 256, WORK_STEPS = 256 };

typedef struct Work {
    const char *kernel; /* shapes.def has its title */
    size_t threads;     /* one element each */
} Work;

extern const Work work_table[WORK_COUNT];

/** Seconds of a monotonic clock. */
double work_clock(void);
/** Does the work of that many threads in plain C on one core. `z` and `x`, `y` have as many elements. */
void work_plain(int work, size_t threads, float *z, const float *x, const float *y);
/** Inputs that are the same everywhere. */
void work_fill(float *x, size_t count);
/** True when z is what that many threads make of x and y, up to rounding. */
int work_verify(int work, size_t threads, const float *z, const float *x, const float *y);
