// kind: compile-error

template <int N> struct Deep { static const int value = Deep<N - 1>::value + Deep<N - 2>::value; };
int depth = Deep<100000>::value;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
