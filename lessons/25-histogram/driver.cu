/* driver.cu - calls the learner's histogram with one case's bytes.
 *
 * The bins start as a pattern that is an unlikely number, and in a second call as the counts of the first: the
 * learner has to zero them each time.
 */
#include "lessons/common/driver.h"

enum { BINS = 256 };

void histogram(unsigned *d_bins, const unsigned char *d_data, int n);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const unsigned char *d_data = driver_device_input_bytes(driven, "data", &n);
    int *d_bins = driver_device_poisoned_ints(driven, BINS);
    histogram((unsigned *)d_bins, d_data, (int)n);
    driver_answer_device_ints(driven, "bins", d_bins, BINS);
}
