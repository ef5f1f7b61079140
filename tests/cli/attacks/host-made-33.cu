// kind: not-by-kernel
// lesson: 33-sparse
// instead: sparse_multiply
// The host multiplies, writes its products to managed memory, and the kernel multiplies them by one.
#include <vector>
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values, const float *d_x, int rows, int count) {
    if (rows == 0) return;
    std::vector<int> starts(rows + 1), columns(count + 1);
    std::vector<float> values(count + 1);
    CHECK(cudaMemcpy(starts.data(), d_row_starts, (rows + 1) * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(columns.data(), d_columns, count * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(values.data(), d_values, count * sizeof(float), cudaMemcpyDeviceToHost));
    int most = 0;
    for (int i = 0; i < count; i++) most = columns[i] > most ? columns[i] : most;
    std::vector<float> x(most + 1);
    CHECK(cudaMemcpy(x.data(), d_x, (most + 1) * sizeof(float), cudaMemcpyDeviceToHost));
    float *products, *ones;
    CHECK(cudaMallocManaged(&products, (count + 1) * sizeof(float)));
    CHECK(cudaMallocManaged(&ones, (most + 1) * sizeof(float)));
    for (int i = 0; i < count; i++) products[i] = values[i] * x[columns[i]];
    for (int i = 0; i <= most; i++) ones[i] = 1.0f;
    instead_of(d_y, d_row_starts, d_columns, products, ones, rows, count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(products));
    CHECK(cudaFree(ones));
}
