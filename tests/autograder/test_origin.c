/* test_origin.c - who made a right answer, word by word, and what kept copies and kernels apart. */
#include "autograder/evidence/evidence_parts.h"
#include "autograder/evidence/origin.h"
#include "autograder/evidence/overlap.h"
#include "base/fingerprint.h"
#include "tests/autograder/verdict_desk.h"

enum { WORDS = 4, INPUT = 50 };

/* The shown case has one input; each run gives this answer. */
static Desk *desk_of(void **state, const uint32_t answers[CHECK_SCHEDULES][WORDS], size_t words) {
    Desk *desk = *state;
    for (unsigned run = 0; run < CHECK_SCHEDULES; run++) {
        JudgeCase *judged = &desk->inputs[run][SHOWN];
        int32_t *input = judge_input_ints(judged, "x", WORDS);
        for (int i = 0; i < WORDS; i++)
            input[i] = INPUT + 100 * (int)run + i;
        judged->files->answers[0] = (JudgeAnswer){.data = (const void *)answers[run], .bytes = words * 4};
        judged->files->answer = answers[run];
        judged->files->answer_bytes = words * 4;
        judged->files->answer_count = 1;
    }
    return desk;
}

/* What is lacking where a launch read so much, and a copy brought these words that a kernel had written. */
static OriginLack lack_of(Desk *desk, unsigned reads, const uint32_t *words, size_t count, long *missing) {
    char members[500];
    uint64_t print = 0;
    for (size_t i = 0; i < count; i++)
        print = fingerprint_add(print, words[i]);
    snprintf(
        members, sizeof members,
        "\"launches\":[{\"mark\":\"01\",\"counters\":{\"global_reads\":%u}}],\"copies\":[{\"mark\":\"01\","
        "\"to\":\"host\",\"bytes\":%zu,\"writers\":[{\"offset\":0,\"bytes\":%zu,\"kernel\":\"k\","
        "\"fingerprint\":%lld}]}]",
        reads, 4 * count, 4 * count, (long long)print);
    run_free(desk->schedules, 1);
    desk->schedules[0].pair_count = 0;
    add_pair(desk, 0, SMALL, SHOWN, members);
    return origin_lack(&desk->check, &desk->schedules[0], SHOWN, missing);
}

/* Zeros and an input at its place; one word is left for a kernel. */
static const uint32_t with_given[CHECK_SCHEDULES][WORDS] = {{0, 0, INPUT + 2, 7001},
                                                            {0, 0, INPUT + 102, 8001}};

static void test_what_is_given_needs_no_kernel(void **state) {
    Desk *desk = desk_of(state, with_given, WORDS);
    const uint32_t another = 9999;
    long missing = 0;
    assert_int_equal(lack_of(desk, 40, &with_given[0][3], 1, &missing), ORIGIN_MADE);
    assert_int_equal(missing, 0);
    assert_int_equal(lack_of(desk, 40, &another, 1, &missing), ORIGIN_BY_OTHERS);
    assert_int_equal(missing, 1);
}

/* An answer of inputs alone is what kernels are to move. */
static void test_inputs_alone_need_a_kernel(void **state) {
    static const uint32_t inputs[CHECK_SCHEDULES][WORDS] = {{INPUT + 1, INPUT}, {INPUT + 101, INPUT + 100}};
    Desk *desk = desk_of(state, inputs, 2);
    const uint32_t another = 9999;
    long missing = 0;
    assert_int_equal(lack_of(desk, 40, inputs[0], 2, &missing), ORIGIN_MADE);
    assert_int_equal(lack_of(desk, 40, &another, 1, &missing), ORIGIN_BY_NOBODY);
    assert_int_equal(missing, 2);
}

static void test_kernels_read_the_input(void **state) {
    Desk *desk = desk_of(state, with_given, WORDS);
    long missing = 0;
    assert_int_equal(lack_of(desk, 10, &with_given[0][3], 1, &missing), ORIGIN_MADE); /* four at once */
    assert_int_equal(lack_of(desk, 9, &with_given[0][3], 1, &missing), ORIGIN_HARDLY_READ);
    assert_int_equal(lack_of(desk, 0, &with_given[0][3], 1, &missing), ORIGIN_UNREAD);
    desk->lesson.manifest.reads_nothing = true;
    assert_int_equal(lack_of(desk, 0, &with_given[0][3], 1, &missing), ORIGIN_MADE);
}

/* As from memory that both sides use: each word by itself, where both runs have it. */
static void test_single_words_that_came_back(void **state) {
    static const uint32_t back[CHECK_SCHEDULES][3] = {{7003, 7001, 7002}, {8003, 8001, 8002}};
    static const uint32_t answers[CHECK_SCHEDULES][WORDS] = {{7001, 7002, 7003}, {8001, 8002, 8003}};
    const Record records[] = {{.contents = (const void *)back[0], .head.contents = sizeof back[0]},
                              {.contents = (const void *)back[1], .head.contents = sizeof back[1]}};
    Desk *desk = desk_of(state, answers, 3);
    Known known = {.runs = GROWABLE(Run)};
    const uint32_t flag = 1;
    long missing = 0;
    assert_int_equal(lack_of(desk, 40, &flag, 1, &missing), ORIGIN_BY_NOBODY);
    evidence_add_back(&known, &records[0], &records[1]);
    for (unsigned run = 0; run < CHECK_SCHEDULES; run++)
        desk->inputs[run][SHOWN].files->sources = evidence_keep(&known, desk->arena);
    assert_int_equal(lack_of(desk, 40, &flag, 1, &missing), ORIGIN_MADE);
    evidence_forget(&known);
}

static void test_nothing_to_copy_back(void **state) {
    Desk *desk = *state;
    add_pair(desk, 0, SMALL, SHOWN,
             "\"launches\":[{\"mark\":\"00\",\"counters\":{\"global_writes\":0}},"
             "{\"mark\":\"01\",\"counters\":{\"global_writes\":4}}],\"copies\":[],"
             "\"calls\":[{\"mark\":\"00\",\"function\":\"cudaMalloc\",\"count\":1}]");
    assert_false(origin_never_copied_back(&desk->schedules[0], SMALL));
    assert_true(origin_never_copied_back(&desk->schedules[0], SHOWN));
    add_pair(desk, 1, SMALL, SHOWN,
             "\"launches\":[{\"mark\":\"01\",\"counters\":{\"global_writes\":4}}],\"copies\":[],"
             "\"calls\":[{\"mark\":\"01\",\"function\":\"cudaMallocManaged\",\"count\":1}]");
    assert_false(origin_never_copied_back(&desk->schedules[1], SHOWN));
}

/* ---- what kept copies and kernels apart ---- */

typedef struct Overlap {
    unsigned launches, in_default, streams, copies, waits;
} Overlap;

static OverlapCause cause_of(Desk *desk, Overlap overlap) {
    char members[600];
    snprintf(members, sizeof members,
             "\"timeline\":[{\"mark\":\"01\",\"whole\":true,\"default_launches\":%u,\"launch_streams\":%u}],"
             "\"calls\":[{\"mark\":\"01\",\"function\":\"cudaMemcpy\",\"count\":%u,\"address\":1,"
             "\"file\":\"99-test.cu\",\"line\":5},{\"mark\":\"01\",\"function\":\"cudaStreamSynchronize\","
             "\"count\":%u,\"address\":2,\"file\":\"99-test.cu\",\"line\":6}]",
             overlap.in_default, overlap.streams, overlap.copies, overlap.waits);
    run_free(desk->schedules, 1);
    desk->schedules[0].pair_count = 0;
    add_pair(desk, 0, SHOWN, SHOWN, members);
    const SentRecord launch = {.magic = SENT_MAGIC, .kind = SENT_LAUNCH, .devices = 1};
    for (unsigned i = 0; i < overlap.launches; i++)
        text_append(&desk->schedules[0].pairs[0].sent[0], (const char *)&launch, sizeof launch);
    return overlap_find_cause(&desk->check, &desk->schedules[0], SHOWN);
}

static void test_the_one_cause_that_is_left(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_UNCOALESCED, SHOWN);
    assert_string_equal(cause_of(desk, (Overlap){.launches = 1}).name, "one-launch");
    OverlapCause cause = cause_of(desk, (Overlap){.launches = 2, .copies = 2, .in_default = 2});
    assert_string_equal(cause.name, "plain-copies");
    assert_int_equal(cause.line, 5);
    cause = cause_of(desk, (Overlap){.launches = 2, .copies = 1, .in_default = 2});
    assert_string_equal(cause.name, "in-default");
    assert_string_equal(cause_of(desk, (Overlap){.launches = 2, .streams = 1, .waits = 9}).name,
                        "one-stream");
    cause = cause_of(desk, (Overlap){.launches = 2, .streams = 2, .waits = 2});
    assert_string_equal(cause.name, "waits");
    assert_int_equal(cause.line, 6);
    assert_null(cause_of(desk, (Overlap){.launches = 2, .streams = 2, .waits = 1}).why);
    assert_null(cause_of(desk, (Overlap){.launches = 2, .streams = 1, .in_default = 1, .waits = 2}).why);
}

static void test_copies_of_ordinary_memory(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_UNCOALESCED, SHOWN)->line = 8;
    Finding *pageable = add_finding(desk, FINDING_API_MISUSE, SHOWN);
    pageable->sort = "pageable";
    pageable->line = 7;
    const OverlapCause cause = cause_of(desk, (Overlap){.launches = 2, .streams = 2, .waits = 2});
    assert_string_equal(cause.name, "pageable");
    assert_int_equal(cause.line, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_what_is_given_needs_no_kernel), DESK(test_inputs_alone_need_a_kernel),
        DESK(test_kernels_read_the_input),        DESK(test_single_words_that_came_back),
        DESK(test_nothing_to_copy_back),          DESK(test_the_one_cause_that_is_left),
        DESK(test_copies_of_ordinary_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
