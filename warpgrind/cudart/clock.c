/* clock.c - the program looks at a clock. A launch returns at once, so a time taken right behind it is not
 * the kernel's: the device is told of a clock that is read after a launch, and knows whether anybody has
 * waited.
 *
 * clock_gettime and gettimeofday are libc's. They stand here under libc's own versions, hidden from the
 * linker, so that a program that nvcc linked is not bound to this library for them and runs with any other
 * libcudart. (gold binds it all the same: what clang made runs with this library only.)
 */
#include "cudart/client.h"

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

EXPORT int clock_read_time(clockid_t clock, struct timespec *time);
EXPORT int clock_read_day(struct timeval *time, void *zone);

__asm__(".symver clock_read_time, clock_gettime@GLIBC_2.17");
__asm__(".symver clock_read_day, gettimeofday@GLIBC_2.2.5");

typedef int ReadTime(clockid_t clock, struct timespec *time);
typedef int ReadDay(struct timeval *time, void *zone);

int clock_read_time(clockid_t clock, struct timespec *time) {
    ReadTime *read = (ReadTime *)(uintptr_t)dlsym(RTLD_NEXT, "clock_gettime");
    client_clock_read();
    if (read != NULL) return read(clock, time);
    return -1;
}

int clock_read_day(struct timeval *time, void *zone) {
    ReadDay *read = (ReadDay *)(uintptr_t)dlsym(RTLD_NEXT, "gettimeofday");
    client_clock_read();
    if (read != NULL) return read(time, zone);
    return -1;
}
