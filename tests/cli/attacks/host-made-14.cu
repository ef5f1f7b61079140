// kind: not-on-gpu
// lesson: 14-streams-and-events
// instead: process_chunks
// The device makes the first half, in streams, and the host the other.
void process_chunks(float *h_y, const float *h_x, int n, int chunks) {
    instead_of(h_y, h_x, n / 2, chunks);
    for (int i = n / 2; i < n; i++) h_y[i] = sqrtf(fabsf(h_x[i])) + 0.5F;
}
