/* stream.c - streams, events and waiting. Handles are numbers the device gave out. */
#include "cudart/attendant.h"
#include "cudart/client.h"

#include <string.h>

EXPORT CudaError cudaDeviceSynchronize(void);
EXPORT CudaError cudaThreadSynchronize(void);
EXPORT CudaError cudaStreamCreate(CudaStream *stream);
EXPORT CudaError cudaStreamCreateWithFlags(CudaStream *stream, unsigned flags);
EXPORT CudaError cudaStreamCreateWithPriority(CudaStream *stream, unsigned flags, int priority);
EXPORT CudaError cudaStreamDestroy(CudaStream stream);
EXPORT CudaError cudaStreamSynchronize(CudaStream stream);
EXPORT CudaError cudaStreamQuery(CudaStream stream);
EXPORT CudaError cudaStreamWaitEvent(CudaStream stream, CudaEvent event, unsigned flags);
EXPORT CudaError cudaStreamAddCallback(CudaStream stream, void *function, void *data, unsigned flags);
EXPORT CudaError cudaStreamGetFlags(CudaStream stream, unsigned *flags);
EXPORT CudaError cudaStreamGetPriority(CudaStream stream, int *priority);
EXPORT CudaError cudaStreamGetId(CudaStream stream, unsigned long long *id);
EXPORT CudaError cudaStreamGetDevice(CudaStream stream, int *device);
EXPORT CudaError cudaLaunchHostFunc(CudaStream stream, void *function, void *data);
EXPORT CudaError cudaEventCreate(CudaEvent *event);
EXPORT CudaError cudaEventCreateWithFlags(CudaEvent *event, unsigned flags);
EXPORT CudaError cudaEventRecord(CudaEvent event, CudaStream stream);
EXPORT CudaError cudaEventRecordWithFlags(CudaEvent event, CudaStream stream, unsigned flags);
EXPORT CudaError cudaEventSynchronize(CudaEvent event);
EXPORT CudaError cudaEventQuery(CudaEvent event);
EXPORT CudaError cudaEventElapsedTime(float *milliseconds, CudaEvent start, CudaEvent end);
EXPORT CudaError cudaEventElapsedTime_v2(float *milliseconds, CudaEvent start, CudaEvent end);
EXPORT CudaError cudaStreamSetAttribute(CudaStream stream, int attribute, const void *value);
EXPORT CudaError cudaStreamGetAttribute(CudaStream stream, int attribute, void *value);
EXPORT CudaError cudaStreamCopyAttributes(CudaStream to, CudaStream from);
EXPORT CudaError cudaEventDestroy(CudaEvent event);

static CudaError wait_for(WireFunction function, ClientSite site, const void *handle) {
    const uint64_t word = client_word(handle);
    return client_simple(function, site, &word, 1);
}

CudaError cudaDeviceSynchronize(void) {
    return wait_for(WIRE_cudaDeviceSynchronize, CLIENT_SITE(), NULL);
}

CudaError cudaThreadSynchronize(void) {
    return wait_for(WIRE_cudaThreadSynchronize, CLIENT_SITE(), NULL);
}

/* ---- streams ---- */

/** Creates a stream or an event; `first`, `second` are flags and priority. */
static CudaError create(WireFunction which, ClientSite site, void **handle, uint64_t first, uint64_t second) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(handle);
    request.arguments[1] = first;
    request.arguments[2] = second;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *handle = client_pointer(reply.results[0]);
    return error;
}

CudaError cudaStreamCreate(CudaStream *stream) {
    return create(WIRE_cudaStreamCreate, CLIENT_SITE(), stream, 0, 0);
}

CudaError cudaStreamCreateWithFlags(CudaStream *stream, unsigned flags) {
    return create(WIRE_cudaStreamCreateWithFlags, CLIENT_SITE(), stream, flags, 0);
}

CudaError cudaStreamCreateWithPriority(CudaStream *stream, unsigned flags, int priority) {
    return create(WIRE_cudaStreamCreateWithPriority, CLIENT_SITE(), stream, flags,
                  (uint64_t)(int64_t)priority);
}

CudaError cudaStreamDestroy(CudaStream stream) {
    return CLIENT_SIMPLE(cudaStreamDestroy, client_word(stream));
}

CudaError cudaStreamSynchronize(CudaStream stream) {
    return wait_for(WIRE_cudaStreamSynchronize, CLIENT_SITE(), stream);
}

CudaError cudaStreamQuery(CudaStream stream) {
    return wait_for(WIRE_cudaStreamQuery, CLIENT_SITE(), stream);
}

CudaError cudaStreamWaitEvent(CudaStream stream, CudaEvent event, unsigned flags) {
    return CLIENT_SIMPLE(cudaStreamWaitEvent, client_word(stream), client_word(event), flags);
}

CudaError cudaStreamAddCallback(CudaStream stream, void *function, void *data, unsigned flags) {
    CudaError error = CLIENT_SIMPLE(cudaStreamAddCallback, client_word(stream), client_word(function),
                                    client_word(data), flags);
    if (error == CUDA_SUCCESS) attendant_expect();
    return error;
}

CudaError cudaLaunchHostFunc(CudaStream stream, void *function, void *data) {
    CudaError error =
        CLIENT_SIMPLE(cudaLaunchHostFunc, client_word(stream), client_word(function), client_word(data));
    if (error == CUDA_SUCCESS) attendant_expect();
    return error;
}

/** A question about a stream whose answer is a number. */
static CudaError ask_stream(WireFunction which, ClientSite site, CudaStream stream, int *answer) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(stream);
    request.arguments[1] = client_word(answer);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *answer = (int)reply.results[0];
    return error;
}

CudaError cudaStreamGetFlags(CudaStream stream, unsigned *flags) {
    return ask_stream(WIRE_cudaStreamGetFlags, CLIENT_SITE(), stream, (int *)flags);
}

CudaError cudaStreamGetPriority(CudaStream stream, int *priority) {
    return ask_stream(WIRE_cudaStreamGetPriority, CLIENT_SITE(), stream, priority);
}

CudaError cudaStreamGetId(CudaStream stream, unsigned long long *id) {
    WireRequest request = client_request(WIRE_cudaStreamGetId, CLIENT_SITE());
    request.arguments[0] = client_word(stream);
    request.arguments[1] = client_word(id);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *id = reply.results[0];
    return error;
}

CudaError cudaStreamGetDevice(CudaStream stream, int *device) {
    return ask_stream(WIRE_cudaStreamGetDevice, CLIENT_SITE(), stream, device);
}

/* ---- events ---- */

CudaError cudaEventCreate(CudaEvent *event) {
    return create(WIRE_cudaEventCreate, CLIENT_SITE(), event, 0, 0);
}

CudaError cudaEventCreateWithFlags(CudaEvent *event, unsigned flags) {
    return create(WIRE_cudaEventCreateWithFlags, CLIENT_SITE(), event, flags, 0);
}

CudaError cudaEventRecord(CudaEvent event, CudaStream stream) {
    return CLIENT_SIMPLE(cudaEventRecord, client_word(event), client_word(stream));
}

CudaError cudaEventRecordWithFlags(CudaEvent event, CudaStream stream, unsigned flags) {
    return CLIENT_SIMPLE(cudaEventRecordWithFlags, client_word(event), client_word(stream), flags);
}

CudaError cudaEventSynchronize(CudaEvent event) {
    return wait_for(WIRE_cudaEventSynchronize, CLIENT_SITE(), event);
}

CudaError cudaEventQuery(CudaEvent event) {
    return wait_for(WIRE_cudaEventQuery, CLIENT_SITE(), event);
}

static CudaError elapsed(WireFunction which, ClientSite site, float *milliseconds, CudaEvent start,
                         CudaEvent end) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(milliseconds);
    request.arguments[1] = client_word(start);
    request.arguments[2] = client_word(end);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *milliseconds = (float)((double)(int64_t)reply.results[0] * 1e-6);
    return error;
}

CudaError cudaEventElapsedTime(float *milliseconds, CudaEvent start, CudaEvent end) {
    return elapsed(WIRE_cudaEventElapsedTime, CLIENT_SITE(), milliseconds, start, end);
}

CudaError cudaEventElapsedTime_v2(float *milliseconds, CudaEvent start, CudaEvent end) {
    return elapsed(WIRE_cudaEventElapsedTime_v2, CLIENT_SITE(), milliseconds, start, end);
}

enum { ATTRIBUTE_BYTES = 64 }; /* cudaLaunchAttributeValue */

CudaError cudaStreamSetAttribute(CudaStream stream, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaStreamSetAttribute);
    WireRequest request = client_request(WIRE_cudaStreamSetAttribute, CLIENT_SITE());
    request.arguments[0] = client_word(stream);
    request.arguments[1] = (uint64_t)(int64_t)attribute;
    request.payload_bytes = ATTRIBUTE_BYTES;
    return client_call(&request, value, NULL);
}

CudaError cudaStreamGetAttribute(CudaStream stream, int attribute, void *value) {
    WireRequest request = client_request(WIRE_cudaStreamGetAttribute, CLIENT_SITE());
    request.arguments[0] = client_word(stream);
    request.arguments[1] = (uint64_t)(int64_t)attribute;
    request.arguments[2] = client_word(value);
    uint8_t kept[ATTRIBUTE_BYTES];
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, kept, sizeof kept);
    if (error == CUDA_SUCCESS) memcpy(value, kept, sizeof kept);
    return error;
}

CudaError cudaStreamCopyAttributes(CudaStream to, CudaStream from) {
    return CLIENT_SIMPLE(cudaStreamCopyAttributes, client_word(to), client_word(from));
}

CudaError cudaEventDestroy(CudaEvent event) {
    return CLIENT_SIMPLE(cudaEventDestroy, client_word(event));
}
