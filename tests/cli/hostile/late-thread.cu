// kind: any
// never: "verdict": "pass"
#include <pthread.h>
#include <unistd.h>

static struct Work {
    float *z;
    const float *x, *y;
    int n;
} work;
static void *later(void *) {
    usleep(1000);
    for (int i = 0; i < work.n; i++)
        work.z[i] = work.x[i] + work.y[i];
    return nullptr;
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    work = {h_z, h_x, h_y, n};
    pthread_t thread;
    pthread_create(&thread, nullptr, later, nullptr);
    pthread_join(thread, nullptr);
}
