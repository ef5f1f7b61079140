/* Two boards that change places, 2-D blocks, a torus. */
#include "sample.h"

#include <utility>

__host__ __device__ int rule(const unsigned char *board, int width, int height, int x, int y) {
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) neighbours += board[(y + dy + height) % height * width + (x + dx + width) % width];
    return neighbours == 3 || (neighbours == 2 && board[y * width + x]);
}

__global__ void step(unsigned char *next, const unsigned char *board, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) next[y * width + x] = (unsigned char)rule(board, width, height, x, y);
}

int main() {
    const int width = 50, height = 27, steps = 5;
    std::vector<unsigned char> board(width * height), next(width * height);
    for (size_t i = 0; i < board.size(); i++) board[i] = sample_value(i) > 0.2f;
    unsigned char *d_board = to_device(board), *d_next = to_device(next);
    dim3 block(16, 4), grid((width + 15) / 16, (height + 3) / 4);
    for (int s = 0; s < steps; s++) {
        step<<<grid, block>>>(d_next, d_board, width, height);
        CHECK(cudaGetLastError());
        std::swap(d_board, d_next);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) next[y * width + x] = (unsigned char)rule(board.data(), width, height, x, y);
        std::swap(board, next);
    }
    std::vector<unsigned char> got = to_host(d_board, board.size());
    CHECK(cudaFree(d_board));
    CHECK(cudaFree(d_next));
    return verdict(got, board);
}
