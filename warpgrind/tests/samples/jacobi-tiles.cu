/* Jacobi's iteration for a heated plate: tiles with a halo in shared memory, two arrays that change places. */
#include "sample.h"

#include <utility>

enum { TILE = 16 };

__global__ void relax(float *to, const float *from, int nx, int ny) {
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int left = blockIdx.x * TILE - 1, top = blockIdx.y * TILE - 1;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
        int i = k % (TILE + 2), j = k / (TILE + 2), gx = left + i, gy = top + j;
        bool inside = gx >= 0 && gx < nx && gy >= 0 && gy < ny;
        tile[j][i] = inside ? from[gy * nx + gx] : 0.0f;
    }
    __syncthreads();
    if (x >= nx || y >= ny) return;
    bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    int i = threadIdx.x + 1, j = threadIdx.y + 1;
    float mean = 0.25f * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i]);
    to[y * nx + x] = edge ? tile[j][i] : mean;
}

int main() {
    const int nx = 45, ny = 38, rounds = 12;
    std::vector<float> plate(nx * ny, 0.0f), want, next;
    for (int x = 0; x < nx; x++) plate[x] = 100.0f;
    want = next = plate;
    for (int r = 0; r < rounds; r++, std::swap(want, next))
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++)
                next[y * nx + x] = 0.25f * (want[y * nx + x - 1] + want[y * nx + x + 1] +
                                            want[(y - 1) * nx + x] + want[(y + 1) * nx + x]);
    float *d_from = to_device(plate), *d_to = nullptr;
    CHECK(cudaMalloc(&d_to, plate.size() * sizeof(float)));
    dim3 block(TILE, TILE), grid((nx + TILE - 1) / TILE, (ny + TILE - 1) / TILE);
    for (int r = 0; r < rounds; r++) {
        relax<<<grid, block>>>(d_to, d_from, nx, ny);
        CHECK(cudaGetLastError());
        std::swap(d_to, d_from);
    }
    std::vector<float> got = to_host(d_from, plate.size());
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    return verdict(got, want, 1e-3);
}
