/* sm_35_intrinsics.h - a name that old programs include; the functions are in device_intrinsics.h. */
#ifndef __SM_35_INTRINSICS_H__
#define __SM_35_INTRINSICS_H__

#include "device_intrinsics.h"

#endif
