// kind: crash
// says: nobody caught the exception std::out_of_range, which ended the program
// says: an uncaught exception of the type std::out_of_range ended the program
// never: asked for more memory
// never: It was thrown here
#include <vector>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    const std::vector<float> sums(n);
    h_z[0] = sums.at(n);
}
