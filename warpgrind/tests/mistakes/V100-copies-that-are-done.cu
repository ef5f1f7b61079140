/* warpgrind: --devices 2 */
#include "mistake.h"

enum { N = 1024, BYTES = N * sizeof(int) };

__global__ void add(int *z, const int *a) {
    z[threadIdx.x] += a[threadIdx.x]; // near: missing-sync
}

__global__ void fill(int *z, int value) {
    z[threadIdx.x] = value;
}

static int *ones, *d, *z;
static std::vector<int> ordinary(N, 1);

/* Each call comes after one that has the bytes where they belong when it returns, or with a wait for the default stream. */
static void in_a_stream(cudaStream_t s) {
    int *managed = nullptr, *back = nullptr;
    cudaEvent_t copied;
    CHECK(cudaMallocManaged(&managed, BYTES));
    CHECK(cudaMallocHost(&back, BYTES));
    CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CHECK(cudaMemcpy(d, ones, BYTES, cudaMemcpyHostToDevice)); // from pinned memory
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(managed, ordinary.data(), BYTES, cudaMemcpyDefault)); // to managed memory
    add<<<1, N, 0, s>>>(z, managed);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(d, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    CHECK(cudaStreamSynchronize(0));
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(d, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(copied));
    CHECK(cudaStreamWaitEvent(s, copied, 0));
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(d, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(back, z, BYTES, cudaMemcpyDeviceToHost)); // waits for itself, and for what is before it in its stream
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaMemcpyAsync(d, ones, BYTES, cudaMemcpyHostToDevice, s));
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaFreeHost(back));
    CHECK(cudaFree(managed));
}

/* A stream that waits for the default one, and the default one itself. */
static void in_blocking_streams(void) {
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpy(d, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaMemcpy(d, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    add<<<1, N>>>(z, d);
    CHECK(cudaMemset(d, 0, BYTES));
    add<<<1, N, 0, s>>>(z, d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(s));
}

/* A copy between devices in the default stream comes after what either has been asked for before (Programming Guide, peer-to-peer copies). */
static void between_devices(void) {
    int *far = nullptr, *here = nullptr;
    cudaStream_t unused;
    CHECK(cudaStreamCreateWithFlags(&unused, cudaStreamNonBlocking)); // so that orders are looked at
    CHECK(cudaMalloc(&here, BYTES));
    CHECK(cudaMemset(here, 0, BYTES));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&far, BYTES));
    CHECK(cudaMemcpy(far, ordinary.data(), BYTES, cudaMemcpyHostToDevice));
    fill<<<1, N>>>(far, 3);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyPeer(here, 0, far, 1, BYTES));
    add<<<1, N>>>(z, here);
    CHECK(cudaMemcpy(far, ordinary.data(), BYTES, cudaMemcpyHostToDevice)); // to the other device's memory
    CHECK(cudaSetDevice(1));
    add<<<1, N>>>(far, far);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(far));
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(here));
    CHECK(cudaStreamDestroy(unused));
}

int main() {
    int h = 0;
    cudaStream_t s;
    CHECK(cudaMalloc(&d, BYTES));
    CHECK(cudaMalloc(&z, BYTES));
    CHECK(cudaMallocHost(&ones, BYTES));
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    CHECK(cudaMemset(z, 0, BYTES));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    in_a_stream(s);
    in_blocking_streams();
    between_devices();
    CHECK(cudaMemcpy(&h, z + N - 1, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    CHECK(cudaFree(z));
    CHECK(cudaFreeHost(ones));
    return h == 11 ? 0 : 1;
}
