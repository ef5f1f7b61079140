/* work.c - the work of kernels.cu, its inputs and its check. */
#include "bench/work.h"

#include "bench/plain.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

const Work work_table[WORK_COUNT] = {
    {"vector_add", (size_t)1 << 20},
    {"tree_sum", (size_t)1 << 20},
    {"arithmetic", (size_t)1 << 16},
};

double work_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void work_fill(float *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        x[i] = (float)(i % 1000) * 0.25f - 100.0f;
    }
}

void work_plain(int work, size_t count, float *z, const float *x, const float *y) {
    if (work == WORK_TREE_SUM)
        plain_sum_blocks(z, x, count / WORK_BLOCK);
    else if (work == WORK_ARITHMETIC)
        plain_compute(z, x, count, WORK_STEPS);
    else
        plain_add_vectors(z, x, y, count);
}

/* Within a thousandth: a sum in another order rounds otherwise. */
int work_verify(int work, size_t count, const float *z, const float *x, const float *y) {
    size_t results = count;
    if (work == WORK_TREE_SUM) results = count / WORK_BLOCK;
    float *want = calloc(count, sizeof *want);
    int right = want != NULL;
    if (want) {
        work_plain(work, count, want, x, y);
        for (size_t i = 0; i < results; i++) {
            right = right && fabsf(z[i] - want[i]) <= 1e-3f * (1.0f + fabsf(want[i]));
        }
    }
    free(want);
    return right;
}
