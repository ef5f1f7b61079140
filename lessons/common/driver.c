/* driver.c - main of every lesson's program: visits the cases, hands out inputs, leaves answers.
 *
 * It stands between the judge's files and the student's function, in the student's process, and therefore
 * decides nothing: whatever it writes is checked as if the student had written it. The runtime API is
 * declared here by its C interface, so that one object links to the software GPU's libcudart and to NVIDIA's.
 */
#include "lessons/common/driver.h"

#include "base/marks.h"
#include "base/npy.h"
#include "base/poison.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STATUS_DRIVER = 70, STATUS_DEVICE = 71 };
enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 2 }; /* cudaMemcpyKind */
enum { NON_BLOCKING = 1 };                     /* cudaStreamNonBlocking */
static const size_t input_limit = (size_t)1 << 30;

int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMallocHost(void **memory, size_t bytes);
int cudaFreeHost(void *memory);
int cudaStreamCreateWithFlags(struct CUstream_st **stream, unsigned flags);
int cudaStreamDestroy(struct CUstream_st *stream);
const char *cudaGetErrorName(int error);
const char *cudaGetErrorString(int error);
/* Only the software GPU has it. */
void warpgrindMark(const char *name) __attribute__((weak));

/* What the runtime has given the driver, and how it goes back: one of the three. */
typedef struct DeviceMemory {
    void *memory, *pinned;
    struct CUstream_st *stream;
    struct DeviceMemory *next;
} DeviceMemory;

struct DriverCase {
    const char *folder;   /* where the inputs are */
    const char *name;     /* the last part of `folder` */
    const char *answers;  /* OUT_DIR/name */
    Arena *arena;         /* all host memory of the case */
    DeviceMemory *device; /* all device memory of the case, pinned memory, streams */
};

static _Noreturn void driver_fail(int status, const char *what, const char *name) {
    fprintf(stderr, "driver: %s: %s\n", what, name);
    exit(status);
}

static void *driver_need(void *memory) {
    if (memory == NULL) driver_fail(STATUS_DRIVER, "out of memory", "host");
    return memory;
}

static void driver_need_device(int error, const char *what) {
    if (error != 0) {
        fprintf(stderr, "driver: %s: the CUDA runtime reports %s (%s)\n", what, cudaGetErrorName(error),
                cudaGetErrorString(error));
        exit(STATUS_DEVICE);
    }
}

static void driver_read(DriverCase *driven, const char *name, NpyType type, NpyArray *array) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, driven->arena);
    const char *path = driver_need(arena_format(driven->arena, "%s/%s.npy", driven->folder, name));
    if (!npy_read(array, driven->arena, path, input_limit, &diagnostics))
        driver_fail(STATUS_DRIVER, "cannot read the input", name);
    if (array->type != type) driver_fail(STATUS_DRIVER, "the input has another type", name);
}

const float *driver_input_floats(DriverCase *driven, const char *name, size_t *count) {
    NpyArray array;
    driver_read(driven, name, NPY_F32, &array);
    *count = array.count;
    /* An empty array still gets an address, as malloc would give the caller. */
    return array.count ? array.data : driver_need(arena_alloc(driven->arena, sizeof(float)));
}

int driver_input_int(DriverCase *driven, const char *name) {
    NpyArray array;
    driver_read(driven, name, NPY_I32, &array);
    if (array.count != 1) driver_fail(STATUS_DRIVER, "the input is not one number", name);
    return *(const int *)array.data;
}

float driver_input_float(DriverCase *driven, const char *name) {
    size_t count;
    const float *values = driver_input_floats(driven, name, &count);
    if (count != 1) driver_fail(STATUS_DRIVER, "the input is not one number", name);
    return values[0];
}

float *driver_poisoned_floats(DriverCase *driven, size_t count) {
    float *values = driver_need(arena_array(driven->arena, count ? count : 1, sizeof(float)));
    const uint32_t poison = POISON_HOST_FLOAT;
    for (size_t i = 0; i < count; i++)
        memcpy(&values[i], &poison, sizeof poison);
    return values;
}

/* `values` are `count` elements of that type. */
static void driver_answer(DriverCase *driven, const char *name, NpyType type, const void *values,
                          size_t count) {
    NpyArray array;
    Diagnostics diagnostics;
    diag_init(&diagnostics, driven->arena);
    if (!npy_make(&array, driven->arena, type, count)) driver_fail(STATUS_DRIVER, "out of memory", name);
    if (count != 0) memcpy(array.data, values, count * npy_type_bytes(type));
    const char *path = driver_need(arena_format(driven->arena, "%s/%s.npy", driven->answers, name));
    if (!npy_write(&array, path, &diagnostics)) driver_fail(STATUS_DRIVER, "cannot write the answer", name);
}

void driver_answer_floats(DriverCase *driven, const char *name, const float *values, size_t count) {
    driver_answer(driven, name, NPY_F32, values, count);
}

void driver_answer_doubles(DriverCase *driven, const char *name, const double *values, size_t count) {
    driver_answer(driven, name, NPY_F64, values, count);
}

static DeviceMemory *driver_new_piece(DriverCase *driven) {
    DeviceMemory *piece = driver_need(ARENA_NEW(driven->arena, DeviceMemory));
    piece->next = driven->device;
    driven->device = piece;
    return piece;
}

static void *driver_device_memory(DriverCase *driven, size_t bytes) {
    DeviceMemory *piece = driver_new_piece(driven);
    driver_need_device(cudaMalloc(&piece->memory, bytes ? bytes : sizeof(float)), "cudaMalloc");
    return piece->memory;
}

static void *driver_device_copy(DriverCase *driven, const char *name, NpyType type, size_t *count) {
    NpyArray array;
    driver_read(driven, name, type, &array);
    *count = array.count;
    const size_t bytes = array.count * npy_type_bytes(type);
    void *memory = driver_device_memory(driven, bytes);
    if (bytes != 0) driver_need_device(cudaMemcpy(memory, array.data, bytes, COPY_TO_DEVICE), "cudaMemcpy");
    return memory;
}

float *driver_device_input(DriverCase *driven, const char *name, size_t *count) {
    return driver_device_copy(driven, name, NPY_F32, count);
}

int *driver_device_input_ints(DriverCase *driven, const char *name, size_t *count) {
    return driver_device_copy(driven, name, NPY_I32, count);
}

double *driver_device_input_doubles(DriverCase *driven, const char *name, size_t *count) {
    return driver_device_copy(driven, name, NPY_F64, count);
}

unsigned char *driver_device_input_bytes(DriverCase *driven, const char *name, size_t *count) {
    return driver_device_copy(driven, name, NPY_U8, count);
}

float *driver_device_poisoned(DriverCase *driven, size_t count) {
    float *memory = driver_device_memory(driven, count * sizeof(float));
    /* The software GPU poisons fresh memory itself and knows that it is undefined; a copy would hide that. */
    if (warpgrindMark == NULL && count != 0) {
        const float *poison = driver_poisoned_floats(driven, count);
        driver_need_device(cudaMemcpy(memory, poison, count * sizeof(float), COPY_TO_DEVICE), "cudaMemcpy");
    }
    return memory;
}

/* The same pattern is an unlikely whole number. */
int *driver_device_poisoned_ints(DriverCase *driven, size_t count) {
    return (void *)driver_device_poisoned(driven, count);
}

float *driver_pinned_poisoned(DriverCase *driven, size_t count) {
    DeviceMemory *piece = driver_new_piece(driven);
    const size_t bytes = (count ? count : 1) * sizeof(float);
    driver_need_device(cudaMallocHost(&piece->pinned, bytes), "cudaMallocHost");
    memcpy(piece->pinned, driver_poisoned_floats(driven, count ? count : 1), bytes);
    return piece->pinned;
}

float *driver_pinned_input(DriverCase *driven, const char *name, size_t *count) {
    const float *values = driver_input_floats(driven, name, count);
    float *pinned = driver_pinned_poisoned(driven, *count);
    if (*count != 0) memcpy(pinned, values, *count * sizeof *values);
    return pinned;
}

struct CUstream_st *driver_stream(DriverCase *driven) {
    DeviceMemory *piece = driver_new_piece(driven);
    driver_need_device(cudaStreamCreateWithFlags(&piece->stream, NON_BLOCKING), "cudaStreamCreate");
    return piece->stream;
}

static void driver_answer_copy(DriverCase *driven, const char *name, NpyType type, const void *d_values,
                               size_t count) {
    void *values = driver_poisoned_floats(driven, count);
    if (count != 0)
        driver_need_device(cudaMemcpy(values, d_values, count * sizeof(float), COPY_TO_HOST), "cudaMemcpy");
    driver_answer(driven, name, type, values, count);
}

void driver_copy_back(DriverCase *driven, float *values, const float *d_values, size_t count) {
    (void)driven;
    if (count != 0)
        driver_need_device(cudaMemcpy(values, d_values, count * sizeof(float), COPY_TO_HOST), "cudaMemcpy");
}

void driver_copy_kept(DriverCase *driven, float *values, const float *d_values, size_t count) {
    const char *mark = driver_need(arena_format(driven->arena, "%s" MARK_KEPT, driven->name));
    if (warpgrindMark != NULL) warpgrindMark(mark);
    driver_copy_back(driven, values, d_values, count);
    if (warpgrindMark != NULL) warpgrindMark(driven->name);
}

void driver_answer_device(DriverCase *driven, const char *name, const float *d_values, size_t count) {
    driver_answer_copy(driven, name, NPY_F32, d_values, count);
}

void driver_answer_device_ints(DriverCase *driven, const char *name, const int *d_values, size_t count) {
    driver_answer_copy(driven, name, NPY_I32, d_values, count);
}

static void driver_free_device(DriverCase *driven) {
    for (DeviceMemory *piece = driven->device; piece != NULL; piece = piece->next)
        if (piece->stream != NULL)
            driver_need_device(cudaStreamDestroy(piece->stream), "cudaStreamDestroy");
        else if (piece->pinned != NULL)
            driver_need_device(cudaFreeHost(piece->pinned), "cudaFreeHost");
        else
            driver_need_device(cudaFree(piece->memory), "cudaFree");
}

static const char *driver_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void driver_run_case(const char *out, const char *folder) {
    DriverCase driven = {
        .folder = folder, .name = driver_last_part(folder), .arena = driver_need(arena_create())};
    driven.answers = driver_need(arena_format(driven.arena, "%s/%s", out, driven.name));
    if (mkdir(driven.answers, 0700) != 0 && errno != EEXIST)
        driver_fail(STATUS_DRIVER, "cannot make the folder", driven.answers);
    if (warpgrindMark != NULL) warpgrindMark(driven.name);
    driver_case(&driven);
    driver_free_device(&driven);
    arena_destroy(driven.arena);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s OUT_DIR CASE_DIR...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        driver_run_case(argv[1], argv[i]);
    if (warpgrindMark != NULL) warpgrindMark(MARK_END);
    return 0;
}
