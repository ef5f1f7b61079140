/* Host functions that are given one variable again, and find there what they should. */
#include "mistake.h"

#include <atomic>

enum { TIMES = 4 };

struct Work {
    int asked, done;
};

static void CUDART_CB count(void *number) {
    ++*(int *)number;
}

static void CUDART_CB count_done(void *work) {
    ((Work *)work)->done++;
}

static void CUDART_CB take_one(void *left) {
    --*(std::atomic<int> *)left;
}

static void CUDART_CB keep(void *) {}

static void CUDART_CB look_at(void *number) {
    if (*(const int *)number < 0) printf("negative\n");
}

/* What the functions themselves count is theirs to change. */
static void counters(cudaStream_t s, cudaStream_t t) {
    int done = 0;
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaLaunchHostFunc(s, count, &done)); // near-note: missing-sync; counted by the functions
        if (i == 1) CHECK(cudaStreamSynchronize(s));
    }
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaLaunchHostFunc(t, count, &done)); // near-note: missing-sync; one of the other stream has run between
        CHECK(cudaLaunchHostFunc(s, count, &done));
        CHECK(cudaStreamSynchronize(s));
    }
    CHECK(cudaStreamSynchronize(t));
}

/* The program counts beside them, in memory of which each side has its own part, or by atomics. */
static void shared(cudaStream_t s) {
    Work work = {0, 0};
    std::atomic<int> left{0};
    for (int i = 0; i < TIMES; i++) {
        work.asked++;
        left++;
        CHECK(cudaLaunchHostFunc(s, count_done, &work)); // near-note: missing-sync; another member
        CHECK(cudaLaunchHostFunc(s, take_one, &left)); // near-note: missing-sync; an atomic
    }
    CHECK(cudaStreamSynchronize(s));
}

int main() {
    int tag = 7, values[TIMES] = {1, 2, 3, 4};
    cudaStream_t s, t;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    for (int i = 0; i < TIMES; i++)
        CHECK(cudaLaunchHostFunc(s, look_at, &tag)); // near-note: missing-sync; nobody changes it
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaLaunchHostFunc(s, look_at, &i)); // near-note: missing-sync; it has run
        CHECK(cudaStreamSynchronize(s));
    }
    for (int i = 0; i < TIMES; i++)
        CHECK(cudaLaunchHostFunc(s, look_at, &values[i])); // near-note: missing-sync; each has its own
    CHECK(cudaStreamSynchronize(s));
    /* An address is for the function alone to follow. */
    int *on_device = nullptr, *nowhere = (int *)16;
    CHECK(cudaMalloc(&on_device, sizeof(int)));
    for (int i = 0; i < TIMES; i++) {
        CHECK(cudaLaunchHostFunc(s, keep, on_device)); // near: host-device-pointer; nobody reads there
        CHECK(cudaLaunchHostFunc(s, keep, nowhere)); // near: crash
    }
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaFree(on_device));
    counters(s, t);
    shared(s);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}
