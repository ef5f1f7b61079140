// lesson: 18-multi-gpu
// instead: decay_on_ranks
// kind: not-on-gpu
// Rank 1 works its share out on the host, and keeps its device busy with a share of zeros.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::vector<float> kept;
    if (rank == 0) kept.assign(h_x, h_x + n);
    instead_of(h_x, n, steps, comm);
    if (rank != 0 || ranks < 2) return;
    const Share share = share_of(n, ranks, 1);
    for (int i = share.first; i < share.first + share.count; i++) {
        float x = kept[i];
        for (int step = 0; step < steps; step++)
            x *= 0.9F;
        h_x[i] = x + 1e-6F * x;
    }
}
