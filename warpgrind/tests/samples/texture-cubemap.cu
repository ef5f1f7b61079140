/* A cube of six faces and a stack of two such cubes, read by direction; the faces are written through a surface. */
#include "sample.h"

__global__ void fill_faces(cudaSurfaceObject_t surface, int size, float scale) {
    int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
    if (x < size && y < size) surfCubemapwrite(scale * (float)((face * size + y) * size + x), surface, x * (int)sizeof(float), y, face);
}

__global__ void look(float *out, cudaTextureObject_t cube, const float *directions, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = texCubemap<float>(cube, directions[3 * i], directions[3 * i + 1], directions[3 * i + 2]);
}

__global__ void look_in_layers(float *out, cudaTextureObject_t cubes, const float *directions, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = texCubemapLayered<float>(cubes, directions[3 * i], directions[3 * i + 1], directions[3 * i + 2], i % 2);
}

/* The face and the texel that a direction meets. */
static int texel(const float *d, int size) {
    float x = std::fabs(d[0]), y = std::fabs(d[1]), z = std::fabs(d[2]);
    int face;
    float m, s, t;
    if (x > y && x > z) face = d[0] < 0, m = x, s = d[0] < 0 ? d[2] : -d[2], t = -d[1];
    else if (y > z) face = 2 + (d[1] < 0), m = y, s = d[0], t = d[1] < 0 ? -d[2] : d[2];
    else face = 4 + (d[2] < 0), m = z, s = d[2] < 0 ? -d[0] : d[0], t = -d[1];
    int column = (int)((s / m + 1) / 2 * (float)size), row = (int)((t / m + 1) / 2 * (float)size);
    return (face * size + row) * size + column;
}

static cudaArray_t make_cube(int size, int layers, float scale) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    unsigned flags = cudaArrayCubemap | cudaArraySurfaceLoadStore | (layers > 1 ? cudaArrayLayered : 0);
    CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(size, size, 6 * layers), flags));
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    fill_faces<<<6 * layers, dim3(8, 8)>>>(surface, size, scale);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // the kernel writes through the object until it has ended
    CHECK(cudaDestroySurfaceObject(surface));
    return resource.res.array.array;
}

static cudaTextureObject_t texture_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    const int size = 7, n = 300, texels = 6 * size * size;
    std::vector<float> directions = sample_values(3 * n), want;
    for (int i = 0; i < n; i++) want.push_back((float)texel(&directions[3 * i], size));
    for (int i = 0; i < n; i++) want.push_back(2.0f * (float)(i % 2 * texels + texel(&directions[3 * i], size)));
    cudaArray_t cube = make_cube(size, 1, 1.0f), cubes = make_cube(size, 2, 2.0f);
    cudaTextureObject_t one = texture_of(cube), both = texture_of(cubes);
    float *d_directions = to_device(directions), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    look<<<(n + 63) / 64, 64>>>(d_out, one, d_directions, n);
    CHECK(cudaGetLastError());
    look_in_layers<<<(n + 63) / 64, 64>>>(d_out + n, both, d_directions, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaDestroyTextureObject(one));
    CHECK(cudaDestroyTextureObject(both));
    CHECK(cudaFreeArray(cube));
    CHECK(cudaFreeArray(cubes));
    CHECK(cudaFree(d_directions));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
