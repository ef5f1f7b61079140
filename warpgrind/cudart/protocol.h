/* protocol.h - what travels between a CUDA program (client, libcudart.so) and the device (server, warpgrind).
 *
 * One request, then any number of intermediate replies, then one WIRE_DONE. Between request and WIRE_DONE the
 * device may ask the client to bring bytes from host memory into the window (PULL), to carry bytes from the
 * window to host memory (PUSH), to write device-side printf output to stdout (OUTPUT), or to run a host
 * function (CALLBACK); PULL, PEEK, PUSH and CALLBACK are answered by a WIRE_CONTINUE request. So it is the
 * device alone that decides when an asynchronous copy takes place, and the client stays thin. Requests marked
 * ONE_WAY in api.def get no reply at all.
 *
 * The window is one sealed memfd, made by the device and passed with the reply to HELLO: WIRE_WINDOW_BYTES
 * for transfers, then the shared pool (pinned and managed memory), which the client maps at the device
 * address when a reply says so.
 *
 * Everything is little endian, as both ends run on one machine. The device trusts nothing that arrives here.
 */
#pragma once

#include "cudart/fields.h"
#include <stdint.h>

#define WIRE_MAGIC UINT32_C(0x57475231)
#define WIRE_WINDOW_BYTES (UINT64_C(64) << 20)
#define WIRE_POOL_BYTES (UINT64_C(2) << 30)
#define WIRE_PAYLOAD_LIMIT (UINT64_C(64) << 20)
#define WIRE_SOCKET_VARIABLE "WARPGRIND_SOCKET"
/** Set where a report is printed after the program: line_end.c. */
#define WIRE_LINE_VARIABLE "WARPGRIND_LINE"
enum { WIRE_VERSION = 1, WIRE_ARGUMENTS = 12, WIRE_RESULTS = 6, WIRE_PAGE = 4096 };

/** What a request asks for: one name per row of api.def. */
typedef enum WireFunction {
#define WIRE_MESSAGE(name, ...) WIRE_##name,
#define WIRE_ONE_WAY(name, ...) WIRE_##name,
#define API_FUNCTION(name, ...) WIRE_##name,
#define API_REFUSED(name) WIRE_##name,
#include "cudart/api.def"
    WIRE_FUNCTION_COUNT
} WireFunction;

/** Where an attribute's value stands in WireProperties: one name per row of attributes.def. */
typedef enum WireAttribute {
#define CUDA_ATTRIBUTE(number, name, value) WIRE_ATTRIBUTE_##name,
#include "cudart/attributes.def"
    WIRE_ATTRIBUTE_COUNT
} WireAttribute;

/** Payload of the answer to cudaGetDeviceProperties. */
typedef struct WireProperties {
    char name[64], uuid[16];
    uint64_t memory;
    int32_t values[WIRE_ATTRIBUTE_COUNT];
} WireProperties;

/** CRASH: why the program dies, as the C library says, or what the client was doing. */
typedef enum WireCrashCause {
    WIRE_CRASH_ITSELF, /**< abort(), or a signal */
    WIRE_CRASH_ASSERTION,
    WIRE_CRASH_HEAP, /**< its words are the request's text */
    WIRE_CRASH_STACK,
    WIRE_CRASH_EXCEPTION, /**< the text is its type's name, as the C++ ABI writes it */
    WIRE_CRASH_ARGUMENT   /**< of a launch that was to be read; the text says which, counted from 0 */
} WireCrashCause;
enum { WIRE_CRASH_TEXT = 40 };

/* What a request asks with, Arguments_NAME, and what its reply brings, Results_NAME: the fields of a row of
 * api.def, each a word. */
#define WIRE_MESSAGE(name, arguments, results, ...)                                                          \
    typedef struct Arguments_##name {                                                                        \
        uint64_t FIELDS_NAMES arguments;                                                                     \
    } Arguments_##name;                                                                                      \
    typedef struct Results_##name {                                                                          \
        uint64_t FIELDS_PLAIN results;                                                                       \
    } Results_##name;
#define WIRE_ONE_WAY(name, arguments, ...) WIRE_MESSAGE(name, arguments, (none), )
#define API_FUNCTION WIRE_MESSAGE
#include "cudart/api.def"

typedef enum WireReplyKind {
    WIRE_DONE = 1,
    WIRE_PULL,    /**< these rows from the host to the window */
    WIRE_PUSH,    /**< the same, from the window to the host */
    WIRE_OUTPUT,  /**< payload: bytes for stdout; not answered */
    WIRE_PEEK,    /**< as PULL, of one row, but nothing comes where the program has no pages any more */
    WIRE_CALLBACK /**< call this function */
} WireReplyKind;

/** Rows in the host's memory, and the offset in the window where they stand without gaps. */
typedef struct WireRows {
    uint64_t host, window, width, count, pitch;
} WireRows;

/** A host function that is due. The ranges (WireRange) that it must leave alone follow. */
typedef struct WireCallback {
    uint64_t function, data, stream;
    uint64_t form; /**< WireCallbackForm */
    uint64_t status;
} WireCallback;
typedef enum WireCallbackForm {
    WIRE_HOST_FUNCTION,  /**< function(data) */
    WIRE_STREAM_CALLBACK /**< function(stream, status, data) */
} WireCallbackForm;

/** What is sent of the functions around a call: Thrust and CUB call through more than a dozen of theirs. */
enum { WIRE_CALLERS = 24 };

typedef struct WireRequest {
    uint32_t magic;
    uint32_t function;   /**< WireFunction */
    uint32_t thread;     /**< number of the calling host thread, from 1 */
    uint32_t own_stream; /**< stream 0 is the thread's own, not the legacy one */
    uint64_t site; /**< return address of the call, relative to the program's load base; 0: not in the program
                      itself */
    uint64_t callers[WIRE_CALLERS]; /**< return addresses of the function that contains `site`, and of those
                                       around it, as far as they are found; else 0 */
    uint64_t payload_bytes;
    union {
        uint64_t arguments[WIRE_ARGUMENTS];
#define WIRE_MESSAGE(name, ...) Arguments_##name name;
#define WIRE_ONE_WAY(name, ...) Arguments_##name name;
#define API_FUNCTION(name, ...) Arguments_##name name;
#include "cudart/api.def"
    };
} WireRequest;

typedef struct WireReply {
    uint32_t magic;
    uint32_t kind; /**< WireReplyKind */
    int32_t error; /**< DONE: cudaError_t */
    uint32_t idle; /**< DONE: the device has nothing left to do */
    uint64_t payload_bytes;
    union {
        uint64_t results[WIRE_RESULTS];
        WireRows rows;         /**< of PULL, PUSH and PEEK */
        WireCallback callback; /**< of CALLBACK */
#define WIRE_MESSAGE(name, ...) Results_##name name;
#define WIRE_ONE_WAY(name, ...) Results_##name name;
#define API_FUNCTION(name, ...) Results_##name name;
#include "cudart/api.def"
    };
} WireReply;

/** KERNEL_PARAMETERS answers with an array of these. */
typedef struct WireParameter {
    uint32_t offset, bytes;
} WireParameter;

/** Shared memory that a graph's work uses: cudaGraphLaunch answers with an array of these. */
typedef enum WireUse { WIRE_USED_BY_LAUNCH, WIRE_READ_BY_COPY, WIRE_WRITTEN_BY_COPY } WireUse;
typedef struct WireRange {
    uint64_t address, bytes, use;
} WireRange;

/* ---- CUDA arrays and textures ---- */

/** cudaChannelFormatDesc: bits of the components; 0 signed, 1 unsigned, 2 float. */
typedef struct WireChannels {
    int32_t x, y, z, w, kind;
} WireChannels;

/** The part of cudaResourceDesc that all versions have, laid out as there. */
typedef struct WireResource {
    uint32_t type, padding;
    union {
        uint64_t array;
        struct {
            uint64_t address;
            WireChannels channels;
            uint32_t padding;
            uint64_t bytes;
        } linear;
        struct {
            uint64_t address;
            WireChannels channels;
            uint32_t padding;
            uint64_t width, height, pitch;
        } pitched;
    };
} WireResource;

/** The part of cudaTextureDesc that all versions have, laid out as there. */
typedef struct WireTextureSettings {
    uint32_t mode[3], filter, read;
    int32_t srgb;
    float border[4];
    int32_t normalized;
    uint32_t anisotropy, mipmap_filter;
    float mipmap[3];
} WireTextureSettings;

/** The part of cudaResourceViewDesc that all versions have, laid out as there. */
typedef struct WireView {
    uint32_t format, padding;
    uint64_t width, height, depth;
    uint32_t first_level, last_level, first_layer, last_layer;
} WireView;

/** What a texture is made of: the payload of cudaCreateTextureObject and of the binds, and of the former with
 * a view. */
typedef struct WireTexture {
    WireResource resource;
    WireTextureSettings settings;
} WireTexture;
typedef struct WireViewedTexture {
    WireTexture texture;
    WireView view;
} WireViewedTexture;

/** cudaLaunchAttributeValue: payload of cudaStreamSetAttribute, and of the answer to cudaStreamGetAttribute.
 */
typedef struct WireStreamAttribute {
    uint8_t bytes[64];
} WireStreamAttribute;

/** One side of cudaMemcpy3D: an array, or a pointer with its pitch and rows of a slice. */
typedef struct WireSide {
    uint64_t array, x, y, z, pointer, pitch, rows;
} WireSide;

/** Payload of cudaMemcpy3D; width in elements when an array takes part, else in bytes. */
typedef struct WireCopy3D {
    WireSide to, from;
    uint64_t width, height, depth, kind, stream;
} WireCopy3D;

_Static_assert(sizeof(WireResource) == 64 && sizeof(WireTextureSettings) == 64 && sizeof(WireView) == 48,
               "laid out as CUDA's");
_Static_assert(sizeof(WireRequest) == 320 && sizeof(WireReply) == 72, "no padding on the wire");
