/* ptx.c - ptx_load: the column of steps from text to module, and the last step, settling.
 *
 * Settling moves variables and functions from the scratch nodes to their arrays in the caller's arena and
 * turns every pointer to a node into one to its final place.
 */
#include "ptx/internal.h"

#include <string.h>

/* ---- settling ---- */

static const PtxVariable *settled_variable(const PtxVariable *variable) {
    if (variable) return ((const VariableNode *)(const void *)variable)->settled;
    return NULL;
}

static const PtxFunction *settled_function(const PtxFunction *function) {
    if (!function) return NULL;
    const FunctionNode *node = (const FunctionNode *)(const void *)function;
    if (node->alias) return node->alias->settled;
    return node->settled;
}

/* The nodes' variables as one array. NULL with `*count` 0 when there are none. */
static bool place_variables(Parser *parser, const Growable *nodes, PtxVariable **array, uint32_t *count) {
    *count = (uint32_t)nodes->count;
    *array = ARENA_ARRAY(parser->arena, nodes->count + 1, PtxVariable);
    if (!*array) return parse_no_memory(parser);
    for (size_t i = 0; i < nodes->count; i++) {
        VariableNode *node = *GROWABLE_AT(nodes, VariableNode *, i);
        (*array)[i] = node->variable;
        node->settled = &(*array)[i];
    }
    return true;
}

/* What was gathered in lists becomes arrays of the module's arena. The node remembers where the function is
 * now, since others refer to the node. */
static bool place_function(Parser *parser, FunctionNode *node) {
    uint32_t parameters = 0, results = 0;
    PtxFunction *function = &node->function;
    bool fine = place_variables(parser, &node->parameters, &function->parameters, &parameters) &&
                place_variables(parser, &node->results, &function->results, &results) &&
                place_variables(parser, &node->variables, &function->variables, &function->variable_count);
    function->locals = growable_copy(&node->locals, parser->arena);
    if (function->locals)
        function->local_count = (uint32_t)node->locals.count;
    else
        function->local_count = 0;
    function->lost = growable_copy(&node->lost, parser->arena);
    if (function->lost)
        function->lost_count = (uint32_t)node->lost.count;
    else
        function->lost_count = 0;
    function->parameter_count = parameters;
    function->result_count = results;
    if (fine)
        node->settled = ARENA_NEW(parser->arena, PtxFunction);
    else
        node->settled = NULL;
    if (fine && !node->settled) return parse_no_memory(parser);
    if (fine) *node->settled = *function;
    return fine;
}

static void settle_operand(PtxOperand *operand) {
    operand->variable = settled_variable(operand->variable);
    operand->function = settled_function(operand->function);
}

static void settle_function(PtxFunction *function) {
    for (uint32_t i = 0; i < function->part_count; i++)
        settle_operand(&function->parts[i]);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        PtxInstruction *instruction = &function->instructions[i];
        instruction->callee = settled_function(instruction->callee);
        for (unsigned j = 0; j < instruction->operand_count; j++)
            settle_operand(&instruction->operands[j]);
    }
}

/* Relocations were made while variables still lay in nodes; they point to the settled ones from here on. */
static bool settle_relocations(Parser *parser, VariableNode *node) {
    size_t count = node->relocations.count;
    if (!count) return true;
    PtxRelocation *relocations = growable_copy(&node->relocations, parser->arena);
    if (!relocations) return parse_no_memory(parser);
    for (size_t i = 0; i < count; i++) {
        relocations[i].variable = settled_variable(relocations[i].variable);
        relocations[i].function = settled_function(relocations[i].function);
    }
    node->settled->relocations = relocations;
    node->settled->relocation_count = (unsigned)count;
    return true;
}

static bool settle_lists(Parser *parser, const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        if (!settle_relocations(parser, *GROWABLE_AT(nodes, VariableNode *, i))) return false;
    return true;
}

static FunctionNode *function_node(const Parser *parser, size_t i) {
    return *GROWABLE_AT(&parser->functions, FunctionNode *, i);
}

/* Everything gets its final place before anything is made to point there. */
static bool place_all(Parser *parser) {
    PtxModule *module = parser->module;
    if (!place_variables(parser, &parser->variables, &module->variables, &module->variable_count))
        return false;
    module->function_count = (uint32_t)parser->functions.count;
    module->functions = ARENA_ARRAY(parser->arena, parser->functions.count + 1, PtxFunction *);
    if (!module->functions) return parse_no_memory(parser);
    for (size_t i = 0; i < parser->functions.count; i++) {
        if (!place_function(parser, function_node(parser, i))) return false;
        module->functions[i] = function_node(parser, i)->settled;
    }
    module->file_count = (uint32_t)parser->files.count;
    module->files = growable_copy(&parser->files, parser->arena);
    return module->files || !module->file_count || parse_no_memory(parser);
}

static bool settle(Parser *parser) {
    if (!place_all(parser) || !settle_lists(parser, &parser->variables)) return false;
    for (size_t i = 0; i < parser->functions.count; i++) {
        if (!settle_lists(parser, &function_node(parser, i)->variables)) return false;
        settle_function(parser->module->functions[i]);
    }
    return true;
}

/* ---- calls, which can only be checked when every function is known ---- */

static bool check_list(const PtxFunction *caller, uint32_t first, unsigned count, const PtxVariable *formals,
                       unsigned formal_count) {
    if (count != formal_count) return false;
    for (unsigned i = 0; i < count; i++)
        if (caller->parts[first + i].variable->bytes < formals[i].bytes) return false;
    return true;
}

/* The beginning of a line of the text, to point to from a diagnostic. */
static Token token_of_line(const Parser *parser, int line) {
    const char *at = parser->unit->text, *end = at + parser->unit->length;
    for (int i = 1; i < line && at < end; at++)
        i += *at == '\n';
    Token token = {.kind = TOKEN_WORD, .line = line, .line_start = at, .start = at};
    while (token.start < end && (*token.start == ' ' || *token.start == '\t'))
        token.start++;
    return token;
}

static bool check_call(Parser *parser, const PtxFunction *caller, const PtxInstruction *call) {
    const PtxFunction *callee = call->callee;
    if (!callee) return true;
    if (check_list(caller, call->first_argument, call->argument_count, callee->parameters,
                   callee->parameter_count) &&
        check_list(caller, call->first_result, call->result_count, callee->results, callee->result_count))
        return true;
    Token at = token_of_line(parser, call->ptx_line);
    return parse_fail(parser, &at, "the arguments of this call are not those that %s takes", callee->name);
}

/* A function with a call that is wrong is refused like one with any other error in its body. */
static void check_calls(Parser *parser, PtxFunction *function) {
    Held held;
    parse_hold(parser, &held);
    for (uint32_t j = 0; j < function->instruction_count && !parser->failed; j++)
        if (function->instructions[j].opcode == PTX_OP_call)
            check_call(parser, function, &function->instructions[j]);
    if (!parser->no_memory) parser->failed = false;
    const Diagnostic *wrong = parse_release(parser, &held);
    if (!wrong) return;
    function->refusal = wrong;
    function->instruction_count = 0;
}

static bool check_all_calls(Parser *parser) {
    for (uint32_t i = 0; i < parser->module->function_count; i++) {
        parser->unit = function_node(parser, i)->unit;
        check_calls(parser, parser->module->functions[i]);
    }
    return !parser->failed;
}

/* ---- the whole ---- */

static bool begin_units(Parser *parser, const PtxText *texts, size_t count) {
    parser->units = ARENA_ARRAY(parser->scratch, count, Unit);
    if (!parser->units) return parse_no_memory(parser);
    parser->unit_count = count;
    for (size_t i = 0; i < count; i++)
        parser->units[i] = (Unit){.text = texts[i].bytes,
                                  .length = texts[i].length,
                                  .sections = GROWABLE(DebugSection),
                                  .labels = GROWABLE(Symbol *)};
    return true;
}

/* The texts' length bounds how many symbols there can be, so the table never grows. */
static bool begin(Parser *parser, Arena *arena, const char *name, const PtxText *texts, size_t count,
                  Diagnostics *diagnostics) {
    *parser = (Parser){.arena = arena, .diagnostics = diagnostics, .name = name};
    for (size_t i = 0; i < count; i++)
        parser->length += texts[i].length;
    parser->variables = GROWABLE(VariableNode *);
    parser->functions = GROWABLE(FunctionNode *);
    parser->files = GROWABLE(const char *);
    parser->registers = GROWABLE(PtxRegister);
    parser->instructions = GROWABLE(PtxInstruction);
    parser->parts = GROWABLE(PtxOperand);
    parser->uses = GROWABLE(LabelUse);
    parser->scratch = arena_create();
    parser->module = ARENA_NEW(arena, PtxModule);
    if (!parser->scratch || !parser->module) return parse_no_memory(parser);
    parser->inlined = ARENA_ARRAY(parser->scratch, INLINE_SLOTS, InlineEntry);
    if (!parser->inlined || !symbols_begin(&parser->symbols, parser->scratch, parser->length))
        return parse_no_memory(parser);
    parser->module->address_bits = 64;
    opcodes_index(&parser->index);
    words_index(&parser->index);
    return begin_units(parser, texts, count);
}

static void free_nodes(const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        growable_free(&(*GROWABLE_AT(nodes, VariableNode *, i))->relocations);
}

static void free_unit(Unit *unit) {
    for (size_t i = 0; i < unit->sections.count; i++) {
        DebugSection *section = GROWABLE_AT(&unit->sections, DebugSection, i);
        growable_free(&section->bytes);
        growable_free(&section->symbols);
        growable_free(&section->labels);
    }
    growable_free(&unit->sections);
    growable_free(&unit->labels);
}

/* Also after a failure half way: lists that nobody filled are empty. */
static void end(Parser *parser) {
    free_nodes(&parser->variables);
    for (size_t i = 0; i < parser->functions.count; i++) {
        FunctionNode *node = function_node(parser, i);
        free_nodes(&node->variables);
        growable_free(&node->parameters);
        growable_free(&node->results);
        growable_free(&node->variables);
        growable_free(&node->locals);
        growable_free(&node->lost);
    }
    for (size_t i = 0; i < parser->unit_count; i++)
        free_unit(&parser->units[i]);
    growable_free(&parser->variables);
    growable_free(&parser->functions);
    growable_free(&parser->files);
    growable_free(&parser->registers);
    growable_free(&parser->instructions);
    growable_free(&parser->parts);
    growable_free(&parser->uses);
    arena_destroy(parser->scratch);
}

/* One unit after the other: what an earlier one declared a later one may define, and the other way round. */
static bool parse_units(Parser *parser) {
    for (size_t i = 0; i < parser->unit_count; i++) {
        Unit *unit = parser->unit = &parser->units[i];
        if (i) symbols_leave_unit(&parser->symbols);
        unit->first_file = (int)parser->files.count;
        lex_begin(&parser->lexer, unit->text, unit->length);
        parser->token = (Token){.start = unit->text, .line_start = unit->text, .line = 1};
        if (!parse_module(parser)) return false;
    }
    return true;
}

static bool any_assembly(const Parser *parser) {
    bool any = false;
    for (size_t i = 0; !any && i < parser->unit_count; i++)
        any = assembly_by_program(parser->module, &parser->units[i]);
    return any;
}

static PtxModule *link_all(bool typed, Arena *arena, const char *name, const PtxText *texts, size_t count,
                           Diagnostics *diagnostics) {
    Parser parser;
    bool fine = begin(&parser, arena, name, texts, count, diagnostics);
    parser.typed = typed;
    fine = fine && parse_units(&parser);
    fine = fine && flow_analyse(&parser) && debug_apply(&parser);
    if (fine) lines_find(&parser);
    fine = fine && settle(&parser) && check_all_calls(&parser);
    PtxModule *module = NULL;
    if (fine && !parser.failed) module = parser.module;
    if (module != NULL) module->lines_by_program = any_assembly(&parser);
    end(&parser);
    return module;
}

PtxModule *ptx_load(Arena *arena, const char *name, const char *text, size_t length,
                    Diagnostics *diagnostics) {
    return ptx_link(arena, name, &(PtxText){text, length}, 1, diagnostics);
}

PtxModule *ptx_link(Arena *arena, const char *name, const PtxText *texts, size_t count,
                    Diagnostics *diagnostics) {
    return link_all(false, arena, name, texts, count, diagnostics);
}

PtxModule *ptx_link_typed(Arena *arena, const char *name, const PtxText *texts, size_t count,
                          Diagnostics *diagnostics) {
    return link_all(true, arena, name, texts, count, diagnostics);
}

const PtxFunction *ptx_find_function(const PtxModule *module, const char *name) {
    for (uint32_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i]->name, name) == 0) return module->functions[i];
    return NULL;
}

/* Which operand of a memory instruction is its address; NULL for other instructions. */
static const PtxOperand *address_operand(const PtxInstruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS) return &instruction->operands[i];
    return NULL;
}

/* The frame's address is kept in %SP (generic) and %SPL (.local) by clang. */
static bool is_frame_pointer(const PtxFunction *function, int32_t index) {
    const char *name = "";
    if (index >= 0) name = function->registers[index].name;
    return strcmp(name, "%SP") == 0 || strcmp(name, "%SPL") == 0;
}

static bool contains(const PtxLocal *local, int64_t offset) {
    int64_t bytes = 1;
    if (local->bytes) bytes = local->bytes;
    return offset >= local->offset && offset < local->offset + bytes;
}

bool ptx_is_frame_access(const PtxFunction *function, const PtxInstruction *instruction) {
    const PtxOperand *address = address_operand(instruction);
    return address && is_frame_pointer(function, address->index);
}

static const PtxInstruction *writer_before(const PtxFunction *function, uint32_t at, int32_t reg) {
    while (at-- > 0) {
        const PtxOperand *result = &function->instructions[at].operands[0];
        if (function->instructions[at].destination_count == 1 && result->kind == PTX_OPERAND_REGISTER &&
            result->index == reg)
            return &function->instructions[at];
    }
    return NULL;
}

/* A store to the frame of what was loaded from a parameter before; pointers change their space in between. */
static bool keeps_parameter(const PtxFunction *function, uint32_t at) {
    const PtxInstruction *from = &function->instructions[at];
    if (from->opcode != PTX_OP_st || !ptx_is_frame_access(function, from)) return false;
    while (from->opcode == PTX_OP_st || from->opcode == PTX_OP_cvta) {
        if (from->operands[1].kind != PTX_OPERAND_REGISTER) return false;
        at = (uint32_t)(from - function->instructions);
        from = writer_before(function, at, from->operands[1].index);
        if (!from) return false;
    }
    return from->opcode == PTX_OP_ld && from->modifiers.space == PTX_SPACE_PARAM;
}

bool ptx_keeps_parameters(const PtxFunction *function) {
    enum { BEGINNING = 64 };
    for (uint32_t i = 0; i < function->instruction_count && i < BEGINNING; i++)
        if (keeps_parameter(function, i)) return true;
    return false;
}

static const PtxLocal *local_containing(const PtxFunction *function, int64_t offset) {
    for (uint32_t i = 0; i < function->local_count; i++)
        if (contains(&function->locals[i], offset)) return &function->locals[i];
    return NULL;
}

const PtxLocal *ptx_find_local(const PtxFunction *function, const PtxInstruction *instruction) {
    if (!ptx_is_frame_access(function, instruction)) return NULL;
    return local_containing(function, address_operand(instruction)->offset);
}

/* A hostile program may chain additions as long as it likes. */
enum { FRAME_WALK_REGISTERS = 64 };

typedef struct FrameWalk {
    const PtxFunction *function;
    unsigned left;  /**< registers that may still be looked up */
    int64_t offset; /**< of what was found, in the frame */
} FrameWalk;

static bool walk_to_frame(FrameWalk *walk, int32_t index);

/* The constants of a sum belong to the place, its other register is an index. */
static bool walk_definition(FrameWalk *walk, const PtxInstruction *definition) {
    bool sum = definition->opcode == PTX_OP_add || definition->opcode == PTX_OP_sub;
    if (!sum && definition->opcode != PTX_OP_mov && definition->opcode != PTX_OP_cvta) return false;
    int64_t constant = 0;
    bool found = false;
    for (unsigned i = 1; i < definition->operand_count; i++) {
        const PtxOperand *operand = &definition->operands[i];
        if (sum && operand->kind == PTX_OPERAND_IMMEDIATE && operand->bits <= UINT32_MAX)
            constant = (int64_t)operand->bits;
        if (!found && operand->kind == PTX_OPERAND_REGISTER) found = walk_to_frame(walk, operand->index);
    }
    if (found) walk->offset += definition->opcode == PTX_OP_add ? constant : -constant;
    return found;
}

/* Goes from a register back through its definitions until the frame pointer is found, adding up the offsets
 * on the way. LIMIT: FRAME_WALK_REGISTERS registers; an address that is computed longer counts as not of
 * the frame. */
static bool walk_to_frame(FrameWalk *walk, int32_t index) {
    if (index < 0 || walk->left == 0) return false;
    walk->left--;
    if (is_frame_pointer(walk->function, index)) {
        walk->offset = 0;
        return true;
    }
    for (uint32_t i = 0; i < walk->function->instruction_count; i++) {
        const PtxInstruction *instruction = &walk->function->instructions[i];
        const PtxOperand *result = &instruction->operands[0];
        bool defines = instruction->destination_count == 1 && result->kind == PTX_OPERAND_REGISTER &&
                       result->index == index;
        if (defines && walk_definition(walk, instruction)) return true;
    }
    return false;
}

/* Whether a load reads an element of one of the function's local arrays, by an index: its address comes
 * from the frame and not directly. */
bool ptx_reads_own_array(const PtxFunction *function, const PtxInstruction *instruction,
                         const PtxLocal **array) {
    const PtxOperand *address = address_operand(instruction);
    *array = NULL;
    if (!address || instruction->opcode != PTX_OP_ld) return false;
    FrameWalk walk = {.function = function, .left = FRAME_WALK_REGISTERS};
    bool indexed = !is_frame_pointer(function, address->index) && walk_to_frame(&walk, address->index);
    if (!indexed) return false;
    const PtxLocal *local = local_containing(function, walk.offset);
    if (local && local->element_bytes && local->bytes > local->element_bytes) *array = local;
    return true;
}

const PtxLocal *ptx_local_array(const PtxFunction *function, int64_t offset) {
    const PtxLocal *found = NULL;
    for (uint32_t i = 0; i < function->local_count; i++) {
        const PtxLocal *local = &function->locals[i];
        if (!contains(local, offset)) continue;
        if (found) return NULL;
        found = local;
    }
    bool array = found && found->element_bytes && found->bytes > found->element_bytes;
    if (array && found->offset == offset) return found;
    return NULL;
}
