/* names.c - see names.h. */
#include "device/state/names.h"
#include "cudart/protocol.h"

#include <stddef.h>

static const char *const function_names[WIRE_FUNCTION_COUNT] = {
#define WIRE_MESSAGE(name, ...) [WIRE_##name] = #name,
#define WIRE_ONE_WAY(name, ...) [WIRE_##name] = #name,
#define API_FUNCTION(name, ...) [WIRE_##name] = #name,
#define API_REFUSED(name) [WIRE_##name] = #name,
#include "cudart/api.def"
};

/** A row of cuda_errors.def. */
typedef struct ErrorRow {
    int code;
    const char *name, *text;
} ErrorRow;

static const ErrorRow error_rows[] = {
#define CUDA_ERROR(code, name, text) {code, #name, text},
#include "include/cuda_errors.def"
#undef CUDA_ERROR
};

const char *names_function(uint32_t function) {
    if (function < WIRE_FUNCTION_COUNT) return function_names[function];
    return "?";
}

static const ErrorRow *error_row(CudaCode code) {
    for (size_t i = 0; i < sizeof error_rows / sizeof *error_rows; i++)
        if (error_rows[i].code == (int)code) return &error_rows[i];
    return &error_rows[0];
}

const char *names_error(CudaCode code) {
    return error_row(code)->name;
}

const char *names_error_text(CudaCode code) {
    return error_row(code)->text;
}
