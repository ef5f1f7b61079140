/* serve_pool.c - memory pools: whose memory a stream-ordered allocation takes, and how much of it is kept.
 *
 * LIMIT: memory that is freed goes back at once, so a pool here is a handle with settings, and what it holds
 * is not counted.
 */
#include "base/minmax.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/devices.h"

enum { REUSE_FIRST = 1, REUSE_LAST = 3, RELEASE_THRESHOLD = 4, LAST_ATTRIBUTE = 8 };

/** cudaMemAccessFlags */
enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_ALL = 3 };

/** A memory pool: settings only. */
typedef struct DevicePool {
    uint64_t handle, threshold;
    unsigned device;
    bool usual, destroyed, reuse[3];
    uint8_t access[DEVICE_MAX_DEVICES]; /**< cudaMemAccessFlags of devices that are not its own */
    struct DevicePool *next;
} DevicePool;

/** Each device has one that is always there; it is made when it is first asked for. */
static DevicePool *add_pool(Device *device, unsigned number, bool usual) {
    DevicePool *pool = DEVICE_NEW(device, DevicePool);
    if (pool == NULL) return NULL;
    *pool = (DevicePool){.handle = device->objects.next_handle,
                         .device = number,
                         .usual = usual,
                         .reuse = {1, 1, 1},
                         .next = device->pools};
    device->objects.next_handle += 16;
    device->pools = pool;
    return pool;
}

static DevicePool *usual_pool(Device *device, unsigned number) {
    for (DevicePool *pool = device->pools; pool != NULL; pool = pool->next)
        if (pool->usual && pool->device == number) return pool;
    return add_pool(device, number, true);
}

static DevicePool *find_pool(Device *device, uint64_t handle) {
    DevicePool *pool = device->pools;
    while (pool != NULL && (pool->handle != handle || pool->destroyed))
        pool = pool->next;
    if (pool == NULL)
        complain(device, FINDING_API_MISUSE, SAID_MEMORY(NO_POOL, .function = serve_function(device)));
    return pool;
}

static CudaCode check_number(Device *device, uint64_t number) {
    if (number < devices_count(device)) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             SAID_DEVICES(NO_DEVICE, .function = serve_function(device), .number = (int64_t)number,
                          .enough = devices_enough(device, (int64_t)number)));
    return CUDA_INVALID_DEVICE;
}

SERVE(serve_default_pool, cudaDeviceGetDefaultMemPool) {
    CudaCode error = check_number(device, a->device);
    if (error != CUDA_OK) return error;
    const DevicePool *pool = usual_pool(device, (unsigned)a->device);
    bool current = device->serving.request->function == WIRE_cudaDeviceGetMemPool;
    if (current && device->current_pools[a->device] != NULL) pool = device->current_pools[a->device];
    if (pool == NULL) return CUDA_OUT_OF_MEMORY;
    r->pool = pool->handle;
    return CUDA_OK;
}

SERVE(serve_set_pool, cudaDeviceSetMemPool) {
    CudaCode error = check_number(device, a->device);
    DevicePool *pool = NULL;
    if (error == CUDA_OK) pool = find_pool(device, a->pool);
    if (pool == NULL || pool->device != a->device) return error != CUDA_OK ? error : CUDA_INVALID_VALUE;
    device->current_pools[a->device] = pool;
    return CUDA_OK;
}

SERVE(serve_create_pool, cudaMemPoolCreate) {
    CudaCode error = check_number(device, a->device);
    if (error != CUDA_OK) return error;
    const DevicePool *pool = add_pool(device, (unsigned)a->device, false);
    if (pool == NULL) return CUDA_OUT_OF_MEMORY;
    r->pool = pool->handle;
    return CUDA_OK;
}

SERVE(serve_destroy_pool, cudaMemPoolDestroy) {
    DevicePool *pool = find_pool(device, a->pool);
    if (pool == NULL || pool->usual) return CUDA_INVALID_VALUE;
    pool->destroyed = true;
    if (device->current_pools[pool->device] == pool) device->current_pools[pool->device] = NULL;
    return CUDA_OK;
}

static CudaCode refuse_count(Device *device) {
    complain(device, FINDING_LIMIT, said_memory(MEMORY_POOL_COUNT_MESSAGE, MEMORY_POOL_COUNT_WHY, NULL));
    return CUDA_NOT_SUPPORTED;
}

SERVE(serve_set_pool_attribute, cudaMemPoolSetAttribute) {
    DevicePool *pool = find_pool(device, a->pool);
    if (pool == NULL || a->attribute < REUSE_FIRST || a->attribute > LAST_ATTRIBUTE)
        return CUDA_INVALID_VALUE;
    if (a->attribute > RELEASE_THRESHOLD) return refuse_count(device);
    if (a->attribute == RELEASE_THRESHOLD)
        pool->threshold = a->value;
    else
        pool->reuse[a->attribute - REUSE_FIRST] = a->value != 0;
    return CUDA_OK;
}

SERVE(serve_pool_attribute, cudaMemPoolGetAttribute) {
    const DevicePool *pool = find_pool(device, a->pool);
    if (pool == NULL || a->attribute < REUSE_FIRST || a->attribute > LAST_ATTRIBUTE)
        return CUDA_INVALID_VALUE;
    if (a->attribute > RELEASE_THRESHOLD) return refuse_count(device);
    if (a->attribute <= REUSE_LAST)
        r->value = pool->reuse[a->attribute - REUSE_FIRST];
    else
        r->value = pool->threshold;
    return CUDA_OK;
}

SERVE(serve_trim_pool, cudaMemPoolTrimTo) {
    if (find_pool(device, a->pool) != NULL) return CUDA_OK;
    return CUDA_INVALID_VALUE;
}

static CudaCode check_location(Device *device, uint64_t type, uint64_t number) {
    enum { LOCATION_DEVICE = 1 };
    if (type == LOCATION_DEVICE) return check_number(device, number);
    return CUDA_INVALID_VALUE;
}

/** LIMIT: access is kept by pairs of devices, not by pool: what one pool allows is allowed for all memory. */
static void allow_peers(Device *device, unsigned user, unsigned owner) {
    bool *allowed = &device->peers.pools[user][owner];
    *allowed = false;
    for (const DevicePool *pool = device->pools; pool != NULL; pool = pool->next)
        if (pool->device == owner && pool->access[user] != ACCESS_NONE) *allowed = true;
}

SERVE(serve_set_pool_access, cudaMemPoolSetAccess) {
    DevicePool *pool = find_pool(device, a->pool);
    CudaCode error = CUDA_INVALID_VALUE;
    if (pool != NULL) error = check_location(device, a->location, a->device);
    if (error != CUDA_OK) return error;
    if (a->access != ACCESS_NONE && a->access != ACCESS_READ && a->access != ACCESS_ALL)
        return CUDA_INVALID_VALUE;
    if (a->device == pool->device) return a->access == ACCESS_ALL ? CUDA_OK : CUDA_INVALID_DEVICE;
    pool->access[a->device] = (uint8_t)a->access;
    allow_peers(device, (unsigned)a->device, pool->device);
    return CUDA_OK;
}

SERVE(serve_pool_access, cudaMemPoolGetAccess) {
    const DevicePool *pool = find_pool(device, a->pool);
    if (pool == NULL) return CUDA_INVALID_VALUE;
    CudaCode error = check_location(device, a->location, a->device);
    if (error == CUDA_OK) r->access = a->device == pool->device ? ACCESS_ALL : pool->access[a->device];
    return error;
}

SERVE(serve_malloc_from_pool, cudaMallocFromPoolAsync) {
    const DevicePool *pool = find_pool(device, a->pool);
    if (pool == NULL) return CUDA_INVALID_VALUE;
    gpu_memory_use_part(device->gpu, pool->device);
    return serve_allocate_in(device, a->stream, a->bytes, &r->address);
}

/* ---- what graphs hold ---- */

enum { USED_NOW, USED_HIGH, RESERVED_NOW, RESERVED_HIGH, ATTRIBUTES };

static DeviceGraphPool *find_graph_pool(Device *device, uint64_t number) {
    if (check_number(device, number) == CUDA_OK) return &device->graphs.pools[number];
    return NULL;
}

static bool is_high_water(uint64_t attribute) {
    return attribute == USED_HIGH || attribute == RESERVED_HIGH;
}

SERVE(serve_graph_memory_attribute, cudaDeviceGetGraphMemAttribute) {
    const DeviceGraphPool *pool = find_graph_pool(device, a->device);
    if (pool == NULL || a->attribute >= ATTRIBUTES) return CUDA_INVALID_VALUE;
    if (is_high_water(a->attribute))
        r->value = pool->high;
    else
        r->value = pool->held;
    return CUDA_OK;
}

/** Only a high water mark can be set, and only to what there is now: the value is 0. */
SERVE(serve_set_graph_memory_attribute, cudaDeviceSetGraphMemAttribute) {
    DeviceGraphPool *pool = find_graph_pool(device, a->device);
    if (pool == NULL || !is_high_water(a->attribute) || a->value != 0) return CUDA_INVALID_VALUE;
    pool->high = pool->held;
    return CUDA_OK;
}

SERVE(serve_trim_graph_memory, cudaDeviceGraphMemTrim) {
    DeviceGraphPool *pool = find_graph_pool(device, a->device);
    if (pool == NULL) return CUDA_INVALID_DEVICE;
    pool->held -= MIN(pool->held, pool->spare);
    pool->spare = 0;
    return CUDA_OK;
}
