/* elements.h - what a kernel's pointers point to, from the debug information of the program's own file.
 *
 * nvcc leaves types in optimised device code out, but its host code has a function for each kernel that is
 * called like it (__device_stub_ and the mangled name) and has the same parameters.
 */
#pragma once

#include "check/check.h"

#include <elfutils/libdw.h>

/** As CheckHostElement; the layout is allocated in the arena. */
bool elements_find(Dwarf *dwarf, Arena *arena, const char *kernel, unsigned parameter, CheckElement *element);
