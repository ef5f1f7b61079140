/* test_picture.c - which run of a check is pictured, and what the page is told besides. */
#include "autograder/check/likeness.h"
#include "autograder/verdict/verdict_picture.h"
#include "base/json.h"
#include "tests/autograder/verdict_desk.h"

#include <math.h>

/* A run of one case in a program of its own, with a picture of this name. */
static void add_picture(Desk *desk, unsigned run, unsigned index, const char *name, const char *more) {
    char members[400];
    snprintf(members, sizeof members, "\"picture\":\"{\\\"name\\\":\\\"%s\\\"}\"%s", name, more);
    add_pair(desk, run, index, index, members);
}

/* The picture that is shown; the caller puts it. */
static struct json_object *chosen(Desk *desk) {
    verdict_keep_pictures(&desk->check, desk->schedules);
    verdict_choose_picture(&desk->check);
    assert_non_null(desk->result.picture);
    struct json_object *picture = json_tokener_parse(desk->result.picture);
    assert_non_null(picture);
    return picture;
}

static void is_chosen(Desk *desk, const char *name) {
    struct json_object *picture = chosen(desk);
    assert_string_equal(json_text(picture, "name", ""), name);
    json_object_put(picture);
}

static void test_the_first_of_the_same_worth(void **state) {
    Desk *desk = *state;
    add_picture(desk, 0, SMALL, "first", "");
    add_picture(desk, 0, SHOWN, "second", "");
    add_picture(desk, 1, SMALL, "third", "");
    is_chosen(desk, "first");
}

static void test_hidden_cases_and_runs_without_one_are_not_pictured(void **state) {
    Desk *desk = *state;
    add_picture(desk, 0, HIDDEN, "hidden", "");
    add_pair(desk, 0, SMALL, SMALL, "\"picture\":\"\"");
    verdict_keep_pictures(&desk->check, desk->schedules);
    verdict_choose_picture(&desk->check);
    assert_null(desk->result.picture);
}

static void test_streams_that_overlap_are_more_to_see(void **state) {
    Desk *desk = *state;
    add_picture(desk, 0, SMALL, "plain", ",\"timeline\":[{\"overlap\":0}]");
    add_picture(desk, 0, SHOWN, "overlaps", ",\"timeline\":[{\"overlap\":0},{\"overlap\":1}]");
    add_picture(desk, 1, SMALL, "plain, too", "");
    is_chosen(desk, "overlaps");
}

#define FOUND(kind, severity, line)                                                                          \
    ",\"findings\":[{\"kind\":\"" kind "\",\"severity\":\"" severity "\",\"line\":" #line "}]"

static void test_the_case_of_the_first_finding(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_TIMEOUT, SHOWN);
    add_picture(desk, 0, SMALL, "another", ",\"timeline\":[{\"overlap\":1}]");
    add_picture(desk, 0, SHOWN, "its own", "");
    add_picture(desk, 1, SMALL, "another's note", FOUND("shared-race", "note", 3));
    is_chosen(desk, "its own");
}

/* A mistake before a case without one, its line before another, and its case before all. */
static void test_what_the_first_finding_says_is_shown(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_SHARED_RACE, SHOWN)->line = 3;
    add_picture(desk, 0, SHOWN, "right", "");
    add_picture(desk, 0, SMALL, "mistake", FOUND("leak", "error", 3));
    is_chosen(desk, "mistake");
    add_picture(desk, 0, SMALL, "the line", FOUND("shared-race", "error", 3));
    add_picture(desk, 0, SHOWN, "another line", FOUND("shared-race", "error", 4));
    is_chosen(desk, "the line");
    add_picture(desk, 1, SHOWN, "the finding", FOUND("shared-race", "error", 3));
    add_picture(desk, 1, SMALL, "the line again", FOUND("shared-race", "error", 3));
    is_chosen(desk, "the finding");
}

/* ---- what is told ---- */

static void test_the_errors_of_the_screen_are_told(void **state) {
    Desk *desk = *state;
    add_picture(desk, 0, SMALL, "picture", "");
    Finding *race = add_finding(desk, FINDING_SHARED_RACE, SHOWN);
    race->message = "they race";
    race->line = 3;
    add_finding(desk, FINDING_UNCOALESCED, SHOWN)->severity = FINDING_NOTE;
    add_finding(desk, FINDING_LEAK, HIDDEN)->message = "of 777";
    struct json_object *picture = chosen(desk), *told = json_array(picture, "told");
    assert_int_equal(json_object_array_length(told), 1);
    assert_string_equal(json_text(json_object_array_get_idx(told, 0), "kind", ""), "shared-race");
    assert_string_equal(json_text(json_object_array_get_idx(told, 0), "message", ""), "they race");
    assert_string_equal(json_text(json_object_array_get_idx(told, 0), "case", ""), "forty elements");
    assert_int_equal(json_number(json_object_array_get_idx(told, 0), "line", 0), 3);
    assert_null(json_member(picture, "answer"));
    json_object_put(picture);
    desk->check.revealed = true;
    picture = chosen(desk);
    assert_int_equal(json_object_array_length(json_array(picture, "told")), 2);
    json_object_put(picture);
}

enum { MANY = 3000 };

/* The answer of the shown case, wrong in the second run, as the page is told it: `count` elements, of which
 * one is wrong. The caller puts it. */
static struct json_object *answer_of(Desk *desk, size_t count, long wrong_index) {
    static double got[MANY], want[MANY];
    static bool wrong[MANY];
    static LikenessAnswer elements;
    for (size_t i = 0; i < count; i++) {
        got[i] = want[i] = (double)i;
        wrong[i] = (long)i == wrong_index;
    }
    got[wrong_index] = NAN;
    elements = (LikenessAnswer){.got = got, .want = want, .wrong = wrong, .count = count};
    desk->check.wrong = add_finding(desk, FINDING_WRONG_ANSWER, SHOWN);
    desk->check.wrong_schedule = 1;
    desk->check.wrong_case = SHOWN;
    desk->check.wrong_decision = (JudgeDecision){
        .answer = "z", .message = "it is wrong", .wrong_index = wrong_index, .elements = &elements};
    add_picture(desk, 0, SHOWN, "the right run", FOUND("leak", "error", 3));
    add_picture(desk, 1, SHOWN, "the wrong run", "");
    add_picture(desk, 1, SMALL, "another case", FOUND("leak", "error", 3));
    return chosen(desk);
}

static void starts_at(struct json_object *picture, long from, size_t told) {
    struct json_object *answer = json_member(picture, "answer");
    assert_string_equal(json_text(picture, "name", ""), "the wrong run");
    assert_string_equal(json_text(answer, "name", ""), "z");
    assert_string_equal(json_text(answer, "case", ""), "forty elements");
    assert_int_equal(json_number(answer, "from", -1), from);
    assert_int_equal(json_object_array_length(json_array(answer, "expected")), told);
    assert_int_equal(json_object_array_length(json_array(answer, "yours")), told);
    assert_int_equal(json_object_array_length(json_array(answer, "wrong")), 1);
    assert_int_equal(json_object_get_int64(json_object_array_get_idx(json_array(answer, "expected"), 0)),
                     from);
}

static void test_a_short_answer_is_told_whole(void **state) {
    struct json_object *picture = answer_of(*state, 40, 39);
    struct json_object *answer = json_member(picture, "answer");
    starts_at(picture, 0, 40);
    assert_int_equal(json_object_get_int64(json_object_array_get_idx(json_array(answer, "wrong"), 0)), 39);
    assert_string_equal(json_object_get_string(json_object_array_get_idx(json_array(answer, "yours"), 39)),
                        "nan");
    json_object_put(picture);
}

static void test_a_long_answer_is_told_from_its_beginning(void **state) {
    struct json_object *picture = answer_of(*state, MANY, 10);
    starts_at(picture, 0, 1024);
    json_object_put(picture);
}

static void test_a_long_answer_is_told_around_what_is_wrong(void **state) {
    struct json_object *picture = answer_of(*state, MANY, 1500);
    starts_at(picture, 1500 - 64, 1024);
    json_object_put(picture);
}

static void test_no_number_is_a_word(void **state) {
    static const double got[] = {-INFINITY, INFINITY}, want[] = {1, 2};
    static const bool wrong[] = {true, true};
    const LikenessAnswer elements = {.got = got, .want = want, .wrong = wrong, .count = 2};
    Desk *desk = *state;
    desk->check.wrong = add_finding(desk, FINDING_WRONG_ANSWER, SMALL);
    desk->check.wrong_decision = (JudgeDecision){.answer = "z", .message = "wrong", .elements = &elements};
    add_picture(desk, 0, SMALL, "picture", "");
    struct json_object *picture = chosen(desk);
    struct json_object *yours = json_array(json_member(picture, "answer"), "yours");
    assert_string_equal(json_object_get_string(json_object_array_get_idx(yours, 0)), "-inf");
    assert_string_equal(json_object_get_string(json_object_array_get_idx(yours, 1)), "inf");
    json_object_put(picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_the_first_of_the_same_worth),
        DESK(test_hidden_cases_and_runs_without_one_are_not_pictured),
        DESK(test_streams_that_overlap_are_more_to_see),
        DESK(test_the_case_of_the_first_finding),
        DESK(test_what_the_first_finding_says_is_shown),
        DESK(test_the_errors_of_the_screen_are_told),
        DESK(test_a_short_answer_is_told_whole),
        DESK(test_a_long_answer_is_told_from_its_beginning),
        DESK(test_a_long_answer_is_told_around_what_is_wrong),
        DESK(test_no_number_is_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
