/* library.c - the device's maths: for each row of library.def the loops over a warp's lanes, and the table to
 * find them.
 *
 * A lane that is not set may hold anything and is left out: libm is what costs here.
 */
#include "gpu/alu/approximate.h"
#include "gpu/alu/library.h"
#include "gpu/alu/nan.h"
#include "gpu/alu/special.h"

#include <math.h>
#include <string.h>

static double lane_f64(const uint64_t *slots, int lane) {
    double value;
    memcpy(&value, &slots[lane], sizeof value);
    return value;
}

static float lane_f32(const uint64_t *slots, int lane) {
    float value;
    memcpy(&value, &slots[lane], sizeof value);
    return value;
}

static int lane_s32(const uint64_t *slots, int lane) {
    int32_t value;
    memcpy(&value, &slots[lane], sizeof value);
    return value;
}

static void lane_set_f64(uint64_t *slots, int lane, double value) {
    memcpy(&slots[lane], &value, sizeof value);
}

static void lane_set_f32(uint64_t *slots, int lane, float value) {
    slots[lane] = nan_bits_of(value);
}

static void lane_set_s32(uint64_t *slots, int lane, int value) {
    slots[lane] = (uint32_t)value;
}

static void lane_set_s64(uint64_t *slots, int lane, long long value) {
    slots[lane] = (uint64_t)value;
}

/* ---- functions ---- */

#define ARGUMENT(index, variable, type, reader) type variable = reader(call->arguments[index], lane);

#define LIBRARY_FUNCTION(id, setter, expression, ...)                                                        \
    static void library_##id(const GpuLibraryCall *call) {                                                   \
        for (int lane = 0; lane < GPU_WARP_LANES; lane++) {                                                  \
            if (!(call->lanes >> lane & 1)) continue;                                                        \
            __VA_ARGS__                                                                                      \
            setter(call->result, lane, expression);                                                          \
        }                                                                                                    \
    }

#define F64(index, variable) ARGUMENT(index, variable, double, lane_f64)
#define F32(index, variable) ARGUMENT(index, variable, float, lane_f32)
#define S32(index, variable) ARGUMENT(index, variable, int, lane_s32)

#define MATH1(name, ulp64, ulp32, f64, f32)                                                                  \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, F64(0, x))                                               \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, F32(0, x))
#define MATH2(name, ulp64, ulp32, f64, f32)                                                                  \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, F64(0, x) F64(1, y))                                     \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, F32(0, x) F32(1, y))
#define MATH3(name, ulp64, ulp32, f64, f32)                                                                  \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, F64(0, x) F64(1, y) F64(2, z))                           \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, F32(0, x) F32(1, y) F32(2, z))
#define MATH4(name, ulp64, ulp32, f64, f32)                                                                  \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, F64(0, x) F64(1, y) F64(2, z) F64(3, w))                 \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, F32(0, x) F32(1, y) F32(2, z) F32(3, w))
#define MATH_X_INT(name, ulp64, ulp32, f64, f32)                                                             \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, F64(0, x) S32(1, n))                                     \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, F32(0, x) S32(1, n))
#define MATH_INT_X(name, ulp64, ulp32, f64, f32)                                                             \
    LIBRARY_FUNCTION(f64_##name, lane_set_f64, f64, S32(0, n) F64(1, x))                                     \
    LIBRARY_FUNCTION(f32_##name, lane_set_f32, f32, S32(0, n) F32(1, x))
#define MATH_TO_INT(name, ulp64, ulp32, f64, f32)                                                            \
    LIBRARY_FUNCTION(f64_##name, lane_set_s32, f64, F64(0, x))                                               \
    LIBRARY_FUNCTION(f32_##name, lane_set_s32, f32, F32(0, x))
#define MATH_TO_LONG(name, ulp64, ulp32, f64, f32)                                                           \
    LIBRARY_FUNCTION(f64_##name, lane_set_s64, f64, F64(0, x))                                               \
    LIBRARY_FUNCTION(f32_##name, lane_set_s64, f32, F32(0, x))
#define MATH2_TO_INT(name, ulp64, ulp32, f64, f32)                                                           \
    LIBRARY_FUNCTION(f64_##name, lane_set_s32, f64, F64(0, x) F64(1, y))                                     \
    LIBRARY_FUNCTION(f32_##name, lane_set_s32, f32, F32(0, x) F32(1, y))
#define FAST1(name, ulp, f32) LIBRARY_FUNCTION(fast_##name, lane_set_f32, f32, F32(0, x))
#define FAST2(name, ulp, f32) LIBRARY_FUNCTION(fast_##name, lane_set_f32, f32, F32(0, x) F32(1, y))
#include "gpu/alu/library.def"

/* ---- the table ---- */

#define COUNT_OF(...) (sizeof((PtxType[]){__VA_ARGS__}) / sizeof(PtxType))
#define ENTRY(name, ulp, id, result, ...)                                                                    \
    {name, GPU_LIBRARY_PURE, result, {__VA_ARGS__}, COUNT_OF(__VA_ARGS__), ulp, library_##id},
#define ENTRIES(name, ulp, id, result, ...)                                                                  \
    ENTRY(name, ulp, id, result, __VA_ARGS__)                                                                \
    ENTRY("__nv_" name, ulp, id, result, __VA_ARGS__)

#define MATH1(name, ulp64, ulp32, f64, f32)                                                                  \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_F64)                                                      \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_F32)
#define MATH2(name, ulp64, ulp32, f64, f32)                                                                  \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_F64, PTX_F64)                                             \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_F32, PTX_F32)
#define MATH3(name, ulp64, ulp32, f64, f32)                                                                  \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_F64, PTX_F64, PTX_F64)                                    \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_F32, PTX_F32, PTX_F32)
#define MATH4(name, ulp64, ulp32, f64, f32)                                                                  \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_F64, PTX_F64, PTX_F64, PTX_F64)                           \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_F32, PTX_F32, PTX_F32, PTX_F32)
#define MATH_X_INT(name, ulp64, ulp32, f64, f32)                                                             \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_F64, PTX_S32)                                             \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_F32, PTX_S32)
#define MATH_INT_X(name, ulp64, ulp32, f64, f32)                                                             \
    ENTRIES(#name, ulp64, f64_##name, PTX_F64, PTX_S32, PTX_F64)                                             \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_F32, PTX_S32, PTX_F32)
#define MATH_TO_INT(name, ulp64, ulp32, f64, f32)                                                            \
    ENTRIES(#name, ulp64, f64_##name, PTX_S32, PTX_F64)                                                      \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_S32, PTX_F32)
#define MATH_TO_LONG(name, ulp64, ulp32, f64, f32)                                                           \
    ENTRIES(#name, ulp64, f64_##name, PTX_S64, PTX_F64)                                                      \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_S64, PTX_F32)
#define MATH2_TO_INT(name, ulp64, ulp32, f64, f32)                                                           \
    ENTRIES(#name, ulp64, f64_##name, PTX_S32, PTX_F64, PTX_F64)                                             \
    ENTRIES(#name "f", ulp32, f32_##name, PTX_S32, PTX_F32, PTX_F32)
#define FAST1(name, ulp, f32)                                                                                \
    ENTRY("__" #name, ulp, fast_##name, PTX_F32, PTX_F32)                                                    \
    ENTRY("__nv_fast_" #name, ulp, fast_##name, PTX_F32, PTX_F32)
#define FAST2(name, ulp, f32)                                                                                \
    ENTRY("__" #name, ulp, fast_##name, PTX_F32, PTX_F32, PTX_F32)                                           \
    ENTRY("__nv_fast_" #name, ulp, fast_##name, PTX_F32, PTX_F32, PTX_F32)
#define SERVICE(name, service, result, ...)                                                                  \
    {#name, service, result, {__VA_ARGS__}, COUNT_OF(__VA_ARGS__), 0, NULL},

static const GpuLibraryEntry ENTRIES_BY_ROW[] = {
#include "gpu/alu/library.def"
};
enum { ENTRY_COUNT = sizeof ENTRIES_BY_ROW / sizeof ENTRIES_BY_ROW[0] };

const GpuLibraryEntry *gpu_library_find(const char *name) {
    for (size_t i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(ENTRIES_BY_ROW[i].name, name) == 0) return &ENTRIES_BY_ROW[i];
    return NULL;
}
