/* client.h - inside libcudart.so: the session with the device, and how an entry point talks to it.
 *
 * The client keeps next to nothing: a socket, the window, and where kernels' parameters go. Every decision
 * (is this a device pointer, when does this copy take place, what error is that) is the device's, so that
 * student code, which shares this process, cannot spoil it. The one Session is the only mutable file-level
 * state in the project.
 *
 * An entry point reads: fill a WireRequest, client_call, hand out results. plain.c makes those that do no
 * more.
 */
#pragma once

#include "cudart/protocol.h"
#include "cudart/watch.h"
#include <stdbool.h>
#include <stddef.h>

/** Makes a symbol visible to programs; everything else in the library is hidden. */
#define EXPORT __attribute__((visibility("default")))
/** The head of a function that programs call. The prototype is for this library alone: programs have CUDA's.
 */
#define ENTRY(Type, name, ...)                                                                               \
    EXPORT Type name(__VA_ARGS__);                                                                           \
    Type name(__VA_ARGS__)

/* The few types of the runtime's interface that the client needs to know; handles are opaque numbers. */
typedef int CudaError; /* an enum in the headers: passed as an int */
typedef void *CudaStream, *CudaEvent;
typedef void *CudaGraph, *CudaNode, *CudaGraphExec;
typedef struct CudaDim3 {
    unsigned x, y, z;
} CudaDim3;

enum {
    CUDA_SUCCESS = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NO_DEVICE = 100,
    CUDA_NOT_READY = 600,
    CUDA_UNKNOWN = 999,
    CUDA_NOT_PERMITTED = 800,
    CUDA_NOT_SUPPORTED = 801
};

/** Where a call came from: the return address in the program, that of the function around it, and so on. */
typedef struct ClientSite {
    uint64_t site, callers[WIRE_CALLERS];
    bool own_stream; /**< the program's default stream is each thread's own */
} ClientSite;

/** Set by an entry point with a suffix (own_stream.c) on its way to the one without, which takes it back. */
extern _Thread_local int client_own_stream __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** `frame` is the entry point's own frame: the caller's frame is one link further. */
ClientSite client_site(const void *return_address, void *const *frame);
#define CLIENT_SITE() client_site(__builtin_return_address(0), __builtin_frame_address(0))

/** A request for `function` from `site`; arguments are zero. */
WireRequest client_request(WireFunction function, ClientSite site);
/** The request, as one from `site`. */
WireRequest client_request_from(WireRequest request, ClientSite site);
/** A request with arguments: CLIENT_REQUEST(cudaFuncSetAttribute, site, .kernel = word, .value = 1). */
#define CLIENT_REQUEST(name, site, ...)                                                                      \
    client_request_from((WireRequest){.function = WIRE_##name, .name = {__VA_ARGS__}}, site)

/** How many calls have been made so far, by any thread. */
unsigned client_calls(void);
/** Sends, serves what the device asks for meanwhile, and returns the error of the final reply. `reply` may be
 * NULL. */
CudaError client_call(WireRequest *request, const void *payload, WireReply *reply);
/** As client_call; the final reply's payload is copied to `into`, at most `capacity` bytes. */
CudaError client_call_into(WireRequest *request, const void *payload, WireReply *reply, void *into,
                           size_t capacity);
/** The socket of a device of this process's own, where it is not the one that warpgrind has started; else -1.
 */
int client_hub_device(void);
/** Sends a ONE_WAY request. */
void client_tell(WireRequest *request, const void *payload);
/** A launch reads this argument now, counted from 1, and what stands in its place may be no address; 0: it
 * reads none. */
void client_reads_argument(unsigned argument);
/** A launch was accepted. */
void client_launched(void);
/** The program reads a clock: tells the device when that is the first time since a launch, and not the first.
 */
void client_clock_read(void);
/** A call without a payload or results. */
CudaError client_send(WireRequest request);
/** CLIENT_SEND(cudaMemPoolTrimTo, .pool = word, .bytes = 0), in the function that the program calls. */
#define CLIENT_SEND(name, ...) client_send(CLIENT_REQUEST(name, CLIENT_SITE(), __VA_ARGS__))

/** Memory of the calling thread that lasts until the next call of this; NULL: there is none. */
void *client_room(size_t bytes);
/** For a request that cannot be made up because a pointer to read from is null: the device hears of it, since
 * the call fails as any other does. */
CudaError client_null(WireFunction function, ClientSite site);
#define CLIENT_NULL(name) client_null(WIRE_##name, CLIENT_SITE())

/* Functions of CUDA 13 say the kinds of a graph's edges. Those other than the usual are for programmatic
 * launches, which there are none of. */
#if CUDART_MAJOR >= 13
#define CLIENT_EDGES const void *edges __attribute__((unused)),
#else
#define CLIENT_EDGES
#endif

enum { CLIENT_MAX_PARAMETERS = 1024, CLIENT_MAX_PARAMETER_BYTES = 32768 };

/** A kernel that was launched before: where its parameters go. Never freed while the program runs. */
typedef struct ClientKernel {
    const void *function; /**< the host function that stands for it */
    uint32_t count, bytes;
    struct ClientKernel *next;
    WireParameter parameters[];
} ClientKernel;

const ClientKernel *client_kernel_find(const void *function); /**< NULL: not asked for yet */
void client_kernel_keep(ClientKernel *kernel);
/** A texture or surface reference that was registered (reference.c). Never freed while the program runs. */
typedef struct ClientReference ClientReference;
struct ClientReference {
    const void *host;
    bool as_floats; /**< integers are read as 0 to 1 */
    bool bound;     /**< a texture; of a surface there is nothing that could change */
    WireFunction how;
    WireResource resource; /**< what was sent last */
    WireTextureSettings settings;
    size_t offset;
    ClientReference *next;
};
ClientReference *client_references(void);
void client_reference_keep(ClientReference *reference);
/** Sends what the program changed of bound references since; before a launch. */
void client_references_refresh(ClientSite site);
void client_register_variable(void **handle, uint64_t host, const char *name, size_t bytes, int constant,
                              bool managed);

/** A kernel's arguments as one block, of at most CLIENT_MAX_PARAMETER_BYTES. */
CudaError client_gather(const void *function, void **arguments, ClientSite site, uint8_t *block,
                        size_t *bytes);

/** The image's size in bytes, PTX text or fat binary; steps over a wrapper round it. */
uint64_t client_image_bytes(const void **data);

/** Whether all pages of the range are the program's. */
bool client_is_mapped(uint64_t address, size_t bytes);
/** Maps the region's part of the shared pool, from `offset`; false when the address is taken. */
bool client_map_pool(WatchRegion region, uint64_t offset);
void client_unmap_pool(uint64_t address, uint64_t bytes);
/** Puts a part of the pool in the place of the program's own pages, and takes it out again; what they hold
 * stays. */
bool client_replace_pages(WatchRegion region, uint64_t offset);
bool client_restore_pages(uint64_t address, uint64_t bytes);

/** An asynchronous copy between these rows was accepted: the host must leave them alone for now. */
void client_watch_copy(const void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height);
/** A kernel was launched with these parameters. */
void client_watch_parameters(const uint8_t *block, size_t bytes);
/** A graph was launched that uses this. */
void client_watch_ranges(const WireRange *ranges, size_t count);

/** Installs the handler that explains segmentation faults; false when the program has one of its own. */
bool client_watch_crashes(void);
/** The program's image and stack, for explanations. */
typedef struct ClientImage {
    uint64_t base, text_begin, text_end, image_begin, image_end, stack_top;
} ClientImage;
ClientImage client_find_image(void);

static inline uint64_t client_word(const volatile void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}
/** An int as the device reads it: with its sign. */
static inline uint64_t client_number(int number) {
    return (uint64_t)(int64_t)number;
}
static inline void *client_pointer(uint64_t word) {
    return (void *)(uintptr_t)word; /* NOLINT: addresses cross the wire as numbers */
}
