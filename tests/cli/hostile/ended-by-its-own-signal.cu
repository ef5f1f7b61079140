// kind: crash
// says: a signal ended the program (CPU time limit exceeded)
// says: Does it call raise or kill?
// never: ran out of processor time
#include <csignal>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    raise(SIGXCPU);
}
