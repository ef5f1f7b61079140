/* codes.h - CUDA's numbers that the device itself uses: errors, directions of copies, handles of streams; and
 * the bounds on what a program may make.
 */
#pragma once

#include <stdint.h>

/** cudaError_t */
typedef enum CudaCode {
    CUDA_OK = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_INVALID_CONFIGURATION = 9,
    CUDA_INVALID_PITCH = 12,
    CUDA_INVALID_SYMBOL = 13,
    CUDA_INVALID_TEXTURE = 18,
    CUDA_INVALID_CHANNELS = 20,
    CUDA_INVALID_DIRECTION = 21,
    CUDA_INVALID_FILTER = 26,
    CUDA_INVALID_NORMALIZATION = 27,
    CUDA_INVALID_FUNCTION = 98,
    CUDA_INVALID_DEVICE = 101,
    CUDA_NO_KERNEL_IMAGE = 209,
    CUDA_INVALID_PTX = 218,
    CUDA_UNSUPPORTED_PTX = 222,
    CUDA_INVALID_HANDLE = 400,
    CUDA_ILLEGAL_STATE = 401,
    CUDA_SYMBOL_NOT_FOUND = 500,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_PEER_UNSUPPORTED = 217,
    CUDA_PEER_ALREADY_ENABLED = 704,
    CUDA_PEER_NOT_ENABLED = 705,
    CUDA_ASSERT = 710,
    CUDA_ALREADY_REGISTERED = 712,
    CUDA_NOT_REGISTERED = 713,
    CUDA_STACK_ERROR = 714,
    CUDA_ILLEGAL_INSTRUCTION = 715,
    CUDA_MISALIGNED = 716,
    CUDA_LAUNCH_FAILURE = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_NOT_SUPPORTED = 801,
    CUDA_CAPTURE_UNSUPPORTED = 900,
    CUDA_CAPTURE_INVALIDATED = 901,
    CUDA_CAPTURE_MERGE = 902,
    CUDA_CAPTURE_UNMATCHED = 903,
    CUDA_CAPTURE_UNJOINED = 904,
    CUDA_CAPTURE_ISOLATION = 905,
    CUDA_CAPTURE_IMPLICIT = 906,
    CUDA_CAPTURED_EVENT = 907,
    CUDA_CAPTURE_WRONG_THREAD = 908,
    CUDA_GRAPH_UPDATE_FAILURE = 910,
    CUDA_UNKNOWN = 999
} CudaCode;

enum { COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST, COPY_DEVICE_TO_DEVICE, COPY_DEFAULT };
enum {
    STREAM_LEGACY = 1,
    STREAM_PER_THREAD = 2,
    STREAM_BUILDER = 3 /**< serve_node.c: nodes added by hand */
};
#define STREAM_HIDDEN (UINT64_MAX - 1) /**< no handle of the program's: lanes of graphs */

/** Bounds on what a program may make; past them it gets cudaErrorMemoryAllocation. */
enum {
    DEVICE_MAX_OBJECTS = 65536, /**< streams, events, kernels, variables, each */
    DEVICE_MAX_MODULES = 1024,
    DEVICE_MAX_PENDING = 8192,
    DEVICE_MAX_THREADS = 256,
    DEVICE_MAX_DEVICES = 8,
    DEVICE_MAX_UNCHECKED = 1024,
    DEVICE_MAX_HINTS = 256,
    DEVICE_MAX_TOUCHES = 256,
    DEVICE_MAX_RANGES = 128,
    DEVICE_MAX_LANDINGS = 64,   /**< as many as the client remembers */
    DEVICE_OLDEST_TOOLKIT = 11, /**< of libcudart, by its soname */
    DEVICE_NEWEST_TOOLKIT = 13,
    DEVICE_MAX_MODULE_BYTES = 64 << 20, /**< of all images together */
    DEVICE_MAX_NAME_BYTES = 16 << 20,   /**< of all names and marks together */
    DEVICE_LONGEST_MARK = 255
};
