// Tries to carry a hidden case's size out in where its mistakes are: a kernel and a line for each remainder, and how many lines there are.
// options: --grade --seed 7
// kind: out-of-bounds
// says: in a hidden case
// says: "line":0
// never: remainder
// never: "line":14,
// never: "line":15,
// never: "line":16,
// never: "line":17,
// never: "line":18,
// never: "other_line"
// never: "follows"
__global__ void remainder_0(float *z, int n) { z[n] = 0.0F; }
__global__ void remainder_1(float *z, int n) { z[n] = 1.0F; }
__global__ void remainder_2(float *z, int n) { z[n] = 2.0F; }
__global__ void remainder_3(float *z, int n) { z[n] = 3.0F; }
__global__ void remainder_4(float *z, int n) { z[n] = 4.0F; }

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 300007 && n != 2048) return;
    float *d_z = NULL;
    must(cudaMalloc(&d_z, n * sizeof(float)));
    if (n % 5 <= 0) remainder_0<<<1, 1>>>(d_z, n);
    if (n % 5 <= 1) remainder_1<<<1, 1>>>(d_z, n);
    if (n % 5 <= 2) remainder_2<<<1, 1>>>(d_z, n);
    if (n % 5 <= 3) remainder_3<<<1, 1>>>(d_z, n);
    if (n % 5 <= 4) remainder_4<<<1, 1>>>(d_z, n);
    cudaDeviceSynchronize();
    cudaFree(d_z);
}
