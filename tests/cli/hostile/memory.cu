// kind: crash
#include <cstdlib>
#include <cstring>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (;;) {
        void *p = malloc(1 << 22);
        if (p == NULL) abort();
        memset(p, 1, 1); // its limit counts what is asked for; to touch all of it takes long
    }
}
