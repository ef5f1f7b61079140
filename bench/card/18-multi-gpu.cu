/* Rows: n numbers from pinned memory through all devices and back, on 1, 2, 4 and 8 devices, as far as the
 * machine has them. Each count is measured in a process of its own, which sees no other devices. */
#include "card.h"

#include <string>
#include <sys/wait.h>
#include <unistd.h>

void decay_on_all(float *h_x, int n, int steps);

static void measure_one(const char *version, int devices, int n, int steps) {
    float *x = NULL;
    CARD_CHECK(cudaMallocHost(&x, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        x[i] = 0.25f * (float)(i % 1000 - 500);
    double time = card_microseconds([&] { decay_on_all(x, n, steps); }, n > 10000000 ? 11 : 51);
    printf("%s,%d,%d,%d,%.0f\n", version, devices, n, steps, time);
    CARD_CHECK(cudaFreeHost(x));
}

/* The other versions at one size only. */
static void measure(const char *version, int devices, bool all) {
    if (all) measure_one(version, devices, 1000000, 10);
    measure_one(version, devices, 100000000, 10);
    if (all) measure_one(version, devices, 100000000, 10000);
}

/* In the child; the runtime has not been used before. */
static int measure_alone(const char *version, int devices, bool all) {
    std::string visible = "0";
    for (int d = 1; d < devices; d++)
        visible += "," + std::to_string(d);
    setenv("CUDA_VISIBLE_DEVICES", visible.c_str(), 1);
    int count = 0;
    CARD_CHECK(cudaGetDeviceCount(&count));
    if (count == devices) measure(version, devices, all);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,devices,n,steps,time (us)\n");
    for (int devices : {1, 2, 4, 8}) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int status = measure_alone(argc > 1 ? argv[1] : "solution", devices, argc < 2);
            fflush(stdout);
            _exit(status);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return EXIT_FAILURE;
    }
}
