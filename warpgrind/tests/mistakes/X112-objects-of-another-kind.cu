#include "mistake.h"

__global__ void by_number(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x); // expect: api-misuse
}

__global__ void of_a_surface(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f); // expect: api-misuse
}

__global__ void of_freed_memory(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f); // expect: use-after-free
}

__global__ void of_nothing(float *out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f); // expect: api-misuse
}

struct Made {
    cudaArray_t array;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
};

// An array of 32 numbers with an object of each kind. What has ended a launch before is forgotten.
static Made make() {
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
    Made made;
    std::vector<float> numbers(32, 1.0f);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&made.array, &floats, 32, 0, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(made.array, 0, 0, numbers.data(), 128, 128, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = made.array;
    cudaTextureDesc description = {};
    CHECK(cudaCreateTextureObject(&made.texture, &resource, &description, nullptr));
    CHECK(cudaCreateSurfaceObject(&made.surface, &resource));
    return made;
}

int main() {
    Made made = make();
    by_number<<<1, 32>>>(device_floats(32), made.texture);
    of_a_surface<<<1, 32>>>(device_floats(32), made.surface);
    made = make();
    CHECK(cudaFreeArray(made.array));
    of_freed_memory<<<1, 32>>>(device_floats(32), made.texture);
    make();
    of_nothing<<<1, 32>>>(device_floats(32), 77);
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
}
