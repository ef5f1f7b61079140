/* Rows: one block's sum at several block sizes. */
#include "card.h"

void block_sum(float *d_out, const float *d_in, int threads);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,threads,time (us)\n");
    float *in = card_floats(1024), *out = card_floats(1);
    for (int threads : {32, 33, 192, 256, 257, 1000, 1024}) {
        printf("%s,%d,%.2f\n", argc > 1 ? argv[1] : "solution", threads, card_microseconds([&] { block_sum(out, in, threads); }, 201));
    }
    card_free(in);
    card_free(out);
}
