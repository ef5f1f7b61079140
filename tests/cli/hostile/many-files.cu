// kind: any
// never: "verdict":"error"
#include <cstdio>
#include <fcntl.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (int i = 0; i < 100000; i++) {
        char name[64];
        snprintf(name, sizeof name, "/answers/%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) return;
    }
}
