// cuComplex.h on both sides, and the headers that programs of all ages name.
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cstdio>
#include <cstdlib>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>

__host__ __device__ static double sum(cuDoubleComplex z) { return cuCreal(z) + 10 * cuCimag(z); }
__host__ __device__ static double values(int i) {
    cuDoubleComplex x = make_cuDoubleComplex(i + 1, -2), y = make_cuDoubleComplex(0.5, 2 * i);
    cuFloatComplex f = cuCdivf(make_cuComplex(i, 3), make_cuFloatComplex(4, 2));
    double all = sum(cuCmul(x, y)) + sum(cuCdiv(x, y)) + sum(cuCadd(x, cuConj(y))) + sum(cuCsub(x, y)) + cuCabs(x);
    all += sum(cuCfma(x, y, x)) + sum(cuComplexFloatToDouble(cuCmulf(f, f))) + cuCabsf(make_cuFloatComplex(3e30f, 4e30f)) / 1e30;
    return all + cuCrealf(cuComplexDoubleToFloat(x)) + cuCimagf(cuCfmaf(f, f, f));
}
__global__ void on_device(double *out) { out[threadIdx.x] = values(threadIdx.x); }

int main() {
    double *out;
    cudaDataType type = CUDA_C_32F;
    cudaMallocManaged(&out, 8 * sizeof(double));
    on_device<<<1, 8>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
    for (int i = 0; i < 8; i++) {
        printf("%.3f %d\n", out[i], (int)type);
        if (!(out[i] - values(i) < 1e-4 && values(i) - out[i] < 1e-4)) exit(1);
    }
    cudaFree(out);
    return 0;
}
