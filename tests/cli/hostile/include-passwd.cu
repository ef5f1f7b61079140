// kind: compile-error
// says: file not found
// never: root:x

#include "/etc/passwd"
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
