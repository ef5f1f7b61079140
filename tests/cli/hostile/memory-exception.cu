// kind: crash
// says: nobody caught the exception std::bad_alloc, which ended the program
// says: an uncaught exception of the type std::bad_alloc ended the program
// says: A negative number becomes a huge one
// never: failed assert
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *copy = new float[n - 100000];
    copy[0] = h_x[0];
    h_z[0] = copy[0];
}
