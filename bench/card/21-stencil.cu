/* Rows: the seven-point mean of a cube of cells on the device. */
#include "card.h"

void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,nx = ny = nz,time (us),bandwidth (GB/s)\n");
    for (int size : {64, 250, 512}) {
        const size_t count = (size_t)size * size * size;
        float *in = card_floats(count), *out = card_floats(count);
        double time = card_microseconds([&] { stencil7(out, in, size, size, size); });
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", size, time, 8e-3 * count / time);
        card_free(in);
        card_free(out);
    }
}
