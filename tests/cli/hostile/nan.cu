// kind: wrong-answer
#include <cmath>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (int i = 0; i < n; i++)
        h_z[i] = NAN;
}
