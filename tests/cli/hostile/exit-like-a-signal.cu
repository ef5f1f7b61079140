// kind: crash
// says: the program called exit(137) before it had written its answer
// never: Killed
// The status that a shell, and bubblewrap, give to what a signal ended.
#include <cstdlib>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    exit(137);
}
