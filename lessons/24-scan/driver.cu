/* driver.cu - calls the learner's inclusive_scan with one case's numbers.
 *
 * The sums start as a pattern that is an unlikely number, so that an element nobody wrote shows; or, in place,
 * as the numbers themselves.
 */
#include "lessons/common/driver.h"

void inclusive_scan(int *d_out, const int *d_in, int n);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    int *d_in = driver_device_input_ints(driven, "in", &n);
    int *d_out = driver_input_int(driven, "in_place") ? d_in : driver_device_poisoned_ints(driven, n);
    inclusive_scan(d_out, d_in, (int)n);
    driver_answer_device_ints(driven, "out", d_out, n);
}
