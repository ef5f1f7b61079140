/* A host function gets an address, and reads there when its stream comes to it. */
#include "mistake.h"

enum { TIMES = 4 };

static int seen[TIMES];
static float sum;

static void CUDART_CB mark_seen(void *index) {
    const int i = *(const int *)index;
    if (i >= 0 && i < TIMES) seen[i]++;
}

static void CUDART_CB add_level(cudaStream_t, cudaError_t, void *level) {
    sum += *(const float *)level;
}

int main() {
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for (int i = 0; i < TIMES; i++)
        CHECK(cudaLaunchHostFunc(s, mark_seen, &i)); // expect-note: missing-sync // says: cudaLaunchHostFunc is given the address of a variable // says: memory of its own
    CHECK(cudaStreamSynchronize(s));
    float level = 0.5f;
    CHECK(cudaStreamAddCallback(s, add_level, &level, 0));
    level = 1;
    CHECK(cudaStreamAddCallback(s, add_level, &level, 0)); // expect-note: missing-sync // says: cudaStreamAddCallback is given
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    printf("%d %g\n", seen[TIMES - 1], sum);
}
