/* supervise.h - the launcher's watch over the device and the program: who has ended, and what happens when
 * warpgrind itself is told to stop.
 *
 * SIGTERM, SIGINT, SIGHUP and SIGQUIT are blocked in the launcher and taken one by one while it waits, so
 * none comes at a bad moment. The first one is passed on to the program, and the device is asked to end its
 * launch; a program that is still there after SUPERVISE_GRACE_MS is killed. The device keeps these signals
 * blocked: a terminal sends them to everybody, and its report is still wanted. When the launcher dies without
 * warning, the kernel kills both.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

enum {
    SUPERVISE_GRACE_MS = 2000,  /**< for the program, to end in its own way */
    SUPERVISE_REPORT_MS = 20000 /**< for the device, to end its launch and write its report */
};

/** The processes that a launcher answers for, and the signals that it waits for. */
typedef struct Supervisor {
    sigset_t before, watched; /**< the signal mask that warpgrind came with; what it waits for */
    pid_t self, program, device, hub;
    void (*knock)(void *self); /**< somebody connects to a socket that signals so (SIGIO); NULL */
    void *knock_self;
    int stopped_by; /**< the signal that told warpgrind to stop; 0: none */
} Supervisor;

void supervise_begin(Supervisor *supervisor);
/** The signal mask is as it was, so from here on a signal ends warpgrind itself. */
void supervise_end(const Supervisor *supervisor);
/** In a child: it is killed when the launcher dies. */
void supervise_follow(const Supervisor *supervisor);
/** In the program's child, before it becomes the program. */
void supervise_release(const Supervisor *supervisor);
/** Waits for the program, then for the device; both give the status of waitpid. */
int supervise_program(Supervisor *supervisor);
int supervise_device(Supervisor *supervisor);
/** Waits for the hub, which has been told to gather. */
void supervise_hub(Supervisor *supervisor);
