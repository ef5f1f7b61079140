// kind: compile-error
// never: judge_fill

#if __has_include("/w/../lessons/01-vector-add/judge.c") ||                                                  \
                  __has_include("../../lessons/01-vector-add/judge.c")
#error "the judge can be seen"
#endif
#include "../../lessons/01-vector-add/judge.c"
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
