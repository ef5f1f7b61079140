/* print.h - a module as text, with everything resolved: whoever writes it has walked all of what the front
 * end made.
 */
#pragma once

#include "ptx/internal.h"

#include <inttypes.h>

static const char *const space_names[PTX_SPACE_COUNT] = {"",       ".global", ".shared",
                                                         ".local", ".const",  ".param"};

/* ---- operands ---- */

static void print_offset(int64_t offset, Text *out) {
    if (offset) text_format(out, "%+" PRId64, offset);
}

static void print_operand(const PtxFunction *function, const PtxOperand *operand, Text *out);

static void print_address(const PtxFunction *function, const PtxOperand *operand, Text *out) {
    text_add(out, "[");
    if (operand->variable) text_add(out, operand->variable->name);
    if (operand->index >= 0) text_add(out, function->registers[operand->index].name);
    if (operand->variable || operand->index >= 0)
        print_offset(operand->offset, out);
    else
        text_format(out, "%" PRId64, operand->offset);
    text_add(out, "]");
}

static void print_parts(const PtxFunction *function, uint32_t first, unsigned count, Text *out) {
    for (unsigned i = 0; i < count; i++) {
        if (i) text_add(out, ", ");
        print_operand(function, &function->parts[first + i], out);
    }
}

/* As in PTX, but for labels, which have become positions. */
static void print_operand(const PtxFunction *function, const PtxOperand *operand, Text *out) {
    if (operand->negated) text_add(out, "!");
    switch (operand->kind) {
    case PTX_OPERAND_NONE:
        break;
    case PTX_OPERAND_REGISTER:
        text_add(out, function->registers[operand->index].name);
        break;
    case PTX_OPERAND_IMMEDIATE:
        text_format(out, "0x%" PRIx64, operand->bits);
        break;
    case PTX_OPERAND_VARIABLE:
        text_add(out, operand->variable->name);
        print_offset(operand->offset, out);
        break;
    case PTX_OPERAND_FUNCTION:
        text_add(out, operand->function->name);
        break;
    case PTX_OPERAND_ADDRESS:
        print_address(function, operand, out);
        break;
    case PTX_OPERAND_LABEL:
        text_format(out, "->%d", operand->index);
        break;
    case PTX_OPERAND_SPECIAL:
        text_format(out, "%%%s", words_special_name((PtxSpecial)operand->index));
        break;
    case PTX_OPERAND_VECTOR:
        text_add(out, "{");
        print_parts(function, operand->first_part, operand->parts, out);
        text_add(out, "}");
        break;
    case PTX_OPERAND_SINK:
        text_add(out, "_");
        break;
    }
}

/* ---- instructions ---- */

/* The parts of a call lie apart in the instruction; here they are in the order of PTX. */
static void print_call(const PtxFunction *function, const PtxInstruction *call, Text *out) {
    text_add(out, " (");
    print_parts(function, call->first_result, call->result_count, out);
    text_add(out, "), ");
    if (call->callee)
        text_add(out, call->callee->name);
    else
        print_operand(function, &call->operands[0], out);
    text_add(out, ", (");
    print_parts(function, call->first_argument, call->argument_count, out);
    text_add(out, ")");
}

static void print_targets(const PtxInstruction *instruction, Text *out) {
    for (uint32_t i = 0; i < instruction->branch_target_count; i++)
        text_format(out, "%s->%d", i ? ", " : ", {", instruction->branch_targets[i]);
    if (instruction->branch_target_count) text_add(out, "}");
}

static void print_flow(const PtxInstruction *instruction, Text *out) {
    if (instruction->opcode != PTX_OP_bra && instruction->opcode != PTX_OP_brx_idx) return;
    if (instruction->reconvergence >= 0) text_format(out, "  meets %d", instruction->reconvergence);
    if (instruction->bypasses_barrier_taken >= 0)
        text_format(out, "  taken bypasses %d", instruction->bypasses_barrier_taken);
    if (instruction->bypasses_barrier_fallthrough >= 0)
        text_format(out, "  fallthrough bypasses %d", instruction->bypasses_barrier_fallthrough);
    if (instruction->leaves_loop) text_add(out, "  leaves a loop");
}

static void print_mnemonic(const PtxFunction *function, const PtxInstruction *instruction, Text *out) {
    if (instruction->guard >= 0)
        text_format(out, "@%s%s ", instruction->guard_negated ? "!" : "",
                    function->registers[instruction->guard].name);
    text_add(out, ptx_opcode_info(instruction->opcode)->name);
    text_add(out, space_names[instruction->modifiers.space]);
    if (instruction->modifiers.vector) text_format(out, ".v%d", instruction->modifiers.vector);
    if (instruction->type) text_format(out, ".%s", ptx_type_name(instruction->type));
    if (instruction->source_type) text_format(out, ".%s", ptx_type_name(instruction->source_type));
}

/* One line with its position and its place in the source. */
static void print_instruction(const PtxFunction *function, uint32_t index, Text *out) {
    const PtxInstruction *instruction = &function->instructions[index];
    text_format(out, "  %4u %4d:%-3d ", index, instruction->line, instruction->column);
    print_mnemonic(function, instruction, out);
    if (instruction->opcode == PTX_OP_call) {
        print_call(function, instruction, out);
    } else {
        for (unsigned i = 0; i < instruction->operand_count; i++) {
            text_add(out, i ? ", " : " ");
            print_operand(function, &instruction->operands[i], out);
        }
        print_targets(instruction, out);
    }
    print_flow(instruction, out);
    text_add(out, "\n");
}

/* ---- variables and functions ---- */

/* All that is known of it, whether PTX or the debug sections said so. */
static void print_variable(const PtxVariable *variable, Text *out) {
    text_format(out, "  %s .%s %s", space_names[variable->space] + 1, ptx_type_name(variable->type),
                variable->name);
    text_format(out, " (%s) %zu bytes, align %u, at %u", variable->plain_name, variable->bytes,
                variable->alignment, variable->offset);
    if (variable->element_bytes) text_format(out, ", elements of %u", variable->element_bytes);
    if (variable->declared_line) text_format(out, ", line %d", variable->declared_line);
    if (variable->dynamic) text_add(out, ", dynamic");
    if (variable->external) text_add(out, ", external");
    if (variable->initial) text_format(out, ", initial value with %u addresses", variable->relocation_count);
    text_add(out, "\n");
}

/* The function as it was understood, not as it was written. */
static void print_function(const PtxFunction *function, Text *out) {
    text_add(out, function->entry ? "kernel" : "function");
    text_format(out, " %s (%s)", function->name, function->plain_name);
    if (!function->defined) text_add(out, " not defined");
    text_format(out, ": %u registers, %u bytes local, %u bytes parameters, %u bytes frame\n",
                function->register_count, function->local_bytes, function->parameter_bytes,
                function->call_param_bytes);
    for (unsigned i = 0; i < function->parameter_count; i++)
        print_variable(&function->parameters[i], out);
    for (unsigned i = 0; i < function->result_count; i++)
        print_variable(&function->results[i], out);
    for (uint32_t i = 0; i < function->variable_count; i++)
        print_variable(&function->variables[i], out);
    for (uint32_t i = 0; i < function->local_count; i++)
        text_format(out, "  local variable %s at %u, %u bytes, elements of %u, line %d\n",
                    function->locals[i].name, function->locals[i].offset, function->locals[i].bytes,
                    function->locals[i].element_bytes, function->locals[i].line);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        print_instruction(function, i, out);
}

static void print_module(const PtxModule *module, Text *out) {
    text_format(out, "ptx %u.%u sm_%u\n", module->version_major, module->version_minor, module->target);
    for (uint32_t i = 0; i < module->file_count; i++)
        if (module->files[i][0]) text_format(out, "file %u %s\n", i, module->files[i]);
    for (uint32_t i = 0; i < module->variable_count; i++)
        print_variable(&module->variables[i], out);
    for (uint32_t i = 0; i < module->function_count; i++)
        print_function(module->functions[i], out);
}
