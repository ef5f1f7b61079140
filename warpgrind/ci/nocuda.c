/* nocuda.c - libcuda.so.1 for processes under `warpgrind ci`: the driver's library as far as it is needed to
 * be found.
 *
 * A process that loads it was not built for the shared runtime, so no device of ours sees what it does. It
 * writes down who it is, in the file that the environment names, and has no GPU: nothing of it is checked,
 * and ci says so. LIMIT: a program that calls other functions of the driver's before cuInit, or is linked to
 * find them all at once, ends with the loader's own message.
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_NOT_FOUND = 500, DRIVER_VERSION = 13000 };

/* Whether the object asks for libcuda.so.1 by its own dynamic section. */
static int is_linked(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entries = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const char *strings = NULL;
        for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
        for (const ElfW(Dyn) *entry = entries; strings != NULL && entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_NEEDED && strcmp(strings + entry->d_un.d_val, "libcuda.so.1") == 0)
                *(int *)found = 1;
    }
    return 0;
}

/* One line, in one write: processes come side by side. */
__attribute__((constructor)) static void write_down(void) {
    const char *path = getenv("WARPGRIND_CI_UNCHECKED");
    char program[PATH_MAX], line[PATH_MAX + 16];
    if (path == NULL) return;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return;
    program[length] = '\0';
    int linked = 0;
    dl_iterate_phdr(is_linked, &linked);
    int bytes = snprintf(line, sizeof line, "%s %s\n", linked ? "driver" : "runtime", program);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return;
    if (write(file, line, (size_t)bytes) < 0) perror("warpgrind ci");
    close(file);
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int cuInit(unsigned flags);
int cuInit(unsigned flags) {
    (void)flags;
    return CUDA_ERROR_NO_DEVICE;
}

EXPORTED int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version) {
    *version = DRIVER_VERSION;
    return 0;
}

EXPORTED int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count) {
    *count = 0;
    return CUDA_ERROR_NO_DEVICE;
}

static int no_device(void) {
    return CUDA_ERROR_NO_DEVICE;
}

/* The static runtime asks for all of the driver by this one. */
EXPORTED int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long flags,
                                 int *found);
int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long flags, int *found) {
    (void)version;
    (void)flags;
    int (*answer)(void) = no_device;
    memcpy(function, &answer, sizeof answer);
    if (strcmp(name, "cuDriverGetVersion") == 0) {
        int (*of_version)(int *) = cuDriverGetVersion;
        memcpy(function, &of_version, sizeof of_version);
    }
    if (found != NULL) *found = 0;
    return 0;
}

EXPORTED int cuGetProcAddress(const char *name, void **function, int version, unsigned long flags);
int cuGetProcAddress(const char *name, void **function, int version, unsigned long flags) {
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

EXPORTED int cuGetErrorString(int error, const char **text);
int cuGetErrorString(int error, const char **text) {
    (void)error;
    *text = "no GPU: this process is not checked by warpgrind";
    return 0;
}

EXPORTED int cuGetErrorName(int error, const char **text);
int cuGetErrorName(int error, const char **text) {
    (void)error;
    *text = "CUDA_ERROR_NO_DEVICE";
    return 0;
}
