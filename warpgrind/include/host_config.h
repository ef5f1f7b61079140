/* host_config.h - an inner header of NVIDIA's that programs name; all it has is in host_defines.h. */
#ifndef WARPGRIND_HOST_CONFIG_H
#define WARPGRIND_HOST_CONFIG_H

#include "host_defines.h"

#endif
