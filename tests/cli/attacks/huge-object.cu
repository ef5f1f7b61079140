// kind: any
// More zeros than an object may have, in a section that is in the file.
asm(".section .data\n.zero 134217728\n");
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
