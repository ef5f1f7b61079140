/* test_merge.c - how several processes ended, as one: as the one that ended worst. */
#include "base/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_worst_ending_counts(void **state) {
    (void)state;
    /* From the best to the worst. */
    static const char *const endings[] = {
        "{\"rank\": 0, \"ended\": \"running\", \"exit_status\": 0, \"signal\": 0}",
        "{\"rank\": 1, \"ended\": \"exit\", \"exit_status\": 0, \"signal\": 0}",
        "{\"rank\": 2, \"ended\": \"stopped\", \"exit_status\": 0, \"signal\": 0}",
        "{\"rank\": 3, \"ended\": \"exit\", \"exit_status\": 7, \"signal\": 0}",
        "{\"rank\": 4, \"ended\": \"signal\", \"exit_status\": 0, \"signal\": 11}",
    };
    enum { COUNT = sizeof endings / sizeof *endings };
    for (unsigned a = 0; a < COUNT; a++)
        for (unsigned b = 0; b < COUNT; b++) {
            if (a == b) continue;
            struct json_object *list = json_object_new_array();
            json_object_array_add(list, json_tokener_parse(endings[a]));
            json_object_array_add(list, json_tokener_parse(endings[b]));
            struct json_object *merged = merge_reports(list);
            struct json_object *worst = json_tokener_parse(endings[a > b ? a : b]);
            static const char *const numbers[] = {"exit_status", "signal"};
            for (size_t i = 0; i < 2; i++)
                assert_int_equal(json_number(merged, numbers[i], -1), json_number(worst, numbers[i], -2));
            assert_string_equal(json_text(merged, "ended", ""), json_text(worst, "ended", "?"));
            assert_int_equal(json_object_array_length(json_array(merged, "processes")), 2);
            json_object_put(worst);
            json_object_put(merged);
            json_object_put(list);
        }
}

/* Of three findings two are one, which counts both times and names both processes. */
static void the_same_finding_is_one(void **state) {
    (void)state;
    static const char *const reports[] = {
        "{\"findings\": [{\"kind\": \"leak\", \"file\": \"a.cu\", \"line\": 3, \"count\": 2}]}",
        "{\"findings\": [{\"kind\": \"leak\", \"file\": \"a.cu\", \"line\": 3, \"count\": 5},"
        " {\"kind\": \"leak\", \"file\": \"a.cu\", \"line\": 4, \"count\": 1}]}",
    };
    static const struct {
        int line, count;
        const char *processes;
    } want[] = {{3, 7, "[0,1]"}, {4, 1, "[1]"}};
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        json_object_array_add(list, json_tokener_parse(reports[i]));
    struct json_object *merged = merge_reports(list), *findings = json_array(merged, "findings");
    assert_int_equal(json_length(findings), 2);
    for (size_t i = 0; i < 2; i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        assert_int_equal(json_number(finding, "line", -1), want[i].line);
        assert_int_equal(json_number(finding, "count", -1), want[i].count);
        assert_string_equal(
            json_object_to_json_string_ext(json_array(finding, "processes"), JSON_C_TO_STRING_PLAIN),
            want[i].processes);
    }
    json_object_put(merged);
    json_object_put(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_ending_counts),
        cmocka_unit_test(the_same_finding_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
