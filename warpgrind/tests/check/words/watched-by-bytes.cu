// Far more bytes than there is room for records of each: those that threads have left behind are packed, and the races
// with them are found all the same, whoever of the two comes last.
// options: --checks races
// says: global-race: thread 0 of block 0 and thread 255 of block 4095 access side[0], and nothing
// says: global-race: thread 0 of block 0 and thread 255 of block 1023 access runs[4194303], and nothing
// says: global-race: thread 0 of block 0 and thread 255 of block 4095 both write pixels[3145725], and nothing
// says-not: races are not watched
#include "../../mistakes/mistake.h"

typedef unsigned char Byte;

__global__ void side_by_side(Byte *side, unsigned length) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    side[i] = side[i] * 3 + 1;
    if (i == length - 1) side[0] = 1;
}

__global__ void sixteen_each(Byte *runs, unsigned length) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) runs[length - 1] = 2;
    for (unsigned k = 0; k < 16; k++)
        runs[16 * i + k] += 5;
}

__global__ void swap_colours(Byte *pixels, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) pixels[3 * count - 3] = 3;
    Byte red = pixels[3 * i];
    pixels[3 * i] = pixels[3 * i + 2];
    pixels[3 * i + 2] = red;
}

int main() {
    const unsigned length = 4 << 20, threads = 256;
    Byte *bytes[3];
    for (Byte *&array : bytes) {
        CHECK(cudaMalloc(&array, length));
        CHECK(cudaMemset(array, 0, length));
    }
    side_by_side<<<length / 4 / threads, threads>>>(bytes[0], length / 4);
    sixteen_each<<<length / 16 / threads, threads>>>(bytes[1], length);
    swap_colours<<<length / 4 / threads, threads>>>(bytes[2], length / 4);
    finish();
    for (Byte *array : bytes)
        CHECK(cudaFree(array));
}
