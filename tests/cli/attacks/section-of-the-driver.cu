// kind: reserved-symbol
// Code that pretends to be the lesson's.
__attribute__((section("warpschool_driver"), noinline)) static void lose() {
    float *lost;
    must(cudaMalloc(&lost, 64));
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    lose();
}
