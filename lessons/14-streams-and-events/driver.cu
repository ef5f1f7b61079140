/* driver.cu - calls the learner's process_chunks with one case's numbers, in pinned memory.
 *
 * y starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void process_chunks(float *h_y, const float *h_x, int n, int chunks);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *h_x = driver_pinned_input(driven, "x", &n);
    float *h_y = driver_pinned_poisoned(driven, n);
    process_chunks(h_y, h_x, (int)n, driver_input_int(driven, "chunks"));
    driver_answer_floats(driven, "y", h_y, n);
}
