/* hub.h - the hub: one process that gives a device to each process of a program that has several, and gathers
 * their reports.
 *
 * `mpirun -n 4 warpgrind ./program`: four launchers. The first one makes the hub, which outlives all of them,
 * since an mpirun that ends early kills those that it has started: the hub is in a session of its own, and
 * prints the report when the last of its processes has ended. `warpgrind mpirun -n 4 ./program`: one
 * launcher, which starts the hub when the first process asks for a device, and takes the reports from it.
 *
 * The devices are the hub's children. A process is known by its connection: when that closes, the process has
 * ended, however it did, and its device comes to its end as well: by itself, or, after a while, by force. So
 * nothing waits without end, and nothing is left over.
 */
#pragma once

#include "cudart/hub.h"
#include "device/command/launcher.h"

/** A socket that listens at the abstract name; -1 with errno set (EADDRINUSE: there is a hub). */
int hub_listen(const char *name);

/** What a hub is started with. */
typedef struct HubPlan {
    const LauncherOptions *options;
    int listener;
    int control;   /**< closed or written to: gather what there is; -1: the hub is on its own */
    int results;   /**< the file for the list of reports, when it is not on its own */
    int elsewhere; /**< mpirun's own stderr, for when mpirun no longer reads what its processes print; -1 */
} HubPlan;

/** Makes the process; -1 with errno set. The caller closes its copies of the descriptors. */
pid_t hub_start(const HubPlan *plan);

/* ---- a launcher that mpirun has started ---- */

/** A launcher's place among those of one mpirun. */
typedef struct HubSeat {
    char name[HUB_NAME_BYTES];
    int connection;
    int wire; /**< the program's end of its device's socket */
    pid_t device;
} HubSeat;

/** Finds the hub of this mpirun, or makes it; false with errno set when there can be none. */
bool hub_join(const LauncherOptions *options, HubRank rank, const char *program, HubSeat *seat);
/** The program has ended: the status to exit with, which for the last one is that of the whole. `otherwise`:
 * when the hub has gone. */
int hub_leave(HubSeat *seat, int status, int stopped_by, int otherwise);
