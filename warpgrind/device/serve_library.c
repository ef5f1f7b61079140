/* serve_library.c - device code that the program loads by hand, and what it may ask about kernels'
 * parameters.
 *
 * A library is a module; it is read when it is loaded, so that a mistake in it is said there.
 */
#include "device/complain.h"
#include "device/serve.h"

#include <string.h>

static const char *function_name(const Device *device) {
    return device_function_name(device->request->function);
}

static DeviceModule *find_library(Device *device, uint64_t handle) {
    DeviceModule *module = device_module(device, handle);
    if (module == NULL)
        complain(device, FINDING_API_MISUSE, "It comes from cudaLibraryLoadData or cudaLibraryLoadFromFile.",
                 "%s: this is not a library, or it was unloaded", function_name(device));
    return module;
}

CudaCode serve_load_library(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the library");
    if (error != CUDA_OK) return error;
    if (device->request->payload_bytes == 0) {
        complain(device, FINDING_API_MISUSE, "Give PTX text, or a fat binary that holds PTX.",
                 "%s: there is no code to load", function_name(device));
        return CUDA_INVALID_VALUE;
    }
    const uint64_t handle[] = {device->next_handle};
    error = serve_register_module(device, handle, r);
    if (error != CUDA_OK) return error;
    device->next_handle += 16;
    r[0] = handle[0];
    DeviceModule *module = device_module(device, handle[0]);
    error = device_module_load(device, module);
    if (error != CUDA_OK) module->handle = UINT64_MAX;
    return error;
}

/** Only the handle goes, as with streams: pending work may still need the code. */
CudaCode serve_unload_library(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DeviceModule *module = find_library(device, a[0]);
    if (module == NULL) return CUDA_INVALID_HANDLE;
    module->handle = UINT64_MAX;
    return CUDA_OK;
}

static CudaCode refuse_name(Device *device, const char *what) {
    complain(device, FINDING_API_MISUSE,
             "C++ functions and variables have longer names in the device code: declare them extern \"C\".",
             "%s: the library has no %s \"%.200s\"", function_name(device), what,
             (const char *)device->link.payload);
    return CUDA_SYMBOL_NOT_FOUND;
}

/** a[1]: the library; a[2]: the address that is to stand for the kernel. */
CudaCode serve_library_kernel(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the kernel");
    DeviceModule *module = error == CUDA_OK ? find_library(device, a[1]) : NULL;
    if (module == NULL) return error != CUDA_OK ? error : CUDA_INVALID_HANDLE;
    error = device_module_load(device, module);
    if (error != CUDA_OK) return error;
    const char *name = (const char *)device->link.payload;
    if (gpu_kernel_find(module->gpu[device_current(device)], name) == NULL)
        return refuse_name(device, "kernel");
    return serve_register_kernel(device, a + 1, r);
}

CudaCode serve_library_global(Device *device, const uint64_t *a, uint64_t *r) {
    DeviceModule *module = find_library(device, a[1]);
    CudaCode error = module != NULL ? device_module_load(device, module) : CUDA_INVALID_HANDLE;
    if (error != CUDA_OK) return error;
    const char *name = (const char *)device->link.payload;
    const GpuAllocation *variable = gpu_variable_find(module->gpu[device_current(device)], name);
    if (variable == NULL) return refuse_name(device, "variable");
    r[0] = variable->address;
    r[1] = variable->bytes;
    return CUDA_OK;
}

CudaCode serve_parameter_info(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the offset");
    const DeviceKernel *kernel = error == CUDA_OK ? serve_kernel(device, a[1], &error) : NULL;
    if (kernel == NULL) return error;
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    if (a[2] >= function->parameter_count) return CUDA_INVALID_VALUE; /* how programs find the last one */
    r[0] = function->parameters[a[2]].offset;
    r[1] = function->parameters[a[2]].bytes;
    return CUDA_OK;
}
