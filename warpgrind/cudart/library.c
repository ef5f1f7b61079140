/* library.c - device code that a program loads by hand: libraries, and the kernels and variables in them.
 *
 * A library is a module like those that programs are born with; a kernel of it is told from others by an
 * address of the client's own, as the usual ones are by their host functions.
 */
#include "cudart/client.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void *CudaLibrary, *CudaKernel;

/* Options for the compiler and the loader follow in the calls below; there is nothing here that they would
 * change. */

static CudaError load(WireFunction which, ClientSite site, CudaLibrary *library, const void *code,
                      uint64_t bytes) {
    WireRequest request = client_request(which, site);
    request.cudaLibraryLoadData.library = client_word(library);
    if (bytes <= WIRE_PAYLOAD_LIMIT)
        request.payload_bytes = bytes;
    else
        request.payload_bytes = 0;
    WireReply reply;
    CudaError error = client_call(&request, code, &reply);
    if (error == CUDA_SUCCESS) *library = client_pointer(reply.cudaLibraryLoadData.library);
    return error;
}

ENTRY(CudaError, cudaLibraryLoadData, CudaLibrary *library, const void *code) {
    uint64_t bytes = 0;
    if (code != NULL) bytes = client_image_bytes(&code);
    return load(WIRE_cudaLibraryLoadData, CLIENT_SITE(), library, code, bytes);
}

/** The file is mapped for as long as the device reads it. One that cannot be read is sent as no code at
 * all, which the device refuses with a finding. */
ENTRY(CudaError, cudaLibraryLoadFromFile, CudaLibrary *library, const char *file) {
    ClientSite site = CLIENT_SITE();
    int descriptor = -1;
    if (file != NULL) descriptor = open(file, O_RDONLY | O_CLOEXEC);
    struct stat status = {.st_size = 0};
    if (descriptor >= 0 && fstat(descriptor, &status) != 0) status.st_size = 0;
    size_t bytes = (size_t)status.st_size;
    void *code = MAP_FAILED;
    if (bytes > 0) code = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (descriptor >= 0) close(descriptor);
    CudaError error = load(WIRE_cudaLibraryLoadFromFile, site, library, code, code != MAP_FAILED ? bytes : 0);
    if (code != MAP_FAILED) munmap(code, bytes);
    return error;
}

ENTRY(CudaError, cudaLibraryGetKernel, CudaKernel *kernel, CudaLibrary library, const char *name) {
    CudaKernel made = malloc(1); /* an address that nothing else has, for as long as the program runs */
    WireRequest request = CLIENT_REQUEST(cudaLibraryGetKernel, CLIENT_SITE(), .kernel = client_word(kernel),
                                         .library = client_word(library), .stand_in = client_word(made));
    if (name != NULL)
        request.payload_bytes = strlen(name);
    else
        request.payload_bytes = 0;
    CudaError error = CUDA_OUT_OF_MEMORY;
    if (made != NULL) error = client_call(&request, name, NULL);
    if (error == CUDA_SUCCESS)
        *kernel = made;
    else
        free(made);
    return error;
}

ENTRY(CudaError, cudaLibraryGetGlobal, void **address, size_t *bytes, CudaLibrary library, const char *name) {
    WireRequest request =
        CLIENT_REQUEST(cudaLibraryGetGlobal, CLIENT_SITE(), .library = client_word(library));
    if (name != NULL)
        request.payload_bytes = strlen(name);
    else
        request.payload_bytes = 0;
    WireReply reply;
    CudaError error = client_call(&request, name, &reply);
    if (error != CUDA_SUCCESS) return error;
    if (address != NULL) *address = client_pointer(reply.cudaLibraryGetGlobal.address);
    if (bytes != NULL) *bytes = (size_t)reply.cudaLibraryGetGlobal.bytes;
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaFuncGetParamInfo, const void *function, size_t index, size_t *offset, size_t *bytes) {
    WireRequest request = CLIENT_REQUEST(cudaFuncGetParamInfo, CLIENT_SITE(), .offset = client_word(offset),
                                         .kernel = client_word(function), .index = index);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *offset = (size_t)reply.cudaFuncGetParamInfo.offset;
    if (bytes != NULL) *bytes = (size_t)reply.cudaFuncGetParamInfo.bytes;
    return CUDA_SUCCESS;
}
