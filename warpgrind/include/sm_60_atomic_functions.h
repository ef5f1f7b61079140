/* sm_60_atomic_functions.h - a name that old programs include; the functions are in
 * device_atomic_functions.h. */
#ifndef WARPGRIND_SM_60_ATOMIC_FUNCTIONS_H
#define WARPGRIND_SM_60_ATOMIC_FUNCTIONS_H
#include "device_atomic_functions.h"
#endif
