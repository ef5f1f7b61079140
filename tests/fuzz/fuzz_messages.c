/* fuzz_messages.c - a hostile client: any requests in any order, cut off anywhere. Build and run: make
 * fuzz-messages.
 *
 * The input is a list of commands of one byte each and what they need; they become well-formed requests (or,
 * for the last command, bytes as they are), so that the fuzzer reaches the handlers. A thread plays the
 * client's other half and swallows replies; the CONTINUEs that the device waits for are in the stream
 * already. Inputs of odd length have the streams work early.
 */
#include "device/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 v[16];\n"
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static uint8_t next_byte(Input *input) {
    return input->at < input->end ? *input->at++ : 0;
}

/** Values that mean something: small numbers, device addresses, handles, the largest. */
static uint64_t next_word(Input *input) {
    uint8_t how = next_byte(input), low = next_byte(input);
    switch (how % 8) {
    case 0:
        return low;
    case 1:
        return GPU_GLOBAL_BASE + 65536 + (uint64_t)low * 4;
    case 2:
        return 0x1000 + (uint64_t)low * 16;
    case 3:
        return UINT64_MAX - low;
    case 4:
        return UINT64_C(1) << (low % 64);
    case 5:
        return 0x400000 + low;
    case 6:
        return (uint64_t)low << 8;
    default:
        return UINT64_C(0x7ffc00000000) + low;
    }
}

static void write_request(int socket, const WireRequest *request, const void *payload) {
    if (send(socket, request, sizeof *request, MSG_NOSIGNAL) < 0) return;
    if (request->payload_bytes > 0 && send(socket, payload, request->payload_bytes, MSG_NOSIGNAL) < 0) return;
}

static void write_command(int socket, Input *input) {
    WireRequest request = {.magic = WIRE_MAGIC, .thread = 1};
    request.function = next_byte(input) % WIRE_FUNCTION_COUNT;
    if (next_byte(input) % 4 == 0) request.function = WIRE_CONTINUE;
    uint8_t payload[512];
    memset(payload, 0, sizeof payload);
    unsigned words = next_byte(input) % (WIRE_ARGUMENTS + 1);
    for (unsigned i = 0; i < words; i++)
        request.arguments[i] = next_word(input);
    request.site = next_byte(input);
    if (request.function == WIRE_REGISTER_MODULE) {
        memcpy(payload, ptx, sizeof ptx);
        request.payload_bytes = sizeof ptx;
    } else if (request.function == WIRE_REGISTER_KERNEL || request.function == WIRE_REGISTER_VARIABLE) {
        payload[0] = request.function == WIRE_REGISTER_KERNEL ? 'k' : 'v';
        request.payload_bytes = 1;
    } else {
        request.payload_bytes = next_byte(input) % 64;
        for (uint64_t i = 0; i < request.payload_bytes; i++)
            payload[i] = next_byte(input);
    }
    write_request(socket, &request, payload);
}

static void *swallow(void *argument) {
    int socket = *(const int *)argument;
    char bytes[4096];
    while (read(socket, bytes, sizeof bytes) > 0) {
    }
    return NULL;
}

static void *speak(void *argument) {
    struct Speaker {
        int socket;
        Input input;
    } *speaker = argument;
    WireRequest hello = {.magic = WIRE_MAGIC, .function = WIRE_HELLO, .thread = 1};
    hello.arguments[0] = WIRE_VERSION;
    write_request(speaker->socket, &hello, NULL);
    while (speaker->input.at < speaker->input.end)
        write_command(speaker->socket, &speaker->input);
    shutdown(speaker->socket, SHUT_WR);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
    DeviceOptions options = {.steps = 1000, .memory_bytes = 1 << 20, .checks = "all", .early = size % 2 == 1};
    Device *device = device_create(&options, ends[0]);
    if (device == NULL) abort();
    struct {
        int socket;
        Input input;
    } speaker = {ends[1], {data, data + size}};
    pthread_t reader, writer;
    if (pthread_create(&reader, NULL, swallow, &ends[1]) != 0 ||
        pthread_create(&writer, NULL, speak, &speaker) != 0)
        abort();
    device_serve(device);
    struct json_object *report = device_report(device);
    if (report == NULL) abort();
    json_object_put(report);
    shutdown(ends[0], SHUT_RDWR);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    device_destroy(device);
    close(ends[1]);
    return 0;
}
