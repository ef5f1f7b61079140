/* library.h - functions that device code may call without defining them: device maths, printf, assert,
 * malloc.
 *
 * Clang compiles calls to sinf and friends as calls to external functions (there is no libdevice without
 * NVIDIA's toolkit); the machine resolves them here by name. One row of library.def is one function. Pure
 * functions work on 32 lanes at a time; the few that need the machine (printf, assert, malloc, free) are
 * marked and done by call.c.
 */
#pragma once

#include "gpu/gpu.h"

enum { GPU_LIBRARY_MAX_ARGUMENTS = 6, GPU_ULP_UNKNOWN = -1 };

typedef enum GpuLibraryService {
    GPU_LIBRARY_PURE,
    GPU_LIBRARY_VPRINTF,
    GPU_LIBRARY_ASSERTFAIL,
    GPU_LIBRARY_MALLOC,
    GPU_LIBRARY_FREE,
    GPU_LIBRARY_DEVICE_MALLOC, /**< cudaMalloc in device code */
    GPU_LIBRARY_CHILD_BUFFER,  /**< from here on: of launches from device code (children.h) */
    GPU_LIBRARY_CHILD_LAUNCH,
    GPU_LIBRARY_CHILD_ERROR,
    GPU_LIBRARY_CHILD_PEEK,
    GPU_LIBRARY_CHILD_HANDLE, /**< of a stream or an event */
    GPU_LIBRARY_CONDITION,    /**< a condition of a graph gets a value */
    GPU_LIBRARY_CHILD_DEVICE, /**< the number of the device: 0 */
    GPU_LIBRARY_CHILD_NOTHING /**< there is nothing to do */
} GpuLibraryService;

/** Arguments and result are arrays of 32 slots of 8 bytes, lane by lane; values narrower than 8 bytes are in
 * the low bytes. */
typedef struct GpuLibraryCall {
    uint32_t lanes; /**< only these need a result; others may hold anything */
    const uint64_t *arguments[GPU_LIBRARY_MAX_ARGUMENTS];
    uint64_t *result;
} GpuLibraryCall;

typedef struct GpuLibraryEntry {
    const char *name;
    GpuLibraryService service;
    PtxType result; /**< PTX_NONE: none */
    PtxType arguments[GPU_LIBRARY_MAX_ARGUMENTS];
    unsigned argument_count;
    int ulp; /**< by so many units in the last place at most a card's result may be off; 0: it is
                  forced; GPU_ULP_UNKNOWN */
    void (*function)(const GpuLibraryCall *call); /**< PURE only */
} GpuLibraryEntry;

/** By PTX name (C linkage: "sinf"); NULL when there is none. Functions that return through a pointer
 * (sincosf, modff, frexpf) are not here: the headers define them in terms of those that are. */
const GpuLibraryEntry *gpu_library_find(const char *name);
