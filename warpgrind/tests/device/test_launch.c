/* test_launch.c - launches of a client that speaks the protocol by hand: what the device says of the kernel's
 * address and of the arguments.
 */
#include "client.h"

static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry reads(.param .u64 pointer) {\n"
                           "    .reg .b64 %a;\n"
                           "    ld.param.u64 %a, [pointer];\n"
                           "    ret;\n"
                           "}\n";

/** A program whose image ends there. */
static void begin(Client *client, uint64_t image_end) {
    start(client);
    WireRequest hello = request(WIRE_HELLO);
    hello.HELLO.version = WIRE_VERSION;
    hello.HELLO.image_begin = image_end;
    hello.HELLO.image_end = image_end;
    put(client, &hello, sizeof hello);
    assert_true(passing_receive(client->socket, &client->reply, sizeof client->reply, &client->window));
    register_kernel(client, text, "reads");
}

static unsigned told(Client *client, const char *kind) {
    struct json_object *report = finish(client);
    unsigned count = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strcmp(json_text(finding, "kind", ""), kind) == 0) count++;
    json_object_put(report);
    return count;
}

static void a_kernel_that_was_never_registered(void **state) {
    (void)state;
    Client client;
    begin(&client, 0);
    assert_int_equal(launch(&client, CLIENT_KERNEL + 1, (const uint64_t[]){0}, 1), CUDA_INVALID_HANDLE);
    assert_int_equal(launch(&client, CLIENT_KERNEL, (const uint64_t[]){0}, 1), CUDA_OK);
    assert_int_equal(told(&client, "api-misuse"), 1);
}

/** The heap begins above the image, wherever that is. Small numbers and those far away may be anything. */
static void an_argument_that_lies_in_the_heap(void **state) {
    (void)state;
    const uint64_t image_end = UINT64_C(0x555555560000), reach = UINT64_C(1) << 36, low = UINT64_C(1) << 40;
    const struct {
        uint64_t image_end, value;
        unsigned told;
    } cases[] = {
        {image_end, image_end, 1},
        {image_end, image_end + reach - 1, 1},
        {image_end, image_end + reach, 0},
        {image_end, image_end - 1, 0},
        {low, low, 0}, /* where a program that lies at a fixed address ends */
        {low + 1, low + 1, 1},
        {0, 0x10000, 0},
        {0, UINT64_C(0x7f0000000000), 1}, /* where libraries are */
        {0, UINT64_C(0x7effffffffff), 0},
        {0, UINT64_C(0x7f0000000002), 0},
        {0, UINT64_C(0x7ffffffffffc), 1},
        {0, UINT64_C(0x800000000000), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Client client;
        begin(&client, cases[i].image_end);
        assert_int_equal(launch(&client, CLIENT_KERNEL, &cases[i].value, 1), CUDA_OK);
        assert_int_equal(told(&client, "host-device-pointer"), cases[i].told);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_was_never_registered),
        cmocka_unit_test(an_argument_that_lies_in_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
