/* test_child.c - processes: both pipes at once, limits on what is kept, descriptors, orphans; and results
 * shown. */
#include "autograder/check/result.h"
#include "autograder/sandbox/child.h"
#include "autograder/sandbox/spaces.h"
#include "autograder/screen/show.h"
#include "base/json.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void start_shell(Child *child, const char *script, size_t capture, size_t flood) {
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    assert_true(child_start(child, &(ChildSetup){.argv = argv,
                                                 .extra_fds = {-1, -1},
                                                 .user = (uid_t)-1,
                                                 .capture_limit = capture,
                                                 .flood_limit = flood}));
}

static void watch_one(Child *child, double seconds) {
    Child *const children[] = {child};
    child_watch(children, 1, child_now() + seconds);
}

static void test_output_and_status(void **state) {
    (void)state;
    Child child;
    start_shell(&child, "echo out; echo err >&2; exit 7", 100, 0);
    watch_one(&child, 10);
    assert_true(child.ended);
    assert_int_equal(WEXITSTATUS(child.status), 7);
    assert_string_equal(child.streams[0].bytes, "out\n");
    assert_string_equal(child.streams[1].bytes, "err\n");
    child_free(&child);
}

/* More than a pipe holds, on both: a reader of one after the other would never come to the end. */
static void test_two_full_pipes_do_not_block(void **state) {
    (void)state;
    Child child;
    start_shell(&child, "head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero", 1000, 0);
    watch_one(&child, 10);
    assert_true(child.ended);
    assert_int_equal(child.streams[0].length, 1000);
    assert_int_equal(child.streams[1].length, 1000);
    assert_int_equal(child.dropped, 2 * (1000000 - 1000));
    child_free(&child);
}

static void test_flood_is_noticed(void **state) {
    (void)state;
    Child child;
    start_shell(&child, "while :; do echo hello; done", 100, 10000);
    watch_one(&child, 10);
    assert_false(child.ended);
    assert_true(child_floods(&child));
    child_kill(&child);
    assert_true(child.ended);
    child_free(&child);
}

static void test_deadline(void **state) {
    (void)state;
    Child child;
    double begin = child_now();
    start_shell(&child, "sleep 60", 100, 0);
    watch_one(&child, 0.05);
    assert_false(child.ended);
    assert_true(child_now() - begin < 5);
    child_kill(&child);
    assert_int_equal(WTERMSIG(child.status), SIGKILL);
    child_free(&child);
}

/* A signal may come before the program has got as far as its handler. */
static void test_early_signal_is_ignored(void **state) {
    (void)state;
    Child child;
    const char *const argv[] = {"/bin/sh", "-c", "kill -USR1 $$; echo alive", NULL};
    assert_true(child_start(&child, &(ChildSetup){.argv = argv,
                                                  .extra_fds = {-1, -1},
                                                  .user = (uid_t)-1,
                                                  .ignored_signal = SIGUSR1,
                                                  .capture_limit = 100}));
    watch_one(&child, 10);
    assert_string_equal(child.streams[0].bytes, "alive\n");
    child_free(&child);
}

static void test_no_descriptor_is_inherited(void **state) {
    (void)state;
    Child child;
    int secret = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
    start_shell(&child, "ls /proc/self/fd | wc -l", 100, 0);
    watch_one(&child, 10);
    /* 0, 1, 2 and the folder that ls reads. */
    assert_string_equal(child.streams[0].bytes, "4\n");
    close(secret);
    child_free(&child);
}

static void test_program_that_is_not_there(void **state) {
    (void)state;
    Child child;
    const char *const argv[] = {"/no/such/program", NULL};
    assert_true(child_start(
        &child, &(ChildSetup){.argv = argv, .extra_fds = {-1, -1}, .user = (uid_t)-1, .capture_limit = 200}));
    watch_one(&child, 10);
    assert_int_equal(WEXITSTATUS(child.status), 127);
    assert_non_null(strstr(child.streams[1].bytes, "cannot start /no/such/program"));
    child_free(&child);
}

static void test_orphans_are_waited_for(void **state) {
    (void)state;
    Child child;
    child_adopt_orphans();
    start_shell(&child, "(sleep 0.2) & exit 0", 100, 0);
    watch_one(&child, 10);
    assert_true(child.ended);
    assert_false(child_reap_rest(child_now()));
    assert_true(child_reap_rest(child_now() + 10));
    child_free(&child);
}

/* ---- with an attendant ---- */

static void start_attended(Child *child, const char *script, int kept) {
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    assert_true(child_start(child, &(ChildSetup){.argv = argv,
                                                 .extra_fds = {kept, -1},
                                                 .user = (uid_t)-1,
                                                 .attended = true,
                                                 .capture_limit = 100}));
}

static bool has_spaces(void) {
    pid_t parent, pid = spaces_fork_attended(&parent);
    if (pid == 0) _exit(0);
    int status = 1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_an_attended_child_has_its_status(void **state) {
    (void)state;
    if (!has_spaces()) skip();
    Child exits, dies;
    start_attended(&exits, "echo out; exit 7", -1);
    start_attended(&dies, "kill -SEGV $$", -1);
    watch_one(&exits, 10);
    watch_one(&dies, 10);
    assert_int_equal(WEXITSTATUS(exits.status), 7);
    assert_string_equal(exits.streams[0].bytes, "out\n");
    assert_int_equal(WEXITSTATUS(dies.status), 128 + SIGSEGV);
    child_free(&exits);
    child_free(&dies);
}

/* The shell itself opens the file: with the /proc of outside it would find another number there. */
static void test_an_attended_child_finds_itself_in_proc(void **state) {
    (void)state;
    if (!has_spaces()) skip();
    Child child;
    start_attended(&child, "read -r number rest </proc/self/stat; [ \"$number\" = $$ ]", -1);
    watch_one(&child, 10);
    assert_int_equal(WEXITSTATUS(child.status), 0);
    child_free(&child);
}

static void test_an_attended_child_ends_with_its_last_orphan(void **state) {
    (void)state;
    if (!has_spaces()) skip();
    Child child;
    int ends[2];
    char late = '\0';
    assert_int_equal(pipe(ends), 0);
    start_attended(&child, "(sleep 0.3; printf x >&3) & exit 0", ends[1]);
    watch_one(&child, 10);
    assert_true(child.ended);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(read(ends[0], &late, 1), 1);
    close(ends[0]);
    close(ends[1]);
    child_free(&child);
}

/* A session of its own, and no wish to die with anybody. */
static const char sleeper[] = "setsid sleep 600 >/dev/null 2>&1 & printf x >&3; wait";

/* Who has become another user may not write to its own /proc, unless it may be dumped. */
static _Noreturn void start_sleeper_and_wait(int kept, bool as_nobody) {
    enum { NOBODY = 65534 };
    Child child;
    if (as_nobody && (setresuid(NOBODY, NOBODY, NOBODY) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0)) _exit(1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    start_attended(&child, sleeper, kept);
    close(kept);
    for (;;)
        pause();
}

/* Whoever still lives has the other end of the pipe. */
static void expect_all_dead_with_starter(bool as_nobody) {
    int ends[2];
    char byte = '\0';
    assert_int_equal(pipe(ends), 0);
    pid_t starter = fork();
    if (starter == 0) {
        close(ends[0]);
        start_sleeper_and_wait(ends[1], as_nobody);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(kill(starter, SIGKILL), 0);
    assert_int_equal(waitpid(starter, NULL, 0), starter);
    struct pollfd rest = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&rest, 1, 10000), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

static void test_nobody_outlives_who_started_an_attended_child(void **state) {
    (void)state;
    if (!has_spaces()) skip();
    expect_all_dead_with_starter(false);
    if (geteuid() == 0) expect_all_dead_with_starter(true);
}

/* Two that never rest, on one processor: each waits for the other, also when it is the child's child. */
static void test_waiting_for_a_processor_is_known(void **state) {
    (void)state;
    cpu_set_t before = {0}, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    Child busy, below;
    start_shell(&busy, "while :; do :; done", 100, 0);
    start_shell(&below, "sh -c 'while :; do :; done'; :", 100, 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    if (access("/proc/self/schedstat", R_OK) == 0) {
        const double patience = child_now() + 60;
        while ((child_times(&busy).waited < 0.5 || child_times(&below).waited < 0.5) &&
               child_now() < patience)
            watch_one(&busy, 0.05);
        assert_true(child_times(&busy).waited >= 0.5);
        assert_true(child_times(&below).waited >= 0.5);
    }
    child_kill(&busy);
    child_kill(&below);
    assert_true(child_times(&busy).waited == 0); /* of those who are gone, nothing is known */
    assert_true(child_reap_rest(child_now() + 10));
    child_free(&busy);
    child_free(&below);
}

/* However deep below, and the second child of its parent; known while it lives, and by the clock beyond. */
static void test_waiting_of_all_descendants_is_known(void **state) {
    (void)state;
    cpu_set_t before = {0}, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    Child busy, deep;
    start_shell(&busy, "while :; do :; done", 100, 0);
    start_shell(&deep, "sleep 600 & sh -c \"sh -c 'sh -c \\\"while :; do :; done\\\"; :'; :\"; :", 100, 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    if (access("/proc/self/schedstat", R_OK) == 0) {
        const double patience = child_now() + 60;
        while (child_times(&deep).waited < 0.5 && child_now() < patience)
            watch_one(&busy, 0.05);
        assert_true(child_times(&deep).waited >= 0.5);
    }
    child_kill(&busy);
    child_kill(&deep);
    assert_true(child_reap_rest(child_now() + 10));
    child_free(&busy);
    child_free(&deep);
}

static void *never_rest(void *unused) {
    for (volatile unsigned i = 0;; i++) {
    }
    return unused;
}

/* A process whose first thread only waits for two that share a processor. */
static void test_all_threads_of_a_process_count(void **state) {
    (void)state;
    if (access("/proc/self/schedstat", R_OK) != 0) skip();
    Child busy = {.pid = fork()};
    if (busy.pid == 0) {
        cpu_set_t one;
        pthread_t threads[2];
        CPU_ZERO(&one);
        CPU_SET((size_t)sched_getcpu(), &one);
        sched_setaffinity(0, sizeof one, &one);
        for (size_t i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, never_rest, NULL);
        for (;;)
            pause();
    }
    const double patience = child_now() + 60;
    ChildTimes times = {0};
    while ((times.ran < 0.5 || times.waited < 0.25) && child_now() < patience)
        times = child_times(&busy);
    kill(busy.pid, SIGKILL);
    waitpid(busy.pid, NULL, 0);
    assert_true(times.ran >= 0.5 && times.waited >= 0.25);
}

/* Two that only give way to each other use the processor up between them, and each of their turns says so. */
static void test_who_gives_way_was_offered_a_processor(void **state) {
    (void)state;
    if (access("/proc/self/schedstat", R_OK) != 0) skip();
    Child giving = {.pid = fork()};
    if (giving.pid == 0) {
        setpgid(0, 0);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET((size_t)sched_getcpu(), &one);
        sched_setaffinity(0, sizeof one, &one);
        if (fork() == 0) never_rest(NULL);
        for (;;)
            sched_yield();
    }
    const double patience = child_now() + 60;
    ChildTimes times = {0};
    while (times.offered - times.ran < 0.1 && child_now() < patience)
        times = child_times(&giving);
    kill(-giving.pid, SIGKILL);
    waitpid(giving.pid, NULL, 0);
    assert_true(times.offered - times.ran >= 0.1);
}

/* Of a second in which four have had fifty turns each: one that works uses its own, and who has none sleeps.
 */
static void test_who_only_gives_way_is_known(void **state) {
    (void)state;
    const ChildTimes before = {.ran = 2, .turns = 0.5};
    assert_true(child_gave_way(before, (ChildTimes){.ran = 2.01, .turns = 0.7}));
    assert_false(child_gave_way(before, (ChildTimes){.ran = 2.05, .turns = 0.7}));
    assert_false(child_gave_way(before, (ChildTimes){.ran = 2.5, .turns = 0.7}));
    assert_false(child_gave_way(before, before));
}

static void test_the_clock_stands_while_others_have_the_processor(void **state) {
    (void)state;
    ChildClock clock = {.most = 2};
    child_clock_look(&clock, (ChildTimes){.waited = 0.5});
    child_clock_look(&clock, (ChildTimes){.waited = 0.75});
    assert_true(clock.all.waited == 0.75);
    child_clock_look(&clock, (ChildTimes){0}); /* that one has ended, and another one begun */
    child_clock_look(&clock, (ChildTimes){.waited = 0.25});
    assert_true(clock.all.waited == 1);
    double now = child_now(), own = child_clock_now(&clock);
    assert_true(own >= now - 1 && own <= child_now() - 1);
    child_clock_look(&clock, (ChildTimes){.waited = 100});
    assert_true(clock.all.waited == 2);
}

/* A limit of a second: who waited for five and had less than one is not to blame, who had more is. */
static void test_who_got_no_processor_is_known(void **state) {
    (void)state;
    ChildClock clock = {.most = CHILD_MOST_WAITING};
    child_clock_look(&clock, (ChildTimes){.ran = 0.5, .waited = 4, .offered = 0.5});
    assert_false(child_clock_starved(&clock));
    child_clock_look(&clock, (ChildTimes){.ran = 0.75, .waited = 6, .offered = 0.75});
    assert_true(child_clock_starved(&clock));
    child_clock_look(&clock, (ChildTimes){.ran = 0.75, .waited = 6, .offered = 1.25});
    assert_false(child_clock_starved(&clock));
}

/* ---- showing ---- */

/* Living ones and those that nobody has waited for. */
static int count_children(void) {
    FILE *file = fopen("/proc/thread-self/children", "re");
    int count = 0;
    assert_non_null(file);
    while (fscanf(file, "%*s") != EOF)
        count++;
    fclose(file);
    return count;
}

/* Two orphans and a child end: all are taken note of, the child as one that was watched, and what goes on
 * does go on. */
static void test_orphans_are_taken_note_of_in_between(void **state) {
    (void)state;
    child_adopt_orphans();
    Child parent, other, *const children[] = {&parent, &other};
    start_shell(&parent,
                "(exec sleep 0) >/dev/null 2>&1 & (exec sleep 0) >/dev/null 2>&1 & echo said; exit 3", 100,
                0);
    start_shell(&other, "exec sleep 600", 100, 0);
    siginfo_t info = {0};
    assert_int_equal(waitid(P_PID, (id_t)parent.pid, &info, WEXITED | WNOWAIT), 0);
    const double patience = child_now() + 10;
    while (count_children() > 1 && child_now() < patience)
        child_reap_orphans(children, 2);
    assert_int_equal(count_children(), 1);
    assert_true(parent.ended && !other.ended);
    assert_int_equal(WEXITSTATUS(parent.status), 3);
    assert_string_equal(parent.streams[0].bytes, "said\n");
    child_kill(&other);
    assert_true(child_reap_rest(child_now() + 10));
    child_free(&parent);
    child_free(&other);
}

static void show_on(unsigned rows, const Result *result, Text *out) {
    const ShowStyle style = {.colour = false, .unicode = false, .width = 80, .rows = rows};
    struct json_object *json = result_to_json(result);
    text_init(out);
    show_result(json, "line one\n\tz[i] = x[i];\n", &style, out);
    json_object_put(json);
}

static void show(const Result *result, Text *out) {
    show_on(0, result, out);
}

static void test_caret_stands_under_its_column(void **state) {
    (void)state;
    CaseResult cases[] = {
        {.name = "a case", .verdict = CASE_PASS, .points = 1, .max_points = 1, .message = ""}};
    Finding finding = {.kind = FINDING_OUT_OF_BOUNDS,
                       .severity = FINDING_ERROR,
                       .file = "work/a.cu",
                       .line = 2,
                       .column = 9,
                       .kernel = "k",
                       .message = "x[1] of 1",
                       .explanation = "why"};
    Result result = {.lesson = "01-a",
                     .verdict = VERDICT_FAIL,
                     .score = 1,
                     .max_score = 4,
                     .cases = cases,
                     .case_count = 1,
                     .first = &finding};
    Text out;
    show(&result, &out);
    assert_string_equal(out.bytes, "01-a: not yet, 1 of 4 points\n\n"
                                   "  ok  a case\n\n"
                                   "out-of-bounds: x[1] of 1\n"
                                   "  work/a.cu:2:9, in k\n"
                                   "     2 | \tz[i] = x[i];\n"
                                   "       | \t       ^\n"
                                   "  why\n\n");
    text_free(&out);
}

static void test_error_says_that_nothing_was_judged(void **state) {
    (void)state;
    Result result = {
        .lesson = "01-a", .verdict = VERDICT_ERROR, .problem = "no sandbox", .remedy = "install it"};
    Text out;
    show(&result, &out);
    assert_non_null(strstr(out.bytes, "could not be checked"));
    assert_non_null(strstr(out.bytes, "install it"));
    assert_null(strstr(out.bytes, "points"));
    text_free(&out);
}

static void test_terminal_escapes_are_made_visible(void **state) {
    (void)state;
    CaseResult cases[] = {{.name = "a\x1b[2Jcase", .verdict = CASE_WRONG, .message = "m\x1b]0;x"}};
    Result result = {
        .lesson = "01-a", .verdict = VERDICT_FAIL, .cases = cases, .case_count = 1, .output = "o\x1b[1m"};
    Text out;
    show(&result, &out);
    assert_null(strchr(out.bytes, '\x1b'));
    text_free(&out);
}

/* Of 7 cases, those that failed alike share a line, in the order of the first of them. */
static void test_cases_that_fail_alike_are_one_line(void **state) {
    (void)state;
    CaseResult cases[] = {{.name = "one", .verdict = CASE_WRONG, .message = "`sum` is 1"},
                          {.name = "two", .verdict = CASE_PASS, .message = ""},
                          {.name = "three", .verdict = CASE_CRASH, .message = "`sum` is 1"},
                          {.name = "four", .verdict = CASE_WRONG, .message = "`sum` is 1"},
                          {.name = "five", .verdict = CASE_WRONG, .message = "`sum` is 2"},
                          {.name = "six", .verdict = CASE_PASS, .message = ""}};
    Result result = {.lesson = "01-a", .verdict = VERDICT_FAIL, .cases = cases, .case_count = 6};
    Text out;
    show(&result, &out);
    assert_non_null(strstr(out.bytes, "\n\n  x   one; four: `sum` is 1\n"
                                      "  ok  two\n"
                                      "  x   three: `sum` is 1\n"
                                      "  x   five: `sum` is 2\n"
                                      "  ok  six\n\n"));
    text_free(&out);
    for (size_t i = 0; i < 6; i++)
        cases[i] = (CaseResult){.name = "a case", .verdict = CASE_WRONG, .message = "`sum` is 1"};
    show(&result, &out);
    assert_non_null(strstr(out.bytes, "\n\n  x   all 6 cases: `sum` is 1\n\n"));
    text_free(&out);
}

/* A screen of 24 rows has four lines for the cases, so that what was found begins in its upper half. */
static void test_cases_are_few_lines_on_a_small_screen(void **state) {
    (void)state;
    CaseResult cases[] = {{.name = "one", .verdict = CASE_PASS, .message = ""},
                          {.name = "two", .verdict = CASE_PASS, .message = ""},
                          {.name = "three", .verdict = CASE_WRONG, .message = "`sum` is 1"},
                          {.name = "four", .verdict = CASE_PASS, .message = ""},
                          {.name = "five", .verdict = CASE_WRONG, .message = "`sum` is 2"},
                          {.name = "six", .verdict = CASE_WRONG, .message = "`sum` is 3"},
                          {.name = "seven", .verdict = CASE_WRONG, .message = "`sum` is 1"}};
    Finding finding = {.kind = FINDING_HANG, .message = "why", .explanation = ""};
    Result result = {.lesson = "01-a", .verdict = VERDICT_FAIL, .cases = cases, .case_count = 7};
    Text out;
    show_on(24, &result, &out);
    assert_non_null(strstr(out.bytes, "  ok  one\n  ok  two\n")); /* nothing else wants the room */
    text_free(&out);
    result.first = &finding;
    show_on(24, &result, &out);
    assert_non_null(strstr(out.bytes, "\n\n  x   three; seven: `sum` is 1\n"
                                      "  x   five: `sum` is 2\n"
                                      "  x   six: `sum` is 3\n"
                                      "  ok  3 passed: one; two; four\n\n"));
    text_free(&out);
    show_on(20, &result, &out);
    assert_non_null(strstr(out.bytes, "\n\n  x   three: `sum` is 1\n"
                                      "  x   3 more: five; six; seven\n"
                                      "  ok  3 passed: one; two; four\n\n"));
    text_free(&out);
    show_on(50, &result, &out);
    assert_non_null(strstr(out.bytes, "  ok  four\n"));
    text_free(&out);
    cases[1] = (CaseResult){.name = "two", .verdict = CASE_WRONG, .message = "after printing \"a.cu:9: no\""};
    cases[3] = cases[0] = (CaseResult){.name = "never", .verdict = CASE_NOT_RUN, .message = "not run"};
    result.output = "a.cu:9: no\n";
    show_on(18, &result, &out);
    assert_non_null(strstr(out.bytes, "  -   2 not run: never; never\n"));
    assert_null(strstr(out.bytes, "your program printed")); /* a case has quoted it */
    text_free(&out);
    result.output = NULL;
    for (size_t i = 0; i < 7; i++)
        cases[i] = (CaseResult){.name = "a case", .verdict = CASE_PASS, .message = ""};
    show_on(24, &result, &out);
    assert_non_null(strstr(out.bytes, "\n\n  ok  all 7 cases\n\n"));
    text_free(&out);
}

static unsigned lines_of(const char *text) {
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void assert_lines_fit(const char *text, size_t width) {
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
        assert_in_range((size_t)(end - text), 0, width);
}

/* However many findings there are, the verdict and what to do next stay on a screen of 30 lines. */
static void test_findings_fit_on_a_screen(void **state) {
    (void)state;
    enum { MOST = 40, SCREEN_LINES = 30, NEXT_LINES = 2, ROOM = 200 };
    Finding findings[MOST];
    char messages[MOST][ROOM];
    for (unsigned count = 1; count <= MOST; count++) {
        for (unsigned i = 0; i < count; i++) {
            snprintf(messages[i], ROOM,
                     "thread %u reads past the end of an array that has a name, and the sentence goes on for "
                     "longer than a line of the terminal",
                     i);
            findings[i] = (Finding){.kind = FINDING_OUT_OF_BOUNDS,
                                    .severity = FINDING_ERROR,
                                    .file = "a.cu",
                                    .line = 2,
                                    .message = messages[i],
                                    .explanation = "stay inside",
                                    .next = i + 1 < count ? &findings[i + 1] : NULL};
        }
        Result result = {.lesson = "01-a", .verdict = VERDICT_FAIL, .first = findings};
        Text out;
        show(&result, &out);
        assert_in_range(lines_of(out.bytes), 1, SCREEN_LINES - NEXT_LINES);
        assert_lines_fit(out.bytes, 80);
        assert_true((strstr(out.bytes, " more:\n") != NULL) == (count > 3));
        if (count == 4) assert_non_null(strstr(out.bytes, "\n1 more:\n  out-of-bounds, line 2: thread 3"));
        if (count == MOST) assert_non_null(strstr(out.bytes, " more, which show up here once"));
        text_free(&out);
    }
}

static void test_what_follows_is_told_in_a_line(void **state) {
    (void)state;
    Finding effect = {.kind = FINDING_UNINITIALIZED_READ,
                      .severity = FINDING_ERROR,
                      .line = 2,
                      .message = "no value",
                      .explanation = "write it"};
    Finding cause = {.kind = FINDING_INVALID_LAUNCH,
                     .severity = FINDING_ERROR,
                     .line = 1,
                     .message = "0 blocks",
                     .explanation = "launch more",
                     .next = &effect};
    effect.cause = &cause;
    Result result = {.lesson = "01-a", .verdict = VERDICT_FAIL, .first = &cause};
    Text out;
    show(&result, &out);
    assert_non_null(strstr(out.bytes, "  launch more\n\n"
                                      "1 more, which may follow from what is above:\n"
                                      "  uninitialized-read, line 2: no value\n"));
    assert_null(strstr(out.bytes, "write it"));
    text_free(&out);
    struct json_object *json = result_to_json(&result), *list = json_array(json, "findings");
    assert_int_equal(json_number(json_object_array_get_idx(list, 0), "follows", -1), -1);
    assert_int_equal(json_number(json_object_array_get_idx(list, 1), "follows", -1), 0);
    json_object_put(json);
}

static void test_paragraphs_are_wrapped_and_code_is_not(void **state) {
    (void)state;
    const ShowStyle style = {.width = 40};
    Text out;
    text_init(&out);
    show_paragraph("one two three four five six seven eight nine ten\n    kept    as it is, however long it "
                   "may be, to the end",
                   "  ", &style, &out);
    assert_string_equal(out.bytes, "  one two three four five six seven\n"
                                   "  eight nine ten\n"
                                   "      kept    as it is, however long it may be, to the end\n");
    text_clear(&out);
    show_paragraph(
        "a line that was wrapped where the page was\nwide flows on, but a sentence of that length.\n"
        "Does not,\nnor do short ones.\n\nand nothing flows over an empty line, or into\n    code",
        "  ", &style, &out);
    assert_string_equal(out.bytes, "  a line that was wrapped where the page\n"
                                   "  was wide flows on, but a sentence of\n"
                                   "  that length.\n"
                                   "  Does not,\n"
                                   "  nor do short ones.\n\n"
                                   "  and nothing flows over an empty line,\n"
                                   "  or into\n"
                                   "      code\n");
    text_free(&out);
}

/* The colours are ours; everything else that a terminal obeys is shown, whoever has let it through. */
static void test_what_was_forgotten_is_made_visible_at_the_end(void **state) {
    (void)state;
    Text raw, shown;
    text_init(&raw);
    text_init(&shown);
    text_add(&raw, "\x1b[1;31mbad\x1b[0m \x1b[2J\x1b[1;31;5m\x1b]0;title\a\r\b\x7f \xC2\x9B"
                   "2J \xE2\x80\xAE \xFF caf\xC3\xA9\ttab\n\x1b");
    text_append(&raw, "\0x", 2);
    show_guarded(&raw, &shown);
    assert_string_equal(shown.bytes,
                        "\x1b[1;31mbad\x1b[0m \\x1B[2J\\x1B[1;31;5m\\x1B]0;title\\x07\\x0D\\x08\\x7F "
                        "\\xC2\\x9B"
                        "2J \\xE2\\x80\\xAE \\xFF caf\xC3\xA9\ttab\n\\x1B\\x00x");
    text_free(&raw);
    text_free(&shown);
}

static int ask(const char *command, const char *const *environment, double seconds, Text *said) {
    return child_ask((const char *const[]){"/bin/sh", "-c", command, NULL}, environment, seconds, said);
}

/* What it complains of counts where it fails; a program that does not end, or is not there, has no status. */
static void test_a_question_to_a_program(void **state) {
    (void)state;
    Text said;
    text_init(&said);
    assert_int_equal(ask("echo yes; echo no >&2", NULL, 60, &said), 0);
    assert_string_equal(said.bytes, "yes\n");
    assert_int_equal(ask("echo yes; echo no >&2; exit 7", NULL, 60, &said), 7);
    assert_string_equal(said.bytes, "yes\nno\n");
    assert_int_equal(ask("echo $WHO", (const char *const[]){"WHO=me", NULL}, 60, &said), 0);
    assert_string_equal(said.bytes, "me\n");
    assert_int_equal(ask("kill -9 $$", NULL, 60, &said), -1);
    assert_int_equal(ask("while :; do :; done", NULL, 0.2, &said), -1);
    assert_int_equal(child_ask((const char *const[]){"/nowhere/at/all", NULL}, NULL, 60, &said) == 0, 0);
    text_free(&said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_status),
        cmocka_unit_test(test_two_full_pipes_do_not_block),
        cmocka_unit_test(test_flood_is_noticed),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_early_signal_is_ignored),
        cmocka_unit_test(test_no_descriptor_is_inherited),
        cmocka_unit_test(test_program_that_is_not_there),
        cmocka_unit_test(test_orphans_are_waited_for),
        cmocka_unit_test(test_an_attended_child_has_its_status),
        cmocka_unit_test(test_an_attended_child_finds_itself_in_proc),
        cmocka_unit_test(test_an_attended_child_ends_with_its_last_orphan),
        cmocka_unit_test(test_nobody_outlives_who_started_an_attended_child),
        cmocka_unit_test(test_waiting_of_all_descendants_is_known),
        cmocka_unit_test(test_all_threads_of_a_process_count),
        cmocka_unit_test(test_who_gives_way_was_offered_a_processor),
        cmocka_unit_test(test_who_only_gives_way_is_known),
        cmocka_unit_test(test_the_clock_stands_while_others_have_the_processor),
        cmocka_unit_test(test_who_got_no_processor_is_known),
        cmocka_unit_test(test_orphans_are_taken_note_of_in_between),
        cmocka_unit_test(test_waiting_for_a_processor_is_known),
        cmocka_unit_test(test_caret_stands_under_its_column),
        cmocka_unit_test(test_error_says_that_nothing_was_judged),
        cmocka_unit_test(test_terminal_escapes_are_made_visible),
        cmocka_unit_test(test_what_was_forgotten_is_made_visible_at_the_end),
        cmocka_unit_test(test_cases_that_fail_alike_are_one_line),
        cmocka_unit_test(test_cases_are_few_lines_on_a_small_screen),
        cmocka_unit_test(test_findings_fit_on_a_screen),
        cmocka_unit_test(test_what_follows_is_told_in_a_line),
        cmocka_unit_test(test_paragraphs_are_wrapped_and_code_is_not),
        cmocka_unit_test(test_a_question_to_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
