/* clock.h - how long things take: milliseconds of a clock that nobody sets. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
