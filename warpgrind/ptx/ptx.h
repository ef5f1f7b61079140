/* ptx.h - PTX as data: what the front end makes of a module's text.
 *
 * text -> tokens -> module of functions -> names resolved -> verified against the one instruction table
 * (instructions.def) -> control flow (reconvergence points). Everything in a PtxModule lives in the arena
 * given to ptx_load; nothing in it changes afterwards. The text is untrusted: whatever it says, ptx_load
 * returns, either with a module in which every index is in range and every instruction has a row in the
 * table, or with diagnostics that have line and caret. What is wrong with the body of one function, or not
 * supported there, is kept with that function (`refusal`): a module may hold kernels that nobody launches.
 * gpu/ says it when a kernel is asked for that can reach the function, never when it already runs.
 *
 * Source: PTX ISA, sections as noted.
 */
#pragma once

#include "base/diag.h"

/* ---- types and spaces (PTX ISA 5.1, 5.2) ---- */

typedef enum PtxType {
    PTX_NONE,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_F32,
    PTX_F64,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_PRED,
    PTX_U16X2,
    PTX_S16X2,
    PTX_F32X2,
    PTX_TF32,
    PTX_E4M3X2,
    PTX_E5M2X2,
    /* elements of matrices, which no register has alone */
    PTX_E4M3,
    PTX_E5M2,
    PTX_U4,
    PTX_S4,
    PTX_B1,
    PTX_TYPE_COUNT
} PtxType;

/** Bytes of one value; 0 for PTX_NONE and PTX_PRED. */
unsigned ptx_type_bytes(PtxType type);
/** ".f32" and so on, without the dot. */
const char *ptx_type_name(PtxType type);

typedef enum PtxSpace {
    PTX_SPACE_GENERIC, /**< also: no space given */
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM, /**< a kernel's parameters, and the parameters and results of calls */
    PTX_SPACE_COUNT
} PtxSpace;

/* ---- variables: module level, function level, parameters ---- */

/** One place in an initialiser that holds an address: `variable`'s (or `function`'s) address plus addend. */
typedef struct PtxRelocation {
    size_t offset; /**< bytes from the start of the initialised variable */
    unsigned bytes;
    const struct PtxVariable *variable; /**< or NULL, then function is set */
    const struct PtxFunction *function;
    int64_t addend;
    bool generic; /**< generic(symbol): as a generic address */
} PtxRelocation;

/** Which bytes of a structure belong to a member; the others are padding. */
typedef struct PtxLayout {
    uint32_t bytes;
    const uint8_t *member; /**< [bytes], 0 or 1; NULL: the structure's members are not known */
    bool of_library;       /**< declared in a header of CUB or Thrust */
} PtxLayout;

/** A pointer that lies in a structure, as the source says it: "p.x"; of what a lambda has captured only "x".
 */
typedef struct PtxPointer {
    const char *name;
    uint32_t at;            /**< byte in the structure */
    unsigned element_bytes; /**< of what it points to; 0 unknown */
} PtxPointer;

typedef enum PtxNature { PTX_NATURE_UNKNOWN, PTX_NATURE_INTEGER, PTX_NATURE_FLOAT } PtxNature;

/* ---- types of the source: only for whoever shows values (ptx_link_typed) ---- */

typedef enum PtxShownKind {
    PTX_SHOWN_OTHER, /**< has a size at most */
    PTX_SHOWN_SIGNED,
    PTX_SHOWN_UNSIGNED,
    PTX_SHOWN_FLOAT,
    PTX_SHOWN_BOOLEAN,
    PTX_SHOWN_CHARACTER,
    PTX_SHOWN_POINTER,  /**< or a reference */
    PTX_SHOWN_ARRAY,    /**< of one dimension: others are arrays of arrays */
    PTX_SHOWN_STRUCTURE /**< or a class or union */
} PtxShownKind;

typedef struct PtxShown PtxShown;
typedef struct PtxShownMember {
    const char *name; /**< "" for a base class, or a member without a name */
    const PtxShown *type;
    uint32_t at;
    uint8_t bits, bits_above; /**< a bit field: its width, 0: none; and the bits above it in its unit */
} PtxShownMember;

/** A type as a reader of values needs it: typedefs and qualifiers are gone. */
struct PtxShown {
    PtxShownKind kind;
    const char *name; /**< "float", "Pair"; "" for pointers, arrays, and what has none */
    uint64_t bytes;
    uint64_t count;     /**< ARRAY: elements */
    const PtxShown *of; /**< POINTER, ARRAY; NULL: void or unknown */
    bool reference;     /**< a pointer that C++ writes as the thing itself */
    const PtxShownMember *members;
    uint32_t member_count;
};

typedef struct PtxVariable {
    const char *name;       /**< as in the PTX, mangled */
    const char *plain_name; /**< as in the source ("temp"), from debug lines or by demangling; never NULL */
    PtxSpace space;
    PtxType type;       /**< of one element */
    unsigned alignment; /**< bytes, a power of two */
    size_t bytes;       /**< whole size; 0 with `dynamic` */
    size_t count;       /**< elements of `type`; 0 with `dynamic` */
    bool dynamic;   /**< extern .shared x[]: all of these start at the same offset, behind the static ones */
    bool external;  /**< .extern, defined elsewhere (or nowhere) */
    bool managed;   /**< .attribute(.managed) */
    bool reference; /**< .texref or .surfref: eight bytes, the handle of what is bound to it */
    const uint8_t *initial; /**< `bytes` bytes, or NULL: zero (global, const) or undefined (others) */
    const PtxRelocation *relocations;
    unsigned relocation_count;
    uint32_t offset;   /**< parameters: byte offset in the parameter block. Function-level .param (call
                          parameters) and .local:   byte offset in the function's frame of that space. Others:
                          0,   placed by the machine. */
    int declared_line; /**< in the CUDA source, 0 unknown (from the debug information) */
    int declared_file; /**< index into files, -1 unknown */
    unsigned
        element_bytes; /**< of the source-level array element or pointed-to element (float: 4); 0 unknown */
    const PtxLayout *layout; /**< of that element; NULL: it is no structure, or unknown */
    const PtxLayout
        *own_layout;       /**< of a parameter that is a structure itself; NULL: it is none, or unknown */
    PtxNature nature;      /**< what numbers the elements are, when they are numbers */
    const PtxShown *shown; /**< ptx_link_typed; NULL: unknown */
    const PtxPointer *pointers; /**< of a parameter that is a structure */
    unsigned pointer_count;
} PtxVariable;

/* ---- instructions ---- */

typedef enum PtxOpcode {
#define PTX_OPCODE(name, ...) PTX_OP_##name,
#include "ptx/instructions.def"
#undef PTX_OPCODE
    PTX_OPCODE_COUNT
} PtxOpcode;

/** How an instruction is executed: families.def. */
typedef enum PtxFamily {
#define PTX_FAMILY(name, control, data) PTX_FAMILY_##name,
#include "ptx/families.def"
#undef PTX_FAMILY
    PTX_FAMILY_COUNT
} PtxFamily;

/** Where a lane goes on after it; families.def explains the words. */
typedef enum PtxControl {
    PTX_CONTROL_NEXT,
    PTX_CONTROL_MEET,
    PTX_CONTROL_BRANCH,
    PTX_CONTROL_TABLE,
    PTX_CONTROL_LEAVE,
    PTX_CONTROL_CALL,
    PTX_CONTROL_HALT
} PtxControl;

/** What the result comes from, and what else happens; families.def explains the words. */
typedef enum PtxData {
    PTX_DATA_UNKNOWN,
    PTX_DATA_ARITHMETIC,
    PTX_DATA_MOVE,
    PTX_DATA_CALL,
    PTX_DATA_CONTROL,
    PTX_DATA_WARP,
    PTX_DATA_ATOMIC,
    PTX_DATA_ADVICE
} PtxData;

/** How far an undefined byte of a source reaches into the result; instructions.def explains the words. */
typedef enum PtxReach {
    PTX_REACH_ALL,
    PTX_REACH_SAME,
    PTX_REACH_AND,
    PTX_REACH_OR,
    PTX_REACH_XOR,
    PTX_REACH_TRUTH_TABLE,
    PTX_REACH_DIFFERENCE,
    PTX_REACH_PRODUCT,
    PTX_REACH_PRODUCT_SUM,
    PTX_REACH_SHIFT,
    PTX_REACH_CONVERSION,
    PTX_REACH_PERMUTATION,
    PTX_REACH_CHOICE,
    PTX_REACH_FIELD
} PtxReach;

/** What else is asked of an instruction, one bit each; instructions.def explains the words. */
typedef enum PtxTrait {
    PTX_TRAIT_DROPS = 1 << 0,
    PTX_TRAIT_PASSES = 1 << 1,
    PTX_TRAIT_STORES = 1 << 2,
    PTX_TRAIT_SINKS = 1 << 3,
    PTX_TRAIT_FITS = 1 << 4,
    PTX_TRAIT_ARRIVES = 1 << 5,
    PTX_TRAIT_TESTS = 1 << 6
} PtxTrait;

/* Modifiers, as found after the mnemonic. Groups that exclude each other are enums; the verifier has made
 * sure that the combination is in the table. */
typedef enum PtxRounding {
    PTX_ROUND_DEFAULT,
    PTX_RN,
    PTX_RZ,
    PTX_RM,
    PTX_RP,
    PTX_RNI,
    PTX_RZI,
    PTX_RMI,
    PTX_RPI,
    PTX_RNA
} PtxRounding;
typedef enum PtxCompare {
    PTX_CMP_NONE,
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_LO,
    PTX_LS,
    PTX_HI,
    PTX_HS,
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU,
    PTX_NUM,
    PTX_NAN
} PtxCompare;
typedef enum PtxBoolean {
    PTX_BOOL_NONE,
    PTX_BOOL_AND,
    PTX_BOOL_OR,
    PTX_BOOL_XOR
} PtxBoolean; /* setp.cmp.BOOL */
typedef enum PtxAtomic {
    PTX_ATOM_NONE,
    PTX_ATOM_AND,
    PTX_ATOM_OR,
    PTX_ATOM_XOR,
    PTX_ATOM_CAS,
    PTX_ATOM_EXCH,
    PTX_ATOM_ADD,
    PTX_ATOM_INC,
    PTX_ATOM_DEC,
    PTX_ATOM_MIN,
    PTX_ATOM_MAX
} PtxAtomic; /* also the operation of red and redux */
typedef enum PtxSemantics {
    PTX_SEM_WEAK,
    PTX_SEM_VOLATILE,
    PTX_SEM_RELAXED,
    PTX_SEM_ACQUIRE,
    PTX_SEM_RELEASE,
    PTX_SEM_ACQ_REL,
    PTX_SEM_SC
} PtxSemantics;
typedef enum PtxScope {
    PTX_SCOPE_NONE,
    PTX_SCOPE_CTA,
    PTX_SCOPE_CLUSTER,
    PTX_SCOPE_GPU,
    PTX_SCOPE_SYS
} PtxScope;
typedef enum PtxMode { /* the one variant word that several mnemonics have; meaning by opcode */
                       PTX_MODE_NONE,
                       PTX_MODE_LO,
                       PTX_MODE_HI,
                       PTX_MODE_WIDE, /* mul, mad */
                       PTX_MODE_UP,
                       PTX_MODE_DOWN,
                       PTX_MODE_BFLY,
                       PTX_MODE_IDX, /* shfl */
                       PTX_MODE_ALL,
                       PTX_MODE_ANY,
                       PTX_MODE_UNI,
                       PTX_MODE_BALLOT, /* vote; ANY and ALL also match */
                       PTX_MODE_L,
                       PTX_MODE_R,
                       PTX_MODE_WRAP,
                       PTX_MODE_CLAMP, /* shf (direction in mode, wrap/clamp in mode2) */
                       PTX_MODE_SYNC,
                       PTX_MODE_ARRIVE,
                       PTX_MODE_RED_POPC,
                       PTX_MODE_RED_AND,
                       PTX_MODE_RED_OR, /* bar, barrier */
                       PTX_MODE_F4E,
                       PTX_MODE_B4E,
                       PTX_MODE_RC8,
                       PTX_MODE_ECL,
                       PTX_MODE_ECR,
                       PTX_MODE_RC16, /* prmt */
                       PTX_MODE_FINITE,
                       PTX_MODE_INFINITE,
                       PTX_MODE_NUMBER,
                       PTX_MODE_NOTANUMBER,
                       PTX_MODE_NORMAL,
                       PTX_MODE_SUBNORMAL, /* testp */
                       PTX_MODE_COMMIT_GROUP,
                       PTX_MODE_WAIT_GROUP,
                       PTX_MODE_WAIT_ALL, /* cp.async */
                       PTX_MODE_PARITY,
                       PTX_MODE_NOCOMPLETE,
                       PTX_MODE_NOINC, /* mbarrier */
                       PTX_MODE_PLUS_ONE,
                       PTX_MODE_SHR7,
                       PTX_MODE_SHR15 /* vmad */
} PtxMode;

/* Textures and surfaces (PTX ISA 9.7.10, 9.7.11): the shape; what lies outside a surface; the variant of tex
 * (level of detail), the component that tld4 gathers, or what txq and suq ask for. */
typedef enum PtxGeometry {
    PTX_GEOMETRY_NONE,
    PTX_GEOMETRY_1D,
    PTX_GEOMETRY_2D,
    PTX_GEOMETRY_3D,
    PTX_GEOMETRY_A1D,
    PTX_GEOMETRY_A2D,
    PTX_GEOMETRY_CUBE,
    PTX_GEOMETRY_ACUBE
} PtxGeometry;
/** How many operands hold coordinates, the layer among them. */
unsigned ptx_geometry_coordinates(PtxGeometry geometry);
bool ptx_geometry_layered(PtxGeometry geometry);
bool ptx_geometry_cube(PtxGeometry geometry);
typedef enum PtxBoundary {
    PTX_BOUNDARY_NONE,
    PTX_BOUNDARY_TRAP,
    PTX_BOUNDARY_CLAMP,
    PTX_BOUNDARY_ZERO
} PtxBoundary;
typedef enum PtxSelect {
    PTX_SELECT_NONE,
    PTX_SELECT_LEVEL,
    PTX_SELECT_GRAD,
    PTX_SELECT_R,
    PTX_SELECT_G,
    PTX_SELECT_B,
    PTX_SELECT_A,
    PTX_SELECT_WIDTH,
    PTX_SELECT_HEIGHT,
    PTX_SELECT_DEPTH,
    PTX_SELECT_ARRAY_SIZE,
    PTX_SELECT_CHANNEL_TYPE,
    PTX_SELECT_CHANNEL_ORDER,
    PTX_SELECT_NORMALIZED,
    PTX_SELECT_LEVELS,
    PTX_SELECT_SAMPLES
} PtxSelect;

/* Matrices of a warp (PTX ISA 9.7.14): rows of a, columns of b, and what both are long. */
typedef enum PtxShape {
    PTX_SHAPE_NONE,
    PTX_SHAPE_M8N8,
    PTX_SHAPE_M8N8K4,
    PTX_SHAPE_M8N8K16,
    PTX_SHAPE_M8N8K32,
    PTX_SHAPE_M8N8K128,
    PTX_SHAPE_M16N8K4,
    PTX_SHAPE_M16N8K8,
    PTX_SHAPE_M16N8K16,
    PTX_SHAPE_M16N8K32,
    PTX_SHAPE_M16N8K64,
    PTX_SHAPE_M16N8K128,
    PTX_SHAPE_M16N8K256,
    PTX_SHAPE_M16N16K16,
    PTX_SHAPE_M16N16K8,
    PTX_SHAPE_M32N8K16,
    PTX_SHAPE_M8N32K16
} PtxShape;
typedef enum PtxMajor { PTX_MAJOR_NONE, PTX_MAJOR_ROW, PTX_MAJOR_COL } PtxMajor;

typedef struct PtxModifiers {
    PtxRounding rounding;
    PtxCompare compare;
    PtxBoolean boolean;
    PtxAtomic atomic;
    PtxSemantics semantics;
    PtxScope scope;
    PtxMode mode, mode2;
    PtxGeometry geometry;
    PtxBoundary boundary;
    PtxSelect select;
    PtxSpace space, space2; /**< ld/st/atom/cvta/isspacep/mov; space2: the source of cp.async */
    PtxShape shape;
    PtxMajor layout, layout2; /**< of a matrix in memory; mma: of a, of b */
    /* sync also: a test of an mbarrier acquires when it succeeds */
    bool ftz, sat, approx, full, uni, aligned, shiftamt, nan, xorsign, abs, noftz, to /* cvta.to */, sync, nc,
        cc, relu, satfinite, cg /* past the first-level cache */;
    uint8_t vector; /**< 1, 2, 4, 8 */
    uint8_t number; /**< ldmatrix, stmatrix: how many matrices */
    bool trans;
} PtxModifiers;

typedef enum PtxOperandKind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER,  /**< index */
    PTX_OPERAND_IMMEDIATE, /**< bits, already of the operand's type (floats as their bit pattern, sign
                              extended integers) */
    PTX_OPERAND_VARIABLE,  /**< the address of `variable` plus offset (mov %rd, temp) */
    PTX_OPERAND_FUNCTION,  /**< the address of `function` */
    PTX_OPERAND_ADDRESS, /**< [base + offset]: base is register `index`, or `variable`, or neither (index < 0)
                          */
    PTX_OPERAND_LABEL, /**< index: the instruction the label stands before (may be instruction_count: the end)
                        */
    PTX_OPERAND_SPECIAL, /**< index: PtxSpecial */
    PTX_OPERAND_VECTOR,  /**< {a, b, ...}: `parts` operands (REGISTER, IMMEDIATE or SINK) from `first_part` */
    PTX_OPERAND_SINK     /**< _ */
} PtxOperandKind;

/** Part of a register: %r1.b0 and so on (scalar video instructions). */
typedef enum PtxPart {
    PTX_PART_WHOLE,
    PTX_PART_B0,
    PTX_PART_B1,
    PTX_PART_B2,
    PTX_PART_B3,
    PTX_PART_H0,
    PTX_PART_H1
} PtxPart;

typedef struct PtxOperand {
    PtxOperandKind kind;
    PtxPart part;
    bool negated; /**< !%p */
    int32_t index;
    uint32_t first_part; /**< into PtxFunction.parts */
    uint8_t parts;
    int64_t offset;
    uint64_t bits;
    const struct PtxVariable *variable;
    const struct PtxFunction *function;
} PtxOperand;

typedef enum PtxSpecial { /* PTX ISA 10 */
                          PTX_TID_X,
                          PTX_TID_Y,
                          PTX_TID_Z,
                          PTX_NTID_X,
                          PTX_NTID_Y,
                          PTX_NTID_Z,
                          PTX_CTAID_X,
                          PTX_CTAID_Y,
                          PTX_CTAID_Z,
                          PTX_NCTAID_X,
                          PTX_NCTAID_Y,
                          PTX_NCTAID_Z,
                          PTX_LANEID,
                          PTX_WARPID,
                          PTX_NWARPID,
                          PTX_SMID,
                          PTX_NSMID,
                          PTX_GRIDID,
                          PTX_LANEMASK_EQ,
                          PTX_LANEMASK_LE,
                          PTX_LANEMASK_LT,
                          PTX_LANEMASK_GE,
                          PTX_LANEMASK_GT,
                          PTX_CLOCK,
                          PTX_CLOCK_HI,
                          PTX_CLOCK64,
                          PTX_GLOBALTIMER,
                          PTX_GLOBALTIMER_LO,
                          PTX_GLOBALTIMER_HI,
                          PTX_DYNAMIC_SMEM_SIZE,
                          PTX_TOTAL_SMEM_SIZE,
                          PTX_ENVREG,
                          PTX_GRID_WORKSPACE_HIGH, /**< %envreg1: of the address of what a cooperative
                                                      launch's blocks count their meetings in */
                          PTX_GRID_WORKSPACE_LOW,  /**< %envreg2 */
                          PTX_WARPSZ,
                          PTX_SPECIAL_COUNT
} PtxSpecial;

/** Offset and size of the shared memory that each block has and the system keeps for itself, as the registers
 * %reserved_smem_offset_* give them (PTX ISA 10): far from all that a program can have. It begins as zero. */
#define PTX_SYSTEM_SHARED UINT32_C(0xf00000)
#define PTX_SYSTEM_SHARED_BYTES UINT32_C(1024)

enum { PTX_MAX_OPERANDS = 7 };

/** Operands stand in the order of the text: destination(s) first. `setp`'s second destination (p|q) and
 * shfl's are the operand after the first. A call has no operands here, but call_* below. */
typedef struct PtxInstruction {
    PtxOpcode opcode;
    PtxType type;        /**< the (first) type: of the operation, cvt's destination */
    PtxType source_type; /**< cvt's source, set/slct's second, mul.wide's is `type`; else PTX_NONE */
    PtxType third_type;  /**< video instructions: that of the second source; else PTX_NONE */
    PtxType fourth_type; /**< mma: of d, a, b and c */
    int32_t hidden; /**< loads and stores of matrices: the first of four registers of 32 bits for what is on
                       its way */
    PtxModifiers modifiers;
    int32_t guard; /**< register of @%p, -1: always */
    bool guard_negated;
    uint8_t operand_count, destination_count;
    PtxOperand operands[PTX_MAX_OPERANDS];

    int file, line,
        column; /**< of the CUDA source, from .loc (file: index into files, -1 unknown; line 0 unknown) */
    int inlined_at_line, inlined_at_column; /**< where the function that it stands in was inlined; 0: not */
    int ptx_line;

    /* bra: where the two sides meet again, the instruction index of the immediate post-dominator;
     * PTX_NO_RECONVERGENCE when they only meet at the function's exit. */
    int32_t reconvergence;
    /* bra: a barrier that one side passes before the sides meet and the other goes around (index of the
     * barrier instruction), or -1. First when the branch is taken, then when it falls through. Only for
     * branches that do reconverge: an early return is no bypass. */
    int32_t bypasses_barrier_taken, bypasses_barrier_fallthrough;
    bool leaves_loop; /**< bra: from the barrier that one side goes around, the other comes back here */

    /* call: direct (callee) or through a register (operands[0]) with a prototype. The arguments are .param
     * variables of the caller's frame, or registers and immediates in old style; results likewise. */
    const struct PtxFunction *callee;
    uint32_t first_argument,
        first_result; /**< into PtxFunction.parts; VARIABLE operands name frame .param variables */
    uint16_t argument_count, result_count;
    const int32_t *branch_targets; /**< brx.idx: instruction indices */
    uint32_t branch_target_count;
} PtxInstruction;

/** Whether operand `k` is where the instruction puts a result: an address is read, whatever is stored there.
 */
static inline bool ptx_is_destination(const PtxInstruction *instruction, unsigned k) {
    return k < instruction->destination_count && instruction->operands[k].kind != PTX_OPERAND_ADDRESS;
}

enum { PTX_NO_RECONVERGENCE = -1 };

typedef struct PtxRegister {
    const char *name;
    PtxType type;
} PtxRegister;

/** A variable of the source that lives in the function's .local frame (unoptimised code keeps all of them
 * there). */
typedef struct PtxLocal {
    const char *name;
    uint32_t offset;        /**< in the .local frame, as PtxVariable.offset */
    uint32_t bytes;         /**< 0 unknown */
    unsigned element_bytes; /**< of an array's element, else of the variable; 0 unknown */
    int line, file;         /**< where it is declared: 0, -1 unknown */
    /* ptx_link_typed */
    const PtxShown *shown; /**< NULL: unknown */
    uint32_t first, end;   /**< instructions of its block; both 0: all of the function */
} PtxLocal;

typedef struct PtxFunction {
    const char *name;       /**< mangled */
    const char *plain_name; /**< "block_sum_kernel" */
    bool entry;             /**< a kernel */
    bool defined; /**< has a body; otherwise external: the device's own library, or an error at launch */
    bool noreturn;
    const Diagnostic *refusal; /**< why the body cannot be executed: then it has no instructions; else NULL */
    PtxVariable *parameters, *results;
    unsigned parameter_count, result_count;
    uint32_t
        parameter_bytes; /**< the whole parameter block of a kernel, or formal parameters of a function */
    uint32_t result_bytes;
    PtxRegister *registers;
    uint32_t register_count;
    PtxVariable *variables; /**< function-level .local, .shared and .param */
    uint32_t variable_count;
    uint32_t local_bytes;      /**< frame size in .local space, all lanes alike */
    uint32_t call_param_bytes; /**< frame size for .param variables (own formals and results first) */
    PtxInstruction *instructions;
    uint32_t instruction_count;
    PtxOperand *parts; /**< elements of vectors and of call argument lists */
    uint32_t part_count;
    uint32_t max_threads[3], required_threads[3],
        min_blocks; /**< .maxntid .reqntid .minnctapersm; 0: not given */
    int declared_file, declared_line;
    PtxLocal *locals; /**< from the debug information, as far as there is any */
    uint32_t local_count;
    const char **lost; /**< ptx_link_typed: variables that the debug information names and that have no place
                          in memory */
    uint32_t lost_count;
} PtxFunction;

typedef struct PtxModule {
    unsigned version_major, version_minor; /**< .version */
    unsigned target;                       /**< 70 for sm_70 */
    unsigned address_bits;
    const char **files; /**< names of the CUDA source files by index; unknown ones are "" */
    uint32_t file_count;
    PtxVariable *variables; /**< module level: .global, .const, .shared */
    uint32_t variable_count;
    PtxFunction **functions;
    uint32_t function_count;
    bool lines_by_program; /**< the program wrote some of the text, and may have said where its lines stand */
} PtxModule;

/** Parses, resolves and verifies one module. `name` is for diagnostics. All memory is in `arena`; the text is
 * copied where it is kept. NULL when there is an error outside the functions' bodies, which is then in
 * `diagnostics`; those inside are in the functions' `refusal`. Never crashes, whatever the text. */
PtxModule *ptx_load(Arena *arena, const char *name, const char *text, size_t length,
                    Diagnostics *diagnostics);

typedef struct PtxText {
    const char *bytes;
    size_t length;
} PtxText;

/** The same of a module in several texts, as nvcc -rdc=true makes one of each source: what one of them
 * declares as .extern may be defined in another. At least one. */
PtxModule *ptx_link(Arena *arena, const char *name, const PtxText *texts, size_t count,
                    Diagnostics *diagnostics);
/** The same, with what a debugger needs: types, the blocks that variables belong to, variables without a
 * place. */
PtxModule *ptx_link_typed(Arena *arena, const char *name, const PtxText *texts, size_t count,
                          Diagnostics *diagnostics);

/** By mangled name; NULL when there is none. */
const PtxFunction *ptx_find_function(const PtxModule *module, const char *name);

/** Whether a function's mangled name shows that its parameters are, and point to, built-in types larger than
 * a byte only: such arrays have no padding. False when that cannot be told. */
bool ptx_has_built_in_types(const char *mangled);

/** Whether the instruction moves something from or to the function's own frame. */
bool ptx_is_frame_access(const PtxFunction *function, const PtxInstruction *instruction);
/** Whether the function keeps parameters in its frame, as code does that is not optimised: each operation of
 * the source is then done where the source has it, and nowhere else. Optimised code, whose frame holds arrays
 * and what is pointed to, does so very rarely. */
bool ptx_keeps_parameters(const PtxFunction *function);
/** The variable of the source that a load or store of unoptimised code names by its place in the frame
 * ([%SP+24]); NULL when it is none, or when that is not known. */
const PtxLocal *ptx_find_local(const PtxFunction *function, const PtxInstruction *instruction);

/** Whether a load reads an indexed element of the function's own frame: of an array that each thread has for
 * itself. `*array` is that array, NULL when its name is not known. */
bool ptx_reads_own_array(const PtxFunction *function, const PtxInstruction *instruction,
                         const PtxLocal **array);

/** The array of the source that begins at that place in the frame; NULL when there is none, or not one alone.
 */
const PtxLocal *ptx_local_array(const PtxFunction *function, int64_t offset);

/** Sets for each byte of a kernel's parameters whether its code may read it: `read` has room for
 * parameter_bytes. */
void ptx_mark_parameters(const PtxFunction *kernel, uint8_t *read);

/** What a matrix instruction multiplies: an element's type for each of the four matrices. A load or store
 * knows only its own. */
typedef struct PtxMatrices {
    unsigned m, n, k;
    PtxType d, a, b, c;
    bool fragments; /**< of wmma */
} PtxMatrices;
/** Whether the instruction is one of a whole warp on matrices. */
bool ptx_is_matrix(PtxOpcode opcode);
/** False when there are no such matrices. */
bool ptx_matrices(const PtxInstruction *instruction, PtxMatrices *matrices);

/** How the lanes of a warp hold one of the matrices: 'a', 'b', 'c' or 'd'. */
typedef struct PtxFragment {
    char role;
    PtxType element, register_type;
    unsigned bits; /**< of an element */
    unsigned rows, columns;
    unsigned registers, elements; /**< of a lane */
    unsigned in_register;         /**< elements */
    unsigned distinct;            /**< elements; wmma keeps those of half precision several times */
    bool quads;                   /**< four products at once, of eight lanes each (mma.m8n8k4 of .f16) */
    bool transposed;              /**< of a product that is made with the roles of a and b exchanged */
    bool by_columns;              /**< the matrix was given so; with quads it decides who holds what */
} PtxFragment;
PtxFragment ptx_fragment(const PtxMatrices *matrices, char role, PtxMajor layout);
/** Where in the matrix a lane's element lies. */
void ptx_fragment_place(const PtxFragment *fragment, unsigned lane, unsigned element, unsigned *row,
                        unsigned *column);

/** What the table says of an opcode: for documentation, tests and error texts. */
typedef struct PtxOpcodeInfo {
    const char *name;     /**< "add", "bar.warp.sync" */
    const char *forms;    /**< "add{.rnd}{.ftz}{.sat}.type d, a, b" */
    const char *effect;   /**< one line: "d = a + b" */
    const char *section;  /**< PTX ISA section */
    const char *operands; /**< alternatives, one letter an operand: instructions.def explains them */
    PtxFamily family;
    PtxReach reach;
    unsigned traits;  /**< PtxTrait bits */
    const char *test; /**< the test file that runs it, or "" */
} PtxOpcodeInfo;
const PtxOpcodeInfo *ptx_opcode_info(PtxOpcode opcode);
PtxControl ptx_control(PtxOpcode opcode);
PtxData ptx_data(PtxOpcode opcode);
bool ptx_has_trait(PtxOpcode opcode, PtxTrait trait);
/** Whether no lane comes from here to the next instruction, unless a guard lets it. */
bool ptx_leads_away(const PtxInstruction *instruction);
/** The smallest loop, from the target of a backward branch to the branch, round the instructions `low` to
 * `high` of the text. False: there is none. */
bool ptx_loop_round(const PtxFunction *function, uint32_t low, uint32_t high, uint32_t *first,
                    uint32_t *last);
