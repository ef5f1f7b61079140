// kind: not-by-kernel
// lesson: 35-capstone
// instead: gaussian_blur
// The host blurs the rows, and kernels the columns.
void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    if (width == 0 || height == 0) return;
    const size_t bytes = sizeof(float4) * width * height;
    std::vector<float> in((size_t)width * height * 4), out(in.size());
    float h_weights[MOST_WEIGHTS];
    make_weights(h_weights, radius);
    CHECK(cudaMemcpy(in.data(), d_in, bytes, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 4; c++)
                for (int k = -radius; k <= radius; k++) {
                    const int from = x + k < 0 ? 0 : x + k < width ? x + k : width - 1;
                    out[((size_t)y * width + x) * 4 + c] += h_weights[k + radius] * in[((size_t)y * width + from) * 4 + c];
                }
    float4 *d_rows;
    CHECK(cudaMalloc(&d_rows, bytes));
    CHECK(cudaMemcpy(d_rows, out.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(weights, h_weights, (size_t)(2 * radius + 1) * sizeof(float)));
    const dim3 column_blocks((width + COLUMNS - 1) / COLUMNS, (height + COLUMN_TILE - 1) / COLUMN_TILE);
    columns_kernel<<<column_blocks, dim3(COLUMNS, LANES)>>>(d_out, d_rows, width, height, radius);
    CHECK(cudaFree(d_rows));
}
