// kind: wrong-answer
// says: x1B[2J
// never: \u001b
#include <cstdio>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    puts("\033[2J\033]0;title\007");
}
