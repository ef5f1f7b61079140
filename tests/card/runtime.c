/* runtime.c - as much of a CUDA runtime as the driver of a lesson asks for, on the host: what stands in for a
 * card in the tests, whose students' files have no kernels. */
#include <stdlib.h>
#include <string.h>

int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}
int cudaMallocHost(void **memory, size_t bytes);
int cudaFreeHost(void *memory);
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamDestroy(void *stream);
int cudaStreamSynchronize(void *stream);
int cudaSetDevice(int device);
int cudaGetDevice(int *device);
int cudaGetDeviceCount(int *count);
const char *cudaGetErrorName(int error);
const char *cudaGetErrorString(int error);

int cudaMalloc(void **memory, size_t bytes) {
    return (*memory = malloc(bytes)) == NULL;
}
int cudaFree(void *memory) {
    free(memory);
    return 0;
}
/* What was copied to the device last, and is still on its way there: a card may take as long. */
static struct {
    void *to, *bytes;
    size_t count;
} under_way;
int cudaStreamSynchronize(void *stream) {
    (void)stream;
    if (under_way.count != 0) memcpy(under_way.to, under_way.bytes, under_way.count);
    free(under_way.bytes);
    under_way.bytes = NULL;
    under_way.count = 0;
    return 0;
}
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    enum { TO_DEVICE = 1 };
    cudaStreamSynchronize(NULL);
    if (kind != TO_DEVICE) return memcpy(to, from, bytes) == NULL;
    under_way.bytes = malloc(bytes);
    if (under_way.bytes == NULL) return 1;
    memcpy(under_way.bytes, from, bytes);
    under_way.to = to;
    under_way.count = bytes;
    return 0;
}
int cudaMallocHost(void **memory, size_t bytes) {
    return cudaMalloc(memory, bytes);
}
int cudaFreeHost(void *memory) {
    return cudaFree(memory);
}
int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
    (void)flags;
    return cudaMalloc(stream, 1);
}
int cudaStreamDestroy(void *stream) {
    return cudaFree(stream);
}
/* The cards that the program may see are a list with commas: "0,1". */
static int current;
int cudaSetDevice(int device) {
    current = device;
    return 0;
}
int cudaGetDevice(int *device) {
    *device = current;
    return 0;
}
int cudaGetDeviceCount(int *count) {
    const char *seen = getenv("CUDA_VISIBLE_DEVICES");
    for (*count = 1; seen != NULL && *seen != '\0'; seen++)
        *count += *seen == ',';
    return 0;
}
const char *cudaGetErrorName(int error) {
    return error == 0 ? "cudaSuccess" : "cudaErrorUnknown";
}
const char *cudaGetErrorString(int error) {
    return error == 0 ? "no error" : "unknown error";
}
