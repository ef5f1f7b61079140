/* Rows: an image of 4096 x 4096 pixels, blurred with three radii, and how many times as long that takes as copying it.
 * also: mutants/no-tiles mutants/whole-square
 */
#include "card.h"

void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,radius,time (us),times a copy\n");
    const int side = 4096;
    const size_t bytes = (size_t)side * side * sizeof(float4);
    float4 *in = (float4 *)card_floats((size_t)side * side * 4), *out = NULL;
    CARD_CHECK(cudaMalloc(&out, bytes));
    const double copy = card_microseconds([&] { CARD_CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); }, 11);
    for (int radius : {1, 5, 16}) {
        const double time = card_microseconds([&] { gaussian_blur(out, in, side, side, radius); }, 11);
        printf("%s,%d,%.1f,%.2f\n", argc > 1 ? argv[1] : "solution", radius, time, time / copy);
    }
    card_free((float *)in);
    CARD_CHECK(cudaFree(out));
}
