// kind: compile-error
// says: expected expression

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    int i = ;
}
