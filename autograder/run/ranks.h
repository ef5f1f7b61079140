/* ranks.h - cases that are judged by running the program as ranks of MPI.
 *
 * The system's MPICH starts them, inside the sandbox: mpiexec, the ranks and the memory through which they
 * talk are all untrusted, and prove nothing. Each rank has a device process of its own outside of it, as any
 * program has: what a rank sends is kept and compared rank by rank. All cases with ranks of one check are run
 * by one start of mpiexec, with as many ranks as the largest needs, since a start takes longer than the cases
 * do.
 */
#pragma once

#include "autograder/run/run.h"

/** Where MPICH's ranks share memory, inside the sandbox. */
#define RANKS_SHARED "/dev/shm"

/** How many processes run the cases from `first` to before `end`: 1 where they have no ranks. */
unsigned ranks_to_start(const Check *check, unsigned first, unsigned end);
/** The words before the program's own; returns their number, at most 3. */
size_t ranks_add_words(const Check *check, unsigned first, unsigned ranks, const char **words);
/** The signal that ended a rank, as mpiexec says it; 0 when it says none. */
int ranks_signal(const Text *said);
/** Where mpiexec's own words begin in what was said. */
size_t ranks_words_begin(const Text *said);
/** What MPICH needs, and one more variable: NAME, VALUE, ..., NULL, for the sandbox; NULL without memory. */
const char *const *ranks_environment(Arena *arena, const char *name, const char *value);
/** The descriptors of the ranks' devices, as the runtime library of each rank reads them. */
const char *ranks_name_sockets(const Check *check, unsigned ranks);
