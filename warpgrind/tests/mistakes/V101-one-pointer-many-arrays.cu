#include "mistake.h"

// Each line goes to more than one array, and means to: by a pointer that changes hands, that is chosen, read
// from memory or handed over.
struct Node {
    Node *next;
    int value;
};

struct Pair {
    int *from, *to;
};

static __device__ __noinline__ int at(const int *row, int i) {
    return row[i]; // near: out-of-bounds
}

static __device__ __noinline__ const int *chosen(const int *a, const int *b, bool second) {
    return second ? b : a;
}

__global__ void walks(Pair pair, const Node *list, int **rows, int *sums, int flip) {
    int i = threadIdx.x, sum = 0;
    for (int round = 0; round < 4; round++) {
        pair.to[i] = pair.from[i] + 1; // near: out-of-bounds
        int *other = pair.from;
        pair.from = pair.to;
        pair.to = other;
    }
    __syncthreads();
    for (const Node *node = list; node; node = node->next)
        sum += node->value; // near: out-of-bounds
    for (int row = 0; row < 3; row++)
        sum += rows[row][i] + at(rows[row], i); // near: out-of-bounds
    const int *p = (i + flip) % 2 ? pair.from : rows[0];
    sum += p[i] + chosen(pair.from, pair.to, i < 7)[i]; // near: out-of-bounds
    const int *end = pair.from + 32;
    sum += end[-1 - i] + at(pair.to, i) + at(pair.from, i); // near: out-of-bounds
    sums[i] = sum;
}

__global__ void doubles(int *half) {
    half[threadIdx.x] *= 2; // near: out-of-bounds; two registered pieces side by side
}

int main() {
    int *rows[3], *a, *b, *sums, **d_rows, h[32];
    Node *nodes[3];
    for (int *&row : rows) {
        CHECK(cudaMalloc(&row, 32 * sizeof(int)));
        CHECK(cudaMemset(row, 0, 32 * sizeof(int)));
    }
    CHECK(cudaMalloc(&a, 32 * sizeof(int)));
    CHECK(cudaMalloc(&b, 32 * sizeof(int)));
    CHECK(cudaMalloc(&sums, 32 * sizeof(int)));
    CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
    CHECK(cudaMalloc(&d_rows, sizeof rows));
    CHECK(cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice));
    for (Node *&node : nodes)
        CHECK(cudaMalloc(&node, sizeof(Node)));
    for (int i = 0; i < 3; i++) {
        const Node node = {i < 2 ? nodes[i + 1] : nullptr, i};
        CHECK(cudaMemcpy(nodes[i], &node, sizeof node, cudaMemcpyHostToDevice));
    }
    walks<<<1, 32>>>(Pair{a, b}, nodes[0], d_rows, sums, 1);
    CHECK(cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost));
    enum { PIECE = 1 << 16 };
    std::vector<char> room(3 * PIECE);
    char *start = room.data() + (PIECE - (size_t)room.data() % PIECE);
    int *mapped = nullptr;
    CHECK(cudaHostRegister(start, PIECE, cudaHostRegisterMapped));
    CHECK(cudaHostRegister(start + PIECE, PIECE, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&mapped, start, 0));
    doubles<<<1, 32>>>(mapped + PIECE / sizeof(int) - 32);
    finish();
    CHECK(cudaHostUnregister(start));
    CHECK(cudaHostUnregister(start + PIECE));
    for (int *row : rows)
        CHECK(cudaFree(row));
    for (Node *node : nodes)
        CHECK(cudaFree(node));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(d_rows));
    return h[0] == 3 + 4 + 3 + 4 + 3 + 4 ? 0 : h[0];
}
