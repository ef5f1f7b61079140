// kind: reserved-symbol
// Functions of the runtime and the driver by an asm label, an alias, a renaming pragma and an assembler's line.
#pragma redefine_extname innocent cudaMemcpy
extern "C" int innocent(void *to, const void *from, size_t bytes, int) { memcpy(to, from, bytes); return 0; }
extern "C" int also_innocent() asm("cudaDeviceSynchronize");
extern "C" int also_innocent() { return 0; }
asm(".globl cudaGetLastError\n.type cudaGetLastError,%function\ncudaGetLastError:\n.set driver_answer_floats, cudaGetLastError\n.globl driver_answer_floats\n");
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
