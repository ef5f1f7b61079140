/* Results of cuBLAS go to the host, unless the handle is told otherwise. */
/* links: -lcublas */
/* clang only: NVIDIA's toolkit may be there without its cuBLAS */
#include "mistake.h"

#include <cublas_v2.h>

enum { N = 64 };

int main() {
    float *x = device_floats(N), *sum = device_floats(1), host = 0, *managed;
    int *place, where = 0;
    cublasHandle_t handle;
    CHECK(cudaMalloc(&place, sizeof(int)));
    CHECK(cudaMallocManaged(&managed, sizeof(float)));
    cublasCreate(&handle);
    cublasSdot(handle, N, x, 1, x, 1, sum);     // expect: host-device-pointer // says: cublasSetPointerMode
    cublasIsamax(handle, N, x, 1, place);       // expect: host-device-pointer
    cublasSdot(handle, N, x, 1, x, 1, &host);   // near: host-device-pointer
    cublasSdot(handle, N, x, 1, x, 1, managed); // near: host-device-pointer
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSdot(handle, N, x, 1, x, 1, sum); // near: host-device-pointer
    cublasIsamax(handle, N, x, 1, place);   // near: host-device-pointer
    CHECK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&where, place, sizeof where, cudaMemcpyDeviceToHost));
    printf("%g %d\n", host, where);
    cublasDestroy(handle);
    CHECK(cudaFree(x));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(place));
    CHECK(cudaFree(managed));
}
