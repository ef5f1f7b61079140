/* sm_61_intrinsics.h - a name that programs include; the functions are in device_intrinsics.h. */
#ifndef __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#include "device_intrinsics.h"
#endif
