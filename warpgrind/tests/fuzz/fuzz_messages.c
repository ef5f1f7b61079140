/* fuzz_messages.c - a hostile client: any requests in any order, cut off anywhere. Build and run: make
 * fuzz-messages.
 *
 * The input is a list of commands, which become well-formed requests, so that the fuzzer reaches the
 * handlers. A command is the function (two bytes), whether a CONTINUE comes in its place (one byte: 1), the
 * number of arguments and each as two bytes (next_word), the call site, and the payload: its length, or 128
 * and the number of words that follow as arguments do. make_seeds.py writes the same from readable files. A
 * thread plays the client's other half and swallows replies; the CONTINUEs that the device waits for are in
 * the stream already. Inputs of odd length have the streams work early; all leave a trace.
 */
#include "base/json.h"
#include "cudart/protocol.h"
#include "device/device.h"
#include "gpu/gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Kernels that write, wait at a barrier, part, read a texture, and print. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 v[16];\n"
    ".visible .const .align 4 .b8 c[16];\n"
    ".visible .entry k(.param .u64 p, .param .u64 n)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n.reg .pred "
    "%q;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nsetp.lt.u32 %q, %r2, 5;\n"
    "@%q bra L;\natom.global.add.u32 %r3, [%rd1], %r2;\nL:\nbar.sync 0;\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry t(.param .u64 x)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.reg .f32 %f<5>;\n"
    "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\n"
    "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];\nret;\n}\n";

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static uint8_t next_byte(Input *input) {
    return input->at < input->end ? *input->at++ : 0;
}

/** Values that mean something: small numbers, device addresses, handles, the largest. */
static uint64_t next_word(Input *input) {
    uint8_t how = next_byte(input), low = next_byte(input);
    switch (how % 10) {
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
    case 7: /* handles of arrays, and of textures */
        return UINT64_C(0x350000000000) + (uint64_t)low * 64;
    case 8:
        return UINT64_C(0x340000000000) + (uint64_t)low * 64;
    default:
        return UINT64_C(0x7ffc00000000) + low;
    }
}

static void write_request(int socket, const WireRequest *request, const void *payload) {
    if (send(socket, request, sizeof *request, MSG_NOSIGNAL) < 0) return;
    if (request->payload_bytes > 0 && send(socket, payload, request->payload_bytes, MSG_NOSIGNAL) < 0) return;
}

/** Registrations need a payload that fits: the module, or one of its names. */
static uint64_t usual_payload(WireRequest *request, uint8_t *payload) {
    static const char *const names[] = {"k", "t", "v", "c"};
    const char *text = ptx;
    if (request->function == WIRE_REGISTER_KERNEL || request->function == WIRE_REGISTER_VARIABLE)
        text = names[request->arguments[5] % (sizeof names / sizeof *names)];
    else if (request->function != WIRE_REGISTER_MODULE)
        return 0;
    memcpy(payload, text, strlen(text));
    return strlen(text);
}

static uint64_t read_payload(Input *input, uint8_t *payload) {
    enum { WORDS = 128, MOST_WORDS = 40 };
    uint8_t length = next_byte(input);
    if (length < WORDS) {
        for (uint64_t i = 0; i < length; i++)
            payload[i] = next_byte(input);
        return length;
    }
    uint64_t words = next_byte(input) % (MOST_WORDS + 1);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word = next_word(input);
        memcpy(payload + i * sizeof word, &word, sizeof word);
    }
    return words * sizeof(uint64_t);
}

static void write_command(int socket, Input *input) {
    WireRequest request = {.magic = WIRE_MAGIC, .thread = 1};
    uint32_t low = next_byte(input), high = next_byte(input);
    request.function = (low | high << 8) % WIRE_FUNCTION_COUNT;
    if (next_byte(input) == 1) request.function = WIRE_CONTINUE;
    uint8_t payload[2048];
    memset(payload, 0, sizeof payload);
    unsigned words = next_byte(input) % (WIRE_ARGUMENTS + 1);
    for (unsigned i = 0; i < words; i++)
        request.arguments[i] = next_word(input);
    request.site = next_byte(input);
    request.payload_bytes = read_payload(input, payload);
    if (request.payload_bytes == 0) request.payload_bytes = usual_payload(&request, payload);
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

/** Whatever came, the trace is whole. */
static void check_trace(int file) {
    off_t length = lseek(file, 0, SEEK_END);
    char *text = malloc((size_t)length + 1);
    if (length <= 0 || text == NULL || pread(file, text, (size_t)length, 0) != length) abort();
    Text utf8;
    text_init(&utf8);
    text_add_utf8(&utf8, text, (size_t)length);
    if (utf8.length != (size_t)length || memcmp(utf8.bytes, text, utf8.length) != 0) abort();
    text_free(&utf8);
    Arena *arena = arena_create();
    Diagnostics wrong;
    diag_init(&wrong, arena);
    struct json_object *trace = json_parse_text(text, (size_t)length, "trace", &wrong);
    if (trace == NULL || !json_flag(json_member(trace, "otherData"), "complete", false)) abort();
    arena_destroy(arena);
    json_object_put(trace);
    free(text);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
    int trace = memfd_create("trace", MFD_CLOEXEC);
    DeviceOptions options = {.steps = 1000,
                             .memory_bytes = 1 << 20,
                             .devices = 2,
                             .checks = "all",
                             .early = size % 2 == 1,
                             .lines = true,
                             .trace = trace > 0 ? trace : 0,
                             .trace_blocks = 2};
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
    check_trace(trace);
    shutdown(ends[0], SHUT_RDWR);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    device_destroy(device);
    close(ends[1]);
    return 0;
}
