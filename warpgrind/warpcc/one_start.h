/* one_start.h - how warpcc and the library in preload/ speak with each other. */
#pragma once

/** Stands between the two command lines, each of which begins with the compiler's path. */
#define ONE_START_NEXT "--and-at-once"
/** The variable with two descriptors: for what the second compilation says, and for OneStartStatuses. */
#define ONE_START_PIPES "WARPCC_ONE_START"
/** Its file, in the folder of the libraries. */
#define ONE_START_LIBRARY "libwarpcc_one_start.so"

/** As waitpid gives them. */
typedef struct OneStartStatuses {
    int first, second;
} OneStartStatuses;
