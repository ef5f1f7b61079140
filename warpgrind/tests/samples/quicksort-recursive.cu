/* Quicksort by recursion on the device: each thread sorts its own piece, then threads merge neighbours. */
#include "sample.h"

#include <algorithm>

__device__ void sort_range(int *values, int first, int last) {
    if (first >= last) return;
    int pivot = values[(first + last) / 2], i = first, j = last;
    while (i <= j) {
        while (values[i] < pivot) i++;
        while (values[j] > pivot) j--;
        if (i > j) break;
        int kept = values[i];
        values[i++] = values[j];
        values[j--] = kept;
    }
    sort_range(values, first, j);
    sort_range(values, i, last);
}

__global__ void sort_pieces(int *values, int n, int piece) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
    int last = min(first + piece, n) - 1;
    if (first < n) sort_range(values, first, last);
}

__global__ void merge_pairs(int *to, const int *from, int n, int piece) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * piece;
    if (first >= n) return;
    int middle = min(first + piece, n), last = min(first + 2 * piece, n);
    for (int i = first, j = middle, k = first; k < last; k++)
        to[k] = j == last || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
}

int main() {
    const int n = 1500;
    int piece = 32;
    std::vector<int> values(n);
    for (int i = 0; i < n; i++) values[i] = (i * 7919) % 2003 - 1000;
    int *d_from = to_device(values), *d_to = nullptr;
    CHECK(cudaMalloc(&d_to, n * sizeof(int)));
    sort_pieces<<<2, 32>>>(d_from, n, piece);
    CHECK(cudaGetLastError());
    for (; piece < n; piece *= 2) {
        merge_pairs<<<1, 32>>>(d_to, d_from, n, piece);
        CHECK(cudaGetLastError());
        std::swap(d_to, d_from);
    }
    std::vector<int> got = to_host(d_from, n);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    std::sort(values.begin(), values.end());
    return verdict(got, values);
}
