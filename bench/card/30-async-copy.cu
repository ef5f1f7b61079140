/* Rows: how many points there are, with 100,000 plates: first so many that each multiprocessor has one block
 * of 128 threads, then 64 times as many.
 *
 * also: mutants/plain-loads mutants/one-tile mutants/waits-for-the-next-tile
 */
#include "card.h"

void potentials(float *d_y, const float *d_x, const float2 *d_plates, int n, int m);

int main(int argc, char **argv) {
    enum { PLATES = 100000, THREADS = 128, MANY = 64 };
    int multiprocessors = 0;
    CARD_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    if (argc < 2) printf("version,points,time (us),speed (pairs/ns)\n");
    float *plates = card_floats(2 * PLATES);
    for (int blocks : {multiprocessors, MANY * multiprocessors}) {
        const int n = blocks * THREADS;
        float *x = card_floats(n), *y = card_floats(n);
        const double time =
            card_microseconds([&] { potentials(y, x, (const float2 *)plates, n, PLATES); }, 21);
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", n, time, 1e-3 * n * PLATES / time);
        card_free(x);
        card_free(y);
    }
    card_free(plates);
}
