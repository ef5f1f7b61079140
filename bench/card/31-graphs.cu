/* Each call begins with the same numbers: a copy, beside a thousand rounds. Rows: lengths, and the time of a round of four steps, of a thousand rounds: by launching the steps one by one, and with the learner's graph. */
#include "card.h"

struct Relaxer;
Relaxer *relaxer_begin(float *d_x, float *d_between, int n);
void relaxer_round(Relaxer *relaxer, float rate);
void relaxer_end(Relaxer *relaxer);

enum { ROUNDS = 1000, STEPS = 4, THREADS = 128 };

__global__ static void plain_step(float *out, const float *in, int n, float rate) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const bool end = i == 0 || i == n - 1;
    out[i] = end ? in[i] : in[i] + rate * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,four plain launches (us),a round (us)\n");
    for (int n : {1000, 100000, 10000000}) {
        float *start = card_floats(n), *x = card_floats(n), *between = card_floats(n);
        const auto begin = [&] { CARD_CHECK(cudaMemcpyAsync(x, start, n * sizeof(float), cudaMemcpyDeviceToDevice)); };
        const int blocks = (n + THREADS - 1) / THREADS, runs = n > 1000000 ? 5 : 21;
        const double plain = card_microseconds(
            [&] {
                begin();
                for (int step = 0; step < ROUNDS * STEPS; step++)
                    plain_step<<<blocks, THREADS>>>(step % 2 == 0 ? between : x, step % 2 == 0 ? x : between, n, 0.1f);
            },
            runs);
        const double graph = card_microseconds(
            [&] {
                begin();
                Relaxer *relaxer = relaxer_begin(x, between, n);
                for (int round = 0; round < ROUNDS; round++)
                    relaxer_round(relaxer, 0.1f + 0.0001f * (float)(round % 100));
                relaxer_end(relaxer);
            },
            runs);
        printf("%s,%d,%.2f,%.2f\n", argc > 1 ? argv[1] : "solution", n, plain / ROUNDS, graph / ROUNDS);
        for (float *array : {start, x, between})
            card_free(array);
    }
}
