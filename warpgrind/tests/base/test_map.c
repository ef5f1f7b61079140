/* test_map.c - the map from keys to numbers: what was put in is found, also after it has grown and been
 * cleared. */
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 5000 };

/* Like addresses: 256 bytes apart, the highest bit set in every third. */
static uint64_t key_of(uint32_t i) {
    return (uint64_t)i * 256 + (i % 3 == 0 ? UINT64_C(1) << 63 : 0);
}

static void test_an_empty_map_has_nothing(void **state) {
    (void)state;
    Map map = {.slots = NULL};
    assert_int_equal(map_find(&map, 0), MAP_NONE);
    map_clear(&map);
    map_free(&map);
}

static void test_what_was_put_in_is_found(void **state) {
    (void)state;
    Map map = {.slots = NULL};
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(map_find(&map, key_of(i)), MAP_NONE);
        assert_true(map_put(&map, key_of(i), i));
    }
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(map_find(&map, key_of(i)), i);
    assert_int_equal(map_find(&map, key_of(MANY)), MAP_NONE);
    assert_int_equal(map.count, MANY);
    assert_true(2 * map.count <= map.slot_count);
    map_free(&map);
}

static void test_a_key_takes_another_number(void **state) {
    (void)state;
    Map map = {.slots = NULL};
    assert_true(map_put(&map, 0, 7) && map_put(&map, 0, 8));
    assert_int_equal(map_find(&map, 0), 8);
    assert_int_equal(map.count, 1);
    map_free(&map);
}

static void test_a_cleared_map_is_empty(void **state) {
    (void)state;
    Map map = {.slots = NULL};
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(map_put(&map, key_of(i), i));
    map_clear(&map);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(map_find(&map, key_of(i)), MAP_NONE);
    assert_true(map_put(&map, key_of(1), 3));
    assert_int_equal(map_find(&map, key_of(1)), 3);
    map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_map_has_nothing),
        cmocka_unit_test(test_what_was_put_in_is_found),
        cmocka_unit_test(test_a_key_takes_another_number),
        cmocka_unit_test(test_a_cleared_map_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
