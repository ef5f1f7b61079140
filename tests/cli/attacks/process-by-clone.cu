// kind: limit
// A process that is made without fork.
#include <sched.h>
#include <signal.h>
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
}
