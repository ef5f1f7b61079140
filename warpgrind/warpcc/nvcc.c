/* nvcc.c - the same request through NVIDIA's compiler: PTX only, so that the device sees what nvcc made of
 * the source.
 *
 * -G is nvcc's device code without optimisation and with full debug information, the counterpart of clang's
 * -O0; with -O1 to -O3 it is -lineinfo. nvcc links the shared runtime, of which ours takes the place.
 */
#include "warpcc/warpcc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const COMMON[] = {"-cudart", "shared", "-g", "-Wno-deprecated-gpu-targets",
                                     /* What clang allows without being asked. */
                                     "--extended-lambda", "--expt-relaxed-constexpr", NULL};

/* Our options in nvcc's words. -G is what -O0 is here: no optimisation of device code, and all its
 * lines. */
static void nvcc_begin(const Build *build, Arguments *command) {
    const Request *request = build->request;
    arguments_init(command, build->arena);
    arguments_add(command, build->tools->nvcc);
    arguments_add_list(command, COMMON);
    unsigned card = TARGET_USUAL;
    if (request->architecture) card = request->architecture;
    arguments_add(command,
                  arena_format(build->arena, "-gencode=arch=compute_%u,code=compute_%u", card, card));
    if (request->openmp) arguments_add_list(command, (const char *const[]){"-Xcompiler", "-fopenmp", NULL});
    if (request->all_cuda) arguments_add_list(command, (const char *const[]){"-x", "cu", NULL});
    if (request->whole_device) arguments_add(command, "-rdc=true");
    arguments_add(command, request->level == '0' ? "-G" : "-lineinfo");
    arguments_add(command, text_or(request->standard, "-std=c++17"));
    arguments_add_all(command, &request->compile);
    arguments_add_all(command, &request->nvcc);
}

/* Linker words for gcc reach nvcc as -Xlinker: -Wl,a,b becomes -Xlinker a,b. */
static void nvcc_add_link(const Build *build, Arguments *command) {
    const Arguments *link = &build->request->link;
    for (size_t i = 0; i < link->count; i++) {
        const char *item = link->items[i];
        bool for_linker = text_starts_with(item, "-Wl,");
        if (for_linker) arguments_add(command, "-Xlinker");
        if (strcmp(item, "-pthread") == 0 || strcmp(item, "-static-libstdc++") == 0)
            arguments_add(command, "-Xcompiler");
        arguments_add(command, for_linker ? item + strlen("-Wl,") : item);
    }
    arguments_add(command, arena_format(build->arena, "-L%s", build->tools->library_dir));
    arguments_add_list(command, (const char *const[]){"-Xlinker", NULL});
    arguments_add(command, arena_format(build->arena, "-rpath=%s", build->tools->library_dir));
}

/* What nvcc prints is passed on as it is, with our advice below. */
static int nvcc_run(const Build *build, const Arguments *command) {
    Job job;
    bool started = job_start(&job, command);
    if (build->request->verbose)
        for (size_t i = 0; i < command->count; i++)
            text_format(build->messages, "%s%s", command->items[i], i + 1 < command->count ? " " : "\n");
    if (started) {
        job_wait(&job);
        text_add(build->messages, job.text.bytes);
        messages_advise_nvcc(job.text.bytes, build->messages);
    } else {
        diag_add(build->diagnostics, DIAG_ERROR, build->tools->nvcc, 0, 0, "%s", strerror(errno));
    }
    int status = EXIT_INTERNAL;
    if (started) status = job.status == 0 ? EXIT_FINE : EXIT_FOUND;
    job_free(&job);
    return status;
}

static int nvcc_keep_ptx(const Build *build) {
    Arguments command;
    nvcc_begin(build, &command);
    arguments_add_list(&command, (const char *const[]){"-ptx", "-o", build->request->keep_ptx, NULL});
    arguments_add_all(&command, &build->request->sources);
    return nvcc_run(build, &command);
}

/* nvcc does all steps in one command; only the PTX for --keep-ptx takes another. */
int build_run_nvcc(Build *build) {
    const Request *request = build->request;
    if (request->keep_ptx) {
        int status = nvcc_keep_ptx(build);
        if (status != EXIT_FINE) return status;
    }
    Arguments command;
    nvcc_begin(build, &command);
    if (request->link_device) arguments_add(&command, "-dlink");
    if (request->compile_only)
        arguments_add(&command, "-c");
    else
        nvcc_add_link(build, &command);
    if (request->output) arguments_add_list(&command, (const char *const[]){"-o", request->output, NULL});
    arguments_add_all(&command, &request->sources);
    arguments_add_all(&command, &request->host_sources);
    return nvcc_run(build, &command);
}
