/* test_table.c - every row of instructions.def: supported ones load as themselves, others are refused by
 * name. */
#include "support.h"

static const struct {
    PtxOpcode opcode;
    const char *statement;
} examples[] = {
#define PTX_EXAMPLE(opcode, ...) {PTX_OP_##opcode, __VA_ARGS__},
#include "examples.def"
#undef PTX_EXAMPLE
};
enum { EXAMPLE_COUNT = sizeof examples / sizeof *examples };

static bool has_opcode(const PtxFunction *kernel, PtxOpcode opcode) {
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].opcode == opcode) return true;
    return false;
}

static void test_examples_load(void **state) {
    (void)state;
    for (int i = 0; i < EXAMPLE_COUNT; i++) {
        Loaded loaded = load_body(examples[i].statement);
        assert_loads(&loaded);
        if (!has_opcode(kernel_of(&loaded), examples[i].opcode)) fail_msg("%s", examples[i].statement);
        unload(&loaded);
    }
}

static void test_every_supported_row_has_an_example(void **state) {
    (void)state;
    bool seen[PTX_OPCODE_COUNT] = {false};
    for (int i = 0; i < EXAMPLE_COUNT; i++)
        seen[examples[i].opcode] = true;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        if (ptx_opcode_info((PtxOpcode)i)->family != PTX_FAMILY_refused && !seen[i])
            fail_msg("no example of %s", ptx_opcode_info((PtxOpcode)i)->name);
}

static void test_unsupported_rows_are_refused_by_name(void **state) {
    (void)state;
    int refused = 0;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        const PtxOpcodeInfo *info = ptx_opcode_info((PtxOpcode)i);
        char statement[80], words[80];
        if (info->family != PTX_FAMILY_refused) continue;
        snprintf(statement, sizeof statement, "%s.b32 %%r1, [%%rd1];", info->name);
        snprintf(words, sizeof words, "cannot execute %s ", info->name);
        Loaded loaded = load_body(statement);
        assert_refused(&loaded, words);
        assert_non_null(loaded.diagnostics.first->remedy);
        assert_non_null(loaded.diagnostics.first->source_line);
        unload(&loaded);
        refused++;
    }
    assert_true(refused > 15);
}

static bool file_has_opcode(const char *path, PtxOpcode opcode) {
    Text text;
    text_init(&text);
    if (!text_read_file(&text, path, 1 << 20)) fail_msg("%s cannot be read", path);
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    bool found = false;
    for (uint32_t i = 0; i < loaded.module->function_count; i++)
        found |= has_opcode(loaded.module->functions[i], opcode);
    unload(&loaded);
    text_free(&text);
    return found;
}

static void test_every_supported_row_has_a_test_with_it(void **state) {
    (void)state;
    int tested = 0;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        const PtxOpcodeInfo *info = ptx_opcode_info((PtxOpcode)i);
        if (info->family == PTX_FAMILY_refused) continue;
        if (!info->test[0]) fail_msg("no test runs %s", info->name);
        if (!file_has_opcode(info->test, (PtxOpcode)i)) fail_msg("%s has no %s", info->test, info->name);
        tested++;
    }
    assert_true(tested >= 65);
}

static void test_rows_are_complete(void **state) {
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        const PtxOpcodeInfo *info = ptx_opcode_info((PtxOpcode)i);
        assert_true(info->name[0] && info->forms[0] && info->effect[0] && info->section[0]);
        assert_int_equal(strncmp(info->forms, info->name, strlen(info->name)), 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(info->name, ptx_opcode_info((PtxOpcode)j)->name);
    }
}

static void test_every_family_has_an_instruction(void **state) {
    (void)state;
    bool seen[PTX_FAMILY_COUNT] = {false};
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        seen[ptx_opcode_info((PtxOpcode)i)->family] = true;
    for (int family = 0; family < PTX_FAMILY_COUNT; family++)
        if (!seen[family]) fail_msg("no instruction is of family %d", family);
}

/* Columns that cannot both be right. */
static void test_columns_agree(void **state) {
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        PtxOpcode opcode = (PtxOpcode)i;
        const PtxOpcodeInfo *info = ptx_opcode_info(opcode);
        bool refused = info->family == PTX_FAMILY_refused, labels = strchr(info->operands, 'l') != NULL;
        bool made = ptx_data(opcode) == PTX_DATA_ARITHMETIC;
        if (refused && (info->test[0] || info->operands[0] || info->reach || info->traits))
            fail_msg("%s is refused, but has operands, a reach, traits or a test", info->name);
        if (info->reach != PTX_REACH_ALL && !made)
            fail_msg("%s has a reach, but makes nothing of its operands", info->name);
        if (ptx_has_trait(opcode, PTX_TRAIT_DROPS) && !made)
            fail_msg("%s drops operands, but makes nothing of them", info->name);
        if (ptx_has_trait(opcode, PTX_TRAIT_STORES) && !strchr(info->operands, 'm'))
            fail_msg("%s stores, but has no address", info->name);
        if (labels != (ptx_control(opcode) == PTX_CONTROL_BRANCH))
            fail_msg("%s has a label and is no branch, or the other way round", info->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_load),
        cmocka_unit_test(test_every_supported_row_has_an_example),
        cmocka_unit_test(test_unsupported_rows_are_refused_by_name),
        cmocka_unit_test(test_every_supported_row_has_a_test_with_it),
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_every_family_has_an_instruction),
        cmocka_unit_test(test_columns_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
