// kind: any
// never: "verdict": "error"
// never: "verdict": "pass"
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    static unsigned char noise[65536];
    for (unsigned i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)(i * 2654435761u >> 13);
    write(3, noise, sizeof noise);
    cudaDeviceSynchronize();
}
