/* test_sum_judges.c - the judges of the summing lessons: the right sum passes for every case and seed, a sum
 * that lacks one number never does, and a typical wrong sum is explained.
 */
#include "autograder/check/cases.h"
#include "base/marks.h"
#include "lessons/judges.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const lessons[] = {"07-block-sum-dynamic", "08-block-sum-static", "10-any-block-size",
                                      "11-grid-sum-partials", "12-grid-sum-atomic"};
enum { LESSONS = sizeof lessons / sizeof lessons[0], SEEDS = 4 };

typedef struct Setting {
    Arena *arena;
    const Judge *judge;
    JudgeCase judged;
    const float *in;
    size_t count;
    double want;
} Setting;

static Setting setting_open(const char *lesson, unsigned index, uint64_t seed) {
    Setting setting = {.arena = arena_create(), .judge = judges_find(lessons_judges, lesson)};
    assert_non_null(setting.arena);
    assert_non_null(setting.judge);
    assert_true(cases_prepare(&setting.judged, setting.judge, index, seed, setting.arena));
    for (const CaseInput *input = setting.judged.files->first; input != NULL; input = input->next)
        if (strcmp(input->name, "in") == 0) {
            setting.in = input->array.data;
            setting.count = input->array.count;
        }
    if (setting.in != NULL) assert_int_equal(setting.count, setting.judge->cases[index].n);
    setting.want = judge_sum(setting.in, setting.count);
    return setting;
}

static void write_sum(Setting *setting, const char *folder, float sum) {
    const char *path = arena_format(setting->arena, "%s/sum.npy", folder);
    NpyArray array;
    Diagnostics diagnostics;
    diag_init(&diagnostics, setting->arena);
    assert_true(npy_make(&array, setting->arena, NPY_F32, 1));
    *(float *)array.data = sum;
    assert_true(npy_write(&array, path, &diagnostics));
}

static void remove_sum(Setting *setting, const char *folder) {
    unlink(arena_format(setting->arena, "%s/sum.npy", folder));
    rmdir(folder);
}

/* The answers of both calls; of a case that is called once, of that. */
static JudgeDecision setting_answers(Setting *setting, float first_sum, float sum) {
    char folder[] = "/tmp/test_sum_judges.XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *first = arena_format(setting->arena, "%s/" CASE_FIRST_CALL, folder);
    if (setting->judged.before != NULL) {
        mkdir(first, 0700);
        write_sum(setting, first, first_sum);
    }
    write_sum(setting, folder, sum);
    int answers = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(answers >= 0);
    JudgeDecision decision = cases_decide(&setting->judged, setting->judge, answers);
    close(answers);
    remove_sum(setting, first);
    remove_sum(setting, folder);
    return decision;
}

static const float *input_of(const Setting *setting, const char *name) {
    for (const CaseInput *input = setting->judged.files->first; input != NULL; input = input->next)
        if (strcmp(input->name, name) == 0) return input->array.data;
    return NULL;
}

/* Right in the first call. */
static JudgeDecision setting_answer(Setting *setting, float sum) {
    float first_sum = 0.0F;
    if (setting->judged.before != NULL)
        first_sum = (float)judge_sum(input_of(setting, CASE_FIRST_CALL "/in"), setting->count);
    return setting_answers(setting, first_sum, sum);
}

static bool has_fractions(const Setting *setting) {
    for (size_t i = 0; i < setting->count; i++)
        if (setting->in[i] != roundf(setting->in[i])) return true;
    return false;
}

static void check_inputs(const Setting *setting) {
    double magnitudes = 0.0;
    for (size_t i = 0; i < setting->count; i++) {
        assert_true(setting->in[i] != 0.0F);
        magnitudes += fabs((double)setting->in[i]);
    }
    /* Whole numbers below 2^24 in all: every partial sum is exact, whatever the order. */
    if (!has_fractions(setting)) assert_true(magnitudes < 16777216.0);
}

static void check_case(const char *lesson, unsigned index, uint64_t seed) {
    Setting setting = setting_open(lesson, index, seed);
    check_inputs(&setting);
    assert_true(setting_answer(&setting, (float)setting.want).passed);
    assert_false(setting_answer(&setting, nanf("")).passed);
    assert_false(setting_answer(&setting, (float)setting.want + 64.0F).passed);
    if (setting.count > 0 && !has_fractions(&setting)) {
        assert_false(setting_answer(&setting, (float)(setting.want - (double)setting.in[0])).passed);
        assert_false(
            setting_answer(&setting, (float)(setting.want - (double)setting.in[setting.count - 1])).passed);
    }
    assert_false(cases_decide(&setting.judged, setting.judge, -1).passed); /* no answer at all */
    arena_destroy(setting.arena);
}

static void test_every_case_tells_right_from_wrong(void **state) {
    (void)state;
    for (unsigned lesson = 0; lesson < LESSONS; lesson++) {
        const Judge *judge = judges_find(lessons_judges, lessons[lesson]);
        assert_non_null(judge);
        for (unsigned index = 0; index < judge->case_count; index++)
            for (uint64_t seed = 0; seed < SEEDS; seed++)
                check_case(lessons[lesson], index, seed);
    }
}

static void test_shown_cases_are_worth_seven_points(void **state) {
    (void)state;
    for (unsigned lesson = 0; lesson < LESSONS; lesson++) {
        const Judge *judge = judges_find(lessons_judges, lessons[lesson]);
        int points = 0;
        for (unsigned index = 0; index < judge->case_count; index++)
            if (judge->cases[index].concept == NULL) points += judge->cases[index].points;
        assert_int_equal(points, 7);
    }
}

static bool is_suspected(const JudgeDecision *decision, const char *words) {
    assert_non_null(decision->suspects);
    for (const JudgeCause *cause = decision->suspects; cause->name != NULL; cause++)
        if (strstr(cause->words, words) != NULL) return true;
    return false;
}

static void expect_message(const char *lesson, unsigned index, size_t first, size_t end, double times,
                           const char *words) {
    Setting setting = setting_open(lesson, index, 1);
    assert_true(end <= setting.count);
    JudgeDecision decision =
        setting_answer(&setting, (float)(times * judge_sum(setting.in + first, end - first)));
    assert_false(decision.passed);
    if (!is_suspected(&decision, words)) fail_msg("%s: nothing suspected has \"%s\"", lesson, words);
    arena_destroy(setting.arena);
}

static void test_typical_sums_are_explained(void **state) {
    (void)state;
    expect_message("10-any-block-size", 0, 0, 128, 1.0, "the first 128 of 192");
    expect_message("10-any-block-size", 2, 0, 2, 1.0,
                   "halving 3"); /* 3 / 2 = 1: 0 and 1 are added, 2 is lost */
    expect_message("11-grid-sum-partials", 3, 0, 256, 1.0, "block 0's sum alone");
    expect_message("11-grid-sum-partials", 6, 0, 97 * 1024, 1.0,
                   "the numbers from index 99328 on are missing");
    expect_message("12-grid-sum-atomic", 6, 0, 97 * 1024, 1.0, "the numbers from index 99328 on are missing");
}

static void expect_words(JudgeDecision decision, const char *words) {
    assert_false(decision.passed);
    if (strstr(decision.message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", decision.message, words);
}

/* Each summing lesson has a case whose function is called twice, with other numbers; both sums must be right,
 * and a second sum that comes from the first is explained. */
static void test_both_of_two_calls_must_be_right(void **state) {
    (void)state;
    for (unsigned lesson = 0; lesson < LESSONS; lesson++) {
        const Judge *judge = judges_find(lessons_judges, lessons[lesson]);
        unsigned index = 0;
        while (index < judge->case_count && !judge->cases[index].again)
            index++;
        assert_true(index < judge->case_count);
        Setting setting = setting_open(lessons[lesson], index, 1);
        const float *others = input_of(&setting, CASE_FIRST_CALL "/in");
        assert_non_null(others);
        const float first = (float)judge_sum(others, setting.count), second = (float)setting.want;
        assert_true(first != second);
        assert_true(setting_answers(&setting, first, second).passed);
        expect_words(setting_answers(&setting, first + 64.0F, second), "in the first call of two: ");
        expect_words(setting_answers(&setting, nanf(""), second), "in the first call of two: ");
        expect_words(setting_answers(&setting, first, second + 64.0F), "in the second call of two: ");
        const JudgeDecision kept = setting_answers(&setting, first, first);
        assert_string_equal(kept.because, "that is the first call's answer");
        JudgeDecision both = setting_answers(&setting, first, first + second);
        assert_true(is_suspected(&both, "both calls' numbers"));
        arena_destroy(setting.arena);
    }
}

/* Same sizes, other values: also the scalars of a signature. */
static void test_seeds_have_other_values(void **state) {
    (void)state;
    Setting setting = setting_open("04-constant-memory", 0, 0);
    JudgeCase other;
    assert_true(cases_prepare(&other, setting.judge, 0, 1, setting.arena));
    const CaseInput *b = other.files->first;
    for (const CaseInput *a = setting.judged.files->first; a != NULL; a = a->next, b = b->next) {
        assert_int_equal(a->array.count, b->array.count);
        if (a->array.type == NPY_F32)
            assert_memory_not_equal(a->array.data, b->array.data, a->array.count * sizeof(float));
    }
    arena_destroy(setting.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case_tells_right_from_wrong),
        cmocka_unit_test(test_both_of_two_calls_must_be_right),
        cmocka_unit_test(test_seeds_have_other_values),
        cmocka_unit_test(test_shown_cases_are_worth_seven_points),
        cmocka_unit_test(test_typical_sums_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
