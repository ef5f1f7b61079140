// kind: not-by-kernel
// lesson: 34-softmax
// instead: softmax
// The host takes the largest of each row away, sends what is left, and a kernel does the rest.
#include <vector>
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const size_t bytes = sizeof(float) * rows * cols;
    std::vector<float> x((size_t)rows * cols);
    CHECK(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; r++) {
        float *row = &x[(size_t)r * cols], most = row[0];
        for (int i = 1; i < cols; i++) most = fmaxf(most, row[i]);
        for (int i = 0; i < cols; i++) row[i] -= most;
    }
    float *d_rest;
    CHECK(cudaMalloc(&d_rest, bytes));
    CHECK(cudaMemcpy(d_rest, x.data(), bytes, cudaMemcpyHostToDevice));
    instead_of(d_y, d_rest, rows, cols);
    CHECK(cudaFree(d_rest));
}
