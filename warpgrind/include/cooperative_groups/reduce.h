/* cooperative_groups/reduce.h - cooperative_groups::reduce is part of cooperative_groups.h here. */
#ifndef WARPGRIND_COOPERATIVE_GROUPS_REDUCE_H
#define WARPGRIND_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"
#endif
