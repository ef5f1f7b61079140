// kind: wrong-answer
#include <csignal>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    kill(-1, SIGKILL);
}
