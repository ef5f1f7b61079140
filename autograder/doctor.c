/* doctor.c - what this machine has and lacks: one row per thing, with what to do about it. */
#include "autograder/commands.h"
#include "autograder/stage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Need {
    const char *what;
    const char *files[4]; /* any one of them proves it */
    const char *remedy;
} Need;

static const Need needs[] = {
    {"a compiler for CUDA C (clang)",
     {"/usr/bin/clang", "/usr/bin/clang-14", "/usr/bin/clang-16", "/usr/bin/clang-19"},
     "apt-get install clang"},
    {"C++ headers",
     {"/usr/include/c++/12/cstdio", "/usr/include/c++/13/cstdio", "/usr/include/c++/14/cstdio", NULL},
     "apt-get install g++"},
    {"the sandbox (bubblewrap)", {"/usr/bin/bwrap", NULL, NULL, NULL}, "apt-get install bubblewrap"},
    {"limits (prlimit)", {"/usr/bin/prlimit", NULL, NULL, NULL}, "apt-get install util-linux"},
};

static const char *const built[] = {"bin/warpcc", "bin/warpgrind", "lib/libcudart.so", "lib/libdriver.a",
                                    "include/cuda_runtime.h"};

static bool say(bool fine, const char *what, const char *remedy) {
    printf("%-8s %s\n", fine ? "fine" : "MISSING", what);
    if (!fine) printf("         %s\n", remedy);
    return fine;
}

static bool need_is_met(const Need *need) {
    for (size_t i = 0; i < sizeof need->files / sizeof *need->files; i++)
        if (need->files[i] != NULL && access(need->files[i], R_OK) == 0) return true;
    return false;
}

/* Entering a stage is for good, so a child tries it. */
static bool can_enter_stage(const Course *course) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        Arena *arena = arena_create();
        Diagnostics diagnostics;
        diag_init(&diagnostics, arena);
        Stage stage;
        bool entered =
            course->count > 0 && stage_enter(&stage, course->build, course->lessons[0].name, &diagnostics);
        _exit(entered ? EXIT_FINE : EXIT_FOUND);
    }
    int status = 1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && status == 0;
}

int doctor_run(Session *session, int argc, char **argv) {
    const Option options[] = {{.kind = OPTION_END}};
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    bool fine = true;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        fine = say(need_is_met(&needs[i]), needs[i].what, needs[i].remedy) && fine;
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        const char *path = arena_format(session->arena, "%s/%s", course.build, built[i]);
        fine =
            say(path != NULL && access(path, R_OK) == 0, path ? path : built[i], "build the toolkit: make") &&
            fine;
    }
    fine = say(can_enter_stage(&course), "namespaces for the sandbox",
               "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 or "
               "user.max_user_namespaces), or run as root in a "
               "container that allows them. Without them only what you trust is checked, when you say so: "
               "build/bin/warpschool exercise --sandbox=none") &&
           fine;
    printf("%-8s %s\n", access("/dev/nvidia0", F_OK) == 0 ? "there" : "none", "an NVIDIA GPU (not needed)");
    puts(fine ? "\nEverything is in place. Next: make exercise" : "\nPlease install what is marked MISSING.");
    return fine ? EXIT_FINE : EXIT_INTERNAL;
}
