// kind: compile-error
// says: file not found
// never: cudaMalloc

#include "../../../solutions/01-vector-add/solution.cu"
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
