/* sm_32_intrinsics.h - a name that old programs include; the functions are in device_intrinsics.h. */
#ifndef __SM_32_INTRINSICS_H__
#define __SM_32_INTRINSICS_H__

#include "device_intrinsics.h"

#endif
