/* ranks.c - see ranks.h. */
#include "autograder/run/ranks.h"

#include "autograder/sandbox/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

unsigned ranks_to_start(const Check *check, unsigned first, unsigned end) {
    int64_t most = 1;
    for (unsigned i = first; i < end; i++)
        if (check->settings[i].ranks > most) most = check->settings[i].ranks;
    return (unsigned)most;
}

size_t ranks_add_words(const Check *check, unsigned first, unsigned ranks, const char **words) {
    if (check->settings[first].ranks == 0) return 0;
    words[0] = "/usr/bin/mpiexec.mpich";
    words[1] = "-n";
    words[2] = arena_format(check->arena, "%u", ranks);
    if (words[2] != NULL) return 3;
    return 0;
}

/* "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)". A program may print so,
 * too: it then says how it wants to have ended, and has ended without an answer all the same. */
int ranks_signal(const Text *said) {
    const char *words = strstr(said->bytes, "TERMINATED WITH THE EXIT STRING: ");
    const char *number = NULL;
    if (words != NULL) number = strstr(words, "(signal ");
    long value = 0;
    if (number != NULL) value = strtol(number + strlen("(signal "), NULL, 10);
    if (value > 0 && value < NSIG) return (int)value;
    return 0;
}

size_t ranks_words_begin(const Text *said) {
    const char *line = strstr(said->bytes, "\n======");
    if (line != NULL) return (size_t)(line - said->bytes);
    return said->length;
}

/* The sockets of the ranks' devices: the filter's descriptor stands between the first and the others. */
const char *ranks_name_sockets(const Check *check, unsigned ranks) {
    const char *names = arena_format(check->arena, "%d", CHILD_EXTRA_FD);
    for (unsigned i = 1; i < ranks && names != NULL; i++)
        names = arena_format(check->arena, "%s,%d", names, CHILD_MORE_FD + (int)i - 1);
    return names;
}

/* MPICH's transport: shared memory alone, no search for the machine's parts, and no complaints that there is
 * no network. It takes each rank for one of another machine: those of one wait for each other in MPI_Init by
 * looking again and again, which is a third of what a check computes where there are fewer cores than ranks.
 * Their messages go through shared memory all the same, and the driver knows that they are on one machine
 * (lessons/common/ranks.h). LIMIT: MPI_Win_allocate_shared gives an error. */
const char *const *ranks_environment(Arena *arena, const char *name, const char *value) {
    static const char *const usual[] = {"LD_LIBRARY_PATH",   "/warpschool/lib",
                                        "UCX_LOG_LEVEL",     "fatal",
                                        "UCX_HANDLE_ERRORS", "none",
                                        "UCX_TLS",           "posix,self",
                                        "MPIR_CVAR_NOLOCAL", "1",
                                        "HWLOC_COMPONENTS",  "-linux,-pci,no_os"};
    enum { USUAL = sizeof usual / sizeof *usual };
    const char **all = ARENA_ARRAY(arena, USUAL + 3, const char *);
    if (all == NULL || value == NULL) return NULL;
    for (unsigned i = 0; i < USUAL; i++)
        all[i] = usual[i];
    all[USUAL] = name;
    all[USUAL + 1] = value;
    return all;
}
