/* decay.cu - 400 floats, scattered over the ranks, times 0.9 on each rank's device, gathered again. The words of the
 * command line say which ranks do what: `past=02` two ranks write past the end, `leave=2` rank 2 ends so in the middle. */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <unistd.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t error = (call);                                                                    \
        if (error != cudaSuccess) {                                                                          \
            fprintf(stderr, "%s\n", cudaGetErrorString(error));                                              \
            MPI_Abort(MPI_COMM_WORLD, 9);                                                                    \
        }                                                                                                    \
    } while (0)

__global__ void decay_kernel(float *x, int n, int extra) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n + extra) x[i] *= 0.9f; // past the end
}

/* It gets on, and so is no hang, but not to its end. */
__global__ void spin_kernel(volatile int *x) {
    for (long long i = 0; x[0] + i < 1ll << 60; i++) {
    }
}

/* Whether the word NAME=DIGITS of the command line has this rank's digit. */
static bool asked(int argc, char **argv, const char *name, int rank) {
    const size_t length = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return strchr(argv[i] + length + 1, '0' + rank) != nullptr;
    return false;
}

static void spin() {
    int *d_x = nullptr;
    CHECK(cudaMalloc(&d_x, sizeof *d_x));
    CHECK(cudaMemset(d_x, 0, sizeof *d_x));
    spin_kernel<<<1, 32>>>(d_x);
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
    int rank = 0, size = 0, devices = 0, current = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));
    CHECK(cudaGetDevice(&current));
    const int n = 100;
    float all[1600] = {0}, part[n], *d_part = nullptr;
    for (int i = 0; i < 1600; i++)
        all[i] = (float)(i + 1);
    MPI_Scatter(all, n, MPI_FLOAT, part, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    CHECK(cudaMalloc(&d_part, sizeof part));
    CHECK(cudaMemcpy(d_part, part, sizeof part, cudaMemcpyHostToDevice));
    decay_kernel<<<1, 128>>>(d_part, n, asked(argc, argv, "past", rank));
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(part, d_part, sizeof part, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_part));
    MPI_Barrier(MPI_COMM_WORLD); /* whatever happens now, all have launched */
    if (asked(argc, argv, "abort", rank)) MPI_Abort(MPI_COMM_WORLD, 3);
    if (asked(argc, argv, "kill", rank)) kill(getpid(), SIGKILL);
    if (asked(argc, argv, "leave", rank)) _exit(5);
    if (asked(argc, argv, "quit", rank)) _exit(0);
    if (asked(argc, argv, "spin", rank)) spin();
    MPI_Gather(part, n, MPI_FLOAT, all, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %d devices, the last is %g\n", size, devices, all[size * n - 1]);
    if (asked(argc, argv, "say", rank)) printf("rank %d has device %d\n", rank, current);
    MPI_Finalize();
    return asked(argc, argv, "fail", rank) ? 4 : 0;
}
