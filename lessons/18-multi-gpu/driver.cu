/* driver.cu - calls the learner's decay_on_all, or decay_on_ranks in the cases that have ranks.
 *
 * In a case with ranks every process is a rank, and all of them visit the same cases. The numbers are at rank
 * 0 of the communicator only, which has as many ranks as the case says; the other ranks pass NULL. It is not
 * MPI_COMM_WORLD: its ranks are numbered the other way round, and the first of the world may not be in it.
 * Without an MPI the course can still be built. The caller's device is not always device 0:
 * which one is current afterwards is an answer, too.
 */
#include "lessons/common/driver.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#if __has_include(<mpi.h>)
#include "lessons/common/ranks.h"
#endif

void decay_on_all(float *h_x, int n, int steps);
#ifdef MPI_VERSION
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm);

/* A rank that ends within the learner's function ends without it, and mpiexec ends the others: they would
 * wait for it. */
static void finalize() {
    if (ranks_call.own == MPI_COMM_NULL)
        MPI_Finalize();
    else
        ranks_await_reader();
}

/* The last `ranks` processes, the last one first; MPI_COMM_NULL in the others. */
static MPI_Comm last_ranks(int ranks) {
    int begun = 0, rank = 0, processes = 0;
    MPI_Initialized(&begun);
    if (!begun) {
        MPI_Init(NULL, NULL);
        atexit(finalize);
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm comm = MPI_COMM_NULL;
    const bool within = rank >= processes - ranks;
    PMPI_Comm_split(MPI_COMM_WORLD, within ? 0 : MPI_UNDEFINED, processes - rank, &comm);
    return comm;
}

static void run_on_ranks(DriverCase *driven, float *h_x, size_t n, int steps, int ranks) {
    MPI_Comm comm = last_ranks(ranks);
    driver_leave_untimed(driven);
    int rank = -1;
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &rank);
        ranks_begin(comm);
        decay_on_ranks(rank == 0 ? h_x : NULL, (int)n, steps, comm);
        ranks_return();
        PMPI_Comm_free(&comm);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) driver_answer_floats(driven, "x", h_x, n);
}
#else
static void run_on_ranks(DriverCase *, float *, size_t, int, int) {
    fprintf(stderr, "driver: this machine has no MPI; `make setup` installs it\n");
    exit(EXIT_FAILURE);
}
#endif

static void run_on_devices(DriverCase *driven, float *h_x, size_t n, int steps) {
    const int callers = driver_input_int(driven, "callers_device");
    int current = -1;
    cudaSetDevice(callers);
    decay_on_all(h_x, (int)n, steps);
    cudaGetDevice(&current);
    cudaSetDevice(0);
    const float answer = (float)current;
    driver_answer_floats(driven, "x", h_x, n);
    driver_answer_floats(driven, "device_afterwards", &answer, 1);
}

void driver_case(DriverCase *driven) {
    size_t n = 0;
    float *h_x = driver_pinned_input(driven, "x", &n);
    const int steps = driver_input_int(driven, "steps"), ranks = driver_input_int(driven, "ranks");
    if (ranks == 0)
        run_on_devices(driven, h_x, n, steps);
    else
        run_on_ranks(driven, h_x, n, steps, ranks);
}
