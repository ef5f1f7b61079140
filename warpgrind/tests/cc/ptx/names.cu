// The debug information in the PTX has the names that findings use; addresses of shared arrays stay symbols.
// levels: 0
// text: \.shared .*temp
// text: \.extern \.shared .*dynamic
// text: \.const .*coefficients
// no-text: \.global .*threadIdx
// debug-name: counted
// debug-name: parameter_one
__constant__ float coefficients[4];
__global__ void kernel(float *parameter_one) {
    __shared__ float temp[64];
    extern __shared__ float dynamic[];
    int counted = threadIdx.x;
    temp[counted] = parameter_one[counted]; // ptx: st\.
    __syncthreads();                        // ptx: bar\.sync
    dynamic[counted] = temp[counted ^ 1] * coefficients[1];
    parameter_one[counted] = dynamic[counted];
}
