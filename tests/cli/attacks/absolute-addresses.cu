// kind: out-of-bounds
// A kernel reads and writes at addresses that nobody gave it, of this host among others.
__global__ void wild_kernel(float *z, unsigned long long host) {
    unsigned word;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(0x1000ULL));
    asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(host));
    asm volatile("st.u32 [%0], %1;" ::"l"(host), "r"(word));
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "l"(0xfffffff0ULL));
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    static int word;
    wild_kernel<<<1, 1>>>(nullptr, (unsigned long long)&word);
    cudaDeviceSynchronize();
}
