/* stage.h - the judge's own view of the file system, in which a check happens.
 *
 * The process that enters a stage gets a mount namespace of its own with an empty memory file system over
 * /tmp: nothing of it is visible outside, and it vanishes with the process, also after kill -9. The toolkit's
 * files are bound into it from descriptors, so that an unprivileged user can reach them wherever the checkout
 * lies. Where the system allows no namespaces and the caller asks for it by name, the stage is an ordinary
 * folder, and nothing is locked in.
 *
 *     kit                     what the compiler needs; its sandbox sees it where the build folder is outside
 *     run                     the runtime library; the program's sandbox sees it there
 *     device                  the software GPU, which no sandbox sees
 *     source                  the copy of the student's file
 *     object                  what the compiler makes; a file system of its own, of limited size
 *     cases/NN                the inputs
 *     answers0, answers1      what the programs leave; file systems of their own
 *     scratch0, scratch1      the programs' /tmp; the same
 *     scratch                 the compiler's /tmp; the same
 *     reports                 what the devices report
 *     filter-*                the system call filters
 */
#pragma once

#include "autograder/sandbox/cgroup.h"
#include "autograder/sandbox/trust.h"
#include "base/diag.h"

#include <sys/types.h>

/* The stage is the working folder of the process that entered it. */
#define STAGE "."
/** Of the system call filters, the one with this number (FilterFor). */
#define STAGE_FILTER STAGE "/filter-"
#define STAGE_DRIVER_OBJECT STAGE "/kit/lesson/driver.o"
#define STAGE_DRIVER_SOURCE STAGE "/kit/lesson/driver.cu" /**< of a driver with kernels of its own */

/** The level of a stage in which nothing can be locked in, because the system does not allow it. */
#define STAGE_FORBIDDEN "forbidden"
#define STAGE_REMEDY                                                                                         \
    "programs of students run in a sandbox, which this system does not allow; make doctor says how to get "  \
    "it (a file of your own may do without: --sandbox=none)"

/** The private file system of a check, and how well it locks in what runs there. */
typedef struct Stage {
    uid_t user;                   /**< what the compiler and the program run as; (uid_t)-1: as we do */
    uid_t device_user;            /**< what the device runs as; the same */
    TrustSet layers;              /**< how well they are locked in */
    char level[TRUST_NAME_BYTES]; /**< the same for the result; STAGE_FORBIDDEN after a refusal of the
                                     system's */
    CgroupBase groups;            /**< where groups can be made, when asked for */
    char folder[1024];            /**< "/tmp", or in an open stage a folder of its own in $TMPDIR */
    bool open;                    /**< nothing is locked in */
} Stage;

/** Enters the stage for good: call it in a process made for one check. False and an error with a remedy when
 * the system does not allow it. */
bool stage_enter(Stage *stage, const char *build, const char *lesson, Diagnostics *diagnostics);
/** From here on programs, devices and the compiler get groups (cgroup.h), where the system has any. */
void stage_use_groups(Stage *stage);
/** A group of that name; without groups one that limits nothing. False with errno set. */
bool stage_make_group(const Stage *stage, Cgroup *group, const char *name, long memory_mib, long processes);
/** The same without namespaces: for a file that the caller trusts. */
bool stage_enter_open(Stage *stage, const char *build, const char *lesson, Diagnostics *diagnostics);
/** Notes that the system does not allow what the stage needs. */
void stage_forbid(Stage *stage);
/** When everything untrusted is dead: this process becomes the program's user, whose answers it is to read,
 * and gives up every system call that reading does not need (retired.def). Nothing to do in an open stage. */
bool stage_retire(const Stage *stage, Diagnostics *diagnostics);
/** Removes the folder of an open stage. */
void stage_leave(const Stage *stage);
/** Whose a folder of the stage is. */
typedef enum StageFor {
    STAGE_FOR_PROGRAM, /**< and the compiler: nobody else's */
    STAGE_FOR_BOTH,    /**< the program's, and the device may read it */
    STAGE_FOR_DEVICE
} StageFor;

/** A folder of the stage that untrusted processes may write to, at most `mib` mebibytes and 4096 files. */
bool stage_add_output(Stage *stage, StageFor whose, const char *path, long mib, Diagnostics *diagnostics);
