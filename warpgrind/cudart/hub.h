/* hub.h - what travels between the processes of a program that has several, and the hub, which gives each a
 * device of its own (device/command/hub.h).
 *
 * A process connects to the abstract socket that HUB_VARIABLE names, sends one HubRequest and gets one
 * HubReply, with the socket of its device beside it. The connection stays open as long as the process lives:
 * that is how the hub hears of its end. A launcher sends a second request, HUB_END, when its program has
 * ended, and exits with the status in the reply.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

/** "PID NAME": the socket in WIRE_SOCKET_VARIABLE is process PID's own; all others ask the hub at NAME. */
#define HUB_VARIABLE "WARPGRIND_HUB"
#define HUB_MAGIC UINT32_C(0x57475232)
enum { HUB_PROGRAM_BYTES = 1024, HUB_NAME_BYTES = 100 };

typedef enum HubKind {
    HUB_PROCESS, /**< a program that asks by itself */
    HUB_JOIN,    /**< a launcher, for the program that it will start */
    HUB_END      /**< its program has ended */
} HubKind;

/** Which of how many processes this is; rank -1: nobody has said. */
typedef struct HubRank {
    int32_t rank, ranks, here; /**< here: of this machine; 0 unknown */
} HubRank;

typedef struct HubRequest {
    uint32_t magic, kind;
    HubRank rank;
    int32_t status;     /**< END: as waitpid gives it */
    int32_t stopped_by; /**< END: the signal that told the launcher to stop; 0 */
    char program[HUB_PROGRAM_BYTES];
} HubRequest;

typedef struct HubReply {
    uint32_t magic;
    int32_t device; /**< its process */
    int32_t status; /**< END: what to exit with */
} HubReply;

/** "2", or "2(x3)" as Slurm writes it; -1 when it is no number. */
static inline int32_t hub_number(const char *text) {
    char *end = NULL;
    long number = -1;
    if (text != NULL) number = strtol(text, &end, 10);
    if (text != NULL && end != text && number >= 0 && number < INT32_MAX) return (int32_t)number;
    return -1;
}

/* Each MPI tells its processes their ranks in other variables (ranks.def); the first that fit together
 * count. */
static inline HubRank hub_rank(void) {
    static const char *const variables[][3] = {
#define RANKS(rank, ranks, here) {rank, ranks, here},
#include "cudart/ranks.def"
#undef RANKS
    };
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++) {
        HubRank found = {hub_number(getenv(variables[i][0])), hub_number(getenv(variables[i][1])),
                         hub_number(getenv(variables[i][2]))};
        if (found.rank < 0 || found.ranks <= found.rank) continue;
        if (found.here < 1 || found.here > found.ranks) found.here = found.ranks;
        return found;
    }
    return (HubRank){.rank = -1};
}
