/* serve_array.c - making, freeing and describing CUDA arrays. */
#include "device/array.h"
#include "device/complain.h"
#include "device/serve.h"

/* Far from all addresses and from the handles of textures. */
#define HANDLE_BASE UINT64_C(0x350000000000)
enum { HANDLE_STEP = 64, MAX_EXTENT = 131072 };

static const char *function_name(const Device *device) {
    return device_function_name(device->request->function);
}

/* ---- looking up ---- */

DeviceArray *array_find(const Device *device, uint64_t handle) {
    DeviceArray *array = device->arrays;
    while (array != NULL && array->handle != handle)
        array = array->next;
    return array;
}

DeviceArray *array_need(Device *device, uint64_t handle) {
    DeviceArray *array = array_find(device, handle);
    if (array == NULL)
        complain(device, FINDING_API_MISUSE, "cudaMallocArray gives the array; check what it returns.",
                 "%s: the array is no CUDA array, but %s", function_name(device),
                 complain_address(device, handle));
    else if (array->freed)
        complain_both(device, FINDING_USE_AFTER_FREE, array->free_site, "freed",
                      "Free the array after everything that uses it.", "%s: this array was freed, at %s",
                      function_name(device), complain_line(device, array->free_site));
    return array != NULL && !array->freed ? array : NULL;
}

CudaCode serve_refuse_array(Device *device, uint64_t first, uint64_t second) {
    bool either = array_find(device, first) != NULL || array_find(device, second) != NULL;
    if (!either) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             "A cudaArray is not a pointer to its elements: they are reached by its own copies. Use "
             "cudaMemcpy2DToArray to fill it and cudaMemcpy2DFromArray to read it back (cudaMemcpy3D for "
             "volumes and layers); cudaFreeArray frees it.",
             "%s was given a CUDA array where a pointer belongs", function_name(device));
    return CUDA_INVALID_VALUE;
}

/* ---- formats ---- */

/** One, two or four components of 8, 16 or 32 bits, all alike. */
bool array_format(const WireChannels *channels, unsigned *components, unsigned *bits) {
    const int32_t sizes[] = {channels->x, channels->y, channels->z, channels->w};
    unsigned count = 0;
    while (count < 4 && sizes[count] == sizes[0])
        count++;
    for (unsigned i = count; i < 4; i++)
        if (sizes[i] != 0) return false;
    bool whole = sizes[0] == 8 || sizes[0] == 16 || sizes[0] == 32;
    bool kind = channels->kind >= 0 && channels->kind <= 2 && !(channels->kind == 2 && sizes[0] == 8);
    *components = count;
    *bits = (unsigned)sizes[0];
    return whole && kind && (count == 1 || count == 2 || count == 4);
}

/* ---- allocation ---- */

static bool sizes_fit(const DeviceArray *array) {
    bool volume = array->depth > 0 && !(array->flags & ARRAY_LAYERED);
    if (array->width == 0 || (volume && array->height == 0)) return false;
    return array->width <= MAX_EXTENT && array->height <= MAX_EXTENT && array->depth <= MAX_EXTENT;
}

static CudaCode check_request(Device *device, DeviceArray *array) {
    unsigned components, bits;
    if (!array_format(&array->channels, &components, &bits)) {
        complain(device, FINDING_API_MISUSE,
                 "An element has 1, 2 or 4 components of 8, 16 or 32 bits, all of one size: "
                 "cudaCreateChannelDesc<float>() and its like make the description.",
                 "%s: no texture has elements of %d, %d, %d and %d bits of this kind", function_name(device),
                 array->channels.x, array->channels.y, array->channels.z, array->channels.w);
        return CUDA_INVALID_CHANNELS;
    }
    array->element_bytes = components * bits / 8;
    if ((array->flags & ARRAY_CUBE) != 0) return CUDA_NOT_SUPPORTED;
    if (sizes_fit(array)) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             "The extent counts elements, not bytes: width, then height (0 for one dimension), then depth.",
             "%s: an array of %s x %s x %s elements cannot be made", function_name(device),
             complain_number(device, array->width), complain_number(device, array->height),
             complain_number(device, array->depth));
    return CUDA_INVALID_VALUE;
}

static CudaCode make(Device *device, const DeviceArray *wanted, uint64_t *handle) {
    DeviceArray *array = DEVICE_NEW(device, DeviceArray);
    if (array == NULL) return CUDA_OUT_OF_MEMORY;
    *array = *wanted;
    uint64_t bytes = array_pitch(array) * array_rows(array) * array_slices(array);
    const GpuAllocation *allocation =
        gpu_memory_alloc(device->gpu, bytes, 512, GPU_ALLOC_ARRAY, device->site);
    if (allocation == NULL) return CUDA_OUT_OF_MEMORY;
    array->address = allocation->address;
    array->site = device->site;
    array->handle = HANDLE_BASE + (device->array_count + 1) * HANDLE_STEP;
    device->array_count++;
    array->next = device->arrays;
    device->arrays = array;
    *handle = array->handle;
    return CUDA_OK;
}

/** a: pointer, width, height, depth, flags, and the description's five numbers. */
CudaCode serve_malloc_array(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the array");
    if (error != CUDA_OK) return error;
    DeviceArray array = {
        .width = a[1],
        .height = a[2],
        .depth = a[3],
        .flags = (unsigned)a[4],
        .channels = {(int32_t)a[5], (int32_t)a[6], (int32_t)a[7], (int32_t)a[8], (int32_t)a[9]}};
    error = check_request(device, &array);
    return error != CUDA_OK ? error : make(device, &array, &r[0]);
}

CudaCode serve_free_array(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK || a[0] == 0) return error;
    DeviceArray *array = array_find(device, a[0]);
    if (array != NULL && array->freed) {
        complain_both(device, FINDING_API_MISUSE, array->free_site, "freed", "Each array is freed once.",
                      "%s: this array was already freed, at %s", function_name(device),
                      complain_line(device, array->free_site));
        return CUDA_INVALID_HANDLE;
    }
    if (array_need(device, a[0]) == NULL) return CUDA_INVALID_HANDLE;
    gpu_memory_free(device->gpu, array->address, device->site);
    array->freed = true;
    array->free_site = device->site;
    return CUDA_OK;
}

void array_forget(Device *device, uint64_t address) {
    for (DeviceArray *array = device->arrays; array != NULL; array = array->next) {
        if (array->freed || array->address != address) continue;
        array->freed = true;
        array->free_site = device->site;
    }
}

/** r: bits of the four components a byte each and the kind above them, width, height, depth, flags. */
CudaCode serve_array_info(Device *device, const uint64_t *a, uint64_t *r) {
    const DeviceArray *array = array_need(device, a[0]);
    if (array == NULL) return CUDA_INVALID_HANDLE;
    const WireChannels *c = &array->channels;
    const int32_t bytes[] = {c->x, c->y, c->z, c->w, c->kind};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
        r[0] |= (uint64_t)(uint8_t)bytes[i] << 8 * i;
    r[1] = array->width;
    r[2] = array->height;
    r[3] = array->depth;
    r[4] = array->flags;
    return CUDA_OK;
}
