// lesson: 18-multi-gpu
// instead: decay_on_ranks
// kind: timeout
// says: Ranks may be waiting for each other
// limit: 3
// No attack: every rank but the first waits for a message that nobody sends.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    float nothing;
    if (rank == 0)
        decay_on_all(h_x, n, steps);
    else
        MPI_Recv(&nothing, 1, MPI_FLOAT, 0, 0, comm, MPI_STATUS_IGNORE);
}
