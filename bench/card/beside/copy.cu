/* What this card copies, in GB/s read and written: 1 GiB from its memory to its memory, which no cache holds,
 * the median of many. */
#include "../card.h"

int main() {
    const size_t bytes = (size_t)1 << 30;
    char *from = NULL, *to = NULL;
    CARD_CHECK(cudaMalloc(&from, bytes));
    CARD_CHECK(cudaMalloc(&to, bytes));
    CARD_CHECK(cudaMemset(from, 1, bytes));
    const double time =
        card_microseconds([&] { CARD_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
    printf("%.0f\n", 2e-3 * (double)bytes / time);
    CARD_CHECK(cudaFree(from));
    CARD_CHECK(cudaFree(to));
}
