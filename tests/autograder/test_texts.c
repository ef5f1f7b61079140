/* test_texts.c - what the judge says is made of sentences. */
#include "autograder/texts.h"
#include "warpgrind/tests/sentences.h"

static void every_variant_is_a_sentence(void **state) {
    (void)state;
    assert_sentences(texts_of_autograder, 240);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_is_a_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
