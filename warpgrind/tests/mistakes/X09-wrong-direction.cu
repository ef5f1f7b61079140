#include "mistake.h"

int main() {
    std::vector<float> h(32);
    float *z = device_floats(32);
    CHECK(cudaMemcpy(h.data(), z, 32 * sizeof(float), cudaMemcpyHostToDevice)); // expect: api-misuse
    CHECK(cudaFree(z));
}
