/* test_alike.c - which programs are alike: what the starter gave is left out, renaming hides nothing,
 * everybody is named, and the page shows text as text. A class with planted pairs is ranked in
 * tests/cli/similarity.sh. */
#include "class.h"

#include "grading/similarity/alike.h"
#include "grading/similarity/fragments.h"
#include "grading/similarity/runs.h"

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
                           "    while (sum % 8 != 5) sum = sum * 2 - (sum >> 4) + n;\n"
                           "    return sum > 100 ? 100 : sum;\n";
static const char renamed[] = "  int r=0;\n  for (int k=1; k<n; k+=3) {\n    if (k!=9) r+=other(k)/5;\n  }\n"
                              "  while (r%6!=1) r=r*3-(r>>2)+n;\n  return r>200 ? 200 : r;\n";
/* What the lesson's page shows, and many write: it is no sign of anything. */
static const char lesson_page[] =
    "A page.\n```{.cuda}\nfor (int k = 0; k < n; k++) out[k] = in[k] + in[k + 1] * "
    "scale / (k + 1) - offset[k & 7];\n```\nint not_code;\n";
static const char shown[] =
    "  for (int j = 0; j < n; j++) to[j] = from[j] + from[j + 1] * f / (j + 1) - o[j & 7];\n";
static const char different[] = "    double x[4] = {1, 2, 3, 4};\n    while (n-- > 0)\n        x[n & 3] *= "
                                "x[(n + 1) & 3];\n    switch (n) { case 1: return 2; "
                                "default: return (int)x[0]; }\n";

static void hand_in(ClassFolder *class, const char *name, const char *body) {
    class_put(class, arena_format(class->arena, "class/%s/01-vector-add.cu", name), program(class, body), 1);
}

static Alike find(ClassFolder *class) {
    Alike alike;
    class_put(class, "course/starter/01-vector-add.cu", starter, 0);
    class_put(class, "course/lessons/01-vector-add/lesson.md", lesson_page, 0);
    class_read(class, "class", NULL);
    const Course course = {.root = class_path(class, "course"), .lessons = class_lessons, .count = 1};
    if (!alike_find(&alike, class->arena, &course, &(AlikeSources){&class->intake, NULL}, "01-vector-add", 10,
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
    size_t in_other_words = 0;
    for (size_t i = 0; i < alike.pair_count; i++) {
        const Pair *pair = &alike.pairs[i];
        const Program *shorter = &alike.programs[pair->programs[0]],
                      *longer = &alike.programs[pair->programs[1]];
        assert_in_range(pair->structure, 70, 100);   /* a line before a copy of seven lines breaks a part */
        if (strcmp(shorter->people[0], "cy") == 0) { /* the shortest: the same in other words */
            assert_in_range(pair->wording, 0, 40);
            in_other_words++;
            continue;
        }
        assert_int_equal(shorter->people_count, 2);
        assert_string_equal(shorter->people[0], "ann");
        assert_string_equal(shorter->people[1], "fay");
        assert_string_equal(longer->people[0], "ben");
        assert_in_range(pair->wording, 90, 100);
        assert_int_equal(pair->runs[0].lines[0][1], 12);
        assert_int_equal(pair->runs[0].lines[1][1], 13);
    }
    assert_int_equal(in_other_words, 2);
    assert_int_equal(alike.group_count, 1); /* everybody of it is named, also who handed in the same text */
    assert_string_equal(alike_group_people(class.arena, &alike, &alike.groups[0]), "cy, ann, fay, ben");
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
    alike_page(&alike, class.arena, &page);
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
    alike_page(&alike, class.arena, &page);
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

/* What the page shows, and what the starter gave, is shared by two who have nothing else in common. */
static void what_was_shown(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    hand_in(&class, "ann", arena_format(class.arena, "%s%s", shown, loop));
    hand_in(&class, "ben", arena_format(class.arena, "%s%s", shown, different));
    Alike alike = find(&class);
    assert_int_equal(alike.pair_count, 0);
    assert_int_equal(alike.group_count, 0);
    class_close(&class);
}

/* Half of one and half of another, in other words and with the halves the other way round: it belongs to
 * both, though each of them alone explains half of it, and neither to the other. */
static void a_mix_of_two(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    static const char first[] =
        "    int s = n; if (n < 3) return 4;\n    for (int i = 0; i < n; i++) s += given(i) * "
        "i - (s >> 2);\n    while (s % 8 != 5) s = s * 2 - n;\n    return s;\n";
    static const char second[] =
        "float later(float *p, int k) {\n    float t = p[k] / 2 + p[0] * p[k - 1];\n    do t -= "
        "p[--k] < t; while (k > 0 && t > 1.5f);\n    return t * t + p[k];\n}\n";
    static const char other_first[] =
        "    char *c = malloc(n); switch (n & 3) { case 0: free(c); break; default: c[0] "
        "= 'x'; }\n    return n > 0 ? c[n / 2] ^ 7 : ~n;\n";
    static const char other_second[] =
        "double early(double x, double y) {\n    if (x > y || !(y > 0)) { double z = x; x "
        "= y; y = z; }\n    return y - x * early(x / y, y * 2) + (x == y);\n}\n";
    static const char mixed[] =
        "    char *text = malloc(n); switch (n & 1) { case 4: free(text); break; default: text[1] "
        "= 'q'; }\n    return n > 9 ? text[n / 8] ^ 5 : ~n;\n";
    static const char mixed_second[] =
        "float g(float *a, int b) {\n    float c = a[b] / 3 + a[1] * a[b - 2];\n    do c -= "
        "a[--b] < c; while (b > 1 && c > 2.5f);\n    return c * c + a[b];\n}\n";
    class_put(&class, "class/ann/01-vector-add.cu",
              arena_format(class.arena, "%s%s", program(&class, first), second), 1);
    class_put(&class, "class/ben/01-vector-add.cu",
              arena_format(class.arena, "%s%s", program(&class, other_first), other_second), 1);
    class_put(&class, "class/mia/01-vector-add.cu",
              arena_format(class.arena, "%s%s", mixed_second, program(&class, mixed)), 1);
    hand_in(&class, "cy", loop);
    hand_in(&class, "dan", different);
    Alike alike = find(&class);
    assert_in_range(alike.pair_count, 2, 10);
    for (size_t i = 0; i < 2; i++) {
        const Pair *pair = &alike.pairs[i];
        assert_true(strcmp(alike.programs[pair->programs[0]].people[0], "mia") == 0 ||
                    strcmp(alike.programs[pair->programs[1]].people[0], "mia") == 0);
        assert_true(pair->strength > 0.5);
    }
    assert_int_equal(alike.group_count, 1);
    assert_string_equal(alike_group_people(class.arena, &alike, &alike.groups[0]), "ben, ann, mia");
    class_close(&class);
}

/* The same text under two names is a group, though there is no pair. */
static void the_same_text(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    hand_in(&class, "ann", loop);
    hand_in(&class, "ben", loop);
    Alike alike = find(&class);
    assert_int_equal(alike.pair_count, 0);
    assert_int_equal(alike.group_count, 1);
    assert_string_equal(alike_group_people(class.arena, &alike, &alike.groups[0]), "ann, ben");
    class_close(&class);
}

/* A program is any bytes: open quotes, an escape at the very end, a zero. */
static void any_bytes(void **state) {
    (void)state;
    static const char *const texts[] = {"\"", "\"\\", "/*",      "/* *", "'\n'\\", "//",
                                        "/",  "#",    "1.5e-3f", "\\\n", ""};
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *exact = malloc(strlen(texts[i]) + 1); /* a byte read too far is seen by the sanitizer */
        memcpy(exact, texts[i], strlen(texts[i]));
        assert_non_null(tokens_of_structure(arena, exact, strlen(texts[i])).tokens);
        assert_non_null(tokens_of_wording(arena, exact, strlen(texts[i])).tokens);
        free(exact);
    }
    static const char zero[] = "a\0b";
    assert_int_equal(tokens_of_wording(arena, zero, sizeof zero - 1).count, 2);
    arena_destroy(arena);
}

static bool same_structure(Arena *arena, const char *left, const char *right) {
    Tokens a = tokens_of_structure(arena, left, strlen(left)),
           b = tokens_of_structure(arena, right, strlen(right));
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++)
        same = a.tokens[i].word == b.tokens[i].word;
    return same;
}

static void what_structure_sees(void **state) {
    (void)state;
    Arena *arena = arena_create();
    assert_true(same_structure(arena, "int i = (int)threadIdx.x; // first", "const unsigned j=threadIdx.x;"));
    assert_true(same_structure(arena, "if (a < 3) { b = \"x\"; }", "if (c < 40) d = \"other\";"));
    assert_false(same_structure(arena, "i = threadIdx.x;", "i = blockIdx.x;"));
    assert_false(same_structure(arena, "a < b", "a > b"));
    assert_false(same_structure(arena, "cudaFree(p);", "cudaMalloc(p);"));
    assert_false(same_structure(arena, "while (a)", "if (a)"));
    arena_destroy(arena);
}

static void what_runs_are(void **state) {
    (void)state;
    static const char first[] = "a = b + c * d;\nx = y - z / w;\n",
                      second[] = "k = l - m / n;\nq = r + s * t;\n";
    Arena *arena = arena_create();
    Tokens a = tokens_of_structure(arena, first, sizeof first - 1),
           b = tokens_of_structure(arena, second, sizeof second - 1);
    size_t count;
    const SharedRun *runs = runs_find(arena, &a, &b, 4, &count);
    assert_int_equal(count, 2); /* the two lines, in another order */
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(runs[i].tokens, 8);
        assert_int_equal(runs[i].lines[0][0] + runs[i].lines[1][0], 3);
    }
    runs_find(arena, &a, &b, 9, &count);
    assert_int_equal(count, 0);
    arena_destroy(arena);
}

static void what_is_fenced(void **state) {
    (void)state;
    Arena *arena = arena_create();
    assert_string_equal(alike_fenced(arena, "ab\n```\nc\n```\nd"), "  \n   \nc\n   \n ");
    arena_destroy(arena);
}

/* Two fragments as long as each other: one that ten of twelve programs have, and one that only two have. The
 * latter is a sign, the former is hardly one. */
static void what_is_rare(void **state) {
    (void)state;
    enum { MANY = 10, ALL = 12, LENGTH = 4 };
    static const char common[] = "a = b + c * d - e;\n", rare[] = "a = b / c - d % e;\n";
    Arena *arena = arena_create();
    Tokens programs[ALL];
    for (size_t i = 0; i < ALL; i++) {
        const char *text = i < MANY ? common : rare;
        programs[i] = tokens_of_structure(arena, text, strlen(text));
    }
    Shares shares;
    assert_int_equal(programs[0].count, programs[MANY].count);
    assert_true(fragments_compare(&shares, programs, ALL, &(Given){.starter = {.count = 0}}, LENGTH));
    const double fragments = (double)(programs[0].count - LENGTH + 1);
    assert_float_equal((float)fragments_in(&shares, MANY, MANY + 1), (float)fragments, 1e-6F);
    assert_true(fragments_in(&shares, 0, 1) < fragments / 3);
    assert_true(fragments_in(&shares, 0, 1) > 0);
    assert_true(fragments_in(&shares, 0, MANY) <= 0);
    fragments_free(&shares);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_and_others),   cmocka_unit_test(the_page),
        cmocka_unit_test(one_alone),           cmocka_unit_test(discount),
        cmocka_unit_test(what_was_shown),      cmocka_unit_test(the_same_text),
        cmocka_unit_test(a_mix_of_two),        cmocka_unit_test(any_bytes),
        cmocka_unit_test(what_structure_sees), cmocka_unit_test(what_runs_are),
        cmocka_unit_test(what_is_fenced),      cmocka_unit_test(what_is_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
