/* serve_library.c - device code that the program loads by hand, and what it may ask about kernels'
 * parameters.
 *
 * A library is a module; it is read when it is loaded, so that a mistake in it is said there.
 */
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"

static DeviceModule *find_library(Device *device, uint64_t handle) {
    DeviceModule *module = objects_module(device, handle);
    if (module == NULL)
        complain(device, FINDING_API_MISUSE, SAID_CODE(NO_LIBRARY, .function = serve_function(device)));
    return module;
}

/** The code is read at once, so that a mistake in it is said at this call. */
SERVE(serve_load_library, cudaLibraryLoadData) {
    if (device->serving.request->payload_bytes == 0) {
        complain(device, FINDING_API_MISUSE, SAID_CODE(NO_CODE, .function = serve_function(device)));
        return CUDA_INVALID_VALUE;
    }
    uint64_t handle = device->objects.next_handle;
    CudaCode error = serve_keep_module(device, handle);
    if (error != CUDA_OK) return error;
    device->objects.next_handle += 16;
    r->library = handle;
    DeviceModule *module = objects_module(device, handle);
    module->by_hand = true;
    error = modules_load(device, module);
    if (error != CUDA_OK) module->handle = UINT64_MAX;
    return error;
}

/** Only the handle goes, as with streams: pending work may still need the code. */
SERVE(serve_unload_library, cudaLibraryUnload) {
    DeviceModule *module = find_library(device, a->library);
    if (module == NULL) return CUDA_INVALID_HANDLE;
    module->handle = UINT64_MAX;
    return CUDA_OK;
}

static CudaCode refuse_name(Device *device, bool kernel) {
    const char *name = arena_format(device->arena, "%.200s", (const char *)device->link.payload);
    complain(
        device, FINDING_API_MISUSE,
        SAID_CODE(NO_NAME, .function = serve_function(device), .kernel = kernel, .name = text_or(name, "?")));
    return CUDA_SYMBOL_NOT_FOUND;
}

SERVE(serve_library_kernel, cudaLibraryGetKernel) {
    DeviceModule *module = find_library(device, a->library);
    if (module == NULL) return CUDA_INVALID_HANDLE;
    CudaCode error = modules_load(device, module);
    if (error != CUDA_OK) return error;
    const char *name = (const char *)device->link.payload;
    if (gpu_kernel_find(module->gpu[devices_current(device)], name) == NULL) return refuse_name(device, true);
    return serve_keep_kernel(device, a->library, a->stand_in);
}

SERVE(serve_library_global, cudaLibraryGetGlobal) {
    DeviceModule *module = find_library(device, a->library);
    CudaCode error = CUDA_INVALID_HANDLE;
    if (module != NULL) error = modules_load(device, module);
    if (error != CUDA_OK) return error;
    const char *name = (const char *)device->link.payload;
    const GpuAllocation *variable = gpu_variable_find(module->gpu[devices_current(device)], name);
    if (variable == NULL) return refuse_name(device, false);
    r->address = variable->address;
    r->bytes = variable->bytes;
    return CUDA_OK;
}

SERVE(serve_parameter_info, cudaFuncGetParamInfo) {
    CudaCode error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    if (a->index >= function->parameter_count) return CUDA_INVALID_VALUE; /* how programs find the last one */
    r->offset = function->parameters[a->index].offset;
    r->bytes = function->parameters[a->index].bytes;
    return CUDA_OK;
}
