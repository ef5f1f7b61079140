/* Rows: how many groups the 32 million numbers have, and the time of a call.
 * also: mutants/a-warp-each mutants/a-thread-for-each-number
 */
#include "card.h"

void group_sums(float *d_sums, const int *d_groups, const float *d_values, int n, int groups);

int main(int argc, char **argv) {
    const int n = 32000000;
    if (argc < 2) printf("version,groups,time (us),bandwidth (GB/s)\n");
    float *values = card_floats(n), *sums = card_floats(300);
    std::vector<int> host(n);
    int *groups = NULL;
    CARD_CHECK(cudaMalloc(&groups, n * sizeof(int)));
    for (int count : {8, 32, 100, 300}) {
        for (int i = 0; i < n; i++)
            host[i] = (int)(((unsigned)i * 2654435761U >> 16) % (unsigned)count);
        CARD_CHECK(cudaMemcpy(groups, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        const double time = card_microseconds([&] { group_sums(sums, groups, values, n, count); });
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", count, time, 8.0 * n / time / 1000.0);
    }
    CARD_CHECK(cudaFree(groups));
    for (float *array : {values, sums})
        card_free(array);
}
