/* test_serve.c - the device against a client that does not keep to the rules, and the bounds it keeps.
 *
 * The device serves in a child process, as it does for a judge; the test is the client and speaks the
 * protocol by hand.
 */
#include "client.h"

static void expect_hang_up(Client *client) {
    assert_false(get_reply(client));
    json_object_put(finish(client));
}

/* ---- what ends the connection, and only that ---- */

static void silence_is_fine(void **state) {
    (void)state;
    Client client;
    start(&client);
    json_object_put(finish(&client));
}

static void half_a_request(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_cudaMalloc);
    put(&client, &asked, sizeof asked / 2);
    json_object_put(finish(&client));
}

static void half_a_payload(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_REGISTER_MODULE);
    asked.payload_bytes = 1000;
    put(&client, &asked, sizeof asked);
    put(&client, "abc", 3);
    json_object_put(finish(&client));
}

static void wrong_magic(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_cudaMalloc);
    asked.magic ^= 1;
    put(&client, &asked, sizeof asked);
    expect_hang_up(&client);
}

static void function_that_does_not_exist(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_FUNCTION_COUNT);
    put(&client, &asked, sizeof asked);
    expect_hang_up(&client);
}

static void payload_past_the_limit(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_REGISTER_MODULE);
    asked.payload_bytes = UINT64_MAX;
    put(&client, &asked, sizeof asked);
    expect_hang_up(&client);
}

static void call_before_hello(void **state) {
    (void)state;
    Client client;
    start(&client);
    WireRequest asked = request(WIRE_cudaMalloc);
    put(&client, &asked, sizeof asked);
    expect_hang_up(&client);
}

static void second_hello(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_HELLO);
    put(&client, &asked, sizeof asked);
    expect_hang_up(&client);
}

/* ---- what the client cannot do ---- */

static void the_window_cannot_be_cut(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    assert_int_equal(ftruncate(client.window, 0), -1);
    assert_int_equal(errno, EPERM);
    json_object_put(finish(&client));
}

static void a_copy_stays_in_its_allocation(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    uint64_t address = allocate(&client, 100);
    static const struct {
        uint64_t offset, bytes;
        int error;
    } cases[] = {
        {0, 101, CUDA_INVALID_VALUE},        {1, 100, CUDA_INVALID_VALUE},
        {99, 2, CUDA_INVALID_VALUE},         {0, UINT64_MAX, CUDA_INVALID_VALUE},
        {UINT64_MAX, 1, CUDA_INVALID_VALUE}, {100, 1, CUDA_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WireRequest asked = request(WIRE_cudaMemcpy);
        asked.arguments[0] = address + cases[i].offset;
        asked.arguments[1] = 0x500000;
        asked.arguments[2] = cases[i].bytes;
        asked.arguments[3] = COPY_HOST_TO_DEVICE;
        assert_int_equal(call(&client, &asked, NULL), cases[i].error);
    }
    struct json_object *report = finish(&client);
    assert_true(json_object_array_length(json_array(report, "findings")) > 0);
    json_object_put(report);
}

static void expect_exchange(Client *client, uint32_t kind, uint64_t host, uint64_t bytes) {
    assert_true(get_reply(client));
    assert_int_equal(client->reply.kind, kind);
    assert_int_equal(client->reply.results[0], host);
    assert_int_equal(client->reply.results[2], bytes);
    WireRequest carry_on = request(WIRE_CONTINUE);
    put(client, &carry_on, sizeof carry_on);
}

static void a_copy_asks_for_host_bytes(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    const uint64_t device = allocate(&client, 64), from = 0x500000, to = 0x600000;
    const struct {
        uint64_t to, from, kind;
        bool pulls, pushes;
    } copies[] = {{device, from, COPY_HOST_TO_DEVICE, true, false},
                  {to, device, COPY_DEVICE_TO_HOST, false, true},
                  {to, from, COPY_HOST_TO_HOST, true, true}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        WireRequest asked = request(WIRE_cudaMemcpy);
        const uint64_t arguments[] = {copies[i].to, copies[i].from, 64, copies[i].kind};
        memcpy(asked.arguments, arguments, sizeof arguments);
        put(&client, &asked, sizeof asked);
        if (copies[i].pulls) expect_exchange(&client, WIRE_PULL, from, 64);
        if (copies[i].pushes) expect_exchange(&client, WIRE_PUSH, to, 64);
        assert_true(get_reply(&client));
        assert_int_equal(client.reply.kind, WIRE_DONE);
    }
    json_object_put(finish(&client));
}

/** Whoever copies from the stack is asked for three words first, which may be a std::vector: but not beyond
 * the end of the stack, where the program would fault. */
static void no_vector_is_looked_for_past_the_stack(void **state) {
    (void)state;
    enum { WORD = 8, WORDS = 24 };
    const uint64_t top = 0x7ffff000;
    Client client;
    start(&client);
    WireRequest hello = request(WIRE_HELLO);
    hello.HELLO.version = WIRE_VERSION;
    hello.HELLO.stack_top = top;
    put(&client, &hello, sizeof hello);
    assert_true(passing_receive(client.socket, &client.reply, sizeof client.reply, &client.window));
    const uint64_t device = allocate(&client, WORD);
    for (unsigned below = WORD; below <= 2 * WORDS; below += WORD) {
        WireRequest asked = request(WIRE_cudaMemcpy);
        const uint64_t arguments[] = {device, top - below, WORD, COPY_HOST_TO_DEVICE};
        memcpy(asked.arguments, arguments, sizeof arguments);
        put(&client, &asked, sizeof asked);
        if (below >= WORDS) expect_exchange(&client, WIRE_PULL, top - below, WORDS);
        expect_exchange(&client, WIRE_PULL, top - below, WORD);
        assert_true(get_reply(&client));
        assert_int_equal(client.reply.kind, WIRE_DONE);
    }
    json_object_put(finish(&client));
}

/** The bytes are taken with the call, and looked at once more when the copy runs: where the program has given
 * the memory up by then none come, and that counts as a change, of a single byte too. */
static void a_source_that_is_gone_has_changed(void **state) {
    (void)state;
    const uint64_t from = 0x500000;
    for (uint64_t bytes = 1; bytes <= 3; bytes++) {
        Client client;
        start(&client);
        say_hello(&client);
        WireRequest asked = request(WIRE_cudaMemcpyAsync);
        const uint64_t arguments[] = {allocate(&client, bytes), from, bytes, COPY_HOST_TO_DEVICE};
        memcpy(asked.arguments, arguments, sizeof arguments);
        put(&client, &asked, sizeof asked);
        expect_exchange(&client, WIRE_PULL, from, bytes);
        assert_true(get_reply(&client));
        assert_int_equal(client.reply.kind, WIRE_DONE);
        WireRequest wait = request(WIRE_cudaDeviceSynchronize);
        put(&client, &wait, sizeof wait);
        expect_exchange(&client, WIRE_PEEK, from, bytes);
        assert_true(get_reply(&client));
        assert_int_equal(client.reply.kind, WIRE_DONE);
        struct json_object *report = finish(&client);
        unsigned changed = 0;
        JSON_EACH(finding, json_array(report, "findings"))
            if (strcmp(json_text(finding, "kind", ""), "missing-sync") == 0) changed++;
        assert_int_equal(changed, 1);
        json_object_put(report);
    }
}

/** Past the end of host memory that the device knows, which is called by its kind. */
static void a_copy_past_known_host_memory(void **state) {
    (void)state;
    enum { BYTES = 64, BEHIND = 32 };
    static const struct {
        WireFunction function;
        const char *kind;
    } rows[] = {{WIRE_cudaHostAlloc, "pinned memory of 64 bytes"},
                {WIRE_cudaMallocManaged, "managed memory of 64 bytes"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Client client;
        start(&client);
        say_hello(&client);
        const uint64_t device = allocate(&client, BYTES);
        WireRequest host = request(rows[i].function), copy = request(WIRE_cudaMemcpy);
        host.arguments[0] = 1;
        host.arguments[1] = BYTES;
        host.arguments[2] = 1; /* portable, or attached to all */
        assert_int_equal(call(&client, &host, NULL), CUDA_OK);
        const uint64_t arguments[] = {client.reply.results[0] + BEHIND, device, BYTES, COPY_DEVICE_TO_HOST};
        memcpy(copy.arguments, arguments, sizeof arguments);
        assert_int_equal(call(&client, &copy, NULL), CUDA_INVALID_VALUE);
        struct json_object *report = finish(&client);
        struct json_object *finding = json_object_array_get_idx(json_array(report, "findings"), 0);
        assert_string_equal(json_text(finding, "kind", ""), "out-of-bounds");
        assert_non_null(strstr(json_text(finding, "message", ""), rows[i].kind));
        json_object_put(report);
    }
}

/** What ranks do apart is the message, and what follows from it the explanation, of each fault that there is.
 */
static void ranks_apart_are_told(void **state) {
    (void)state;
    static const char what[] = "nine words";
    static const struct {
        const char *message, *why;
    } rows[] = {{"nine words", "A collective call ends when"},
                {"nine words", "All ranks of a communicator make"},
                {"nine words is called with MPI_COMM_WORLD", "MPI_COMM_WORLD is all processes"},
                {"ranks and sizes come from MPI_COMM_WORLD", "A process has a rank in each"}};
    enum { FAULTS = sizeof rows / sizeof *rows };
    for (unsigned fault = 0; fault <= FAULTS; fault++) {
        Client client;
        start(&client);
        say_hello(&client);
        WireRequest apart = request(WIRE_RANKS_APART);
        apart.RANKS_APART.fault = fault;
        apart.payload_bytes = strlen(what);
        put(&client, &apart, sizeof apart);
        put(&client, what, strlen(what));
        struct json_object *report = finish(&client), *findings = json_array(report, "findings");
        assert_int_equal(json_object_array_length(findings), fault < FAULTS);
        if (fault < FAULTS) {
            struct json_object *finding = json_object_array_get_idx(findings, 0);
            const char *message = json_text(finding, "message", ""),
                       *why = json_text(finding, "explanation", "");
            assert_ptr_equal(strstr(message, rows[fault].message), message);
            assert_ptr_equal(strstr(why, rows[fault].why), why);
        }
        json_object_put(report);
    }
}

static void memory_is_bounded(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    allocate(&client, 15 << 20);
    WireRequest asked = request(WIRE_cudaMalloc);
    asked.arguments[0] = 1;
    asked.arguments[1] = 2 << 20; /* the quota is 16 MiB */
    assert_int_equal(call(&client, &asked, NULL), CUDA_OUT_OF_MEMORY);
    asked.arguments[1] = UINT64_C(1) << 60;
    assert_int_equal(call(&client, &asked, NULL), CUDA_OUT_OF_MEMORY);
    json_object_put(finish(&client));
}

static void streams_are_bounded(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_cudaStreamCreate);
    asked.arguments[0] = 1;
    int error = CUDA_OK;
    for (int i = 0; i <= DEVICE_MAX_OBJECTS && error == CUDA_OK; i++)
        error = call(&client, &asked, NULL);
    assert_int_equal(error, CUDA_OUT_OF_MEMORY);
    json_object_put(finish(&client));
}

/* Asked before the handler is, by the kinds of the row's fields: even where all else is wrong, too. */
static void a_result_needs_a_place(void **state) {
    (void)state;
    static const struct {
        WireFunction function;
        uint64_t first;
        const char *said; /* NULL: a program may leave that result out */
    } cases[] = {
        {WIRE_cudaMalloc, 0, "cudaMalloc: the pointer that a result goes to is null (address)"},
        {WIRE_cudaMemGetInfo, 1, "cudaMemGetInfo: the pointer that a result goes to is null (total)"},
        {WIRE_cudaStreamCreate, 0, "(stream)"},
        {WIRE_cudaStreamGetFlags, 0xdeadbeef, "(flags)"},
        {WIRE_cudaGraphClone, 0, "(clone)"},
        {WIRE_cudaGraphMemFreeNodeGetParams, 0xdeadbeef, "(parameters)"},
        {WIRE_cudaDeviceGetStreamPriorityRange, 0, NULL}};
    Client client;
    start(&client);
    say_hello(&client);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WireRequest asked = request(cases[i].function);
        asked.arguments[0] = cases[i].first;
        assert_int_equal(call(&client, &asked, NULL), cases[i].said != NULL ? CUDA_INVALID_VALUE : CUDA_OK);
    }
    struct json_object *report = finish(&client);
    size_t told = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strstr(json_text(finding, "message", ""), "result goes to") != NULL)
            assert_non_null(strstr(json_text(finding, "message", ""), cases[told++].said));
    assert_int_equal(told, sizeof cases / sizeof *cases - 1);
    json_object_put(report);
}

static void handles_are_checked(void **state) {
    (void)state;
    static const WireFunction functions[] = {WIRE_cudaStreamSynchronize, WIRE_cudaStreamDestroy,
                                             WIRE_cudaEventRecord,       WIRE_cudaEventSynchronize,
                                             WIRE_cudaEventDestroy,      WIRE_cudaStreamQuery};
    Client client;
    start(&client);
    say_hello(&client);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        WireRequest asked = request(functions[i]);
        asked.arguments[0] = 0xdeadbeef;
        assert_int_equal(call(&client, &asked, NULL), CUDA_INVALID_HANDLE);
    }
    json_object_put(finish(&client));
}

static void a_program_that_dies_during_a_copy(void **state) {
    (void)state;
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest asked = request(WIRE_cudaMemcpy);
    asked.arguments[0] = allocate(&client, 64);
    asked.arguments[1] = 0x500000;
    asked.arguments[2] = 64;
    asked.arguments[3] = COPY_HOST_TO_DEVICE;
    put(&client, &asked, sizeof asked);
    assert_true(get_reply(&client));
    assert_int_equal(client.reply.kind, WIRE_PULL);
    WireRequest crash = request(WIRE_CRASH); /* reading 0x500000 killed it */
    crash.arguments[0] = SIGSEGV;
    crash.arguments[1] = 0x500000;
    put(&client, &crash, sizeof crash);
    struct json_object *report = finish(&client);
    struct json_object *finding = json_object_array_get_idx(json_array(report, "findings"), 0);
    assert_string_equal(json_text(finding, "kind", ""), "crash");
    json_object_put(report);
}

/* ---- sizes ---- */

/** A payload has the size that the table gives, or the handler never sees it. */
static void a_payload_has_its_size(void **state) {
    (void)state;
    static const struct {
        WireFunction function;
        size_t bytes;
        int error;
    } cases[] = {
        {WIRE_cudaDeviceSynchronize, 0, CUDA_OK},
        {WIRE_cudaDeviceSynchronize, 8, CUDA_INVALID_VALUE},
        {WIRE_cudaMemcpy3D, sizeof(WireCopy3D), CUDA_OK},
        {WIRE_cudaMemcpy3D, sizeof(WireCopy3D) - 1, CUDA_INVALID_VALUE},
        {WIRE_cudaMemcpy3D, sizeof(WireCopy3D) + 1, CUDA_INVALID_VALUE},
        {WIRE_cudaMemcpy3D, 0, CUDA_INVALID_VALUE},
        {WIRE_cudaStreamSetAttribute, sizeof(WireStreamAttribute), CUDA_OK},
        {WIRE_cudaStreamSetAttribute, sizeof(WireStreamAttribute) + 8, CUDA_INVALID_VALUE},
        {WIRE_cudaCreateTextureObject, sizeof(WireTexture) + 1, CUDA_INVALID_VALUE},
        {WIRE_cudaCreateTextureObject, sizeof(WireViewedTexture) + 1, CUDA_INVALID_VALUE},
    };
    static const uint8_t zeros[sizeof(WireViewedTexture) + 8];
    enum { ACCESS_POLICY = 1 };
    Client client;
    start(&client);
    say_hello(&client);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WireRequest asked = request(cases[i].function);
        if (cases[i].function == WIRE_cudaStreamSetAttribute)
            asked.cudaStreamSetAttribute.attribute = ACCESS_POLICY;
        if (cases[i].function == WIRE_cudaCreateTextureObject) asked.cudaCreateTextureObject.object = 1;
        asked.payload_bytes = cases[i].bytes;
        assert_int_equal(call(&client, &asked, zeros), cases[i].error);
    }
    json_object_put(finish(&client));
}

/* ---- formats, usual streams, marks ---- */

/** Components are alike; there are one, two or four of them, and no floating point of 8 bits. */
static void an_array_has_a_format(void **state) {
    (void)state;
    enum { SIGNED, UNSIGNED, FLOAT, NONE };
    static const struct {
        int32_t x, y, z, w, kind;
        int error;
    } cases[] = {
        {8, 0, 0, 0, SIGNED, CUDA_OK},
        {8, 8, 8, 8, UNSIGNED, CUDA_OK},
        {16, 16, 0, 0, FLOAT, CUDA_OK},
        {32, 0, 0, 0, FLOAT, CUDA_OK},
        {16, 0, 0, 0, UNSIGNED, CUDA_OK},
        {8, 0, 0, 0, FLOAT, CUDA_INVALID_CHANNELS},
        {8, 0, 0, 0, NONE, CUDA_INVALID_CHANNELS},
        {8, 0, 0, 0, -1, CUDA_INVALID_CHANNELS},
        {8, 8, 8, 0, UNSIGNED, CUDA_INVALID_CHANNELS},
        {8, 16, 0, 0, UNSIGNED, CUDA_INVALID_CHANNELS},
        {8, 0, 0, 8, UNSIGNED, CUDA_INVALID_CHANNELS},
        {64, 0, 0, 0, SIGNED, CUDA_INVALID_CHANNELS},
        {0, 0, 0, 0, SIGNED, CUDA_INVALID_CHANNELS},
    };
    Client client;
    start(&client);
    say_hello(&client);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WireRequest asked = request(WIRE_cudaMallocArray);
        asked.cudaMallocArray.array = asked.cudaMallocArray.width = 1;
        asked.cudaMallocArray.x = (uint64_t)cases[i].x;
        asked.cudaMallocArray.y = (uint64_t)cases[i].y;
        asked.cudaMallocArray.z = (uint64_t)cases[i].z;
        asked.cudaMallocArray.w = (uint64_t)cases[i].w;
        asked.cudaMallocArray.kind = (uint64_t)(int64_t)cases[i].kind;
        assert_int_equal(call(&client, &asked, NULL), cases[i].error);
    }
    json_object_put(finish(&client));
}

/** Handles of nothing, and an array that is given back a second time. */
static void arrays_and_libraries_are_checked(void **state) {
    (void)state;
    enum { NOTHING = 0x70 };
    Client client;
    start(&client);
    say_hello(&client);
    WireRequest kernel = request(WIRE_cudaLibraryGetKernel), made = request(WIRE_cudaMallocArray),
                back = request(WIRE_cudaFreeArray);
    kernel.cudaLibraryGetKernel.kernel = 1;
    kernel.cudaLibraryGetKernel.library = NOTHING;
    kernel.payload_bytes = sizeof "name";
    assert_int_equal(call(&client, &kernel, "name"), CUDA_INVALID_HANDLE);
    made.cudaMallocArray.array = made.cudaMallocArray.width = 1;
    made.cudaMallocArray.x = 8;
    assert_int_equal(call(&client, &back, NULL), CUDA_OK); /* of no array */
    assert_int_equal(call(&client, &made, NULL), CUDA_OK);
    back.cudaFreeArray.array = client.reply.results[0];
    assert_int_equal(call(&client, &back, NULL), CUDA_OK);
    assert_int_equal(call(&client, &back, NULL), CUDA_INVALID_HANDLE);
    json_object_put(finish(&client));
}

static void set(Client *client, uint64_t address, uint64_t bytes) {
    WireRequest asked = request(WIRE_cudaMemset);
    asked.cudaMemset.address = address;
    asked.cudaMemset.bytes = bytes;
    assert_int_equal(call(client, &asked, NULL), CUDA_OK);
}

/** A quarter looks like elements taken for bytes, unless all is set later; each array is looked at by itself.
 */
static void arrays_that_are_set_in_part(void **state) {
    (void)state;
    Client client;
    start_with(&client, (DeviceOptions){.judged = true});
    say_hello(&client);
    const uint64_t first = allocate(&client, 400), second = allocate(&client, 400);
    set(&client, first, 100);
    set(&client, second, 100);
    set(&client, second, 400);
    WireRequest goodbye = request(WIRE_GOODBYE);
    put(&client, &goodbye, sizeof goodbye);
    struct json_object *report = finish(&client);
    unsigned told = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strstr(json_text(finding, "message", ""), "100") != NULL &&
            strstr(json_text(finding, "message", ""), "400") != NULL)
            told++;
    assert_int_equal(told, 1);
    json_object_put(report);
}

/* ---- views ---- */

enum { KINDS = 8, EVERY_BYTE = 0x81 };

/** What a component is of which all bytes are that, as cudaResourceViewFormat has them. */
static uint32_t component_of(unsigned kind) {
    const float half = -385.0F / 16777216;
    uint32_t bits;
    memcpy(&bits, &half, sizeof bits);
    const uint32_t components[KINDS] = {0x81,       0xffffff81, 0x8181, 0xffff8181,
                                        0x81818181, 0x81818181, bits,   0x81818181};
    return components[kind];
}

/** An array of one texel, of unsigned numbers. */
static uint64_t texel(Client *client, unsigned bits, unsigned count) {
    WireRequest asked = request(WIRE_cudaMallocArray), set = request(WIRE_cudaMemset),
                copy = request(WIRE_cudaMemcpy2DToArray);
    asked.cudaMallocArray.array = asked.cudaMallocArray.width = asked.cudaMallocArray.height = 1;
    asked.cudaMallocArray.x = bits;
    if (count > 1) asked.cudaMallocArray.y = bits;
    if (count > 2) asked.cudaMallocArray.z = asked.cudaMallocArray.w = bits;
    asked.cudaMallocArray.kind = 1;
    assert_int_equal(call(client, &asked, NULL), CUDA_OK);
    const uint64_t array = client->reply.results[0], from = allocate(client, 16);
    set.cudaMemset.address = from;
    set.cudaMemset.value = EVERY_BYTE;
    set.cudaMemset.bytes = 16;
    assert_int_equal(call(client, &set, NULL), CUDA_OK);
    copy.cudaMemcpy2DToArray.array = array;
    copy.cudaMemcpy2DToArray.from = from;
    copy.cudaMemcpy2DToArray.pitch = 16;
    copy.cudaMemcpy2DToArray.width = bits / 8 * count;
    copy.cudaMemcpy2DToArray.height = 1;
    copy.cudaMemcpy2DToArray.kind = COPY_DEVICE_TO_DEVICE;
    assert_int_equal(call(client, &copy, NULL), CUDA_OK);
    return array;
}

static uint64_t viewed(Client *client, uint64_t array, unsigned format) {
    const WireViewedTexture texture = {.texture.resource.array = array,
                                       .view = {.format = format, .width = 1, .height = 1}};
    WireRequest asked = request(WIRE_cudaCreateTextureObject);
    asked.cudaCreateTextureObject.object = 1;
    asked.payload_bytes = sizeof texture;
    assert_int_equal(call(client, &asked, &texture), CUDA_OK);
    return client->reply.results[0];
}

/** The kernel ends badly when the first two components are not what they should be. */
static void a_view_has_its_format(void **state) {
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry look(.param .u64 object, .param .u64 x, .param .u64 y) {\n"
                               "    .reg .b64 %t;\n    .reg .b32 %v<4>, %x, %y;\n    .reg .pred %p, %q;\n"
                               "    ld.param.u64 %t, [object];\n    ld.param.u32 %x, [x];\n"
                               "    ld.param.u32 %y, [y];\n"
                               "    tex.2d.v4.u32.f32 {%v0, %v1, %v2, %v3}, [%t, {0f3f000000, 0f3f000000}];\n"
                               "    setp.ne.u32 %p, %v0, %x;\n    setp.ne.or.u32 %q, %v1, %y, %p;\n"
                               "    @%q trap;\n    ret;\n}\n";
    static const unsigned bits[KINDS] = {8, 8, 16, 16, 32, 32, 16, 32};
    for (unsigned format = 1; format <= 3 * KINDS; format++) {
        const unsigned kind = (format - 1) / 3, count = 1U << (format - 1) % 3;
        Client client;
        start(&client);
        say_hello(&client);
        register_kernel(&client, text, "look");
        const uint64_t x = component_of(kind), y = count > 1 ? x : 0;
        const uint64_t texture = viewed(&client, texel(&client, bits[kind], count), format);
        assert_int_equal(launch(&client, CLIENT_KERNEL, (const uint64_t[]){texture, x, y}, 3), CUDA_OK);
        WireRequest wait = request(WIRE_cudaDeviceSynchronize);
        if (call(&client, &wait, NULL) != CUDA_OK) fail_msg("format %u", format);
        json_object_put(finish(&client));
    }
}

/** The streams that nobody makes are those of the device that is in use. */
static void usual_streams_are_each_devices_own(void **state) {
    (void)state;
    Client client;
    start_with(&client, (DeviceOptions){.devices = 2});
    say_hello(&client);
    for (uint64_t device = 0; device < 2; device++) {
        WireRequest use = request(WIRE_cudaSetDevice);
        use.arguments[0] = device;
        assert_int_equal(call(&client, &use, NULL), CUDA_OK);
        for (uint64_t stream = 0; stream <= STREAM_PER_THREAD; stream++) {
            WireRequest asked = request(WIRE_cudaStreamGetDevice);
            asked.cudaStreamGetDevice.stream = stream;
            asked.cudaStreamGetDevice.device = 1;
            assert_int_equal(call(&client, &asked, NULL), CUDA_OK);
            assert_int_equal(client.reply.results[0], device);
        }
    }
    json_object_put(finish(&client));
}

/** In the picture's record a wait names the event's work; nothing else waits for anything by name. */
static void who_waits_for_what(void **state) {
    (void)state;
    enum { KIND = 0, SEQUENCE = 7, BYTES = 9, AWAITED = 10 };
    Client client;
    start_with(&client, (DeviceOptions){.picture = true});
    say_hello(&client);
    WireRequest set = request(WIRE_cudaMemset), event = request(WIRE_cudaEventCreate),
                record = request(WIRE_cudaEventRecord), stream = request(WIRE_cudaStreamCreate),
                wait = request(WIRE_cudaStreamWaitEvent), all = request(WIRE_cudaDeviceSynchronize);
    set.cudaMemset.address = allocate(&client, 64);
    set.cudaMemset.bytes = 64;
    event.arguments[0] = stream.arguments[0] = 1;
    assert_int_equal(call(&client, &set, NULL), CUDA_OK);
    assert_int_equal(call(&client, &event, NULL), CUDA_OK);
    record.cudaEventRecord.event = wait.cudaStreamWaitEvent.event = client.reply.results[0];
    assert_int_equal(call(&client, &stream, NULL), CUDA_OK);
    wait.cudaStreamWaitEvent.stream = client.reply.results[0];
    assert_int_equal(call(&client, &record, NULL), CUDA_OK);
    assert_int_equal(call(&client, &wait, NULL), CUDA_OK);
    assert_int_equal(call(&client, &all, NULL), CUDA_OK);
    struct json_object *report = finish(&client), *streams = NULL;
    struct json_object *picture = json_tokener_parse(json_text(report, "picture", ""));
    assert_true(json_object_object_get_ex(picture, "streams", &streams));
    int64_t recorded = 0, waits = 0, works = 0, bytes = 0;
    JSON_EACH(work, json_array(streams, "work")) {
        const char kind = json_object_get_string(json_object_array_get_idx(work, KIND))[0];
        const int64_t awaited = json_object_get_int64(json_object_array_get_idx(work, AWAITED));
        if (kind == 'e') recorded = json_object_get_int64(json_object_array_get_idx(work, SEQUENCE));
        if (kind == 'w') waits++;
        bytes += json_object_get_int64(json_object_array_get_idx(work, BYTES));
        assert_int_equal(awaited, kind == 'w' ? recorded : 0);
        works++;
    }
    assert_int_equal(waits, 1);
    assert_true(works >= 3 && recorded > 0);
    assert_int_equal(bytes, 64);
    json_object_put(picture);
    json_object_put(report);
}

static void say_mark(Client *client, const char *text) {
    WireRequest mark = request(WIRE_MARK);
    mark.payload_bytes = strlen(text);
    put(client, &mark, sizeof mark);
    put(client, text, strlen(text));
}

/** Memory that is left belongs to the mark under which it was made, not to the last one. */
static void what_leaks_has_its_mark(void **state) {
    (void)state;
    Client client;
    start_with(&client, (DeviceOptions){.judged = true});
    say_hello(&client);
    say_mark(&client, "first");
    allocate(&client, 100);
    say_mark(&client, "second");
    WireRequest goodbye = request(WIRE_GOODBYE);
    put(&client, &goodbye, sizeof goodbye);
    struct json_object *report = finish(&client);
    unsigned leaks = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strcmp(json_text(finding, "kind", ""), "leak") == 0) {
            assert_string_equal(json_text(finding, "mark", ""), "first");
            assert_non_null(strstr(json_text(finding, "message", ""), "100 bytes"));
            assert_string_not_equal(json_text(finding, "severity", ""), "note");
            leaks++;
        }
    assert_int_equal(leaks, 1);
    struct json_object *last = NULL;
    assert_true(json_object_object_get_ex(report, "last_mark", &last));
    assert_string_equal(json_text(last, "text", ""), "second");
    json_object_put(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_is_fine),
        cmocka_unit_test(half_a_request),
        cmocka_unit_test(half_a_payload),
        cmocka_unit_test(wrong_magic),
        cmocka_unit_test(function_that_does_not_exist),
        cmocka_unit_test(payload_past_the_limit),
        cmocka_unit_test(call_before_hello),
        cmocka_unit_test(second_hello),
        cmocka_unit_test(the_window_cannot_be_cut),
        cmocka_unit_test(a_copy_stays_in_its_allocation),
        cmocka_unit_test(a_copy_asks_for_host_bytes),
        cmocka_unit_test(no_vector_is_looked_for_past_the_stack),
        cmocka_unit_test(a_source_that_is_gone_has_changed),
        cmocka_unit_test(a_copy_past_known_host_memory),
        cmocka_unit_test(ranks_apart_are_told),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(streams_are_bounded),
        cmocka_unit_test(a_result_needs_a_place),
        cmocka_unit_test(handles_are_checked),
        cmocka_unit_test(a_program_that_dies_during_a_copy),
        cmocka_unit_test(a_payload_has_its_size),
        cmocka_unit_test(an_array_has_a_format),
        cmocka_unit_test(arrays_and_libraries_are_checked),
        cmocka_unit_test(arrays_that_are_set_in_part),
        cmocka_unit_test(a_view_has_its_format),
        cmocka_unit_test(usual_streams_are_each_devices_own),
        cmocka_unit_test(who_waits_for_what),
        cmocka_unit_test(what_leaks_has_its_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
