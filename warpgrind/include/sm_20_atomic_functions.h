/* sm_20_atomic_functions.h - a name that old programs include; the functions are in device_atomic_functions.h. */
#ifndef __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__

#include "device_atomic_functions.h"

#endif
