// kind: compile-error
// A value that the compiler would need all memory for; one that takes it for ever is a matter of its time, as in hostile/macro-bomb.cu.
constexpr long deep(long n) { return n == 0 ? 0 : 1 + deep(n - 1); }
static_assert(deep(1L << 40) > 0);
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
