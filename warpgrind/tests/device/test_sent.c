/* test_sent.c - what the device keeps of calls that host threads make at the same time, each with a device of
 * its own: the same for each device, however the calls happened to mix.
 */
#include "client.h"
#include "gpu/gpu.h"

#include "base/minmax.h"
#include "base/sent.h"

enum { THREADS = 2, MOST_RECORDS = 64 };

typedef struct Kept {
    SentRecord head;
    uint64_t numbers[9];
    uint64_t contents[2]; /**< their beginning */
} Kept;

typedef struct Run {
    Client client;
    int sent_file;
    uint64_t addresses[THREADS][2];
    Kept records[MOST_RECORDS];
    unsigned count;
} Run;

static void run_start(Run *run) {
    *run = (Run){.sent_file = memfd_create("sent", 0)};
    start_with(&run->client, (DeviceOptions){.devices = THREADS, .judged = true, .sent = run->sent_file});
    say_hello(&run->client);
}

static uint64_t call_as(Run *run, unsigned thread, WireFunction function, uint64_t a, uint64_t b, uint64_t c,
                        uint64_t d, uint64_t e) {
    WireRequest asked = request(function);
    asked.thread = thread + 1;
    const uint64_t arguments[] = {a, b, c, d, e};
    memcpy(asked.arguments, arguments, sizeof arguments);
    assert_int_equal(call(&run->client, &asked, NULL), CUDA_OK);
    return run->client.reply.results[0];
}

static void read_records(Run *run) {
    static char bytes[1 << 16];
    ssize_t length = pread(run->sent_file, bytes, sizeof bytes, 0);
    assert_true(length > 0);
    for (size_t at = 0; at < (size_t)length;) {
        assert_true(run->count < MOST_RECORDS);
        Kept *kept = &run->records[run->count++];
        memcpy(&kept->head, bytes + at, sizeof kept->head);
        assert_int_equal(kept->head.magic, SENT_MAGIC);
        at += sizeof kept->head + sent_padded(kept->head.kernel_bytes) + sent_padded(kept->head.file_bytes) +
              sent_padded(kept->head.mark_bytes);
        memcpy(kept->numbers, bytes + at, kept->head.numbers * sizeof(uint64_t));
        at += kept->head.numbers * sizeof(uint64_t);
        memcpy(kept->contents, bytes + at, MIN(kept->head.contents, sizeof kept->contents));
        at += sent_padded(kept->head.contents);
    }
}

static void run_end(Run *run) {
    json_object_put(finish(&run->client));
    read_records(run);
    close(run->sent_file);
}

/* What a thread does with its device, in steps. */
enum { STEPS = 5 };
static void step(Run *run, unsigned thread, unsigned number) {
    uint64_t *address = run->addresses[thread];
    switch (number) {
    case 0:
        call_as(run, thread, WIRE_cudaSetDevice, thread, 0, 0, 0, 0);
        return;
    case 1:
        address[0] = call_as(run, thread, WIRE_cudaMalloc, 1, 1000 * (thread + 1), 0, 0, 0);
        return;
    case 2:
        address[1] = call_as(run, thread, WIRE_cudaMalloc, 1, 100, 0, 0, 0);
        return;
    case 3:
        call_as(run, thread, WIRE_cudaMemset, address[1], 0, 100, 0, 0);
        return;
    default:
        call_as(run, thread, WIRE_cudaFree, address[0], 0, 0, 0, 0);
    }
}

/* The next record in a device's lane from `*at` on. */
static const Kept *next_of(const Run *run, unsigned device, unsigned *at) {
    while (*at < run->count && (run->records[*at].head.devices >> device & 1) == 0)
        ++*at;
    return *at < run->count ? &run->records[(*at)++] : NULL;
}

static unsigned same_lanes(const Run *a, const Run *b) {
    unsigned compared = 0;
    for (unsigned device = 0; device < THREADS; device++) {
        unsigned at[2] = {0, 0};
        const Kept *x, *y;
        while ((x = next_of(a, device, &at[0])) != NULL) {
            y = next_of(b, device, &at[1]);
            assert_non_null(y);
            assert_int_equal(x->head.kind, y->head.kind);
            assert_int_equal(x->head.device, y->head.device);
            assert_memory_equal(x->numbers, y->numbers, sizeof x->numbers);
            compared++;
        }
        assert_null(next_of(b, device, &at[1]));
    }
    return compared;
}

/* One thread after the other, and step by step with the other one first: addresses and names are the same. */
static void threads_in_two_orders(void **state) {
    (void)state;
    static Run first, second;
    run_start(&first);
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned number = 0; number < STEPS; number++)
            step(&first, thread, number);
    run_end(&first);
    run_start(&second);
    for (unsigned number = 0; number < STEPS; number++)
        for (unsigned thread = THREADS; thread-- > 0;)
            step(&second, thread, number);
    run_end(&second);
    assert_memory_equal(first.addresses, second.addresses, sizeof first.addresses);
    assert_int_equal(same_lanes(&first, &second), 2 * 4);
}

static uint16_t devices_of_last(const Run *run, SentKind kind) {
    uint16_t devices = 0;
    for (unsigned i = 0; i < run->count; i++)
        if (run->records[i].head.kind == (uint32_t)kind) devices = run->records[i].head.devices;
    return devices;
}

static void a_peer_copy_is_of_both(void **state) {
    (void)state;
    static Run run;
    run_start(&run);
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned number = 0; number < 4; number++)
            step(&run, thread, number);
    call_as(&run, 0, WIRE_cudaMemcpyPeer, run.addresses[0][0], 0, run.addresses[1][1], 1, 100);
    run_end(&run);
    assert_int_equal(devices_of_last(&run, SENT_SET), 1 << 1);
    assert_int_equal(devices_of_last(&run, SENT_MOVE), 1 << 0 | 1 << 1);
}

static void a_memset_of_another_device(void **state) {
    (void)state;
    static Run run;
    run_start(&run);
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned number = 0; number < 3; number++)
            step(&run, thread, number);
    call_as(&run, 0, WIRE_cudaMemset, run.addresses[1][1], 0, 100, 0, 0);
    run_end(&run);
    assert_int_equal(devices_of_last(&run, SENT_SET), 1 << 0 | 1 << 1);
}

/* As many records as there is room for, and one that says that some are missing. */
static void a_list_that_is_full_says_so(void **state) {
    (void)state;
    enum { MOST = 1 << 16, AT_ONCE = 64 };
    static Run run;
    run_start(&run);
    WireRequest limit = request(WIRE_cudaDeviceSetLimit);
    limit.arguments[0] = GPU_LIMIT_HEAP;
    limit.arguments[1] = 1 << 20;
    for (unsigned i = 0; i < MOST + AT_ONCE; i++) {
        put(&run.client, &limit, sizeof limit);
        for (unsigned k = 0; i % AT_ONCE == AT_ONCE - 1 && k < AT_ONCE; k++)
            assert_true(get_reply(&run.client));
    }
    json_object_put(finish(&run.client));
    SentRecord head = {0};
    unsigned count = 0;
    for (off_t at = 0; pread(run.sent_file, &head, sizeof head, at) == sizeof head; count++)
        at += (off_t)(sizeof head + head.numbers * sizeof(uint64_t) + sent_padded(head.contents) +
                      sent_padded(head.kernel_bytes) + sent_padded(head.file_bytes) +
                      sent_padded(head.mark_bytes));
    assert_int_equal(count, MOST + 1);
    assert_int_equal(head.kind, SENT_CUT);
    close(run.sent_file);
}

/* Kernels can notice how much heap there is. */
static void a_limit_is_of_every_device(void **state) {
    (void)state;
    static Run run;
    run_start(&run);
    call_as(&run, 0, WIRE_cudaDeviceSetLimit, GPU_LIMIT_HEAP, 1 << 20, 0, 0, 0);
    run_end(&run);
    assert_int_equal(devices_of_last(&run, SENT_SETTING), SENT_EVERY_DEVICE);
}

/* Addresses may differ from run to run: what is kept is which allocation it is, and where in it. */
static void an_address_is_kept_as_a_place(void **state) {
    (void)state;
    enum { BYTES = 100, OFFSET = 16, WHICH = 5, WHERE = 6 /* of a memset's numbers */ };
    static Run run;
    run_start(&run);
    const uint64_t first = call_as(&run, 0, WIRE_cudaMalloc, 1, BYTES, 0, 0, 0),
                   second = call_as(&run, 0, WIRE_cudaMalloc, 1, BYTES, 0, 0, 0);
    call_as(&run, 0, WIRE_cudaMemset, first + OFFSET, 0, 1, 0, 0);
    call_as(&run, 0, WIRE_cudaMemset, second, 0, 1, 0, 0);
    run_end(&run);
    const Kept *sets[2];
    unsigned count = 0;
    for (unsigned i = 0; i < run.count; i++)
        if (run.records[i].head.kind == SENT_SET && count < 2) sets[count++] = &run.records[i];
    assert_int_equal(count, 2);
    assert_int_equal(sets[0]->numbers[WHERE], OFFSET);
    assert_int_equal(sets[1]->numbers[WHERE], 0);
    assert_int_equal(sets[1]->numbers[WHICH], sets[0]->numbers[WHICH] + 1);
}

/** What a kernel never reads may be what was in memory before: it is neither told nor given. */
static void a_parameter_that_is_not_read_is_not_told(void **state) {
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry second(.param .u64 first, .param .u64 second) {\n"
                               "    .reg .b64 %a, %b;\n"
                               "    ld.param.u64 %a, [second];\n"
                               "    mov.u64 %b, 0;\n"
                               "    ret;\n"
                               "}\n";
    static Run run;
    run_start(&run);
    register_kernel(&run.client, text, "second");
    assert_int_equal(launch(&run.client, CLIENT_KERNEL, (const uint64_t[]){7, 9}, 2), CUDA_OK);
    call_as(&run, 0, WIRE_cudaDeviceSynchronize, 0, 0, 0, 0, 0);
    run_end(&run);
    const Kept *kept = run.records;
    while (kept->head.kind != SENT_LAUNCH)
        assert_ptr_not_equal(++kept, run.records + run.count);
    assert_int_equal(kept->head.contents, 2 * sizeof(uint64_t));
    assert_int_equal(kept->contents[0], 0);
    assert_int_equal(kept->contents[1], 9);
}

/** Of the host's memory that a kernel writes to, whole words are sent back, whichever byte it was. */
static void a_byte_is_sent_back_with_its_word(void **state) {
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry sets(.param .u64 to) {\n"
                               "    .reg .b64 %a;\n"
                               "    ld.param.u64 %a, [to];\n"
                               "    st.global.u8 [%a], 7;\n"
                               "    ret;\n"
                               "}\n";
    enum { BYTES = 64, WORD = 4 };
    for (unsigned byte = WORD; byte < 2 * WORD; byte++) {
        static Run run;
        run_start(&run);
        register_kernel(&run.client, text, "sets");
        const uint64_t host = call_as(&run, 0, WIRE_cudaHostAlloc, 1, BYTES, 0, 0, 0);
        assert_int_equal(launch(&run.client, CLIENT_KERNEL, (const uint64_t[]){host + byte}, 1), CUDA_OK);
        call_as(&run, 0, WIRE_cudaDeviceSynchronize, 0, 0, 0, 0, 0);
        run_end(&run);
        const Kept *kept = run.records;
        while (kept->head.kind != SENT_BACK)
            assert_ptr_not_equal(++kept, run.records + run.count);
        assert_int_equal(kept->head.contents, WORD);
        assert_int_equal(kept->contents[0] >> 8 * (byte - WORD) & 0xff, 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_in_two_orders),
        cmocka_unit_test(a_peer_copy_is_of_both),
        cmocka_unit_test(a_memset_of_another_device),
        cmocka_unit_test(a_list_that_is_full_says_so),
        cmocka_unit_test(a_limit_is_of_every_device),
        cmocka_unit_test(an_address_is_kept_as_a_place),
        cmocka_unit_test(a_parameter_that_is_not_read_is_not_told),
        cmocka_unit_test(a_byte_is_sent_back_with_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
