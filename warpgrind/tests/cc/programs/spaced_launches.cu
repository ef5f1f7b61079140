// Launches whose angle brackets are set apart, as formatters leave them and nvcc takes them; and what only looks like it.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void count(int *total) {
    atomicAdd(total, 1);
}

template <typename T> struct Twice {
    static int threads(T value) {
        return 2 * (int)value;
    }
};

int main() {
    int *d_total, total = 0;
    cudaMalloc(&d_total, sizeof total);
    cudaMemset(d_total, 0, sizeof total);
    count<< <1, 2>> >(d_total);
    count<< <dim3(1), dim3(2) >>>(d_total);
    count<<<2, Twice<int>::threads(0) + 1>> >(d_total);
    count<<	 <1, 32 / 16>>	>(d_total);
    cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(d_total);
    std::vector<std::vector<std::vector<int>> > cube(3);
    const char *text = "k<< <1, 1>> >(x)", *raw = R"(<< <)"; // k<< <1, 1>> >(x)
    int shifted = 1'000 << (cube.size() >> 1), line = __LINE__;
    bool right = total == 8 && strcmp(text + 1, "<< <1, 1>> >(x)") == 0 && raw[2] == ' ' && shifted == 2000 && line == 28;
    if (!right) printf("total %d, text %s, raw %s, shifted %d, line %d\n", total, text, raw, shifted, line);
    return !right;
}
