// kind: compile-error
// says: nested too deeply

#include __FILE__
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
