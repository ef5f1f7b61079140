/* names.h - what the runtime's functions and errors are called. */
#pragma once

#include "device/state/codes.h"

/** "cudaMalloc"; "?" for a number that no function has. */
const char *names_function(uint32_t function);
/** "cudaErrorInvalidValue", and what cudaGetErrorString says of it. */
const char *names_error(CudaCode code);
const char *names_error_text(CudaCode code);
