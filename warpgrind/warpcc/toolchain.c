/* toolchain.c - which compiler, and where our own headers and library lie.
 *
 * Our files are found from the place of the running program (build/bin/warpcc): build/include and build/lib.
 * The compiler is what WARPCC_CLANG names, or the newest supported clang in PATH.
 */
#include "warpcc/warpcc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the order they are tried. */
static const char *const CLANGS[] = {"clang-19", "clang-18", "clang-17", "clang-16",
                                     "clang-15", "clang-14", "clang"};
enum { CLANG_COUNT = sizeof CLANGS / sizeof CLANGS[0] };

static bool program_runs(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* The full path of a program, by PATH unless the name has a slash; NULL when there is none. */
static const char *program_find(Arena *arena, const char *name) {
    if (strchr(name, '/')) return program_runs(name) ? name : NULL;
    const char *path = getenv("PATH");
    if (!path || !*path) path = "/usr/local/bin:/usr/bin:/bin";
    while (*path) {
        int length = (int)strcspn(path, ":");
        const char *candidate = arena_format(arena, "%.*s/%s", length, path, name);
        if (!candidate) return NULL;
        if (length > 0 && program_runs(candidate)) return candidate;
        path += length + (path[length] == ':');
    }
    return NULL;
}

static const char *clang_find(Arena *arena) {
    const char *wanted = getenv("WARPCC_CLANG");
    if (wanted && *wanted) return program_find(arena, wanted);
    for (size_t i = 0; i < CLANG_COUNT; i++) {
        const char *found = program_find(arena, CLANGS[i]);
        if (found) return found;
    }
    return NULL;
}

static const char *nvcc_find(Arena *arena) {
    const char *wanted = getenv("WARPCC_NVCC");
    if (wanted && *wanted) return program_find(arena, wanted);
    const char *found = program_find(arena, "nvcc");
    return found ? found : program_find(arena, "/usr/local/cuda/bin/nvcc");
}

/* The folder above the one that this program lies in: build, for build/bin/warpcc. */
static char *home_find(Arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash) return NULL;
        *slash = 0;
    }
    return arena_string(arena, path);
}

const char *toolchain_header_path(const Toolchain *tools, Arena *arena, const char *side) {
    struct stat info;
    if (stat(tools->clang, &info) != 0) return NULL;
    /* Size and time of the compiler are in the name: a header made by another one is not even tried. */
    return arena_format(arena, "%s/precompiled/%s-%llx-%llx.pch", tools->include_dir, side,
                        (unsigned long long)info.st_size, (unsigned long long)info.st_mtime);
}

static const char *header_find(const Toolchain *tools, Arena *arena, const char *side) {
    const char *path = toolchain_header_path(tools, arena, side);
    return path && access(path, R_OK) == 0 ? path : NULL;
}

static HeaderSet headers_find(const Toolchain *tools, Arena *arena, const char *suffix) {
    return (HeaderSet){.device = header_find(tools, arena, arena_format(arena, "device%s", suffix)),
                       .optimised = header_find(tools, arena, arena_format(arena, "optimised%s", suffix)),
                       .host = header_find(tools, arena, arena_format(arena, "host%s", suffix))};
}

/* Links are half of the time that a learner waits: gcc's driver starts sooner than clang's, and gold and lld
 * are quicker than the default linker. None of them is needed. */
static void linker_find(Toolchain *tools, Arena *arena) {
    const char *gcc = program_find(arena, "gcc");
    tools->linker = gcc ? gcc : tools->clang;
    if (program_find(arena, "ld.gold"))
        tools->linker_choice = "-fuse-ld=gold";
    else if (program_find(arena, "ld.lld"))
        tools->linker_choice = "-fuse-ld=lld";
}

static bool report_missing(Diagnostics *diagnostics, const char *what, const char *remedy) {
    Diagnostic *d = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", what);
    if (d) d->remedy = remedy;
    return false;
}

static bool compiler_find(Toolchain *tools, Arena *arena, const Request *request, Diagnostics *diagnostics) {
    if (request->use_nvcc) {
        tools->nvcc = nvcc_find(arena);
        return tools->nvcc ||
               report_missing(diagnostics, "nvcc is not installed",
                              "leave out --nvcc: clang does, or install NVIDIA's CUDA toolkit");
    }
    tools->clang = clang_find(arena);
    if (!tools->clang)
        return report_missing(diagnostics,
                              getenv("WARPCC_CLANG") ? "the program that WARPCC_CLANG names is not there"
                                                     : "clang is not installed (14 or newer is needed)",
                              "`make setup` installs it; on Debian and Ubuntu: apt install clang");
    linker_find(tools, arena);
    tools->headers = headers_find(tools, arena, "");
    tools->cub_headers = headers_find(tools, arena, "-cub");
    return true;
}

bool toolchain_find(Toolchain *tools, Arena *arena, const Request *request, Diagnostics *diagnostics) {
    *tools = (Toolchain){0};
    const char *home = home_find(arena);
    if (home) {
        tools->include_dir = arena_format(arena, "%s/include", home);
        tools->library_dir = arena_format(arena, "%s/lib", home);
    }
    if (!tools->include_dir || !tools->library_dir)
        return report_missing(diagnostics, "cannot tell where warpcc is installed", "is /proc mounted?");
    const char *header = arena_format(arena, "%s/cuda_runtime.h", tools->include_dir);
    if (!request->use_nvcc && (!header || access(header, R_OK) != 0))
        return report_missing(diagnostics, "our CUDA headers are not in the include folder beside bin",
                              "run `make` again");
    return compiler_find(tools, arena, request, diagnostics);
}
