/* texture.c - texture and surface objects: the descriptions travel as they are, the device reads them. */
#include "cudart/client.h"

#include <stddef.h>
#include <string.h>

typedef unsigned long long CudaObject;

EXPORT CudaError cudaCreateTextureObject(CudaObject *object, const WireResource *resource,
                                         const WireTextureSettings *settings, const WireView *view);
EXPORT CudaError cudaDestroyTextureObject(CudaObject object);
EXPORT CudaError cudaCreateSurfaceObject(CudaObject *object, const WireResource *resource);
EXPORT CudaError cudaDestroySurfaceObject(CudaObject object);
EXPORT CudaError cudaGetTextureObjectResourceDesc(WireResource *resource, CudaObject object);
EXPORT CudaError cudaGetTextureObjectTextureDesc(WireTextureSettings *settings, CudaObject object);
EXPORT CudaError cudaGetTextureObjectResourceViewDesc(WireView *view, CudaObject object);
EXPORT CudaError cudaGetSurfaceObjectResourceDesc(WireResource *resource, CudaObject object);

static CudaError create(WireFunction which, ClientSite site, CudaObject *object, const void *payload,
                        size_t bytes) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(object);
    request.payload_bytes = bytes;
    WireReply reply;
    CudaError error = client_call(&request, payload, &reply);
    if (error == CUDA_SUCCESS) *object = reply.results[0];
    return error;
}

CudaError cudaCreateTextureObject(CudaObject *object, const WireResource *resource,
                                  const WireTextureSettings *settings, const WireView *view) {
    struct {
        WireResource resource;
        WireTextureSettings settings;
        WireView view;
    } all;
    if (resource == NULL || settings == NULL) return CLIENT_NULL(cudaCreateTextureObject);
    memcpy(&all.resource, resource, sizeof all.resource);
    memcpy(&all.settings, settings, sizeof all.settings);
    if (view != NULL) memcpy(&all.view, view, sizeof all.view);
    size_t bytes = view != NULL ? sizeof all : offsetof(__typeof__(all), view);
    return create(WIRE_cudaCreateTextureObject, CLIENT_SITE(), object, &all, bytes);
}

CudaError cudaDestroyTextureObject(CudaObject object) {
    return CLIENT_SIMPLE(cudaDestroyTextureObject, object);
}

CudaError cudaCreateSurfaceObject(CudaObject *object, const WireResource *resource) {
    if (resource == NULL) return CLIENT_NULL(cudaCreateSurfaceObject);
    return create(WIRE_cudaCreateSurfaceObject, CLIENT_SITE(), object, resource, sizeof *resource);
}

CudaError cudaDestroySurfaceObject(CudaObject object) {
    return CLIENT_SIMPLE(cudaDestroySurfaceObject, object);
}

/* ---- what an object was made of ---- */

static CudaError ask(WireFunction which, ClientSite site, CudaObject object, void *into, size_t bytes) {
    if (into == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    request.arguments[0] = object;
    WireReply reply;
    return client_call_into(&request, NULL, &reply, into, bytes);
}

CudaError cudaGetTextureObjectResourceDesc(WireResource *resource, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectResourceDesc, CLIENT_SITE(), object, resource, sizeof *resource);
}

CudaError cudaGetTextureObjectTextureDesc(WireTextureSettings *settings, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectTextureDesc, CLIENT_SITE(), object, settings, sizeof *settings);
}

CudaError cudaGetTextureObjectResourceViewDesc(WireView *view, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectResourceViewDesc, CLIENT_SITE(), object, view, sizeof *view);
}

CudaError cudaGetSurfaceObjectResourceDesc(WireResource *resource, CudaObject object) {
    return ask(WIRE_cudaGetSurfaceObjectResourceDesc, CLIENT_SITE(), object, resource, sizeof *resource);
}
