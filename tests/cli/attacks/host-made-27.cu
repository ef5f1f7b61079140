// kind: not-by-kernel
// lesson: 27-occupancy
// instead: group_sums
// The host adds up, and has its sums added to zeros by the kernel, a number for each group.
#include <vector>
void group_sums(float *d_sums, const int *d_groups, const float *d_values, int n, int groups) {
    std::vector<int> which(n + 1), own(groups);
    std::vector<float> values(n + 1), sums(groups);
    CHECK(cudaMemcpy(which.data(), d_groups, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(values.data(), d_values, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) sums[which[i]] += values[i];
    for (int g = 0; g < groups; g++) own[g] = g;
    int *d_own;
    float *d_mine;
    CHECK(cudaMalloc(&d_own, groups * sizeof(int)));
    CHECK(cudaMalloc(&d_mine, groups * sizeof(float)));
    CHECK(cudaMemcpy(d_own, own.data(), groups * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_mine, sums.data(), groups * sizeof(float), cudaMemcpyHostToDevice));
    instead_of(d_sums, d_groups, d_values, n, groups);
    instead_of(d_sums, d_own, d_mine, groups, groups);
    CHECK(cudaFree(d_own));
    CHECK(cudaFree(d_mine));
}
