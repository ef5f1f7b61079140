/* session.h - the one session with the device, which the files client*.c share. */
#pragma once

#include "cudart/client.h"
#include "cudart/evidence.h"

#include <pthread.h>
#include <sys/types.h>

/** The connection, and what is remembered of the program's calls. Whoever uses it holds the mutex, but for
 * the image, which does not change, the counters, which are atomic, and crashes. */
typedef struct Session {
    pthread_mutex_t mutex;
    bool started, alive;
    int socket, window_file;
    uint8_t *window;
    ClientImage image;
    pid_t process;
    int exit_status;
    uint32_t last_thread;
    Watch watch;
    Evidence evidence;
    ClientKernel *kernels; /* those launched so far, newest first */
    ClientReference *references;
    unsigned gathering; /* the argument of a launch that is being read, counted from 1; 0: none */
    bool dying;         /* the crash below is being told */
    WireRequest crash;
    unsigned calls;
    unsigned launches, launches_at_clock; /**< the latter one more than there were; 0: no clock was read */
} Session;

/** Hidden: a program may have a variable of any name. */
extern Session client_session __attribute__((visibility("hidden")));

/** From a signal handler: the connection may be in the middle of a call, which the device expects. */
void client_tell_at_once(WireRequest *request);
/** This thread is in a host function, which runs in the middle of a call. */
bool client_in_host_function(void);
/** A host function's thread holds the mutex already. */
void client_lock(void);
void client_unlock(void);
/** Protects what work uses. The caller holds the mutex. */
void client_protect_ranges(const WireRange *ranges, size_t count);
