// __managed__ variables: a number, an array, a structure, one for this file alone, one that begins with a value; used by name and
// by address on both sides, before and after launches.
#include <cstdio>

struct Grid {
    int rows, columns;
    float cells[2000]; // more than a page
};

__device__ __managed__ int total;
__managed__ float values[64];
static __managed__ Grid grid = {2, 3, {}};
namespace {
__managed__ double hidden = 2.5;
}
__managed__ int *table[2];

template <typename T> __global__ void scale(T *array, int n, T factor) {
    int i = threadIdx.x;
    if (i < n) array[i] *= factor;
}

__global__ void use() {
    atomicAdd(&total, (int)values[threadIdx.x]);
    if (threadIdx.x > 0) return;
    grid.cells[grid.rows * grid.columns] = 7;
    hidden *= 2;
    table[1][0] = 11;
}

static int failures;
static void check(bool right, const char *what) {
    if (!right) failures++, printf("%s is wrong\n", what);
}

int main() {
    int *address = &total;
    *address = 100;
    for (int i = 0; i < 64; i++)
        values[i] = 1;
    grid.columns += 1;
    cudaMallocManaged(&table[1], sizeof(int));
    scale<<<1, 64>>>(values + 1, 63, 2.0f);
    use<<<1, 64>>>();
    check(cudaDeviceSynchronize() == cudaSuccess, "the launches");
    check(total == 100 + 1 + 2 * 63 && address == &total, "total");
    check(grid.cells[8] == 7 && sizeof grid.cells == 8000, "grid");
    check(hidden == 5, "hidden");
    check(*table[1] == 11 && !table[0], "table");
    int copy = 0;
    cudaMemcpy(&copy, &total, sizeof copy, cudaMemcpyDefault);
    check(copy == total, "copy");
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, values);
    check(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == values, "attributes");
    cudaFree(table[1]);
    printf("%d failures\n", failures);
    return failures;
}
