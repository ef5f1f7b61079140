/* texture_indirect_functions.h - a name that old programs include; the functions are in texture_functions.h. */
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "texture_functions.h"

#endif
