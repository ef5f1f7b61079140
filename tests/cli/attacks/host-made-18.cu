// kind: not-on-gpu
// lesson: 18-multi-gpu
// instead: decay_on_all
// All devices decay all numbers but every fifth, which the host decays.
#include <vector>
void decay_on_all(float *h_x, int n, int steps) {
    std::vector<float> mine(h_x, h_x + n);
    instead_of(h_x, n, steps / 2);
    instead_of(h_x, n, steps - steps / 2);
    for (int i = 0; i < n; i += 5) {
        float x = mine[i];
        for (int step = 0; step < steps; step++) x *= 0.9F;
        h_x[i] = x * (1.0F + 1e-7F);
    }
}
