/* device_functions.h - barriers and fences. */
#ifndef WARPGRIND_DEVICE_FUNCTIONS_H
#define WARPGRIND_DEVICE_FUNCTIONS_H

#include "host_defines.h"

#endif
