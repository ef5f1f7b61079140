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

ENTRY(CudaError, cudaMemPoolCreate, CudaPool *pool, const PoolProperties *properties) {
    if (properties == NULL) return CLIENT_NULL(cudaMemPoolCreate);
    WireRequest request = CLIENT_REQUEST(cudaMemPoolCreate, CLIENT_SITE(), .pool = client_word(pool),
                                         .device = client_number(properties->device));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *pool = client_pointer(reply.cudaMemPoolCreate.pool);
    return error;
}

/** The first three are ints, the others 64 bits. */
static size_t attribute_bytes(int attribute) {
    enum { RELEASE_THRESHOLD = 4 };
    if (attribute < RELEASE_THRESHOLD) return sizeof(int);
    return sizeof(uint64_t);
}

ENTRY(CudaError, cudaMemPoolSetAttribute, CudaPool pool, int attribute, const void *value) {
    if (value == NULL) return CLIENT_NULL(cudaMemPoolSetAttribute);
    uint64_t word = 0;
    memcpy(&word, value, attribute_bytes(attribute));
    return CLIENT_SEND(cudaMemPoolSetAttribute, .pool = client_word(pool),
                       .attribute = client_number(attribute), .value = word);
}

ENTRY(CudaError, cudaMemPoolGetAttribute, CudaPool pool, int attribute, void *value) {
    if (value == NULL) return CLIENT_NULL(cudaMemPoolGetAttribute);
    WireRequest request = CLIENT_REQUEST(cudaMemPoolGetAttribute, CLIENT_SITE(), .pool = client_word(pool),
                                         .attribute = client_number(attribute));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS)
        memcpy(value, &reply.cudaMemPoolGetAttribute.value, attribute_bytes(attribute));
    return error;
}

ENTRY(CudaError, cudaMemPoolSetAccess, CudaPool pool, const Access *list, size_t count) {
    if (list == NULL && count > 0) return CLIENT_NULL(cudaMemPoolSetAccess);
    ClientSite site = CLIENT_SITE();
    CudaError error = CUDA_SUCCESS;
    for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++)
        error = client_send(CLIENT_REQUEST(cudaMemPoolSetAccess, site, .pool = client_word(pool),
                                           .location = client_number(list[i].location.type),
                                           .device = client_number(list[i].location.device),
                                           .access = client_number(list[i].flags)));
    return error;
}

ENTRY(CudaError, cudaMemPoolGetAccess, int *flags, CudaPool pool, const Location *location) {
    if (location == NULL) return CLIENT_NULL(cudaMemPoolGetAccess);
    WireRequest request =
        CLIENT_REQUEST(cudaMemPoolGetAccess, CLIENT_SITE(), .pool = client_word(pool),
                       .location = client_number(location->type), .device = client_number(location->device),
                       .access = client_word(flags));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *flags = (int)reply.cudaMemPoolGetAccess.access;
    return error;
}
