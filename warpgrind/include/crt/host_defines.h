/* host_defines.h - an inner header of NVIDIA's that programs name; all it has is in host_defines.h. */
#ifndef WARPGRIND_CRT_HOST_DEFINES_H
#define WARPGRIND_CRT_HOST_DEFINES_H

#include "../host_defines.h"

#endif
