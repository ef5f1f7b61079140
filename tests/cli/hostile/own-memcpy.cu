// kind: any
// never: "verdict": "error"
// never: "verdict": "pass"
#include <stddef.h>

extern "C" void *memcpy(void *to, const void *, size_t) {
    return to;
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
