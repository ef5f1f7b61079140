/* npy.h - NumPy's .npy files (format 1.0 and 2.0, C order, little endian), the currency of cases and answers.
 *
 * Reading is for hostile files too: every length is checked against the bytes that are there.
 * Source: numpy.lib.format documentation.
 */
#pragma once

#include "base/diag.h"

enum { NPY_MAX_DIMENSIONS = 8 };
typedef enum NpyType { NPY_F32, NPY_F64, NPY_I32, NPY_I64, NPY_U8, NPY_U32 } NpyType;

typedef struct NpyArray {
    NpyType type;
    int dimensions; /**< 0 is a scalar: one element */
    size_t shape[NPY_MAX_DIMENSIONS];
    size_t count; /**< elements in all */
    void *data;   /**< count elements, in the arena it was read into or made in; NULL when count is 0 */
} NpyArray;

size_t npy_type_bytes(NpyType type);
/** A zeroed one-dimensional array in the arena; false without memory. */
bool npy_make(NpyArray *array, Arena *arena, NpyType type, size_t count);
bool npy_read(NpyArray *array, Arena *arena, const char *path, size_t limit_bytes, Diagnostics *diagnostics);
bool npy_parse(NpyArray *array, Arena *arena, const void *bytes, size_t length, const char *name,
               Diagnostics *diagnostics);
bool npy_write(const NpyArray *array, const char *path, Diagnostics *diagnostics);
