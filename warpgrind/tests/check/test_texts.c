/* test_texts.c - what the checks say is made of sentences, and how they name lines. */
#include "check/findings/words.h"
#include "check/texts.h"
#include "tests/sentences.h"

static void every_variant_is_a_sentence(void **state) {
    (void)state;
    assert_sentences(texts_of_check, 150);
}

static void assert_line(CheckPlace place, const CheckPlace *here, const char *wanted) {
    const SayLine line = {place, here};
    Text text;
    text_init(&text);
    say_line.add(&text, &line);
    assert_string_equal(text.bytes, wanted);
    text_free(&text);
}

/* Who knows where they are learns of another file. */
static void lines_name_another_file(void **state) {
    (void)state;
    const CheckPlace here = {.file = "x.cu", .line = 5}, unknown = {.file = ""}, nowhere = {0};
    const CheckPlace same = {.file = "x.cu", .line = 12}, other = {.file = "y.cu", .line = 12};
    assert_line(same, &here, "line 12");
    assert_line(other, &here, "line 12 of y.cu");
    assert_line(other, NULL, "line 12");
    assert_line(other, &unknown, "line 12");
    assert_line(other, &nowhere, "line 12");
    assert_line(nowhere, &here, "an unknown line");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_is_a_sentence),
                                       cmocka_unit_test(lines_name_another_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
