/* expect-none: more pinned memory than there is at once, one after the other. */
#include "mistake.h"

int main() {
    for (int i = 0; i < 12; i++) {
        char *h = nullptr;
        CHECK(cudaMallocHost(&h, 300 << 20));
        h[i] = 1;
        CHECK(cudaFreeHost(h));
    }
    printf("fine\n");
}
