// kind: any
// Pinned memory lies in a file that both processes map.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    for (int i = 0; i < 40; i++) {
        char *bytes;
        must(cudaMallocHost(&bytes, 64 << 20));
        memset(bytes, 1, 64 << 20);
        must(cudaFreeHost(bytes));
    }
    char *all;
    must(cudaMallocHost(&all, 1800u << 20));
    memset(all, 1, 1800u << 20);
    must(cudaFreeHost(all));
}
