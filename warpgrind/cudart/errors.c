/* errors.c - error codes as text, and the last error of a thread (which the device keeps). */
#include "cudart/client.h"

typedef struct ErrorText {
    CudaError code;
    const char *name, *text;
} ErrorText;

static const ErrorText errors[] = {
#define CUDA_ERROR(code, name, text) {code, #name, text},
#include "include/cuda_errors.def"
#undef CUDA_ERROR
};

static const ErrorText unknown = {-1, "unrecognized error code", "unrecognized error code"};

/** Finds the row, and lets the device know that the program looks at its errors. */
static const ErrorText *look_at(CudaError code) {
    if (code != CUDA_SUCCESS) {
        WireRequest request = client_request(WIRE_ERROR_LOOKED_AT, (ClientSite){.site = 0});
        request.ERROR_LOOKED_AT.error = (uint64_t)code;
        client_tell(&request, NULL);
    }
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) return &errors[i];
    return &unknown;
}

ENTRY(const char *, cudaGetErrorName, CudaError error) {
    return look_at(error)->name;
}

ENTRY(const char *, cudaGetErrorString, CudaError error) {
    return look_at(error)->text;
}

/** The reply's error is that of the call itself (no device); the last error is a result. */
static CudaError last_error(WireFunction which, ClientSite site) {
    WireRequest request = client_request(which, site);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    return (CudaError)reply.cudaPeekAtLastError.error;
}

ENTRY(CudaError, cudaGetLastError, void) {
    return last_error(WIRE_cudaGetLastError, CLIENT_SITE());
}

ENTRY(CudaError, cudaPeekAtLastError, void) {
    return last_error(WIRE_cudaPeekAtLastError, CLIENT_SITE());
}
