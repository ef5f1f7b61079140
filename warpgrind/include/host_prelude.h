/* host_prelude.h - the C and C++ library beside device code.
 *
 * The functions of <math.h>, <stdlib.h> and so on are host functions. Clang lets a device function of the
 * same name and parameters stand beside a host function; the device ones must be declared before the C++
 * library's headers are read (constexpr functions there would otherwise count for both sides). So the order
 * below matters: our declarations, into std as well, then the headers that nvcc also includes for every file.
 */
#ifndef WARPGRIND_HOST_PRELUDE_H
#define WARPGRIND_HOST_PRELUDE_H

#include "device_library.h"

#ifdef __CUDA_ARCH__
/* libstdc++ describes the host's long double kin, which the device has not. */
#include <bits/c++config.h>
#undef _GLIBCXX_USE_FLOAT128
#endif

#include "math_functions.h"

#include <cmath>
#include <new>
#include <utility>
#include <cstdlib>
#include <cstring>
#include <ctime>
/* The C names, and those that <cmath> has only in std, in the global namespace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#endif
