/* test_report.c - devices' reports and compilers' messages become findings at the student's lines. */
#include "autograder/compile/messages.h"
#include "autograder/evidence/origin.h"
#include "autograder/evidence/report.h"

#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "#include <cuda_runtime.h>\n" /* line 1 */
                             "__global__ void k(float *z) {\n"
                             "    z[0] = 1;\n"
                             "}\n"
                             "void answer(float *d_z) {\n" /* line 5 */
                             "    k<<<1, 1>>>(d_z);\n"
                             "}\n";

static const JudgeCaseSpec specs[] = {{.name = "first", .points = 1, .n = 1},
                                      {.name = "second", .points = 2, .n = 4}};
static const Judge judge = {.lesson = "99-test", .cases = specs, .case_count = 2};

typedef struct Desk {
    Arena *arena;
    Diagnostics diagnostics;
    Submission submission;
    Result result;
    Check check;
    Schedule schedule;
} Desk;

static int desk_open(void **state) {
    Desk *desk = calloc(1, sizeof *desk);
    desk->arena = arena_create();
    diag_init(&desk->diagnostics, desk->arena);
    desk->submission = (Submission){.path = "work/99-test.cu", .name = "99-test.cu"};
    text_init(&desk->submission.source);
    text_add(&desk->submission.source, source);
    desk->check = (Check){.arena = desk->arena,
                          .judge = &judge,
                          .submission = &desk->submission,
                          .driver_begin = 0x2000,
                          .driver_end = 0x3000,
                          .function = "answer",
                          .result = &desk->result,
                          .diagnostics = &desk->diagnostics};
    *state = desk;
    return 0;
}

static int desk_close(void **state) {
    Desk *desk = *state;
    run_free(&desk->schedule, 1);
    text_free(&desk->submission.source);
    arena_destroy(desk->arena);
    free(desk);
    return 0;
}

/* One pair that ran both cases, with a report of these members. */
static void add_pair(Desk *desk, bool well, const char *members) {
    Text text;
    text_init(&text);
    text_format(&text, "{\"schema\":\"warpgrind/report/v1\"%s%s}", *members ? "," : "", members);
    Pair *pair = &desk->schedule.pairs[desk->schedule.pair_count++];
    *pair = (Pair){.first_case = 0, .last_case = 1, .well = well, .report = json_tokener_parse(text.bytes)};
    assert_non_null(pair->report);
    text_free(&text);
}

/* The same for a third case, which is hidden and has a pair of its own. */
static void add_hidden_pair(Desk *desk, const char *members) {
    static const JudgeCaseSpec all[] = {{.name = "first", .points = 1, .n = 1},
                                        {.name = "second", .points = 2, .n = 4},
                                        {.name = "777", .concept = "a prime", .points = 2, .n = 777}};
    static const Judge with_hidden = {.lesson = "99-test", .cases = all, .case_count = 3};
    desk->check.judge = &with_hidden;
    add_pair(desk, true, members);
    Pair *pair = &desk->schedule.pairs[desk->schedule.pair_count - 1];
    pair->first_case = pair->last_case = 2;
}

static unsigned count_findings(const Desk *desk) {
    unsigned count = 0;
    for (const Finding *finding = desk->result.first; finding != NULL; finding = finding->next)
        count++;
    return count;
}

static void test_finding_is_taken_over(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[{\"kind\":\"shared-race\",\"severity\":\"error\",\"mark\":\"01\",\"kernel\":"
             "\"k\",\"file\":\"/w/99-test.cu\","
             "\"line\":3,\"column\":5,\"message\":\"m\",\"explanation\":\"e\",\"count\":4,"
             "\"other\":{\"file\":\"99-test.cu\",\"line\":2,\"column\":7,\"what\":\"write\"}}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    const Finding *finding = desk->result.first;
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(finding->kind, FINDING_SHARED_RACE);
    assert_string_equal(finding->file, "work/99-test.cu");
    assert_int_equal(finding->line, 3);
    assert_int_equal(finding->column, 5);
    assert_string_equal(finding->kernel, "k");
    assert_int_equal(finding->other_line, 2);
    assert_string_equal(finding->other_what, "write");
    assert_string_equal(finding->case_name, "second");
    assert_int_equal(finding->count, 4);
}

/* A learner cannot mend how a library's code branches; an error there is told as before. */
static void test_a_note_on_a_librarys_code_is_left_out(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[{\"kind\":\"divergent-branch\",\"severity\":\"note\",\"mark\":\"01\",\"file\":"
             "\"/usr/include/cub/agent.cuh\",\"line\":3},"
             "{\"kind\":\"shared-race\",\"severity\":\"error\",\"mark\":\"01\",\"file\":"
             "\"/usr/include/cub/agent.cuh\",\"line\":3},"
             "{\"kind\":\"divergent-branch\",\"severity\":\"note\",\"mark\":\"01\",\"file\":\"99-test.cu\","
             "\"line\":3}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 2);
    assert_int_equal(desk->result.first->kind, FINDING_SHARED_RACE);
}

/* What the host touches while a kernel runs is told by that kernel's launch, and stands in no kernel. */
static void test_hosts_line_is_in_no_kernel(void **state) {
    Desk *desk = *state;
    add_pair(
        desk, true,
        "\"findings\":[{\"kind\":\"missing-sync\",\"mark\":\"01\",\"kernel\":\"k\",\"file\":\"99-test.cu\","
        "\"line\":6,\"address\":4660,\"what\":\"read\","
        "\"other\":{\"file\":\"99-test.cu\",\"line\":3,\"what\":\"write\"}}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->line, 6);
    assert_null(desk->result.first->kernel);
}

/* How often, which follows from which, and what explains what: all of it is from cases that are shown. */
static void test_hidden_cases_say_nothing_of_others(void **state) {
    Desk *desk = *state;
#define RACE_AFTER(more)                                                                                     \
    "\"findings\":[{\"kind\":\"uninitialized-read\",\"file\":\"99-test.cu\",\"line\":2,\"count\":2},"        \
    "{\"kind\":\"shared-race\",\"file\":\"99-test.cu\",\"line\":3,\"count\":2" more "}]"
    add_hidden_pair(desk, RACE_AFTER(",\"follows\":0"));
    add_pair(desk, true, RACE_AFTER(""));
#undef RACE_AFTER
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 2);
    for (const Finding *finding = desk->result.first; finding != NULL; finding = finding->next) {
        assert_int_equal(finding->count, 2);
        assert_null(finding->cause);
    }
}

static void test_same_finding_is_listed_once(void **state) {
    Desk *desk = *state;
    static const char one[] = "\"findings\":[{\"kind\":\"shared-race\",\"file\":\"99-test.cu\",\"line\":3,"
                              "\"count\":2,\"other\":{\"file\":"
                              "\"99-test.cu\",\"line\":2}}]";
    static const char swapped[] =
        "\"findings\":[{\"kind\":\"shared-race\",\"file\":\"99-test.cu\",\"line\":2,\"count\":3,\"other\":{"
        "\"file\":\"99-test.cu\",\"line\":3}}]";
    static const char another[] =
        "\"findings\":[{\"kind\":\"shared-race\",\"file\":\"99-test.cu\",\"line\":3,\"message\":\"more\"}]";
    add_pair(desk, true, one);
    add_pair(desk, true, swapped);
    add_pair(desk, true, another); /* other lines: another finding */
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 2);
    assert_int_equal(desk->result.first->count, 5);
}

/* The other party's line is another one, and one device named the file where the other had no need to. */
static void test_the_same_words_are_told_once(void **state) {
    Desk *desk = *state;
#define RACE(place, other)                                                                                   \
    "\"findings\":[{\"kind\":\"shared-race\",\"file\":\"99-test.cu\",\"line\":3,\"count\":2,\"message\":"    \
    "\"races with the launch at " place "\",\"other\":{\"file\":\"99-test.cu\",\"line\":" other "}}]"
    add_pair(desk, true, RACE("line 7", "2"));
    add_pair(desk, true, RACE("99-test.cu:7", "4"));
    add_pair(desk, true, RACE("99-test.cu:8", "4"));
#undef RACE
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 2);
    assert_string_equal(desk->result.first->message, "races with the launch at line 7");
    assert_int_equal(desk->result.first->count, 4);
    assert_string_equal(desk->result.first->next->message, "races with the launch at line 8");
}

static void test_place_in_the_driver_becomes_the_launch(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"launches\":[{\"id\":1,\"mark\":\"00\",\"kernel\":\"k\",\"file\":\"99-test.cu\",\"line\":6}],"
             "\"findings\":[{\"kind\":\"uninitialized-read\",\"mark\":\"00\",\"file\":\"lessons/common/"
             "driver.c\",\"line\":136}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->line, 6);
    assert_string_equal(desk->result.first->file, "work/99-test.cu");
}

static void test_lines_of_the_driver_are_not_told(void **state) {
    Desk *desk = *state;
    add_pair(
        desk, true,
        "\"findings\":[{\"kind\":\"uninitialized-read\",\"mark\":\"00\",\"file\":\"lessons/common/driver.c\","
        "\"line\":136,\"address\":8200,\"message\":\"copies the memory allocated at line 109 to the host\","
        "\"array\":{\"file\":\"lessons/common/driver.c\",\"line\":109}},"
        "{\"kind\":\"crash\",\"file\":\"99-test.cu\",\"line\":2,\"message\":\"the 4 bytes allocated at "
        "driver.c:7\"},"
        "{\"kind\":\"out-of-bounds\",\"file\":\"99-test.cu\",\"line\":3,\"message\":\"the memory allocated "
        "at line "
        "6 ends there\",\"array\":{\"file\":\"99-test.cu\",\"line\":6}}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_string_equal(desk->result.first->message,
                        "the lesson's program copies an array of its own to the host");
    assert_string_equal(desk->result.last->message, "the memory allocated at line 6 ends there");
    assert_string_equal(desk->result.first->next->message, "the 4 bytes allocated by the lesson's program");
}

/* With a launch in one case and none in the other they stand at different lines. */
static void test_what_the_driver_saw_twice_is_listed_once(void **state) {
    Desk *desk = *state;
    add_pair(
        desk, true,
        "\"launches\":[{\"id\":1,\"mark\":\"00\",\"kernel\":\"k\",\"file\":\"99-test.cu\",\"line\":6}],"
        "\"findings\":[{\"kind\":\"uninitialized-read\",\"mark\":\"00\",\"file\":\"driver.c\",\"line\":9,"
        "\"address\":8200},"
        "{\"kind\":\"uninitialized-read\",\"mark\":\"01\",\"file\":\"driver.c\",\"line\":9,\"address\":8200},"
        "{\"kind\":\"uninitialized-read\",\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":3}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 2);
    assert_int_equal(desk->result.first->line, 6);
    assert_int_equal(desk->result.first->count, 2);
    assert_int_equal(desk->result.last->line, 3);
}

static void test_without_a_launch_it_is_the_function(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[{\"kind\":\"uninitialized-read\",\"mark\":\"00\",\"file\":\"lessons/common/"
             "driver.c\",\"line\":136}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->line, 5);
}

static const char in_the_drivers_name[] =
    "\"findings\":[{\"kind\":\"api-misuse\",\"mark\":\"00\",\"line\":9,\"address\":8200},"
    "{\"kind\":\"unchecked-error\",\"mark\":\"00\",\"line\":9,\"address\":8200},"
    "{\"kind\":\"leak\",\"mark\":\"00\",\"line\":9,\"address\":8200}]";

static void test_misuse_by_the_driver_only_follows(void **state) {
    Desk *desk = *state;
    add_pair(desk, false, in_the_drivers_name);
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 0);
}

/* A driver that came to its end has made no mistake: somebody used its name. */
static void test_misuse_in_the_drivers_name_counts(void **state) {
    Desk *desk = *state;
    add_pair(desk, true, in_the_drivers_name);
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 3);
}

/* The debug lines say that the driver did it, and the address that the student's code did; and the reverse.
 */
static void test_the_address_says_whose_call_it_was(void **state) {
    Desk *desk = *state;
    add_pair(desk, false,
             "\"findings\":[{\"kind\":\"api-misuse\",\"mark\":\"00\",\"file\":\"lessons/common/driver.c\","
             "\"line\":9,\"address\":8192},"
             "{\"kind\":\"unchecked-error\",\"mark\":\"00\",\"file\":\"99-test.cu\",\"line\":3,"
             "\"address\":12288}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(desk->result.first->kind, FINDING_API_MISUSE);
    assert_int_equal(desk->result.first->line, 5);
}

static void test_what_was_not_watched_is_not_passed(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[{\"kind\":\"limit\",\"severity\":\"note\",\"file\":\"99-test.cu\",\"line\":3},"
             "{\"kind\":\"uncoalesced\",\"severity\":\"note\",\"file\":\"99-test.cu\",\"line\":3}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->severity, FINDING_ERROR);
    assert_int_equal(desk->result.last->severity, FINDING_NOTE);
}

static void test_who_kills_the_device_is_to_blame(void **state) {
    Desk *desk = *state;
    desk->schedule.pair_count = 1;
    desk->schedule.pairs[0] = (Pair){.device_said = "Segmentation fault", .device_signal = 11};
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->kind, FINDING_CRASH);
}

static void test_leak_of_a_dead_program_is_none(void **state) {
    Desk *desk = *state;
    static const char leaks[] =
        "\"findings\":[{\"kind\":\"leak\",\"mark\":\"00\",\"file\":\"99-test.cu\",\"line\":6},"
        "{\"kind\":\"leak\",\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":5}]";
    add_pair(desk, false, leaks); /* it died in case 01 */
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(desk->result.first->line, 6);
}

/* What is of no case is of the one in which the program died. */
static void test_leak_of_no_case_of_a_dead_program_is_none(void **state) {
    static const char leak[] =
        "\"findings\":[{\"kind\":\"leak\",\"mark\":\"\",\"file\":\"99-test.cu\",\"line\":6}]";
    Desk *desk = *state;
    add_pair(desk, false, leak);
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 0);
    add_pair(desk, true, leak);
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 1);
}

/* The entry before, by its place in the list; none that comes later, nor itself. */
static void test_what_follows_from_an_entry_before(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[{\"kind\":\"shared-race\",\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":3,"
             "\"follows\":1},"
             "{\"kind\":\"out-of-bounds\",\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":2,\"follows\":0},"
             "{\"kind\":\"leak\",\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":6,\"follows\":2}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    const Finding *race = desk->result.first;
    assert_null(race->cause);
    assert_ptr_equal(race->next->cause, race);
    assert_null(race->next->next->cause);
}

static void test_the_driver_read_too_early_before_the_program_died(void **state) {
    Desk *desk = *state;
    static const char early[] =
        "\"findings\":[{\"kind\":\"missing-sync\",\"mark\":\"00\",\"file\":\"driver.c\",\"line\":9,"
        "\"address\":8200,"
        "\"message\":\"a\"},{\"kind\":\"missing-sync\",\"mark\":\"01\",\"file\":\"driver.c\",\"line\":9,"
        "\"address\":8200,\"message\":\"b\"}]";
    add_pair(desk, false, early); /* it died in case 01 */
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 1);
    assert_string_equal(desk->result.first->message, "a");
}

static void test_no_report_is_our_fault(void **state) {
    Desk *desk = *state;
    desk->schedule.pair_count = 1;
    desk->schedule.pairs[0] = (Pair){.device_said = "Killed"};
    assert_false(report_merge(&desk->check, &desk->schedule, 1));
    assert_non_null(strstr(desk->diagnostics.first->message, "no report: Killed"));
}

static void test_a_device_that_breaks_each_time_is_the_submissions_doing(void **state) {
    Desk *desk = *state;
    desk->schedule.pair_count = 1;
    desk->schedule.breaks_device = true;
    desk->schedule.pairs[0] = (Pair){.device_said = "it ended by itself"};
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(desk->result.first->kind, FINDING_LIMIT);
    assert_non_null(strstr(desk->result.first->message, "tried twice: it ended by itself"));
}

static void test_stopped_device_is_nobodys_fault(void **state) {
    Desk *desk = *state;
    desk->schedule.pair_count = 1;
    desk->schedule.pairs[0] = (Pair){.device_said = "Killed", .stopped = true};
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
}

static void test_report_of_another_version_is_refused(void **state) {
    Desk *desk = *state;
    desk->schedule.pair_count = 1;
    desk->schedule.pairs[0].report = json_tokener_parse("{\"schema\":\"warpgrind/report/v9\"}");
    assert_false(report_merge(&desk->check, &desk->schedule, 1));
}

/* Whatever the members' types are, reading ends well. */
static void test_strange_members_are_ignored(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"findings\":[7,null,\"x\",[],{},{\"kind\":5},{\"kind\":\"no-such-kind\"},{\"kind\":\"leak\","
             "\"file\":[],\"line\":\"x\"}],"
             "\"launches\":{},\"copies\":[3,{\"writers\":7,\"to\":\"host\",\"mark\":\"00\"}]");
    assert_true(report_merge(&desk->check, &desk->schedule, 1));
    assert_int_equal(count_findings(desk), 1); /* a leak nowhere */
    assert_int_equal(report_find_writer(&desk->check, &desk->schedule, 0, 4, 0).line, 5);
}

#define COPY(mark, bytes, writers)                                                                           \
    "{\"mark\":\"" mark "\",\"to\":\"host\",\"bytes\":" #bytes ",\"writers\":[" writers "]}"
#define KERNEL(offset, bytes, line)                                                                          \
    "{\"offset\":" #offset ",\"bytes\":" #bytes ",\"kernel\":\"k\",\"file\":\"99-test.cu\",\"line\":" #line  \
    "}"
#define HOST(offset, bytes) "{\"offset\":" #offset ",\"bytes\":" #bytes ",\"file\":\"99-test.cu\",\"line\":6}"

static void test_writer_of_an_element(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"copies\":[" COPY("01", 16, KERNEL(0, 8, 3) "," KERNEL(8, 8, 2)) "," COPY(
                 "00", 16, KERNEL(0, 16, 4)) "]");
    Place place = report_find_writer(&desk->check, &desk->schedule, 1, 16, 4);
    assert_int_equal(place.line, 3);
    assert_string_equal(place.kernel, "k");
    assert_int_equal(report_find_writer(&desk->check, &desk->schedule, 1, 16, 8).line, 2);
}

/* The second case is behind the end of the list, or its last launches are; the first one is whole. */
static void test_cut_lists_hide_later_cases_only(void **state) {
    Desk *desk = *state;
    add_pair(desk, true, "\"launches\":[{\"mark\":\"00\"},{\"mark\":\"01\"}],\"launches_total\":3");
    assert_false(origin_is_cut(&desk->schedule, 0));
    assert_true(origin_is_cut(&desk->schedule, 1));
}

static void test_whole_lists_are_not_cut(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"launches\":[{\"mark\":\"01\"}],\"launches_total\":1,\"copies\":[],\"copies_total\":0");
    assert_false(origin_is_cut(&desk->schedule, 1));
}

/* Of the first case's copies one ends behind its list; the second case has a piece whose writer is not known.
 */
static void test_copies_that_are_not_traced(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"copies\":[" COPY("00", 16, KERNEL(0, 16, 3)) "," COPY("00", 16, KERNEL(0, 8, 3)) "," COPY(
                 "01", 16, KERNEL(0, 12, 3) ",{\"offset\":12,\"bytes\":4,\"what\":\"unknown\"}") "]");
    assert_true(origin_is_untraced(&desk->schedule, 0));
    assert_true(origin_is_untraced(&desk->schedule, 1));
}

static void test_copies_that_are_traced(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"copies\":[" COPY(
                 "00", 16,
                 KERNEL(0, 12, 3) ",{\"offset\":12,\"bytes\":4,\"what\":\"unwritten\"}") "," COPY("01", 16,
                                                                                                  "") "]");
    assert_false(origin_is_untraced(&desk->schedule, 0));
    assert_true(origin_is_untraced(&desk->schedule, 1));
}

static void test_never_copied_back(void **state) {
    Desk *desk = *state;
    add_pair(desk, true,
             "\"launches\":[{\"mark\":\"00\",\"counters\":{\"global_writes\":1}},"
             "{\"mark\":\"01\",\"counters\":{\"global_writes\":4}}],"
             "\"copies\":[{\"mark\":\"00\",\"to\":\"device\"},{\"mark\":\"01\",\"to\":\"host\"}]");
    assert_true(origin_never_copied_back(&desk->schedule, 0));
    assert_false(origin_never_copied_back(&desk->schedule, 1));
}

static void test_uses_are_found_by_name(void **state) {
    (void)state;
    assert_string_equal(uses_find("constant")->counters[0], "constant_requests");
    assert_string_equal(uses_find("shared")->counters[0], "shared_load_requests");
    assert_string_equal(uses_find("atomic")->counters[0], "atomic_requests");
    assert_null(uses_find("magic"));
}

/* ---- the compiler's messages ---- */

static void test_errors_at_the_students_lines(void **state) {
    Desk *desk = *state;
    messages_add_errors(&desk->check,
                        "99-test.cu:3:9: error: use of undeclared identifier 'q'\n"
                        "    z[0] = q;\n"
                        "           ^\n"
                        "99-test.cu:3:9: error: use of undeclared identifier 'q'\n" /* from the other side */
                        "/w/99-test.cu:6:1: fatal error: 'x.h' file not found\n");
    assert_int_equal(count_findings(desk), 2);
    assert_int_equal(desk->result.first->line, 3);
    assert_int_equal(desk->result.first->column, 9);
    assert_string_equal(desk->result.first->message, "use of undeclared identifier 'q'");
    assert_int_equal(desk->result.last->line, 6);
}

static void test_error_in_a_header_counts_where_it_came_from(void **state) {
    Desk *desk = *state;
    messages_add_errors(&desk->check,
                        "/usr/include/c++/12/vector:400:12: error: no member named 'y'\n"
                        "99-test.cu:6:5: note: in instantiation of function 'f' requested here\n");
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(desk->result.first->line, 6);
}

static void test_error_elsewhere_shows_no_line(void **state) {
    Desk *desk = *state;
    messages_add_errors(&desk->check, "/secret/place.h:4:1: error: expected ';'\n");
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(desk->result.first->line, 0);
    assert_null(strstr(desk->result.first->message, "/secret"));
}

static void test_some_finding_even_for_strange_output(void **state) {
    Desk *desk = *state;
    messages_add_errors(&desk->check, "\x1b[31msegmentation fault in the compiler\n");
    assert_int_equal(count_findings(desk), 1);
    assert_null(strchr(desk->result.first->message, '\x1b'));
}

static void test_warnings_are_notes_without_their_flags(void **state) {
    Desk *desk = *state;
    messages_add_warnings(&desk->check, "99-test.cu:3:9: warning: unused variable 'i' [-Wunused-variable]\n"
                                        "/usr/include/x.h:1:1: warning: something else [-Wother]\n");
    assert_int_equal(count_findings(desk), 1);
    assert_int_equal(desk->result.first->severity, FINDING_NOTE);
    assert_string_equal(desk->result.first->message, "unused variable 'i'");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)
    const struct CMUnitTest tests[] = {
        TEST(test_finding_is_taken_over),
        TEST(test_a_note_on_a_librarys_code_is_left_out),
        TEST(test_hosts_line_is_in_no_kernel),
        TEST(test_same_finding_is_listed_once),
        TEST(test_the_same_words_are_told_once),
        TEST(test_hidden_cases_say_nothing_of_others),
        TEST(test_place_in_the_driver_becomes_the_launch),
        TEST(test_without_a_launch_it_is_the_function),
        TEST(test_misuse_by_the_driver_only_follows),
        TEST(test_misuse_in_the_drivers_name_counts),
        TEST(test_the_address_says_whose_call_it_was),
        TEST(test_what_was_not_watched_is_not_passed),
        TEST(test_who_kills_the_device_is_to_blame),
        TEST(test_leak_of_a_dead_program_is_none),
        TEST(test_leak_of_no_case_of_a_dead_program_is_none),
        TEST(test_what_follows_from_an_entry_before),
        TEST(test_the_driver_read_too_early_before_the_program_died),
        TEST(test_no_report_is_our_fault),
        TEST(test_a_device_that_breaks_each_time_is_the_submissions_doing),
        TEST(test_stopped_device_is_nobodys_fault),
        TEST(test_report_of_another_version_is_refused),
        TEST(test_strange_members_are_ignored),
        TEST(test_writer_of_an_element),
        TEST(test_lines_of_the_driver_are_not_told),
        TEST(test_what_the_driver_saw_twice_is_listed_once),
        TEST(test_cut_lists_hide_later_cases_only),
        TEST(test_whole_lists_are_not_cut),
        TEST(test_copies_that_are_not_traced),
        TEST(test_copies_that_are_traced),
        TEST(test_never_copied_back),
        TEST(test_uses_are_found_by_name),
        TEST(test_errors_at_the_students_lines),
        TEST(test_error_in_a_header_counts_where_it_came_from),
        TEST(test_error_elsewhere_shows_no_line),
        TEST(test_some_finding_even_for_strange_output),
        TEST(test_warnings_are_notes_without_their_flags),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
