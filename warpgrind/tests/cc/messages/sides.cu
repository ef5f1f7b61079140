// Calls across the sides, and host variables in device code.
int on_host;
int host_function(int x) {
    return x;
}
__device__ int device_function(int x) {
    return x;
}
__global__ void kernel(int *p) {
    p[0] = on_host;           // error: reference to __host__ variable 'on_host' in __global__ function
    p[1] = host_function(1);  // error: no matching function for call to 'host_function'
}
void caller(void) {
    (void)device_function(1); // error: no matching function for call to 'device_function'
}
