/* test_causes.c - which finding is told first, which ones follow from it, and that the report fits on a
 * screen. */
#include "check/findings/parts.h"
#include "fake_gpu.h"

enum { MOST = 40, SCREEN_LINES = 30 };

static CheckFinding in_kernel(FindingKind kind, int line) {
    CheckFinding finding = {
        .kind = kind, .severity = FINDING_ERROR, .kernel = "k", .message = "it is wrong", .explanation = ""};
    finding.party.place = (CheckPlace){.file = "x.cu", .line = line};
    return finding;
}

static CheckFinding on_array(FindingKind kind, int line, const char *name) {
    CheckFinding finding = in_kernel(kind, line);
    finding.array = (CheckArray){.name = name, .space = "shared", .length = 64, .element_bytes = 4};
    return finding;
}

/* A race of two accesses: on one line when `other` is that line. */
static CheckFinding race(int line, int other, const char *name) {
    CheckFinding finding = on_array(FINDING_SHARED_RACE, line, name);
    finding.other.place = (CheckPlace){.file = "x.cu", .line = other};
    finding.reach = CHECK_BETWEEN_WARPS; /* steps of one warp are joined to one finding before */
    return finding;
}

/* The result comes back without values. */
static CheckFinding empty_copy(int line, const char *name) {
    CheckFinding finding = on_array(FINDING_UNINITIALIZED_READ, line, name);
    finding.kernel = NULL;
    finding.party.what = "copy";
    return finding;
}

/** Adds the findings in order, and settles them. */
static Gpu *settled(const CheckFinding *findings, unsigned count) {
    Gpu *gpu = fake_create();
    for (unsigned i = 0; i < count; i++)
        check_add(gpu->check, &findings[i]);
    check_settle(gpu->check);
    return gpu;
}

/* The lines of the findings in their order; a line and the line of its cause for one that follows. */
static void assert_order(const CheckFinding *findings, unsigned count, const int (*wanted)[2]) {
    Gpu *gpu = settled(findings, count);
    for (unsigned i = 0; i < count; i++) {
        const CheckFinding *finding = check_finding(gpu->check, i);
        assert_non_null(finding);
        assert_int_equal(finding->party.place.line, wanted[i][0]);
        assert_int_equal(finding->cause ? finding->cause->party.place.line : 0, wanted[i][1]);
    }
    assert_null(check_finding(gpu->check, count));
    fake_destroy(gpu);
}

/* `second` is told behind `first` although it was found before, unless it stands alone. */
static void assert_pair(CheckFinding first, CheckFinding second, bool follows) {
    const int line = first.party.place.line, behind = second.party.place.line;
    if (follows)
        assert_order((CheckFinding[]){second, first}, 2, (const int[][2]){{line, 0}, {behind, line}});
    else
        assert_order((CheckFinding[]){second, first}, 2, (const int[][2]){{behind, 0}, {line, 0}});
}

static void errors_come_before_notes(void **state) {
    (void)state;
    CheckFinding note = in_kernel(FINDING_UNCOALESCED, 1);
    note.severity = FINDING_NOTE;
    CheckFinding second = in_kernel(FINDING_LEAK, 2), third = in_kernel(FINDING_MISALIGNED, 3);
    assert_order((CheckFinding[]){note, second, third}, 3, (const int[][2]){{2, 0}, {3, 0}, {1, 0}});
}

static void what_was_advised_is_not_said_again(void **state) {
    (void)state;
    CheckFinding first = race(5, 6, "t"), again = race(9, 6, "t"), elsewhere = race(12, 6, "u");
    first.explanation = again.explanation = elsewhere.explanation = "put a barrier there";
    assert_order((CheckFinding[]){first, elsewhere, again}, 3, (const int[][2]){{5, 0}, {12, 0}, {9, 5}});
    again.explanation = "put another one here"; /* new advice stands on its own */
    assert_order((CheckFinding[]){first, again}, 2, (const int[][2]){{5, 0}, {9, 0}});
    again.explanation = first.explanation;
    again.kernel = "other";
    assert_order((CheckFinding[]){first, again}, 2, (const int[][2]){{5, 0}, {9, 0}});
}

static void a_note_never_hides_an_error(void **state) {
    (void)state;
    CheckFinding note = race(5, 6, "t"), error = race(9, 6, "t");
    note.severity = FINDING_NOTE;
    note.explanation = error.explanation = "put a barrier there";
    assert_order((CheckFinding[]){note, error}, 2, (const int[][2]){{9, 0}, {5, 9}});
}

static void a_shared_variable_explains_its_races(void **state) {
    (void)state;
    CheckFinding first = race(5, 5, "v"), other = race(9, 5, "v");
    first.index_at_fault = true;
    first.array.length = other.array.length = 1;
    assert_order((CheckFinding[]){first, other}, 2, (const int[][2]){{5, 0}, {9, 5}});
    first.array.length = other.array.length = 64; /* an array may have two mistakes */
    assert_order((CheckFinding[]){first, other}, 2, (const int[][2]){{5, 0}, {9, 0}});
}

static void an_index_that_leaves_explains_a_race(void **state) {
    (void)state;
    assert_pair(on_array(FINDING_OUT_OF_BOUNDS, 5, "t"), race(5, 5, "t"), true);
    assert_pair(on_array(FINDING_OUT_OF_BOUNDS, 5, "u"), race(5, 5, "t"), false); /* another array */
    assert_pair(on_array(FINDING_OUT_OF_BOUNDS, 5, "t"), race(5, 9, "t"),
                false); /* a barrier may be missing */
}

/* The value that was not there yet is told where it was read, or by the array that it went into. */
static void a_race_explains_what_was_read_too_early(void **state) {
    (void)state;
    CheckFinding writer_first = race(5, 9, "t"), reader_first = race(9, 5, "t");
    writer_first.party.what = reader_first.other.what = "write";
    writer_first.other.what = reader_first.party.what = "read";
    CheckFinding missing = on_array(FINDING_UNINITIALIZED_READ, 9, "out");
    missing.party.what = "read";
    assert_pair(writer_first, missing, true);
    assert_pair(reader_first, missing, true);
    missing.party.place.line = 11; /* another value */
    assert_pair(writer_first, missing, false);
    missing.party.place.line = 5; /* nothing is read there */
    writer_first.party.place.line = 5;
    assert_order((CheckFinding[]){writer_first, missing}, 2, (const int[][2]){{5, 0}, {5, 0}});
}

/* Two streams in no order: a copy reads what a kernel has not made yet. */
static void streams_in_no_order_explain_missing_values(void **state) {
    (void)state;
    CheckFinding unordered = in_kernel(FINDING_MISSING_SYNC, 20), missing = empty_copy(20, "out");
    unordered.kernel = NULL;
    unordered.other.place = (CheckPlace){.file = "x.cu", .line = 18};
    unordered.party.what = "read";
    unordered.other.what = "write";
    assert_pair(unordered, missing, true);
    unordered.other.what = "free";
    assert_pair(unordered, missing, false);
    unordered.party = unordered.other;
    unordered.party.what = "write";
    unordered.other.place.line = 20;
    unordered.other.what = "read";
    assert_order((CheckFinding[]){missing, unordered}, 2, (const int[][2]){{18, 0}, {20, 18}});
}

/* An atomic comes before the memset of what it updates; another launch of the kernel sets nothing. */
static void streams_in_no_order_explain_updates_of_nothing(void **state) {
    (void)state;
    CheckFinding unordered = in_kernel(FINDING_MISSING_SYNC, 20);
    CheckFinding update = in_kernel(FINDING_UNINITIALIZED_READ, 20);
    unordered.party.what = unordered.other.what = "write";
    unordered.other.place = (CheckPlace){.file = "x.cu", .line = 30};
    update.party.what = "atomic";
    assert_pair(unordered, update, true);
    update.party.what = "write";
    assert_pair(unordered, update, false);
    update.party.what = "atomic";
    unordered.other.place.line = 20;
    assert_pair(unordered, update, false);
}

/* Without a line only the words tell findings apart. */
static void other_words_are_another_finding(void **state) {
    (void)state;
    for (int line = 0; line < 2; line++) {
        CheckFinding one = in_kernel(FINDING_LEAK, line), other = one;
        other.message = "that is wrong";
        Gpu *gpu = settled((CheckFinding[]){one, other, one}, 3);
        assert_int_equal(fake_errors(gpu), line ? 1 : 2);
        fake_destroy(gpu);
    }
}

static void wrong_rows_explain_missing_values(void **state) {
    (void)state;
    CheckFinding note = on_array(FINDING_API_MISUSE, 5, "p"), copy = empty_copy(20, "p");
    note.severity = FINDING_NOTE;
    assert_order((CheckFinding[]){copy, note}, 2, (const int[][2]){{5, 0}, {20, 5}});
    copy.array.name = "q";
    assert_order((CheckFinding[]){copy, note}, 2, (const int[][2]){{20, 0}, {5, 0}});
    note.kernel = note.array.name = NULL; /* of the copy itself */
    note.party.place.line = 20;
    assert_order((CheckFinding[]){copy, note}, 2, (const int[][2]){{20, 0}, {20, 20}});
}

static void one_access_leaves_several_arrays(void **state) {
    (void)state;
    CheckFinding first = on_array(FINDING_OUT_OF_BOUNDS, 5, "p"), second = first;
    second.array.name = "q";
    Gpu *gpu = settled((CheckFinding[]){first, second}, 2);
    assert_string_equal(check_finding(gpu->check, 0)->array.name, "p");
    assert_ptr_equal(check_finding(gpu->check, 1)->cause, check_finding(gpu->check, 0));
    fake_destroy(gpu);
    second.party.place.column = 9; /* another access of the line */
    assert_order((CheckFinding[]){first, second}, 2, (const int[][2]){{5, 0}, {5, 0}});
}

static void freed_memory_is_too_short(void **state) {
    (void)state;
    CheckFinding freed = on_array(FINDING_USE_AFTER_FREE, 5, "t");
    const CheckFinding past = on_array(FINDING_OUT_OF_BOUNDS, 5, "t");
    assert_order((CheckFinding[]){freed, past}, 2, (const int[][2]){{5, 0}, {5, 5}});
    assert_pair(freed, on_array(FINDING_OUT_OF_BOUNDS, 9, "t"), false); /* another access */
    assert_pair(freed, on_array(FINDING_OUT_OF_BOUNDS, 5, "u"), false); /* another array */
}

static void shared_elements_explain_missing_ones(void **state) {
    (void)state;
    CheckFinding writes = race(5, 5, "out");
    assert_pair(writes, empty_copy(20, "out"), false); /* a missing barrier leaves no element out */
    writes.index_at_fault = true;
    assert_pair(writes, empty_copy(20, "out"), true);
    assert_pair(writes, empty_copy(20, "in"), false);
}

static void a_copy_of_a_part_is_told_once(void **state) {
    (void)state;
    CheckFinding part = in_kernel(FINDING_API_MISUSE, 15), length = in_kernel(FINDING_API_MISUSE, 15);
    part.severity = length.severity = FINDING_NOTE;
    part.kernel = length.kernel = NULL;
    part.sort = "symbol-part";
    length.party.place.column = 7;
    length.message = "as if elements had been counted";
    assert_pair(part, length, true);
    length.party.place.line = 16;
    assert_pair(part, length, false);
}

static void what_failed_made_no_values(void **state) {
    (void)state;
    static const FindingKind failures[] = {FINDING_INVALID_LAUNCH,      FINDING_API_MISUSE, FINDING_CRASH,
                                           FINDING_HOST_DEVICE_POINTER, FINDING_HANG,       FINDING_LIMIT,
                                           FINDING_MISALIGNED};
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        assert_pair(in_kernel(failures[i], 15), empty_copy(20, "out"), true);
        assert_pair(in_kernel(failures[i], 15), in_kernel(FINDING_UNCHECKED_ERROR, 16), true);
    }
    assert_pair(in_kernel(FINDING_LEAK, 15), empty_copy(20, "out"), false);
    CheckFinding read = on_array(FINDING_UNINITIALIZED_READ, 7, "t"); /* by a kernel, which did run */
    assert_pair(in_kernel(FINDING_API_MISUSE, 15), read, false);
    CheckFinding note = in_kernel(FINDING_LIMIT, 15);
    note.severity = FINDING_NOTE;
    assert_order((CheckFinding[]){note, empty_copy(20, "out")}, 2, (const int[][2]){{20, 0}, {15, 0}});
}

/* cudaMemcpy from memory that was freed: the status that nobody looks at says the same. */
static void an_unchecked_call_follows_from_its_mistake(void **state) {
    (void)state;
    CheckFinding freed = in_kernel(FINDING_USE_AFTER_FREE, 15),
                 status = in_kernel(FINDING_UNCHECKED_ERROR, 15);
    freed.kernel = status.kernel = NULL;
    assert_pair(freed, status, true);
    status.party.place.line = 16; /* of another call */
    assert_pair(freed, status, false);
    status.party.place.line = 15;
    freed.kernel = "k"; /* found in a kernel, by chance at that line */
    assert_pair(freed, status, false);
}

static void a_crash_explains_the_pointer_of_its_launch(void **state) {
    (void)state;
    CheckFinding crash = in_kernel(FINDING_CRASH, 7);
    crash.other.place = (CheckPlace){.file = "x.cu", .line = 30};
    assert_pair(crash, in_kernel(FINDING_HOST_DEVICE_POINTER, 30), true);
    assert_pair(crash, in_kernel(FINDING_HOST_DEVICE_POINTER, 31), false);
}

static void overlapping_arrays_explain_races(void **state) {
    (void)state;
    CheckFinding overlap = in_kernel(FINDING_OVERLAPPING_ARRAYS, 3), second = race(5, 6, "t");
    overlap.severity = FINDING_NOTE;
    second.array.dynamic = true;
    assert_pair(overlap, second, true); /* the note comes first, since the error follows from it */
    second.array.dynamic = false;
    assert_order((CheckFinding[]){overlap, second}, 2, (const int[][2]){{5, 0}, {3, 0}});
}

static void a_skipped_barrier_explains_races_and_hangs(void **state) {
    (void)state;
    CheckFinding barrier = in_kernel(FINDING_BARRIER_DIVERGENCE, 5);
    assert_pair(barrier, race(8, 9, "t"), true);
    assert_pair(barrier, in_kernel(FINDING_HANG, 5), true);
    assert_pair(barrier, on_array(FINDING_OUT_OF_BOUNDS, 8, "t"), false);
    barrier.severity = FINDING_NOTE; /* threads that have ended do not count at a barrier */
    assert_order((CheckFinding[]){barrier, race(8, 9, "t")}, 2, (const int[][2]){{8, 0}, {5, 0}});
    /* a race across the barrier's line is one of threads that have left the loop early */
    assert_pair(barrier, race(4, 9, "t"), true);
    assert_pair(barrier, race(9, 4, "t"), true);
    assert_order((CheckFinding[]){barrier, race(5, 9, "t")}, 2, (const int[][2]){{5, 0}, {5, 0}});
    CheckFinding elsewhere = race(4, 9, "t");
    elsewhere.other.place.file = "other.cu";
    assert_order((CheckFinding[]){barrier, elsewhere}, 2, (const int[][2]){{4, 0}, {5, 0}});
}

static void one_thread_per_block_explains_what_it_breaks(void **state) {
    (void)state;
    CheckFinding ones = in_kernel(FINDING_LOW_OCCUPANCY, 30);
    ones.severity = FINDING_NOTE;
    ones.index_at_fault = true;
    assert_pair(ones, race(5, 5, "t"), true);
    CheckFinding made = empty_copy(40, "out");
    made.array.given_to = "k";
    assert_pair(ones, made, true);
    made.array.given_to = "other"; /* that kernel has not had the array */
    assert_order((CheckFinding[]){ones, made}, 2, (const int[][2]){{40, 0}, {30, 0}});
    made.array.given_to = NULL; /* nobody has */
    assert_order((CheckFinding[]){ones, made}, 2, (const int[][2]){{40, 0}, {30, 0}});
    assert_pair(ones, on_array(FINDING_OUT_OF_BOUNDS, 5, "t"), true);
    ones.index_at_fault = false; /* few threads that do their work right are slow, not wrong */
    assert_order((CheckFinding[]){ones, race(5, 5, "t")}, 2, (const int[][2]){{5, 0}, {30, 0}});
}

/* What follows from a finding that follows itself is told behind the first cause. */
static void chains_lead_to_the_first_cause(void **state) {
    (void)state;
    CheckFinding barrier = in_kernel(FINDING_BARRIER_DIVERGENCE, 5), hang = in_kernel(FINDING_HANG, 6);
    CheckFinding copy = empty_copy(20, "out");
    assert_order((CheckFinding[]){hang, copy, barrier}, 3, (const int[][2]){{5, 0}, {6, 5}, {20, 5}});
}

static void json_names_the_cause_by_number(void **state) {
    (void)state;
    const CheckFinding findings[] = {empty_copy(20, "out"), in_kernel(FINDING_USE_AFTER_FREE, 8),
                                     in_kernel(FINDING_INVALID_LAUNCH, 15)};
    Gpu *gpu = settled(findings, 3);
    struct json_object *report = check_report_json(gpu->check, NULL), *list = json_array(report, "findings");
    static const long lines[] = {8, 15, 20}, follows[] = {-1, -1, 1};
    for (size_t i = 0; i < 3; i++) {
        struct json_object *finding = json_object_array_get_idx(list, i);
        assert_int_equal(json_number(finding, "line", 0), lines[i]);
        assert_int_equal(json_number(finding, "follows", -1), follows[i]);
    }
    json_object_put(report);
    fake_destroy(gpu);
}

/* ---- on the screen ---- */

static unsigned lines_of(const char *text) {
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void what_follows_is_told_in_one_line(void **state) {
    (void)state;
    CheckFinding cause = in_kernel(FINDING_INVALID_LAUNCH, 15), effect = empty_copy(20, "out");
    cause.explanation = "give it fewer threads";
    effect.explanation = "write it first";
    Gpu *gpu = settled((CheckFinding[]){effect, cause}, 2);
    Text out;
    text_init(&out);
    check_report_text(gpu->check, &out, false, false);
    assert_contains(out.bytes, "what to do: give it fewer threads");
    assert_null(strstr(out.bytes, "write it first"));
    assert_contains(out.bytes, "1 more, which may follow from what is above:\n"
                               "  error: uninitialized-read, line 20: it is wrong\n");
    text_clear(&out);
    check_report_text(gpu->check, &out, false, true); /* --full */
    assert_contains(out.bytes, "what to do: write it first");
    assert_null(strstr(out.bytes, "may follow"));
    text_free(&out);
    fake_destroy(gpu);
}

/* Notes may explain an error and fill the screen; the error is told first all the same. */
static void an_error_is_always_on_the_screen(void **state) {
    (void)state;
    CheckFinding findings[MOST], *error = &findings[MOST - 1];
    for (int i = 0; i < MOST; i++) {
        findings[i] = in_kernel(i ? FINDING_UNCOALESCED : FINDING_LOW_OCCUPANCY, i + 1);
        findings[i].severity = FINDING_NOTE;
        findings[i].index_at_fault = i == 0;
        findings[i].explanation = i ? "" : "give each block more threads";
    }
    *error = race(MOST, MOST, "t");
    error->explanation = "use another index";
    Gpu *gpu = settled(findings, MOST);
    assert_int_equal(check_finding(gpu->check, 0)->kind, FINDING_LOW_OCCUPANCY);
    Text out;
    text_init(&out);
    check_report_text(gpu->check, &out, false, false);
    assert_memory_equal(out.bytes, "error: shared-race", 18);
    assert_contains(out.bytes, "likely cause: the note on low-occupancy that comes next\n");
    assert_contains(out.bytes, "\n\nnote: low-occupancy");
    assert_contains(out.bytes, "what to do: give each block more threads");
    assert_null(strstr(out.bytes, "use another index")); /* the cause's advice is the one to follow */
    assert_in_range(lines_of(out.bytes), 1, SCREEN_LINES);
    text_free(&out);
    fake_destroy(gpu);
}

/* A library's kernel has all that it was made for in its name; the report's JSON keeps it. */
static void long_names_are_cut_at_their_arguments(void **state) {
    (void)state;
    static const char LONG[] = "Sweep<cub::Policy<int, int, int, cub::Sum, cub::More, cub::More, cub::More>, "
                               "int *, int *, unsigned long, cub::Sum>";
    static const char LONG_WITHOUT[] =
        "a_kernel_whose_author_likes_names_that_say_all_there_is_to_say_about_what_"
        "it_does_and_why_it_does_it_so";
    const char *const names[][2] = {
        {LONG, "in kernel Sweep<...>\n"}, {"sum<int>", "in kernel sum<int>\n"}, {LONG_WITHOUT, LONG_WITHOUT}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CheckFinding finding = in_kernel(FINDING_OUT_OF_BOUNDS, 5);
        finding.kernel = names[i][0];
        Gpu *gpu = settled(&finding, 1);
        Text out = text_new();
        check_report_text(gpu->check, &out, false, false);
        assert_contains(out.bytes, names[i][1]);
        assert_string_equal(check_finding(gpu->check, 0)->kernel, names[i][0]);
        text_free(&out);
        fake_destroy(gpu);
    }
}

/* A variable of a library's own function, used before it has a value, is no mistake of the program; one of
 * anybody else's, or anything else that is wrong in the library, may be one. */
static void a_variable_of_a_library_is_a_note(void **state) {
    (void)state;
    static const char header[] = "/usr/include/cub/sum.cuh";
    static const struct {
        FindingKind kind;
        const char *space, *declared;
        FindingSeverity severity;
    } rows[] = {
        {FINDING_UNINITIALIZED_READ, "local", header, FINDING_NOTE},
        {FINDING_OUT_OF_BOUNDS, "local", header, FINDING_ERROR},
        {FINDING_UNINITIALIZED_READ, "shared", header, FINDING_ERROR},
        {FINDING_UNINITIALIZED_READ, NULL, header, FINDING_ERROR},
        {FINDING_UNINITIALIZED_READ, "local", "x.cu", FINDING_ERROR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Gpu *gpu = fake_create();
        gpu->check->options.libraries = true;
        CheckFinding finding = on_array(rows[i].kind, 5, "v");
        finding.party.place.file = header;
        finding.array.space = rows[i].space;
        finding.array.declared = (CheckPlace){.file = rows[i].declared, .line = 4};
        check_record(gpu->check, &finding, 1);
        assert_int_equal(check_finding(gpu->check, 0)->severity, rows[i].severity);
        fake_destroy(gpu);
    }
}

static void a_report_fits_on_a_screen(void **state) {
    (void)state;
    for (unsigned count = 1; count <= MOST; count++) {
        Gpu *gpu = fake_create();
        for (unsigned i = 0; i < count; i++) {
            CheckFinding finding = in_kernel(FINDING_OUT_OF_BOUNDS, (int)i + 1);
            finding.explanation = "stay inside";
            check_add(gpu->check, &finding);
        }
        check_settle(gpu->check);
        Text out;
        text_init(&out);
        check_report_text(gpu->check, &out, false, false);
        assert_in_range(lines_of(out.bytes), 1, SCREEN_LINES);
        assert_true((strstr(out.bytes, " more:\n") != NULL) == (count > 5));
        if (count == MOST) assert_contains(out.bytes, "36 more:\n");
        if (count == MOST) assert_contains(out.bytes, " more: --full shows all of them\n");
        text_free(&out);
        fake_destroy(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_before_notes),
        cmocka_unit_test(what_was_advised_is_not_said_again),
        cmocka_unit_test(a_note_never_hides_an_error),
        cmocka_unit_test(a_shared_variable_explains_its_races),
        cmocka_unit_test(an_index_that_leaves_explains_a_race),
        cmocka_unit_test(a_race_explains_what_was_read_too_early),
        cmocka_unit_test(streams_in_no_order_explain_missing_values),
        cmocka_unit_test(streams_in_no_order_explain_updates_of_nothing),
        cmocka_unit_test(other_words_are_another_finding),
        cmocka_unit_test(wrong_rows_explain_missing_values),
        cmocka_unit_test(one_access_leaves_several_arrays),
        cmocka_unit_test(freed_memory_is_too_short),
        cmocka_unit_test(shared_elements_explain_missing_ones),
        cmocka_unit_test(a_copy_of_a_part_is_told_once),
        cmocka_unit_test(what_failed_made_no_values),
        cmocka_unit_test(an_unchecked_call_follows_from_its_mistake),
        cmocka_unit_test(a_crash_explains_the_pointer_of_its_launch),
        cmocka_unit_test(overlapping_arrays_explain_races),
        cmocka_unit_test(a_skipped_barrier_explains_races_and_hangs),
        cmocka_unit_test(one_thread_per_block_explains_what_it_breaks),
        cmocka_unit_test(chains_lead_to_the_first_cause),
        cmocka_unit_test(json_names_the_cause_by_number),
        cmocka_unit_test(what_follows_is_told_in_one_line),
        cmocka_unit_test(an_error_is_always_on_the_screen),
        cmocka_unit_test(long_names_are_cut_at_their_arguments),
        cmocka_unit_test(a_variable_of_a_library_is_a_note),
        cmocka_unit_test(a_report_fits_on_a_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
