/* handle.c - handles and their settings, the words of a status, and copies of vectors and matrices. */
#include "cublas/context.h"
#include "cudart/refusal.h"

#include <cublasLt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a call returns ---- */

/** Our runtime's way to make a finding of it. */
extern void warpgrindRefused(int why, const char *text) __attribute__((weak));

/** Names in the library have a version, which programs do not write. */
static int length_of_name(const char *function) {
    const char *version = strstr(function, "_v2");
    if (version != NULL) return (int)(version - function);
    return (int)strlen(function);
}

__attribute__((format(printf, 3, 0))) static void tell(LibraryRefusal why, const char *function,
                                                       const char *format, va_list values) {
    char text[400];
    int length = snprintf(text, sizeof text, "%.*s ", length_of_name(function), function);
    if (length < 0 || length >= (int)sizeof text) return;
    vsnprintf(text + length, sizeof text - (size_t)length, format, values);
    if (warpgrindRefused != NULL)
        warpgrindRefused((int)why, text);
    else
        fprintf(stderr, "cublas: %s\n", text);
}

__attribute__((format(printf, 3, 4))) static void say(LibraryRefusal why, const char *function,
                                                      const char *format, ...) {
    va_list values;
    va_start(values, format);
    tell(why, function, format, values);
    va_end(values);
}

cublasStatus_t context_refuse(const char *function, const char *format, ...) {
    va_list values;
    va_start(values, format);
    tell(LIBRARY_REFUSES_VALUE, function, format, values);
    va_end(values);
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t context_refuse_lead(const char *function, const char *letter, int lead, int rows) {
    say(LIBRARY_REFUSES_LEAD, function,
        "got ld%s = %d, which must be at least %d: in memory %s has so many rows, column by column", letter,
        lead, rows, letter);
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t context_refuse_side(const char *function) {
    say(LIBRARY_REFUSES_SIDE, function,
        "got device memory for its result, but this handle's results go to the host");
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t context_no_handle(const char *function) {
    say(LIBRARY_REFUSES_HANDLE, function, "got no handle: it is NULL");
    return CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t context_lack(const char *function, const char *format, ...) {
    va_list values;
    va_start(values, format);
    tell(LIBRARY_REFUSES_LACKING, function, format, values);
    va_end(values);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t context_status(cudaError_t error) {
    if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
    if (error == cudaErrorMemoryAllocation) return CUBLAS_STATUS_ALLOC_FAILED;
    return CUBLAS_STATUS_EXECUTION_FAILED;
}

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature that is needed"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license of the library was not found"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

CUBLAS_EXPORT const char *cublasGetStatusName(cublasStatus_t status) {
    for (unsigned i = 0; i < STATUSES; i++)
        if (statuses[i].status == status) return statuses[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

CUBLAS_EXPORT const char *cublasGetStatusString(cublasStatus_t status) {
    for (unsigned i = 0; i < STATUSES; i++)
        if (statuses[i].status == status) return statuses[i].text;
    return "unknown cublasStatus_t";
}

/* ---- handles ---- */

/** Counts handles for ever; results have places for 64 of them (reduce.cu). */
static unsigned handles_made;

CUBLAS_EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    if (handle == NULL) return context_refuse("cublasCreate", "got no place for the handle");
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasHandle_t made = calloc(1, sizeof *made);
    if (made == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    made->number = __atomic_fetch_add(&handles_made, 1, __ATOMIC_RELAXED);
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    if (handle == NULL) return context_no_handle(__func__);
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    if (handle == NULL) return context_no_handle(__func__);
    if (version == NULL) return context_refuse(__func__, "got no place for the version");
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_EXPORT cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (value == NULL || (unsigned)type >= sizeof parts / sizeof *parts)
        return context_refuse(__func__, "got property %d, or no place for it", (int)type);
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
    (void)workspace, (void)bytes;
    if (handle == NULL) return context_no_handle(__func__);
    return CUBLAS_STATUS_SUCCESS;
}

/** A setting: a function that keeps it, and one that returns it. */
#define SETTING(set, get, Type, field)                                                                       \
    CUBLAS_EXPORT cublasStatus_t set(cublasHandle_t handle, Type value) {                                    \
        if (handle == NULL) return context_no_handle(__func__);                                              \
        handle->field = value;                                                                               \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t get(cublasHandle_t handle, Type *value) {                                   \
        if (handle == NULL) return context_no_handle(__func__);                                              \
        if (value == NULL) return context_refuse(__func__, "got no place for the setting");                  \
        *value = handle->field;                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
SETTING(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointers)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)
SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
#undef SETTING

/* ---- copies ---- */

/** One copy: `rows` rows of `width` bytes each, which begin `from_pitch` and `to_pitch` bytes apart. */
typedef struct Copy {
    const char *function;
    size_t width, rows, from_pitch, to_pitch;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    bool waits;
} Copy;

static cublasStatus_t copy(const Copy *c, const void *from, void *to) {
    if (c->width == 0 || c->rows == 0) return CUBLAS_STATUS_SUCCESS;
    cudaError_t error;
    if (c->waits)
        error = cudaMemcpy2D(to, c->to_pitch, from, c->from_pitch, c->width, c->rows, c->kind);
    else
        error =
            cudaMemcpy2DAsync(to, c->to_pitch, from, c->from_pitch, c->width, c->rows, c->kind, c->stream);
    if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
    return CUBLAS_STATUS_MAPPING_ERROR;
}

/* A vector whose elements lie side by side is one row. */
static cublasStatus_t copy_vector(Copy c, int n, int bytes, const void *from, int from_step, void *to,
                                  int to_step) {
    if (n < 0 || bytes <= 0 || from_step <= 0 || to_step <= 0)
        return context_refuse(
            c.function,
            "got n = %d, elements of %d bytes, steps %d and %d: none may be negative, only n "
            "may be 0",
            n, bytes, from_step, to_step);
    size_t element = (size_t)bytes;
    bool together = from_step == 1 && to_step == 1;
    if (together) {
        c.width = (size_t)n * element;
        c.rows = 1;
    } else {
        c.width = element;
        c.rows = (size_t)n;
    }
    if (together)
        c.from_pitch = c.width;
    else
        c.from_pitch = (size_t)from_step * element;
    if (together)
        c.to_pitch = c.width;
    else
        c.to_pitch = (size_t)to_step * element;
    return copy(&c, from, to);
}

static cublasStatus_t copy_matrix(Copy c, int rows, int columns, int bytes, const void *from, int from_lead,
                                  void *to, int to_lead) {
    int least = 1;
    if (rows > 1) least = rows;
    if (rows < 0 || columns < 0 || bytes <= 0 || from_lead < least || to_lead < least)
        return context_refuse(c.function,
                              "got %d rows, %d columns, elements of %d bytes, leading dimensions %d and %d: "
                              "a leading dimension is at least the number of rows",
                              rows, columns, bytes, from_lead, to_lead);
    c.width = (size_t)rows * (size_t)bytes;
    c.rows = (size_t)columns;
    c.from_pitch = (size_t)from_lead * (size_t)bytes;
    c.to_pitch = (size_t)to_lead * (size_t)bytes;
    return copy(&c, from, to);
}

/** A way that waits, and one in a stream. */
#define VECTOR_COPIES(name, how)                                                                             \
    CUBLAS_EXPORT cublasStatus_t name(int n, int bytes, const void *from, int incx, void *to, int incy) {    \
        Copy c = {.function = #name, .kind = how, .waits = true};                                            \
        return copy_vector(c, n, bytes, from, incx, to, incy);                                               \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t name##Async(int n, int bytes, const void *from, int incx, void *to,         \
                                             int incy, cudaStream_t stream) {                                \
        Copy c = {.function = #name "Async", .kind = how, .stream = stream};                                 \
        return copy_vector(c, n, bytes, from, incx, to, incy);                                               \
    }
VECTOR_COPIES(cublasSetVector, cudaMemcpyHostToDevice)
VECTOR_COPIES(cublasGetVector, cudaMemcpyDeviceToHost)
#undef VECTOR_COPIES

#define MATRIX_COPIES(name, how)                                                                             \
    CUBLAS_EXPORT cublasStatus_t name(int rows, int columns, int bytes, const void *from, int lda, void *to, \
                                      int ldb) {                                                             \
        Copy c = {.function = #name, .kind = how, .waits = true};                                            \
        return copy_matrix(c, rows, columns, bytes, from, lda, to, ldb);                                     \
    }                                                                                                        \
    CUBLAS_EXPORT cublasStatus_t name##Async(int rows, int columns, int bytes, const void *from, int lda,    \
                                             void *to, int ldb, cudaStream_t stream) {                       \
        Copy c = {.function = #name "Async", .kind = how, .stream = stream};                                 \
        return copy_matrix(c, rows, columns, bytes, from, lda, to, ldb);                                     \
    }
MATRIX_COPIES(cublasSetMatrix, cudaMemcpyHostToDevice)
MATRIX_COPIES(cublasGetMatrix, cudaMemcpyDeviceToHost)
#undef MATRIX_COPIES

/* ---- cuBLASLt: a handle, and no more ---- */

CUBLAS_EXPORT cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    return cublasCreate_v2((cublasHandle_t *)handle);
}

CUBLAS_EXPORT cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return cublasDestroy_v2((cublasHandle_t)handle);
}

CUBLAS_EXPORT const char *cublasLtGetStatusName(cublasStatus_t status) {
    return cublasGetStatusName(status);
}

CUBLAS_EXPORT const char *cublasLtGetStatusString(cublasStatus_t status) {
    return cublasGetStatusString(status);
}
