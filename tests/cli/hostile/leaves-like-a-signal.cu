// kind: crash
// says: the program ended with status 137: by a signal (Killed), or as it called _exit(137) itself
// Without the goodbye that exit says, nobody outside can tell which.
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    _exit(137);
}
