/* Rows: f = 2 g for fields of three extents on the device: a cube, one that is a row more than blocks are,
 * and flat ones. */
#include "card.h"

void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz);

int main(int argc, char **argv) {
    const int extents[][3] = {{512, 512, 512}, {513, 511, 509}, {8, 4096, 4096}, {1024, 2, 65539}};
    if (argc < 2) {
        printf("version");
        for (const int *e : extents)
            printf(",%d x %d x %d (us)", e[0], e[1], e[2]);
        printf("\n");
    }
    printf("%s", argc > 1 ? argv[1] : "solution");
    for (const int *e : extents) {
        const size_t count = (size_t)e[0] * e[1] * e[2];
        float *g = card_floats(count), *f = card_floats(count);
        printf(",%.1f", card_microseconds([&] { scale3d(f, g, e[0], e[1], e[2]); }));
        card_free(g);
        card_free(f);
    }
    printf("\n");
}
