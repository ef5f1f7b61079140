/* sm_30_intrinsics.h - a name that old programs include; the functions are in device_functions.h. */
#ifndef WARPGRIND_SM_30_INTRINSICS_H
#define WARPGRIND_SM_30_INTRINSICS_H
#include "device_functions.h"
#endif
