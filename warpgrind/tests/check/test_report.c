/* test_report.c - findings are filed once and in order, and both reports say what they hold. */
#include "check/races/races.h"
#include "fake_gpu.h"

static CheckFinding finding_at(FindingKind kind, FindingSeverity severity, int line) {
    CheckFinding finding = {.kind = kind, .severity = severity, .message = "m", .explanation = "e"};
    finding.party.place = (CheckPlace){.file = "x.cu", .line = line, .column = 3};
    return finding;
}

static void add(Gpu *gpu, FindingKind kind, FindingSeverity severity, int line) {
    CheckFinding finding = finding_at(kind, severity, line);
    check_add(gpu->check, &finding);
}

static void errors_come_first_and_once(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    add(gpu, FINDING_UNCOALESCED, FINDING_NOTE, 1);
    add(gpu, FINDING_LEAK, FINDING_ERROR, 2);
    add(gpu, FINDING_API_MISUSE, FINDING_ERROR, 3);
    add(gpu, FINDING_LEAK, FINDING_ERROR, 2);
    assert_int_equal(check_finding_count(gpu->check, FINDING_ERROR), 2);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 1);
    assert_int_equal(check_finding(gpu->check, 0)->party.place.line, 2);
    assert_int_equal(check_finding(gpu->check, 0)->count, 2);
    assert_int_equal(check_finding(gpu->check, 1)->party.place.line, 3);
    assert_int_equal(check_finding(gpu->check, 2)->kind, FINDING_UNCOALESCED);
    assert_null(check_finding(gpu->check, 3));
    fake_destroy(gpu);
}

static void list_is_bounded_and_notes_give_way(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    for (int line = 1; line <= 300; line++)
        add(gpu, FINDING_UNCOALESCED, FINDING_NOTE, line);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 200);
    for (int line = 1; line <= 250; line++)
        add(gpu, FINDING_LEAK, FINDING_ERROR, line);
    assert_int_equal(check_finding_count(gpu->check, FINDING_ERROR), 200);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 0);
    struct json_object *report = check_report_json(gpu->check, NULL);
    assert_int_equal(json_object_array_length(json_array(report, "findings")), 200);
    assert_int_equal(json_number(report, "findings_total", 0), 550);
    json_object_put(report);
    fake_destroy(gpu);
}

static void marks_are_kept(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    check_mark(gpu->check, "n = 33");
    add(gpu, FINDING_LEAK, FINDING_ERROR, 2);
    check_mark(gpu->check, "n = 64");
    fake_launch(gpu, 1, 32, 30);
    fake_launch_end(gpu);
    struct json_object *report = check_report_json(gpu->check, NULL);
    assert_string_equal(json_text(json_object_array_get_idx(json_array(report, "findings"), 0), "mark", ""),
                        "n = 33");
    assert_string_equal(json_text(json_object_array_get_idx(json_array(report, "launches"), 0), "mark", ""),
                        "n = 64");
    json_object_put(report);
    fake_destroy(gpu);
}

/* x: 32 floats by the kernel at line 7, the rest copied from the host at line 20; one atomic at line 8 */
static struct json_object *report_of_a_run(Gpu *gpu) {
    uint64_t x = fake_alloc(gpu, 512, 12);
    fake_parameter(gpu, "x", 8, 4, x);
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], x, (uint64_t)256, (uint64_t)20);
    fake_launch(gpu, 2, 32, 30);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 4});
    fake_access(gpu, (FakeAccess){.kind = GPU_ATOMIC, .lanes = 0x10, .pc = 8, .address = x + 16});
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_READ, .pc = 9, .address = x + 8});
    fake_launch_end(gpu);
    fake_launch(gpu, 1, 32, 31); /* records survive another launch */
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .lanes = 1, .pc = 10, .address = x + 252});
    fake_launch_end(gpu);
    FAKE_SEND(gpu, host_read, &gpu->allocations[0], x, (uint64_t)260, (uint64_t)50);
    struct json_object *header = json_object_new_object();
    json_object_object_add(header, "program", json_object_new_string("a.out"));
    struct json_object *report = check_report_json(gpu->check, header);
    json_object_put(header);
    return report;
}

static void assert_writer(struct json_object *writers, size_t i, long offset, long bytes, const char *kernel,
                          long line) {
    struct json_object *writer = json_object_array_get_idx(writers, i);
    assert_int_equal(json_number(writer, "offset", -1), offset);
    assert_int_equal(json_number(writer, "bytes", -1), bytes);
    assert_string_equal(json_text(writer, "kernel", "host"), kernel);
    assert_int_equal(json_number(writer, "line", -1), line);
}

static void json_report(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    struct json_object *report = report_of_a_run(gpu);
    assert_string_equal(json_text(report, "schema", ""), "warpgrind/report/v1");
    assert_string_equal(json_text(report, "program", ""), "a.out");
    assert_int_equal(json_number(report, "launches_total", 0), 2);
    struct json_object *launch = json_object_array_get_idx(json_array(report, "launches"), 0);
    assert_string_equal(json_text(launch, "kernel", ""), "k");
    assert_int_equal(json_number(launch, "line", 0), 30);
    assert_string_equal(json_text(launch, "status", ""), "ok");
    assert_int_equal(json_number(json_member(launch, "counters"), "global_store_sectors", 0), 4);
    struct json_object *copy = json_object_array_get_idx(json_array(report, "copies"), 0);
    assert_string_equal(json_text(copy, "to", ""), "host");
    assert_int_equal(json_number(copy, "bytes", 0), 260);
    struct json_object *writers = json_array(copy, "writers");
    assert_int_equal(json_object_array_length(writers), 6);
    assert_writer(writers, 0, 0, 16, "k", 7);
    assert_writer(writers, 1, 16, 4, "k", 8);
    assert_writer(writers, 2, 20, 108, "k", 7);
    assert_writer(writers, 3, 128, 124, "host", 20);
    assert_writer(writers, 4, 252, 4, "k", 10);
    assert_writer(writers, 5, 256, 4, "host", 0);
    assert_string_equal(json_text(json_object_array_get_idx(writers, 5), "what", ""), "unwritten");
    json_object_put(report);
    fake_destroy(gpu);
}

/* Where records were lost, a word without one may have had a writer. */
static void writers_that_were_lost(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    uint64_t x = fake_alloc(gpu, 512, 12);
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], x, (uint64_t)4, (uint64_t)20);
    races_unwatched(gpu->check->races, UNWATCHED_TIMES, 7);
    FAKE_SEND(gpu, host_read, &gpu->allocations[0], x, (uint64_t)512, (uint64_t)50);
    races_unwatched(gpu->check->races, UNWATCHED_ROOM, 7);
    FAKE_SEND(gpu, host_read, &gpu->allocations[0], x, (uint64_t)512, (uint64_t)50);
    struct json_object *header = json_object_new_object();
    struct json_object *report = check_report_json(gpu->check, header),
                       *copies = json_array(report, "copies");
    static const char *const expected[] = {"unwritten", "unknown"};
    for (size_t i = 0; i < 2; i++) {
        struct json_object *writers = json_array(json_object_array_get_idx(copies, i), "writers");
        assert_int_equal(json_object_array_length(writers), 2);
        assert_writer(writers, 0, 0, 4, "host", 20);
        assert_writer(writers, 1, 4, 508, "host", 0);
        assert_string_equal(json_text(json_object_array_get_idx(writers, 1), "what", ""), expected[i]);
    }
    json_object_put(header);
    json_object_put(report);
    fake_destroy(gpu);
}

static void json_finding(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    struct json_object *report = report_of_a_run(gpu);
    struct json_object *findings = json_array(report, "findings"),
                       *race = json_object_array_get_idx(findings, 0);
    assert_string_equal(json_text(race, "kind", ""), "global-race");
    assert_string_equal(json_text(race, "severity", ""), "error");
    assert_int_equal(json_number(race, "line", 0), 9);
    assert_string_equal(json_text(race, "what", ""), "read");
    assert_int_equal(json_object_get_int(json_object_array_get_idx(json_array(race, "block"), 0)), 1);
    assert_int_equal(json_number(json_member(race, "other"), "line", 0), 7);
    struct json_object *array = json_member(race, "array");
    assert_string_equal(json_text(array, "name", ""), "x");
    assert_int_equal(json_number(array, "index", -1), 2);
    assert_int_equal(json_number(array, "length", -1), 128);
    json_object_put(report);
    fake_destroy(gpu);
}

static void text_report(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_launch(gpu, 1, 32, 30);
    fake_launch_end(gpu);
    CheckFinding finding = finding_at(FINDING_SHARED_RACE, FINDING_ERROR, 14);
    finding.message = "it \033[31mraces";
    finding.other.place = (CheckPlace){.file = "x.cu", .line = 12};
    finding.count = 32;
    check_add(gpu->check, &finding);
    Text out;
    text_init(&out);
    check_report_text(gpu->check, &out, false, true);
    assert_contains(out.bytes, "error: shared-race: it ");
    assert_null(strchr(out.bytes, '\033')); /* nothing of the program's reaches the terminal as it is */
    assert_contains(out.bytes, "--> x.cu:14:3");
    assert_contains(out.bytes, "(31 more like this)");
    assert_contains(out.bytes, "1 error, 0 notes");
    text_free(&out);
    fake_destroy(gpu);
}

static void missing_lines_are_explained_once(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    for (uint32_t thread = 0; thread < 2; thread++) {
        CheckFinding finding = finding_at(FINDING_SHARED_RACE, FINDING_ERROR, 0);
        finding.kernel = "blind";
        finding.party.has_thread = true;
        finding.array.index = thread;
        check_add(gpu->check, &finding);
    }
    Text out;
    text_init(&out);
    check_report_text(gpu->check, &out, false, true);
    const char *said =
        strstr(out.bytes, "kernel blind was built without line numbers: nvcc -lineinfo (and -g for the host");
    assert_non_null(said);
    assert_null(strstr(said + 1, "kernel blind was built"));
    text_free(&out);
    fake_destroy(gpu);
}

static void invalid_utf8_stays_out_of_json(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    check_mark(gpu->check, "a\xff:\xc3(b");
    add(gpu, FINDING_LEAK, FINDING_ERROR, 1);
    struct json_object *report = check_report_json(gpu->check, NULL);
    assert_string_equal(json_text(json_object_array_get_idx(json_array(report, "findings"), 0), "mark", ""),
                        "a\xef\xbf\xbd:\xef\xbf\xbd(b"); /* U+FFFD */
    json_object_put(report);
    fake_destroy(gpu);
}

static void every_kind_explains_itself(void **state) {
    (void)state;
    for (FindingKind kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        Text out;
        text_init(&out);
        check_explain(kind, &out);
        assert_contains(out.bytes, finding_info(kind)->title);
        assert_true(out.length > 300);
        bool wrong = strstr(out.bytes, "\nwrong:\n") != NULL, right = strstr(out.bytes, "\nright:") != NULL;
        bool slow = strstr(out.bytes, "\nslow:\n") != NULL, fast = strstr(out.bytes, "\nfast:\n") != NULL;
        assert_true((wrong && right) || (slow && fast));
        assert_int_equal(finding_by_name(finding_info(kind)->name), kind);
        text_free(&out);
    }
    assert_int_equal(finding_by_name("no-such-kind"), FINDING_KIND_COUNT);
}

/* A launch that ends of itself is told with what it did, and one that a finding has stopped only where that
 * check is off. */
typedef struct End {
    GpuStatus status;
    bool trapped, apart, unchecked;
    FindingKind kind;
    const char *message, *advice; /* NULL: nothing is told */
} End;

static void assert_end(const End *end) {
    Gpu *gpu = fake_create();
    gpu->check->options.memory = gpu->check->options.synchronisation = !end->unchecked;
    fake_launch(gpu, 1, 32, 30);
    gpu->launch.meets_grid = end->apart;
    gpu->launch.trap_pc = end->trapped ? 12 : 0;
    FAKE_SEND(gpu, launch_end, &gpu->launch, end->status);
    if (end->message) {
        const CheckFinding *found = fake_only_error(gpu);
        assert_int_equal(found->kind, end->kind);
        assert_contains(found->message, end->message);
        assert_contains(found->explanation, end->advice);
        assert_int_equal(found->party.place.line, end->trapped ? 12 : 30);
    } else {
        assert_int_equal(fake_errors(gpu), 0);
    }
    fake_destroy(gpu);
}

static void launches_end_in_many_ways(void **state) {
    (void)state;
    static const End ends[] = {
        {.status = GPU_OK},
        {.status = GPU_ASSERT},
        {.status = GPU_HALTED},
        {.status = GPU_HANG},
        {.status = GPU_ILLEGAL_ADDRESS},
        {.status = GPU_MISALIGNED},
        {GPU_HANG, false, false, true, FINDING_HANG, "k was stopped: its threads wait", "synchronisation"},
        {GPU_ILLEGAL_ADDRESS, false, false, true, FINDING_OUT_OF_BOUNDS, "belongs to no allocation",
         "(or memory)"},
        {GPU_MISALIGNED, false, false, true, FINDING_MISALIGNED, "the access's size", "(or memory)"},
        {GPU_TRAP, true, false, false, FINDING_CRASH, "stopped itself with a trap", "__trap()"},
        {GPU_TRAP, false, true, false, FINDING_INVALID_LAUNCH, "waits for its whole grid",
         "cudaLaunchCooperativeKernel"},
        {GPU_ILLEGAL_INSTRUCTION, true, false, false, FINDING_CRASH, "calls a function that is not there",
         "&f there is"},
        {GPU_ILLEGAL_INSTRUCTION, false, false, false, FINDING_CRASH, "cannot be executed", "no valid value"},
        {GPU_STACK_OVERFLOW, false, false, false, FINDING_LIMIT, "used up its stack", "Recursion"},
        {GPU_OUT_OF_MEMORY, false, false, false, FINDING_LIMIT, "needs more memory", "smaller arrays"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        assert_end(&ends[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_first_and_once),
        cmocka_unit_test(list_is_bounded_and_notes_give_way),
        cmocka_unit_test(marks_are_kept),
        cmocka_unit_test(json_report),
        cmocka_unit_test(writers_that_were_lost),
        cmocka_unit_test(json_finding),
        cmocka_unit_test(text_report),
        cmocka_unit_test(missing_lines_are_explained_once),
        cmocka_unit_test(invalid_utf8_stays_out_of_json),
        cmocka_unit_test(every_kind_explains_itself),
        cmocka_unit_test(launches_end_in_many_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
