/* builtin_types.h - a name that old programs include; the types are in driver_types.h and vector_types.h. */
#ifndef WARPGRIND_BUILTIN_TYPES_H
#define WARPGRIND_BUILTIN_TYPES_H

#include "driver_types.h"

#endif
