/* serve_array.c - making, freeing and describing CUDA arrays. */
#include "base/minmax.h"
#include "device/record/sent.h"
#include "device/serve/array.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/streams/queue.h"

/* Far from all addresses and from the handles of textures. */
#define HANDLE_BASE UINT64_C(0x350000000000)
enum { HANDLE_STEP = 64, MAX_EXTENT = 131072 };

/* ---- looking up ---- */

DeviceArray *array_find(const Device *device, uint64_t handle) {
    DeviceArray *array = device->arrays;
    while (array != NULL && array->handle != handle)
        array = array->next;
    return array;
}

/** Tells a handle that never was one from that of an array that was freed. */
static DeviceArray *need_live(Device *device, uint64_t handle) {
    DeviceArray *array = array_find(device, handle);
    if (array == NULL)
        complain(device, FINDING_API_MISUSE,
                 SAID_ARRAY(NOT_ARRAY, .function = serve_function(device),
                            .memory = complain_address(device, handle)));
    else if (array->freed)
        complain_both(device, FINDING_USE_AFTER_FREE, array->free_site, "freed",
                      SAID_ARRAY(FREED, .function = serve_function(device),
                                 .place = complain_line(device, array->free_site)));
    if (array != NULL && !array->freed) return array;
    return NULL;
}

DeviceArray *array_need(Device *device, uint64_t handle) {
    DeviceArray *array = need_live(device, handle);
    if (array == NULL || array->levels == 0) return array;
    complain_both(device, FINDING_API_MISUSE, array->site, "allocated",
                  SAID_ARRAY(MIPMAPPED, .function = serve_function(device)));
    return NULL;
}

DeviceArray *array_need_mipmapped(Device *device, uint64_t handle) {
    DeviceArray *array = need_live(device, handle);
    if (array == NULL || array->levels > 0) return array;
    complain_both(device, FINDING_API_MISUSE, array->site, "allocated",
                  SAID_ARRAY(PLAIN, .function = serve_function(device)));
    return NULL;
}

CudaCode serve_refuse_array(Device *device, uint64_t first, uint64_t second) {
    bool either = array_find(device, first) != NULL || array_find(device, second) != NULL;
    if (!either) return CUDA_OK;
    complain(device, FINDING_API_MISUSE, SAID_ARRAY(NO_POINTER, .function = serve_function(device)));
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

/** A cube has six square faces as its slices, layers of cubes six each. */
static bool faces_fit(const DeviceArray *array) {
    enum { FACES = 6 };
    if (!(array->flags & ARRAY_CUBE)) return true;
    bool layered = array->flags & ARRAY_LAYERED;
    bool faces;
    if (layered)
        faces = array->depth > 0 && array->depth % FACES == 0;
    else
        faces = array->depth == FACES;
    return faces && array->width == array->height;
}

static CudaCode refuse_cube(Device *device, const DeviceArray *array) {
    complain(device, FINDING_API_MISUSE,
             SAID_ARRAY(CUBE, .function = serve_function(device), .width = array->width,
                        .height = array->height, .depth = array->depth));
    return CUDA_INVALID_VALUE;
}

/** The format and the sizes that textures can have, with what is wrong about others. */
static CudaCode check_request(Device *device, DeviceArray *array) {
    unsigned components, bits;
    if (!array_format(&array->channels, &components, &bits)) {
        complain(device, FINDING_API_MISUSE,
                 SAID_ARRAY(CHANNELS, .function = serve_function(device), .x_bits = array->channels.x,
                            .y_bits = array->channels.y, .z_bits = array->channels.z,
                            .w_bits = array->channels.w));
        return CUDA_INVALID_CHANNELS;
    }
    array->element_bytes = components * bits / 8;
    if (sizes_fit(array)) return faces_fit(array) ? CUDA_OK : refuse_cube(device, array);
    complain(device, FINDING_API_MISUSE,
             SAID_ARRAY(EXTENT, .function = serve_function(device), .width = array->width,
                        .height = array->height, .depth = array->depth));
    return CUDA_INVALID_VALUE;
}

/** The array in the machine's words: rows without gaps, one slice after the other. */
GpuTexture array_shape(const DeviceArray *array) {
    GpuTexture shape = {.address = array->address,
                        .width = (uint32_t)array->width,
                        .height = (uint32_t)array_rows(array),
                        .depth = (uint32_t)array_slices(array),
                        .pitch = array_pitch(array),
                        .layered = (array->flags & ARRAY_LAYERED) != 0,
                        .cube = (array->flags & ARRAY_CUBE) != 0,
                        .components = 1,
                        .bits = (uint8_t)(8 * array->element_bytes),
                        .levels = array->levels};
    shape.slice = shape.pitch * shape.height;
    return shape;
}

/** All levels: the last one's end. */
static uint64_t array_bytes(const DeviceArray *array) {
    GpuTexture first = array_shape(array), last = texture_level(&first, first.levels ? first.levels - 1 : 0);
    return last.address - first.address + last.slice * last.depth;
}

static DeviceArray *add_array(Device *device, const DeviceArray *wanted) {
    DeviceArray *array = DEVICE_NEW(device, DeviceArray);
    if (array == NULL) return NULL;
    *array = *wanted;
    array->site = device->serving.site;
    array->handle = (device->arrays != NULL ? device->arrays->handle : HANDLE_BASE) + HANDLE_STEP;
    array->next = device->arrays;
    device->arrays = array;
    return array;
}

static CudaCode make(Device *device, const DeviceArray *wanted, uint64_t *handle) {
    const GpuAllocation *allocation =
        gpu_memory_alloc(device->gpu, array_bytes(wanted), 512, GPU_ALLOC_ARRAY, device->serving.site);
    DeviceArray *array = NULL;
    if (allocation != NULL) array = add_array(device, wanted);
    if (array == NULL) return CUDA_OUT_OF_MEMORY;
    sent_allocate(device, allocation->address, array_bytes(wanted));
    array->address = allocation->address;
    *handle = array->handle;
    return CUDA_OK;
}

/** As many as were asked for, from 1 to the one of a single element. */
static unsigned levels_of(const DeviceArray *array, uint64_t wanted) {
    bool flat = array->flags & (ARRAY_LAYERED | ARRAY_CUBE);
    uint64_t extent = MAX(array->width, array->height);
    if (!flat && array->depth > extent) extent = array->depth;
    unsigned most = 1;
    for (; extent > 1; extent /= 2)
        most++;
    if (wanted == 0) return 1;
    if (wanted < most) return (unsigned)wanted;
    return most;
}

/** Of all kinds of arrays; only mipmapped ones have levels. What an array is like is among what the program
 * sends: of the same bytes a fetch makes other numbers, by their format and by the array's extents. */
SERVE(serve_malloc_array, cudaMallocMipmappedArray) {
    DeviceArray array = {
        .width = a->width,
        .height = a->height,
        .depth = a->depth,
        .flags = (unsigned)a->flags,
        .channels = {(int32_t)a->x, (int32_t)a->y, (int32_t)a->z, (int32_t)a->w, (int32_t)a->kind}};
    CudaCode error = check_request(device, &array);
    if (device->serving.request->function == WIRE_cudaMallocMipmappedArray)
        array.levels = levels_of(&array, a->levels);
    if (error == CUDA_OK) error = make(device, &array, &r->array);
    if (error == CUDA_OK)
        sent_object(device, &a->width, sizeof *a - offsetof(Arguments_cudaMallocMipmappedArray, width));
    return error;
}

/** Waits for all work, as cudaFree does. A level goes with the array that it belongs to, and not by itself.
 */
SERVE(serve_free_array, cudaFreeArray) {
    CudaCode error = queue_run_all(device);
    if (error != CUDA_OK || a->array == 0) return error;
    DeviceArray *array = array_find(device, a->array);
    if (array != NULL && array->freed) {
        complain_both(device, FINDING_API_MISUSE, array->free_site, "freed",
                      SAID_ARRAY(FREED_TWICE, .function = serve_function(device),
                                 .place = complain_line(device, array->free_site)));
        return CUDA_INVALID_HANDLE;
    }
    bool mipmapped = device->serving.request->function == WIRE_cudaFreeMipmappedArray;
    if ((mipmapped ? array_need_mipmapped : array_need)(device, a->array) == NULL) return CUDA_INVALID_HANDLE;
    if (array->mipmapped != 0) {
        complain_both(device, FINDING_API_MISUSE, array->site, "asked for",
                      SAID_ARRAY(ONE_LEVEL, .function = serve_function(device)));
        return CUDA_INVALID_HANDLE;
    }
    sent_free(device, array->address);
    gpu_memory_free(device->gpu, array->address, device->serving.site);
    array_forget(device, array->address);
    return CUDA_OK;
}

/* ---- levels ---- */

static DeviceArray *find_level(const Device *device, uint64_t mipmapped, unsigned level) {
    DeviceArray *array = device->arrays;
    while (array != NULL && (array->mipmapped != mipmapped || array->level != level))
        array = array->next;
    return array;
}

/** The level as an array of its own, in the memory of the mipmapped one. */
static DeviceArray level_of(const DeviceArray *array, unsigned level) {
    GpuTexture shape = array_shape(array), small = texture_level(&shape, level);
    DeviceArray made = *array;
    made.address = small.address;
    made.width = small.width;
    if (array->height > 0) made.height = small.height;
    if (array->depth > 0) made.depth = small.depth;
    made.levels = 0;
    made.level = level;
    made.mipmapped = array->handle;
    return made;
}

/** A level has one handle, however often it is asked for. */
SERVE(serve_array_level, cudaGetMipmappedArrayLevel) {
    const DeviceArray *array = array_need_mipmapped(device, a->mipmapped);
    if (array == NULL) return CUDA_INVALID_HANDLE;
    if (a->level >= array->levels) {
        complain_both(device, FINDING_API_MISUSE, array->site, "allocated",
                      SAID_ARRAY(NO_LEVEL, .function = serve_function(device), .level = a->level,
                                 .levels = array->levels));
        return CUDA_INVALID_VALUE;
    }
    DeviceArray *known = find_level(device, array->handle, (unsigned)a->level), wanted;
    if (known == NULL) {
        wanted = level_of(array, (unsigned)a->level);
        known = add_array(device, &wanted);
    }
    if (known == NULL) return CUDA_OUT_OF_MEMORY;
    r->array = known->handle;
    return CUDA_OK;
}

/** The handle of the array that has its memory. */
static uint64_t owner(const DeviceArray *array) {
    if (array->mipmapped != 0) return array->mipmapped;
    return array->handle;
}

/** With an array go all its levels, or with a level the array that it is of. */
void array_forget(Device *device, uint64_t address) {
    const DeviceArray *first = device->arrays;
    while (first != NULL && (first->freed || first->address != address))
        first = first->next;
    if (first == NULL) return;
    uint64_t handle = owner(first);
    for (DeviceArray *array = device->arrays; array != NULL; array = array->next) {
        if (array->freed || owner(array) != handle) continue;
        array->freed = true;
        array->free_site = device->serving.site;
    }
}

/** The channels are the bits of the four components, a byte each, and above them the kind. */
SERVE(serve_array_info, cudaArrayGetInfo) {
    const DeviceArray *array = array_need(device, a->array);
    if (array == NULL) return CUDA_INVALID_HANDLE;
    const WireChannels *c = &array->channels;
    const int32_t bytes[] = {c->x, c->y, c->z, c->w, c->kind};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
        r->channels |= (uint64_t)(uint8_t)bytes[i] << 8 * i;
    r->width = array->width;
    r->height = array->height;
    r->depth = array->depth;
    r->flags = array->flags;
    return CUDA_OK;
}
