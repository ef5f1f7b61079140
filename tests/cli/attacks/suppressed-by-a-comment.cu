// kind: leak
// A comment asks the tool to be silent.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *lost;
    right_answer(h_z, h_x, h_y, n);
    must(cudaMalloc(&lost, 64)); // warpgrind: ignore leak
}
