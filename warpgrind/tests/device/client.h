/* client.h - a client of the device that speaks the protocol by hand.
 *
 * The device serves in a child process, as it does for a judge; the test is the client.
 */
#pragma once

#include "base/json.h"
#include "cudart/protocol.h"
#include "device/state/codes.h"
#include "device/command/launcher.h"
#include "cudart/passing.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Client {
    int socket, report_file, window;
    pid_t device;
    WireReply reply;
} Client;

static inline void start_with(Client *client, DeviceOptions options) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *client = (Client){.socket = ends[0], .report_file = memfd_create("report", 0), .window = -1};
    client->device = fork();
    if (client->device == 0) {
        options.memory_bytes = 16 << 20;
        _exit(launcher_serve(&options, ends[1], client->report_file));
    }
    close(ends[1]);
}

static inline void start(Client *client) {
    start_with(client, (DeviceOptions){0});
}

static inline WireRequest request(WireFunction function) {
    return (WireRequest){.magic = WIRE_MAGIC, .function = (uint32_t)function, .thread = 1};
}

static inline void put(Client *client, const void *bytes, size_t count) {
    assert_int_equal(send(client->socket, bytes, count, MSG_NOSIGNAL), (int)count);
}

/** False when the device has hung up. */
static inline bool get_reply(Client *client) {
    return recv(client->socket, &client->reply, sizeof client->reply, MSG_WAITALL) ==
           (ssize_t)sizeof client->reply;
}

static inline int call(Client *client, const WireRequest *asked, const void *payload) {
    put(client, asked, sizeof *asked);
    if (asked->payload_bytes > 0) put(client, payload, (size_t)asked->payload_bytes);
    assert_true(get_reply(client));
    assert_int_equal(client->reply.magic, WIRE_MAGIC);
    return client->reply.error;
}

static inline void say_hello(Client *client) {
    WireRequest hello = request(WIRE_HELLO);
    hello.arguments[0] = WIRE_VERSION;
    put(client, &hello, sizeof hello);
    assert_true(passing_receive(client->socket, &client->reply, sizeof client->reply, &client->window));
}

/** Hangs up, waits, and reads the report: there always is one. */
static inline struct json_object *finish(Client *client) {
    close(client->socket);
    if (client->window >= 0) close(client->window);
    int status = 0;
    waitpid(client->device, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(pread(client->report_file, text, (1 << 20) - 1, 0) > 0);
    struct json_object *report = json_tokener_parse(text);
    assert_non_null(report);
    assert_string_equal(json_text(report, "schema", ""), "warpgrind/report/v1");
    free(text);
    close(client->report_file);
    return report;
}

static inline uint64_t allocate(Client *client, uint64_t bytes) {
    WireRequest asked = request(WIRE_cudaMalloc);
    asked.arguments[0] = 1;
    asked.arguments[1] = bytes;
    assert_int_equal(call(client, &asked, NULL), CUDA_OK);
    return client->reply.results[0];
}

/* ---- kernels ---- */

enum { CLIENT_MODULE = 0x77, CLIENT_KERNEL = 0x1000 };

/** The client's only kernel, which gets CLIENT_KERNEL as its address. */
static inline void register_kernel(Client *client, const char *text, const char *name) {
    WireRequest module = request(WIRE_REGISTER_MODULE), kernel = request(WIRE_REGISTER_KERNEL);
    module.REGISTER_MODULE.module = kernel.REGISTER_KERNEL.module = CLIENT_MODULE;
    module.payload_bytes = strlen(text);
    assert_int_equal(call(client, &module, text), CUDA_OK);
    kernel.REGISTER_KERNEL.kernel = CLIENT_KERNEL;
    kernel.payload_bytes = strlen(name);
    put(client, &kernel, sizeof kernel);
    put(client, name, strlen(name));
}

/** One block of one thread, with parameters of 8 bytes each. */
static inline int launch(Client *client, uint64_t kernel, const uint64_t *parameters, unsigned count) {
    WireRequest asked = request(WIRE_cudaLaunchKernel);
    const uint64_t arguments[] = {kernel, 1, 1, 1, 1, 1, 1};
    memcpy(asked.arguments, arguments, sizeof arguments);
    asked.payload_bytes = count * sizeof *parameters;
    return call(client, &asked, parameters);
}
