// kind: crash
// says: is not a regular file
// never: root:x
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (int i = 0; i < 20; i++) {
        char name[64];
        snprintf(name, sizeof name, "/answers/%02d", i);
        mkdir(name, 0700);
        snprintf(name, sizeof name, "/answers/%02d/z.npy", i);
        unlink(name);
        symlink("/etc/passwd", name);
    }
    _exit(0);
}
