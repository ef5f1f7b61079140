/* driver.cu - calls the one of the learner's eight functions that the case is about.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void add_pairs(float *d_y, const float *d_x, int pairs);
void add_one(float *d_y, const float *d_x, int n);
void reverse_groups(float *d_y, const float *d_x, int n);
void sum_groups(float *d_y, const float *d_x, int n);
void mean_groups(float *d_y, const float *d_x, int n);
void halve(float *h_y, float *d_y, const float *d_x, int n);
void smooth(float *d_y, const float *d_x, int n);
void square(float *d_y, const float *d_x, int n);

/* The functions in the order of the judge's `Task`; the sixth leaves its answer on the host. */
typedef void Function(float *d_y, const float *d_x, int n);
static Function *const functions[] = {add_pairs, add_one, reverse_groups, sum_groups, mean_groups, nullptr, smooth, square};

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_x = driver_device_input(driven, "x", &count);
    const size_t answers = (size_t)driver_input_int(driven, "answers");
    const int n = driver_input_int(driven, "n");
    Function *function = functions[driver_input_int(driven, "task")];
    float *d_y = driver_device_poisoned(driven, answers);
    if (function != nullptr) {
        function(d_y, d_x, n);
        driver_answer_device(driven, "y", d_y, answers);
    } else {
        float *h_y = driver_pinned_poisoned(driven, answers);
        halve(h_y, d_y, d_x, n);
        driver_answer_floats(driven, "y", h_y, answers);
    }
}
