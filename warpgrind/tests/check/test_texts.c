/* test_texts.c - what the checks say is made of sentences. */
#include "check/texts.h"
#include "tests/sentences.h"

static void every_variant_is_a_sentence(void **state) {
    (void)state;
    assert_sentences(texts_of_check, 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_is_a_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
