/* printf, assert and malloc on the device: each thread builds a small list on the heap and adds it up. */
#include "sample.h"

#include <cassert>

struct Node {
    int value;
    Node *next;
};

__global__ void lists(int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Node *head = nullptr;
    for (int k = 0; k <= i % 4; k++) {
        Node *node = (Node *)malloc(sizeof(Node));
        assert(node != nullptr);
        node->value = i + k;
        node->next = head;
        head = node;
    }
    int sum = 0;
    while (head) {
        sum += head->value;
        Node *next = head->next;
        free(head);
        head = next;
    }
    sums[i] = sum;
    if (i == 5) printf("thread %d of block %d: %s %5.2f %lld\n", threadIdx.x, blockIdx.x, "sum", (double)sum, (long long)sum << 33);
}

int main() {
    const int n = 50;
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i % 4; k++) want[i] += i + k;
    int *d_sums = nullptr;
    CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
    lists<<<2, 32>>>(d_sums, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_sums, n);
    CHECK(cudaFree(d_sums));
    return verdict(got, want);
}
