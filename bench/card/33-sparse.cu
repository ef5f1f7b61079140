/* Rows: 11 million numbers in short rows, in long rows, and in short rows with one that has a million; the bandwidth counts eight bytes a
 * number, and eight a row.
 * also: mutants/thread-a-row mutants/warp-a-row
 */
#include "card.h"

void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count);

enum { COLUMNS = 1000000 };

template <typename T> static T *on_device(const std::vector<T> &host) {
    T *device = NULL;
    CARD_CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CARD_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

/* `rows` rows of `length` neighbours each, and in their middle one of `longest` where that is not 0. */
static void measure(const char *version, const char *matrix, int rows, int length, int longest) {
    std::vector<int> starts(1, 0), columns;
    for (int row = 0; row < rows; row++) {
        const int here = longest > 0 && row == rows / 2 ? longest : length;
        const int first = (int)(row * 31LL % (COLUMNS - here + 1));
        for (int k = 0; k < here; k++)
            columns.push_back(first + k);
        starts.push_back((int)columns.size());
    }
    const int count = (int)columns.size();
    int *d_starts = on_device(starts), *d_columns = on_device(columns);
    float *values = card_floats(count), *x = card_floats(COLUMNS), *y = card_floats(rows);
    const double time = card_microseconds([&] { sparse_multiply(y, d_starts, d_columns, values, x, rows, count); }, 11);
    printf("%s,%s,%.1f,%.0f\n", version, matrix, time, 8e-3 * (count + (double)rows) / time);
    CARD_CHECK(cudaFree(d_starts));
    CARD_CHECK(cudaFree(d_columns));
    card_free(values);
    card_free(x);
    card_free(y);
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,rows,time (us),bandwidth (GB/s)\n");
    const char *version = argc > 1 ? argv[1] : "solution";
    measure(version, "1100000 of 10", 1100000, 10, 0);
    measure(version, "11000 of 1000", 11000, 1000, 0);
    measure(version, "1000000 of 10 and one of 1000000", 1000001, 10, 1000000);
}
