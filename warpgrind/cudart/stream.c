/* stream.c - streams, events and waiting. Handles are numbers the device gave out. */
#include "cudart/attendant.h"
#include "cudart/client.h"

#include <string.h>

/* ---- host functions, which the program may wait for in its own way ---- */

ENTRY(CudaError, cudaStreamAddCallback, CudaStream stream, void *function, void *data, unsigned flags) {
    CudaError error =
        CLIENT_SEND(cudaStreamAddCallback, .stream = client_word(stream), .function = client_word(function),
                    .data = client_word(data), .flags = flags);
    if (error == CUDA_SUCCESS) attendant_expect();
    return error;
}

ENTRY(CudaError, cudaLaunchHostFunc, CudaStream stream, void *function, void *data) {
    CudaError error = CLIENT_SEND(cudaLaunchHostFunc, .stream = client_word(stream),
                                  .function = client_word(function), .data = client_word(data));
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
