// kind: reserved-symbol
// says: leave `main` out

int main() {
    return 0;
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
