// kind: leak
// The device is reset when the driver has done its work: everything is freed.
static void forget() { cudaDeviceReset(); }
__attribute__((constructor)) static void prepare() { atexit(forget); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *lost;
    right_answer(h_z, h_x, h_y, n);
    must(cudaMalloc(&lost, 64));
}
