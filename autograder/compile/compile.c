/* compile.c - runs warpcc on the copy of the student's file and explains what it says; see compile.h.
 *
 * The compiler sees /source/NAME.cu, the toolkit and the system's headers. Compile and link are two steps of
 * one sandbox, so that the object is left for a look at its symbols: names of the runtime or the driver are
 * refused whether or not the linker minds.
 */
#include "autograder/compile/compile.h"

#include "autograder/check/headers.h"
#include "autograder/compile/messages.h"
#include "autograder/compile/names.h"
#include "autograder/compile/symbols.h"
#include "autograder/sandbox/sandbox.h"
#include "autograder/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* A sanitizer's run-time reserves terabytes of addresses. */
#ifdef __SANITIZE_ADDRESS__
enum { COMPILE_MEMORY_MIB = 0 };
#else
enum { COMPILE_MEMORY_MIB = 4096 };
#endif
enum { COMPILE_SECONDS = 10, COMPILE_OBJECT_MIB = 64, COMPILE_SCRATCH_MIB = 64, COMPILE_CAPTURE = 1 << 18 };
/* Of all its processes together: one of them at most has use for so much. */
enum { COMPILE_PROCESSES = 64, COMPILE_GROUP_MIB = 4096 };

/* Exit statuses of the script below: 10 + warpcc's own, 20 + the linking warpcc's own, 40 when either was
 * killed. */
enum { STATUS_COMPILE = 10, STATUS_LINK = 20, STATUS_KILLED = 40 };
static const char script[] =
    "mpi=${5:+--mpi=$5} cuda=${6:+--cuda=$6}\n"
    "\"$1/bin/warpcc\" --color=never $mpi $cuda -Wunused-result -MD -MF \"$3/student.d\" -c -o "
    "\"$3/student.o\" \"$2\"; s=$?\n"
    "[ $s -le 3 ] || exit 40; [ $s -eq 0 ] || exit $((10 + s))\n"
    "program=$3/program library=${5:+-l$5}; kit=$1; set -- \"$3/student.o\" \"$4\" \"$1/lib/libdriver.a\"\n"
    /* Most files need nothing of the C++ library, whose symbols a linker reads for as long as it takes to
     * link; and gold alone is quicker than by way of the compilers. What it cannot link is left to warpcc. */
    ". \"$kit/lib/link.sh\"\n"
    "link_quickly \"$program\" \"$@\" -L\"$kit/lib\" -rpath \"$kit/lib\" -lcudart $library 2>/dev/null ||\n"
    "    \"$kit/bin/warpcc\" --color=never $mpi -o \"$program\" \"$@\"; s=$?\n"
    "[ $s -le 3 ] || exit 40; [ $s -eq 0 ] || exit $((20 + s))\n";

/* Compiler and program each have a folder of limited size to write to; the source lies in a third one that
 * neither can change. */
bool compile_copy_source(Check *check, long object_mib, long scratch_mib) {
    const char *copy = arena_format(check->arena, STAGE "/source/%s", check->submission->name);
    const Text *source = &check->submission->source;
    bool fine =
        copy != NULL && text_write_file(copy, source->bytes, source->length) && chmod(copy, 0644) == 0;
    if (!fine)
        diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot copy the file for the compiler: %s",
                 strerror(errno));
    return fine &&
           stage_add_output(&check->stage, STAGE_FOR_BOTH, STAGE "/object", object_mib, check->diagnostics) &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, STAGE "/scratch", scratch_mib,
                            check->diagnostics);
}

const char *compile_driver(const Check *check, const char *file) {
    if (check->stage.open) return lessons_built(check->course, check->lesson, file, check->arena);
    return arena_format(check->arena, "%s/lesson/%s", check->course->build, file);
}

/* The toolkit has the same place inside as outside: precompiled headers are only valid where they were made.
 */
static bool start(Check *check, const char *name, Child *child) {
    const char *build = check->course->build;
    const char *driver = compile_driver(check, "driver.o");
    if (driver == NULL) return false;
    /* Whatever MPI the machine has besides: it must be the one whose ranks run_start.c can start. */
    const char *mpi = "";
    if (check->lesson->manifest.ranks.text != NULL) mpi = "mpich";
    const long cuda = check->lesson->manifest.cuda;
    const char *only = "";
    if (cuda > 0) only = arena_format(check->arena, "%ld", cuda);
    const char *const argv[] = {"/bin/sh", "-c",   script, "compile", build, name,
                                "/object", driver, mpi,    only,      NULL};
    /* /tmp comes first: the checkout may lie below it. */
    const SandboxBind binds[] = {{STAGE "/scratch", "/tmp", true, false},
                                 {STAGE "/kit", check->course->build, false, true},
                                 {STAGE "/source", "/w", false, false},
                                 {STAGE "/object", "/object", true, false},
                                 {NULL, NULL, false, false}};
    SandboxPlan plan = {.argv = argv,
                        .binds = binds,
                        .hidden = check->course->root,
                        .folder = "/w",
                        .with_proc = true,
                        .filter = FILTER_FOR_COMPILER,
                        .group = &check->compiler,
                        .limits = {.cpu_seconds = COMPILE_SECONDS,
                                   .memory_mib = COMPILE_MEMORY_MIB,
                                   .processes = COMPILE_PROCESSES,
                                   .file_mib = COMPILE_OBJECT_MIB},
                        .extra_fd = -1,
                        .capture_limit = COMPILE_CAPTURE};
    if (sandbox_start(child, &check->stage, &plan)) return true;
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot start the compiler's sandbox: %s",
             strerror(errno));
    return false;
}

bool compile_start(Check *check, Child *child) {
    if (!compile_copy_source(check, COMPILE_OBJECT_MIB, COMPILE_SCRATCH_MIB)) return false;
    if (stage_make_group(&check->stage, &check->compiler, "compiler", COMPILE_GROUP_MIB,
                         COMPILE_PROCESSES + SANDBOX_PROCESSES))
        return start(check, check->submission->name, child);
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot make the compiler's group: %s",
             strerror(errno));
    return false;
}

/* The first line of what was said, if anything was. */
static void add_fault(Check *check, CompileText fault, const Text *said, const char *remedy) {
    const char *words = NULL;
    if (said->length > 0) words = arena_copy(check->arena, said->bytes, strcspn(said->bytes, "\n"));
    advise(diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                    told_compile(check->arena, fault, &(CompileFacts){.said = words})),
           remedy);
}

bool compile_report_sandbox(Check *check) {
    Text said = text_new();
    const bool broken = !check->stage.open && !sandbox_works(&check->stage, &said, NULL);
    if (broken) {
        stage_forbid(&check->stage);
        add_fault(check, COMPILE_NO_SANDBOX, &said, STAGE_REMEDY);
    }
    text_free(&said);
    return broken;
}

static void report_fault(Check *check, const Child *child) {
    if (!compile_report_sandbox(check))
        add_fault(check, COMPILE_FAULT, &child->streams[1], plain_compile(COMPILE_REMEDY));
}

/* How compiler and linker ended. */
typedef enum Ending {
    ENDED_WELL,
    ENDED_BADLY,  /* by the file's fault: there are findings */
    ENDED_BROKEN, /* by a status that says nothing: the toolchain's fault, unless only this file has it */
    ENDED_KILLED, /* before its time was up: by a limit of the file's making, or by the machine's lack */
    ENDED_STARVED /* the machine's fault */
} Ending;

/* What the script's status means. */
static Ending judge_status(Check *check, const Child *child) {
    int status = sandbox_exit_status(child);
    const char *said = child->streams[1].bytes;
    if (status == 0) {
        messages_add_warnings(check, said);
        return ENDED_WELL;
    }
    if (status == STATUS_COMPILE + EXIT_FOUND) {
        messages_add_errors(check, said);
    } else if (status == STATUS_LINK + EXIT_FOUND) {
        if (!result_has_errors(check->result)) names_explain_link(check, said);
    } else if (status == STATUS_KILLED || sandbox_signal(child) != 0) {
        return ENDED_KILLED;
    } else {
        return ENDED_BROKEN;
    }
    return ENDED_BADLY;
}

/* Debug information is the submission's to write; where the linker put the lesson's code is not. A program
 * that does not show it was made of an object that the linker could make no sense of. */
static bool find_driver(Check *check) {
    enum { LARGEST_PROGRAM = COMPILE_OBJECT_MIB << 20 };
    Text program = text_new();
    SectionView section = {0};
    bool found = text_read_file(&program, STAGE "/object/program", LARGEST_PROGRAM) &&
                 symbols_find_section(program.bytes, program.length, CHECK_DRIVER_SECTION, &section);
    text_free(&program);
    check->driver_begin = section.address;
    check->driver_end = section.address + section.bytes;
    if (!found)
        check_add(check, FINDING_LIMIT, 0, said_names(NAMES_UNREADABLE_MESSAGE, NAMES_UNREADABLE_WHY, NULL));
    return found;
}

/* Until it has ended, or its time is up by a clock that stands while the compiler waits for a processor. */
static void watch_compiler(Child *child, ChildClock *clock) {
    static const double look_seconds = 0.05;
    Child *const children[] = {child};
    *clock = (ChildClock){.most = CHILD_MOST_WAITING * COMPILE_SECONDS};
    const double deadline = child_now() + (double)COMPILE_SECONDS;
    while (!child->ended && child_clock_now(clock) < deadline) {
        child_watch(children, 1, child_now() + look_seconds);
        child_clock_look(clock, child_times(child));
    }
}

static Ending end_late_compiler(Check *check, Child *child, const ChildClock *clock) {
    child_kill(child);
    if (child_clock_starved(clock)) return ENDED_STARVED;
    check_add(check, FINDING_LIMIT, 0, SAID_COMPILE(SECONDS, .seconds = COMPILE_SECONDS));
    return ENDED_BADLY;
}

static Ending add_limit(Check *check) {
    check_add(check, FINDING_LIMIT, 0, said_compile(COMPILE_LIMIT_MESSAGE, COMPILE_LIMIT_WHY, NULL));
    return ENDED_BADLY;
}

/* The linker's messages are not asked when a name that the student must not define, or has not defined,
 * explains them. Who is killed after most of the time was used has met its limit. */
static Ending finish(Check *check, Child *child) {
    ChildClock clock;
    watch_compiler(child, &clock);
    if (!child->ended) return end_late_compiler(check, child, &clock);
    bool names_fine = names_check(check, STAGE "/object/student.o");
    Ending ending = judge_status(check, child);
    if (ending == ENDED_KILLED && 2 * clock.all.ran > (double)COMPILE_SECONDS) return add_limit(check);
    if (ending == ENDED_WELL && !names_fine) return ENDED_BADLY;
    return ending;
}

/* An empty file, which the compiler takes, and of which the linker says that the student's function is
 * missing. */
static bool toolchain_works(Check *check) {
    static const char name[] = "empty.cu";
    Child child;
    if (!text_write_file(STAGE "/source/empty.cu", "", 0) || chmod(STAGE "/source/empty.cu", 0644) != 0 ||
        !start(check, name, &child))
        return false;
    ChildClock clock;
    watch_compiler(&child, &clock);
    bool works = child.ended && sandbox_exit_status(&child) == STATUS_LINK + EXIT_FOUND;
    if (!child.ended) child_kill(&child);
    child_free(&child);
    return works;
}

static Ending say_starved(const Check *check) {
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0,
             "the machine is too busy: the compiler got no processor");
    return ENDED_STARVED;
}

/* What broke the toolchain, or killed or starved it, is tried again. When this file breaks it once more, and
 * an empty one does not, the file is at fault. */
static Ending finish_again(Check *check, Child *child) {
    child_free(child);
    if (!start(check, check->submission->name, child)) return ENDED_BADLY;
    Ending ending = finish(check, child);
    if (ending == ENDED_STARVED) return say_starved(check);
    if (ending == ENDED_KILLED) return add_limit(check);
    if (ending != ENDED_BROKEN) return ending;
    if (!toolchain_works(check)) {
        report_fault(check, child);
        return ENDED_BROKEN;
    }
    if (!result_has_errors(check->result))
        check_add(check, FINDING_LIMIT, 0, said_compile(COMPILE_BROKEN_MESSAGE, COMPILE_BROKEN_WHY, NULL));
    return ENDED_BADLY;
}

bool compile_finish(Check *check, Child *child) {
    Ending ending = finish(check, child);
    if (ending != ENDED_WELL && ending != ENDED_BADLY) ending = finish_again(check, child);
    child_free(child);
    cgroup_remove(&check->compiler);
    if (ending == ENDED_WELL) headers_read(check, STAGE "/object/student.d");
    return ending == ENDED_WELL && find_driver(check);
}
