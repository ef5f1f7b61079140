/* A kernel that was given a structure in managed memory follows the pointers in it: that memory, too, must be left alone. */
#include "mistake.h"

enum { N = 32 };

struct List {
    int n, *data, *rest;
    List *next;
};

__global__ void fill(List *list) {
    for (List *at = list; at; at = at->next)
        at->data[threadIdx.x] = at->n;
}

static List *make(int n, List *next) {
    List *list = nullptr;
    CHECK(cudaMallocManaged(&list, sizeof *list));
    CHECK(cudaMallocManaged(&list->data, N * sizeof(int)));
    CHECK(cudaMallocManaged(&list->rest, N * sizeof(int)));
    list->n = n;
    list->rest[5] = n;
    list->next = next;
    return list;
}

/* Once a pointer to a piece is known to the host, the structure itself need not be read. */
static int early(List *list, const int *data, const int *second) {
    fill<<<1, N>>>(list);
    int sum = data[5];  // expect: missing-sync
    sum += second[5];   // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    return sum;
}

static int late(List *list, int *rest, const int *second) {
    fill<<<1, N>>>(list);
    rest[6] = rest[5] + 1; // near: missing-sync
    CHECK(cudaDeviceSynchronize());
    return second[5] + list->n; // near: missing-sync
}

int main() {
    List *last = make(4, nullptr), *first = make(3, last);
    int *data = first->data, *second = last->data;
    int sum = late(first, first->rest, second) + early(first, data, second);
    for (List *list : {last, first}) {
        CHECK(cudaFree(list->data));
        CHECK(cudaFree(list->rest));
        CHECK(cudaFree(list));
    }
    return sum < 0;
}
