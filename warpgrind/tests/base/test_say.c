/* test_say.c - texts with places: variants by condition, numbers with their nouns, texts in texts. */
#include "base/say.h"

#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct Facts {
    SayFlag shared, whole;
    SayCount threads;
    SayNumber line;
    SayHex mask;
    SayReal least;
    SayName name;
} Facts;

static const SayPlace places[] = {
    {"shared", &say_flag, offsetof(Facts, shared)},    {"whole", &say_flag, offsetof(Facts, whole)},
    {"threads", &say_count, offsetof(Facts, threads)}, {"line", &say_number, offsetof(Facts, line)},
    {"mask", &say_hex, offsetof(Facts, mask)},         {"least", &say_real, offsetof(Facts, least)},
    {"name", &say_name, offsetof(Facts, name)},
};

/** What is said of the facts by one text with these variants, and by a second text {WHERE}. */
static void assert_says(const SayRow *rows, unsigned count, const Facts *facts, const char *wanted) {
    static const SayRow where[] = {{"line", "at line {line}"}};
    const SayText texts[] = {{"MESSAGE", rows, count}, {"WHERE", where, 1}};
    const SayStory story = {"test", places, sizeof places / sizeof *places, texts, 2};
    Text out;
    text_init(&out);
    say(&out, &story, 0, facts);
    assert_string_equal(out.bytes, wanted);
    text_free(&out);
}

static void assert_text(const char *text, const Facts *facts, const char *wanted) {
    assert_says(&(SayRow){"", text}, 1, facts, wanted);
}

static void values_stand_in_their_places(void **state) {
    (void)state;
    const Facts facts = {.threads = 1024, .line = 1024, .mask = 0x7f00, .least = 0.5, .name = "temp"};
    assert_text("{name}[{line}]: {threads} of {mask} from {least}", &facts,
                "temp[1024]: 1,024 of 0x7f00 from 0.5");
    assert_text("no place at all", &facts, "no place at all");
    assert_text("{ }with a blank", &facts, " with a blank");
    assert_text("found {WHERE}.", &facts, "found at line 1024.");
}

static void numbers_have_their_nouns(void **state) {
    (void)state;
    assert_text("{threads:thread|threads} {threads~is|are} here", &(Facts){.threads = 1}, "1 thread is here");
    assert_text("{threads:thread|threads} {threads~is|are} here", &(Facts){.threads = 0},
                "0 threads are here");
    assert_text("{threads:thread|threads}", &(Facts){.threads = 5000}, "5,000 threads");
}

static void words_depend_on_facts(void **state) {
    (void)state;
    const char *text = "x{shared? in shared memory|{name? of {name}, {threads:thread|threads}}}.";
    assert_text(text, &(Facts){.shared = true, .name = "t"}, "x in shared memory.");
    assert_text(text, &(Facts){.name = "t", .threads = 2}, "x of t, 2 threads.");
    assert_text(text, &(Facts){.name = NULL}, "x.");
    assert_text("{threads?some|none}", &(Facts){.threads = 2}, "some");
    assert_text("{threads?some|none}", &(Facts){.threads = 0}, "none");
}

static void the_first_variant_that_holds_is_said(void **state) {
    (void)state;
    const SayRow rows[] = {{"shared !whole", "a part"}, {"shared", "all"}, {"name", "{name}"}};
    assert_says(rows, 3, &(Facts){.shared = true}, "a part");
    assert_says(rows, 3, &(Facts){.shared = true, .whole = true, .name = "n"}, "all");
    assert_says(rows, 3, &(Facts){.whole = true, .name = "n"}, "n");
    assert_says(rows, 3, &(Facts){.whole = true}, "");
}

static void a_text_is_told_in_an_arena(void **state) {
    (void)state;
    const SayRow row = {"", "at line {line}"}, plain = {"", "anywhere"};
    const SayText texts[] = {{"WHERE", &row, 1}, {"ANY", &plain, 1}};
    const SayStory story = {"test", places, sizeof places / sizeof *places, texts, 2};
    Arena *arena = arena_create();
    assert_string_equal(say_told(arena, &story, 0, &(Facts){.line = 7}), "at line 7");
    assert_string_equal(say_told(arena, &story, SAY_NOTHING, NULL), "");
    arena_fail_after(1);
    assert_null(say_told(arena, &story, 0, &(Facts){.line = 7}));
    arena_fail_after(0);
    arena_destroy(arena);
    assert_string_equal(say_plain(&story, 1), "anywhere");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_in_their_places),
        cmocka_unit_test(numbers_have_their_nouns),
        cmocka_unit_test(words_depend_on_facts),
        cmocka_unit_test(the_first_variant_that_holds_is_said),
        cmocka_unit_test(a_text_is_told_in_an_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
