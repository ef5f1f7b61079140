/* serve_call.c - what handlers ask of the call that is being served. */
#include "device/serve/serve.h"

#include "base/text.h"
#include "device/state/names.h"

const char *serve_function(const Device *device) {
    return names_function(device->serving.request->function);
}

bool serve_waits(const Device *device) {
    return !text_ends_with(serve_function(device), "Async");
}

unsigned serve_thread(const Device *device) {
    return device->serving.request->thread % DEVICE_MAX_THREADS;
}

CudaCode serve_reply_with(Device *device, const void *bytes, size_t count) {
    device->serving.payload = bytes;
    device->serving.reply.payload_bytes = count;
    return CUDA_OK;
}
