/* driver.cu - calls the learner's heat_rod with one case's rod.
 *
 * What the middle was in each turn starts full of a NaN pattern, so that a turn that nobody wrote shows.
 */
#include "lessons/common/driver.h"

#include <string.h>

void heat_rod(float *h_rod, float *h_middle, const float *h_ends, int n, int turns);

void driver_case(DriverCase *driven) {
    size_t n = 0, ends = 0;
    const float *before = driver_input_floats(driven, "rod", &n);
    const int turns = driver_input_int(driven, "turns");
    float *h_rod = driver_poisoned_floats(driven, n);
    float *h_middle = driver_poisoned_floats(driven, (size_t)turns);
    memcpy(h_rod, before, n * sizeof *h_rod);
    heat_rod(h_rod, h_middle, driver_input_floats(driven, "ends", &ends), (int)n, turns);
    driver_answer_floats(driven, "rod", h_rod, n);
    driver_answer_floats(driven, "middle", h_middle, (size_t)turns);
}
