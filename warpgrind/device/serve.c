/* serve.c - the loop: a request, its handler, the error's book-keeping, the reply; and what is found at the
 * end. */
#include "device/complain.h"
#include "device/devices.h"
#include "device/graph_memory.h"
#include "device/halt.h"
#include "device/hints.h"
#include "device/hostside.h"
#include "device/leaks.h"
#include "device/pitched.h"
#include "device/serve.h"
#include "device/unread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *const function_names[WIRE_FUNCTION_COUNT] = {
#define WIRE_MESSAGE(name, arguments, results, summary) [WIRE_##name] = #name,
#define WIRE_ONE_WAY(name, arguments, summary) [WIRE_##name] = #name,
#define API_FUNCTION(name, arguments, results, summary, test) [WIRE_##name] = #name,
#define API_REFUSED(name) [WIRE_##name] = #name,
#include "cudart/api.def"
};

static const bool one_way[WIRE_FUNCTION_COUNT] = {
#define WIRE_ONE_WAY(name, arguments, summary) [WIRE_##name] = true,
#include "cudart/api.def"
};

typedef struct ErrorRow {
    int code;
    const char *name, *text;
} ErrorRow;

static const ErrorRow error_rows[] = {
#define CUDA_ERROR(code, name, text) {code, #name, text},
#include "include/cuda_errors.def"
#undef CUDA_ERROR
};

const char *device_function_name(uint32_t function) {
    return function < WIRE_FUNCTION_COUNT ? function_names[function] : "?";
}

static const ErrorRow *error_row(CudaCode code) {
    for (size_t i = 0; i < sizeof error_rows / sizeof *error_rows; i++)
        if (error_rows[i].code == (int)code) return &error_rows[i];
    return &error_rows[0];
}

const char *device_error_name(CudaCode code) {
    return error_row(code)->name;
}

const char *device_error_text(CudaCode code) {
    return error_row(code)->text;
}

/* ---- handlers ---- */

/** How a request is treated besides its handler. */
enum {
    SERVE_QUIET = 1,     /**< answers after a kernel's fault too, and does not touch the last error */
    SERVE_NO_RESULT = 2, /**< nobody can see its return value: a launch by <<< >>> */
    SERVE_UNSAFE = 4     /**< may wait for the device: not allowed while a stream captures */
};

typedef struct ServeRow {
    ServeHandler *handler;
    unsigned flags;
} ServeRow;

static const ServeRow rows[WIRE_FUNCTION_COUNT] = {
    [WIRE_HELLO] = {serve_hello, SERVE_QUIET},
    [WIRE_REGISTER_MODULE] = {serve_register_module, SERVE_QUIET},
    [WIRE_KERNEL_PARAMETERS] = {serve_kernel_parameters, SERVE_NO_RESULT},
    [WIRE_MANAGED_VARIABLE] = {serve_managed_variable, SERVE_QUIET},
    [WIRE_NULL_ARGUMENT] = {serve_null_argument, 0},
    [WIRE_REFUSED] = {serve_refused, 0},
    [WIRE_REGISTER_KERNEL] = {serve_register_kernel, SERVE_QUIET},
    [WIRE_REGISTER_VARIABLE] = {serve_register_variable, SERVE_QUIET},
    [WIRE_UNREGISTER_MODULE] = {serve_unregister_module, SERVE_QUIET},
    [WIRE_ERROR_LOOKED_AT] = {serve_error_looked_at, SERVE_QUIET},
    [WIRE_MARK] = {serve_mark, SERVE_QUIET},
    [WIRE_CRASH] = {serve_crash, SERVE_QUIET},
    [WIRE_RANKS_APART] = {serve_ranks_apart, SERVE_QUIET},
    [WIRE_EARLY_TOUCH] = {serve_early_touch, SERVE_QUIET},
    [WIRE_curandGenerate] = {serve_curand, 0},
    [WIRE_CLUSTER] = {serve_cluster, 0},
    [WIRE_ATTEND] = {queue_attend, SERVE_QUIET},
    [WIRE_CLOCK_READ] = {serve_clock_read, SERVE_QUIET},
    [WIRE_GOODBYE] = {serve_goodbye, SERVE_QUIET},
    [WIRE_cudaGetLastError] = {serve_get_last_error, SERVE_QUIET},
    [WIRE_cudaPeekAtLastError] = {serve_peek_last_error, SERVE_QUIET},

    [WIRE_cudaGetDeviceCount] = {serve_device_count, SERVE_QUIET},
    [WIRE_cudaSetDevice] = {serve_set_device, 0},
    [WIRE_cudaDeviceEnablePeerAccess] = {serve_enable_peer, 0},
    [WIRE_cudaDeviceDisablePeerAccess] = {serve_disable_peer, 0},
    [WIRE_cudaGetDevice] = {serve_get_device, 0},
    [WIRE_cudaChooseDevice] = {serve_get_device, 0},
    [WIRE_cudaInitDevice] = {serve_init_device, 0},
    [WIRE_cudaSetDeviceFlags] = {serve_set_flags, 0},
    [WIRE_cudaGetDeviceFlags] = {serve_get_flags, 0},
    [WIRE_cudaGetDeviceProperties] = {serve_properties, 0},
    [WIRE_cudaGetDeviceProperties_v2] = {serve_properties, 0},
    [WIRE_cudaDeviceGetAttribute] = {serve_attribute, 0},
    [WIRE_cudaDeviceSynchronize] = {serve_synchronize, SERVE_UNSAFE},
    [WIRE_cudaThreadSynchronize] = {serve_synchronize, SERVE_UNSAFE},
    [WIRE_cudaDeviceReset] = {serve_reset, SERVE_QUIET | SERVE_UNSAFE},
    [WIRE_cudaDeviceSetLimit] = {serve_set_limit, 0},
    [WIRE_cudaDeviceGetLimit] = {serve_get_limit, 0},
    [WIRE_cudaDeviceSetCacheConfig] = {serve_cache_config, 0},
    [WIRE_cudaDeviceGetCacheConfig] = {serve_zero, 0},
    [WIRE_cudaDeviceSetSharedMemConfig] = {serve_ignored, 0},
    [WIRE_cudaDeviceGetSharedMemConfig] = {serve_zero, 0},
    [WIRE_cudaDeviceGetStreamPriorityRange] = {serve_ignored, 0},
    [WIRE_cudaDriverGetVersion] = {serve_version, SERVE_QUIET},
    [WIRE_cudaRuntimeGetVersion] = {serve_version, SERVE_QUIET},
    [WIRE_cudaMemGetInfo] = {serve_memory_info, 0},
    [WIRE_cudaDeviceCanAccessPeer] = {serve_can_access_peer, 0},
    [WIRE_cudaDeviceGetPCIBusId] = {serve_pci_bus_id, 0},
    [WIRE_cudaDeviceGetByPCIBusId] = {serve_find_pci, 0},
    [WIRE_cudaProfilerStart] = {serve_ignored, 0},
    [WIRE_cudaProfilerStop] = {serve_ignored, 0},

    [WIRE_cudaMalloc] = {serve_malloc, SERVE_UNSAFE},
    [WIRE_cudaFree] = {serve_free, SERVE_UNSAFE},
    [WIRE_cudaMallocHost] = {serve_malloc_host, SERVE_UNSAFE},
    [WIRE_cudaHostAlloc] = {serve_host_alloc, SERVE_UNSAFE},
    [WIRE_cudaFreeHost] = {serve_free_host, SERVE_UNSAFE},
    [WIRE_cudaHostRegister] = {serve_host_register, 0},
    [WIRE_cudaHostUnregister] = {serve_host_unregister, 0},
    [WIRE_cudaHostGetDevicePointer] = {serve_host_pointer, 0},
    [WIRE_cudaHostGetFlags] = {serve_host_flags, 0},
    [WIRE_cudaMallocManaged] = {serve_malloc_managed, SERVE_UNSAFE},
    [WIRE_cudaMallocPitch] = {serve_malloc_pitch, SERVE_UNSAFE},
    [WIRE_cudaMalloc3D] = {serve_malloc_3d, SERVE_UNSAFE},
    [WIRE_cudaMallocAsync] = {serve_malloc_async, 0},
    [WIRE_cudaFreeAsync] = {serve_free_async, 0},
    [WIRE_cudaMemcpy] = {serve_memcpy, SERVE_UNSAFE},
    [WIRE_cudaMemcpyAsync] = {serve_memcpy_async, 0},
    [WIRE_cudaMemcpy2D] = {serve_memcpy_2d, SERVE_UNSAFE},
    [WIRE_cudaMemcpy2DAsync] = {serve_memcpy_2d_async, 0},
    [WIRE_cudaMemcpyPeer] = {serve_memcpy_peer, SERVE_UNSAFE},
    [WIRE_cudaMemcpyPeerAsync] = {serve_memcpy_peer_async, 0},
    [WIRE_cudaMemset] = {serve_memset, SERVE_UNSAFE},
    [WIRE_cudaMemsetAsync] = {serve_memset_async, 0},
    [WIRE_cudaMemset2D] = {serve_memset_2d, SERVE_UNSAFE},
    [WIRE_cudaMemset2DAsync] = {serve_memset_2d_async, 0},
    [WIRE_cudaMemcpyToSymbol] = {serve_to_symbol, SERVE_UNSAFE},
    [WIRE_cudaMemcpyToSymbolAsync] = {serve_to_symbol_async, 0},
    [WIRE_cudaMemcpyFromSymbol] = {serve_from_symbol, SERVE_UNSAFE},
    [WIRE_cudaMemcpyFromSymbolAsync] = {serve_from_symbol_async, 0},
    [WIRE_cudaGetSymbolAddress] = {serve_symbol_address, 0},
    [WIRE_cudaGetSymbolSize] = {serve_symbol_size, 0},
    [WIRE_cudaPointerGetAttributes] = {serve_pointer_attributes, 0},
    [WIRE_cudaMemPrefetchAsync] = {serve_memory_advice, 0},
    [WIRE_cudaMemAdvise] = {serve_memory_advice, 0},

    [WIRE_cudaMallocArray] = {serve_malloc_array, 0},
    [WIRE_cudaMalloc3DArray] = {serve_malloc_array, 0},
    [WIRE_cudaMallocMipmappedArray] = {serve_malloc_array, 0},
    [WIRE_cudaGetMipmappedArrayLevel] = {serve_array_level, 0},
    [WIRE_cudaFreeMipmappedArray] = {serve_free_array, 0},
    [WIRE_cudaFreeArray] = {serve_free_array, 0},
    [WIRE_cudaArrayGetInfo] = {serve_array_info, 0},
    [WIRE_cudaGetChannelDesc] = {serve_array_info, 0},
    [WIRE_cudaMemcpy2DToArray] = {serve_rows_to_array, 0},
    [WIRE_cudaMemcpy2DToArrayAsync] = {serve_rows_to_array_async, 0},
    [WIRE_cudaMemcpy2DFromArray] = {serve_rows_from_array, 0},
    [WIRE_cudaMemcpy2DFromArrayAsync] = {serve_rows_from_array_async, 0},
    [WIRE_cudaMemcpy2DArrayToArray] = {serve_rows_between_arrays, 0},
    [WIRE_cudaMemcpyToArray] = {serve_to_array, 0},
    [WIRE_cudaMemcpyToArrayAsync] = {serve_to_array_async, 0},
    [WIRE_cudaMemcpyFromArray] = {serve_from_array, 0},
    [WIRE_cudaMemcpyFromArrayAsync] = {serve_from_array_async, 0},
    [WIRE_cudaMemcpyArrayToArray] = {serve_between_arrays, 0},
    [WIRE_cudaMemcpy3D] = {serve_copy_3d, 0},
    [WIRE_cudaMemcpy3DAsync] = {serve_copy_3d_async, 0},
    [WIRE_cudaCreateTextureObject] = {serve_create_texture, 0},
    [WIRE_cudaDestroyTextureObject] = {serve_destroy_texture, 0},
    [WIRE_cudaCreateSurfaceObject] = {serve_create_surface, 0},
    [WIRE_cudaDestroySurfaceObject] = {serve_destroy_surface, 0},
    [WIRE_cudaGetTextureObjectResourceDesc] = {serve_texture_resource, 0},
    [WIRE_cudaGetTextureObjectTextureDesc] = {serve_texture_settings, 0},
    [WIRE_cudaGetTextureObjectResourceViewDesc] = {serve_texture_view, 0},
    [WIRE_cudaGetSurfaceObjectResourceDesc] = {serve_surface_resource, 0},

    [WIRE_cudaBindTexture] = {serve_bind_texture, 0},
    [WIRE_cudaBindTexture2D] = {serve_bind_texture, 0},
    [WIRE_cudaBindTextureToArray] = {serve_bind_texture, 0},
    [WIRE_cudaBindTextureToMipmappedArray] = {serve_bind_texture, 0},
    [WIRE_cudaBindSurfaceToArray] = {serve_bind_surface, 0},
    [WIRE_cudaUnbindTexture] = {serve_unbind, 0},
    [WIRE_cudaGetTextureAlignmentOffset] = {serve_reference_offset, 0},
    [WIRE_cudaGetTextureReference] = {serve_find_reference, 0},
    [WIRE_cudaGetSurfaceReference] = {serve_find_reference, 0},

    [WIRE_cudaLaunchKernel] = {serve_launch, SERVE_NO_RESULT},
    [WIRE_cudaLaunchKernelExC] = {serve_launch, 0},
    [WIRE_cudaLaunchCooperativeKernel] = {serve_launch, 0},
    [WIRE_cudaFuncGetAttributes] = {serve_function_attributes, 0},
    [WIRE_cudaFuncSetAttribute] = {serve_set_function_attribute, 0},
    [WIRE_cudaFuncSetCacheConfig] = {serve_function_setting, 0},
    [WIRE_cudaFuncSetSharedMemConfig] = {serve_function_setting, 0},
    [WIRE_cudaFuncGetName] = {serve_function_name, 0},
    [WIRE_cudaOccupancyMaxActiveBlocksPerMultiprocessor] = {serve_occupancy, 0},
    [WIRE_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags] = {serve_occupancy, 0},
    [WIRE_cudaOccupancyAvailableDynamicSMemPerBlock] = {serve_available_shared, 0},
    [WIRE_cudaLaunchHostFunc] = {serve_host_function, 0},

    [WIRE_cudaLibraryLoadData] = {serve_load_library, SERVE_UNSAFE},
    [WIRE_cudaLibraryLoadFromFile] = {serve_load_library, SERVE_UNSAFE},
    [WIRE_cudaLibraryUnload] = {serve_unload_library, SERVE_UNSAFE},
    [WIRE_cudaLibraryGetKernel] = {serve_library_kernel, 0},
    [WIRE_cudaLibraryGetGlobal] = {serve_library_global, 0},
    [WIRE_cudaKernelSetAttributeForDevice] = {serve_set_function_attribute, 0},
    [WIRE_cudaFuncGetParamInfo] = {serve_parameter_info, 0},

    [WIRE_cudaThreadExit] = {serve_reset, SERVE_QUIET | SERVE_UNSAFE},
    [WIRE_cudaThreadSetLimit] = {serve_set_limit, 0},
    [WIRE_cudaThreadGetLimit] = {serve_get_limit, 0},
    [WIRE_cudaThreadSetCacheConfig] = {serve_cache_config, 0},
    [WIRE_cudaThreadGetCacheConfig] = {serve_zero, 0},
    [WIRE_cudaSetDoubleForDevice] = {serve_ignored, 0},
    [WIRE_cudaSetDoubleForHost] = {serve_ignored, 0},
    [WIRE_cudaCtxResetPersistingL2Cache] = {serve_ignored, 0},
    [WIRE_cudaDeviceGetP2PAttribute] = {serve_p2p_attribute, 0},
    [WIRE_cudaDeviceGetTexture1DLinearMaxWidth] = {serve_linear_width, 0},
    [WIRE_cudaEventElapsedTime_v2] = {serve_event_elapsed, 0},
    [WIRE_cudaStreamSetAttribute] = {serve_stream_set_attribute, 0},
    [WIRE_cudaStreamGetAttribute] = {serve_stream_attribute, 0},
    [WIRE_cudaStreamCopyAttributes] = {serve_stream_copy_attributes, 0},
    [WIRE_cudaStreamAttachMemAsync] = {serve_attach, 0},
    [WIRE_cudaMemset3D] = {serve_memset_3d, SERVE_UNSAFE},
    [WIRE_cudaMemset3DAsync] = {serve_memset_3d, 0},
    [WIRE_cudaMemcpy3DPeer] = {serve_copy_3d, 0},
    [WIRE_cudaMemcpy3DPeerAsync] = {serve_copy_3d_async, 0},

    [WIRE_cudaStreamCreate] = {serve_stream_create, 0},
    [WIRE_cudaStreamCreateWithFlags] = {serve_stream_create, 0},
    [WIRE_cudaStreamCreateWithPriority] = {serve_stream_create, 0},
    [WIRE_cudaStreamDestroy] = {serve_stream_destroy, 0},
    [WIRE_cudaStreamSynchronize] = {serve_stream_synchronize, 0},
    [WIRE_cudaStreamQuery] = {serve_stream_query, 0},
    [WIRE_cudaStreamWaitEvent] = {serve_stream_wait_event, 0},
    [WIRE_cudaStreamAddCallback] = {serve_add_callback, 0},
    [WIRE_cudaStreamGetFlags] = {serve_stream_flags, 0},
    [WIRE_cudaStreamGetPriority] = {serve_stream_priority, 0},
    [WIRE_cudaStreamGetId] = {serve_stream_id, 0},
    [WIRE_cudaStreamGetDevice] = {serve_stream_device, 0},
    [WIRE_cudaEventCreate] = {serve_event_create, 0},
    [WIRE_cudaEventCreateWithFlags] = {serve_event_create, 0},
    [WIRE_cudaEventRecord] = {serve_event_record, 0},
    [WIRE_cudaEventRecordWithFlags] = {serve_event_record, 0},
    [WIRE_cudaEventSynchronize] = {serve_event_synchronize, 0},
    [WIRE_cudaEventQuery] = {serve_event_query, 0},
    [WIRE_cudaEventElapsedTime] = {serve_event_elapsed, 0},
    [WIRE_cudaEventDestroy] = {serve_event_destroy, 0},

    [WIRE_cudaDeviceGetDefaultMemPool] = {serve_default_pool, 0},
    [WIRE_cudaDeviceGetMemPool] = {serve_default_pool, 0},
    [WIRE_cudaDeviceSetMemPool] = {serve_set_pool, 0},
    [WIRE_cudaMemPoolCreate] = {serve_create_pool, 0},
    [WIRE_cudaMemPoolDestroy] = {serve_destroy_pool, 0},
    [WIRE_cudaMemPoolSetAttribute] = {serve_set_pool_attribute, 0},
    [WIRE_cudaMemPoolGetAttribute] = {serve_pool_attribute, 0},
    [WIRE_cudaMemPoolTrimTo] = {serve_trim_pool, 0},
    [WIRE_cudaMemPoolSetAccess] = {serve_set_pool_access, 0},
    [WIRE_cudaMemPoolGetAccess] = {serve_pool_access, 0},
    [WIRE_cudaMallocFromPoolAsync] = {serve_malloc_from_pool, 0},

    [WIRE_cudaStreamBeginCapture] = {serve_begin_capture, 0},
    [WIRE_cudaStreamEndCapture] = {serve_end_capture, 0},
    [WIRE_cudaStreamIsCapturing] = {serve_is_capturing, 0},
    [WIRE_cudaStreamGetCaptureInfo] = {serve_capture_info, 0},
    [WIRE_cudaThreadExchangeStreamCaptureMode] = {serve_capture_mode, 0},
    [WIRE_cudaGraphCreate] = {serve_graph_create, 0},
    [WIRE_cudaGraphDestroy] = {serve_graph_destroy, 0},
    [WIRE_cudaGraphClone] = {serve_graph_clone, 0},
    [WIRE_cudaGraphGetNodes] = {serve_graph_nodes, 0},
    [WIRE_cudaGraphGetRootNodes] = {serve_graph_nodes, 0},
    [WIRE_cudaGraphNodeGetType] = {serve_node_type, 0},
    [WIRE_cudaGraphNodeGetDependencies] = {serve_node_dependencies, 0},
    [WIRE_cudaGraphNodeFindInClone] = {serve_find_in_clone, 0},
    [WIRE_cudaGraphDestroyNode] = {serve_destroy_node, 0},
    [WIRE_cudaGraphAddDependencies] = {serve_add_dependencies, 0},
    [WIRE_cudaGraphAddKernelNode] = {serve_add_kernel_node, 0},
    [WIRE_cudaGraphAddMemcpyNode] = {serve_add_copy_node, 0},
    [WIRE_cudaGraphAddMemcpyNode1D] = {serve_add_copy_node, 0},
    [WIRE_cudaGraphAddMemsetNode] = {serve_add_set_node, 0},
    [WIRE_cudaGraphAddHostNode] = {serve_add_host_node, 0},
    [WIRE_cudaGraphAddEmptyNode] = {serve_add_empty_node, 0},
    [WIRE_cudaStreamBeginCaptureToGraph] = {serve_capture_into, 0},
    [WIRE_cudaStreamUpdateCaptureDependencies] = {serve_capture_dependencies, 0},
    [WIRE_cudaGraphConditionalHandleCreate] = {serve_create_condition, 0},
    [WIRE_cudaGraphAddNode] = {serve_add_bodies_node, 0},
    [WIRE_cudaGraphAddChildGraphNode] = {serve_add_bodies_node, 0},
    [WIRE_cudaGraphChildGraphNodeGetGraph] = {serve_child_graph, 0},
    [WIRE_cudaGraphAddMemAllocNode] = {serve_add_allocate_node, 0},
    [WIRE_cudaGraphAddMemFreeNode] = {serve_add_free_node, 0},
    [WIRE_cudaGraphMemAllocNodeGetParams] = {serve_memory_node, 0},
    [WIRE_cudaGraphMemFreeNodeGetParams] = {serve_memory_node, 0},
    [WIRE_cudaDeviceGetGraphMemAttribute] = {serve_graph_memory_attribute, 0},
    [WIRE_cudaDeviceSetGraphMemAttribute] = {serve_set_graph_memory_attribute, 0},
    [WIRE_cudaDeviceGraphMemTrim] = {serve_trim_graph_memory, 0},
    [WIRE_cudaGraphAddEventRecordNode] = {serve_add_record_node, 0},
    [WIRE_cudaGraphKernelNodeSetParams] = {serve_change_kernel_node, 0},
    [WIRE_cudaGraphExecKernelNodeSetParams] = {serve_change_kernel_node, 0},
    [WIRE_cudaGraphExecMemcpyNodeSetParams1D] = {serve_change_copy_node, 0},
    [WIRE_cudaGraphExecMemsetNodeSetParams] = {serve_change_set_node, 0},
    [WIRE_cudaGraphExecHostNodeSetParams] = {serve_change_host_node, 0},
    [WIRE_cudaGraphInstantiate] = {serve_graph_instantiate, 0},
    [WIRE_cudaGraphInstantiateWithFlags] = {serve_graph_instantiate, 0},
    [WIRE_cudaGraphLaunch] = {serve_graph_launch, 0},
    [WIRE_cudaGraphUpload] = {serve_graph_upload, 0},
    [WIRE_cudaGraphExecUpdate] = {serve_graph_update, 0},
    [WIRE_cudaGraphExecDestroy] = {serve_executable_destroy, 0},
};

/* ---- errors ---- */

static unsigned thread_slot(const Device *device) {
    return device->request->thread % DEVICE_MAX_THREADS;
}

/** Remembers a failed call whose result the program throws away. */
static void note_unchecked(Device *device, CudaCode error, bool no_result) {
    if (device->site == 0 || device->unchecked_count == DEVICE_MAX_UNCHECKED) return;
    if (!no_result && symbols_result_is_used(device->symbols, device->site)) return;
    device->unchecked[device->unchecked_count++] = (DeviceUnchecked){.thread = thread_slot(device),
                                                                     .function = device->request->function,
                                                                     .site = device->site,
                                                                     .error = error,
                                                                     .mark = device->mark};
}

static void keep_error(Device *device, CudaCode error, const ServeRow *row) {
    if (error == CUDA_OK || error == CUDA_NOT_READY) return;
    device->errors[thread_slot(device)].last = error;
    note_unchecked(device, error, (row->flags & SERVE_NO_RESULT) != 0);
}

static void report_unchecked(Device *device) {
    for (unsigned i = 0; i < device->unchecked_count; i++) {
        const DeviceUnchecked *call = &device->unchecked[i];
        bool launch = call->function == WIRE_cudaLaunchKernel || call->function == WIRE_KERNEL_PARAMETERS;
        complain_at(
            device, FINDING_UNCHECKED_ERROR, call->site, call->mark,
            launch ? "A launch returns nothing, so its error waits until it is asked for. Write "
                     "cudaError_t e = cudaGetLastError(); after each launch, and print cudaGetErrorString(e) "
                     "when it is not cudaSuccess."
                   : "The call returns a cudaError_t. Compare it with cudaSuccess, and print "
                     "cudaGetErrorString(e) otherwise; a macro around every call keeps that short.",
            "%s failed with %s (%s), and the program went on without looking",
            launch ? "the launch" : device_function_name(call->function), device_error_name(call->error),
            device_error_text(call->error));
    }
    device->unchecked_count = 0;
}

/* ---- one request ---- */

static CudaCode handle(Device *device, const ServeRow *row) {
    if (row->handler == NULL) return CUDA_NOT_SUPPORTED;
    if (device->sticky != CUDA_OK && (row->flags & SERVE_QUIET) == 0) return device->sticky;
    Graph *capture = (row->flags & SERVE_UNSAFE) != 0 ? serve_find_capture(device) : NULL;
    if (capture != NULL) return serve_refuse_capturing(device, capture);
    device->refusal = CUDA_OK;
    CudaCode error = row->handler(device, device->request->arguments, device->reply.results);
    graph_memory_hide(device);
    return error != CUDA_OK && device->refusal != CUDA_OK ? device->refusal : error;
}

static void serve_request(Device *device, const WireRequest *request) {
    const ServeRow *row = &rows[request->function];
    device->request = request;
    device->site = symbols_site(device->symbols, request->site, request->outer);
    gpu_memory_use_part(device->gpu, device_current(device));
    device->reply = (WireReply){.magic = WIRE_MAGIC, .kind = WIRE_DONE};
    device->reply_payload = NULL;
    bool answered = !one_way[request->function];
    device->answering = answered;
    calls_count(device);
    if (device->trace != NULL) trace_call_begin(device);
    CudaCode error = handle(device, row);
    if ((row->flags & (SERVE_QUIET | SERVE_NO_RESULT)) == 0) serve_count_status(device);
    if ((row->flags & SERVE_QUIET) == 0) keep_error(device, error, row);
    if (answered && device->options.early) queue_run_early(device);
    if (device->trace != NULL) trace_call_end(device, (int)error);
    if (!answered) return;
    device->reply.error = (int32_t)error;
    device->reply.idle = device->first == NULL;
    if (request->function == WIRE_HELLO)
        link_reply_hello(&device->link, &device->reply);
    else
        link_reply(&device->link, &device->reply, device->reply_payload);
}

/** Only HELLO is answered before HELLO; it comes once. */
static bool in_order(const Device *device, const WireRequest *request) {
    return (request->function == WIRE_HELLO) == !device->greeted;
}

/* ---- the end ---- */

static void report_unfinished(Device *device) {
    uint64_t launches = 0, site = 0;
    const char *mark = NULL;
    for (const DeviceOperation *any = device->first; any != NULL; any = any->next) {
        if (any->kind != OPERATION_LAUNCH) continue;
        launches++;
        site = any->site;
        mark = any->mark;
    }
    if (launches == 0) return;
    complain_at(device, FINDING_MISSING_SYNC, site, mark,
                "A launch only queues the kernel: the host goes on at once, and if the program ends "
                "first, the kernel's results and printf output are lost. Call cudaDeviceSynchronize() (or "
                "copy a result back) before the end.",
                launches == 1 ? "the program ended without waiting for this kernel%s"
                              : "the program ended without waiting for %s kernels, the last of them this one",
                launches == 1 ? "" : complain_number(device, launches));
}

/** Whether what is left behind counts. A program that failed has other worries, one that was stopped had no
 * time to clear up, and a judge's decides nothing: how it says it ended is left aside there, and only a fault
 * already found hides what follows from it. */
static bool leaves_in_order(const Device *device) {
    if (halt_came()) return false;
    if (device->options.judged) return check_finding_count(device->check, FINDING_ERROR) == 0;
    return device->goodbye && device->exit_status == 0 && !device->crashed && device->sticky == CUDA_OK;
}

static void finish(Device *device) {
    if (device->link.crash.magic == WIRE_MAGIC) {
        uint64_t call_site = device->request->site, call_outer = device->request->outer;
        device->received = device->link.crash;
        /* A crash inside the client is the fault of the call that was under way. */
        if (device->received.site == 0 || device->received.site == call_site) {
            device->received.site = call_site;
            device->received.outer = call_outer;
        }
        serve_request(device, &device->received);
    }
    bool said_goodbye = device->goodbye || device->options.judged;
    bool orderly = leaves_in_order(device);
    if (orderly) report_unfinished(device);
    device->options.discard_output = true;
    if (said_goodbye) queue_run_all(device);
    queue_drop_all(device);
    timeline_settle(device);
    if (orderly) leaks_report(device);
    if (orderly) serve_report_unrecorded(device);
    if (orderly) unread_report(device);
    hints_report(device);
    redundant_report(device);
    if (said_goodbye) report_unchecked(device);
    if (orderly) serve_report_status(device);
    trace_finish(device);
}

void device_serve(Device *device) {
    const WireRequest *request = &device->received;
    device->request = request;
    while (link_receive(&device->link, &device->received)) {
        if (!in_order(device, request)) {
            device->link.closed = true;
            break;
        }
        serve_request(device, request);
        if (device->goodbye) break;
    }
    finish(device);
}

/* ---- life ---- */

/** As CheckFound. */
static void tell_found(void *self, const CheckFinding *finding) {
    Device *device = self;
    if (device->trace != NULL) trace_found(device, finding);
    if (device->picture != NULL) picture_found(device->picture, finding);
}

/** Names with commas between, "all" and "none" among them; main.c has checked that they are no others. */
static CheckOptions check_options(Device *device) {
    CheckOptions options = check_default_options();
    const char *list = device->options.checks;
    if (list != NULL && strstr(list, "all") == NULL) {
        options.memory = strstr(list, "memory") != NULL;
        options.initialisation = strstr(list, "initialisation") != NULL;
        options.races = strstr(list, "races") != NULL;
        options.synchronisation = strstr(list, "synchronisation") != NULL;
        options.counters = strstr(list, "counters") != NULL;
        options.notes = strstr(list, "notes") != NULL;
    }
    options.lines = device->options.lines;
    options.libraries = !device->options.judged;
    options.host_place = symbols_place;
    options.host_element = symbols_element;
    options.rows = pitched_rows;
    options.rows_self = device;
    options.host_place_self = device->symbols;
    if (device->options.trace > 0 || device->options.picture) options.found = tell_found;
    options.found_self = device;
    return options;
}

static bool create_machine(Device *device) {
    const DeviceOptions *options = &device->options;
    device->symbols = symbols_open(options->program);
    if (device->symbols == NULL) return false;
    CheckOptions checks = check_options(device);
    const volatile int *halt = halt_watch();
    if (halt == NULL) return false;
    device->halt = halt;
    GpuConfig config = {.seed = options->seed,
                        .memory_bytes =
                            options->memory_bytes != 0 ? options->memory_bytes : UINT64_C(2) << 30,
                        .step_budget = options->steps,
                        .track_undefined = check_follows_values(&checks),
                        /* a trace or a picture is of one order: launches are not divided */
                        .threads = options->trace == 0 && !options->picture ? options->threads : 1,
                        .divide_from = options->divide_from,
                        .parts = device_count(device),
                        .halt = halt};
    device->gpu = gpu_create(&config);
    if (device->gpu == NULL) return false;
    device->check = check_create(device->gpu, &checks);
    if (device->check == NULL) return false;
    if (options->sent > 0 && (device->sent = sent_create()) == NULL) return false;
    device->timeline = timeline_create(device);
    if (device->timeline == NULL) return false;
    if (checks.notes && !unread_watch(device)) return false;
    if (!options->recheck && !options->judged) gpu_allow_repeats(device->gpu);
    devices_watch(device); /* before the picture, so that its finding is about the access that comes now */
    if (options->picture && (device->picture = picture_create(device)) == NULL) return false;
    if (options->trace == 0) return true;
    device->trace = trace_create(device, options->trace, options->trace_blocks);
    return device->trace != NULL;
}

Device *device_create(const DeviceOptions *options, int socket) {
    Arena *arena = arena_create();
    Device *device = arena != NULL ? ARENA_NEW(arena, Device) : NULL;
    if (device == NULL) {
        arena_destroy(arena);
        errno = ENOMEM;
        return NULL;
    }
    device->arena = arena;
    device->options = *options;
    device->mark = "";
    device->card = cards_find(options->card);
    device->toolkit = DEVICE_NEWEST_TOOLKIT;
    device->order = order_create();
    device->next_handle = 0x1000;
    if (device->order == NULL || !link_open(&device->link, socket, options->memory_bytes) ||
        !create_machine(device)) {
        int error = errno != 0 ? errno : ENOMEM;
        device_destroy(device);
        errno = error;
        return NULL;
    }
    serve_create_streams(device);
    return device;
}

void device_destroy(Device *device) {
    if (device == NULL) return;
    queue_drop_all(device);
    graph_destroy_all(device);
    for (DeviceShared *shared = device->shared; shared != NULL; shared = shared->next)
        hostside_end(shared);
    trace_destroy(device->trace);
    picture_destroy(device->picture);
    sent_destroy(device->sent);
    timeline_destroy(device->timeline);
    if (device->check != NULL) check_destroy(device->check);
    if (device->gpu != NULL) gpu_destroy(device->gpu); /* looks into the modules' PTX to the end */
    for (DeviceModule *module = device->modules, *next; module != NULL; module = next) {
        next = module->next; /* the module is in its own arena */
        arena_destroy(module->arena);
    }
    order_destroy(device->order);
    unread_destroy(device->unread);
    symbols_close(device->symbols);
    link_close(&device->link);
    arena_destroy(device->arena);
}

/** Whose code set the last mark is what a judge asks of a program that says it has ended. */
static struct json_object *last_mark_json(const Device *device) {
    CheckPlace place = {.file = ""};
    symbols_place(device->symbols, device->mark_site, &place);
    struct json_object *mark = json_object_new_object();
    json_object_object_add(mark, "text", json_object_new_string(device->mark));
    json_object_object_add(mark, "address", json_object_new_int64((int64_t)place.address));
    return mark;
}

struct json_object *device_report(const Device *device) {
    struct json_object *header = json_object_new_object();
    const char *program = device->options.program;
    json_object_object_add(header, "program", json_object_new_string(program != NULL ? program : ""));
    json_object_object_add(header, "seed", json_object_new_uint64(device->options.seed));
    json_object_object_add(header, "card", json_object_new_string(device->card->name));
    json_object_object_add(header, "ended", json_object_new_string("closed"));
    if (device->goodbye)
        json_object_object_add(header, "exit_status", json_object_new_int64(device->exit_status));
    json_object_object_add(header, "last_mark", last_mark_json(device));
    json_object_object_add(header, "threads_total", json_object_new_uint64(device->threads));
    if (device->options.threads > 1)
        json_object_object_add(header, "divided_launches", json_object_new_uint64(gpu_divided(device->gpu)));
    json_object_object_add(header, "output_dropped", json_object_new_uint64(device->output_dropped));
    json_object_object_add(header, "timeline", timeline_json(device->timeline));
    json_object_object_add(header, "calls", calls_json(device));
    json_object_object_add(header, "calls_total", json_object_new_uint64(device->calls.total));
    if (device->trace != NULL) json_object_object_add(header, "trace", trace_summary(device->trace));
    if (device->picture != NULL) json_object_object_add(header, "picture", picture_json(device->picture));
    check_settle(device->check);
    struct json_object *report = check_report_json(device->check, header);
    json_object_put(header);
    return report;
}
