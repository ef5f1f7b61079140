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

int main() {
    tell<<<1, 32>>>(7, -7, 2.5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("%zu %.*f\n", sizeof(double), 1, 2.5); // near-note: api-misuse
}
