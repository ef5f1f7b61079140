/* register.c - what compiled CUDA programs call before main: here is my device code, these are its kernels
 * and variables.
 *
 * clang and nvcc generate these calls. The image goes to the device as it is (PTX text or fat binary); the
 * device unpacks it.
 */
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

/** What __cudaRegisterFatBinary gets: `data` is the image. */
typedef struct FatBinaryWrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *parts; /* version 2, device code of several objects: their images, up to NULL */
} FatBinaryWrapper;

typedef struct FatBinaryHeader {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t files_bytes;
} FatBinaryHeader;

enum { WRAPPER_MAGIC = 0x466243b1, WRAPPER_OF_PARTS = 2 };
#define FAT_BINARY_MAGIC UINT32_C(0xBA55ED50)

/** Registration comes from code that the compiler has made: there is no line to name. */
static const ClientSite nowhere = {.site = 0};

uint64_t client_image_bytes(const void **data) {
    uint32_t magic;
    memcpy(&magic, *data, sizeof magic);
    if (magic == WRAPPER_MAGIC) *data = ((const FatBinaryWrapper *)*data)->data;
    memcpy(&magic, *data, sizeof magic);
    if (magic != FAT_BINARY_MAGIC) return strnlen(*data, WIRE_PAYLOAD_LIMIT);
    FatBinaryHeader header;
    memcpy(&header, *data, sizeof header);
    return header.header_bytes + header.files_bytes;
}

/** Device code of several objects (-rdc=true) is linked when it is loaded: their images, one after the other.
 */
static void register_parts(const FatBinaryWrapper *wrapper, WireRequest *request) {
    uint64_t bytes = 0;
    for (const void *const *part = wrapper->parts; *part != NULL; part++) {
        const void *image = *part;
        bytes += client_image_bytes(&image);
    }
    uint8_t *images = NULL;
    if (bytes <= WIRE_PAYLOAD_LIMIT) images = malloc(bytes + 1);
    if (images == NULL) return;
    for (const void *const *part = wrapper->parts; *part != NULL; part++) {
        const void *image = *part;
        uint64_t length = client_image_bytes(&image);
        memcpy(images + request->payload_bytes, image, length);
        request->payload_bytes += length;
    }
    client_call(request, images, NULL);
    free(images);
}

/** The wrapper's own address is the handle: unique, and nothing needs to be kept. */
ENTRY(void **, __cudaRegisterFatBinary, void *fat_binary) {
    const FatBinaryWrapper *wrapper = fat_binary;
    if (wrapper->magic != WRAPPER_MAGIC || wrapper->data == NULL) return fat_binary;
    WireRequest request = CLIENT_REQUEST(REGISTER_MODULE, nowhere, .module = client_word(fat_binary));
    if (wrapper->version == WRAPPER_OF_PARTS && wrapper->parts != NULL) {
        register_parts(wrapper, &request);
        return fat_binary;
    }
    const void *image = wrapper->data;
    request.payload_bytes = client_image_bytes(&image);
    if (request.payload_bytes <= WIRE_PAYLOAD_LIMIT) client_call(&request, image, NULL);
    return fat_binary;
}

ENTRY(void, __cudaRegisterFatBinaryEnd, void **handle) {
    (void)handle;
}

ENTRY(void, __cudaUnregisterFatBinary, void **handle) {
    WireRequest request = CLIENT_REQUEST(UNREGISTER_MODULE, nowhere, .module = client_word(handle));
    client_tell(&request, NULL);
}

ENTRY(void, __cudaRegisterFunction, void **handle, const char *host, char *device, const char *name,
      int limit, void *tid, void *bid, void *block, void *grid, int *size) {
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
    WireRequest request =
        CLIENT_REQUEST(REGISTER_KERNEL, nowhere, .module = client_word(handle), .kernel = client_word(host));
    request.payload_bytes = strlen(name);
    client_tell(&request, name);
}

void client_register_variable(void **handle, uint64_t host, const char *name, size_t bytes, int constant,
                              bool managed) {
    WireRequest request =
        CLIENT_REQUEST(REGISTER_VARIABLE, nowhere, .module = client_word(handle), .shadow = host,
                       .bytes = bytes, .constant = constant != 0, .managed = managed);
    request.payload_bytes = strlen(name);
    client_tell(&request, name);
}

ENTRY(void, __cudaRegisterVar, void **handle, char *host, char *device, const char *name, int external,
      size_t bytes, int constant, int global) {
    (void)device, (void)external, (void)global;
    client_register_variable(handle, client_word(host), name, bytes, constant, false);
}

/** Host code reads or assigns to the variable, which is another one there: asked before each such access,
 * told once for each. */
ENTRY(void, warpgrindPlaceholderUse, const void *host, int write) {
    enum { MOST = 16 };
    static const void *told[2][MOST];
    const void **list = told[write != 0];
    unsigned i = 0;
    while (i < MOST && list[i] && list[i] != host)
        i++;
    if (i == MOST || list[i]) return;
    list[i] = host;
    const ClientSite within = CLIENT_SITE();
    WireRequest request = CLIENT_REQUEST(PLACEHOLDER_USE, (ClientSite){.site = within.callers[0]},
                                         .shadow = client_word(host), .write = write != 0);
    client_tell(&request, NULL);
}

/** The program reads managed variables through *host, so the place must be known now. */
ENTRY(void, __cudaRegisterManagedVar, void **handle, void **host, char *device, const char *name,
      int external, size_t bytes, int constant, int global) {
    (void)device, (void)external, (void)global;
    client_register_variable(handle, client_word(host), name, bytes, constant, true);
    WireRequest request = CLIENT_REQUEST(MANAGED_VARIABLE, nowhere, .shadow = client_word(host));
    WireReply reply;
    if (client_call(&request, NULL, &reply) != CUDA_SUCCESS) return;
    const Results_MANAGED_VARIABLE *r = &reply.MANAGED_VARIABLE;
    const WatchRegion region = {.address = r->address, .bytes = r->mapped_bytes, .variable = true};
    if (client_map_pool(region, r->offset)) *host = client_pointer(r->address);
}

ENTRY(void, __cudaRegisterHostVar, void **handle, const char *name, char *host, size_t bytes) {
    (void)handle, (void)name, (void)host, (void)bytes;
}

ENTRY(char, __cudaInitModule, void **handle) {
    (void)handle;
    return 1;
}

ENTRY(void, warpgrindMark, const char *text) {
    WireRequest request = client_request(WIRE_MARK, CLIENT_SITE());
    request.payload_bytes = strnlen(text, 4096);
    client_tell(&request, text);
}

/** Who watches the ranks of a program says that they miss each other: at which calls, by return addresses. */
ENTRY(void, warpgrindRanksApart, int fault, const void *call, const void *other, const char *text) {
    void *const *frame = __builtin_frame_address(0);
    WireRequest request = CLIENT_REQUEST(RANKS_APART, client_site(call, frame), .fault = client_number(fault),
                                         .other = client_site(other, frame).site);
    memset(request.callers, 0, sizeof request.callers);
    request.payload_bytes = strnlen(text, 4096);
    client_tell(&request, text);
}

/** A library of ours has refused a call, and says why (LibraryRefusal) and in words. */
ENTRY(void, warpgrindRefused, int why, const char *text) {
    WireRequest request = CLIENT_REQUEST(LIBRARY_REFUSED, CLIENT_SITE(), .why = client_number(why));
    request.payload_bytes = strnlen(text, 4096);
    client_tell(&request, text);
}

/** A function of CUB was called, and calls this first: the program's line is the one around it. */
ENTRY(void, warpgrindCubCall, const void *storage, const void *bytes, const char *function) {
    const ClientSite within = CLIENT_SITE();
    WireRequest request = CLIENT_REQUEST(CUB_CALL, (ClientSite){.site = within.callers[0]},
                                         .storage = client_word(storage), .bytes_at = client_word(bytes));
    request.payload_bytes = strnlen(function, 4096);
    client_tell(&request, function);
}

/** A function of CUB has less temporary storage than it needs, and refuses. */
ENTRY(void, warpgrindCubShort, size_t given, size_t needed) {
    WireRequest request = CLIENT_REQUEST(CUB_SHORT, CLIENT_SITE(), .given = given, .needed = needed);
    client_tell(&request, NULL);
}
