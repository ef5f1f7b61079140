/* __ldg and textures read through caches that do not see what the same kernel writes: no barrier helps. */
#include "mistake.h"

enum { N = 64 };

__global__ void neighbour(int *a, int *out) {
    int i = threadIdx.x;
    a[i] = 2 * i;
    __syncthreads();
    out[i] = __ldg(&a[(i + 1) % N]); // expect: global-race // says: through the read-only cache, after thread
    out[i] += a[(i + 1) % N];        // near: global-race
}

__global__ void own(float4 *a, float *out) {
    int i = threadIdx.x;
    a[i] = make_float4(i, 1, 2, 3);
    out[i] = __ldg(a + i).x; // expect: global-race // says: through the read-only cache, after it wrote it
}

__global__ void by_two_names(double *x, const double *old, int rounds) {
    int i = threadIdx.x;
    for (int round = 0; round < rounds; round++) {
        double left = __ldg(&old[(i + N - 1) % N]); // expect: global-race // says: old and x are the same memory in this launch
        __syncthreads();
        x[i] += left;
        __syncthreads();
    }
}

__global__ void counted(unsigned *count, unsigned *out) {
    atomicAdd(&count[threadIdx.x % 4], 1);
    __syncthreads();
    out[threadIdx.x] = __ldg(&count[threadIdx.x % 4]); // expect: global-race
}

__global__ void fetched(float *x, cudaTextureObject_t texture, float *out) {
    x[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x ^ 1); // expect: global-race // says: through the texture cache
}

/* What was written before the launch, and what is read before it is written. */
__global__ void in_place(float *x, const unsigned *count, const char *bytes, cudaTextureObject_t texture) {
    int i = threadIdx.x;
    float before = __ldg(&x[i]) + __ldg(&count[i % 4]) + __ldg(bytes + i); // near: global-race
    before += tex1Dfetch<float>(texture, i);                              // near: global-race
    __syncthreads();
    x[i] = before; // near: global-race
}

__global__ void halves(float *x) {
    int i = threadIdx.x;
    x[i] = __ldg(&x[i + N]); // near: global-race
}

static cudaTextureObject_t texture_of(float *x, size_t bytes) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = x;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    float *x = device_floats(4 * N), *out = device_floats(N), h[N];
    cudaTextureObject_t texture = texture_of(x, N * sizeof(float));
    neighbour<<<1, N>>>((int *)x, (int *)out);
    own<<<1, N>>>((float4 *)x, out);
    by_two_names<<<1, N>>>((double *)x, (double *)x, 2);
    CHECK(cudaMemset(x, 0, 4 * N * sizeof(float)));
    counted<<<1, N>>>((unsigned *)x, (unsigned *)out);
    fetched<<<1, N>>>(x, texture, out);
    in_place<<<1, N>>>(x, (unsigned *)out, (char *)out, texture);
    halves<<<1, N>>>(x);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return h[1] < 0;
}
