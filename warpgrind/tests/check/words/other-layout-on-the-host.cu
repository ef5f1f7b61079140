// says: error: out-of-bounds: all[6] of 6: block 0, thread 6 reads one element past the end of all (108 bytes allocated at line 35); 108 bytes are no multiple of 16
// says: but 108 bytes are 12 elements (n) of 9 bytes: the host and the kernel do not agree on the layout of an element
// says: error: out-of-bounds: rows[4] of 4: block 0, thread 4 reads one element past the end of rows (100 bytes allocated at line 40); 100 bytes are no multiple of 24
// says: and 100 bytes are not a whole number of them
// says: 60 bytes hold 15 elements of 4 bytes, such as float, but those of wide have 8
// says-not: Guard the access
#include "../../mistakes/mistake.h"

#pragma pack(push, 1)
struct Packed { char kind; double value; };
#pragma pack(pop)
struct Padded { char kind; double value; };
struct Row { double x, y; int z; };

__global__ void packed(const Padded *all, int n, double *sum) {
    if (threadIdx.x < n) atomicAdd(sum, all[threadIdx.x].value);
}

__global__ void odd(const Row *rows, double *sum) {
    atomicAdd(sum, rows[threadIdx.x].y);
}

// Fewer bytes, since the elements are smaller: that is told as such.
__global__ void smaller(const double *wide, int n, double *sum) {
    if (threadIdx.x < n) atomicAdd(sum, wide[threadIdx.x]);
}

int main() {
    const int n = 12;
    char bytes[128] = "";
    void *d;
    double *sum;
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaMalloc(&d, n * sizeof(Packed)));
    CHECK(cudaMemcpy(d, bytes, n * sizeof(Packed), cudaMemcpyHostToDevice));
    packed<<<1, 32>>>((const Padded *)d, n, sum);
    finish();
    CHECK(cudaFree(d));
    CHECK(cudaMalloc(&d, 100));
    CHECK(cudaMemcpy(d, bytes, 100, cudaMemcpyHostToDevice));
    odd<<<1, 8>>>((const Row *)d, sum);
    finish();
    CHECK(cudaFree(d));
    CHECK(cudaMalloc(&d, 15 * sizeof(float)));
    CHECK(cudaMemcpy(d, bytes, 15 * sizeof(float), cudaMemcpyHostToDevice));
    smaller<<<1, 32>>>((const double *)d, 15, sum);
    finish();
    CHECK(cudaFree(d));
    CHECK(cudaFree(sum));
}
