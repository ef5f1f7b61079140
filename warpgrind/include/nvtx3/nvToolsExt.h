/* nvToolsExt.h - marks for NVIDIA's profiler, which listens nowhere here: every call is accepted and does
 * nothing. Also valid C. `warpgrind --trace` shows what happened when. Source: NVTX Library, C API.
 */
#ifndef WARPGRIND_NV_TOOLS_EXT_H
#define WARPGRIND_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
};

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* A function of `type` that takes what it gets and answers `value`. */
#define WARPGRIND_MARK(type, name, parameters, value)                                                        \
    static __inline__ __attribute__((unused)) type name parameters {                                         \
        return value;                                                                                        \
    }
#define WARPGRIND_MARK_VOID(name, parameters)                                                                \
    static __inline__ __attribute__((unused)) void name parameters {}
#define A __attribute__((unused))
WARPGRIND_MARK_VOID(nvtxInitialize, (A const void *reserved))
WARPGRIND_MARK_VOID(nvtxMarkA, (A const char *message))
WARPGRIND_MARK_VOID(nvtxMarkW, (A const wchar_t *message))
WARPGRIND_MARK_VOID(nvtxMarkEx, (A const nvtxEventAttributes_t *attributes))
WARPGRIND_MARK(nvtxRangeId_t, nvtxRangeStartA, (A const char *message), 0)
WARPGRIND_MARK(nvtxRangeId_t, nvtxRangeStartW, (A const wchar_t *message), 0)
WARPGRIND_MARK(nvtxRangeId_t, nvtxRangeStartEx, (A const nvtxEventAttributes_t *attributes), 0)
WARPGRIND_MARK_VOID(nvtxRangeEnd, (A nvtxRangeId_t id))
WARPGRIND_MARK(int, nvtxRangePushA, (A const char *message), 0)
WARPGRIND_MARK(int, nvtxRangePushW, (A const wchar_t *message), 0)
WARPGRIND_MARK(int, nvtxRangePushEx, (A const nvtxEventAttributes_t *attributes), 0)
WARPGRIND_MARK(int, nvtxRangePop, (void), 0)
WARPGRIND_MARK_VOID(nvtxNameCategoryA, (A uint32_t category, A const char *name))
WARPGRIND_MARK_VOID(nvtxNameOsThreadA, (A uint32_t thread, A const char *name))
WARPGRIND_MARK(nvtxDomainHandle_t, nvtxDomainCreateA, (A const char *name), NULL)
WARPGRIND_MARK_VOID(nvtxDomainDestroy, (A nvtxDomainHandle_t domain))
WARPGRIND_MARK_VOID(nvtxDomainMarkEx,
                    (A nvtxDomainHandle_t domain, A const nvtxEventAttributes_t *attributes))
WARPGRIND_MARK(nvtxRangeId_t, nvtxDomainRangeStartEx,
               (A nvtxDomainHandle_t domain, A const nvtxEventAttributes_t *attributes), 0)
WARPGRIND_MARK_VOID(nvtxDomainRangeEnd, (A nvtxDomainHandle_t domain, A nvtxRangeId_t id))
WARPGRIND_MARK(int, nvtxDomainRangePushEx,
               (A nvtxDomainHandle_t domain, A const nvtxEventAttributes_t *attributes), 0)
WARPGRIND_MARK(int, nvtxDomainRangePop, (A nvtxDomainHandle_t domain), 0)
WARPGRIND_MARK(nvtxStringHandle_t, nvtxDomainRegisterStringA,
               (A nvtxDomainHandle_t domain, A const char *string), NULL)
#undef A
#undef WARPGRIND_MARK
#undef WARPGRIND_MARK_VOID

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
