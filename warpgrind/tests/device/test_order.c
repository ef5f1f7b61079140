/* test_order.c - which operations of two streams do not wait for each other: neither is among what the other
 * has waited for.
 */
#include "device/watch/order.h"
#include "device/state/objects.h"
#include "device/state/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FIRST = 5, SECOND = 8 };

/** Of the operation 5 of one stream and 8 of another: each has waited for the other's stream up to a number.
 */
static bool are_free(uint64_t first_waited, uint64_t second_waited) {
    DeviceStream one = {.slot = 1}, other = {.slot = 2};
    DeviceOperation first = {.stream = &one, .sequence = FIRST},
                    second = {.stream = &other, .sequence = SECOND};
    first.clock.seen[other.slot] = first_waited;
    second.clock.seen[one.slot] = second_waited;
    const bool free = order_free_of_each_other(&first, &second);
    assert_int_equal(order_free_of_each_other(&second, &first), free);
    return free;
}

static void who_waits_is_not_free(void **state) {
    (void)state;
    assert_true(are_free(0, 0));
    assert_true(are_free(SECOND - 1, FIRST - 1));
    assert_false(are_free(0, FIRST));
    assert_false(are_free(0, FIRST + 1));
    assert_false(are_free(SECOND, 0));
}

static void a_stream_has_an_order(void **state) {
    (void)state;
    DeviceStream stream = {.slot = 1};
    DeviceOperation first = {.stream = &stream, .sequence = FIRST},
                    second = {.stream = &stream, .sequence = SECOND};
    assert_false(order_free_of_each_other(&first, &second));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_waits_is_not_free),
                                       cmocka_unit_test(a_stream_has_an_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
