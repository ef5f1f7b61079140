// says: elements past the end of keys (1,024 bytes allocated
// says: elements before the start of last (
// says-not: of 64: block
#include "../../mistakes/mistake.h"

/* Far past the end of one array is the neighbourhood of another one: the name is that of the pointer that was used. */
__global__ void beside_the_values(float *out, const float *keys, const float *values, int at) {
    int i = threadIdx.x;
    const float *row = keys + i;
    float sum = 0;
    for (int j = 0; j < 2; j++)
        sum += row[at + j * 67];
    out[i] = sum * values[i];
}

/* An index of 64 bits is a parameter, too. */
__global__ void before_the_last(float *last, const float *values, long long at) {
    if (threadIdx.x == 0) last[at] = values[0];
}

int main() {
    float *keys = device_floats(256), *values = device_floats(64), *last = device_floats(256), *out = nullptr;
    CHECK(cudaMalloc(&out, 64 * sizeof(float)));
    int to_values = (int)(values - keys), from_last = (int)(values - last);
    beside_the_values<<<1, 1>>>(out, keys, values, to_values - 3);
    finish();
    before_the_last<<<1, 32>>>(last, values, from_last + 66);
    finish();
    CHECK(cudaFree(keys));
    CHECK(cudaFree(values));
    CHECK(cudaFree(last));
    CHECK(cudaFree(out));
}
