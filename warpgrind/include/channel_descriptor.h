/* channel_descriptor.h - a name that old programs include; cudaCreateChannelDesc<T> is in cuda_runtime_templates.h. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime.h"

#endif
