/* command.c - the command lines of clang, for the device's side and the host's.
 *
 * Device code is compiled without optimisation unless asked: a branch on an uninitialised variable stays a
 * branch, and two barriers in two arms stay two. With -O1 to -O3 the passes that would merge them are off.
 * There is no NVIDIA software in any of it: -nocudainc -nocudalib, and the headers are ours.
 */
#include "warpcc/warpcc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* For both sides. The SDK version is what makes clang use today's launch interface. */
static const char *const COMMON[] = {"-x",
                                     "cuda",
                                     "--cuda-path=/nonexistent",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "-Wno-unknown-cuda-version",
                                     "-Xclang",
                                     "-target-sdk-version=11.5",
                                     "-g",
                                     "-fno-strict-aliasing",
                                     "-fno-strict-return", /* a missing return is a warning, and no trap */
                                     "-fno-crash-diagnostics",
                                     NULL};
/* What would give one line's work to another, and reads that a condition guards to every thread: races that
 * nobody wrote. Loads stay in their loops and lines, where the machine's code generator would move them to
 * the `if` that uses what they read, and a vector's to the lines that use its components. And the names and
 * types that clang leaves out of optimised device code.
 */
static const char *const DEVICE_OPTIMISED[] = {
    "-mllvm", "-simplifycfg-hoist-common=false", "-mllvm",  "-simplifycfg-sink-common=false",
    "-mllvm", "-bonus-inst-threshold=0",         "-mllvm",  "-disable-machine-sink",
    "-mllvm", "-disable-vector-combine",         "-Xclang", "-debug-info-kind=limited",
    NULL};
/* Clang contracts a * b + c in CUDA, and takes LLVM's code for another language. */
static const char *const DEVICE_CONTRACTED[] = {"-mllvm", "-nvptx-fma-level=2", NULL};
static const char *const HOST[] = {"--cuda-host-only", NULL};
/* What tells a learner something, and nothing about style. */
static const char *const WARNINGS[] = {
    "-Wall",
    "-Wextra",
    "-Wfloat-equal", /* two sums of the same floats differ by their order */
    "-Wno-unused-parameter",
    "-Wno-unused-result", /* of runtime calls: driver_types.h */
    "-Wno-sign-compare",
    "-Wno-unused-function",
    "-Wno-missing-field-initializers",
    "-Wno-unused-command-line-argument",
    NULL};

void command_add_toolkit(const Build *build, Arguments *command) {
    if (build->request->toolkit)
        arguments_add(command,
                      arena_format(build->arena, "-D__WARPGRIND_CUDA__=%s", build->request->toolkit));
}

/* What the two sides have in common; `header` is the precompiled one or NULL. */
static void command_begin(const Build *build, Arguments *command, const char *header, Libraries libraries) {
    const Request *request = build->request;
    arguments_init(command, build->arena);
    arguments_add(command, build->tools->clang);
    arguments_add_list(command, COMMON);
    arguments_add(command, arena_format(build->arena, "--cuda-gpu-arch=sm_%u", build->target->architecture));
    if (request->whole_device) arguments_add(command, "-fgpu-rdc");
    arguments_add(command, text_or(request->standard, "-std=gnu++17"));
    arguments_add(command, "-isystem");
    arguments_add(command, build->tools->include_dir);
    if (libraries != LIBRARIES_NONE) libraries_add(build->tools, command);
    command_add_toolkit(build, command);
    if (header) {
        arguments_add_list(command,
                           (const char *const[]){"-Xclang", "-include-pch", "-Xclang", header, NULL});
    } else if (!request->precompile) {
        arguments_add_list(command, (const char *const[]){"-include", "cuda_runtime.h", NULL});
    }
    arguments_add_list(command, WARNINGS);
    arguments_add(command, request->colour ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
    arguments_add_all(command, &request->compile);
    mpi_add_headers(build->tools->mpi, command);
}

/* Without comments in the PTX: newer versions of clang quote a file's name in them, and a name with a newline
 * ends the comment. */
static void command_add_device(const Build *build, Arguments *command, char level) {
    arguments_add(command, "-fno-verbose-asm");
    arguments_add_list(command, (const char *const[]){"-Xclang", "-target-feature", "-Xclang", NULL});
    arguments_add(command, arena_format(build->arena, "+ptx%s", build->target->ptx));
    arguments_add(command, arena_format(build->arena, "-O%c", level));
    if (level != '0') arguments_add_list(command, DEVICE_OPTIMISED);
}

/* PTX, or bitcode where the device code of several files is linked. */
void command_add_output(const Build *build, Arguments *command) {
    arguments_add(command, build->request->whole_device ? "-c" : "-S");
    if (build->request->whole_device) arguments_add(command, "-emit-llvm");
}

void command_device(const Build *build, Arguments *command, const char *header, Libraries libraries,
                    char level) {
    const char *undefined = build->tools->undefined_arguments;
    command_begin(build, command, header, libraries);
    arguments_add(command, "--cuda-device-only");
    if (undefined) arguments_add_list(command, (const char *const[]){"-Xclang", undefined, NULL});
    command_add_device(build, command, level);
}

/* What clang's front end makes, before any pass. */
void command_add_text(Arguments *command) {
    arguments_add_list(command,
                       (const char *const[]){"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL});
}

/* The rest of clang's way, from there. */
void command_device_text(const Build *build, Arguments *command, const char *text, const char *output) {
    arguments_init(command, build->arena);
    arguments_add_list(command, (const char *const[]){build->tools->clang, "--target=nvptx64-nvidia-cuda",
                                                      "-nogpulib", "-Wno-unknown-cuda-version",
                                                      "-Wno-unused-command-line-argument", NULL});
    arguments_add(command, arena_format(build->arena, "-march=sm_%u", build->target->architecture));
    command_add_output(build, command);
    command_add_device(build, command, build->request->level);
    if (build->request->level != '0') arguments_add_list(command, DEVICE_CONTRACTED);
    arguments_add_list(command, (const char *const[]){"-x", "ir", NULL});
    arguments_add_list(command, (const char *const[]){"-o", output, text, NULL});
}

void command_link_device(const Build *build, Arguments *command) {
    arguments_init(command, build->arena);
    arguments_add(command, build->tools->clang);
    arguments_add_list(command, (const char *const[]){"--target=nvptx64-nvidia-cuda", "-S", "-g",
                                                      "-Wno-unknown-cuda-version", "-nogpulib", NULL});
    arguments_add(command, arena_format(build->arena, "-march=sm_%u", build->target->architecture));
    command_add_device(build, command, build->request->level);
    if (build->request->level != '0') arguments_add_list(command, DEVICE_CONTRACTED);
}

static bool is_given(const Arguments *list, const char *option) {
    for (size_t i = 0; i < list->count; i++)
        if (text_starts_with(list->items[i], option)) return true;
    return false;
}

/* A program's object, unless it is for a shared library. */
void command_host(const Build *build, Arguments *command, const char *header, Libraries libraries) {
    command_begin(build, command, header, libraries);
    arguments_add_list(command, HOST);
    if (!is_given(&build->request->compile, "-fPIC")) arguments_add(command, "-fPIE");
    if (build->request->openmp) arguments_add(command, "-fopenmp");
}

void command_end(Arguments *command, const char *output, const char *source) {
    arguments_add_list(command, (const char *const[]){"-o", output, source, NULL});
}

void command_remap(Arguments *command, const char *remap) {
    if (remap)
        arguments_add_list(command, (const char *const[]){"-Xclang", "-remap-file", "-Xclang", remap, NULL});
}

/* Static device variables and kernels of one name in several files are told apart by it: FNV-1a of the path.
 * clang's driver tells the device's side of it alone. */
void command_identify(const Build *build, Arguments *command, const char *source, bool host) {
    if (!build->request->whole_device) return;
    if (host) arguments_add(command, "-Xclang");
    char full[PATH_MAX];
    const char *path = realpath(source, full) ? full : source;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    arguments_add(command, arena_format(build->arena, "-cuid=%llx", (unsigned long long)hash));
}

/* What the host's object of a source is called in the end. */
static const char *object_name(const Build *build, const char *source) {
    const char *folder = strrchr(source, '/');
    if (build->request->compile_only && build->request->output) return build->request->output;
    if (folder) source = folder + 1;
    return arena_format(build->arena, "%.*s.o", (int)strcspn(source, "."), source);
}

/* The compilation's own output is a file of ours, so the rule and its file are named after what becomes of
 * it, unless they were given. */
void command_depends(const Build *build, Arguments *command, const char *source) {
    const Arguments *depends = &build->request->depends;
    const char *object = object_name(build, source);
    if (depends->count == 0 || !object) return;
    const char *ending = strrchr(object, '.');
    size_t stem;
    if (ending)
        stem = (size_t)(ending - object);
    else
        stem = strlen(object);
    arguments_add_all(command, depends);
    if (!is_given(depends, "-MF")) {
        arguments_add(command, "-MF");
        arguments_add(command, arena_format(build->arena, "%.*s.d", (int)stem, object));
    }
    if (!is_given(depends, "-MT") && !is_given(depends, "-MQ")) {
        arguments_add(command, "-MQ");
        arguments_add(command, object);
    }
}

void command_precompile(const Build *build, Arguments *command, PrecompiledSide side, Libraries libraries) {
    if (side == PRECOMPILED_HOST) {
        command_host(build, command, NULL, libraries);
        arguments_add(command, "-c");
    } else {
        command_device(build, command, NULL, libraries, side == PRECOMPILED_DEVICE ? '0' : '2');
        command_add_output(build, command);
    }
}
