// kind: leak
// never: \u001b
// never: \u202e
// The file's name in the debug lines clears the terminal, and turns the text round.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *lost;
    right_answer(h_z, h_x, h_y, n);
#line 1 "\033[2J\342\200\256escapes-in-names.cu"
    must(cudaMalloc(&lost, 64));
}
