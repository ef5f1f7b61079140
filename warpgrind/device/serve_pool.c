/* serve_pool.c - memory pools: whose memory a stream-ordered allocation takes, and how much of it is kept.
 *
 * LIMIT: memory that is freed goes back at once, so a pool here is a handle with settings, and what it holds
 * is not counted.
 */
#include "device/complain.h"
#include "device/devices.h"
#include "device/serve.h"

enum { REUSE_FIRST = 1, REUSE_LAST = 3, RELEASE_THRESHOLD = 4, LAST_ATTRIBUTE = 8 };

/** cudaMemAccessFlags */
enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_ALL = 3 };

/** Each device has one that is always there; it is made when it is first asked for. */
static DevicePool *add_pool(Device *device, unsigned number, bool usual) {
    DevicePool *pool = DEVICE_NEW(device, DevicePool);
    if (pool == NULL) return NULL;
    *pool = (DevicePool){.handle = device->next_handle,
                         .device = number,
                         .usual = usual,
                         .reuse = {1, 1, 1},
                         .next = device->pools};
    device->next_handle += 16;
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
        complain(device, FINDING_API_MISUSE,
                 "A pool comes from cudaDeviceGetDefaultMemPool or cudaMemPoolCreate.",
                 "%s: this is not a memory pool, or it was destroyed",
                 device_function_name(device->request->function));
    return pool;
}

static CudaCode check_number(Device *device, uint64_t number) {
    if (number < device_count(device)) return CUDA_OK;
    complain(device, FINDING_API_MISUSE, "cudaGetDeviceCount says how many devices there are.",
             "%s: there is no device %lld", device_function_name(device->request->function),
             (long long)(int64_t)number);
    return CUDA_INVALID_DEVICE;
}

CudaCode serve_default_pool(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the pool");
    if (error == CUDA_OK) error = check_number(device, a[1]);
    if (error != CUDA_OK) return error;
    const DevicePool *pool = usual_pool(device, (unsigned)a[1]);
    bool current = device->request->function == WIRE_cudaDeviceGetMemPool;
    if (current && device->current_pool[a[1]] != NULL) pool = device->current_pool[a[1]];
    if (pool == NULL) return CUDA_OUT_OF_MEMORY;
    r[0] = pool->handle;
    return CUDA_OK;
}

CudaCode serve_set_pool(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = check_number(device, a[0]);
    DevicePool *pool = error == CUDA_OK ? find_pool(device, a[1]) : NULL;
    if (pool == NULL || pool->device != a[0]) return error != CUDA_OK ? error : CUDA_INVALID_VALUE;
    device->current_pool[a[0]] = pool;
    return CUDA_OK;
}

CudaCode serve_create_pool(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the pool");
    if (error == CUDA_OK) error = check_number(device, a[1]);
    if (error != CUDA_OK) return error;
    const DevicePool *pool = add_pool(device, (unsigned)a[1], false);
    if (pool == NULL) return CUDA_OUT_OF_MEMORY;
    r[0] = pool->handle;
    return CUDA_OK;
}

CudaCode serve_destroy_pool(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DevicePool *pool = find_pool(device, a[0]);
    if (pool == NULL || pool->usual) return CUDA_INVALID_VALUE;
    pool->destroyed = true;
    if (device->current_pool[pool->device] == pool) device->current_pool[pool->device] = NULL;
    return CUDA_OK;
}

static CudaCode refuse_count(Device *device) {
    complain(device, FINDING_LIMIT, "cudaMemGetInfo says how much device memory is free.",
             "the software GPU does not count what a memory pool holds");
    return CUDA_NOT_SUPPORTED;
}

CudaCode serve_set_pool_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DevicePool *pool = find_pool(device, a[0]);
    if (pool == NULL || a[1] < REUSE_FIRST || a[1] > LAST_ATTRIBUTE) return CUDA_INVALID_VALUE;
    if (a[1] > RELEASE_THRESHOLD) return refuse_count(device);
    if (a[1] == RELEASE_THRESHOLD)
        pool->threshold = a[2];
    else
        pool->reuse[a[1] - REUSE_FIRST] = a[2] != 0;
    return CUDA_OK;
}

CudaCode serve_pool_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    const DevicePool *pool = find_pool(device, a[0]);
    if (pool == NULL || a[1] < REUSE_FIRST || a[1] > LAST_ATTRIBUTE) return CUDA_INVALID_VALUE;
    if (a[1] > RELEASE_THRESHOLD) return refuse_count(device);
    r[0] = a[1] <= REUSE_LAST ? pool->reuse[a[1] - REUSE_FIRST] : pool->threshold;
    return CUDA_OK;
}

CudaCode serve_trim_pool(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return find_pool(device, a[0]) != NULL ? CUDA_OK : CUDA_INVALID_VALUE;
}

/** The device in a[2] of a location of type a[1], or an error. */
static CudaCode check_location(Device *device, const uint64_t *a) {
    enum { LOCATION_DEVICE = 1 };
    return a[1] == LOCATION_DEVICE ? check_number(device, a[2]) : CUDA_INVALID_VALUE;
}

/** LIMIT: access is kept by pairs of devices, not by pool: what one pool allows is allowed for all memory. */
static void allow_peers(Device *device, unsigned user, unsigned owner) {
    bool *allowed = &device->pool_peers[user][owner];
    *allowed = false;
    for (const DevicePool *pool = device->pools; pool != NULL; pool = pool->next)
        if (pool->device == owner && pool->access[user] != ACCESS_NONE) *allowed = true;
}

CudaCode serve_set_pool_access(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    DevicePool *pool = find_pool(device, a[0]);
    CudaCode error = pool != NULL ? check_location(device, a) : CUDA_INVALID_VALUE;
    if (error != CUDA_OK) return error;
    if (a[3] != ACCESS_NONE && a[3] != ACCESS_READ && a[3] != ACCESS_ALL) return CUDA_INVALID_VALUE;
    if (a[2] == pool->device) return a[3] == ACCESS_ALL ? CUDA_OK : CUDA_INVALID_DEVICE;
    pool->access[a[2]] = (uint8_t)a[3];
    allow_peers(device, (unsigned)a[2], pool->device);
    return CUDA_OK;
}

CudaCode serve_pool_access(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[3], "the flags");
    const DevicePool *pool = error == CUDA_OK ? find_pool(device, a[0]) : NULL;
    if (pool == NULL) return error != CUDA_OK ? error : CUDA_INVALID_VALUE;
    error = check_location(device, a);
    if (error == CUDA_OK) r[0] = a[2] == pool->device ? ACCESS_ALL : pool->access[a[2]];
    return error;
}

/** a[3]: the pool. */
CudaCode serve_malloc_from_pool(Device *device, const uint64_t *a, uint64_t *r) {
    const DevicePool *pool = find_pool(device, a[3]);
    if (pool == NULL) return CUDA_INVALID_VALUE;
    gpu_memory_use_part(device->gpu, pool->device);
    return serve_malloc_async(device, a, r);
}
