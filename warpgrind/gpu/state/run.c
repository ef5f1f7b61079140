/* run.c - what every room may do to the launch in progress: end it, and draw a number from its seed. */
#include "gpu/state/machine.h"

void gpu_forget_repeats(Gpu *gpu) {
    gpu->forgotten++;
}

void run_end(GpuRun *run, GpuStatus status) {
    if (run->ended) return;
    run->ended = true;
    run->status = status;
}

/** What follows from a wrong value may be an endless loop, and would be no news. */
void run_fault(GpuRun *run, GpuStatus status) {
    enum { MOST_FAULTS = 1024, MOST_STEPS = 1 << 24 };
    if (run->fault == GPU_OK) {
        run->fault = status;
        uint64_t end = run->launch.warp_instructions + MOST_STEPS;
        if (run->budget > end) run->budget = end;
        if (run->pause > end) run->pause = end;
    }
    if (++run->faults > MOST_FAULTS || run->range) run_end(run, status);
}

/** splitmix64 */
uint64_t run_random(GpuRun *run) {
    uint64_t z = run->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
