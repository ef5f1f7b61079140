// kind: limit
// Device code with a hundred thousand scopes within each other, for whoever reads it by recursion.
#define X1 "{"
#define X10 X1 X1 X1 X1 X1 X1 X1 X1 X1 X1
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10
#define X1000 X100 X100 X100 X100 X100 X100 X100 X100 X100 X100
#define X10000 X1000 X1000 X1000 X1000 X1000 X1000 X1000 X1000 X1000 X1000
#define Y1 "}"
#define Y10 Y1 Y1 Y1 Y1 Y1 Y1 Y1 Y1 Y1 Y1
#define Y100 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10
#define Y1000 Y100 Y100 Y100 Y100 Y100 Y100 Y100 Y100 Y100 Y100
#define Y10000 Y1000 Y1000 Y1000 Y1000 Y1000 Y1000 Y1000 Y1000 Y1000 Y1000
__global__ void deep() { asm volatile(X10000 X10000 X10000 X10000 X10000 X10000 X10000 X10000 X10000 X10000 Y10000 Y10000 Y10000 Y10000 Y10000 Y10000 Y10000 Y10000 Y10000 Y10000); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { deep<<<1, 1>>>(); right_answer(h_z, h_x, h_y, n); }
