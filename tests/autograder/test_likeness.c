/* test_likeness.c - a wrong answer's likeness to the right one: each way of being wrong is told by its own
 * name and by no other, and by none as soon as one element is wrong in another way.
 */
#include "autograder/check/likeness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 8, MOST = 384, SIZES = 2 };

/* Of each size, the block size of its case; sizes have ROWS rows, and more than two blocks of 64. */
static const long threads[SIZES] = {64, 32};
static const size_t counts[SIZES] = {192, MOST};

static double wanted(size_t i) {
    return (double)((i * 37 + 11) % 1009) + 1.0;
}

typedef double Wrong(size_t i, size_t count, long block);

static double wrong_sign(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return -wanted(i);
}

static double times_block(size_t i, size_t count, long block) {
    (void)count;
    return (double)block * wanted(i);
}

static double times_all(size_t i, size_t count, long block) {
    (void)block;
    return (double)count * wanted(i);
}

static double times_four(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return 4.0 * wanted(i);
}

static double minus_twice(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return -2.0 * wanted(i);
}

static double a_third(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return (double)(float)(wanted(i) / 3.0);
}

static double mean_of_all(size_t i, size_t count, long block) {
    (void)block;
    return (double)(float)(wanted(i) / (double)count);
}

static double five_less(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return wanted(i) - 5.0;
}

static double one_further(size_t i, size_t count, long block) {
    (void)block;
    return i + 1 < count ? wanted(i + 1) : (double)NAN;
}

static double two_before(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return i >= 2 ? wanted(i - 2) : 0.0;
}

static double reversed(size_t i, size_t count, long block) {
    (void)block;
    return wanted(count - 1 - i);
}

static double transposed(size_t i, size_t count, long block) {
    (void)block;
    const size_t cols = count / ROWS;
    return wanted(i % cols * ROWS + i / cols);
}

static double repeated(size_t i, size_t count, long block) {
    (void)count;
    return wanted(i % (size_t)block);
}

static double first_wrong(size_t i, size_t count, long block) {
    (void)block;
    return i == 0 ? (double)count + 0.25 : wanted(i);
}

static double last_wrong(size_t i, size_t count, long block) {
    (void)block;
    return i + 1 == count ? (double)count + 0.25 : wanted(i);
}

static double fourth_wrong(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return i % 4 == 3 ? (double)NAN : wanted(i);
}

/* Two and two, and the last one stays where there is no other. */
static double blocks_moved(size_t i, size_t count, long block) {
    (void)block;
    enum { SIZE = 64 };
    const size_t other = (i / SIZE) ^ 1;
    return wanted(other < count / SIZE ? other * SIZE + i % SIZE : i);
}

static double first_ten(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return i < 10 ? wanted(i) : (double)NAN;
}

static double each_third(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return i % 3 == 1 ? wanted(i) : 0.5;
}

static double no_likeness(size_t i, size_t count, long block) {
    (void)count, (void)block;
    return wanted(i) * wanted(i) + (double)(i % 7);
}

/** A way of being wrong, and what must be said of it. */
typedef struct WayRow {
    Wrong *wrong;
    const char *name, *words; /**< NULL: nothing is said */
} WayRow;

static const WayRow ways[] = {
    {wrong_sign, "sign", "each of them has the wrong sign, and is right but for that"},
    {times_block, "times-block",
     "each of them is exactly 64 times what it should be, and a block has 64 threads: does each of them do "
     "what one of them should do?"},
    {times_all, "times-all",
     "each of them is exactly 192 times what it should be, once for each of the 192 elements"},
    {times_four, "times-4", "each of them is exactly 4 times what it should be"},
    {minus_twice, "times--2", "each of them is exactly minus 2 times what it should be"},
    {a_third, "part-3", "each of them is exactly 1/3 of what it should be"},
    {mean_of_all, "part-all",
     "each of them is exactly 1/192 of what it should be, and there are 192 elements: were they divided by "
     "their number?"},
    {five_less, "offset", "each of them is exactly 5 too small"},
    {one_further, "shifted-1", "each of them holds what belongs 1 after its place"},
    {two_before, "shifted--2", "each of them holds what belongs 2 before its place"},
    {reversed, "reversed", "the elements are the right ones in reverse order"},
    {transposed, "transposed",
     "the elements are the right ones with rows and columns swapped, as in a matrix with 8 rows and 24 "
     "columns"},
    {blocks_moved, "blocks-moved", "the elements are the right ones, but blocks of 64 are swapped"},
    {repeated, "repeated", "from index 64 on, the first 64 elements come again"},
    {first_wrong, "first-wrong", "only the first element is wrong, in each case that is wrong"},
    {last_wrong, "last-wrong", "only the last element is wrong, in each case that is wrong"},
    {fourth_wrong, "nth-wrong-4", "only one in 4 is wrong, in each case that is wrong"},
    {first_ten, "first-right-10", "only the first 10 are right, in each case that is wrong"},
    {each_third, "each-nth-3", "only one in 3 is right, in each case that is wrong"},
    {no_likeness, NULL, NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

/** One answer's elements. */
typedef struct Answer {
    double got[MOST], want[MOST];
    bool wrong[MOST];
    JudgeCaseSpec spec;
} Answer;

static const Likenesses *look_at(Arena *arena, Answer *answer, unsigned size, Wrong *wrong,
                                 bool one_differs) {
    const size_t count = counts[size];
    answer->spec = (JudgeCaseSpec){.n = (long)count, .threads = threads[size]};
    for (size_t i = 0; i < count; i++) {
        answer->want[i] = wanted(i);
        answer->got[i] = wrong(i, count, threads[size]);
    }
    if (one_differs) answer->got[count / 2 + 1] = 12345.5;
    for (size_t i = 0; i < count; i++)
        answer->wrong[i] = answer->got[i] != answer->want[i];
    const LikenessAnswer seen = {.got = answer->got,
                                 .want = answer->want,
                                 .wrong = answer->wrong,
                                 .count = count,
                                 .spec = &answer->spec};
    return likeness_find(arena, &seen);
}

/* What is told of the first of two answers, of different sizes; the second may be wrong in another way. */
static JudgeDecision told_of(Arena *arena, Wrong *first, Wrong *second, bool one_differs, bool may_differ) {
    static Answer answer;
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong", .likeness = look_at(arena, &answer, 0, first, false)};
    likeness_add(&all, decision.likeness, may_differ);
    likeness_add(&all, look_at(arena, &answer, 1, second, one_differs), may_differ);
    likeness_tell(arena, &all, &decision);
    return decision;
}

static int arena_open(void **state) {
    *state = arena_create();
    return *state == NULL;
}

static int arena_close(void **state) {
    arena_destroy(*state);
    return 0;
}

static void assert_told(const JudgeDecision *decision, const char *name, const char *words) {
    if (name == NULL) {
        assert_null(decision->cause);
        return;
    }
    assert_non_null(decision->cause);
    assert_string_equal(decision->cause, name);
    assert_string_equal(decision->because, words);
}

static bool says_where(Wrong *wrong) {
    Wrong *const where[] = {first_ten, each_third, first_wrong, last_wrong, fourth_wrong};
    for (unsigned i = 0; i < sizeof where / sizeof *where; i++)
        if (wrong == where[i]) return true;
    return false;
}

static void test_each_way_is_told_by_its_name(void **state) {
    for (unsigned i = 0; i < WAYS; i++) {
        const JudgeDecision decision = told_of(*state, ways[i].wrong, ways[i].wrong, false, false);
        assert_told(&decision, ways[i].name, ways[i].words);
        assert_int_equal(decision.of_each_thread, ways[i].wrong == times_block);
        assert_int_equal(decision.says_where, says_where(ways[i].wrong));
    }
}

static void test_one_element_that_differs_takes_it_back(void **state) {
    for (unsigned i = 0; i < WAYS; i++) {
        const JudgeDecision decision = told_of(*state, ways[i].wrong, ways[i].wrong, true, false);
        if (ways[i].wrong != first_ten) assert_told(&decision, NULL, NULL); /* any wrong value fits there */
    }
}

/* All pairs of ways: nothing is told of two answers that are wrong in different ways. */
static void test_two_ways_agree_on_nothing(void **state) {
    for (unsigned i = 0; i < WAYS; i++)
        for (unsigned j = 0; j < WAYS; j++) {
            if (i == j) continue;
            const JudgeDecision decision = told_of(*state, ways[i].wrong, ways[j].wrong, false, false);
            assert_told(&decision, NULL, NULL);
        }
}

/* That the first ten are right, or each third, is nothing but where the wrong ones are when there is one
 * size. */
static void test_one_size_says_nothing_of_the_right_ones(void **state) {
    Wrong *const of_right_ones[] = {first_ten, each_third, fourth_wrong};
    static Answer answer;
    for (unsigned i = 0; i < sizeof of_right_ones / sizeof *of_right_ones; i++) {
        Likenesses all = {0};
        JudgeDecision decision = {.message = "wrong",
                                  .likeness = look_at(*state, &answer, 0, of_right_ones[i], false)};
        likeness_add(&all, decision.likeness, false);
        likeness_add(&all, decision.likeness, false);
        likeness_tell(*state, &all, &decision);
        assert_told(&decision, NULL, NULL);
    }
}

/* One answer, or none of a program's that is like any, is no proof. */
static void test_one_answer_is_not_enough(void **state) {
    static Answer answer;
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong", .likeness = look_at(*state, &answer, 0, times_four, false)};
    likeness_add(&all, decision.likeness, false);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, NULL, NULL);
    likeness_add(&all, NULL, false);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, NULL, NULL);
}

/* With a race, three answers among five are enough, and two are not. */
static void test_a_race_spoils_some_answers(void **state) {
    static Answer answer;
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong",
                              .likeness = look_at(*state, &answer, 0, times_block, false)};
    likeness_add(&all, decision.likeness, true);
    likeness_add(&all, look_at(*state, &answer, 1, no_likeness, false), true);
    likeness_add(&all, look_at(*state, &answer, 1, times_block, false), true);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, NULL, NULL);
    likeness_add(&all, look_at(*state, &answer, 1, times_block, false), true);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, "times-block", ways[1].words);
}

/* A cause that the judge knows is told, and nothing beside it. */
static void test_a_known_cause_comes_first(void **state) {
    static Answer answer;
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong",
                              .cause = "four-times",
                              .because = "each warp's sum was doubled twice",
                              .likeness = look_at(*state, &answer, 0, times_four, false)};
    likeness_add(&all, decision.likeness, false);
    likeness_add(&all, decision.likeness, false);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, "four-times", "each warp's sum was doubled twice");
}

/* ---- what only looks like it ---- */

/** A small answer, and a likeness that it has not, though nearly. */
typedef struct NearRow {
    LikenessKind kind;
    size_t count;
    long threads;
    double got[8], want[8];
} NearRow;

static const NearRow nears[] = {
    /* zero times what it should be is no multiple, whether or not the case has threads */
    {LIKENESS_TIMES_BLOCK, 2, 0, {0, 0}, {3, 4}},
    /* what is nearly right is not once what it should be */
    {LIKENESS_TIMES, 2, 0, {1.0000001, 2.0000002}, {1, 2}},
    {LIKENESS_PART, 2, 0, {1.0000001, 2.0000002}, {1, 2}},
    /* of zeros alone, the difference is the answer itself */
    {LIKENESS_OFFSET, 3, 0, {5, 5, 5}, {0, 0, 0}},
    /* one element that is its neighbour */
    {LIKENESS_SHIFTED, 4, 0, {1, 3, 3, 4}, {1, 2, 3, 4}},
    /* as many that have no place as have one */
    {LIKENESS_SHIFTED, 4, 0, {9, 9, 1, 2}, {1, 2, 3, 4}},
    /* a second round that is cut short before it is one */
    {LIKENESS_REPEATED, 5, 0, {1, 2, 3, 1, 2}, {1, 2, 3, 4, 5}},
    /* all of them are what the first should be: a round of one */
    {LIKENESS_REPEATED, 4, 0, {1, 1, 1, 1}, {1, 2, 3, 4}},
    /* of one element, or none at all, zero is no part */
    {LIKENESS_PART_ALL, 2, 0, {0, 0}, {3, 4}},
    /* the last one and one more */
    {LIKENESS_LAST_WRONG, 4, 0, {1, 9, 3, 9}, {1, 2, 3, 4}},
    {LIKENESS_NTH_WRONG, 5, 0, {9, 2, 3, 4, 9}, {1, 2, 3, 4, 5}},
    /* two that are right, four apart, and no third to prove it */
    {LIKENESS_EACH_NTH, 5, 0, {1, 9, 9, 9, 5}, {1, 2, 3, 4, 5}},
};

static Likeness likeness_of(Arena *arena, LikenessKind kind, size_t count, long block, const double *got,
                            const double *want) {
    bool wrong[MOST];
    const JudgeCaseSpec spec = {.n = (long)count, .threads = block};
    for (size_t i = 0; i < count; i++)
        wrong[i] = got[i] != want[i];
    const LikenessAnswer answer = {.got = got, .want = want, .wrong = wrong, .count = count, .spec = &spec};
    return likeness_find(arena, &answer)->of[kind];
}

static void test_what_is_nearly_like_it_is_not(void **state) {
    for (size_t i = 0; i < sizeof nears / sizeof *nears; i++) {
        const NearRow *row = &nears[i];
        const Likeness found = likeness_of(*state, row->kind, row->count, row->threads, row->got, row->want);
        if (found.state == LIKENESS_HOLDS) fail_msg("row %zu is taken for likeness %d", i, (int)row->kind);
    }
}

/* Blocks that have changed places are each there once, and what fills no block is right. */
static void test_blocks_that_did_not_change_places(void **state) {
    enum { BLOCK = 32, COUNT = 2 * BLOCK + 3 };
    double want[COUNT], twice[COUNT], left_over[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        want[i] = wanted(i);
        twice[i] = wanted(i < 2 * BLOCK ? i % BLOCK : i);
        left_over[i] = i < 2 * BLOCK ? wanted((i + BLOCK) % (2 * BLOCK)) : 0.5;
    }
    const LikenessKind kind = LIKENESS_BLOCKS_MOVED;
    assert_int_not_equal(likeness_of(*state, kind, COUNT, 0, twice, want).state, LIKENESS_HOLDS);
    assert_int_not_equal(likeness_of(*state, kind, COUNT, 0, left_over, want).state, LIKENESS_HOLDS);
}

static double less_by_a_bit_more(size_t i, size_t count, long block) {
    (void)block;
    return wanted(i) - (count == counts[0] ? 5.25 : 5.75);
}

/* Differences are compared as numbers, not as whole ones. */
static void test_two_differences_are_two(void **state) {
    const JudgeDecision decision = told_of(*state, less_by_a_bit_more, less_by_a_bit_more, false, false);
    assert_told(&decision, NULL, NULL);
}

/* What other answers show is not said of one that is wrong in another way. */
static void test_an_answer_must_be_like_it_itself(void **state) {
    static Answer answer;
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong",
                              .likeness = look_at(*state, &answer, 0, no_likeness, false)};
    likeness_add(&all, decision.likeness, true);
    for (unsigned i = 0; i < 4; i++)
        likeness_add(&all, look_at(*state, &answer, 1, times_four, false), true);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, NULL, NULL);
}

/* Of one number it is said that it is so, not that each of them is. */
static void test_one_number_is_it(void **state) {
    static const double got = 44.0, want = 11.0;
    static const bool wrong = true;
    const JudgeCaseSpec spec = {.n = 100, .threads = 64};
    const LikenessAnswer answer = {.got = &got, .want = &want, .wrong = &wrong, .count = 1, .spec = &spec};
    Likenesses all = {0};
    JudgeDecision decision = {.message = "wrong", .likeness = likeness_find(*state, &answer)};
    likeness_add(&all, decision.likeness, false);
    likeness_add(&all, decision.likeness, false);
    likeness_tell(*state, &all, &decision);
    assert_told(&decision, "times-4", "it is exactly 4 times what it should be");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_way_is_told_by_its_name, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_one_element_that_differs_takes_it_back, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_two_ways_agree_on_nothing, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_one_size_says_nothing_of_the_right_ones, arena_open,
                                        arena_close),
        cmocka_unit_test_setup_teardown(test_one_answer_is_not_enough, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_a_race_spoils_some_answers, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_a_known_cause_comes_first, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_what_is_nearly_like_it_is_not, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_blocks_that_did_not_change_places, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_two_differences_are_two, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_an_answer_must_be_like_it_itself, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_one_number_is_it, arena_open, arena_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
