/* test_parse.c - modules, variables, initial values, scopes, calls, source lines. */
#include "support.h"

static const PtxVariable *variable_of(const Loaded *loaded, const char *name) {
    assert_loads(loaded);
    const PtxVariable *variable = find_variable(loaded->module, name);
    assert_non_null(variable);
    return variable;
}

/* ---- the module ---- */

static void test_header(void **state) {
    (void)state;
    Loaded loaded =
        load_text(".version 8.10\n.target sm_90a, debug\n.address_size 64\n.file 2 \"/x\" \"y.cu\"\n"
                  ".file 1 \"a.cu\", 123, 456\n");
    assert_loads(&loaded);
    assert_int_equal(loaded.module->version_major, 8);
    assert_int_equal(loaded.module->version_minor, 10);
    assert_int_equal(loaded.module->target, 90);
    assert_int_equal(loaded.module->file_count, 3);
    assert_string_equal(loaded.module->files[0], "");
    assert_string_equal(loaded.module->files[1], "a.cu");
    assert_string_equal(loaded.module->files[2], "/x/y.cu");
    unload(&loaded);
}

/* ---- variables ---- */

static void test_arrays(void **state) {
    (void)state;
    Loaded loaded = load_text(HEADER ".global .align 16 .f32 a[2][3];\n.extern .shared .align 4 .b8 d[];\n"
                                     ".const .v4 .f32 v;\n.global .attribute(.managed) .u32 m;\n");
    const PtxVariable *a = variable_of(&loaded, "a");
    assert_int_equal(a->bytes, 24);
    assert_int_equal(a->count, 6);
    assert_int_equal(a->alignment, 16);
    assert_int_equal(a->space, PTX_SPACE_GLOBAL);
    assert_null(a->initial);
    const PtxVariable *d = variable_of(&loaded, "d");
    assert_true(d->dynamic && d->external && d->bytes == 0);
    const PtxVariable *v = variable_of(&loaded, "v");
    assert_int_equal(v->bytes, 16);
    assert_int_equal(v->alignment, 16);
    assert_true(variable_of(&loaded, "m")->managed);
    unload(&loaded);
}

static void test_initial_values(void **state) {
    (void)state;
    Loaded loaded =
        load_text(HEADER ".global .u16 a[4] = {1, -1, 0x10, 2+3*4};\n.const .f32 f[2] = {0f3F800000, 2.5};\n"
                         ".global .b8 s[] = {104, 105, 0};\n.global .u8 m[2][3] = {{1}, {2, 3}};\n"
                         ".global .s64 x = -(1 << 4);\n");
    static const uint16_t a[] = {1, 0xFFFF, 0x10, 14};
    static const float f[] = {1.0f, 2.5f};
    static const uint8_t m[] = {1, 0, 0, 2, 3, 0}; /* an inner { } stands for a whole row */
    int64_t x;
    assert_memory_equal(variable_of(&loaded, "a")->initial, a, sizeof a);
    assert_memory_equal(variable_of(&loaded, "f")->initial, f, sizeof f);
    assert_int_equal(variable_of(&loaded, "s")->bytes, 3);
    assert_string_equal((const char *)variable_of(&loaded, "s")->initial, "hi");
    assert_memory_equal(variable_of(&loaded, "m")->initial, m, sizeof m);
    memcpy(&x, variable_of(&loaded, "x")->initial, sizeof x);
    assert_int_equal(x, -16);
    unload(&loaded);
}

static void test_addresses_in_initial_values(void **state) {
    (void)state;
    Loaded loaded = load_text(
        HEADER ".global .u32 t[4];\n.func f();\n"
               ".global .u64 p[3] = {t+8, generic(t), f};\n"
               ".global .b8 q[9] = {7, 0xFF(generic(t)), 0xFF00(generic(t)), 0xFF0000(generic(t)), "
               "0xFF000000(generic(t)), 0xFF00000000(generic(t)), 0xFF0000000000(generic(t)), "
               "0xFF000000000000(generic(t)), 0xFF00000000000000(generic(t))};\n.func f() { ret; }\n");
    const PtxVariable *t = variable_of(&loaded, "t"), *p = variable_of(&loaded, "p"),
                      *q = variable_of(&loaded, "q");
    assert_int_equal(p->relocation_count, 3);
    assert_ptr_equal(p->relocations[0].variable, t);
    assert_int_equal(p->relocations[0].addend, 8);
    assert_false(p->relocations[0].generic);
    assert_true(p->relocations[1].generic);
    assert_int_equal(p->relocations[2].offset, 16);
    assert_ptr_equal(p->relocations[2].function, ptx_find_function(loaded.module, "f"));
    assert_int_equal(q->relocation_count, 1); /* eight masked bytes are one address */
    assert_int_equal(q->relocations[0].offset, 1);
    assert_int_equal(q->relocations[0].bytes, 8);
    assert_int_equal(q->initial[0], 7);
    unload(&loaded);
}

static void test_a_definition_completes_an_extern(void **state) {
    (void)state;
    Loaded loaded =
        load_text(HEADER ".extern .global .u32 x;\n.func f() { .reg .u64 %a; mov.u64 %a, x; ret; }\n"
                         ".visible .global .u32 x = 5;\n");
    const PtxVariable *x = variable_of(&loaded, "x");
    assert_false(x->external);
    assert_int_equal(x->initial[0], 5);
    assert_int_equal(loaded.module->variable_count, 1);
    assert_ptr_equal(loaded.module->functions[0]->instructions[0].operands[0].kind, PTX_OPERAND_REGISTER);
    assert_ptr_equal(loaded.module->functions[0]->instructions[0].operands[1].variable, x);
    unload(&loaded);
}

/* ---- functions ---- */

static void test_parameter_block(void **state) {
    (void)state;
    Loaded loaded = load_text(
        HEADER ".entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .align 4 .b8 c[6], "
               ".param .u32 d)\n.maxntid 256, 1, 1\n.minnctapersm 2\n{ ret; }\n");
    assert_loads(&loaded);
    const PtxFunction *k = loaded.module->functions[0];
    static const unsigned offsets[] = {0, 8, 16, 24};
    assert_int_equal(k->parameter_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(k->parameters[i].offset, offsets[i]);
    assert_int_equal(k->parameter_bytes, 28);
    assert_int_equal(k->max_threads[0], 256);
    assert_int_equal(k->min_blocks, 2);
    assert_true(k->entry && k->defined);
    unload(&loaded);
}

static void test_registers_are_scoped(void **state) {
    (void)state;
    Loaded loaded = load_body(
        ".reg .b32 t;\nmov.u32 t, 1;\n{ .reg .b64 t; mov.u64 t, 2; }\n{ .reg .b64 t; mov.u64 t, 3; }\n"
        "mov.u32 t, 4;");
    assert_loads(&loaded);
    const PtxInstruction *i = kernel_of(&loaded)->instructions;
    assert_int_equal(i[0].operands[0].index, i[3].operands[0].index);
    assert_int_not_equal(i[0].operands[0].index, i[1].operands[0].index);
    assert_int_not_equal(i[1].operands[0].index, i[2].operands[0].index);
    unload(&loaded);
}

static void test_a_family_may_end_in_a_digit(void **state) {
    (void)state;
    Loaded loaded =
        load_body(".reg .b32 %x<3>;\n.reg .b32 %x1<5>;\nmov.u32 %x2, 0;\nmov.u32 %x14, 0;\nmov.u32 %x10, 0;");
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    static const char *const names[] = {"%x2", "%x14", "%x10"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(kernel->registers[kernel->instructions[i].operands[0].index].name, names[i]);
    unload(&loaded);
}

static void test_labels_are_scoped(void **state) {
    (void)state;
    Loaded loaded = load_body(
        "bra out;\n{ again: bra again; }\n{ bra later;\n ret;\n later: bra again; }\nagain: ret;\nout:");
    assert_loads(&loaded);
    const PtxInstruction *i = kernel_of(&loaded)->instructions;
    assert_int_equal(i[0].operands[0].index, 6); /* behind the last instruction */
    assert_int_equal(i[1].operands[0].index, 1); /* the inner one */
    assert_int_equal(i[2].operands[0].index, 4);
    assert_int_equal(i[4].operands[0].index, 5); /* the outer one */
    unload(&loaded);
}

static void test_a_call(void **state) {
    (void)state;
    Loaded loaded =
        load_body("{ .param .b32 p0;\n.param .b64 p1;\n.param .b32 q;\nst.param.b32 [p0+0], %r1;\n"
                  "call.uni (q), callee, (p0, p1);\nld.param.b32 %r2, [q+0]; }\n"
                  "{ .param .b64 p0; st.param.b64 [p0], %rd1; }");
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    const PtxInstruction *call = &kernel->instructions[1];
    assert_int_equal(call->argument_count, 2);
    assert_int_equal(call->result_count, 1);
    assert_string_equal(call->callee->name, "callee");
    assert_false(call->callee->defined);
    const PtxVariable *p0 = kernel->parts[call->first_argument].variable;
    const PtxVariable *other = kernel->instructions[3].operands[0].variable;
    assert_ptr_equal(p0, kernel->instructions[0].operands[0].variable);
    assert_int_equal(p0->offset, kernel->parameter_bytes); /* parameters come first in the frame */
    assert_int_equal(other->offset, p0->offset);           /* blocks share their bytes */
    assert_ptr_not_equal(other, p0);
    assert_int_equal(kernel->call_param_bytes, kernel->parameter_bytes + 20);
    unload(&loaded);
}

static void test_an_alias_reaches_its_function(void **state) {
    (void)state;
    Loaded loaded = load_text(HEADER ".visible .func f() { ret; }\n.visible .func g();\n.alias g, f;\n"
                                     ".entry kernel() { call.uni g; ret; }\n");
    assert_loads(&loaded);
    assert_string_equal(kernel_of(&loaded)->instructions[0].callee->name, "f");
    unload(&loaded);
}

/* ---- operands ---- */

static void test_immediates_have_the_type_of_the_operand(void **state) {
    (void)state;
    static const struct {
        const char *statement;
        uint64_t bits; /* of the last operand */
    } cases[] = {{"mov.u32 %r1, -1;", UINT32_MAX},
                 {"mov.s32 %r1, 0xFFFFFFFF;", UINT64_MAX},
                 {"mov.b16 %h1, -2;", 0xFFFE},
                 {"mov.u64 %rd1, -1;", UINT64_MAX},
                 {"mov.f32 %f1, 0f40000000;", 0x40000000},
                 {"mov.f32 %f1, 2.0;", 0x40000000},
                 {"mov.f32 %f1, 0d4000000000000000;", 0x40000000},
                 {"mov.f64 %fd1, 0f40000000;", UINT64_C(0x4000000000000000)},
                 {"mov.b32 %r1, 0f40000000;", 0x40000000},
                 {"mov.b64 %rd1, 0dC000000000000000;", UINT64_C(0xC000000000000000)},
                 {"mov.f32 %f1, -1.0;", 0xBF800000},
                 {"add.s16 %h1, %h2, 0x8000;", UINT64_C(0xFFFFFFFFFFFF8000)},
                 {"mul.wide.u32 %rd1, %r1, -1;", UINT32_MAX},
                 {"mov.u32 %r1, (1 << 4) | 3;", 19},
                 {"mov.u32 %r1, 7 % 4 * 2 + ~0;", 5},
                 {"mov.pred %p1, 2;", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded loaded = load_body(cases[i].statement);
        assert_loads(&loaded);
        const PtxInstruction *instruction = &kernel_of(&loaded)->instructions[0];
        const PtxOperand *last = &instruction->operands[instruction->operand_count - 1];
        assert_int_equal(last->kind, PTX_OPERAND_IMMEDIATE);
        if (last->bits != cases[i].bits)
            fail_msg("%s gives %llx", cases[i].statement, (unsigned long long)last->bits);
        unload(&loaded);
    }
}

static void test_addresses(void **state) {
    (void)state;
    static const struct {
        const char *statement;
        const char *variable;
        bool has_register;
        int64_t offset;
        PtxSpace space;
    } cases[] = {{"ld.u32 %r1, [%rd1];", NULL, true, 0, PTX_SPACE_GENERIC},
                 {"ld.shared.u32 %r1, [%r2+-4];", NULL, true, -4, PTX_SPACE_SHARED},
                 {"ld.shared.u32 %r1, [%r2-8+4];", NULL, true, -4, PTX_SPACE_SHARED},
                 {"ld.shared.u32 %r1, [s+8];", "s", false, 8, PTX_SPACE_SHARED},
                 {"ld.u32 %r1, [s];", "s", false, 0, PTX_SPACE_SHARED}, /* the variable says the space */
                 {"ld.global.u32 %r1, [0x10];", NULL, false, 16, PTX_SPACE_GLOBAL},
                 {"ld.param.u32 %r1, [kernel_param_1+4];", "kernel_param_1", false, 4, PTX_SPACE_PARAM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded loaded = load_body(cases[i].statement);
        assert_loads(&loaded);
        const PtxInstruction *instruction = &kernel_of(&loaded)->instructions[0];
        const PtxOperand *address = &instruction->operands[1];
        assert_int_equal(address->kind, PTX_OPERAND_ADDRESS);
        assert_int_equal(address->index >= 0, cases[i].has_register);
        assert_int_equal(address->offset, cases[i].offset);
        assert_int_equal(instruction->modifiers.space, cases[i].space);
        assert_int_equal(address->variable != NULL, cases[i].variable != NULL);
        if (cases[i].variable) assert_string_equal(address->variable->name, cases[i].variable);
        unload(&loaded);
    }
}

static void test_pairs_and_vectors(void **state) {
    (void)state;
    Loaded loaded = load_body("setp.lt.s32 %p1|_, %r1, %r2;\nshfl.sync.up.b32 %r1|%p2, %r2, 1, 0, -1;\n"
                              "ld.global.v2.f32 {_, %f1}, [%rd1];\nmov.b64 {%r1, %r2}, %rd1;");
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    const PtxInstruction *i = kernel->instructions;
    assert_int_equal(i[0].destination_count, 2);
    assert_int_equal(i[0].operands[1].kind, PTX_OPERAND_SINK);
    assert_int_equal(i[1].operand_count, 6);
    assert_int_equal(i[1].operands[5].bits, UINT32_MAX);
    assert_int_equal(i[2].operands[0].parts, 2);
    assert_int_equal(kernel->parts[i[2].operands[0].first_part].kind, PTX_OPERAND_SINK);
    assert_int_equal(i[3].operands[0].kind, PTX_OPERAND_VECTOR);
    unload(&loaded);
}

/* One coordinate needs no braces; what has more is refused elsewhere. */
static void test_one_coordinate(void **state) {
    (void)state;
    Loaded loaded = load_body("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %f5];");
    assert_loads(&loaded);
    unload(&loaded);
}

static void test_modifiers(void **state) {
    (void)state;
    Loaded loaded = load_body(
        "cp.async.ca.shared.global [%r1], [%rd1], 4;\natom.acq_rel.gpu.shared.add.u32 %r1, [%r2], 1;\n"
        "bar.red.and.pred %p1, 0, %p2;\ncvt.rzi.sat.u8.f32 %h1, %f1;\nsetp.lo.or.u32 %p1, %r1, %r2, %p2;\n"
        "mul.hi.u32 %r1, %r2, %r3;\n@!%p3 membar.gl;");
    assert_loads(&loaded);
    const PtxInstruction *i = kernel_of(&loaded)->instructions;
    assert_int_equal(i[0].modifiers.space, PTX_SPACE_SHARED);
    assert_int_equal(i[0].modifiers.space2, PTX_SPACE_GLOBAL);
    assert_int_equal(i[1].modifiers.semantics, PTX_SEM_ACQ_REL);
    assert_int_equal(i[1].modifiers.scope, PTX_SCOPE_GPU);
    assert_int_equal(i[1].modifiers.atomic, PTX_ATOM_ADD);
    assert_int_equal(i[2].modifiers.mode, PTX_MODE_RED_AND);
    assert_int_equal(i[3].modifiers.rounding, PTX_RZI);
    assert_int_equal(i[3].source_type, PTX_F32);
    assert_true(i[3].modifiers.sat);
    assert_int_equal(i[4].modifiers.compare, PTX_LO);
    assert_int_equal(i[4].modifiers.boolean, PTX_BOOL_OR);
    assert_int_equal(i[5].modifiers.mode, PTX_MODE_HI);
    assert_true(i[6].guard >= 0 && i[6].guard_negated);
    assert_int_equal(i[6].modifiers.scope, PTX_SCOPE_GPU);
    unload(&loaded);
}

/* ---- source lines ---- */

static void test_source_lines(void **state) {
    (void)state;
    Loaded loaded =
        load_body(".loc 1 5 3\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n"
                  /* inlined from another file, twice: the place in the kernel's own file counts */
                  ".loc 2 40 1, function_name $name+8, inlined_at 1 7 2\nmov.u32 %r1, 0;\n"
                  ".loc 3 50 1, function_name $name, inlined_at 2 40 1\nmov.u32 %r1, 0;\n"
                  /* inlined from the same file: the inner place */
                  ".loc 1 20 9, function_name $name, inlined_at 1 7 2\nmov.u32 %r1, 0;\n"
                  ".loc 2 60 1\nmov.u32 %r1, 0;");
    static const struct {
        int file, line, column;
    } expected[] = {{1, 5, 3}, {1, 5, 3}, {1, 7, 2}, {1, 7, 2}, {1, 20, 9}, {2, 60, 1}};
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(kernel->instructions[i].file, expected[i].file);
        assert_int_equal(kernel->instructions[i].line, expected[i].line);
        assert_int_equal(kernel->instructions[i].column, expected[i].column);
    }
    assert_int_equal(kernel->declared_line, 5);
    unload(&loaded);
}

/* Line 0, which optimisers give to what they made of two places: a branch has the line of what decides it in
 * its block, else of what it guards; a load that of the first reader of its value. Others keep none. */
static void test_lost_lines(void **state) {
    (void)state;
    Loaded loaded = load_body(".loc 1 4 2\nsetp.lt.s32 %p1, %r1, 3;\nbar.sync 0;\n"
                              ".loc 1 0 5\n@%p1 bra AROUND;\nld.shared.u32 %r2, [s];\n"
                              ".loc 1 8 9\nmov.u32 %r3, 0;\n"
                              ".loc 2 30 1\nmov.u32 %r4, %r3;\n"
                              "AROUND:\n.loc 1 9 7\nadd.s32 %r5, %r2, 1;\n"
                              "setp.lt.s32 %p2, %r5, 3;\n.loc 1 0 7\n@%p2 bra OUT;\nst.shared.u32 [s], %r5;\n"
                              "OUT:\n.loc 1 12 1\nret;");
    static const int lines[] = {4, 4, 8, 9, 8, 30, 9, 9, 9, 0, 12};
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    assert_int_equal(kernel->instruction_count, sizeof lines / sizeof *lines);
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        assert_int_equal(kernel->instructions[i].line, lines[i]);
    unload(&loaded);
}

/* ---- hostile text ---- */

static void test_every_prefix_is_refused_or_loads(void **state) {
    (void)state;
    static const char text[] =
        KERNEL "{ .param .b32 p0; call callee, (p0); }\n@%p1 bra X;\nX: ld.global.v2.f32 {%f1, %f2}, "
               "[%rd1+4];\n}\n.section .debug_info { .b8 1, 2\n.b32 L+3 }\n.global .u32 x[2] = {1, -2};\n";
    for (size_t length = 0; length < sizeof text; length++) {
        Loaded loaded = {.arena = arena_create()};
        diag_init(&loaded.diagnostics, loaded.arena);
        /* an exact copy, so that a sanitizer sees every byte read behind the end */
        char *copy = test_malloc(length + 1);
        memcpy(copy, text, length);
        char *exact = test_realloc(copy, length ? length : 1);
        PtxModule *module = ptx_load(loaded.arena, "prefix", exact, length, &loaded.diagnostics);
        assert_int_equal(module == NULL, loaded.diagnostics.errors == 1);
        test_free(exact);
        unload(&loaded);
    }
}

static void test_every_failing_allocation(void **state) {
    (void)state;
    Diagnostics diagnostics;
    PtxModule *module = NULL;
    int failures = 0;
    static const char text[] =
        KERNEL "{ .param .b32 p0; .param .b64 p1; .param .b32 q; call (q), callee, (p0, p1); }\n"
               "L: @%p1 bra L;\nbar.sync 0;\n}\n.global .u64 x[2] = {array, 3};\n";
    for (long count = 1; !module; count++) {
        Arena *arena = arena_create();
        diag_init(&diagnostics, arena);
        arena_fail_after(count);
        module = ptx_load(arena, "test.ptx", text, strlen(text), &diagnostics);
        arena_fail_after(0);
        assert_int_equal(module == NULL, diagnostics.errors == 1);
        failures += module == NULL;
        arena_destroy(arena);
        assert_true(count < 10000);
    }
    assert_true(failures > 50);
}

/* What the texts of one module leave to each other, as nvcc -rdc=true makes them. */
static const PtxModule *linked(Loaded *loaded, const char *first, const char *second) {
    *loaded = (Loaded){.arena = arena_create()};
    diag_init(&loaded->diagnostics, loaded->arena);
    const PtxText texts[] = {{first, strlen(first)}, {second, strlen(second)}};
    loaded->module = ptx_link(loaded->arena, "test.ptx", texts, 2, &loaded->diagnostics);
    return loaded->module;
}

static const char first_text[] =
    HEADER ".file 1 \"first.cu\"\n"
           ".extern .func (.param .b32 r) square (.param .b32 x);\n"
           ".extern .global .align 4 .u32 total;\n"
           ".global .align 4 .u32 own = 1;\n"
           ".weak .global .align 4 .u32 both = 7;\n"
           ".func helper () { .loc 1 3 0\n ret; }\n"
           ".weak .func shared () { .loc 1 4 0\n ret; }\n"
           ".visible .entry kernel () { .reg .b32 %r<3>; .param .b32 a; .param .b32 b;\n"
           ".loc 1 8 0\n ld.global.u32 %r1, [total];\n ld.global.u32 %r2, [own];\n"
           "st.param.b32 [a], %r1;\n call (b), square, (a);\n call helper;\n call shared;\n ret; }\n";
static const char second_text[] =
    ".version 7.5\n.target sm_86\n.address_size 64\n.file 1 \"second.cu\"\n"
    ".visible .global .align 4 .u32 total = 5;\n"
    ".global .align 4 .u32 own = 2;\n"
    ".weak .global .align 4 .u32 both = 8;\n"
    ".func helper () { .loc 1 30 0\n ret; }\n"
    ".weak .func shared () { .loc 1 40 0\n ret; }\n"
    ".visible .func (.param .b32 r) square (.param .b32 x) { .reg .b32 %r<3>;\n"
    ".loc 1 50 0\n ld.param.u32 %r1, [x];\n mul.lo.u32 %r2, %r1, %r1;\n st.param.b32 [r], %r2;\n"
    "ld.global.u32 %r1, [own];\n call helper;\n ret; }\n";

/* Each finds what is meant: the definition in the other, its own of one name, the first of a weak one. */
static void test_two_texts_are_linked(void **state) {
    (void)state;
    Loaded loaded;
    const PtxModule *module = linked(&loaded, first_text, second_text);
    assert_non_null(module);
    assert_int_equal(module->target, 86);
    const PtxFunction *kernel = ptx_find_function(module, "kernel"),
                      *square = ptx_find_function(module, "square");
    assert_true(kernel->defined && square->defined && !kernel->refusal && !square->refusal);
    const PtxInstruction *of_kernel = kernel->instructions, *of_square = square->instructions;
    assert_ptr_equal(of_kernel[3].callee, square);
    assert_int_equal(*of_kernel[0].operands[1].variable->initial, 5);
    assert_int_equal(*of_kernel[1].operands[1].variable->initial, 1);
    assert_int_equal(*of_square[3].operands[1].variable->initial, 2);
    assert_int_equal(of_kernel[4].callee->instructions[0].line, 3);
    assert_int_equal(of_square[4].callee->instructions[0].line, 30);
    assert_int_equal(of_kernel[5].callee->instructions[0].line, 4);
    assert_string_equal(module->files[of_kernel[0].file], "first.cu");
    assert_string_equal(module->files[of_square[0].file], "second.cu");
    unsigned both = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i].name, "both") == 0) both += *module->variables[i].initial;
    assert_int_equal(both, 7);
    arena_destroy(loaded.arena);
}

static void test_what_cannot_be_linked(void **state) {
    (void)state;
    static const char one[] = HEADER ".visible .func f () { ret; }\n",
                      variable[] = HEADER ".visible .global .u32 x;\n",
                      clash[] = HEADER ".visible .global .u32 f;\n";
    const struct {
        const char *first, *second, *why;
    } pairs[] = {{one, one, "this function is defined twice"},
                 {variable, variable, "x is declared twice"},
                 {one, clash, "f is declared as something else above"},
                 {one, "", "this is no PTX: it does not begin with .version"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Loaded loaded;
        assert_null(linked(&loaded, pairs[i].first, pairs[i].second));
        assert_string_equal(loaded.diagnostics.first->message, pairs[i].why);
        arena_destroy(loaded.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_addresses_in_initial_values),
        cmocka_unit_test(test_a_definition_completes_an_extern),
        cmocka_unit_test(test_two_texts_are_linked),
        cmocka_unit_test(test_what_cannot_be_linked),
        cmocka_unit_test(test_parameter_block),
        cmocka_unit_test(test_registers_are_scoped),
        cmocka_unit_test(test_a_family_may_end_in_a_digit),
        cmocka_unit_test(test_labels_are_scoped),
        cmocka_unit_test(test_a_call),
        cmocka_unit_test(test_an_alias_reaches_its_function),
        cmocka_unit_test(test_immediates_have_the_type_of_the_operand),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_pairs_and_vectors),
        cmocka_unit_test(test_one_coordinate),
        cmocka_unit_test(test_modifiers),
        cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_lost_lines),
        cmocka_unit_test(test_every_prefix_is_refused_or_loads),
        cmocka_unit_test(test_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
