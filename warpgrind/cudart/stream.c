/* stream.c - streams, events and waiting. Handles are numbers the device gave out. */
#include "cudart/attendant.h"
#include "cudart/client.h"
#include "cudart/session.h"

#include <string.h>

/* ---- host functions, which the program may wait for in its own way ---- */

typedef struct HostArgument {
    uint64_t address, bytes, content;
} HostArgument;

/** What the next host function of this thread is given, when it is one number or pointer. */
static _Thread_local HostArgument argument;

/** From the headers, which know its type (cuda_runtime_templates.h). */
ENTRY(void, warpgrindHostArgument, const void *data, size_t bytes) {
    if (bytes > sizeof argument.content) bytes = 0;
    argument = (HostArgument){.address = client_word(data), .bytes = bytes};
}

/** Whether it is the program's own variable: in its image, or further up in this thread's stack. The address
 * may be anything, memory of the device too, which must not be read. */
static bool is_variable(uint64_t address, size_t bytes) {
    enum { STACK = 1 << 20 };
    const ClientImage *image = &client_session.image;
    const bool in_image = address >= image->image_begin && address < image->image_end;
    const bool in_stack = address - client_word(__builtin_frame_address(0)) < STACK;
    return (in_image || in_stack) && watch_find(&client_session.watch, address) == NULL &&
           client_is_mapped(address, bytes);
}

/** The number as it is now. */
static HostArgument take_argument(const void *data) {
    HostArgument taken = argument;
    argument.bytes = 0;
    if (taken.bytes == 0 || taken.address != client_word(data) || !is_variable(taken.address, taken.bytes))
        return (HostArgument){0};
    memcpy(&taken.content, data, taken.bytes);
    return taken;
}

ENTRY(CudaError, cudaStreamAddCallback, CudaStream stream, void *function, void *data, unsigned flags) {
    const HostArgument number = take_argument(data);
    CudaError error = CLIENT_SEND(cudaStreamAddCallback, .stream = client_word(stream),
                                  .function = client_word(function), .data = client_word(data),
                                  .flags = flags, .content = number.content, .bytes = number.bytes);
    if (error == CUDA_SUCCESS) attendant_expect();
    return error;
}

ENTRY(CudaError, cudaLaunchHostFunc, CudaStream stream, void *function, void *data) {
    const HostArgument number = take_argument(data);
    CudaError error =
        CLIENT_SEND(cudaLaunchHostFunc, .stream = client_word(stream), .function = client_word(function),
                    .data = client_word(data), .content = number.content, .bytes = number.bytes);
    if (error == CUDA_SUCCESS) attendant_expect();
    return error;
}

/* ---- times ---- */

static CudaError elapsed(WireFunction which, ClientSite site, float *milliseconds, CudaEvent start,
                         CudaEvent end) {
    WireRequest request = client_request(which, site);
    request.cudaEventElapsedTime = (Arguments_cudaEventElapsedTime){
        .milliseconds = client_word(milliseconds), .start = client_word(start), .end = client_word(end)};
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *milliseconds = (float)((double)(int64_t)reply.cudaEventElapsedTime.nanoseconds * 1e-6);
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaEventElapsedTime, float *milliseconds, CudaEvent start, CudaEvent end) {
    return elapsed(WIRE_cudaEventElapsedTime, CLIENT_SITE(), milliseconds, start, end);
}

ENTRY(CudaError, cudaEventElapsedTime_v2, float *milliseconds, CudaEvent start, CudaEvent end) {
    return elapsed(WIRE_cudaEventElapsedTime_v2, CLIENT_SITE(), milliseconds, start, end);
}

/* ---- attributes ---- */

ENTRY(CudaError, cudaStreamSetAttribute, CudaStream stream, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaStreamSetAttribute);
    WireRequest request = CLIENT_REQUEST(cudaStreamSetAttribute, CLIENT_SITE(), .stream = client_word(stream),
                                         .attribute = client_number(attribute));
    request.payload_bytes = sizeof(WireStreamAttribute);
    return client_call(&request, value, NULL);
}

ENTRY(CudaError, cudaStreamGetAttribute, CudaStream stream, int attribute, void *value) {
    WireRequest request = CLIENT_REQUEST(cudaStreamGetAttribute, CLIENT_SITE(), .stream = client_word(stream),
                                         .attribute = client_number(attribute), .value = client_word(value));
    WireStreamAttribute kept;
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, &kept, sizeof kept);
    if (error == CUDA_SUCCESS) memcpy(value, &kept, sizeof kept);
    return error;
}
