/* test_graph.c - graphs in graphs, from a client that uses handles and calls as no library would. */
#include "client.h"
#include "device/streams/graph_bodies.h"

static void begin(Client *client) {
    start(client);
    say_hello(client);
}

static int ask(Client *client, WireFunction function, uint64_t a, uint64_t b, uint64_t c) {
    WireRequest asked = request(function);
    asked.arguments[0] = a;
    asked.arguments[1] = b;
    asked.arguments[2] = c;
    return call(client, &asked, NULL);
}

static uint64_t made(Client *client, WireFunction function, uint64_t a, uint64_t b) {
    assert_int_equal(ask(client, function, a, b, 0), CUDA_OK);
    return client->reply.results[0];
}

static uint64_t new_graph(Client *client) {
    return made(client, WIRE_cudaGraphCreate, 1, 0);
}

/** A node by hand that comes after no other. What the reply brings along is skipped, but for its first word.
 */
static int add(Client *client, WireRequest *asked, uint64_t graph, uint64_t *body) {
    asked->cudaGraphAddEmptyNode.graph = graph; /* in each of these requests it stands there */
    int error = call(client, asked, NULL);
    for (uint64_t left = client->reply.payload_bytes; left > 0; left -= sizeof(uint64_t)) {
        uint64_t word = 0;
        assert_int_equal(recv(client->socket, &word, sizeof word, MSG_WAITALL), (int)sizeof word);
        if (left == client->reply.payload_bytes && body != NULL) *body = word;
    }
    return error;
}

static int add_child(Client *client, uint64_t graph, uint64_t child, uint64_t *body) {
    WireRequest asked = request(WIRE_cudaGraphAddChildGraphNode);
    asked.cudaGraphAddChildGraphNode.child = child;
    return add(client, &asked, graph, body);
}

/** An executable, its node and its body have handles that follow each other. */
static void a_body_is_no_executable(void **state) {
    (void)state;
    enum { NEXT = 16 };
    Client client;
    begin(&client);
    uint64_t outer = new_graph(&client), child = new_graph(&client);
    assert_int_equal(add_child(&client, outer, child, NULL), CUDA_OK);
    uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, outer);
    for (uint64_t body = executable + NEXT; body <= executable + 2 * NEXT; body += NEXT) {
        assert_int_equal(ask(&client, WIRE_cudaGraphExecDestroy, body, 0, 0), CUDA_INVALID_VALUE);
        assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, body, 0, 0), CUDA_INVALID_VALUE);
    }
    assert_int_equal(ask(&client, WIRE_cudaGraphExecDestroy, executable, 0, 0), CUDA_OK);
    json_object_put(finish(&client));
}

static uint64_t new_stream(Client *client) {
    return made(client, WIRE_cudaStreamCreate, 1, 0);
}

static void destroying_waits_for_the_capture_of_a_body(void **state) {
    (void)state;
    Client client;
    begin(&client);
    uint64_t outer = new_graph(&client), child = new_graph(&client), stream = new_stream(&client), body = 0;
    assert_int_equal(add_child(&client, outer, child, &body), CUDA_OK);
    uint64_t node = client.reply.results[0];
    assert_int_equal(ask(&client, WIRE_cudaStreamBeginCaptureToGraph, stream, 0, body), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_cudaGraphDestroy, outer, 0, 0), CUDA_INVALID_VALUE);
    assert_int_equal(ask(&client, WIRE_cudaGraphDestroyNode, node, 0, 0), CUDA_INVALID_VALUE);
    assert_int_equal(ask(&client, WIRE_cudaStreamEndCapture, stream, 0, 0), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_cudaGraphDestroyNode, node, 0, 0), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_cudaGraphDestroy, outer, 0, 0), CUDA_OK);
    json_object_put(finish(&client));
}

/** A graph with another in it, and so on: so many. */
static uint64_t tower(Client *client, unsigned height) {
    uint64_t graph = new_graph(client);
    for (unsigned i = 0; i < height; i++) {
        uint64_t outer = new_graph(client);
        assert_int_equal(add_child(client, outer, graph, NULL), CUDA_OK);
        graph = outer;
    }
    return graph;
}

static void graphs_outside_count_for_the_depth(void **state) {
    (void)state;
    Client client;
    begin(&client);
    uint64_t highest = tower(&client, BODIES_MAX_DEPTH), outer = new_graph(&client);
    assert_int_equal(add_child(&client, outer, highest, NULL), CUDA_NOT_SUPPORTED);
    json_object_put(finish(&client));
}

/** The graph in the first node of the first node and so on; each has one node. */
static uint64_t innermost(Client *client, uint64_t graph) {
    for (;;) {
        WireRequest asked = request(WIRE_cudaGraphGetNodes);
        uint64_t node = 0;
        assert_int_equal(add(client, &asked, graph, &node), CUDA_OK);
        if (node == 0) return graph;
        graph = made(client, WIRE_cudaGraphChildGraphNodeGetGraph, node, 1);
    }
}

static void graphs_inside_count_for_the_depth(void **state) {
    (void)state;
    enum { HALF = BODIES_MAX_DEPTH / 2 };
    Client client;
    begin(&client);
    uint64_t child = new_graph(&client), inner = innermost(&client, tower(&client, HALF));
    for (unsigned depth = HALF; depth < BODIES_MAX_DEPTH; depth++)
        assert_int_equal(add_child(&client, inner, child, &inner), CUDA_OK);
    assert_int_equal(add_child(&client, inner, child, NULL), CUDA_NOT_SUPPORTED);
    json_object_put(finish(&client));
}

/** The body then has a copy of the graph as it was before: with an empty body. */
static void a_graph_goes_into_its_own_body(void **state) {
    (void)state;
    Client client;
    begin(&client);
    uint64_t outer = new_graph(&client), child = new_graph(&client), body = 0;
    assert_int_equal(add_child(&client, outer, child, &body), CUDA_OK);
    assert_int_equal(add_child(&client, body, outer, NULL), CUDA_OK);
    uint64_t empty = innermost(&client, outer);
    assert_int_equal(add_child(&client, empty, child, NULL), CUDA_OK);
    json_object_put(finish(&client));
}

/* ---- memory ---- */

static int add_allocation(Client *client, uint64_t graph, uint64_t bytes) {
    WireRequest asked = request(WIRE_cudaGraphAddMemAllocNode);
    asked.cudaGraphAddMemAllocNode.address = 1;
    asked.cudaGraphAddMemAllocNode.bytes = bytes;
    return add(client, &asked, graph, NULL);
}

static void a_captured_graph_takes_an_allocation(void **state) {
    (void)state;
    enum { RELAXED = 2 };
    Client client;
    begin(&client);
    uint64_t stream = new_stream(&client);
    assert_int_equal(ask(&client, WIRE_cudaStreamBeginCapture, stream, RELAXED, 0), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_cudaStreamGetCaptureInfo, stream, 1, 0), CUDA_OK);
    assert_int_equal(add_allocation(&client, client.reply.results[1], 64), CUDA_OK);
    assert_int_not_equal(client.reply.results[1], 0);
    json_object_put(finish(&client));
}

/** As on a card: only the Async one can be captured. */
static void a_memset_that_waits_is_not_captured(void **state) {
    (void)state;
    enum { RELAXED = 2 };
    Client client;
    begin(&client);
    uint64_t stream = new_stream(&client), address = allocate(&client, 64);
    WireRequest asynchronous = request(WIRE_cudaMemsetAsync), waits = request(WIRE_cudaMemset);
    asynchronous.cudaMemsetAsync =
        (Arguments_cudaMemsetAsync){.address = address, .value = 0, .bytes = 64, .stream = stream};
    waits.cudaMemsetAsync = asynchronous.cudaMemsetAsync;
    assert_int_equal(ask(&client, WIRE_cudaStreamBeginCapture, stream, RELAXED, 0), CUDA_OK);
    assert_int_equal(call(&client, &asynchronous, NULL), CUDA_OK);
    assert_int_equal(call(&client, &waits, NULL), CUDA_CAPTURE_UNSUPPORTED);
    json_object_put(finish(&client));
}

/** The machine of these tests has 16 MiB. */
static void a_launch_without_room_holds_nothing(void **state) {
    (void)state;
    enum { RESERVED_NOW = 2, MOST = 12 << 20 };
    Client client;
    begin(&client);
    uint64_t graph = new_graph(&client);
    assert_int_equal(add_allocation(&client, graph, MOST), CUDA_OK);
    uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, graph);
    (void)allocate(&client, MOST);
    assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OUT_OF_MEMORY);
    assert_int_equal(ask(&client, WIRE_cudaDeviceGetGraphMemAttribute, 0, RESERVED_NOW, 1), CUDA_OK);
    assert_int_equal(client.reply.results[0], 0);
    json_object_put(finish(&client));
}

/** What was brought back for the launch goes again, or the next launch would find it there. */
static void a_launch_without_room_can_be_tried_again(void **state) {
    (void)state;
    enum { LITTLE = 1 << 20, MOST = 12 << 20 };
    Client client;
    begin(&client);
    uint64_t graph = new_graph(&client);
    assert_int_equal(add_allocation(&client, graph, LITTLE), CUDA_OK);
    assert_int_equal(add_allocation(&client, graph, MOST), CUDA_OK);
    uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, graph);
    uint64_t full = allocate(&client, MOST);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OUT_OF_MEMORY);
    assert_int_equal(ask(&client, WIRE_cudaFree, full, 0, 0), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OK);
    json_object_put(finish(&client));
}

/* ---- what bodies cannot have, also when it is added to them later ---- */

static int add_loop(Client *client, uint64_t graph, uint64_t *body) {
    enum { ASSIGN_DEFAULT = 1 };
    WireRequest condition = request(WIRE_cudaGraphConditionalHandleCreate);
    condition.cudaGraphConditionalHandleCreate =
        (Arguments_cudaGraphConditionalHandleCreate){.handle = 1, .graph = graph, .flags = ASSIGN_DEFAULT};
    assert_int_equal(call(client, &condition, NULL), CUDA_OK);
    WireRequest asked = request(WIRE_cudaGraphAddNode);
    asked.cudaGraphAddNode.condition = client->reply.cudaGraphConditionalHandleCreate.handle;
    asked.cudaGraphAddNode.type = BODIES_WHILE;
    asked.cudaGraphAddNode.bodies = 1;
    return add(client, &asked, graph, body);
}

static void refuses_in(Client *client, uint64_t body) {
    assert_int_equal(add_allocation(client, body, 64), CUDA_NOT_SUPPORTED);
    WireRequest record = request(WIRE_cudaGraphAddEventRecordNode);
    record.cudaGraphAddEventRecordNode.event = made(client, WIRE_cudaEventCreate, 1, 0);
    assert_int_equal(add(client, &record, body, NULL), CUDA_NOT_SUPPORTED);
    WireRequest nothing = request(WIRE_cudaGraphAddEmptyNode);
    assert_int_equal(add(client, &nothing, body, NULL), CUDA_OK);
}

static void a_body_refuses_what_it_cannot_do(void **state) {
    (void)state;
    Client client;
    begin(&client);
    uint64_t outer = new_graph(&client), child = new_graph(&client), body = 0;
    assert_int_equal(add_child(&client, outer, child, &body), CUDA_OK);
    refuses_in(&client, body);
    assert_int_equal(add_loop(&client, body, NULL), CUDA_NOT_SUPPORTED);
    assert_int_equal(add_loop(&client, outer, &body), CUDA_OK);
    refuses_in(&client, body);
    assert_int_equal(add_loop(&client, body, NULL), CUDA_OK);
    struct json_object *report = finish(&client);
    unsigned events = 0;
    JSON_EACH(finding, json_array(report, "findings"))
        if (strstr(json_text(finding, "message", ""), "cannot record an event") != NULL) events++;
    assert_true(events > 0);
    json_object_put(report);
}

/** What is no event is refused, and the graph is as it was. */
static void a_record_node_has_an_event(void **state) {
    (void)state;
    Client client;
    begin(&client);
    const uint64_t graph = new_graph(&client);
    WireRequest record = request(WIRE_cudaGraphAddEventRecordNode);
    record.cudaGraphAddEventRecordNode.event = 0xdeadbeef;
    assert_int_equal(add(&client, &record, graph, NULL), CUDA_INVALID_HANDLE);
    record.cudaGraphAddEventRecordNode.event = made(&client, WIRE_cudaEventCreate, 1, 0);
    assert_int_equal(add(&client, &record, graph, NULL), CUDA_OK);
    const uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, graph);
    assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OK);
    json_object_put(finish(&client));
}

/** Pinned memory that a launch uses is named to the program, which then watches it. */
static void a_launch_names_what_it_uses(void **state) {
    (void)state;
    enum { BYTES = 64 };
    Client client;
    begin(&client);
    const uint64_t graph = new_graph(&client), host = made(&client, WIRE_cudaHostAlloc, 1, BYTES),
                   device = allocate(&client, BYTES);
    WireRequest copy = request(WIRE_cudaGraphAddMemcpyNode1D);
    copy.cudaGraphAddMemcpyNode1D.to = device;
    copy.cudaGraphAddMemcpyNode1D.from = host;
    copy.cudaGraphAddMemcpyNode1D.bytes = BYTES;
    copy.cudaGraphAddMemcpyNode1D.kind = COPY_HOST_TO_DEVICE;
    assert_int_equal(add(&client, &copy, graph, NULL), CUDA_OK);
    const uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, graph);
    assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OK);
    unsigned named = 0;
    for (uint64_t left = client.reply.payload_bytes; left > 0; left -= sizeof(WireRange)) {
        WireRange range;
        assert_int_equal(recv(client.socket, &range, sizeof range, MSG_WAITALL), (int)sizeof range);
        if (range.address == host && range.bytes == BYTES && range.use == WIRE_READ_BY_COPY) named++;
    }
    assert_int_equal(named, 1);
    json_object_put(finish(&client));
}

/** A program that waits for its host function by means of its own: it only attends. */
static void a_host_function_in_a_body_is_due(void **state) {
    (void)state;
    Client client;
    begin(&client);
    uint64_t outer = new_graph(&client), child = new_graph(&client);
    WireRequest host = request(WIRE_cudaGraphAddHostNode);
    host.cudaGraphAddHostNode.function = 0x1234;
    assert_int_equal(add(&client, &host, child, NULL), CUDA_OK);
    assert_int_equal(add_child(&client, outer, child, NULL), CUDA_OK);
    uint64_t executable = made(&client, WIRE_cudaGraphInstantiate, 1, outer);
    assert_int_equal(ask(&client, WIRE_cudaGraphLaunch, executable, 0, 0), CUDA_OK);
    assert_int_equal(ask(&client, WIRE_ATTEND, 0, 0, 0), CUDA_OK);
    assert_int_equal(client.reply.kind, WIRE_CALLBACK);
    json_object_put(finish(&client));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_no_executable),
        cmocka_unit_test(destroying_waits_for_the_capture_of_a_body),
        cmocka_unit_test(graphs_outside_count_for_the_depth),
        cmocka_unit_test(graphs_inside_count_for_the_depth),
        cmocka_unit_test(a_graph_goes_into_its_own_body),
        cmocka_unit_test(a_captured_graph_takes_an_allocation),
        cmocka_unit_test(a_memset_that_waits_is_not_captured),
        cmocka_unit_test(a_launch_without_room_holds_nothing),
        cmocka_unit_test(a_launch_without_room_can_be_tried_again),
        cmocka_unit_test(a_body_refuses_what_it_cannot_do),
        cmocka_unit_test(a_record_node_has_an_event),
        cmocka_unit_test(a_launch_names_what_it_uses),
        cmocka_unit_test(a_host_function_in_a_body_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
