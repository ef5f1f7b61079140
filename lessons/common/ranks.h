/* ranks.h - what a driver of ranks needs: it calls the learner's function, and sees that the ranks meet.
 *
 * An MPI may let a rank through a collective call that the others never make, when there is nothing to send:
 * then a program is right by luck, and hangs under another MPI. So the calls of collectives.def stand here in
 * place of the library's, which are reached by their second names (PMPI_...). Before each of them, and when
 * the function returns, the ranks of the communicator tell each other where they are. All must be at the same
 * call. If not, one of them tells the device which rank waits where, and the program ends with status 72.
 *
 * For a lesson's driver.cu, once: it defines functions. Like all of a driver it decides nothing.
 */
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <mpi.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

enum { STATUS_DRIVER = 70, STATUS_RANKS = 72 };

/* How ranks miss each other, as the device's messages number it (device/serve/serve_ranks.c). */
enum RanksFault { RANKS_ONE_HAS_LEFT, RANKS_AT_TWO_CALLS, RANKS_OF_THE_WORLD, RANKS_NUMBERED_BY_THE_WORLD };

/* Only the software GPU has it. `call`, `other`: return addresses in the learner's code; NULL for none. */
extern "C" void warpgrindRanksApart(int fault, const void *call, const void *other, const char *text)
    __attribute__((weak));

/* The rows of collectives.def by number; 0 is the return from the learner's function. */
enum RanksPlace {
    RANKS_RETURNED,
#define COLLECTIVE(name, shares, parameters, arguments) RANKS_##name,
#include "lessons/common/collectives.def"
};

static const struct RanksRow {
    const char *name;
    bool shares; /* it hands out by the ranks' numbers */
} ranks_rows[] = {
    {"", true},
#define COLLECTIVE(name, shares, parameters, arguments) {"MPI_" #name, shares},
#include "lessons/common/collectives.def"
};

/* Where a rank is. `numbered`: the call that asked MPI_COMM_WORLD for what only `comm` can tell. */
struct RanksState {
    int place, of_the_world;
    uint64_t call, numbered;
};

/* Where the function asked for a rank's number, or for how many there are, first in the world and first
 * elsewhere. */
struct RanksAsked {
    const void *world, *given;
};

/* The call of the learner's function that is going on. The library's functions have no place for it. */
static struct {
    MPI_Comm given, own; /* `own` has the same ranks, for what they tell each other; MPI_COMM_NULL outside */
    MPI_Comm machine;    /* the ranks of one machine; their numbers say nothing of those in `given` */
    RanksAsked rank, ranks;
} ranks_call = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL, {NULL, NULL}, {NULL, NULL}};

/* "rank 2", "ranks 0, 1 and 3" */
static std::string ranks_list(const std::vector<int> &ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t i = 0; i < ranks.size(); i++) {
        if (i > 0) text += i + 1 < ranks.size() ? ", " : " and ";
        text += std::to_string(ranks[i]);
    }
    return text;
}

static std::vector<int> ranks_at(const std::vector<RanksState> &all, int place) {
    std::vector<int> found;
    for (size_t i = 0; i < all.size(); i++)
        if (all[i].place == place) found.push_back((int)i);
    return found;
}

/* "ranks 0 and 1 wait in MPI_Gatherv, and rank 2 has returned" */
static std::string ranks_describe(const std::vector<RanksState> &all) {
    const int rows = (int)(sizeof ranks_rows / sizeof *ranks_rows);
    std::string text;
    for (int i = 1; i <= rows; i++) {
        const int place = i % rows; /* those that have returned come last */
        const std::vector<int> there = ranks_at(all, place);
        if (there.empty()) continue;
        const bool one = there.size() == 1;
        if (!text.empty()) text += ", and ";
        text += ranks_list(there);
        if (place == RANKS_RETURNED)
            text += one ? " has returned" : " have returned";
        else
            text += (one ? " waits in " : " wait in ") + std::string(ranks_rows[place].name);
    }
    return text;
}

/* The speaker tells the device; the others wait for the end, which comes with it. */
[[noreturn]] static void ranks_end(bool speaker, RanksFault fault, uint64_t call, uint64_t other,
                                   const std::string &text) {
    while (!speaker)
        pause();
    if (warpgrindRanksApart != NULL)
        warpgrindRanksApart(fault, (const void *)call, (const void *)other, text.c_str());
    else
        fprintf(stderr, "%s\n", text.c_str());
    fflush(NULL);
    _exit(STATUS_RANKS);
}

/* The first rank that waits speaks. The other place is that of the next one which is elsewhere. */
static void ranks_compare(const std::vector<RanksState> &all, int rank) {
    for (size_t i = 0; i < all.size(); i++) {
        const bool speaker = (int)i == rank;
        const std::string name = ranks_rows[all[i].place].name;
        if (all[i].of_the_world) ranks_end(speaker, RANKS_OF_THE_WORLD, all[i].call, 0, name);
        if (all[i].numbered)
            ranks_end(speaker, RANKS_NUMBERED_BY_THE_WORLD, all[i].numbered, 0, std::to_string(all.size()));
    }
    int first = 0;
    while (first + 1 < (int)all.size() && all[first].place == RANKS_RETURNED)
        first++;
    bool left = false;
    uint64_t other = 0;
    for (size_t i = 0; i < all.size(); i++) {
        if (all[i].place == RANKS_RETURNED) left = true;
        if (other == 0 && all[i].place != all[first].place) other = all[i].call;
    }
    if (all[first].place == RANKS_RETURNED || (!left && other == 0)) return;
    ranks_end(first == rank, left ? RANKS_ONE_HAS_LEFT : RANKS_AT_TWO_CALLS, all[first].call, other,
              ranks_describe(all));
}

static uint64_t ranks_asked_amiss(const RanksAsked *asked) {
    if (asked->given == NULL) return (uint64_t)asked->world;
    return 0;
}

static RanksState ranks_state(int place, MPI_Comm comm, const void *call) {
    RanksState state = {place, comm == MPI_COMM_WORLD, (uint64_t)call, 0};
    if (!ranks_rows[place].shares) return state;
    state.numbered = ranks_asked_amiss(&ranks_call.rank);
    if (state.numbered == 0) state.numbered = ranks_asked_amiss(&ranks_call.ranks);
    return state;
}

/* This rank is at `place`, called from `call`, and goes on when all are there. */
static void ranks_meet(int place, MPI_Comm comm, const void *call) {
    if (ranks_call.own == MPI_COMM_NULL || (comm != ranks_call.given && comm != MPI_COMM_WORLD)) return;
    int rank = 0, ranks = 0;
    PMPI_Comm_rank(ranks_call.own, &rank);
    PMPI_Comm_size(ranks_call.own, &ranks);
    const RanksState own = ranks_state(place, comm, call);
    std::vector<RanksState> all(ranks);
    PMPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, ranks_call.own);
    ranks_compare(all, rank);
}

/* mpiexec ends a rank's words with the rank: what it has not read by then is lost. */
static void ranks_await_reader() {
    static const timespec pause = {0, 1000 * 1000};
    enum { MOST_PAUSES = 2000 };
    int unread = 0;
    for (int i = 0; i < MOST_PAUSES && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; i++)
        nanosleep(&pause, NULL);
}

/* MPI's end after an error, with its words first. */
static void ranks_stop(MPI_Comm *, int *error, ...) {
    enum { ROOM = 8 * MPI_MAX_ERROR_STRING }; /* MPICH 4.0 writes more than it promises */
    static char stack[ROOM], reason[ROOM];
    int length = 0, kind = 0;
    PMPI_Error_string(*error, stack, &length);
    PMPI_Error_class(*error, &kind);
    PMPI_Error_string(kind, reason, &length);
    fprintf(stderr, "%s\nMPI: %s\n", stack, reason);
    ranks_await_reader();
    close(STDERR_FILENO); /* MPI_Abort's own words say less, and may come or not */
    PMPI_Abort(MPI_COMM_WORLD, kind);
}

/* Around the call of the learner's function with `comm`. */
static void ranks_begin(MPI_Comm comm) {
    MPI_Errhandler handler;
    PMPI_Comm_create_errhandler(ranks_stop, &handler);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    PMPI_Errhandler_free(&handler);
    PMPI_Comm_dup(comm, &ranks_call.own);
    ranks_call.given = comm;
    ranks_call.machine = MPI_COMM_NULL;
    ranks_call.rank = ranks_call.ranks = {NULL, NULL};
}

static void ranks_return() {
    ranks_meet(RANKS_RETURNED, ranks_call.given, NULL);
    PMPI_Comm_free(&ranks_call.own);
}

static void ranks_ask(RanksAsked *asked, MPI_Comm comm, const void *call) {
    if (comm == ranks_call.machine) return;
    const void **first;
    if (comm == MPI_COMM_WORLD)
        first = &asked->world;
    else
        first = &asked->given;
    if (*first == NULL) *first = call;
}

extern "C" int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    ranks_ask(&ranks_call.rank, comm, __builtin_return_address(0));
    return PMPI_Comm_rank(comm, rank);
}

extern "C" int MPI_Comm_size(MPI_Comm comm, int *ranks) {
    ranks_ask(&ranks_call.ranks, comm, __builtin_return_address(0));
    return PMPI_Comm_size(comm, ranks);
}

/* A communicator's group tells a rank's number in it, too, and how many there are. */
extern "C" int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    if (comm != MPI_COMM_WORLD) {
        ranks_ask(&ranks_call.rank, comm, __builtin_return_address(0));
        ranks_ask(&ranks_call.ranks, comm, __builtin_return_address(0));
    }
    return PMPI_Comm_group(comm, group);
}

#define COLLECTIVE_BY_HAND(name, shares, parameters, arguments)
#define COLLECTIVE(name, shares, parameters, arguments)                                                      \
    extern "C" int MPI_##name parameters {                                                                   \
        ranks_meet(RANKS_##name, comm, __builtin_return_address(0));                                         \
        return PMPI_##name arguments;                                                                        \
    }
#include "lessons/common/collectives.def"

/* All ranks are on one machine, even where MPICH has been told that each is on its own. */
extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
    ranks_meet(RANKS_Comm_split_type, comm, __builtin_return_address(0));
    int status;
    if (type == MPI_COMM_TYPE_SHARED)
        status = PMPI_Comm_split(comm, 0, key, made);
    else
        status = PMPI_Comm_split_type(comm, type, key, info, made);
    ranks_call.machine = *made;
    return status;
}

/* Which MPICH cannot do for ranks that it takes for those of several machines: without a word, each would see
 * its own part alone. */
extern "C" int MPI_Win_allocate_shared(MPI_Aint, int, MPI_Info, MPI_Comm comm, void *, MPI_Win *window) {
    *window = MPI_WIN_NULL;
    PMPI_Comm_call_errhandler(comm, MPI_ERR_RMA_SHARED);
    return MPI_ERR_RMA_SHARED;
}

/* The next communicator may get the same number. */
extern "C" int MPI_Comm_free(MPI_Comm *comm) {
    if (*comm == ranks_call.machine) ranks_call.machine = MPI_COMM_NULL;
    return PMPI_Comm_free(comm);
}

/* Debian's MPICH waits by asking UCX again and again. Where there are fewer cores than ranks, it takes the
 * time from the very rank that it waits for: without this, two thirds of what a check computes. */
extern "C" unsigned ucp_worker_progress(void *worker) {
    enum { USUAL = 20, NANOSECONDS = 20000 };
    static const auto library = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    static thread_local int in_vain;
    if (library == NULL) {
        fputs("driver: UCX has no ucp_worker_progress\n", stderr);
        _exit(STATUS_DRIVER);
    }
    const unsigned events = library(worker);
    if (events > 0)
        in_vain = 0;
    else
        in_vain = in_vain + 1;
    const timespec little = {0, NANOSECONDS};
    if (in_vain > USUAL) nanosleep(&little, NULL);
    return events;
}
