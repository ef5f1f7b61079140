// lesson: 18-multi-gpu
// instead: decay_on_ranks
// kind: ranks-apart
// says: MPI_Exscan
// says: MPI_Alltoallv
// Rank 0 hands out numbers while the others add theirs up.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0, ranks = 0, own = 1, before = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::vector<int> ones(ranks, 1), places(ranks), from(ranks, 1), to(ranks);
    for (int r = 0; r < ranks; r++) places[r] = r;
    if (rank == 0)
        MPI_Alltoallv(from.data(), ones.data(), places.data(), MPI_INT, to.data(), ones.data(), places.data(), MPI_INT, comm);
    else
        MPI_Exscan(&own, &before, 1, MPI_INT, MPI_SUM, comm);
    instead_of(h_x, n, steps, comm);
}
