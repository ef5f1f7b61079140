// kind: any
// Threads as a bomb, each with a stack; the first hundred must not be had.
// never: MANY
#include <pthread.h>
static void *wait_for_ever(void *) { for (;;) pause(); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    int made = 0;
    pthread_t thread;
    while (made < 1000 && pthread_create(&thread, nullptr, wait_for_ever, nullptr) == 0) made++;
    if (made >= 100) puts("MANY");
    fflush(stdout);
    abort();
}
