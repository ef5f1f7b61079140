// kind: crash
// says: exit(0) before it had written its answer
#include <cstdlib>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    exit(0);
}
