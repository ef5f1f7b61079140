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
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_DRIVER = 70, STATUS_DEVICE = 71 };
enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 2 }; /* cudaMemcpyKind */
enum { NON_BLOCKING = 1 };                     /* cudaStreamNonBlocking */
static const size_t input_limit = (size_t)1 << 30;

int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct CUstream_st *stream);
int cudaMallocHost(void **memory, size_t bytes);
int cudaFreeHost(void *memory);
int cudaStreamCreateWithFlags(struct CUstream_st **stream, unsigned flags);
int cudaStreamDestroy(struct CUstream_st *stream);
int cudaStreamSynchronize(struct CUstream_st *stream);
const char *cudaGetErrorName(int error);
const char *cudaGetErrorString(int error);
/* Only the software GPU has it. */
void warpgrindMark(const char *name) __attribute__((weak));

/* A buffer or a stream that the student's function gets: one of the four. The runtime's go back to it. */
typedef struct Piece {
    void *host, *memory, *pinned;
    struct CUstream_st *stream;
    size_t bytes;
    struct Piece *next;
} Piece;

/* A case that is called twice gets the pieces of the first call again, in the order in which it asks for
 * them. */
struct DriverCase {
    const char *folder;  /* where the inputs are */
    const char *name;    /* of the case: the last part of its folder */
    const char *answers; /* OUT_DIR/name */
    const char *mark;    /* of the call that is under way */
    Arena *arena;        /* all host memory of the case */
    Piece *pieces;
    Piece **place; /* where the next piece hangs, or will */
    /* Of the call that is under way, in seconds: when its last input was there, and its first answer; and
     * what both have. */
    double began, ended;
    size_t bytes;
    bool anew; /* what the call is to fill is poisoned again */
    bool untimed;
};

void driver_leave_untimed(DriverCase *driven) {
    driven->untimed = true;
}

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

/* ---- how long the function takes ----
 *
 * Asked for on a card alone: the software GPU sees who reads a clock while kernels run, and would speak of
 * it. */

static double driver_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void driver_note_input(DriverCase *driven, size_t bytes) {
    driven->bytes += bytes;
    if (warpgrindMark == NULL) driven->began = driver_now();
}

static void driver_note_answer(DriverCase *driven, size_t bytes) {
    driven->bytes += bytes;
    if (warpgrindMark == NULL && driven->ended == 0) driven->ended = driver_now();
}

/* ---- inputs ---- */

/* The next piece of the case: an empty one, or in a second call the one that stood here in the first. */
static Piece *driver_next_piece(DriverCase *driven, size_t bytes) {
    if (*driven->place == NULL) {
        *driven->place = driver_need(ARENA_NEW(driven->arena, Piece));
        (*driven->place)->bytes = bytes;
    }
    Piece *piece = *driven->place;
    if (piece->bytes != bytes) driver_fail(STATUS_DRIVER, "the two calls differ in sizes", driven->name);
    driven->place = &piece->next;
    return piece;
}

/* An empty array has an address too, as malloc would give the caller. */
static size_t bytes_of_floats(size_t count) {
    return (count ? count : 1) * sizeof(float);
}

static float *driver_poison(DriverCase *driven, size_t count) {
    float *values = driver_need(arena_alloc(driven->arena, bytes_of_floats(count)));
    const uint32_t poison = POISON_HOST_FLOAT;
    for (size_t i = 0; i < count; i++)
        memcpy(&values[i], &poison, sizeof poison);
    return values;
}

float *driver_poisoned_floats(DriverCase *driven, size_t count) {
    Piece *piece = driver_next_piece(driven, bytes_of_floats(count));
    if (piece->host == NULL || driven->anew) piece->host = driver_poison(driven, count);
    driver_note_input(driven, 0);
    return piece->host;
}

const float *driver_input_floats(DriverCase *driven, const char *name, size_t *count) {
    NpyArray array;
    driver_read(driven, name, NPY_F32, &array);
    *count = array.count;
    float *values = driver_poisoned_floats(driven, array.count);
    if (array.count != 0) memcpy(values, array.data, array.count * sizeof *values);
    driver_note_input(driven, array.count * sizeof *values);
    return values;
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

/* `values` are `count` elements of that type. */
static void driver_answer(DriverCase *driven, const char *name, NpyType type, const void *values,
                          size_t count) {
    NpyArray array;
    Diagnostics diagnostics;
    driver_note_answer(driven, count * npy_type_bytes(type));
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

static void *driver_device_memory(DriverCase *driven, size_t bytes) {
    Piece *piece = driver_next_piece(driven, bytes ? bytes : sizeof(float));
    if (piece->memory == NULL) driver_need_device(cudaMalloc(&piece->memory, piece->bytes), "cudaMalloc");
    return piece->memory;
}

/* "The function will return once the pageable buffer has been copied to the staging memory for DMA transfer
 * to device memory, but the DMA to final destination may not have completed" (Runtime API, API
 * synchronization behavior): a stream that does not wait for the default one would meet it there. */
static void driver_to_device(void *memory, const void *from, size_t bytes) {
    driver_need_device(cudaMemcpy(memory, from, bytes, COPY_TO_DEVICE), "cudaMemcpy");
    driver_need_device(cudaStreamSynchronize(NULL), "cudaStreamSynchronize");
}

static void *driver_device_copy(DriverCase *driven, const char *name, NpyType type, size_t *count) {
    NpyArray array;
    driver_read(driven, name, type, &array);
    *count = array.count;
    const size_t bytes = array.count * npy_type_bytes(type);
    void *memory = driver_device_memory(driven, bytes);
    if (bytes != 0) driver_to_device(memory, array.data, bytes);
    driver_note_input(driven, bytes);
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
    const bool fresh = *driven->place == NULL || driven->anew;
    float *memory = driver_device_memory(driven, count * sizeof(float));
    /* The software GPU poisons fresh memory itself and knows that it is undefined; a copy would hide that. */
    if (fresh && warpgrindMark == NULL && count != 0)
        driver_to_device(memory, driver_poison(driven, count), count * sizeof(float));
    driver_note_input(driven, 0);
    return memory;
}

/* The same pattern is an unlikely whole number. */
int *driver_device_poisoned_ints(DriverCase *driven, size_t count) {
    return (void *)driver_device_poisoned(driven, count);
}

float *driver_pinned_poisoned(DriverCase *driven, size_t count) {
    Piece *piece = driver_next_piece(driven, bytes_of_floats(count));
    const bool fresh = piece->pinned == NULL;
    if (fresh) driver_need_device(cudaMallocHost(&piece->pinned, piece->bytes), "cudaMallocHost");
    if (fresh || driven->anew) memcpy(piece->pinned, driver_poison(driven, count ? count : 1), piece->bytes);
    driver_note_input(driven, 0);
    return piece->pinned;
}

float *driver_pinned_input(DriverCase *driven, const char *name, size_t *count) {
    NpyArray array;
    driver_read(driven, name, NPY_F32, &array);
    *count = array.count;
    float *pinned = driver_pinned_poisoned(driven, *count);
    if (*count != 0) memcpy(pinned, array.data, *count * sizeof *pinned);
    driver_note_input(driven, *count * sizeof *pinned);
    return pinned;
}

struct CUstream_st *driver_stream(DriverCase *driven) {
    Piece *piece = driver_next_piece(driven, 0);
    if (piece->stream == NULL)
        driver_need_device(cudaStreamCreateWithFlags(&piece->stream, NON_BLOCKING), "cudaStreamCreate");
    return piece->stream;
}

static void driver_answer_copy(DriverCase *driven, const char *name, NpyType type, const void *d_values,
                               size_t count) {
    void *values = driver_poison(driven, count);
    if (count != 0)
        driver_need_device(cudaMemcpy(values, d_values, count * sizeof(float), COPY_TO_HOST), "cudaMemcpy");
    driver_answer(driven, name, type, values, count);
}

void driver_copy_back(DriverCase *driven, float *values, const float *d_values, size_t count) {
    if (count != 0)
        driver_need_device(cudaMemcpy(values, d_values, count * sizeof(float), COPY_TO_HOST), "cudaMemcpy");
    driver_note_answer(driven, 0);
}

void driver_copy_beside(DriverCase *driven, float *pinned, const float *d_values, size_t count,
                        struct CUstream_st *reader) {
    const size_t bytes = count * sizeof(float);
    if (count != 0)
        driver_need_device(cudaMemcpyAsync(pinned, d_values, bytes, COPY_TO_HOST, reader), "cudaMemcpyAsync");
    driver_need_device(cudaStreamSynchronize(reader), "cudaStreamSynchronize");
    driver_note_answer(driven, 0);
}

void driver_copy_kept(DriverCase *driven, float *values, const float *d_values, size_t count) {
    const char *mark = driver_need(arena_format(driven->arena, "%s" MARK_KEPT, driven->name));
    if (warpgrindMark != NULL) warpgrindMark(mark);
    driver_copy_back(driven, values, d_values, count);
    if (warpgrindMark != NULL) warpgrindMark(driven->mark);
}

void driver_answer_device(DriverCase *driven, const char *name, const float *d_values, size_t count) {
    driver_answer_copy(driven, name, NPY_F32, d_values, count);
}

void driver_answer_device_ints(DriverCase *driven, const char *name, const int *d_values, size_t count) {
    driver_answer_copy(driven, name, NPY_I32, d_values, count);
}

/* The last piece first. */
static void driver_give_back(Piece *piece) {
    if (piece == NULL) return;
    driver_give_back(piece->next);
    if (piece->stream != NULL) driver_need_device(cudaStreamDestroy(piece->stream), "cudaStreamDestroy");
    if (piece->pinned != NULL) driver_need_device(cudaFreeHost(piece->pinned), "cudaFreeHost");
    if (piece->memory != NULL) driver_need_device(cudaFree(piece->memory), "cudaFree");
}

static const char *driver_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash) return slash + 1;
    return path;
}

/* One call of the student's function, with the inputs of one folder. */
static void driver_call(DriverCase *driven, const char *folder, const char *answers) {
    driven->folder = folder;
    driven->answers = answers;
    driven->place = &driven->pieces;
    driven->began = driven->ended = 0;
    driven->bytes = 0;
    if (mkdir(answers, 0700) != 0 && errno != EEXIST)
        driver_fail(STATUS_DRIVER, "cannot make the folder", answers);
    if (warpgrindMark != NULL) warpgrindMark(driven->mark);
    driver_case(driven);
}

/* The first call of all had the library and the kernels to load. A call without arrays has no time. */
static void driver_time(DriverCase *driven, const char *folder, const char *answers) {
    const char *path = driver_need(arena_format(driven->arena, "%s/" CASE_TIMES, answers));
    FILE *file = fopen(path, "we");
    if (file == NULL) driver_fail(STATUS_DRIVER, "cannot write the times", path);
    driven->anew = true;
    for (int call = 0; call < CASE_TIMED_CALLS; call++) {
        driver_call(driven, folder, driver_need(arena_format(driven->arena, "%s/%d", answers, call)));
        if (driven->began > 0 && driven->ended > driven->began)
            fprintf(file, "%.3f %zu\n", 1e6 * (driven->ended - driven->began), driven->bytes);
    }
    if (fclose(file) != 0) driver_fail(STATUS_DRIVER, "cannot write the times", path);
}

static void driver_run_case(const char *out, const char *folder) {
    DriverCase driven = {.name = driver_last_part(folder), .arena = driver_need(arena_create())};
    const char *answers = driver_need(arena_format(driven.arena, "%s/%s", out, driven.name));
    const char *first = driver_need(arena_format(driven.arena, "%s/" CASE_FIRST_CALL, folder));
    if (mkdir(answers, 0700) != 0 && errno != EEXIST)
        driver_fail(STATUS_DRIVER, "cannot make the folder", answers);
    if (access(first, F_OK) == 0) {
        driven.mark = driver_need(arena_format(driven.arena, "%s" MARK_FIRST_CALL, driven.name));
        driver_call(&driven, first, driver_need(arena_format(driven.arena, "%s/" CASE_FIRST_CALL, answers)));
    }
    driven.mark = driven.name;
    driver_call(&driven, folder, answers);
    if (warpgrindMark == NULL && !driven.untimed && access(first, F_OK) != 0)
        driver_time(&driven, folder, answers);
    driver_give_back(driven.pieces);
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
