/* temporary.h - a folder for one test, removed afterwards. */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Temporary {
    char folder[64];
} Temporary;

static inline int temporary_remove_one(const char *path, const struct stat *facts, int kind,
                                       struct FTW *walk) {
    (void)facts;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void temporary_make(Temporary *temporary) {
    strcpy(temporary->folder, "/tmp/warpschool-test-XXXXXX");
    if (mkdtemp(temporary->folder) == NULL) abort();
}

static inline void temporary_remove(const Temporary *temporary) {
    nftw(temporary->folder, temporary_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A path below the folder; the caller frees it. */
static inline char *temporary_path(const Temporary *temporary, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", temporary->folder, name) < 0) abort();
    return path;
}

static inline void temporary_write(const Temporary *temporary, const char *name, const void *bytes,
                                   size_t length) {
    char *path = temporary_path(temporary, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) abort();
    free(path);
}

static inline void temporary_folder(const Temporary *temporary, const char *name) {
    char *path = temporary_path(temporary, name);
    if (mkdir(path, 0755) != 0) abort();
    free(path);
}
