/* runtime.c - as much of a CUDA runtime as the driver of a lesson asks for, on the host: what stands in for a
 * card in the tests, whose students' files have no kernels. */
#include <stdlib.h>
#include <string.h>

int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMallocHost(void **memory, size_t bytes);
int cudaFreeHost(void *memory);
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamDestroy(void *stream);
const char *cudaGetErrorName(int error);
const char *cudaGetErrorString(int error);

int cudaMalloc(void **memory, size_t bytes) {
    return (*memory = malloc(bytes)) == NULL;
}
int cudaFree(void *memory) {
    free(memory);
    return 0;
}
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    (void)kind;
    memcpy(to, from, bytes);
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
const char *cudaGetErrorName(int error) {
    return error == 0 ? "cudaSuccess" : "cudaErrorUnknown";
}
const char *cudaGetErrorString(int error) {
    return error == 0 ? "no error" : "unknown error";
}
