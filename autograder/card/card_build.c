/* card_build.c - the student's copy becomes a program for the card, by nvcc inside the sandbox; see
 * card_parts.h.
 *
 * The lesson's driver and the library under it are those that the software GPU's programs have: they ask the
 * runtime for nothing that NVIDIA's has not. A driver with kernels of its own is there as its source, which
 * nvcc compiles as well.
 */
#include "autograder/card/card_parts.h"

#include "autograder/compile/compile.h"
#include "autograder/compile/messages.h"
#include "autograder/texts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    BUILD_SECONDS = 60, /* nvcc takes several for a file that includes CUB */
    BUILD_PROCESSES = 64,
    OBJECT_MIB = 64,
    SCRATCH_MIB = 128,
    CAPTURE = 1 << 18
};

static const char *driver_of(const Check *check) {
    const char *source = compile_driver(check, "driver.cu");
    const char *seen = STAGE_DRIVER_SOURCE;
    if (check->stage.open) seen = source;
    if (seen == NULL || access(seen, R_OK) == 0) return source;
    return compile_driver(check, "driver.o");
}

/* nvcc finds the host's compiler on the path; its own folder need not be there. */
static bool start(Check *check, const Card *card, Child *child) {
    const char *build = check->course->build;
    const char *driver = driver_of(check);
    const char *library = arena_format(check->arena, "%s/lib/libdriver.a", build);
    const char *target = arena_format(check->arena, "-arch=%s", card->architecture);
    const char *source = arena_format(check->arena, "/w/%s", check->submission->name);
    if (driver == NULL || library == NULL || target == NULL || source == NULL) return false;
    const bool ranks = check->lesson->manifest.ranks.text != NULL;
    const char *const argv[] = {card->nvcc,
                                "-O2",
                                target,
                                "-o",
                                "/object/program",
                                source,
                                driver,
                                library,
                                ranks ? "-ccbin=" CARD_MPI_COMPILER : NULL,
                                NULL};
    const SandboxBind binds[] = {{STAGE "/scratch", "/tmp", true, false},
                                 {STAGE "/kit", build, false, true},
                                 {STAGE "/source", "/w", false, false},
                                 {STAGE "/object", "/object", true, false},
                                 card_show_toolkit(card),
                                 {NULL, NULL, false, false}};
    const SandboxPlan plan = {.argv = argv,
                              .binds = binds,
                              .hidden = check->course->root,
                              .folder = "/w",
                              .with_proc = true,
                              .filter = FILTER_FOR_COMPILER,
                              .limits = {.cpu_seconds = BUILD_SECONDS,
                                         .processes = BUILD_PROCESSES,
                                         .file_mib = OBJECT_MIB,
                                         .files = 256},
                              .extra_fd = -1,
                              .capture_limit = CAPTURE};
    return sandbox_start(child, &check->stage, &plan);
}

/* The linker's last words are of no use to a learner, but they are all there is. */
static void explain(Check *check, const Child *child) {
    const char *said;
    if (child->streams[1].length > 0)
        said = child->streams[1].bytes;
    else
        said = child->streams[0].bytes;
    if (compile_report_sandbox(check)) return;
    if (!child->ended)
        check_add(check, FINDING_LIMIT, 0, SAID_COMPILE(SECONDS, .seconds = BUILD_SECONDS));
    else
        messages_add_errors(check, said);
}

bool card_build(Check *check, const Card *card) {
    Child child, *const children[] = {&child};
    if (!compile_copy_source(check, OBJECT_MIB, SCRATCH_MIB)) return false;
    if (!start(check, card, &child)) {
        diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot start nvcc: %s", strerror(errno));
        return false;
    }
    const double deadline = child_now() + (double)BUILD_SECONDS;
    while (!child.ended && child_now() < deadline)
        child_watch(children, 1, deadline);
    const bool built = child.ended && sandbox_exit_status(&child) == 0;
    if (!built) explain(check, &child);
    if (!child.ended) child_kill(&child);
    child_free(&child);
    return built;
}
