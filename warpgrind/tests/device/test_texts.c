/* test_texts.c - what the device says is made of sentences. */
#include "device/texts.h"
#include "tests/sentences.h"

static void every_variant_is_a_sentence(void **state) {
    (void)state;
    assert_sentences(texts_of_device, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_is_a_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
