/* nvToolsExt.h - the older place of nvtx3/nvToolsExt.h. */
#ifndef WARPGRIND_NV_TOOLS_EXT_OLD_H
#define WARPGRIND_NV_TOOLS_EXT_OLD_H
#include "nvtx3/nvToolsExt.h"
#endif
