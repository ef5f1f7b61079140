/* serve_ranks.c - the program says that its ranks miss each other in a collective call of MPI.
 *
 * The device sees none of MPI. It hears of it from what watches the calls inside of the program (in the
 * course lessons/common/ranks.h), which can be wrong or lie as the program can: the finding is against the
 * program in any case. The device knows the lines.
 */
#include "device/complain.h"
#include "device/serve.h"

/** By the number in the message; its text stands between `before` and `after`. */
typedef struct ApartRow {
    const char *before, *after, *explanation;
} ApartRow;

static const ApartRow rows[] = {
    /* a rank has returned */
    {"", "",
     "A collective call ends when every rank of the communicator has made it, also a rank whose share is "
     "empty: it calls with a count of 0. Look for a return, or an if around this call, that keeps a rank "
     "away. Some MPIs let such a program through by luck; under others it hangs."},
    /* two calls */
    {"", "",
     "All ranks of a communicator make the same collective calls in the same order. Which branch does each "
     "of "
     "these ranks take on its way here? Put the call where every rank makes it."},
    /* a call in MPI_COMM_WORLD */
    {"", " is called with MPI_COMM_WORLD, and not with the communicator that the function was given",
     "MPI_COMM_WORLD is all processes of the program. Some of them may not call your function at all, and so "
     "never make the call that the others wait in; and rank 0 there may be another process. Use comm in "
     "every call."},
    /* a number in MPI_COMM_WORLD */
    {"MPI_COMM_WORLD is asked for numbers, and never the communicator that the function was given, of ",
     " ranks",
     "A process has a number in each communicator that it belongs to, and they may differ. The shares are "
     "handed out by the numbers in comm: call MPI_Comm_rank(comm, &rank) and MPI_Comm_size(comm, &ranks)."},
};

SERVE(serve_ranks_apart, RANKS_APART) {
    enum { LONGEST = 400 };
    if (a->fault >= sizeof rows / sizeof *rows) return CUDA_INVALID_VALUE;
    const ApartRow *row = &rows[a->fault];
    size_t sent = (size_t)device->serving.request->payload_bytes;
    int length = (int)(sent < LONGEST ? sent : LONGEST);
    complain_both(device, FINDING_RANKS_APART, a->other, "the other call", row->explanation, "%s%.*s%s",
                  row->before, length, (const char *)device->link.payload, row->after);
    return CUDA_OK;
}
