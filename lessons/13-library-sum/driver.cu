/* driver.cu - calls the learner's library_sum with one case's numbers, and in some cases lets milliseconds_of
 * take a time.
 *
 * What is timed is the learner's own sum, or one of ours that sleeps: long in its first call, as a first call
 * really does while code is loaded, and a little in each of the others. So the mean has two bounds that hold
 * on any machine, however busy it is: no call sleeps less than it says, and all that is timed happens between
 * the end of the first call and the return of milliseconds_of.
 */
#include "lessons/common/driver.h"

#include <chrono>
#include <thread>

float library_sum(const float *d_in, int n);
float milliseconds_of(float (*sum)(const float *, int), const float *d_in, int n, int repeats);

enum { FIRST_SLEEP = 200, LATER_SLEEP = 10 }; /* ms */
enum { MEAN, CALLS, STRANGE, FLOOR, CEILING, TIME_COUNT };
/* One answer each: the judge follows the largest answer back to the kernels, and that is to be the sum. */
static const char *const names[TIME_COUNT] = {"mean", "calls", "strange", "floor", "ceiling"};

typedef std::chrono::steady_clock Clock;
typedef struct Timed {
    const float *d_in;
    int n, calls, strange;
    bool slow;
    Clock::time_point first_end;
} Timed;
static Timed timed;

__global__ void driver_first_kernel(float *d_out, const float *d_in) {
    *d_out = *d_in;
}

static float slow_sum(const float *d_in) {
    float *d_out = NULL, value = 0.0F;
    if (cudaMalloc(&d_out, sizeof(float)) != cudaSuccess) return 0.0F;
    driver_first_kernel<<<1, 1>>>(d_out, d_in);
    const bool copied = cudaMemcpy(&value, d_out, sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(d_out);
    /* Behind the wait, so that it lies between two events however late the first one is reached. */
    const int sleep = timed.calls == 1 ? FIRST_SLEEP : LATER_SLEEP;
    std::this_thread::sleep_for(std::chrono::milliseconds(sleep));
    return copied ? value : 0.0F;
}

static float timed_sum(const float *d_in, int n) {
    timed.calls++;
    timed.strange += d_in != timed.d_in || n != timed.n;
    const float sum = timed.slow ? slow_sum(timed.d_in) : library_sum(timed.d_in, timed.n);
    if (timed.calls == 1) timed.first_end = Clock::now();
    return sum;
}

static void take_time(float *time, const float *d_in, int n, int repeats, bool slow) {
    timed = Timed{d_in, n, 0, 0, slow, Clock::now()};
    time[MEAN] = milliseconds_of(timed_sum, d_in, n, repeats);
    const std::chrono::duration<float, std::milli> all = Clock::now() - timed.first_end;
    time[CALLS] = (float)timed.calls;
    time[STRANGE] = (float)timed.strange;
    time[FLOOR] = slow ? (float)LATER_SLEEP : 0.0F;
    time[CEILING] = all.count() / (float)repeats;
}

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_in = driver_device_input(driven, "in", &n);
    const int repeats = driver_input_int(driven, "repeats");
    const int calls = driver_input_int(driven, "calls");
    const bool slow = driver_input_int(driven, "slow") != 0;
    float sum = 0.0F, time[TIME_COUNT] = {0.0F};
    for (int call = 0; call < calls; call++)
        sum = library_sum(d_in, (int)n);
    if (repeats > 0) take_time(time, d_in, (int)n, repeats, slow);
    for (int i = 0; i < TIME_COUNT; i++)
        driver_answer_floats(driven, names[i], &time[i], 1);
    driver_answer_floats(driven, "sum", &sum, 1);
}
