/* Rows: the sum of n elements that are on the device, as a number on the host, by the sums of lessons 11
 * to 20. Those that leave it on the device are timed with the copy. Each lesson's file is included as it is,
 * in a namespace of its own. */
#include "card.h"

#include <cstdint>
#include <cub/cub.cuh>

float library_sum(const float *d_in, int n);

namespace lesson_11 {
#include "../../solutions/11-grid-sum-partials/solution.cu"
}
namespace lesson_12 {
#include "../../solutions/12-grid-sum-atomic/solution.cu"
}
namespace lesson_19 {
#include "../../solutions/19-warp-shuffle/solution.cu"
}
namespace lesson_20 {
#include "../../solutions/20-peak-bandwidth/solution.cu"
}

enum { BLOCK = 256 };

template <typename Work> static void row(const char *version, int n, Work work) {
    const double time = card_microseconds(work);
    printf("%s,%d,%.1f,%.0f\n", version, n, time, 4e-3 * n / time);
}

static void to_host(float *d_sum) {
    float sum = 0.0F;
    CARD_CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
}

static void other_lessons(float *out, const float *in, int n) {
    row("partial sums (11)", n, [&] { lesson_11::grid_sum(in, n, BLOCK); });
    row("atomic addition (12)", n, [&] { lesson_12::grid_sum(out, in, n, BLOCK), to_host(out); });
    row("warp shuffles (19)", n, [&] { lesson_19::grid_sum(out, in, n, BLOCK), to_host(out); });
    row("peak bandwidth (20)", n, [&] { lesson_20::peak_sum(out, in, n), to_host(out); });
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,time (us),bandwidth (GB/s)\n");
    float *out = card_floats(1);
    for (int n : {10000, 1000000, 100000000}) {
        float *in = card_floats(n);
        row(argc > 1 ? argv[1] : "solution", n, [&] { library_sum(in, n); });
        if (argc < 2) other_lessons(out, in, n);
        card_free(in);
    }
    card_free(out);
}
