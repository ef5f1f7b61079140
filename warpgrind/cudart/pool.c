/* pool.c - memory pools of stream-ordered allocation. Handles are numbers the device gave out. */
#include "cudart/client.h"

#include <string.h>

typedef void *CudaPool;

/** cudaMemPoolProps, as far as it matters here. */
typedef struct PoolProperties {
    int type, handles, location, device;
} PoolProperties;

/** cudaMemLocation */
typedef struct Location {
    int type, device;
} Location;

/** cudaMemAccessDesc */
typedef struct Access {
    Location location;
    int flags;
} Access;

enum { RELEASE_THRESHOLD = 4 };

EXPORT CudaError cudaDeviceGetDefaultMemPool(CudaPool *pool, int device);
EXPORT CudaError cudaDeviceGetMemPool(CudaPool *pool, int device);
EXPORT CudaError cudaDeviceSetMemPool(int device, CudaPool pool);
EXPORT CudaError cudaMemPoolCreate(CudaPool *pool, const PoolProperties *properties);
EXPORT CudaError cudaMemPoolDestroy(CudaPool pool);
EXPORT CudaError cudaMemPoolSetAttribute(CudaPool pool, int attribute, const void *value);
EXPORT CudaError cudaMemPoolGetAttribute(CudaPool pool, int attribute, void *value);
EXPORT CudaError cudaMemPoolTrimTo(CudaPool pool, size_t bytes);
EXPORT CudaError cudaMemPoolSetAccess(CudaPool pool, const Access *list, size_t count);
EXPORT CudaError cudaMemPoolGetAccess(int *flags, CudaPool pool, const Location *location);
EXPORT CudaError cudaMallocFromPoolAsync(void **pointer, size_t bytes, CudaPool pool, CudaStream stream);

static CudaError ask_pool(WireFunction which, ClientSite site, CudaPool *pool, int device) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(pool);
    request.arguments[1] = (uint64_t)(int64_t)device;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *pool = client_pointer(reply.results[0]);
    return error;
}

CudaError cudaDeviceGetDefaultMemPool(CudaPool *pool, int device) {
    return ask_pool(WIRE_cudaDeviceGetDefaultMemPool, CLIENT_SITE(), pool, device);
}

CudaError cudaDeviceGetMemPool(CudaPool *pool, int device) {
    return ask_pool(WIRE_cudaDeviceGetMemPool, CLIENT_SITE(), pool, device);
}

CudaError cudaDeviceSetMemPool(int device, CudaPool pool) {
    return CLIENT_SIMPLE(cudaDeviceSetMemPool, (uint64_t)(int64_t)device, client_word(pool));
}

CudaError cudaMemPoolCreate(CudaPool *pool, const PoolProperties *properties) {
    if (properties == NULL) return CLIENT_NULL(cudaMemPoolCreate);
    return ask_pool(WIRE_cudaMemPoolCreate, CLIENT_SITE(), pool, properties->device);
}

CudaError cudaMemPoolDestroy(CudaPool pool) {
    return CLIENT_SIMPLE(cudaMemPoolDestroy, client_word(pool));
}

/** The first three are ints, the others 64 bits. */
CudaError cudaMemPoolSetAttribute(CudaPool pool, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaMemPoolSetAttribute);
    uint64_t word = 0;
    memcpy(&word, value, attribute < RELEASE_THRESHOLD ? sizeof(int) : sizeof word);
    return CLIENT_SIMPLE(cudaMemPoolSetAttribute, client_word(pool), (uint64_t)(int64_t)attribute, word);
}

CudaError cudaMemPoolGetAttribute(CudaPool pool, int attribute, void *value) {
    if (value == NULL) return CLIENT_NULL(cudaMemPoolGetAttribute);
    WireRequest request = client_request(WIRE_cudaMemPoolGetAttribute, CLIENT_SITE());
    request.arguments[0] = client_word(pool);
    request.arguments[1] = (uint64_t)(int64_t)attribute;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS)
        memcpy(value, &reply.results[0], attribute < RELEASE_THRESHOLD ? sizeof(int) : sizeof(uint64_t));
    return error;
}

CudaError cudaMemPoolTrimTo(CudaPool pool, size_t bytes) {
    return CLIENT_SIMPLE(cudaMemPoolTrimTo, client_word(pool), bytes);
}

CudaError cudaMemPoolSetAccess(CudaPool pool, const Access *list, size_t count) {
    if (list == NULL && count > 0) return CLIENT_NULL(cudaMemPoolSetAccess);
    ClientSite site = CLIENT_SITE();
    CudaError error = CUDA_SUCCESS;
    for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++) {
        const uint64_t words[] = {client_word(pool), (uint64_t)(int64_t)list[i].location.type,
                                  (uint64_t)(int64_t)list[i].location.device,
                                  (uint64_t)(int64_t)list[i].flags};
        error = client_simple(WIRE_cudaMemPoolSetAccess, site, words, 4);
    }
    return error;
}

CudaError cudaMemPoolGetAccess(int *flags, CudaPool pool, const Location *location) {
    if (location == NULL) return CLIENT_NULL(cudaMemPoolGetAccess);
    WireRequest request = client_request(WIRE_cudaMemPoolGetAccess, CLIENT_SITE());
    const uint64_t words[] = {client_word(pool), (uint64_t)(int64_t)location->type,
                              (uint64_t)(int64_t)location->device, client_word(flags)};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *flags = (int)reply.results[0];
    return error;
}

static CudaError from_pool(ClientSite site, void **pointer, size_t bytes, CudaPool pool, CudaStream stream) {
    WireRequest request = client_request(WIRE_cudaMallocFromPoolAsync, site);
    const uint64_t words[] = {client_word(pointer), bytes, client_word(stream), client_word(pool)};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *pointer = client_pointer(reply.results[0]);
    return error;
}

CudaError cudaMallocFromPoolAsync(void **pointer, size_t bytes, CudaPool pool, CudaStream stream) {
    return from_pool(CLIENT_SITE(), pointer, bytes, pool, stream);
}
