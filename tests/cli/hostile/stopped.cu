// kind: timeout
// limit: 3
#include <csignal>
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    kill(getpid(), SIGSTOP);
}
