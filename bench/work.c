/* work.c - the work in plain C, its inputs and its check: the yardstick of the benchmark. */
#include "bench/work.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

const Work work_table[WORK_COUNT] = {
    {"vector add, 2^20 threads", "vector_add", (size_t)1 << 20},
    {"tree sum, 2^20 in blocks of 256", "tree_sum", (size_t)1 << 20},
    {"arithmetic, 2^16 threads, 256 steps", "arithmetic", (size_t)1 << 16},
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

static void plain_tree_sum(float *z, const float *x, size_t count) {
    for (size_t first = 0; first < count; first += WORK_BLOCK) {
        float temp[WORK_BLOCK];
        for (size_t i = 0; i < WORK_BLOCK; i++) {
            temp[i] = x[first + i];
        }
        for (size_t d = WORK_BLOCK / 2; d > 0; d /= 2) {
            for (size_t i = 0; i < d; i++) {
                temp[i] += temp[i + d];
            }
        }
        z[first / WORK_BLOCK] = temp[0];
    }
}

static void plain_arithmetic(float *z, const float *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = x[i];
        for (int step = 0; step < WORK_STEPS; step++) {
            value = value * 0.999f + 0.25f;
        }
        z[i] = value;
    }
}

void work_plain(int work, size_t count, float *z, const float *x, const float *y) {
    if (work == WORK_TREE_SUM) {
        plain_tree_sum(z, x, count);
    } else if (work == WORK_ARITHMETIC) {
        plain_arithmetic(z, x, count);
    } else {
        for (size_t i = 0; i < count; i++) {
            z[i] = x[i] + y[i];
        }
    }
}

int work_verify(int work, size_t count, const float *z, const float *x, const float *y) {
    size_t results = work == WORK_TREE_SUM ? count / WORK_BLOCK : count;
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
