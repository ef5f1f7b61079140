/* surface_indirect_functions.h - a name that old programs include; the functions are in surface_functions.h. */
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "surface_functions.h"

#endif
