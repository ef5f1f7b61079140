// kind: timeout
// limit: 3
#include <csignal>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (volatile int i = 0; i == 0;) {
    }
}
