/* headers.c - see headers.h. Debian's libcub-dev and libthrust-dev lie in /usr/include; a toolkit has an
 * `include` of its own below /usr/local, /usr/lib or /opt, and from CUDA 13 on a folder `cccl` in it.
 */
#include "base/headers.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 4096 };

/* Takes `.` and `..` out of an absolute path by its letters alone. False when it is none, or too long. */
static bool clean(const char *path, char *out) {
    size_t length = 0;
    if (path[0] != '/' || strlen(path) >= LONGEST) return false;
    while (*path != '\0') {
        path += strspn(path, "/");
        const size_t part = strcspn(path, "/");
        const bool up = part == 2 && memcmp(path, "..", part) == 0;
        if (up) {
            while (length > 0 && out[--length] != '/')
                continue;
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            out[length++] = '/';
            memcpy(out + length, path, part);
            length += part;
        }
        path += part;
    }
    out[length] = '\0';
    return true;
}

bool headers_are(const char *path) {
    return path != NULL && path[0] == '/' && strstr(path, "/include/") != NULL;
}

bool headers_of_library(const char *path) {
    static const char *const roots[] = {"/usr/", "/opt/"};
    static const char *const folders[] = {"/include/cub/", "/include/thrust/", "/include/cccl/cub/",
                                          "/include/cccl/thrust/"};
    char at[LONGEST];
    bool installed = false, library = false;
    if (!headers_are(path) || !clean(path, at)) return false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        installed = installed || strncmp(at, roots[i], strlen(roots[i])) == 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        library = library || strstr(at, folders[i]) != NULL;
    return installed && library;
}
