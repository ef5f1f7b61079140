// kind: compile-error
// says: is not the one that the lesson

void vector_add(float *h_z, int n) {}
