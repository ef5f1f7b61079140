/* library.h - what the library's versions of the lessons' functions share: `make time` puts them beside a
 * learner's.
 *
 * Room and handles are made in the first call, which is not timed, and kept until the program ends: what is
 * measured is the library's work.
 */
#pragma once

#include "../card.h"

#include <cub/cub.cuh>

/* Calls one of CUB's functions in its two steps: how much room, then the work. */
template <typename Call> void library_with_room(Call call) {
    static void *room = NULL;
    static size_t had = 0;
    size_t bytes = 0;
    CARD_CHECK(call((void *)NULL, bytes));
    if (bytes > had) {
        CARD_CHECK(cudaFree(room));
        CARD_CHECK(cudaMalloc(&room, bytes));
        had = bytes;
    }
    CARD_CHECK(call(room, bytes));
}
