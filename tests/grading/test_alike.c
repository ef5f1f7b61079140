/* test_alike.c - which programs are alike: what the starter gave is left out, renaming hides nothing, and the
 * page shows text as text. */
#include "class.h"

#include "grading/similarity/alike.h"

static const char starter[] = "#include <cstdio>\n\nint given(int a) {\n    return a * 17 + 4 - (a << 3) + "
                              "(a % 5);\n}\nint answer(int n) {\n}\n";

/* The starter with a body put into answer. */
static const char *program(ClassFolder *class, const char *body) {
    return arena_format(class->arena,
                        "#include <cstdio>\n\nint given(int a) {\n  return a*17 + 4 - (a << 3) + (a %% "
                        "5);\r\n}\nint answer(int n) {\n%s}\n",
                        body);
}

static const char loop[] = "    int sum = 0; // adds up what is even\n    for (int i = 0; i < n; i += 2) {\n "
                           "       if (i != 7) sum += given(i) / 3;\n    }\n"
                           "    return sum > 100 ? 100 : sum;\n";
static const char renamed[] = "  int result=0;\n  for (int k=1; k<n; k+=3) {\n    if (k!=9) "
                              "result+=other(k)/5;\n  }\n  return result>200 ? 200 : result;\n";
static const char different[] = "    double x[4] = {1, 2, 3, 4};\n    while (n-- > 0)\n        x[n & 3] *= "
                                "x[(n + 1) & 3];\n    switch (n) { case 1: return 2; "
                                "default: return (int)x[0]; }\n";

static void hand_in(ClassFolder *class, const char *name, const char *body) {
    class_put(class, arena_format(class->arena, "class/%s/01-vector-add.cu", name), program(class, body), 1);
}

static Alike find(ClassFolder *class) {
    Alike alike;
    class_put(class, "course/starter/01-vector-add.cu", starter, 0);
    class_read(class, "class", NULL);
    const Course course = {.root = class_path(class, "course"), .lessons = class_lessons, .count = 1};
    const AlikeOptions options = {.most_pairs = 10};
    if (!alike_find(&alike, class->arena, &course, &class->intake, "01-vector-add", &options,
                    &class->diagnostics))
        fail_msg("%s", class->diagnostics.first->message);
    return alike;
}

static void copies_and_others(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    hand_in(&class, "ann", loop);
    hand_in(
        &class, "ben",
        arena_format(class.arena, "    puts(\"a line that hides nothing\");\n%s    // and one more\n", loop));
    hand_in(&class, "cy", renamed);
    hand_in(&class, "dan", different);
    hand_in(&class, "eve", "");
    hand_in(&class, "fay", loop);
    Alike alike = find(&class);
    assert_int_equal(alike.handed_in, 6);
    assert_int_equal(alike.unchanged, 1);
    assert_int_equal(alike.count, 4); /* ann and fay have the same text */
    assert_int_equal(alike.pair_count, 3);
    const Pair *first = &alike.pairs[0];
    const Program *shorter = &alike.programs[first->programs[0]],
                  *longer = &alike.programs[first->programs[1]];
    assert_int_equal(shorter->people_count, 2);
    assert_string_equal(shorter->people[0], "ann");
    assert_string_equal(shorter->people[1], "fay");
    assert_string_equal(longer->people[0], "ben");
    assert_in_range(first->code, 95, 100); /* the tool rounds by where its runs end */
    assert_in_range(first->words, 80, 100);
    assert_int_equal(first->runs[0].lines[0][0], 7);
    assert_int_equal(first->runs[0].lines[1][0], 8);
    for (size_t i = 1; i < 3; i++) { /* cy: the same in other words */
        assert_string_equal(alike.programs[alike.pairs[i].programs[0]].people[0], "cy");
        assert_in_range(alike.pairs[i].code, 95, 100);
        assert_int_equal(alike.pairs[i].words, 0);
    }
    class_close(&class);
}

static void the_page(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    hand_in(
        &class, "<b>ann",
        arena_format(class.arena, "%s// </td><script>alert(\"&\")</script>\x1B[31m\xE2\x80\xAE\xFF\n", loop));
    hand_in(&class, "ben", loop);
    Alike alike = find(&class);
    Text page;
    text_init(&page);
    alike_page(&alike, &page);
    assert_null(strstr(page.bytes, "<script"));
    assert_null(strstr(page.bytes, "<b>ann"));
    assert_null(strchr(page.bytes, 0x1B));
    assert_null(strstr(page.bytes, "\xE2\x80\xAE"));
    assert_null(strstr(page.bytes, "\xFF"));
    assert_non_null(strstr(page.bytes, "&lt;b&gt;ann"));
    assert_non_null(
        strstr(page.bytes, "// &lt;/td&gt;&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;\\x1B[31m"));
    assert_non_null(strstr(page.bytes, "(6 lines of the starter)"));
    assert_non_null(strstr(page.bytes, "<tr class=\"shared\"><td>8</td><td class=\"s1\">1</td><td>    for "
                                       "(int i = 0; i &lt; n; i += 2) {</td>"));
    text_free(&page);
    class_close(&class);
}

static void one_alone(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    hand_in(&class, "ann", loop);
    Alike alike = find(&class);
    assert_int_equal(alike.pair_count, 0);
    Text page;
    text_init(&page);
    alike_page(&alike, &page);
    assert_non_null(strstr(page.bytes, "No two programs share enough to be listed."));
    text_free(&page);
    class_close(&class);
}

static void discount(void **state) {
    (void)state;
    Arena *arena = arena_create();
    static const char text[] = "a b\nc\n ab \r\nd\0e\nlast";
    assert_string_equal(alike_discount(arena, text, sizeof text - 1, "ab\nx\n", 5), "\nc\n\nd e\nlast\n");
    assert_string_equal(alike_discount(arena, "x\n", 2, "", 0), "x\n");
    assert_string_equal(alike_discount(arena, "", 0, "x\n", 2), "");
    arena_destroy(arena);
}

static void take(void *context, size_t first, size_t second, int percent) {
    *(size_t *)context = *(size_t *)context * 1000 + first * 100 + second * 10 + (size_t)percent;
}

static void what_the_tool_says(void **state) {
    (void)state;
    size_t sum = 0;
    SharedRun runs[2];
    alike_read_shares(
        "noise\n000001 consists for 3 % of 000002 material\n\n000004 consists for 6 % of 000005 material",
        take, &sum);
    assert_int_equal(sum, 123456);
    static const char lines[] =
        "Total input: 2 files\n\n000001: line 27-45                     |000002: line 25-35         [84]\n\n"
        "000001: line 8-19 |000002: line 9-20 [72]\n000001: line 1-1 |000002: line 1-1 [12]\n";
    assert_int_equal(alike_read_runs(lines, runs, 2), 2);
    assert_int_equal(runs[0].lines[0][0], 27);
    assert_int_equal(runs[0].lines[1][1], 35);
    assert_int_equal(runs[1].tokens, 72);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_and_others),  cmocka_unit_test(the_page),
        cmocka_unit_test(one_alone),          cmocka_unit_test(discount),
        cmocka_unit_test(what_the_tool_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
