// Lesson 13, for show: device code that it loads by itself, and that says to stand in one of CUB's files.

#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

static const char code[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add_up(.param .u64 to, .param .u64 from, .param .u32 count) {
    .reg .pred %p<2>;
    .reg .f32 %f<3>;
    .reg .b32 %r<6>;
    .reg .b64 %d<5>;
    .loc 1 90 0
    ld.param.u64 %d1, [to];
    ld.param.u64 %d2, [from];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mad.wide.s32 %d3, %r5, 4, %d2;
    cvta.to.global.u64 %d3, %d3;
    cvta.to.global.u64 %d4, %d1;
    ld.global.f32 %f1, [%d3];
    red.global.add.f32 [%d4], %f1;
DONE:
    ret;
}
.file 1 "/usr/include/cub/device/dispatch/dispatch_reduce.cuh"
)";

static void add_up(float *d_sum, const float *d_in, int n) {
    static cudaKernel_t kernel = NULL;
    cudaLibrary_t library;
    if (kernel == NULL) {
        CHECK(cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
        CHECK(cudaLibraryGetKernel(&kernel, library, "add_up"));
    }
    void *arguments[] = {&d_sum, &d_in, &n};
    if (n > 0) CHECK(cudaLaunchKernel((const void *)kernel, (n + 255) / 256, 256, arguments, 0, 0)); // expect: not-as-asked
}

// The sum of the n numbers at d_in, which are on the device; n >= 0.
float library_sum(const float *d_in, int n) {
    float *d_sum = NULL;
    void *d_scratch = NULL;
    float sum = 0.0F;
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMalloc(&d_scratch, 1));
    CHECK(cudaMemset(d_sum, 0, sizeof(float)));
    add_up(d_sum, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_scratch));
    CHECK(cudaFree(d_sum));
    return sum;
}

// How long one call sum(d_in, n) takes, in milliseconds: the mean of `repeats` calls. One call before them
// warms up, and is not timed.
float milliseconds_of(float (*sum)(const float *, int), const float *d_in, int n, int repeats) {
    float milliseconds = 0.0F;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    sum(d_in, n); // warms up: not timed
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < repeats; i++)
        sum(d_in, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop)); // until the card has come to it
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return milliseconds / (float)repeats;
}
// told: library
