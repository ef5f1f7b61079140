/* internal.h - what the files of the PTX front end share.
 *
 * One Parser lives as long as ptx_load. What stays goes into the caller's arena; names, symbols and half-made
 * variables live in `scratch` and go away with it. The first error is the last: it is put into the
 * diagnostics, `failed` is set, and the current token becomes TOKEN_END, which every loop of the parser ends
 * at.
 *
 * Variables are made as nodes of their own, because the arrays in which they end grow while operands already
 * point to them; ptx.c moves them and the pointers at the end.
 */
#pragma once

#include "base/growable.h"
#include "ptx/ptx.h"

/* ---- lex.c: text to tokens ---- */

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_WORD,    /* name, %register, mnemonic without its suffixes */
    TOKEN_DOT,     /* .word: a directive, a type, a modifier */
    TOKEN_INTEGER, /* bits */
    TOKEN_FLOAT32, /* 0fXXXXXXXX: bits of the float */
    TOKEN_FLOAT64, /* 0dX... or decimal: bits of the double */
    TOKEN_STRING,  /* start and length without the quotes */
    TOKEN_SIGN,    /* one character, in `sign` */
    TOKEN_BAD      /* a character that no token begins with, or an unfinished string or comment */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    char sign;
    uint32_t hash; /* of words, with the dot left out */
    uint32_t length;
    const char *start; /* words: without the dot */
    int line;
    const char *line_start;
    uint64_t bits;
} Token;

typedef struct Lexer {
    const char *at, *end;
    const char *line_start;
    int line;
} Lexer;

void lex_begin(Lexer *lexer, const char *text, size_t length);
void lex_next(Lexer *lexer, Token *token);
enum { LEX_HASH_START = 5381 };
/** Goes on with a hash: the hash of a whole is that of its parts one after the other. */
uint32_t lex_hash(uint32_t hash, const char *bytes, size_t length);
bool lex_is(const Token *token, const char *word);

/* ---- words.c and opcodes.c: the tables ---- */

typedef struct OpcodeRow {
    PtxOpcodeInfo info;
    uint64_t types;
    uint64_t modifiers;
} OpcodeRow;

typedef struct WordRow {
    const char *word;
    uint64_t group;
    uint8_t offset, bytes; /* of the field in PtxModifiers; bytes 0: a hint */
    uint32_t value;
} WordRow;

enum { OPCODE_SLOTS = 512, WORD_SLOTS = 1024 };

/** Hash tables over the two tables: slot = row + 1, 0 empty, linear probing. */
typedef struct TableIndex {
    uint16_t opcodes[OPCODE_SLOTS];
    uint16_t words[WORD_SLOTS];
} TableIndex;

void opcodes_index(TableIndex *index);
/** PTX_OPCODE_COUNT when there is none. */
PtxOpcode opcodes_find(const TableIndex *index, uint32_t hash, const char *name, size_t length);
const OpcodeRow *opcodes_row(PtxOpcode opcode);
/** Whether the row lets a second type follow the first. */
bool opcodes_second_type(const OpcodeRow *row);
/** Whether it must have a third one as well. */
bool opcodes_third_type(const OpcodeRow *row);
/** Whether it is about matrices: then up to four types follow each other. */
bool opcodes_matrix(const OpcodeRow *row);
/** Whether its operands may be parts of registers. */
bool opcodes_parts(const OpcodeRow *row);
/** The group of words of which the instruction must have one and has none, in words; NULL when nothing is
 * missing. */
const char *opcodes_missing(const OpcodeRow *row, const PtxInstruction *instruction);

void words_index(TableIndex *index);
typedef enum WordResult { WORD_SET, WORD_UNKNOWN, WORD_NOT_HERE, WORD_TWICE } WordResult;
/** Applies a modifier word if the groups allow it. */
WordResult words_apply(const TableIndex *index, const Token *word, uint64_t groups, PtxModifiers *modifiers);
/** PTX_NONE when it is no type. */
PtxType words_type(const Token *word);
/** Of a matrix only: there are no registers or variables of this type. */
bool words_is_element(PtxType type);
bool words_is_integer(PtxType type);
bool words_is_signed(PtxType type);
bool words_is_float(PtxType type); /* f32, f64 */
bool words_is_bits(PtxType type);
/** A special register by its name without the %, "tid.x"; PTX_SPECIAL_COUNT when there is none. */
PtxSpecial words_special(const char *name, size_t length);
/** Special registers that are another one or a constant here. False when the name is none of them. */
bool words_stand_in(const char *name, size_t length, PtxOperand *operand);
/** The value that a special register has: PTX_U32, PTX_U64 or PTX_PRED. */
PtxType words_special_type(PtxSpecial special);
const char *words_special_name(PtxSpecial special);

/* ---- symbols.c: names in scopes ---- */

/** One text of a module. What has a linkage directive there (PTX ISA 11.6) may be meant by the others; other
 * names are its own, and so are its numbers of files, labels and debug sections. */
typedef struct Unit {
    const char *text;
    size_t length;
    int first_file;    /* where its file 0 is among the module's */
    Growable sections; /* DebugSection */
    Growable labels;   /* Symbol *, those of its functions: debug sections name them */
} Unit;

typedef struct VariableNode {
    PtxVariable variable; /* first: operands point to it */
    Unit *unit;           /* that has its definition */
    bool weak;            /* other units may define it as well, */
    bool dropped;         /* and one did: nobody refers to this node */
    PtxVariable *settled; /* its final place */
    Growable relocations; /* PtxRelocation, until settled */
} VariableNode;

typedef struct FunctionNode {
    PtxFunction function;       /* first: calls point to it */
    PtxFunction *settled;       /* its final place */
    Unit *unit;                 /* that has its definition */
    bool weak;                  /* other units may define it as well */
    struct FunctionNode *alias; /* .alias: calls go to this one instead */
    bool has_barrier;           /* flow.c: waits for its block, itself or in a function it calls */
    Growable parameters, results, variables; /* VariableNode * */
    Growable locals;                         /* PtxLocal */
    Growable lost;                           /* const char * */
} FunctionNode;

typedef enum SymbolKind {
    SYMBOL_REGISTER,  /* index */
    SYMBOL_REGISTERS, /* a family %r<n>: first index, count */
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_LABEL,    /* index: instruction of the function */
    SYMBOL_TARGETS,  /* .branchtargets */
    SYMBOL_PROTOTYPE /* .callprototype, .calltargets */
} SymbolKind;

typedef struct Symbol {
    SymbolKind kind;
    const char *name; /* not terminated */
    uint32_t length, hash;
    uint32_t depth; /* of the scope */
    bool shared;    /* other units mean the same by this name */
    int32_t index;
    uint32_t count;
    VariableNode *variable;
    FunctionNode *function;
    int32_t *targets;
    struct Symbol *next;  /* in the bucket */
    struct Symbol *older; /* declared before it */
} Symbol;

typedef struct Symbols {
    Arena *arena;
    Symbol **buckets;
    uint32_t mask;
    uint32_t depth;
    Symbol *newest;
} Symbols;

bool symbols_begin(Symbols *symbols, Arena *arena, size_t text_length);
void symbols_enter(Symbols *symbols);
void symbols_leave(Symbols *symbols);
/** Between two units: names that are not shared are unknown from here on. */
void symbols_leave_unit(Symbols *symbols);
/** The innermost symbol of that name; NULL when there is none. */
Symbol *symbols_find(const Symbols *symbols, uint32_t hash, const char *name, size_t length);
/** NULL without memory. The name must outlive the symbols. */
Symbol *symbols_add(Symbols *symbols, SymbolKind kind, const char *name, uint32_t length);

/* ---- the parser ---- */

/** A use of a label, to be filled in at the end of the scope that has the label. */
typedef struct LabelUse {
    Token name;
    uint32_t instruction;
    int32_t *slot; /* of a target list; NULL: operands[0] of the instruction */
} LabelUse;

typedef struct Location {
    int file, line, column;
} Location;

enum { INLINE_SLOTS = 1024, DEEPEST_SCOPE = 200, DEEPEST_INITIALISER = 16, MOST_SUFFIXES = 16 };

/** Where a source location was inlined, remembered while the function is parsed. */
typedef struct InlineEntry {
    Location inner, outer;
} InlineEntry;

typedef struct DebugSection {
    const char *name; /* "debug_info" */
    uint32_t name_length;
    Growable bytes;   /* uint8_t */
    Growable symbols; /* DebugSymbol: values in bytes that are addresses */
    Growable labels;  /* DebugSymbol: places in bytes that have a name */
} DebugSection;

typedef struct DebugSymbol {
    uint32_t offset;
    uint32_t length;
    const char *name;
    uint64_t addend;
} DebugSymbol;
/** The label that debug information names; NULL when there is none. */
const Symbol *symbols_label(const Symbols *symbols, const DebugSymbol *label);

/** What is known of the function that is being parsed. */
typedef struct FunctionState {
    FunctionNode *node;
    Location location, inlined_at; /**< of .loc */
    uint32_t param_cursor;
} FunctionState;

typedef struct Parser {
    Arena *arena, *scratch;
    Diagnostics *diagnostics;
    const char *name;
    Unit *units, *unit; /* unit_count of them, and the one that is being parsed */
    size_t unit_count;
    size_t length; /* of all texts */
    Lexer lexer;
    Token token;
    bool failed, no_memory;
    bool typed; /* ptx_link_typed */
    TableIndex index;
    Symbols symbols;
    PtxModule *module;
    Growable variables; /* VariableNode *, module level */
    Growable functions; /* FunctionNode * */
    Growable files;     /* const char * */
    /* of the current function, emptied after each */
    FunctionState function;
    Growable registers;    /* PtxRegister */
    Growable instructions; /* PtxInstruction */
    Growable parts;        /* PtxOperand */
    Growable uses;         /* LabelUse */
    InlineEntry *inlined;  /* INLINE_SLOTS of them */
    bool any_inlined;      /* since the function began */
    int32_t hidden;        /* first of the function's registers for matrices on their way, -1: none */
    size_t registers_total, initial_total;
    /* of the current instruction */
    Token mnemonic, operand_tokens[PTX_MAX_OPERANDS];
    unsigned pairs; /* bit i: operand i is the second of a|b */
} Parser;

/** Records the error at the token and stops the parse. Returns false, for `return parse_fail(...)`. */
bool parse_fail(Parser *parser, const Token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parse_remedy(Parser *parser, const char *remedy);
/** What is said between the two is one function's own. When the parse has not failed for good, parse_release
 * returns the first of it (NULL: nothing was said); else the first of it becomes the module's error. */
typedef struct Held {
    Diagnostics *outer, own;
} Held;
void parse_hold(Parser *parser, Held *held);
const Diagnostic *parse_release(Parser *parser, Held *held);
bool parse_no_memory(Parser *parser);
void parse_advance(Parser *parser);
bool parse_at_sign(const Parser *parser, char sign);
bool parse_at_dot(const Parser *parser, const char *word);
bool parse_at_word(const Parser *parser, const char *word);
/** Consumes the sign if it is there. */
bool parse_take_sign(Parser *parser, char sign);
bool parse_take_dot(Parser *parser, const char *word);
/** Consumes the sign or fails. */
bool parse_need_sign(Parser *parser, char sign);
bool parse_need_number(Parser *parser, uint64_t most, uint64_t *value);
bool parse_need_word(Parser *parser, Token *word);
/** Skips to behind the next sign of that kind. */
void parse_skip_past(Parser *parser, char sign);
const char *parse_keep_name(Parser *parser, const Token *word);

bool parse_module(Parser *parser);
/* parse_debug.c: .file, .loc, .section */
bool parse_file(Parser *parser);
bool parse_section(Parser *parser);
bool parse_loc(Parser *parser);
/* parse_variable.c, parse_initial.c */
enum { MOST_DIMENSIONS = 8 };
typedef struct Shape {
    size_t sizes[MOST_DIMENSIONS + 1]; /* an open dimension counts 1 */
    int dimensions;
    bool open;
} Shape;
typedef struct Linkage {
    bool external, weak; /* .common counts as weak */
    bool shared;         /* any directive at all */
} Linkage;
bool parse_at_space(const Parser *parser, PtxSpace *space);
/** Declarations of one state space up to the ';'. */
bool parse_variables(Parser *parser, PtxSpace space, Linkage linkage);
/** One parameter: without a name (in prototypes) as well. */
VariableNode *parse_parameter(Parser *parser);
/** Gives a .param variable its place in the frame of the current function. */
bool parse_place_parameter(Parser *parser, PtxVariable *variable);
bool parse_initialiser(Parser *parser, VariableNode *node, const Shape *shape);
/* parse_constant.c */
typedef enum ConstantForm { CONSTANT_INTEGER, CONSTANT_FLOAT32, CONSTANT_FLOAT64 } ConstantForm;
typedef struct Constant {
    ConstantForm form;
    uint64_t bits;
    VariableNode *variable; /* the address of it, plus bits */
    FunctionNode *function;
    bool generic;
    uint64_t mask; /* mask(symbol): one byte of the address; 0 without */
} Constant;
bool parse_constant(Parser *parser, Constant *constant);
/** The constant's bits as a value of that type; false when they have no such meaning. */
bool parse_convert(const Constant *constant, PtxType type, uint64_t *bits);
/* parse_function.c */
bool parse_function(Parser *parser, bool entry, Linkage linkage);
/* parse_body.c */
bool parse_body(Parser *parser, FunctionNode *node);
/** A label's name here: its position goes to the slot, or to operand 0 of the instruction. */
bool parse_label_use(Parser *parser, uint32_t instruction, int32_t *slot);
/* parse_instruction.c */
/** `mnemonic` has been read already, or is NULL: then a guard comes first. */
bool parse_instruction(Parser *parser, const Token *mnemonic);
/* parse_operand.c. Until verify_operand.c has made a value of it, an immediate's `index` is its ConstantForm.
 */
/** One operand, or two for a|b. */
bool parse_operand(Parser *parser, PtxInstruction *instruction);
bool parse_call(Parser *parser, PtxInstruction *instruction);
/** The register of that name; -1 when there is none. */
int32_t parse_find_register(const Parser *parser, const Token *word);

/* ---- verify.c ---- */

/** Checks an instruction against its row and turns its immediates into values of their types. */
bool verify_instruction(Parser *parser, PtxInstruction *instruction);

/* ---- verify_rules.c: the end of a sentence that begins with the instruction's name; NULL: all is well ----
 */

/** Before operands are looked at: what keeps a matrix instruction from having any. */
const char *verify_rules_matrix(const PtxInstruction *instruction);
/** The first rule that types, modifiers and operands break together. */
const char *verify_rules_broken(const PtxInstruction *instruction);

/* ---- lines.c, flow.c, debug.c, demangle.c ---- */

/** The name in the source, or `mangled` itself; NULL without memory. */
const char *demangle_name(Parser *parser, const char *mangled);

/** Gives branches and loads of line 0 the line that they belong to. */
void lines_find(Parser *parser);

/* ---- assembly.c ---- */

/** Whether inline assembly of the program stands in the text, and not only of the toolkit's headers. */
bool assembly_by_program(const PtxModule *module, const Unit *unit);
/** Fills in reconvergence and bypassed barriers of every function. False without memory. */
bool flow_analyse(Parser *parser);
/** Fills in plain names, declared lines and element sizes, as far as they can be known. False without memory.
 */
bool debug_apply(Parser *parser);
