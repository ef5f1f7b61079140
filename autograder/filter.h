/* filter.h - the system call filter of untrusted processes, as a file that bubblewrap loads. */
#ifndef AUTOGRADER_FILTER_H
#define AUTOGRADER_FILTER_H

#include <stdbool.h>

/** Writes the filter's program to the file; `may_fork` for the compiler. False with errno set. */
bool filter_write(const char *path, bool may_fork);

#endif
