/* test_sandbox.c - what is asked of the system: filters that can be made, a command where nothing is locked
 * in, times of who is gone. What a sandbox keeps from whom, tests/cli/trust.sh and the attacks try. */
#include "autograder/sandbox/sandbox.h"
#include "autograder/sandbox/spaces.h"

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cmocka.h>

static void filters_can_be_made(void **state) {
    (void)state;
    for (int what = 0; what < FILTER_FOR_COUNT; what++) {
        const int fd = memfd_create("filter", MFD_CLOEXEC);
        struct stat facts;
        assert_true(filter_write_to(fd, (FilterFor)what));
        assert_int_equal(fstat(fd, &facts), 0);
        assert_true(facts.st_size > 0 && facts.st_size % 8 == 0);
        close(fd);
    }
}

/* A folder takes the place of all that would be bound, which lies below it. */
static void without_a_sandbox(void **state) {
    (void)state;
    static const char *const argv[] = {
        "/bin/sh", "-c", "pwd; echo $WORD $HOME $0; ulimit -n; ulimit -c; exit 3", "/w/given", NULL};
    static const char *const environment[] = {"WORD", "told", NULL};
    const SandboxBind binds[] = {{.from = "./source", .to = "/w"}, {0}};
    const SandboxPlan plan = {.argv = argv,
                              .hidden = "",
                              .binds = binds,
                              .environment = environment,
                              .folder = "/w",
                              .limits = {.cpu_seconds = 5, .file_mib = 1, .files = 40},
                              .extra_fd = -1,
                              .capture_limit = 1000};
    Stage stage = {.user = (uid_t)-1, .device_user = (uid_t)-1, .open = true};
    Temporary temporary;
    Child child, *const children[] = {&child};
    char wanted[300];
    temporary_make(&temporary);
    temporary_folder(&temporary, "source");
    snprintf(stage.folder, sizeof stage.folder, "%s", temporary.folder);
    assert_true(sandbox_start(&child, &stage, &plan));
    child_watch(children, 1, child_now() + 20);
    assert_true(child.ended);
    snprintf(wanted, sizeof wanted, "%s/source\ntold /tmp %s/./source/given\n40\n0\n", temporary.folder,
             temporary.folder);
    assert_string_equal(child.streams[0].bytes, wanted);
    assert_int_equal(sandbox_exit_status(&child), 3);
    assert_int_equal(sandbox_signal(&child), 0);
    child_free(&child);
    temporary_remove(&temporary);
}

/* A container whose map is its root and a run that begins with the number of nobody. */
static void numbers_that_a_map_has(void **state) {
    (void)state;
    static const char map[] = "         0     100000          1\n     65534     165534          2\n";
    static const struct {
        unsigned number;
        bool there;
    } rows[] = {{0, true}, {1, false}, {65533, false}, {65534, true}, {65535, true}, {65536, false}};
    Temporary temporary;
    temporary_make(&temporary);
    temporary_write(&temporary, "uid_map", map, strlen(map));
    char *path = temporary_path(&temporary, "uid_map");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (spaces_map_has(path, rows[i].number) != rows[i].there) fail_msg("%u", rows[i].number);
    temporary_remove(&temporary);
    assert_false(spaces_map_has(path, 0));
    free(path);
}

/* As one that ended a moment ago, which nobody has noted yet. */
static void who_is_gone_has_no_times(void **state) {
    (void)state;
    const pid_t pid = fork();
    if (pid == 0) _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    const ChildTimes times = child_times(&(Child){.pid = pid});
    assert_true(times.ran + times.waited + times.offered + times.turns <= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_can_be_made),
        cmocka_unit_test(without_a_sandbox),
        cmocka_unit_test(numbers_that_a_map_has),
        cmocka_unit_test(who_is_gone_has_no_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
