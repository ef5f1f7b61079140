/* device_library.h - what of the C library device code may call: printf, assert, malloc, free, memcpy,
 * memset, new, delete.
 *
 * The machine does printf (clang turns it into vprintf), assertions and allocation by name; see
 * gpu/alu/library.def.
 */
#ifndef WARPGRIND_DEVICE_LIBRARY_H
#define WARPGRIND_DEVICE_LIBRARY_H

#include "host_defines.h"
#include <stddef.h>

extern "C" {
__device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
__device__ int vprintf(const char *format, const char *arguments);
__device__ void *malloc(size_t bytes) __attribute__((malloc));
__device__ void free(void *memory);
__device__ void __assertfail(const char *condition, const char *file, unsigned int line, const char *function,
                             size_t character_bytes) __attribute__((noreturn));
}

/* Clang makes loops of these builtins; there is nothing to call. */
__WARPGRIND_DEVICE__ void *memcpy(void *to, const void *from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
__WARPGRIND_DEVICE__ void *memmove(void *to, const void *from, size_t bytes) {
    return __builtin_memmove(to, from, bytes);
}
__WARPGRIND_DEVICE__ void *memset(void *to, int value, size_t bytes) {
    return __builtin_memset(to, value, bytes);
}

/* What <assert.h> calls. */
extern "C" __device__ __WARPGRIND_INLINE__ __attribute__((noreturn)) void
__assert_fail(const char *condition, const char *file, unsigned int line, const char *function) noexcept {
    __assertfail(condition, file, line, function, sizeof(char));
}

#endif
