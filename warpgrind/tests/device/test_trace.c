/* test_trace.c - the file of a trace: whole JSON after every flush, bounded, and any bytes in its texts. */
#include "base/json.h"
#include "cudart/protocol.h"
#include "device/state/codes.h"
#include "device/command/launcher.h"
#include "device/record/trace_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- reading ---- */

/* One reader for the encoding and one for the grammar, since json-c 0.18 is strict with ASCII alone. */
static struct json_object *parse_strictly(const char *text, size_t length) {
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    json_object_put(json_tokener_parse_ex(tokener, text, (int)length));
    assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
    json_tokener_free(tokener);
    Arena *arena = arena_create();
    Diagnostics wrong;
    diag_init(&wrong, arena);
    struct json_object *json = json_parse_text(text, length, "trace", &wrong);
    if (json == NULL) print_error("%s\n", wrong.first->message);
    assert_non_null(json);
    arena_destroy(arena);
    return json;
}

static struct json_object *read_trace(int file) {
    off_t length = lseek(file, 0, SEEK_END);
    assert_true(length > 0 && length <= TRACE_FILE_BYTES);
    char *text = malloc((size_t)length);
    assert_non_null(text);
    assert_int_equal(pread(file, text, (size_t)length, 0), length);
    struct json_object *trace = parse_strictly(text, (size_t)length);
    free(text);
    return trace;
}

static size_t count_events(struct json_object *trace) {
    return json_object_array_length(json_array(trace, "traceEvents"));
}

static struct json_object *event_at(struct json_object *trace, size_t index) {
    return json_object_array_get_idx(json_array(trace, "traceEvents"), index);
}

static bool other_flag(struct json_object *trace, const char *key) {
    return json_flag(json_member(trace, "otherData"), key, false);
}

static void add(TraceFile *trace, TraceShare share, const char *name) {
    TraceEvent event = {
        .phase = 'X', .name = name, .category = "run", .process = 1, .time = 5, .duration = 2};
    trace_file_event(trace, share, &event);
    trace_file_number(trace, "line", 7);
    trace_file_text(trace, "what", name);
    trace_file_close(trace);
}

/* ---- the file ---- */

static void every_flush_leaves_whole_json(void **state) {
    (void)state;
    TraceFile trace;
    int file = memfd_create("trace", 0);
    trace_file_open(&trace, file);
    for (size_t i = 1; i <= 40; i++) {
        add(&trace, TRACE_CALL, "a");
        if (i % 10 == 0) add(&trace, TRACE_CALL, "a longer name than before");
        trace_file_flush(&trace);
        struct json_object *read = read_trace(file);
        assert_int_equal(count_events(read), i + i / 10);
        assert_int_equal(json_number(json_member(read, "otherData"), "events", 0), i + i / 10);
        assert_false(other_flag(read, "complete"));
        json_object_put(read);
    }
    trace_file_finish(&trace);
    struct json_object *read = read_trace(file);
    assert_true(other_flag(read, "complete"));
    json_object_put(read);
    close(file);
}

static void nothing_at_all_is_whole_too(void **state) {
    (void)state;
    TraceFile trace;
    int file = memfd_create("trace", 0);
    trace_file_open(&trace, file);
    trace_file_finish(&trace);
    struct json_object *read = read_trace(file);
    assert_int_equal(count_events(read), 0);
    json_object_put(read);
    close(file);
}

static void any_bytes_are_a_text(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"\"quoted\\\"", "\"quoted\\\""},
        {"two\nlines\tand a tab", "two\nlines\tand a tab"},
        {"\x01\x1b[31m\x7f", "\\x01\\x1B[31m\\x7F"},
        {"\xff\xfe, \xc3 and \xc3\xa9", "\\xFF\\xFE, \\xC3 and \xc3\xa9"},
        {"</script><b>", "</script><b>"},
        {"\xe2\x80\xae reversed", "\\xE2\\x80\\xAE reversed"},
    };
    TraceFile trace;
    int file = memfd_create("trace", 0);
    trace_file_open(&trace, file);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(&trace, TRACE_CALL, texts[i][0]);
    trace_file_finish(&trace);
    struct json_object *read = read_trace(file);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json_object *event = event_at(read, i);
        assert_string_equal(json_text(event, "name", ""), texts[i][1]);
        assert_string_equal(json_text(json_member(event, "args"), "what", ""), texts[i][1]);
    }
    json_object_put(read);
    close(file);
}

/** Also where the cut falls into a character of several bytes. */
static void long_texts_are_cut(void **state) {
    (void)state;
    enum { LONG = 5000 };
    char *text = calloc(1, LONG + 1);
    assert_non_null(text);
    for (size_t i = 1; i + 1 < LONG; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[0] = 'a';
    TraceFile trace;
    int file = memfd_create("trace", 0);
    trace_file_open(&trace, file);
    add(&trace, TRACE_CALL, text);
    add(&trace, TRACE_CALL, text + 1);
    trace_file_finish(&trace);
    struct json_object *read = read_trace(file);
    for (size_t i = 0; i < 2; i++) {
        const char *name = json_text(event_at(read, i), "name", "");
        assert_true(strlen(name) > 2040 && strlen(name) <= 2051);
        assert_string_equal(name + strlen(name) - 5, "\xc3\xa9...");
    }
    json_object_put(read);
    close(file);
    free(text);
}

static void room_runs_out_in_the_right_order(void **state) {
    (void)state;
    TraceFile trace;
    int file = memfd_create("trace", 0);
    trace_file_open(&trace, file);
    uint64_t made = 0;
    while (trace_file_has_room(&trace, TRACE_DETAIL)) {
        add(&trace, TRACE_DETAIL, "detail");
        made++;
    }
    assert_true(trace.detail >= TRACE_DETAIL_BYTES && trace.detail < TRACE_DETAIL_BYTES + 1024);
    while (trace_file_has_room(&trace, TRACE_CALL)) {
        add(&trace, TRACE_CALL, "call");
        made++;
    }
    assert_true(trace_file_has_room(&trace, TRACE_FINDING));
    while (trace_file_has_room(&trace, TRACE_FINDING)) {
        add(&trace, TRACE_FINDING, "finding");
        made++;
    }
    assert_true(trace_file_has_room(&trace, TRACE_END));
    trace_file_finish(&trace);
    struct json_object *read = read_trace(file); /* no larger than its limit, or this fails */
    assert_int_equal(count_events(read), made);
    assert_int_equal(json_number(json_member(read, "otherData"), "events_left_out", 0), 3);
    json_object_put(read);
    close(file);
}

static void a_pipe_gets_one_end(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    TraceFile trace;
    trace_file_open(&trace, ends[1]);
    for (unsigned i = 0; i < 5; i++) {
        add(&trace, TRACE_CALL, "piped");
        trace_file_flush(&trace);
    }
    trace_file_finish(&trace);
    close(ends[1]);
    char text[8192];
    ssize_t length = read(ends[0], text, sizeof text);
    assert_true(length > 0);
    struct json_object *read = parse_strictly(text, (size_t)length);
    assert_int_equal(count_events(read), 5);
    json_object_put(read);
    close(ends[0]);
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    int file = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(file >= 0);
    TraceFile trace;
    trace_file_open(&trace, file);
    add(&trace, TRACE_CALL, "lost");
    assert_false(trace.failed);
    trace_file_flush(&trace);
    assert_true(trace.failed);
    assert_false(trace_file_has_room(&trace, TRACE_FINDING));
    trace_file_finish(&trace);
    close(file);
}

/* ---- a device, and a client that says what it likes ---- */

typedef struct Client {
    int socket, trace, report;
    pid_t device;
} Client;

static void start(Client *client) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *client =
        (Client){.socket = ends[0], .trace = memfd_create("trace", 0), .report = memfd_create("report", 0)};
    client->device = fork();
    if (client->device == 0) {
        DeviceOptions options = {.memory_bytes = 16 << 20, .trace = client->trace, .trace_blocks = 2};
        _exit(launcher_serve(&options, ends[1], client->report));
    }
    close(ends[1]);
}

static void say(Client *client, WireFunction function, const uint64_t *arguments, unsigned count,
                const char *payload) {
    WireRequest request = {.magic = WIRE_MAGIC, .function = (uint32_t)function, .thread = 1};
    for (unsigned i = 0; i < count; i++)
        request.arguments[i] = arguments[i];
    request.payload_bytes = strlen(payload);
    assert_int_equal(send(client->socket, &request, sizeof request, MSG_NOSIGNAL), (int)sizeof request);
    if (request.payload_bytes > 0)
        assert_int_equal(send(client->socket, payload, request.payload_bytes, MSG_NOSIGNAL),
                         (int)request.payload_bytes);
}

static void hear(Client *client) {
    WireReply reply;
    assert_int_equal(recv(client->socket, &reply, sizeof reply, MSG_WAITALL), (int)sizeof reply);
}

static struct json_object *finish(Client *client) {
    close(client->socket);
    int status = 0;
    waitpid(client->device, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(client->report);
    struct json_object *trace = read_trace(client->trace);
    close(client->trace);
    return trace;
}

static struct json_object *find(struct json_object *trace, const char *name, const char *phase) {
    for (size_t i = 0; i < count_events(trace); i++) {
        struct json_object *event = event_at(trace, i);
        if (strcmp(json_text(event, "name", ""), name) == 0 && strcmp(json_text(event, "ph", ""), phase) == 0)
            return event;
    }
    return NULL;
}

static const char evil[] = "\"}],\"traceEvents\":[{\\\x02\xff";

static void hostile_marks_stay_texts(void **state) {
    (void)state;
    Client client;
    start(&client);
    say(&client, WIRE_HELLO, (const uint64_t[]){WIRE_VERSION}, 1, "");
    hear(&client);
    say(&client, WIRE_MARK, NULL, 0, evil);
    say(&client, WIRE_cudaMalloc, (const uint64_t[]){1, 100}, 2, "");
    hear(&client);
    struct json_object *trace = finish(&client);
    struct json_object *mark = find(trace, "mark", "i"), *call = find(trace, "cudaMalloc", "B");
    assert_non_null(mark);
    assert_non_null(call);
    assert_non_null(strstr(json_text(json_member(mark, "args"), "text", ""), "traceEvents"));
    assert_int_equal(json_number(json_member(call, "args"), "bytes", 0), 100);
    assert_true(other_flag(trace, "complete"));
    json_object_put(trace);
}

static void hostile_names_stay_texts(void **state) {
    (void)state;
    Client client;
    start(&client);
    say(&client, WIRE_HELLO, (const uint64_t[]){WIRE_VERSION}, 1, "");
    hear(&client);
    say(&client, WIRE_REGISTER_MODULE, (const uint64_t[]){0x77}, 1, ".version 7.0\n");
    hear(&client);
    say(&client, WIRE_REGISTER_KERNEL, (const uint64_t[]){0x77, 0x1234}, 2, evil);
    say(&client, WIRE_cudaLaunchKernel, (const uint64_t[]){0x1234, UINT64_MAX, 1, 1, 32, 1, 1}, 7, "");
    hear(&client);
    say(&client, WIRE_REFUSED, (const uint64_t[]){UINT64_MAX}, 1, "");
    hear(&client);
    json_object_put(finish(&client));
}

/** What is shown of a call are its own arguments, by the names in api.def: a node is in no stream. */
static void a_node_has_no_stream(void **state) {
    (void)state;
    Client client;
    start(&client);
    say(&client, WIRE_HELLO, (const uint64_t[]){WIRE_VERSION}, 1, "");
    hear(&client);
    const Arguments_cudaGraphAddMemsetNode node = {.pitch = 512, .width = 100, .height = 3, .element = 4};
    say(&client, WIRE_cudaGraphAddMemsetNode, (const uint64_t *)&node, sizeof node / sizeof(uint64_t), "");
    hear(&client);
    struct json_object *trace = finish(&client), *call = find(trace, "cudaGraphAddMemsetNode", "B");
    assert_non_null(call);
    struct json_object *arguments = json_member(call, "args");
    assert_int_equal(json_number(arguments, "pitch", 0), 512);
    assert_int_equal(json_number(arguments, "width", 0), 100);
    assert_int_equal(json_number(arguments, "height", 0), 3);
    assert_int_equal(json_number(arguments, "element", 0), 0);
    assert_string_equal(json_text(arguments, "stream", "none"), "none");
    json_object_put(trace);
}

/** Every function there is, with arguments that mean nothing. */
static void any_call_is_shown(void **state) {
    (void)state;
    Client client;
    start(&client);
    say(&client, WIRE_HELLO, (const uint64_t[]){WIRE_VERSION}, 1, "");
    hear(&client);
    const uint64_t arguments[] = {3, UINT64_MAX, 5, 0, 7, UINT64_MAX, 0, 0, 0, 0, 0, 0};
    static const WireFunction calls[] = {
#define API_FUNCTION(name, ...) WIRE_##name,
#include "cudart/api.def"
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        say(&client, calls[i], arguments, WIRE_ARGUMENTS, "");
        WireReply reply;
        while (recv(client.socket, &reply, sizeof reply, MSG_WAITALL) == (ssize_t)sizeof reply) {
            char byte;
            for (uint64_t left = reply.payload_bytes; left > 0; left--)
                assert_int_equal(recv(client.socket, &byte, 1, MSG_WAITALL), 1);
            if (reply.kind == WIRE_DONE) break;
            say(&client, WIRE_CONTINUE, NULL, 0, "");
        }
    }
    struct json_object *trace = finish(&client);
    size_t begun = 0;
    for (size_t i = 0; i < count_events(trace); i++)
        begun += strcmp(json_text(event_at(trace, i), "ph", ""), "B") == 0;
    assert_true(begun >= sizeof calls / sizeof *calls);
    json_object_put(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flush_leaves_whole_json),
        cmocka_unit_test(nothing_at_all_is_whole_too),
        cmocka_unit_test(any_bytes_are_a_text),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(room_runs_out_in_the_right_order),
        cmocka_unit_test(a_pipe_gets_one_end),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(hostile_marks_stay_texts),
        cmocka_unit_test(hostile_names_stay_texts),
        cmocka_unit_test(a_node_has_no_stream),
        cmocka_unit_test(any_call_is_shown),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
