// kind: timeout
// says: used up
// limit: 3

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    volatile int i = 0;
    while (i == 0) {
    }
}
