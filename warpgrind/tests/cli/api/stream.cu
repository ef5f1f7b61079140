/* Streams, events, stream-ordered memory and host functions. */
#include "api.h"

/* Old programs call it; the headers have lost it. */
extern "C" cudaError_t CUDARTAPI cudaThreadSynchronize(void);
extern "C" cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
extern "C" cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

__global__ void fill(int *out, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}

__global__ void increase(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i]++;
}

static void in_order() {
    cudaStream_t stream;
    int *d = nullptr, *h = nullptr;
    FINE(cudaStreamCreate(&stream));
    FINE(cudaMalloc(&d, 400));
    FINE(cudaMallocHost(&h, 400));
    h[99] = 0;
    fill<<<1, 128, 0, stream>>>(d, 4, 100);
    increase<<<1, 128, 0, stream>>>(d, 100);
    FINE(cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, stream));
    EXPECT(cudaStreamQuery(stream) == cudaErrorNotReady);
    FINE(cudaStreamSynchronize(stream));
    FINE(cudaStreamQuery(stream));
    EXPECT(h[0] == 5 && h[99] == 5);
    FINE(cudaMemsetAsync(d, 0, 400, stream));
    increase<<<1, 128, 0, stream>>>(d, 100);
    FINE(cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, stream));
    FINE(cudaDeviceSynchronize());
    EXPECT(h[50] == 1);
    unsigned flags = 9;
    int priority = 9;
    FINE(cudaStreamGetFlags(stream, &flags));
    FINE(cudaStreamGetPriority(stream, &priority));
    EXPECT(flags == cudaStreamDefault && priority == 0);
    unsigned long long id = 0, usual = 0;
    int device = 9;
    FINE(cudaStreamGetId(stream, &id));
    FINE(cudaStreamGetId(cudaStreamLegacy, &usual));
    FINE(cudaStreamGetDevice(stream, &device));
    cudaStreamAttrValue set = {}, got = {};
    set.accessPolicyWindow.num_bytes = 4096;
    set.accessPolicyWindow.hitRatio = 0.5f;
    FINE(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    FINE(cudaStreamCopyAttributes(cudaStreamPerThread, stream));
    FINE(cudaStreamGetAttribute(cudaStreamPerThread, cudaStreamAttributeAccessPolicyWindow, &got));
    EXPECT(got.accessPolicyWindow.num_bytes == 4096 && got.accessPolicyWindow.hitRatio == 0.5f);
    EXPECT(id != usual && device == 0);
    FINE(cudaStreamDestroy(stream));
    FINE(cudaFreeHost(h));
    FINE(cudaFree(d));
}

static void by_events() {
    cudaStream_t one, two;
    cudaEvent_t start, end;
    FINE(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    FINE(cudaStreamCreateWithPriority(&two, cudaStreamNonBlocking, 0));
    FINE(cudaEventCreate(&start));
    FINE(cudaEventCreateWithFlags(&end, cudaEventDefault));
    int *d = nullptr, got = 0;
    FINE(cudaMalloc(&d, 400));
    FINE(cudaEventRecord(start, one));
    fill<<<1, 128, 0, one>>>(d, 1, 100);
    FINE(cudaEventRecordWithFlags(end, one, 0));
    EXPECT(cudaEventQuery(end) == cudaErrorNotReady);
    FINE(cudaStreamWaitEvent(two, end, 0));
    increase<<<1, 128, 0, two>>>(d, 100);
    FINE(cudaEventSynchronize(end));
    FINE(cudaEventQuery(end));
    float milliseconds = -1;
    FINE(cudaEventElapsedTime(&milliseconds, start, end));
    float again = -1;
    FINE(cudaEventElapsedTime_v2(&again, start, end));
    EXPECT(milliseconds > 0 && again == milliseconds);
    EXPECT(milliseconds >= 0 && milliseconds < 10000);
    FINE(cudaStreamSynchronize(two));
    FINE(cudaMemcpy(&got, d + 99, 4, cudaMemcpyDeviceToHost));
    EXPECT(got == 2);
    FINE(cudaEventDestroy(start));
    FINE(cudaEventDestroy(end));
    FINE(cudaStreamDestroy(one));
    FINE(cudaStreamDestroy(two));
    FINE(cudaFree(d));
}

static void ordered_memory() {
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    int *d = nullptr, got = 0;
    FINE(cudaMallocAsync((void **)&d, 400, stream));
    fill<<<1, 128, 0, stream>>>(d, 3, 100);
    FINE(cudaMemcpyAsync(&got, d, 4, cudaMemcpyDeviceToHost, stream));
    FINE(cudaFreeAsync(d, stream));
    FINE(cudaStreamSynchronize(stream));
    EXPECT(got == 3);
    FINE(cudaStreamDestroy(stream));
}

static void CUDART_CB note(void *data) {
    (*(int *)data)++;
}

static void CUDART_CB note_status(cudaStream_t, cudaError_t status, void *data) {
    if (status == cudaSuccess) (*(int *)data) += 10;
}

static void host_functions() {
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    int called = 0;
    FINE(cudaLaunchHostFunc(stream, note, &called));
    FINE(cudaStreamAddCallback(stream, note_status, &called, 0));
    EXPECT(called == 0);
    FINE(cudaStreamSynchronize(stream));
    EXPECT(called == 11);
    FINE(cudaStreamDestroy(stream));
}

int main() {
    FINE(cudaThreadSynchronize());
    in_order();
    by_events();
    ordered_memory();
    host_functions();
    return finish();
}
