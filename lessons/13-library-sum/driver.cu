/* driver.cu - calls the learner's library_sum with one case's numbers, and in some cases lets milliseconds_of
 * take a time.
 *
 * What is timed is the learner's own sum, or one of ours that sleeps: long in its first call, as a first call
 * really does while code is loaded, less in the second, and a little in each of the others. So the time of
 * the last calls, however many are looked at, has two bounds that hold on any machine, however busy it is:
 * the sleeps themselves, and what passes between the end of the call before and the return of
 * milliseconds_of.
 */
#include "lessons/common/driver.h"

#include <chrono>
#include <cstring>
#include <thread>

float library_sum(const float *d_in, int n);
float milliseconds_of(float (*sum)(const float *, int), const float *d_in, int n, int repeats);

enum { FIRST_SLEEP = 130, SECOND_SLEEP = 40, LATER_SLEEP = 10 }; /* ms */
enum { MOST_CALLS = 64 };
/* The bounds are of the last `repeats` calls, of one more, and of all. */
enum { MEAN, CALLS, STRANGE, LEAST, MOST, LEAST_MORE, MOST_MORE, LEAST_ALL, MOST_ALL, TIME_COUNT };
/* One answer each: the judge follows the largest answer back to the kernels, and that is to be the sum. */
static const char *const names[TIME_COUNT] = {"mean",       "calls",     "strange",   "least",   "most",
                                              "least_more", "most_more", "least_all", "most_all"};

typedef std::chrono::steady_clock Clock;
typedef struct Timed {
    const float *d_in;
    int n, calls, strange;
    bool slow;
    Clock::time_point begin, ends[MOST_CALLS + 1]; /* of call i, counted from 1 */
    float slept[MOST_CALLS + 1];
    float sum; /* of the last call */
} Timed;
static Timed timed;

__global__ void driver_first_kernel(float *d_out, const float *d_in) {
    *d_out = *d_in;
}

static float milliseconds_since(Clock::time_point then) {
    return std::chrono::duration<float, std::milli>(Clock::now() - then).count();
}

static float slow_sum(const float *d_in) {
    float *d_out = NULL, value = 0.0F;
    if (cudaMalloc(&d_out, sizeof(float)) != cudaSuccess) return 0.0F;
    driver_first_kernel<<<1, 1>>>(d_out, d_in);
    const bool copied = cudaMemcpy(&value, d_out, sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(d_out);
    /* Behind the wait, so that it lies between two events however late the first one is reached. */
    static const int sleeps[] = {FIRST_SLEEP, SECOND_SLEEP};
    const Clock::time_point before = Clock::now();
    const int sleep = timed.calls <= 2 ? sleeps[timed.calls - 1] : LATER_SLEEP;
    std::this_thread::sleep_for(std::chrono::milliseconds(sleep));
    if (timed.calls <= MOST_CALLS) timed.slept[timed.calls] = milliseconds_since(before);
    return copied ? value : 0.0F;
}

static float timed_sum(const float *d_in, int n) {
    timed.calls++;
    timed.strange += d_in != timed.d_in || n != timed.n;
    const float sum = timed.slow ? slow_sum(timed.d_in) : library_sum(timed.d_in, timed.n);
    if (timed.calls <= MOST_CALLS) timed.ends[timed.calls] = Clock::now();
    return timed.sum = sum;
}

/* What the last `count` calls take at least and at most, in all; 0 where there were not so many. */
static void bound(float *least, float *most, int count) {
    *least = *most = 0.0F;
    if (count > timed.calls || timed.calls > MOST_CALLS) return;
    const int before = timed.calls - count;
    for (int call = before + 1; call <= timed.calls; call++)
        *least += timed.slept[call];
    *most = milliseconds_since(before > 0 ? timed.ends[before] : timed.begin);
}

static void take_time(float *time, const float *d_in, int n, int repeats, bool slow) {
    memset(&timed, 0, sizeof timed);
    timed.d_in = d_in;
    timed.n = n;
    timed.slow = slow;
    timed.begin = Clock::now();
    time[MEAN] = milliseconds_of(timed_sum, d_in, n, repeats);
    bound(&time[LEAST], &time[MOST], repeats);
    bound(&time[LEAST_MORE], &time[MOST_MORE], repeats + 1);
    bound(&time[LEAST_ALL], &time[MOST_ALL], timed.calls);
    time[CALLS] = (float)timed.calls;
    time[STRANGE] = (float)timed.strange;
}

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_in = driver_device_input(driven, "in", &n);
    const int repeats = driver_input_int(driven, "repeats");
    const bool slow = driver_input_int(driven, "slow") != 0;
    float sum = 0.0F, time[TIME_COUNT] = {0.0F};
    if (!slow) sum = library_sum(d_in, (int)n);
    if (repeats > 0) take_time(time, d_in, (int)n, repeats, slow);
    if (repeats > 0 && timed.calls > 0) sum = timed.sum; /* nothing that a call before it did may show */
    for (int i = 0; i < TIME_COUNT; i++)
        driver_answer_floats(driven, names[i], &time[i], 1);
    driver_answer_floats(driven, "sum", &sum, 1);
}
