// lesson: 18-multi-gpu
// instead: decay_on_ranks
// kind: over-budget
// Rank 0 works for all, on all the devices that it sees; the others wait.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) decay_on_all(h_x, n, steps);
    MPI_Barrier(comm);
}
