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

/* As a shell finds it; a name with a slash is taken as it is. */
const char *toolchain_program(Arena *arena, const char *name) {
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
    if (wanted && *wanted) return toolchain_program(arena, wanted);
    for (size_t i = 0; i < CLANG_COUNT; i++) {
        const char *found = toolchain_program(arena, CLANGS[i]);
        if (found) return found;
    }
    return NULL;
}

/* As its file is called, /usr/lib/llvm-14/bin/clang or /opt/bin/clang-18, or the link to it; 0: not known.
 * To ask the compiler itself would take as long as a small compilation. */
static unsigned version_in(const char *path) {
    static const char *const NAMES[] = {"llvm-", "clang-"};
    unsigned version = 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        for (const char *at = strstr(path, NAMES[i]); at; at = strstr(at + 1, NAMES[i])) {
            const unsigned long number = strtoul(at + strlen(NAMES[i]), NULL, 10);
            if (number > 0 && number < 1000) version = (unsigned)number;
        }
    return version;
}

static unsigned clang_version(const char *clang) {
    char path[PATH_MAX];
    unsigned version = 0;
    if (realpath(clang, path)) version = version_in(path);
    if (version == 0) version = version_in(clang);
    return version;
}

/* One lane sets a variable, and a shuffle brings it to the others: what they hand to the shuffle has no
 * value. Clang's optimiser takes it that no such call happens, and has all lanes do what the one was to do.
 */
static const char *allow_undefined_arguments(const char *clang) {
    enum { FIRST_OF_NEW_NAME = 15, OLDEST = 14 };
    const unsigned version = clang_version(clang);
    if (version >= FIRST_OF_NEW_NAME) return "-no-enable-noundef-analysis";
    if (version == OLDEST) return "-disable-noundef-analysis";
    return NULL;
}

static const char *nvcc_find(Arena *arena) {
    const char *wanted = getenv("WARPCC_NVCC");
    if (wanted && *wanted) return toolchain_program(arena, wanted);
    const char *found = toolchain_program(arena, "nvcc");
    if (found) return found;
    return toolchain_program(arena, "/usr/local/cuda/bin/nvcc");
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

/* Links are half of the time that a learner waits: gcc's driver starts sooner than clang's, and gold and lld
 * are quicker than the default linker. None of them is needed. */
static void linker_find(Toolchain *tools, Arena *arena) {
    const char *gcc = toolchain_program(arena, "gcc");
    if (gcc)
        tools->linker = gcc;
    else
        tools->linker = tools->clang;
    if (toolchain_program(arena, "ld.gold"))
        tools->linker_choice = "-fuse-ld=gold";
    else if (toolchain_program(arena, "ld.lld"))
        tools->linker_choice = "-fuse-ld=lld";
}

static bool report_missing(Diagnostics *diagnostics, const char *what, const char *remedy) {
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", what), remedy);
}

/* The compiler that the request is for; what is missing comes with the command that installs it. */
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
                              getenv("WARPCC_CLANG") ? "there is no program of the name in WARPCC_CLANG"
                                                     : "clang is not installed (14 or newer is needed)",
                              "`make setup` installs it; on Debian and Ubuntu: apt install clang");
    tools->undefined_arguments = allow_undefined_arguments(tools->clang);
    linker_find(tools, arena);
    tools->mpi = mpi_find(arena, request->mpi);
    return true;
}

/* Headers and libraries lie beside the program itself, wherever it is installed. */
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
