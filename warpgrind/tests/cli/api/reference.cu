/* Texture and surface references, which CUDA 12 removed: every bind, and what fetches through them give. */
#include "api.h"

texture<float, 1, cudaReadModeElementType> line;
texture<int4> quads;
static texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
texture<float, 3> box;
texture<float2, cudaTextureType2D> pitched;
texture<float, cudaTextureType2DLayered> layers;
texture<float, 2> levels;
surface<void, cudaSurfaceType2D> board;

__global__ void fetch_line(float *out, int n, int shift) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch(line, i + shift);
}

__global__ void fetch_quads(int *out) {
    int4 quad = tex1Dfetch(quads, threadIdx.x);
    out[threadIdx.x] = quad.x + 10 * quad.y + 100 * quad.z + 1000 * quad.w;
}

__global__ void fetch_picture(float *out, float x, float y) { *out = tex2D(picture, x, y); }
__global__ void fetch_box(float *out) { *out = tex3D(box, 1.5f, 0.5f, 1.5f); }
__global__ void fetch_pitched(float2 *out) { *out = tex2D(pitched, 2, 1); }
__global__ void fetch_layers(float *out) { *out = tex2DLayered(layers, 0.5f, 1.5f, 1); }
__global__ void fetch_levels(float *out) { *out = tex2DLod(levels, 0.25f, 0.25f, 1.0f); }

__global__ void turn_board() {
    int value = surf2Dread<int>(board, threadIdx.x * (int)sizeof(int), 0), other;
    surf2Dread(&other, board, threadIdx.x * (int)sizeof(int), 1, cudaBoundaryModeZero);
    surf2Dwrite(value + 10 * other, board, threadIdx.x * (int)sizeof(int), 1);
}

static float *result;

static float fetched() {
    float value = -1;
    FINE(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void linear() {
    float from[300], *d_from = nullptr, *d_out = nullptr, to[4];
    for (int i = 0; i < 300; i++) from[i] = (float)i;
    size_t offset = 7, again = 7;
    const textureReference *reference = nullptr;
    FINE(cudaMalloc(&d_from, sizeof from));
    FINE(cudaMalloc(&d_out, sizeof to));
    FINE(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
    FINE(cudaBindTexture(&offset, line, d_from, sizeof from));
    EXPECT(offset == 0);
    fetch_line<<<1, 4>>>(d_out, 4, 5);
    FINE(cudaMemcpy(to, d_out, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(to[0] == 5 && to[3] == 8);
    /* Launched before the next bind, whenever it runs. */
    fetch_line<<<1, 4>>>(d_out, 4, 9);
    FINE(cudaBindTexture(&offset, line, d_from + 1, cudaCreateChannelDesc<float>(), 128));
    FINE(cudaMemcpy(to, d_out, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(offset == 4 && to[0] == 9);
    FINE(cudaGetTextureAlignmentOffset(&again, line));
    FINE(cudaGetTextureReference(&reference, line));
    EXPECT(again == 4 && reference == &line);
    fetch_line<<<1, 4>>>(d_out, 4, (int)(offset / sizeof(float)));
    FINE(cudaMemcpy(to, d_out, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(to[0] == 1 && to[3] == 4);
    FINE(cudaBindTexture(nullptr, line, d_from));
    FINE(cudaUnbindTexture(line));
    FINE(cudaFree(d_from));
    FINE(cudaFree(d_out));
}

static void vectors() {
    int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *d_from = nullptr, *d_out = nullptr, to[2];
    float2 rows[2][4] = {}, *d_rows = nullptr, pair;
    size_t pitch = 0, offset = 7;
    FINE(cudaMalloc(&d_from, sizeof from));
    FINE(cudaMalloc(&d_out, sizeof to));
    FINE(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
    FINE(cudaBindTexture(0, quads, d_from, sizeof from));
    fetch_quads<<<1, 2>>>(d_out);
    FINE(cudaMemcpy(to, d_out, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(to[0] == 4321 && to[1] == 8765);
    rows[1][2] = make_float2(2.5f, -3.5f);
    FINE(cudaMallocPitch(&d_rows, &pitch, sizeof rows[0], 2));
    FINE(cudaMemcpy2D(d_rows, pitch, rows, sizeof rows[0], sizeof rows[0], 2, cudaMemcpyHostToDevice));
    FINE(cudaBindTexture2D(&offset, pitched, d_rows, 4, 2, pitch));
    fetch_pitched<<<1, 1>>>((float2 *)result);
    FINE(cudaMemcpy(&pair, result, sizeof pair, cudaMemcpyDeviceToHost));
    EXPECT(offset == 0 && pair.x == 2.5f && pair.y == -3.5f);
    FINE(cudaFree(d_from));
    FINE(cudaFree(d_out));
    FINE(cudaFree(d_rows));
}

static void arrays() {
    unsigned char bytes[2][2] = {{0, 255}, {255, 51}};
    cudaArray_t array = nullptr, volume = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>(), floats = cudaCreateChannelDesc<float>();
    FINE(cudaMallocArray(&array, &format, 2, 2));
    FINE(cudaMemcpy2DToArray(array, 0, 0, bytes, 2, 2, 2, cudaMemcpyHostToDevice));
    picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeClamp;
    FINE(cudaBindTextureToArray(picture, array));
    fetch_picture<<<1, 1>>>(result, 1.5f, 1.5f);
    EXPECT(fabsf(fetched() - 0.2f) < 1e-6f);
    /* What changes after the bind counts from the next launch on. */
    picture.filterMode = cudaFilterModeLinear;
    fetch_picture<<<1, 1>>>(result, 1.0f, 0.5f);
    EXPECT(fabsf(fetched() - 0.5f) < 1e-6f);
    picture.normalized = true;
    fetch_picture<<<1, 1>>>(result, 0.25f, 0.75f);
    EXPECT(fetched() == 1);
    float cells[2][1][2] = {{{1, 2}}, {{3, 4}}};
    FINE(cudaMalloc3DArray(&volume, &floats, make_cudaExtent(2, 1, 2)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cells, 2 * sizeof(float), 2, 1);
    copy.dstArray = volume;
    copy.extent = make_cudaExtent(2, 1, 2);
    copy.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&copy));
    FINE(cudaBindTextureToArray(box, volume, floats));
    fetch_box<<<1, 1>>>(result);
    EXPECT(fetched() == 4);
    FINE(cudaUnbindTexture(&picture));
    FINE(cudaFreeArray(array));
    FINE(cudaFreeArray(volume));
}

static void stacks() {
    float cells[2][2][1] = {{{1}, {2}}, {{3}, {4}}}, small = 6;
    cudaArray_t array = nullptr, level = nullptr;
    cudaMipmappedArray_t mipmapped = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    FINE(cudaMalloc3DArray(&array, &format, make_cudaExtent(1, 2, 2), cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cells, sizeof(float), 1, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(1, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&copy));
    FINE(cudaBindTextureToArray(layers, array, format));
    fetch_layers<<<1, 1>>>(result);
    EXPECT(fetched() == 4);
    FINE(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(2, 2, 0), 2));
    FINE(cudaGetMipmappedArrayLevel(&level, mipmapped, 1));
    FINE(cudaMemcpy2DToArray(level, 0, 0, &small, sizeof small, sizeof small, 1, cudaMemcpyHostToDevice));
    levels.normalized = 1;
    levels.maxMipmapLevelClamp = 1;
    FINE(cudaBindTextureToMipmappedArray(levels, mipmapped, format));
    fetch_levels<<<1, 1>>>(result);
    EXPECT(fetched() == 6);
    FINE(cudaFreeMipmappedArray(mipmapped));
    FINE(cudaFreeArray(array));
}

static void surfaces() {
    int cells[2][3] = {{1, 2, 3}, {4, 5, 6}};
    cudaArray_t array = nullptr;
    const surfaceReference *reference = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    FINE(cudaMallocArray(&array, &format, 3, 2, cudaArraySurfaceLoadStore));
    FINE(cudaMemcpy2DToArray(array, 0, 0, cells, sizeof cells[0], sizeof cells[0], 2, cudaMemcpyHostToDevice));
    FINE(cudaBindSurfaceToArray(board, array));
    FINE(cudaGetSurfaceReference(&reference, board));
    EXPECT(reference == &board);
    turn_board<<<1, 3>>>();
    FINE(cudaMemcpy2DFromArray(cells, sizeof cells[0], array, 0, 0, sizeof cells[0], 2, cudaMemcpyDeviceToHost));
    EXPECT(cells[0][2] == 3 && cells[1][0] == 41 && cells[1][2] == 63);
    FINE(cudaFreeArray(array));
}

int main() {
    FINE(cudaMalloc(&result, 2 * sizeof(float)));
    linear();
    vectors();
    arrays();
    stacks();
    surfaces();
    FINE(cudaFree(result));
    return finish();
}
