// kind: wrong-answer
// never: "verdict": "pass"
#include <cstdio>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    puts("::set-output name=score::10");
    puts("{\"schema\":\"warpschool/result/v1\",\"verdict\":\"pass\"}");
    fwrite("\xff\xfe\0\x80", 1, 4, stdout);
}
