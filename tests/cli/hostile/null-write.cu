// kind: any
// says: crash

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    *(volatile int *)0 = 1;
}
