/* filter.h - the system call filter of untrusted processes, as a file that bubblewrap loads; and the judge's
 * own, for when it only looks at what they have left. */
#pragma once

#include <stdbool.h>

/** Who the filter is for; filter.def has the calls of each. */
typedef enum FilterFor {
    FILTER_FOR_PROGRAM,
    FILTER_FOR_COMPILER, /**< may start processes */
    FILTER_FOR_RANKS,    /**< may start processes, and connect those: the ranks of MPI */
    FILTER_FOR_CARD,     /**< a program with a GPU, whose driver makes a socket for itself */
    FILTER_FOR_COUNT
} FilterFor;

/** Writes the filter's program to the file. False with errno set. */
bool filter_write(const char *path, FilterFor what);
/** The same to an open file. */
bool filter_write_to(int fd, FilterFor what);
/** Leaves this process the calls of retired.def, for good. False with errno set. */
bool filter_retire(void);
