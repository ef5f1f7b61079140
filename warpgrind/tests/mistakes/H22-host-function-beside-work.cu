/* A host function is work of its stream: what other streams do to the memory that it uses is in no order with it,
 * unless an event says so. */
#include "mistake.h"

enum { COUNT = 64 };

struct Sums {
    const int *numbers;
    int *filled;
    int sum;
};

__global__ void fill(int *z, int value) {
    z[threadIdx.x] = value; // expect: missing-sync
}

__global__ void fill_in_order(int *z, int value) {
    z[threadIdx.x] = value; // near: missing-sync
}

__global__ void twice(int *z, const int *x) {
    z[threadIdx.x] = 2 * x[threadIdx.x]; // near: missing-sync
}

/* Sets a word for the host to see, when the numbers are there. */
__global__ void fill_and_tell(int *z, volatile int *flag) {
    z[threadIdx.x] = 1; // near: missing-sync
    __syncthreads();
    __threadfence_system();
    if (threadIdx.x == 0) *flag = 1;
}

static void add_early(void *data) {
    Sums *sums = (Sums *)data;
    for (int i = 0; i < COUNT; i++)
        sums->sum += sums->numbers[i]; // expect: missing-sync
}

static void add_while_copied(void *data) {
    Sums *sums = (Sums *)data;
    for (int i = 0; i < COUNT; i++)
        sums->sum += sums->numbers[i]; // expect: missing-sync
}

static void add_what_was_done_by_chance(void *data) {
    Sums *sums = (Sums *)data;
    for (int i = 0; i < COUNT; i++)
        sums->sum += sums->numbers[i]; // expect: missing-sync
}

static void add(void *data) {
    Sums *sums = (Sums *)data;
    for (int i = 0; i < COUNT; i++)
        sums->sum += sums->numbers[i]; // near: missing-sync
}

static void make_numbers(void *data) {
    Sums *sums = (Sums *)data;
    for (int i = 0; i < COUNT; i++)
        sums->filled[i] = i; // near: missing-sync
}

static void add_if_told(void *data) {
    Sums *sums = (Sums *)data;
    if (((volatile int *)sums->filled)[0] != 0) sums->sum += sums->numbers[0]; // near: missing-sync
}

int main() {
    cudaStream_t s, t;
    cudaEvent_t made;
    int *d = nullptr, *both = nullptr, *pinned = nullptr, *flag = nullptr;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&made));
    CHECK(cudaMalloc(&d, COUNT * sizeof(int)));
    CHECK(cudaMallocManaged(&both, COUNT * sizeof(int)));
    CHECK(cudaMallocHost(&pinned, 2 * COUNT * sizeof(int)));
    CHECK(cudaMallocHost(&flag, sizeof(int)));
    Sums sums = {both, pinned, 0}, copied = {pinned, pinned + COUNT, 0}, told = {both, flag, 0};

    fill<<<1, COUNT, 0, s>>>(both, 1);
    CHECK(cudaLaunchHostFunc(t, add_early, &sums));
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaDeviceSynchronize());

    fill_in_order<<<1, COUNT, 0, s>>>(d, 2);
    CHECK(cudaMemcpyAsync(pinned, d, COUNT * sizeof(int), cudaMemcpyDeviceToHost, s)); // expect: missing-sync
    CHECK(cudaLaunchHostFunc(t, add_while_copied, &copied));
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaDeviceSynchronize());

    fill<<<1, COUNT, 0, s>>>(both, 3);
    CHECK(cudaLaunchHostFunc(t, add_what_was_done_by_chance, &sums));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaDeviceSynchronize());

    /* Ordered: by an event, by the stream, and while another stream uses other bytes of the page. */
    fill_in_order<<<1, COUNT, 0, s>>>(both, 4);
    CHECK(cudaEventRecord(made, s));
    CHECK(cudaStreamWaitEvent(t, made));
    CHECK(cudaLaunchHostFunc(t, add, &sums));
    CHECK(cudaLaunchHostFunc(t, make_numbers, &copied));
    CHECK(cudaMemcpyAsync(d, pinned + COUNT, COUNT * sizeof(int), cudaMemcpyHostToDevice, t));
    twice<<<1, COUNT, 0, t>>>(both, d);
    CHECK(cudaMemcpyAsync(pinned, both, COUNT * sizeof(int), cudaMemcpyDefault, t));
    CHECK(cudaLaunchHostFunc(t, add, &copied));
    CHECK(cudaDeviceSynchronize());

    /* They tell each other what is done. */
    *flag = 0;
    fill_and_tell<<<1, COUNT, 0, s>>>(both, flag);
    CHECK(cudaLaunchHostFunc(t, add_if_told, &told));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaDeviceSynchronize());

    printf("%d %d %d\n", sums.sum, copied.sum, told.sum);
    CHECK(cudaFreeHost(flag));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(both));
    CHECK(cudaFree(d));
    CHECK(cudaEventDestroy(made));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}
