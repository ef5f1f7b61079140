#include "mistake.h"

__global__ void tell(size_t n, ptrdiff_t d, double x) {
    printf("%zu of them\n", n);       // expect-note: api-misuse
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

__global__ void other_types(int i, long l, double d) {
    printf("%d\n", d);       // expect: api-misuse // says: %d was given a float or a double
    printf("%f\n", i);       // expect: api-misuse // says: %f takes 8 bytes, and the value that it was given has 4
    printf("%ld\n", i);      // expect: api-misuse // says: %ld takes 8 bytes
    printf("%f\n", l);       // expect: api-misuse // says: %f was given a whole number
    printf("%d\n", l);       // expect-note: api-misuse // says: %d prints 4 bytes, and the value that it was given has 8
    printf("%d %d\n", i, d); // expect: api-misuse // says: %d was given a float or a double
    printf("%d %d\n", i, l); // expect-note: api-misuse // says: %d prints 4 bytes, and the value that it was given has 8
    printf("%d %d\n", l, i); // expect-note: api-misuse // says: %d prints 4 bytes
    printf("%s %ld %f\n", (const char *)nullptr, l, (double)d);                              // near: api-misuse
    printf("%d %d %f %f %lld\n", 0, 0, 0.0, -1.0, -1ll);                                     // near: api-misuse
    printf("%u %u %c %hd\n", (unsigned)l, (unsigned)((unsigned long)l >> 32), 'x', (short)i); // near: api-misuse
}

/* A card ends the launch at either. */
__global__ void text_of_the_host(const char *text, int i) {
    printf("%s\n", text); // expect: api-misuse // says: an address where the device has no text
    printf("%s\n", i); // expect: api-misuse // says: %s takes 8 bytes
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
    other_types<<<1, 1>>>(7, 9, 2.5);
    CHECK(cudaDeviceSynchronize());
    text_of_the_host<<<1, 1>>>("text", 7); // also: host-device-pointer
    CHECK(cudaDeviceSynchronize());
}
