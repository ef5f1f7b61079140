/* exec_table.h - makes handlers, and the table that the decoder finds them in, of the rows of EXEC_TABLE.
 *
 * Included at the end of a file that names its table, with the helpers of its expressions before it:
 *
 *   OPERATION(id, opcode, types, source, mode, D, A, B, C, expression)
 *
 *     id          begins the names of the two handlers, id_full and id_masked
 *     opcode      the instruction, a row of instructions.def, which has its section of the manual
 *     types       its type, or a set of types below that need the same work
 *     source      its second type (cvt, slct); NONE: it has none
 *     mode        what else tells forms apart: a PtxMode, a PtxRounding or a GpuDivision
 *     D A B C     what the lanes of the destination and of the sources x, y, z hold
 *     expression  the result of one lane, made from x, y and z
 *
 *   ALSO(id, opcode, types, source, mode)           the handlers do for that, too; or they are written in the
 * file itself COMPARISON(id, compare, types, lane, expression) setp's, of two sources x and y
 *   ALSO_COMPARISON(id, compare, types)
 *
 * The tables are .def files because clang-format would make a paragraph of them.
 */

/* ---- sets of types ---- */

#define EACH_U16(R, ...) R(U16, __VA_ARGS__)
#define EACH_S16(R, ...) R(S16, __VA_ARGS__)
#define EACH_B16(R, ...) R(B16, __VA_ARGS__)
#define EACH_U32(R, ...) R(U32, __VA_ARGS__)
#define EACH_S32(R, ...) R(S32, __VA_ARGS__)
#define EACH_B32(R, ...) R(B32, __VA_ARGS__)
#define EACH_F32(R, ...) R(F32, __VA_ARGS__)
#define EACH_U64(R, ...) R(U64, __VA_ARGS__)
#define EACH_S64(R, ...) R(S64, __VA_ARGS__)
#define EACH_B64(R, ...) R(B64, __VA_ARGS__)
#define EACH_F64(R, ...) R(F64, __VA_ARGS__)
#define EACH_PRED(R, ...) R(PRED, __VA_ARGS__)
#define EACH_I16(R, ...) R(U16, __VA_ARGS__) R(S16, __VA_ARGS__)
#define EACH_I32(R, ...) R(U32, __VA_ARGS__) R(S32, __VA_ARGS__)
#define EACH_I64(R, ...) R(U64, __VA_ARGS__) R(S64, __VA_ARGS__)
#define EACH_B16_B32(R, ...) R(B16, __VA_ARGS__) R(B32, __VA_ARGS__)
#define EACH_HALVES(R, ...)                                                                                  \
    R(F16, __VA_ARGS__) R(BF16, __VA_ARGS__) R(F16X2, __VA_ARGS__) R(BF16X2, __VA_ARGS__)
#define EACH_WORDS(R, ...)                                                                                   \
    EACH_I16(R, __VA_ARGS__) EACH_I32(R, __VA_ARGS__) EACH_B16_B32(R, __VA_ARGS__) R(F32, __VA_ARGS__)
#define EACH_LONGS(R, ...) EACH_I64(R, __VA_ARGS__) R(B64, __VA_ARGS__) R(F64, __VA_ARGS__)

/* ---- the handlers ---- */

#define OPERATION(id, opcode, types, source, mode, D, A, B, C, expression)                                   \
    EXEC_LANES(id, D, A, B, C, expression)
#define ALSO(id, opcode, types, source, mode)
#define COMPARISON(id, compare, types, lane, expression) EXEC_COMPARE(id, lane, expression)
#define ALSO_COMPARISON(id, compare, types)
#include EXEC_TABLE
#undef OPERATION
#undef ALSO
#undef COMPARISON
#undef ALSO_COMPARISON

/* ---- the table ---- */

#define OPERATION_ROW(type, id, opcode, source, mode)                                                        \
    {PTX_OP_##opcode, PTX_##type, PTX_##source, (int)(mode), {id##_masked, id##_full}, NULL},
#define COMPARISON_ROW(type, id, compare)                                                                    \
    {PTX_OP_setp, PTX_##type, PTX_NONE, (int)(compare), {id##_masked, id##_full}, id##_mask},
#define OPERATION(id, opcode, types, source, mode, D, A, B, C, expression)                                   \
    EACH_##types(OPERATION_ROW, id, opcode, source, mode)
#define ALSO(id, opcode, types, source, mode) EACH_##types(OPERATION_ROW, id, opcode, source, mode)
#define COMPARISON(id, compare, types, lane, expression) EACH_##types(COMPARISON_ROW, id, compare)
#define ALSO_COMPARISON(id, compare, types) EACH_##types(COMPARISON_ROW, id, compare)

GpuOperations EXEC_SYMBOL(EXEC_NAME)(void);
GpuOperations EXEC_SYMBOL(EXEC_NAME)(void) {
    static const GpuOperation operations[] = {
#include EXEC_TABLE
    };
    return (GpuOperations){operations, sizeof operations / sizeof *operations};
}
