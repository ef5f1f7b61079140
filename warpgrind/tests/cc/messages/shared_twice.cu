// The same name for dynamic shared memory of two types.
__global__ void one(float *p) {
    extern __shared__ float memory[];
    memory[0] = p[0];
}
__global__ void two(int *p) {
    extern __shared__ int memory[]; // error: redeclaration of 'memory' with a different type
    memory[0] = p[0];
}
