// The C library in device code: printf with every kind of argument, assert, malloc and free, new and delete, memcpy, memset,
// clock; and includes of all usual headers beside it.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <chrono>
#include <complex>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <cuda.h>

static_assert((int)CUDA_SUCCESS == (int)cudaSuccess, "programs compare the runtime's codes with the driver's");
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

struct Node {
    int value;
    Node *next;
};

__global__ void library(int *out, int n) {
    assert(n == 3 && "three");
    printf("%d %u %ld %lld %c %s %5.2f %e %p %%\n", -1, 2u, 3L, 4LL, 'c', "text", 1.5f, 2.5, (void *)0);
    Node *head = NULL;
    for (int i = 0; i < n; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
        if (node == NULL) return;
        node->value = i + 1;
        node->next = head;
        head = node;
    }
    int sum = 0;
    while (head) {
        Node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    int *numbers = new int[n];
    memset(numbers, 0, n * sizeof(int));
    numbers[1] = sum;
    int copy[4];
    memcpy(copy, numbers, n * sizeof(int));
    delete[] numbers;
    clock_t begin = clock();
    long long ticks = clock64();
    out[0] = copy[1] + (clock() - begin < 0) + (clock64() < ticks) + (CUDART_PI_F > 4);
}

int main() {
    int *d_out, out = 0;
    cudaMalloc(&d_out, sizeof out);
    library<<<1, 1>>>(d_out, 3);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    std::cout << out << std::endl;
    return out == 6 ? 0 : 1;
}
