// says: uses the texture reference numbers, which is not bound to anything
// says: Call cudaBindTexture, cudaBindTexture2D or cudaBindTextureToArray with numbers before the launch
// says: uses the surface reference board, which is not bound to anything
// says: Call cudaBindSurfaceToArray(board, array) before the launch
#include "../../mistakes/mistake.h"

texture<float, 1, cudaReadModeElementType> numbers;
surface<void, cudaSurfaceType2D> board;

__global__ void fetch(float *out) { out[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x); }
__global__ void write(float value) { surf2Dwrite(value, board, threadIdx.x * sizeof(float), 0); }

int main() {
    fetch<<<1, 32>>>(device_floats(32));
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(cudaDeviceReset());
    write<<<1, 32>>>(1.0f);
    finish();
}
