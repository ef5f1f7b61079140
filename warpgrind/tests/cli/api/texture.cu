/* CUDA arrays, the copies that reach them, texture and surface objects. */
#include "api.h"

#if CUDART_VERSION >= 12000
/* Old programs call them; newer headers have lost some. */
extern "C" cudaError_t CUDARTAPI cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t,
                                                        size_t, enum cudaMemcpyKind);
#endif

__global__ void rotate(float *out, cudaTextureObject_t texture, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1D<float>(texture, (float)((i + 1) % n) + 0.5f);
}

__global__ void count_up(cudaSurfaceObject_t surface, int width) {
    int x = threadIdx.x;
    if (x >= width) return;
    unsigned char byte = surf2Dread<unsigned char>(surface, x, 1);
    surf2Dwrite((unsigned char)(byte + x), surface, x, 1);
    surf2Dwrite((unsigned char)9, surface, x, 55, cudaBoundaryModeZero);
}

static const int width = 6, height = 3;

static void rows() {
    float from[height][width], to[height][width] = {}, line[4];
    for (int i = 0; i < width * height; i++) from[i / width][i % width] = (float)i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat), same;
    cudaArray_t array = nullptr, other = nullptr;
    cudaExtent extent;
    unsigned flags = 77;
    FINE(cudaMallocArray(&array, &format, width, height));
    FINE(cudaMallocArray(&other, &format, width, height));
    FINE(cudaArrayGetInfo(&same, &extent, &flags, array));
    EXPECT(same.x == 32 && same.y == 0 && same.f == cudaChannelFormatKindFloat);
    EXPECT(extent.width == width && extent.height == height && extent.depth == 0 && flags == 0);
    FINE(cudaGetChannelDesc(&same, array));
    EXPECT(same.x == 32 && same.w == 0);
    size_t row = width * sizeof(float);
    FINE(cudaMemcpy2DToArray(array, 0, 0, from, row, row, height, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, row, height, cudaMemcpyDeviceToDevice));
    FINE(cudaMemcpy2DFromArray(to, row, other, 0, 0, row, height, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(from, to, sizeof to) == 0);
    float part[2][2] = {{-1, -2}, {-3, -4}};
    FINE(cudaMemcpy2DToArrayAsync(other, 8, 1, part, 8, 8, 2, cudaMemcpyHostToDevice, 0));
    FINE(cudaMemcpy2DFromArrayAsync(to, row, other, 0, 0, row, height, cudaMemcpyDeviceToHost, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(to[1][2] == -1 && to[1][3] == -2 && to[2][2] == -3 && to[2][3] == -4 && to[1][1] == 7 && to[1][4] == 10);
    FINE(cudaMemcpyToArray(array, 0, 0, part, sizeof part, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyArrayToArray(array, 16, 0, array, 0, 0, 8, cudaMemcpyDeviceToDevice));
    FINE(cudaMemcpyFromArray(line, array, 8, 0, sizeof line, cudaMemcpyDeviceToHost));
    EXPECT(line[0] == -3 && line[1] == -4 && line[2] == -1 && line[3] == -2);
    FINE(cudaMemcpyToArrayAsync(array, 0, 2, line, sizeof line, cudaMemcpyHostToDevice, 0));
    FINE(cudaMemcpyFromArrayAsync(part, array, 0, 2, sizeof part, cudaMemcpyDeviceToHost, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(part[0][0] == -3 && part[1][1] == -2);
    FINE(cudaFreeArray(array));
    FINE(cudaFreeArray(other));
    FINE(cudaFreeArray(nullptr));
}

static void boxes() {
    short from[2][3][4], to[2][2][2] = {};
    for (int i = 0; i < 24; i++) from[i / 12][i / 4 % 3][i % 4] = (short)(i - 5);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
    cudaArray_t array = nullptr;
    FINE(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 3, 2), 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 4 * sizeof(short), 4, 3);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&copy));
    copy = {};
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(1, 1, 0);
    copy.dstPtr = make_cudaPitchedPtr(to, 2 * sizeof(short), 2, 2);
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    FINE(cudaMemcpy3DAsync(&copy, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(to[0][0][0] == from[0][1][1] && to[1][1][1] == from[1][2][2] && to[1][0][1] == from[1][1][2]);
    FINE(cudaFreeArray(array));
}

static void textures() {
    float values[width] = {0, 1, 2, 3, 4, 5}, *d = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    FINE(cudaMallocArray(&array, &format, width));
    FINE(cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {}, made = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {}, settings = {};
    description.addressMode[0] = cudaAddressModeBorder;
    description.borderColor[0] = 3.5f;
    cudaTextureObject_t texture = 0;
    FINE(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    FINE(cudaGetTextureObjectResourceDesc(&made, texture));
    FINE(cudaGetTextureObjectTextureDesc(&settings, texture));
    EXPECT(made.resType == cudaResourceTypeArray && made.res.array.array == array);
    EXPECT(settings.addressMode[0] == cudaAddressModeBorder && settings.borderColor[0] == 3.5f);
    FINE(cudaMalloc(&d, sizeof values));
    rotate<<<1, 32>>>(d, texture, width);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost));
    EXPECT(values[0] == 1 && values[4] == 5 && values[5] == 0);
    FINE(cudaDestroyTextureObject(texture));
    FINE(cudaFreeArray(array));
    FINE(cudaFree(d));
}

static void surfaces() {
    unsigned char bytes[2][width] = {{0}, {10, 20, 30, 40, 50, 60}};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array = nullptr;
    FINE(cudaMallocArray(&array, &format, width, 2, cudaArraySurfaceLoadStore));
    FINE(cudaMemcpy2DToArray(array, 0, 0, bytes, width, width, 2, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {}, made = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    FINE(cudaCreateSurfaceObject(&surface, &resource));
    FINE(cudaGetSurfaceObjectResourceDesc(&made, surface));
    EXPECT(made.res.array.array == array);
    count_up<<<1, 32>>>(surface, width);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy2DFromArray(bytes, width, array, 0, 0, width, 2, cudaMemcpyDeviceToHost));
    EXPECT(bytes[1][0] == 10 && bytes[1][5] == 65 && bytes[0][3] == 0);
    FINE(cudaDestroySurfaceObject(surface));
    FINE(cudaFreeArray(array));
}

int main() {
    rows();
    boxes();
    textures();
    surfaces();
    return finish();
}
