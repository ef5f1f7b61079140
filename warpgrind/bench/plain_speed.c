/* plain_speed.c - processor time of one shape of shapes.def in plain C.
 *
 * plain_speed NAME RUNS [tiles]: prints the least seconds of the processor of so many runs; with "tiles", of
 * the product by tiles.
 */
#include "bench/plain.h"

#include <stdio.h>
#include <stdlib.h>

/* The least of several runs: whatever else uses the machine only makes them longer. */
int main(int argc, char **argv) {
    static uint32_t in[SHAPE_BYTES / 4], out[SHAPE_BYTES / 4];
    const Shape *shape = NULL;
    if (argc == 3 || argc == 4) shape = shape_find(argv[1]);
    if (!shape) {
        fprintf(stderr, "usage: plain_speed NAME RUNS [tiles], with a name of shapes.def\n");
        return 2;
    }
    shape_fill(in);
    shape_fill(out);
    double best = 1e9;
    for (int run = 0; run < atoi(argv[2]); run++) {
        double start = shape_clock();
        if (argc == 4)
            plain_product_by_tiles(out, in);
        else
            plain_run(shape, out, in);
        double seconds = shape_clock() - start;
        if (seconds < best) best = seconds;
    }
    printf("%.9f\n", best);
    return 0;
}
