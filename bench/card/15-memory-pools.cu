/* Rows: ten calls in a row of a few rounds each, in one stream, waited for once. */
#include "card.h"

void smooth_rounds(float *d_out, const float *d_in, int n, int rounds, cudaStream_t stream);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,a call of 2 rounds (us),of 10 rounds (us)\n");
    enum { CALLS = 10 };
    cudaStream_t stream;
    CARD_CHECK(cudaStreamCreate(&stream));
    for (int n : {10000, 1000000, 100000000}) {
        float *in = card_floats(n), *out = NULL;
        CARD_CHECK(cudaMalloc(&out, n * sizeof(float)));
        printf("%s,%d", argc > 1 ? argv[1] : "solution", n);
        for (int rounds : {2, 10}) {
            double time = card_microseconds([&] {
                for (int call = 0; call < CALLS; call++)
                    smooth_rounds(out, in, n, rounds, stream);
                CARD_CHECK(cudaStreamSynchronize(stream));
            });
            printf(",%.1f", time / CALLS);
        }
        printf("\n");
        card_free(in);
        CARD_CHECK(cudaFree(out));
    }
    CARD_CHECK(cudaStreamDestroy(stream));
}
