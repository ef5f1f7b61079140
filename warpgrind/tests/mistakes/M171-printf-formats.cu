#include "mistake.h"

__global__ void tell(size_t n, ptrdiff_t d, double x) {
    printf("%zu of %s\n", n, "them"); // expect-note: api-misuse
    printf("%td\n", d);               // expect-note: api-misuse
    printf("%.*f\n", 3, x);           // expect-note: api-misuse
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", // expect-note: api-misuse
           1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33);
    printf("%llu %5.2f %-6.3s %*d %hd %c %p 100%%\n", (unsigned long long)n, x, "name", 7, 42, 3, 'x', nullptr); // near-note: api-misuse
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",  // near-note: api-misuse
           1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32);
}

__global__ void too_few(const double *x, size_t n, int *rows) {
    if (threadIdx.x == 0) printf("first %f last %f\n", x[0]); // expect: api-misuse
    if (threadIdx.x == 1) printf("rows %d\n");                // expect: api-misuse
    if (threadIdx.x == 2) printf("%*d\n", (int)n);            // expect: api-misuse
    if (threadIdx.x == 3) printf("%d %d\n", rows[0], rows[8]); // expect: uninitialized-read
    if (threadIdx.x == 4) printf("%d %f %d\n", rows[0], x[n > 3 ? 1 : 0], n > 3 ? rows[1] : rows[0]); // near: api-misuse
}

int main() {
    double *x;
    int *rows;
    CHECK(cudaMalloc(&x, 64));
    CHECK(cudaMalloc(&rows, 64));
    CHECK(cudaMemset(x, 0, 64));
    CHECK(cudaMemset(rows, 0, 32));
    too_few<<<1, 32>>>(x, 8, rows);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(rows));
    tell<<<1, 32>>>(7, -7, 2.5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("%zu %.*f\n", sizeof(double), 1, 2.5); // near-note: api-misuse
}
