/* exec.c - chooses the handlers compiled for this processor, and finds rows in their tables. */
#include "gpu/internal.h"

typedef GpuOperations Table(void);

#ifdef __x86_64__
#define LEVELS(X) X(v2) X(v3) X(v4)
#else
#define LEVELS(X) X(generic)
#endif
#define DECLARE(level)                                                                                       \
    Table exec_int_##level, exec_float_##level, exec_cvt_##level;                                            \
    GpuAddresses exec_addresses_##level;                                                                     \
    GpuLoadRow exec_load_row_##level;                                                                        \
    GpuLoadNarrow exec_load_narrow_##level;                                                                  \
    GpuFindSpan exec_find_span_##level;
#define ADDRESSES(level) exec_addresses_##level,
#define LOAD_ROW(level) exec_load_row_##level,
#define LOAD_NARROW(level) exec_load_narrow_##level,
#define FIND_SPAN(level) exec_find_span_##level,
#define COLUMN(level) {exec_int_##level, exec_float_##level, exec_cvt_##level},
LEVELS(DECLARE)

enum { TABLES = 3 };
static Table *const tables[][TABLES] = {LEVELS(COLUMN)};

unsigned exec_architecture(void) {
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

unsigned gpu_processor_level(void) {
    return exec_architecture();
}

GpuAddresses *exec_addresses_for(unsigned architecture) {
    static GpuAddresses *const levels[] = {LEVELS(ADDRESSES)};
    return levels[architecture];
}

GpuLoadRow *exec_load_row_for(unsigned architecture) {
    static GpuLoadRow *const levels[] = {LEVELS(LOAD_ROW)};
    return levels[architecture];
}

GpuLoadNarrow *exec_load_narrow_for(unsigned architecture) {
    static GpuLoadNarrow *const levels[] = {LEVELS(LOAD_NARROW)};
    return levels[architecture];
}

GpuFindSpan *exec_find_span_for(unsigned architecture) {
    static GpuFindSpan *const levels[] = {LEVELS(FIND_SPAN)};
    return levels[architecture];
}

const GpuOperation *exec_find(const Gpu *gpu, PtxOpcode opcode, PtxType type, PtxType source_type, int mode) {
    for (unsigned t = 0; t < TABLES; t++) {
        GpuOperations table = tables[gpu->architecture][t]();
        for (unsigned i = 0; i < table.count; i++) {
            const GpuOperation *row = table.rows + i;
            if (row->opcode == opcode && row->type == type && row->source_type == source_type &&
                row->mode == mode)
                return row;
        }
    }
    return NULL;
}
