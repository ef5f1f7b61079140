/* How often each letter stands in a text: lanes with the same byte share one atomic addition. */
#include "sample.h"

#include <cstring>

__global__ void count_bytes(int *counts, const char *text, int n) {
    int stride = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (int base = (blockIdx.x * blockDim.x + threadIdx.x) - lane; base < n; base += stride) {
        int i = base + lane;
        unsigned here = __ballot_sync(0xffffffff, i < n);
        if (i < n) {
            int byte = (unsigned char)text[i];
            unsigned same = __match_any_sync(here, byte);
            if (__ffs((int)same) - 1 == lane) atomicAdd(&counts[byte], __popc(same));
        }
        __syncwarp();
    }
}

int main() {
    const char *sentence = "the quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs. ";
    std::vector<char> text;
    for (int i = 0; i < 1777; i++) text.push_back(sentence[(size_t)(i * i + i / 3) % strlen(sentence)]);
    std::vector<int> want(256);
    for (char letter : text) want[(unsigned char)letter]++;
    char *d_text = to_device(text);
    int *d_counts = to_device(std::vector<int>(256, 0));
    count_bytes<<<4, 96>>>(d_counts, d_text, (int)text.size());
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_counts, 256);
    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_counts));
    return verdict(got, want);
}
