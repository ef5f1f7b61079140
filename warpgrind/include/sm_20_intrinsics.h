/* sm_20_intrinsics.h - a name that old programs include; the functions are in device_functions.h. */
#ifndef __SM_20_INTRINSICS_H__
#define __SM_20_INTRINSICS_H__
#include "device_functions.h"
#endif
