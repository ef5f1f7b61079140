// kind: leak
// says: leak-in-another-file.cu
// The debug lines say that the lesson's driver allocated it.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *lost;
    right_answer(h_z, h_x, h_y, n);
#line 120 "lessons/common/driver.c"
    must(cudaMalloc(&lost, 64));
}
