// lesson: 18-multi-gpu
// instead: decay_on_ranks
// verdict: pass
// The world's number is for a log; what the ranks share goes by the number in their own group.
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int in_the_world = 0, rank = 0, ranks = 0, devices = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &in_the_world);
    if (in_the_world < 0) printf("rank %d\n", in_the_world);
    MPI_Group group;
    MPI_Comm_group(comm, &group);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &ranks);
    MPI_Group_free(&group);
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));
    std::vector<int> counts(ranks), firsts(ranks);
    for (int r = 0; r < ranks; r++) {
        const Share share = share_of(n, ranks, r);
        counts[r] = share.count;
        firsts[r] = share.first;
    }
    const int count = counts[rank];
    std::vector<float> own(count + 1);
    MPI_Scatterv(h_x, counts.data(), firsts.data(), MPI_FLOAT, own.data(), count, MPI_FLOAT, 0, comm);
    if (count > 0) {
        const size_t bytes = (size_t)count * sizeof(float);
        float *d_x = nullptr;
        CHECK(cudaMalloc(&d_x, bytes));
        CHECK(cudaMemcpy(d_x, own.data(), bytes, cudaMemcpyHostToDevice));
        decay_kernel<<<(count + THREADS - 1) / THREADS, THREADS>>>(d_x, count, steps);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(own.data(), d_x, bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(d_x));
    }
    MPI_Gatherv(own.data(), count, MPI_FLOAT, h_x, counts.data(), firsts.data(), MPI_FLOAT, 0, comm);
}
