// Tries to carry a hidden case's size out in which mistakes it has: a kind for each bit.
// options: --grade --seed 7
// kind: global-race
// says: in a hidden case
// never: "kind":"leak"
// never: "kind":"out-of-bounds"
// never: "kind":"uninitialized-read"
__global__ void bit_0(float *z, int n) { z[n] = 0.0F; }
__global__ void bit_1(float *z) { z[0] = (float)threadIdx.x; }
__global__ void bit_2(float *z) { z[1] = z[2]; }

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 2048) return;
    float *d_left = NULL;
    must(cudaMalloc(&d_left, n * sizeof(float)));
    if (n & 1 << 11) bit_1<<<1, 32>>>(d_left);
    if (n & 1 << 11) bit_2<<<1, 1>>>(d_left);
    if (n & 1 << 11) bit_0<<<1, 1>>>(d_left, n);
    cudaDeviceSynchronize();
}
