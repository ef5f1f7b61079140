/* supervise.c - see supervise.h. */
#include "device/command/supervise.h"
#include "base/clock.h"
#include "base/minmax.h"
#include "device/process/halt.h"

#include <errno.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int stops[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
enum { STOPS = sizeof stops / sizeof *stops };

/** What somebody has chosen to ignore (nohup) stays ignored. */
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void supervise_begin(Supervisor *supervisor) {
    *supervisor = (Supervisor){.self = getpid()};
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&supervisor->watched);
    sigaddset(&supervisor->watched, SIGCHLD);
    sigaddset(&supervisor->watched, SIGIO);
    for (int i = 0; i < STOPS; i++)
        if (!is_ignored(stops[i])) sigaddset(&supervisor->watched, stops[i]);
    sigprocmask(SIG_BLOCK, &supervisor->watched, &supervisor->before);
}

void supervise_end(const Supervisor *supervisor) {
    sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
}

void supervise_follow(const Supervisor *supervisor) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor->self) _exit(1); /* it died before the line above */
}

void supervise_release(const Supervisor *supervisor) {
    sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
}

/* ---- waiting ---- */

/** The next signal of the watched ones; 0 when none came before the deadline (0: there is none). */
static int next_signal(const Supervisor *supervisor, int64_t deadline) {
    int64_t left = INT32_MAX;
    if (deadline != 0) left = deadline - clock_ms();
    if (left < 0) left = 0;
    struct timespec wait = {.tv_sec = (time_t)(left / 1000), .tv_nsec = (long)(left % 1000 * 1000000)};
    int number = sigtimedwait(&supervisor->watched, NULL, &wait);
    return MAX(number, 0);
}

static void send(pid_t process, int number) {
    if (process > 0) kill(process, number);
}

static bool told_to_stop(Supervisor *supervisor, int number) {
    if (number == SIGIO && supervisor->knock != NULL) supervisor->knock(supervisor->knock_self);
    if (number == 0 || number == SIGCHLD || number == SIGIO) return false;
    bool again = supervisor->stopped_by != 0;
    if (!again) supervisor->stopped_by = number;
    send(supervisor->device, HALT_SIGNAL);
    send(supervisor->hub, number);
    send(supervisor->program, again ? SIGKILL : number);
    return true;
}

/** Waits until the process has ended. Once warpgrind is told to stop, it has `patience` milliseconds left. */
static int wait_for(Supervisor *supervisor, pid_t *process, int64_t patience) {
    int status = 0;
    int64_t deadline = 0;
    if (supervisor->stopped_by != 0) deadline = clock_ms() + patience;
    for (;;) {
        pid_t gone = waitpid(*process, &status, WNOHANG);
        if (gone == *process || (gone < 0 && errno != EINTR)) break;
        bool stopped = told_to_stop(supervisor, next_signal(supervisor, deadline));
        if (stopped && deadline == 0) deadline = clock_ms() + patience;
        if (deadline != 0 && clock_ms() >= deadline) send(*process, SIGKILL);
    }
    *process = 0;
    return status;
}

int supervise_program(Supervisor *supervisor) {
    return wait_for(supervisor, &supervisor->program, SUPERVISE_GRACE_MS);
}

int supervise_device(Supervisor *supervisor) {
    int status = wait_for(supervisor, &supervisor->device, SUPERVISE_REPORT_MS);
    /* One that came together with the end of both has not been looked at. */
    int number;
    do
        number = next_signal(supervisor, clock_ms());
    while (number == SIGCHLD || number == SIGIO);
    told_to_stop(supervisor, number);
    return status;
}

void supervise_hub(Supervisor *supervisor) {
    if (supervisor->hub > 0) (void)wait_for(supervisor, &supervisor->hub, 2 * SUPERVISE_REPORT_MS);
}
