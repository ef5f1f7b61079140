/* fuzz_ptx.c - PTX of any bytes: loads or is refused, and what loads is consistent. Build and run: make
 * fuzz-ptx.
 *
 * Printing the module walks every operand with its registers, variables and parts, so a wrong index shows
 * itself; so does following each address to where it came from. A form feed ends a text and begins another,
 * which are linked.
 */
#include "ptx/provenance.h"
#include "ptx/ptx.h"
#include "tests/ptx/print.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_instruction(const PtxFunction *function, const PtxInstruction *instruction) {
    int32_t count = (int32_t)function->instruction_count;
    if (ptx_opcode_info(instruction->opcode)->family == PTX_FAMILY_refused) abort();
    if (instruction->guard >= (int32_t)function->register_count) abort();
    if (instruction->reconvergence >= count || instruction->bypasses_barrier_taken >= count) abort();
    if (instruction->opcode == PTX_OP_bra &&
        (uint32_t)instruction->operands[0].index > function->instruction_count)
        abort();
    for (uint32_t i = 0; i < instruction->branch_target_count; i++)
        if ((uint32_t)instruction->branch_targets[i] > function->instruction_count) abort();
    const Provenance found = ptx_provenance(function, instruction);
    for (unsigned i = 0; i < found.read_count; i++)
        if ((uint32_t)found.read[i] >= function->register_count) abort();
}

enum { MOST_TEXTS = 4 };

static size_t take_apart(PtxText *texts, const char *bytes, size_t size) {
    size_t count = 0;
    for (const char *end = bytes; end != NULL && count < MOST_TEXTS; count++) {
        end = size != 0 ? memchr(bytes, '\f', size) : NULL;
        texts[count] = (PtxText){bytes, end != NULL ? (size_t)(end - bytes) : size};
        if (end != NULL) size -= texts[count].length + 1, bytes = end + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    Text text;
    diag_init(&diagnostics, arena);
    text_init(&text);
    PtxText texts[MOST_TEXTS];
    const size_t count = take_apart(texts, (const char *)data, size);
    const PtxModule *module = ptx_link(arena, "fuzz", texts, count, &diagnostics);
    if ((module == NULL) != (diagnostics.errors == 1)) abort();
    diag_render(&diagnostics, &text, false);
    if (module) print_module(module, &text);
    for (uint32_t i = 0; module && i < module->function_count; i++)
        for (uint32_t j = 0; j < module->functions[i]->instruction_count; j++)
            check_instruction(module->functions[i], &module->functions[i]->instructions[j]);
    text_free(&text);
    arena_destroy(arena);
    return 0;
}
