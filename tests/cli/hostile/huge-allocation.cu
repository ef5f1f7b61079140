// kind: any
// never: "verdict":"error"

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    void *d_all = nullptr;
    cudaMalloc(&d_all, (size_t)1 << 40);
}
