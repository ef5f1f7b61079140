// kind: any
// never: line line line line line line line line line line line line line line line line line line line line line
// A kernel's printf is bounded like everything that is said.
__global__ void talk_kernel() { for (int i = 0; i < 100; i++) printf("line line line line line line line line line line line\n"); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    talk_kernel<<<4, 64>>>();
    cudaDeviceSynchronize();
}
