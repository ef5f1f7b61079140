#include <cuda_runtime_api.h>
int lib_answer();
int main() {
    int n = 0;
    return cudaGetDeviceCount(&n) != cudaSuccess || lib_answer() != 7;
}
