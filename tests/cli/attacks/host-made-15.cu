// kind: not-by-kernel
// lesson: 15-memory-pools
// instead: smooth_rounds
// The host works out all rounds but the last, and a kernel makes that.
#include <utility>
#include <vector>
void smooth_rounds(float *d_out, const float *d_in, int n, int rounds, cudaStream_t stream) {
    if (rounds < 2) {
        instead_of(d_out, d_in, n, rounds, stream);
        return;
    }
    const size_t bytes = n * sizeof(float);
    std::vector<float> from(n), to(n);
    CHECK(cudaMemcpyAsync(from.data(), d_in, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    to = from;
    for (int round = 1; round < rounds; round++) {
        for (int i = 1; i + 1 < n; i++) to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3.0F;
        std::swap(from, to);
    }
    float *d_from;
    CHECK(cudaMallocAsync(&d_from, bytes, stream));
    CHECK(cudaMemcpyAsync(d_from, from.data(), bytes, cudaMemcpyHostToDevice, stream));
    instead_of(d_out, d_from, n, 1, stream);
    CHECK(cudaFreeAsync(d_from, stream));
    CHECK(cudaStreamSynchronize(stream));
}
