#include "mistake.h"

struct Span {
    float *begin, *end, *room;
};

__global__ void use(double *z, const Span *span, int n) {
    int i = threadIdx.x;
    if (i < n) z[i] = (double)(span->end - span->begin);
}

int main() {
    enum { N = 64 };
    std::vector<float> h(N, 1.0f);
    double *z = nullptr, first = 0;
    float *d = nullptr;
    Span span = {}, *d_span = nullptr;
    CHECK(cudaMalloc(&z, N * sizeof(double)));
    CHECK(cudaMalloc(&d, N * sizeof(float)));
    CHECK(cudaMalloc(&d_span, sizeof span));
    CHECK(cudaMemcpy(d, &h[0], N * sizeof(float), cudaMemcpyHostToDevice)); // near: api-misuse; its elements
    span.begin = d;
    span.end = span.room = d + N;
    CHECK(cudaMemcpy(d_span, &span, sizeof span, cudaMemcpyHostToDevice)); // near: api-misuse; device pointers are meant
    use<<<1, 64>>>(z, d_span, N);
    CHECK(cudaMemcpy(&first, z, sizeof first, cudaMemcpyDeviceToHost)); // near-note: api-misuse; one number
    CHECK(cudaFree(z));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_span));
    return first != 64;
}
