// kind: any
// The ends that are not exit(): quick_exit with a handler, a destructor of a thread, and an exit inside an exit.
#include <thread>
static void leave() { _Exit(0); }
static struct Leaver { ~Leaver() { _exit(0); } } leaver;
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (int i = 0; i < n; i++) h_z[i] = h_x[i] + h_y[i];
    at_quick_exit(leave);
    if (n == 0) std::thread([] { static thread_local Leaver own; (void)&own; exit(0); }).join();
    if (n > 1) quick_exit(0);
}
