/* driver.cu - has the learner's Relaxer do one case's rounds: one made, a call for each round, and its end.
 *
 * The array in between starts full of a NaN pattern, so that an element nobody wrote shows. The numbers are
 * read in a stream that waits for nobody: relaxer_end has waited.
 */
#include "lessons/common/driver.h"

struct Relaxer;
Relaxer *relaxer_begin(float *d_x, float *d_between, int n);
void relaxer_round(Relaxer *relaxer, float rate);
void relaxer_end(Relaxer *relaxer);

void driver_case(DriverCase *driven) {
    size_t count = 0, rounds = 0;
    float *d_x = driver_device_input(driven, "x", &count);
    float *d_between = driver_device_poisoned(driven, count);
    float *y = driver_pinned_poisoned(driven, count);
    cudaStream_t reader = driver_stream(driven);
    const float *rates = driver_input_floats(driven, "rates", &rounds);
    Relaxer *relaxer = relaxer_begin(d_x, d_between, (int)count);
    for (size_t round = 0; round < rounds; round++)
        relaxer_round(relaxer, rates[round]);
    relaxer_end(relaxer);
    driver_copy_beside(driven, y, d_x, count, reader);
    driver_answer_floats(driven, "y", y, count);
}
