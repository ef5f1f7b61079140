// Tries to carry a hidden case's size and numbers out in all that a result says: what is printed, findings with another case's mark,
// the bytes of a leak, a line of an assertion, the last words before exit.
// options: --grade --seed 7
// kind: out-of-bounds
// says: in a hidden case
// says: "hidden: a number of elements that whole blocks divide evenly"
// never: 300007
// never: 150,001
// never: 600004
// never: 600,004
// never: 2048
// never: 2,048
// never: 8192
// never: 8,192
// never: number is
extern "C" void warpgrindMark(const char *name) __attribute__((weak));

__global__ void tell(float *z, int n, int past) {
    if (threadIdx.x == 0) printf("its number is %d, %f\n", n, z[0]);
    if (past) z[n] = 1.0F; // the finding has the index
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 300007 && n != 2048) return;
    float *d_left = NULL; // the finding has its bytes
    must(cudaMalloc(&d_left, n * sizeof(float)));
    must(cudaMemcpy(d_left, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
    printf("its number is %d\n", n);
    fprintf(stderr, "its number is %d\n", n);
    warpgrindMark(n == 2048 ? "00" : "");
    tell<<<1, 32>>>(d_left, n, n == 2048);
    cudaDeviceSynchronize();
    fflush(stdout);
    if (n == 2048) exit(3);
}
