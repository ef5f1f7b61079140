// kind: compile-error
// says: the compiler itself failed on this file
// An expression that is deeper than the compiler's own stack, of which it dies without a word.
#define X8(x) x x x x x x x x
#define X64(x) X8(x) X8(x) X8(x) X8(x) X8(x) X8(x) X8(x) X8(x)
#define DEEP X64(-~ -~ -~ -~ -~ -~ -~ -~)
#define DEEPER DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP DEEP
#define DEEPEST DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER DEEPER
int deep = DEEPEST DEEPEST 1;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
