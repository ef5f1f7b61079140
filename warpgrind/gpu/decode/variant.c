/* variant.c - the table of what is compiled once for every processor level, the choice among its rows, and
 * the operations in them. */
#include "gpu/decode/variant.h"
#include "gpu/state/machine.h"

#ifdef __x86_64__
#define LEVELS(X) X(v2) X(v3) X(v4)
#else
#define LEVELS(X) X(generic)
#endif
#define DECLARE(level)                                                                                       \
    GpuOperationTable exec_int_##level, exec_float_##level, exec_cvt_##level;                                \
    GpuAddresses exec_addresses_##level;                                                                     \
    GpuFindSpan exec_find_span_##level;                                                                      \
    GpuLoadRow exec_load_row_##level;                                                                        \
    GpuLoadNarrow exec_load_narrow_##level;                                                                  \
    GpuMoveRow exec_move_row_##level;                                                                        \
    GpuLocalPlaces exec_local_places_##level;                                                                \
    GpuFreshWords exec_fresh_words_##level;
#define VARIANT(level)                                                                                       \
    {.operations = {exec_int_##level, exec_float_##level, exec_cvt_##level},                                 \
     .addresses = exec_addresses_##level,                                                                    \
     .find_span = exec_find_span_##level,                                                                    \
     .load_row = exec_load_row_##level,                                                                      \
     .load_narrow = exec_load_narrow_##level,                                                                \
     .move_row = exec_move_row_##level,                                                                      \
     .local_places = exec_local_places_##level,                                                              \
     .fresh_words = exec_fresh_words_##level},
LEVELS(DECLARE)

static const GpuVariant variants[] = {LEVELS(VARIANT)};

/** What the processor can do, all of it: a level is compiled with all these extensions at once. */
unsigned gpu_processor_level(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

const GpuVariant *variant_at(unsigned level) {
    return &variants[level];
}

/** A search from the first row on: it happens only when code is decoded. */
const GpuOperation *variant_find(const Gpu *gpu, PtxOpcode opcode, PtxType type, PtxType source_type,
                                 int mode) {
    for (unsigned t = 0; t < GPU_OPERATION_TABLES; t++) {
        GpuOperations table = gpu->variant->operations[t]();
        for (unsigned i = 0; i < table.count; i++) {
            const GpuOperation *row = table.rows + i;
            if (row->opcode == opcode && row->type == type && row->source_type == source_type &&
                row->mode == mode)
                return row;
        }
    }
    return NULL;
}
