/* A stack of pictures in a layered array: each layer is brightened through a surface, then read filtered. */
#include "sample.h"

__global__ void brighten(cudaSurfaceObject_t surface, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, layer = blockIdx.z;
    if (x >= width || y >= height) return;
    float value = surf2DLayeredread<float>(surface, x * (int)sizeof(float), y, layer);
    surf2DLayeredwrite(value + (float)layer, surface, x * (int)sizeof(float), y, layer);
}

__global__ void shift_half(float *out, cudaTextureObject_t texture, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, layer = blockIdx.z;
    if (x >= width || y >= height) return;
    out[(layer * height + y) * width + x] = tex2DLayered<float>(texture, (float)x + 0.75f, (float)y + 0.5f, layer);
}

__global__ void reverse_lines(float *out, cudaTextureObject_t texture, int width, int layers) {
    int i = threadIdx.x;
    if (i < width * layers) out[i] = tex1DLayered<float>(texture, (float)(width - 1 - i % width) + 0.5f, i / width);
}

static cudaArray_t fill(const std::vector<float> &values, cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    size_t rows = extent.height > 0 ? extent.height : 1;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)values.data(), extent.width * sizeof(float), extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

int main() {
    const int width = 21, height = 10, layers = 4, n = width * height * layers, line = 13, lines = 3;
    std::vector<float> stack = sample_values(n), ruler = sample_values(line * lines), want;
    for (int i = 0; i < n; i++) {
        int next = i % width + 1 < width ? i + 1 : i, layer = i / width / height;
        want.push_back(0.75f * stack[i] + 0.25f * stack[next] + (float)layer);
    }
    for (int i = 0; i < line * lines; i++) want.push_back(ruler[i / line * line + line - 1 - i % line]);
    cudaArray_t pictures = fill(stack, make_cudaExtent(width, height, layers), cudaArrayLayered | cudaArraySurfaceLoadStore);
    cudaArray_t rulers = fill(ruler, make_cudaExtent(line, 0, lines), cudaArrayLayered);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = pictures;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    cudaSurfaceObject_t surface = 0;
    cudaTextureObject_t smooth = 0, exact = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaCreateTextureObject(&smooth, &resource, &description, nullptr));
    resource.res.array.array = rulers;
    description.filterMode = cudaFilterModePoint;
    CHECK(cudaCreateTextureObject(&exact, &resource, &description, nullptr));
    float *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    dim3 block(8, 8), grid((width + 7) / 8, (height + 7) / 8, layers);
    brighten<<<grid, block>>>(surface, width, height);
    CHECK(cudaGetLastError());
    shift_half<<<grid, block>>>(d_out, smooth, width, height);
    CHECK(cudaGetLastError());
    reverse_lines<<<1, 64>>>(d_out + n, exact, line, lines);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(smooth));
    CHECK(cudaDestroyTextureObject(exact));
    CHECK(cudaFreeArray(pictures));
    CHECK(cudaFreeArray(rulers));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-5);
}
