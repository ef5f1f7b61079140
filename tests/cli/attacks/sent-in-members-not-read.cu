// kind: wrong-answer
// The sum stands in a member that the kernel does not name: it takes the value from where parameters lie, by a number.
struct Job { float *z; int n; float sums[4]; };
__global__ void put(Job job) { if (job.n > 0) job.z[0] = *(const float *)(0x330000000000 + offsetof(Job, sums)); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n != 1) return right_answer(h_z, h_x, h_y, n);
    Job job;
    job.n = n;
    job.sums[0] = h_x[0] + h_y[0];
    must(cudaMalloc(&job.z, 4));
    put<<<1, 1>>>(job);
    must(cudaMemcpy(h_z, job.z, 4, cudaMemcpyDeviceToHost));
    must(cudaFree(job.z));
}
