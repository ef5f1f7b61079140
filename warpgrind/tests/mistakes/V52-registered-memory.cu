/* expect-none: registered memory is the host's, and a kernel's too; its neighbours on the page are not
 * disturbed. */
#include "mistake.h"

#include <cstdlib>
#include <cstring>

__global__ void twice(int *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    enum { N = 3000 };
    char *before = (char *)malloc(64), *after;
    int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
    after = (char *)malloc(64);
    strcpy(before, "before");
    strcpy(after, "after");
    for (int i = 0; i < N; i++)
        h[i] = i;
    CHECK(cudaHostRegister(h, N * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    twice<<<(N + 127) / 128, 128>>>(d, N);
    CHECK(cudaGetLastError());
    strcat(after, "wards"); // perhaps on a page of the memory that the kernel uses
    CHECK(cudaDeviceSynchronize());
    twice<<<(N + 127) / 128, 128>>>(h, N); // by its own address
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (h[N - 1] != 4 * (N - 1) || strcmp(before, "before") != 0 || strcmp(after, "afterwards") != 0)
        return 1;
    CHECK(cudaHostUnregister(h));
    if (h[N - 1] != 4 * (N - 1)) return 1;
    free(before);
    free(after);
    free(h);
    printf("fine\n");
}
