/* Textures over ordinary device memory: a gather by tex1Dfetch, and rows of cudaMallocPitch read as a picture. */
#include "sample.h"

__global__ void gather(float *out, cudaTextureObject_t texture, const int *index, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 pair = tex1Dfetch<float2>(texture, index[i]);
    out[i] = pair.x - pair.y;
}

__global__ void blur(float *out, cudaTextureObject_t texture, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += tex2D<float>(texture, (float)(x + dx) + 0.5f, (float)(y + dy) + 0.5f);
    out[y * width + x] = sum / 9;
}

static cudaTextureObject_t make(const cudaResourceDesc &resource) {
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder; /* zero outside */
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    const int n = 1000, width = 37, height = 21;
    std::vector<float> values = sample_values(2 * n), image = sample_values(width * height), want(n + width * height);
    std::vector<int> index(n);
    for (int i = 0; i < n; i++) {
        index[i] = (i * 389 + 7) % n;
        want[i] = values[2 * index[i]] - values[2 * index[i] + 1];
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) sum += image[(y + dy) * width + x + dx];
            want[n + y * width + x] = sum / 9;
        }
    float *d_values = to_device(values), *d_out = nullptr, *d_image = nullptr;
    int *d_index = to_device(index);
    size_t pitch = 0, row = width * sizeof(float);
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    CHECK(cudaMallocPitch(&d_image, &pitch, row, height));
    CHECK(cudaMemcpy2D(d_image, pitch, image.data(), row, row, height, cudaMemcpyHostToDevice));
    cudaResourceDesc line = {}, plane = {};
    line.resType = cudaResourceTypeLinear;
    line.res.linear.devPtr = d_values;
    line.res.linear.desc = cudaCreateChannelDesc<float2>();
    line.res.linear.sizeInBytes = values.size() * sizeof(float);
    plane.resType = cudaResourceTypePitch2D;
    plane.res.pitch2D.devPtr = d_image;
    plane.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    plane.res.pitch2D.width = width;
    plane.res.pitch2D.height = height;
    plane.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t pairs = make(line), picture = make(plane);
    gather<<<(n + 127) / 128, 128>>>(d_out, pairs, d_index, n);
    CHECK(cudaGetLastError());
    blur<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(d_out + n, picture, width, height);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroyTextureObject(pairs));
    CHECK(cudaDestroyTextureObject(picture));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_index));
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-5);
}
