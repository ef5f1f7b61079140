/* test_growable.c - arrays that grow: what is in them stays, what is new is zero, and too much is refused. */
#include "base/growable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_typed_arrays_keep_what_they_have(void **state) {
    (void)state;
    size_t capacity = 0;
    int *items = NULL;
    for (int i = 0; i < 1000; i++) {
        int *larger = growable_grow(items, &capacity, (size_t)i + 1, sizeof *items);
        assert_non_null(larger);
        items = larger;
        assert_int_equal(items[i], 0);
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    assert_true(capacity >= 1000 && capacity < 2000);
    free(items);
}

static void test_an_index_far_away_gets_room(void **state) {
    (void)state;
    size_t capacity = 0;
    char *items = growable_grow(NULL, &capacity, 5001, 1);
    assert_non_null(items);
    assert_int_equal(items[5000], 0);
    assert_ptr_equal(growable_grow(items, &capacity, 10, 1), items);
    free(items);
}

static void test_too_much_leaves_all_as_it_is(void **state) {
    (void)state;
    size_t capacity = 0;
    long *items = growable_grow(NULL, &capacity, 1, sizeof *items);
    size_t before = capacity;
    assert_non_null(items);
    assert_null(growable_grow(items, &capacity, SIZE_MAX, 1));
    assert_null(growable_grow(items, &capacity, SIZE_MAX / 4, sizeof *items));
    assert_true(capacity == before);
    free(items);
}

static void test_items_are_new_when_the_count_was_lowered(void **state) {
    (void)state;
    Growable list = GROWABLE(int);
    for (int i = 1; i <= 40; i++)
        *(int *)growable_add(&list) = i;
    assert_int_equal(*GROWABLE_AT(&list, int, 39), 40);
    list.count = 0;
    assert_int_equal(*(int *)growable_add(&list), 0);
    growable_free(&list);
    assert_int_equal(list.count, 0);
}

static void test_a_copy_outlives_the_list(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Growable list = GROWABLE(int);
    assert_null(growable_copy(&list, arena));
    *(int *)growable_add(&list) = 7;
    int *copy = growable_copy(&list, arena);
    growable_free(&list);
    assert_non_null(copy);
    assert_int_equal(*copy, 7);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_arrays_keep_what_they_have),
        cmocka_unit_test(test_an_index_far_away_gets_room),
        cmocka_unit_test(test_too_much_leaves_all_as_it_is),
        cmocka_unit_test(test_items_are_new_when_the_count_was_lowered),
        cmocka_unit_test(test_a_copy_outlives_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
