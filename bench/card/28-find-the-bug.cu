/* How often each of the eight functions is right, of 1,000 calls, and what the runtime says at the end. A process for each: a fault stops all that follows. */
// versions: starter/28-find-the-bug.cu
// measured: how many of 1,000 calls were right
#include <cmath>
#include <cstring>
#include <string>

#include "card.h"

void add_pairs(float *d_y, const float *d_x, int pairs);
void add_one(float *d_y, const float *d_x, int n);
void reverse_groups(float *d_y, const float *d_x, int n);
void sum_groups(float *d_y, const float *d_x, int n);
void mean_groups(float *d_y, const float *d_x, int n);
void halve(float *h_y, float *d_y, const float *d_x, int n);
void smooth(float *d_y, const float *d_x, int n);
void square(float *d_y, const float *d_x, int n);

enum { GROUP = 256, MEMBERS = 100, MOST = 2048, CALLS = 1000 };

/* What element i of the answer should be. */
typedef float Element(const float *x, int n, int i);
static float sum(const float *x, int count) {
    float all = 0.0f;
    for (int k = 0; k < count; k++)
        all += x[k];
    return all;
}
static float pass(const float *x, int n, int i) { return i + 1 < n ? (x[i] + x[i + 1]) / 2.0f : x[i]; }
static const struct {
    const char *name;
    void (*function)(float *d_y, const float *d_x, int n); /* NULL: halve, which leaves its answer on the host */
    int given, answers, n;
    Element *element;
} tasks[] = {
    {"add_pairs", add_pairs, 300, 300, 601, [](const float *x, int, int i) { return x[2 * i + 1] + x[2 * i + 2]; }},
    {"add_one", add_one, 1000, 1000, 1000, [](const float *x, int, int i) { return x[i] + 1.0f; }},
    {"reverse_groups", reverse_groups, 1024, 1024, 1024, [](const float *x, int, int i) { return x[i / GROUP * GROUP + GROUP - 1 - i % GROUP]; }},
    {"sum_groups", sum_groups, 768, 3, 768, [](const float *x, int, int i) { return sum(x + i * GROUP, GROUP); }},
    {"mean_groups", mean_groups, 600, 6, 600, [](const float *x, int, int i) { return sum(x + i * MEMBERS, MEMBERS) / MEMBERS; }},
    {"halve", NULL, 1000, 1000, 1000, [](const float *x, int, int i) { return x[i] / 2.0f; }},
    {"smooth", smooth, 700, 700, 700, [](const float *x, int n, int i) { return i + 1 < n ? (pass(x, n, i) + pass(x, n, i + 1)) / 2.0f : x[i]; }},
    {"square", square, 2000, 2000, 2000, [](const float *x, int, int i) { return x[i] * x[i]; }},
};

static void count_right(int task) {
    const auto &t = tasks[task];
    float *x = NULL, *d_x = NULL, *d_y = NULL, *y = NULL;
    CARD_CHECK(cudaMallocHost(&x, MOST * sizeof(float)));
    CARD_CHECK(cudaMallocHost(&y, MOST * sizeof(float)));
    CARD_CHECK(cudaMalloc(&d_x, MOST * sizeof(float)));
    CARD_CHECK(cudaMalloc(&d_y, MOST * sizeof(float)));
    int right = 0;
    for (int call = 0; call < CALLS; call++) {
        for (int i = 0; i < MOST; i++)
            x[i] = (float)((i * 37 + call) % 64); /* whole numbers: sums are exact in any order */
        memset(y, 0xff, MOST * sizeof(float));
        cudaMemcpy(d_x, x, MOST * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemset(d_y, 0xff, MOST * sizeof(float));
        cudaDeviceSynchronize();
        if (t.function != NULL) {
            t.function(d_y, d_x, t.given);
            cudaMemcpy(y, d_y, MOST * sizeof(float), cudaMemcpyDeviceToHost);
        } else {
            halve(y, d_y, d_x, t.given);
        }
        bool all = true;
        for (int i = 0; i < t.answers && all; i++)
            all = fabsf(y[i] - t.element(x, t.n, i)) <= 1e-4f * fabsf(y[i]);
        right += all;
    }
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) status = cudaGetLastError();
    printf("%s,%d,%s\n", t.name, right, status == cudaSuccess ? "no error" : cudaGetErrorName(status));
}

int main(int argc, char **argv) {
    if (getenv("TASK") != NULL) {
        count_right(atoi(getenv("TASK")));
        return 0;
    }
    (void)argc;
    printf("function,right of %d calls,the runtime says\n", CALLS);
    fflush(stdout);
    for (int task = 0; task < (int)(sizeof tasks / sizeof *tasks); task++)
        if (system(("TASK=" + std::to_string(task) + " " + argv[0] + " 2>/dev/null").c_str()) != 0) {
            printf("%s,ended,at its own check\n", tasks[task].name);
            fflush(stdout);
        }
}
