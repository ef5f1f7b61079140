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

EXPORT CudaError cudaGetDeviceCount(int *count);
EXPORT CudaError cudaSetDevice(int device);
EXPORT CudaError cudaGetDevice(int *device);
EXPORT CudaError cudaChooseDevice(int *device, const void *properties);
EXPORT CudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags);
EXPORT CudaError cudaSetDeviceFlags(unsigned flags);
EXPORT CudaError cudaGetDeviceFlags(unsigned *flags);
EXPORT CudaError cudaGetDeviceProperties(void *properties, int device);
EXPORT CudaError cudaGetDeviceProperties_v2(void *properties, int device);
EXPORT CudaError cudaDeviceGetAttribute(int *value, int attribute, int device);
EXPORT CudaError cudaDeviceReset(void);
EXPORT CudaError cudaDeviceSetLimit(int limit, size_t value);
EXPORT CudaError cudaDeviceGetLimit(size_t *value, int limit);
EXPORT CudaError cudaDeviceSetCacheConfig(int config);
EXPORT CudaError cudaDeviceGetCacheConfig(int *config);
EXPORT CudaError cudaDeviceSetSharedMemConfig(int config);
EXPORT CudaError cudaDeviceGetSharedMemConfig(int *config);
EXPORT CudaError cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
EXPORT CudaError cudaDeviceCanAccessPeer(int *answer, int device, int peer);
EXPORT CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags);
EXPORT CudaError cudaDeviceDisablePeerAccess(int peer);
EXPORT CudaError cudaDeviceGetByPCIBusId(int *device, const char *text);
EXPORT CudaError cudaDeviceGetPCIBusId(char *text, int length, int device);
EXPORT CudaError cudaDriverGetVersion(int *version);
EXPORT CudaError cudaRuntimeGetVersion(int *version);
EXPORT ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
EXPORT CudaError cudaThreadExit(void);
EXPORT CudaError cudaThreadSetLimit(int limit, size_t value);
EXPORT CudaError cudaThreadGetLimit(size_t *value, int limit);
EXPORT CudaError cudaThreadSetCacheConfig(int config);
EXPORT CudaError cudaThreadGetCacheConfig(int *config);
EXPORT CudaError cudaSetDoubleForDevice(double *number);
EXPORT CudaError cudaSetDoubleForHost(double *number);
EXPORT CudaError cudaCtxResetPersistingL2Cache(void);
EXPORT CudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer);
EXPORT CudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const ChannelFormat *format, int device);
EXPORT CudaError cudaProfilerStart(void);
EXPORT CudaError cudaProfilerStop(void);

/** A question with up to two more arguments whose answer is an int at *answer. */
static CudaError ask(WireFunction which, ClientSite site, int *answer, uint64_t first, uint64_t second) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(answer);
    request.arguments[1] = first;
    request.arguments[2] = second;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *answer = (int)reply.results[0];
    return error;
}

/* ---- which device ---- */

CudaError cudaGetDeviceCount(int *count) {
    return ask(WIRE_cudaGetDeviceCount, CLIENT_SITE(), count, 0, 0);
}

CudaError cudaSetDevice(int device) {
    return CLIENT_SIMPLE(cudaSetDevice, (uint64_t)(int64_t)device);
}

CudaError cudaGetDevice(int *device) {
    return ask(WIRE_cudaGetDevice, CLIENT_SITE(), device, 0, 0);
}

CudaError cudaChooseDevice(int *device, const void *properties) {
    (void)properties;
    return ask(WIRE_cudaChooseDevice, CLIENT_SITE(), device, 0, 0);
}

CudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    return CLIENT_SIMPLE(cudaInitDevice, (uint64_t)(int64_t)device, device_flags, flags);
}

CudaError cudaSetDeviceFlags(unsigned flags) {
    return CLIENT_SIMPLE(cudaSetDeviceFlags, flags);
}

CudaError cudaGetDeviceFlags(unsigned *flags) {
    return ask(WIRE_cudaGetDeviceFlags, CLIENT_SITE(), (int *)flags, 0, 0);
}

/* ---- properties ---- */

/** An attribute's value; None has none. */
enum { WIRE_ATTRIBUTE_None = -1 };
static int32_t value_of(const WireProperties *from, int attribute) {
    return attribute == WIRE_ATTRIBUTE_None ? 0 : from->values[attribute];
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
    request.arguments[0] = client_word(properties);
    request.arguments[1] = (uint64_t)(int64_t)device;
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, answer, sizeof *answer);
    return error == CUDA_SUCCESS && reply.payload_bytes != sizeof *answer ? CUDA_UNKNOWN : error;
}

CudaError cudaGetDeviceProperties(void *properties, int device) {
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

CudaError cudaGetDeviceProperties_v2(void *properties, int device) {
    WireProperties answer;
    CudaError error =
        ask_properties(CLIENT_SITE(), WIRE_cudaGetDeviceProperties_v2, properties, device, &answer);
    if (error == CUDA_SUCCESS) fill_12(properties, &answer);
    return error;
}

CudaError cudaDeviceGetAttribute(int *value, int attribute, int device) {
    return ask(WIRE_cudaDeviceGetAttribute, CLIENT_SITE(), value, (uint64_t)(int64_t)attribute,
               (uint64_t)(int64_t)device);
}

/* ---- settings ---- */

CudaError cudaDeviceReset(void) {
    return client_simple(WIRE_cudaDeviceReset, CLIENT_SITE(), NULL, 0);
}

CudaError cudaDeviceSetLimit(int limit, size_t value) {
    return CLIENT_SIMPLE(cudaDeviceSetLimit, (uint64_t)(int64_t)limit, value);
}

CudaError cudaDeviceGetLimit(size_t *value, int limit) {
    WireRequest request = client_request(WIRE_cudaDeviceGetLimit, CLIENT_SITE());
    request.arguments[0] = client_word(value);
    request.arguments[1] = (uint64_t)(int64_t)limit;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *value = (size_t)reply.results[0];
    return error;
}

CudaError cudaDeviceSetCacheConfig(int config) {
    return CLIENT_SIMPLE(cudaDeviceSetCacheConfig, (uint64_t)config);
}

CudaError cudaDeviceGetCacheConfig(int *config) {
    return ask(WIRE_cudaDeviceGetCacheConfig, CLIENT_SITE(), config, 0, 0);
}

CudaError cudaDeviceSetSharedMemConfig(int config) {
    return CLIENT_SIMPLE(cudaDeviceSetSharedMemConfig, (uint64_t)config);
}

CudaError cudaDeviceGetSharedMemConfig(int *config) {
    return ask(WIRE_cudaDeviceGetSharedMemConfig, CLIENT_SITE(), config, 0, 0);
}

CudaError cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    WireRequest request = client_request(WIRE_cudaDeviceGetStreamPriorityRange, CLIENT_SITE());
    request.arguments[0] = client_word(least);
    request.arguments[1] = client_word(greatest);
    CudaError error = client_call(&request, NULL, NULL);
    if (error != CUDA_SUCCESS) return error;
    if (least != NULL) *least = 0;
    if (greatest != NULL) *greatest = 0;
    return CUDA_SUCCESS;
}

CudaError cudaDeviceCanAccessPeer(int *answer, int device, int peer) {
    return ask(WIRE_cudaDeviceCanAccessPeer, CLIENT_SITE(), answer, (uint64_t)(int64_t)device,
               (uint64_t)(int64_t)peer);
}

CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return CLIENT_SIMPLE(cudaDeviceEnablePeerAccess, (uint64_t)(int64_t)peer, flags);
}

CudaError cudaDeviceDisablePeerAccess(int peer) {
    return CLIENT_SIMPLE(cudaDeviceDisablePeerAccess, (uint64_t)(int64_t)peer);
}

CudaError cudaDeviceGetPCIBusId(char *text, int length, int device) {
    WireRequest request = client_request(WIRE_cudaDeviceGetPCIBusId, CLIENT_SITE());
    const uint64_t words[] = {client_word(text), (uint64_t)(int64_t)length, (uint64_t)(int64_t)device};
    memcpy(request.arguments, words, sizeof words);
    CudaError error = client_call(&request, NULL, NULL);
    if (error == CUDA_SUCCESS) snprintf(text, (size_t)length, "0000:%02X:00.0", (unsigned)device);
    return error;
}

CudaError cudaDeviceGetByPCIBusId(int *device, const char *text) {
    enum { LONGEST = 31 };
    if (text == NULL) return CLIENT_NULL(cudaDeviceGetByPCIBusId);
    WireRequest request = client_request(WIRE_cudaDeviceGetByPCIBusId, CLIENT_SITE());
    request.arguments[0] = client_word(device);
    request.payload_bytes = strnlen(text, LONGEST);
    WireReply reply;
    CudaError error = client_call(&request, text, &reply);
    if (error == CUDA_SUCCESS) *device = (int)reply.results[0];
    return error;
}

CudaError cudaDriverGetVersion(int *version) {
    return ask(WIRE_cudaDriverGetVersion, CLIENT_SITE(), version, 0, 0);
}

CudaError cudaRuntimeGetVersion(int *version) {
    return ask(WIRE_cudaRuntimeGetVersion, CLIENT_SITE(), version, 0, 0);
}

/** Only puts its arguments together: no business of the device's. */
ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return (ChannelFormat){x, y, z, w, kind};
}

CudaError cudaProfilerStart(void) {
    return client_simple(WIRE_cudaProfilerStart, CLIENT_SITE(), NULL, 0);
}

CudaError cudaProfilerStop(void) {
    return client_simple(WIRE_cudaProfilerStop, CLIENT_SITE(), NULL, 0);
}

/* ---- old names, and more questions ---- */

CudaError cudaThreadExit(void) {
    return CLIENT_SIMPLE(cudaThreadExit, 0);
}

CudaError cudaThreadSetCacheConfig(int config) {
    return CLIENT_SIMPLE(cudaThreadSetCacheConfig, (uint64_t)config);
}

CudaError cudaThreadGetCacheConfig(int *config) {
    return ask(WIRE_cudaThreadGetCacheConfig, CLIENT_SITE(), config, 0, 0);
}

CudaError cudaSetDoubleForDevice(double *number) {
    return CLIENT_SIMPLE(cudaSetDoubleForDevice, client_word(number));
}

CudaError cudaSetDoubleForHost(double *number) {
    return CLIENT_SIMPLE(cudaSetDoubleForHost, client_word(number));
}

CudaError cudaThreadSetLimit(int limit, size_t value) {
    return CLIENT_SIMPLE(cudaThreadSetLimit, (uint64_t)limit, value);
}

/** As ask, for a size. */
static CudaError ask_size(WireFunction which, ClientSite site, size_t *answer, uint64_t about) {
    WireRequest request = client_request(which, site);
    request.arguments[0] = client_word(answer);
    request.arguments[1] = about;
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *answer = (size_t)reply.results[0];
    return error;
}

CudaError cudaThreadGetLimit(size_t *value, int limit) {
    return ask_size(WIRE_cudaThreadGetLimit, CLIENT_SITE(), value, (uint64_t)limit);
}

CudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const ChannelFormat *format, int device) {
    if (format == NULL) return CLIENT_NULL(cudaDeviceGetTexture1DLinearMaxWidth);
    return ask_size(WIRE_cudaDeviceGetTexture1DLinearMaxWidth, CLIENT_SITE(), width,
                    (uint64_t)(int64_t)device);
}

CudaError cudaCtxResetPersistingL2Cache(void) {
    return CLIENT_SIMPLE(cudaCtxResetPersistingL2Cache, 0);
}

CudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
    WireRequest request = client_request(WIRE_cudaDeviceGetP2PAttribute, CLIENT_SITE());
    const uint64_t words[] = {client_word(value), (uint64_t)(int64_t)attribute, (uint64_t)(int64_t)device,
                              (uint64_t)(int64_t)peer};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *value = (int)reply.results[0];
    return error;
}
