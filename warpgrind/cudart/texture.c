/* texture.c - texture and surface objects: the descriptions travel as they are, the device reads them. */
#include "cudart/client.h"

typedef unsigned long long CudaObject;

static CudaError create(WireFunction which, ClientSite site, CudaObject *object, const void *payload,
                        size_t bytes) {
    WireRequest request = client_request(which, site);
    request.cudaCreateTextureObject.object = client_word(object);
    request.payload_bytes = bytes;
    WireReply reply;
    CudaError error = client_call(&request, payload, &reply);
    if (error == CUDA_SUCCESS) *object = reply.cudaCreateTextureObject.object;
    return error;
}

ENTRY(CudaError, cudaCreateTextureObject, CudaObject *object, const WireResource *resource,
      const WireTextureSettings *settings, const WireView *view) {
    WireViewedTexture all;
    if (resource == NULL || settings == NULL) return CLIENT_NULL(cudaCreateTextureObject);
    all.texture = (WireTexture){*resource, *settings};
    if (view != NULL) all.view = *view;
    size_t bytes = view != NULL ? sizeof all : sizeof all.texture;
    return create(WIRE_cudaCreateTextureObject, CLIENT_SITE(), object, &all, bytes);
}

ENTRY(CudaError, cudaCreateSurfaceObject, CudaObject *object, const WireResource *resource) {
    if (resource == NULL) return CLIENT_NULL(cudaCreateSurfaceObject);
    return create(WIRE_cudaCreateSurfaceObject, CLIENT_SITE(), object, resource, sizeof *resource);
}

/* ---- what an object was made of ---- */

static CudaError ask(WireFunction which, ClientSite site, CudaObject object, void *into, size_t bytes) {
    if (into == NULL) return client_null(which, site);
    WireRequest request = client_request(which, site);
    request.cudaGetTextureObjectResourceDesc.object = object;
    WireReply reply;
    return client_call_into(&request, NULL, &reply, into, bytes);
}

ENTRY(CudaError, cudaGetTextureObjectResourceDesc, WireResource *resource, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectResourceDesc, CLIENT_SITE(), object, resource, sizeof *resource);
}

ENTRY(CudaError, cudaGetTextureObjectTextureDesc, WireTextureSettings *settings, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectTextureDesc, CLIENT_SITE(), object, settings, sizeof *settings);
}

ENTRY(CudaError, cudaGetTextureObjectResourceViewDesc, WireView *view, CudaObject object) {
    return ask(WIRE_cudaGetTextureObjectResourceViewDesc, CLIENT_SITE(), object, view, sizeof *view);
}

ENTRY(CudaError, cudaGetSurfaceObjectResourceDesc, WireResource *resource, CudaObject object) {
    return ask(WIRE_cudaGetSurfaceObjectResourceDesc, CLIENT_SITE(), object, resource, sizeof *resource);
}
