/* device.c - which device, what it can do, and settings. Properties are filled here from what the device says
 * of itself (attributes.def). */
#include "cudart/client.h"

#include <stdio.h>
#include <string.h>

/* cudaDeviceProp as CUDA 13 has it, and as CUDA 12 (and 11, a prefix of it) had it. */
#define PROPERTY(type, name, attribute) type name;
#define PROPERTY_LIST(type, name, count, ...) type name[count];
#define PROPERTY_BLANK(type, name, count) type name[count];
#define PROPERTY_OLD(type, name, attribute)
typedef struct Properties13 {
#include "cudart/properties.def"
} Properties13;
#undef PROPERTY_OLD
#define PROPERTY_OLD(type, name, attribute) type name;
typedef struct Properties12 {
#include "cudart/properties.def"
} Properties12;
#undef PROPERTY
#undef PROPERTY_LIST
#undef PROPERTY_BLANK
#undef PROPERTY_OLD

/* Set for libcudart.so.11.0, whose cudaGetDeviceProperties has the old layout. */
#ifdef CUDART_OLD_PROPERTIES
enum { OLD_PROPERTIES = 1 };
#else
enum { OLD_PROPERTIES = 0 };
#endif

/** cudaChannelFormatDesc */
typedef struct ChannelFormat {
    int x, y, z, w, kind;
} ChannelFormat;

/* ---- properties ---- */

/** An attribute's value; None has none. */
enum { WIRE_ATTRIBUTE_None = -1 };
static int32_t value_of(const WireProperties *from, int attribute) {
    if (attribute == WIRE_ATTRIBUTE_None) return 0;
    return from->values[attribute];
}

#define FILL_PROPERTIES(into, from)                                                                          \
    do {                                                                                                     \
        memset(into, 0, sizeof *(into));                                                                     \
        snprintf((into)->name, sizeof((into)->name), "%.*s", (int)sizeof((from)->name), (from)->name);       \
        memcpy((into)->uuid, (from)->uuid, sizeof(into)->uuid);                                              \
    } while (0)

#define PROPERTY_BLANK(type, member, count)
#define VALUE(attribute) value_of(from, WIRE_ATTRIBUTE_##attribute)

/** Members that CUDA 13 removed: the headers give them the end of what is reserved (driver_types.h). */
enum {
#define PROPERTY(type, member, attribute)
#define PROPERTY_LIST(type, member, count, ...)
#define PROPERTY_OLD(type, member, attribute) OLD_##member,
#include "cudart/properties.def"
#undef PROPERTY_OLD
    OLD_COUNT
};

static void fill_old(int *into, const WireProperties *from) {
#define PROPERTY_OLD(type, member, attribute) into[OLD_##member] = VALUE(attribute);
#include "cudart/properties.def"
#undef PROPERTY_OLD
#undef PROPERTY
#undef PROPERTY_LIST
}

#define PROPERTY(type, member, attribute) into->member = (type)VALUE(attribute);
#define PROPERTY_LIST(type, member, count, ...) LIST_##count(into->member, __VA_ARGS__)
#define LIST_2(list, a, b) list[0] = VALUE(a), list[1] = VALUE(b);
#define LIST_3(list, a, b, c) list[0] = VALUE(a), list[1] = VALUE(b), list[2] = VALUE(c);

static void fill_13(Properties13 *into, const WireProperties *from) {
    FILL_PROPERTIES(into, from);
#define PROPERTY_OLD(type, member, attribute)
#include "cudart/properties.def"
#undef PROPERTY_OLD
    into->totalGlobalMem = from->memory;
    fill_old(into->reserved + sizeof into->reserved / sizeof *into->reserved - OLD_COUNT, from);
}

static void fill_12(Properties12 *into, const WireProperties *from) {
    FILL_PROPERTIES(into, from);
#define PROPERTY_OLD PROPERTY
#include "cudart/properties.def"
    into->totalGlobalMem = from->memory;
}

/** The device says whether that device exists (and reports it if not), and what it is like. */
static CudaError ask_properties(ClientSite site, WireFunction which, const void *properties, int device,
                                WireProperties *answer) {
    WireRequest request = client_request(which, site);
    request.cudaGetDeviceProperties =
        (Arguments_cudaGetDeviceProperties){client_word(properties), client_number(device)};
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, answer, sizeof *answer);
    if (error == CUDA_SUCCESS && reply.payload_bytes != sizeof *answer) return CUDA_UNKNOWN;
    return error;
}

ENTRY(CudaError, cudaGetDeviceProperties, void *properties, int device) {
    WireProperties answer;
    CudaError error =
        ask_properties(CLIENT_SITE(), WIRE_cudaGetDeviceProperties, properties, device, &answer);
    if (error != CUDA_SUCCESS) return error;
    if (!OLD_PROPERTIES) {
        fill_13(properties, &answer);
        return CUDA_SUCCESS;
    }
    /* CUDA 11's struct ends where CUDA 12 added members. */
    Properties12 full;
    fill_12(&full, &answer);
    memcpy(properties, &full, offsetof(Properties12, hostRegisterSupported));
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaGetDeviceProperties_v2, void *properties, int device) {
    WireProperties answer;
    CudaError error =
        ask_properties(CLIENT_SITE(), WIRE_cudaGetDeviceProperties_v2, properties, device, &answer);
    if (error == CUDA_SUCCESS) fill_12(properties, &answer);
    return error;
}

/* ---- questions ---- */

ENTRY(CudaError, cudaDeviceGetStreamPriorityRange, int *least, int *greatest) {
    WireRequest request = CLIENT_REQUEST(cudaDeviceGetStreamPriorityRange, CLIENT_SITE(),
                                         .least = client_word(least), .greatest = client_word(greatest));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    if (least != NULL) *least = (int)reply.cudaDeviceGetStreamPriorityRange.least;
    if (greatest != NULL) *greatest = (int)reply.cudaDeviceGetStreamPriorityRange.greatest;
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaDeviceGetPCIBusId, char *text, int length, int device) {
    CudaError error = CLIENT_SEND(cudaDeviceGetPCIBusId, .text = client_word(text),
                                  .length = client_number(length), .device = client_number(device));
    if (error == CUDA_SUCCESS) snprintf(text, (size_t)length, "0000:%02X:00.0", (unsigned)device);
    return error;
}

ENTRY(CudaError, cudaDeviceGetByPCIBusId, int *device, const char *text) {
    enum { LONGEST = 31 };
    if (text == NULL) return CLIENT_NULL(cudaDeviceGetByPCIBusId);
    WireRequest request =
        CLIENT_REQUEST(cudaDeviceGetByPCIBusId, CLIENT_SITE(), .device = client_word(device));
    request.payload_bytes = strnlen(text, LONGEST);
    WireReply reply;
    CudaError error = client_call(&request, text, &reply);
    if (error == CUDA_SUCCESS) *device = (int)reply.cudaDeviceGetByPCIBusId.device;
    return error;
}

ENTRY(CudaError, cudaDeviceGetTexture1DLinearMaxWidth, size_t *width, const ChannelFormat *format,
      int device) {
    if (format == NULL) return CLIENT_NULL(cudaDeviceGetTexture1DLinearMaxWidth);
    WireRequest request = CLIENT_REQUEST(cudaDeviceGetTexture1DLinearMaxWidth, CLIENT_SITE(),
                                         .width = client_word(width), .device = client_number(device));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *width = (size_t)reply.cudaDeviceGetTexture1DLinearMaxWidth.width;
    return error;
}

/** Only puts its arguments together: no business of the device's. */
ENTRY(ChannelFormat, cudaCreateChannelDesc, int x, int y, int z, int w, int kind) {
    return (ChannelFormat){x, y, z, w, kind};
}
