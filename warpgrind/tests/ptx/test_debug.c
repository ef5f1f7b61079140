/* test_debug.c - names, lines and element sizes, from DWARF (names.ptx, made by clang -g from the source
 * below) and from mangled names.
 *
 *   5  struct Pair { float a, b; };
 *   6  __constant__ double weights[3];
 *   7  __device__ Pair pairs[4];
 *   8  namespace course { __device__ int counter; }
 *   9  template <typename T> __device__ T twice(const T *value) { return *value + *value; }
 *  10  __global__ void block_sum_kernel(float *out, const Pair *in, int n) {
 *  11      __shared__ float temp[8][16];
 *  12      int total;
 *  13      if (n > 3) total = course::counter;
 */
#include "print.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#define KERNEL_NAME "_Z16block_sum_kernelPfPK4Pairi"

static Text read_names(void) {
    Text text;
    text_init(&text);
    assert_true(text_read_file(&text, "tests/ptx/names.ptx", 1 << 20));
    return text;
}

static void check_variable(const PtxVariable *variable, const char *name, int line, unsigned element_bytes) {
    assert_non_null(variable);
    assert_string_equal(variable->plain_name, name);
    assert_int_equal(variable->declared_line, line);
    assert_int_equal(variable->declared_file, line ? 1 : -1);
    assert_int_equal(variable->element_bytes, element_bytes);
}

static const PtxVariable *find_local(const PtxFunction *function, const char *name) {
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (strcmp(function->variables[i].name, name) == 0) return &function->variables[i];
    return NULL;
}

static void test_names_from_dwarf(void **state) {
    (void)state;
    Text text = read_names();
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    const PtxModule *module = loaded.module;
    assert_string_equal(module->files[1], "/course/names.cu");
    check_variable(find_variable(module, "weights"), "weights", 6, 8);
    check_variable(find_variable(module, "pairs"), "pairs", 7, 8);
    check_variable(find_variable(module, "_ZN6course7counterE"), "counter", 8, 4);
    const PtxFunction *kernel = ptx_find_function(module, KERNEL_NAME);
    assert_string_equal(kernel->plain_name, "block_sum_kernel");
    assert_int_equal(kernel->declared_line, 10);
    check_variable(&kernel->parameters[0], "out", 10, 4);
    check_variable(&kernel->parameters[1], "in", 10, 8);
    check_variable(&kernel->parameters[2], "n", 10, 4);
    check_variable(find_local(kernel, "_ZZ16block_sum_kernelPfPK4PairiE4temp"), "temp", 11, 4);
    assert_string_equal(ptx_find_function(module, "_Z5twiceIfET_PKS0_")->plain_name, "twice<float>");
    unload(&loaded);
    text_free(&text);
}

/* The load of `total` in line 15, [%SP+20], is known by its name. */
static void test_locals_in_the_frame(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t offset, bytes;
        int line;
    } expected[] = {{"out", 0, 8, 10}, {"in", 8, 8, 10}, {"n", 16, 4, 10}, {"total", 20, 4, 12}};
    Text text = read_names();
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    const PtxFunction *kernel = ptx_find_function(loaded.module, KERNEL_NAME);
    assert_int_equal(kernel->local_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(kernel->locals[i].name, expected[i].name);
        assert_int_equal(kernel->locals[i].offset, expected[i].offset);
        assert_int_equal(kernel->locals[i].bytes, expected[i].bytes);
        assert_int_equal(kernel->locals[i].line, expected[i].line);
    }
    int loads_of_total = 0;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const PtxInstruction *instruction = &kernel->instructions[i];
        const PtxLocal *local = ptx_find_local(kernel, instruction);
        if (local && instruction->opcode == PTX_OP_ld && strcmp(local->name, "total") == 0) loads_of_total++;
        if (local) assert_true(instruction->opcode == PTX_OP_ld || instruction->opcode == PTX_OP_st);
    }
    assert_int_equal(loads_of_total, 1);
    unload(&loaded);
    text_free(&text);
}

static void test_local_arrays(void **state) {
    (void)state;
    static const char module[] = HEADER
        ".entry kernel() { .local .align 4 .b8 __local_depot0[64]; .reg .b64 %SP; .reg .b32 %r1;\n"
        "ld.u32 %r1, [%SP+12];\nld.u32 %r1, [%SP+60]; ret; }\n"
        ".section .debug_abbrev { .b8 1,17,1,0,0, 2,46,1,3,8,0,0, 3,52,0,3,8,73,19,2,10,0,0, 4,1,1,73,19,0,0,"
        " 5,33,0,55,11,0,0, 6,36,0,11,11,0,0, 0 }\n"
        ".section .debug_info { .b32 53\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n"
        ".b8 1\n"                                                         /* 11: unit */
        ".b8 2,107,101,114,110,101,108,0\n"                               /* 12: subprogram kernel */
        ".b8 3,118,0\n.b32 46\n.b8 11,3\n.b64 __local_depot0\n.b8 35,8\n" /* 20: v, array, at depot + 8 */
        ".b8 0\n"
        ".b8 6,4,6,4,6,4\n"                    /* 40: types of 4 bytes */
        ".b8 4\n.b32 40\n.b8 5,3\n.b8 5,2,0\n" /* 46: array of them, 3 by 2 */
        ".b8 0 }\n";
    Loaded loaded = load_text(module);
    assert_loads(&loaded);
    const PtxFunction *kernel = kernel_of(&loaded);
    assert_int_equal(kernel->local_count, 1);
    assert_string_equal(kernel->locals[0].name, "v");
    assert_int_equal(kernel->locals[0].offset, 8);
    assert_int_equal(kernel->locals[0].bytes, 24);
    assert_int_equal(kernel->locals[0].element_bytes, 4);
    assert_ptr_equal(ptx_find_local(kernel, &kernel->instructions[0]), &kernel->locals[0]);
    assert_null(ptx_find_local(kernel, &kernel->instructions[1])); /* behind it */
    assert_null(ptx_find_local(kernel, &kernel->instructions[2])); /* no memory at all */
    unload(&loaded);
}

/* struct { char a; int b; unsigned : 8, c : 3; } p, its second member at `at`, `above` bits above its third.
 */
static void write_structure(char module[2048], int at, int above) {
    snprintf(module, 2048,
             HEADER
             ".global .align 4 .b8 p[12];\n"
             ".section .debug_abbrev { .b8 1,17,1,0,0, 2,52,0,3,8,73,19,2,10,0,0, 3,19,1,11,11,0,0,"
             " 4,13,0,73,19,56,11,0,0, 5,36,0,11,11,0,0, 6,13,0,73,19,11,11,13,11,12,11,56,10,0,0, 0 }\n"
             ".section .debug_info { .b32 56\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n"
             ".b8 1\n"                                  /* 11: unit */
             ".b8 2,112,0\n.b32 33\n.b8 9,3\n.b64 p\n"  /* 12: p */
             ".b8 5,4\n.b8 5,1\n.b8 3,12\n"             /* 29: int, char, the structure */
             ".b8 4\n.b32 31\n.b8 0\n"                  /* 35: a */
             ".b8 4\n.b32 29\n.b8 %d\n"                 /* 41: b */
             ".b8 6\n.b32 29\n.b8 4,3,%d\n.b8 2,35,8\n" /* 47: c */
             ".b8 0,0 }\n",
             at, above);
}

static Loaded load_structure(int at) {
    char module[2048];
    write_structure(module, at, 21);
    return load_text(module);
}

/* What a debugger reads of a bit field lies inside its unit, or it is none. */
static void test_bit_fields(void **state) {
    (void)state;
    static const struct {
        int above;
        uint8_t bits, bits_above;
    } cases[] = {{21, 3, 21}, {29, 3, 29}, {30, 0, 0}, {255, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char module[2048];
        Loaded loaded = {.arena = arena_create()};
        diag_init(&loaded.diagnostics, loaded.arena);
        write_structure(module, 4, cases[i].above);
        const PtxText text = {module, strlen(module)};
        loaded.module = ptx_link_typed(loaded.arena, "test.ptx", &text, 1, &loaded.diagnostics);
        assert_loads(&loaded);
        const PtxShown *shown = find_variable(loaded.module, "p")->shown;
        assert_non_null(shown);
        assert_int_equal(shown->member_count, 3);
        assert_int_equal(shown->members[2].bits, cases[i].bits);
        assert_int_equal(shown->members[2].bits_above, cases[i].bits_above);
        unload(&loaded);
    }
}

static void test_layout_of_a_structure(void **state) {
    (void)state;
    static const uint8_t member[12] = {1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0};
    Loaded loaded = load_structure(4);
    assert_loads(&loaded);
    const PtxVariable *variable = find_variable(loaded.module, "p");
    assert_int_equal(variable->element_bytes, 12);
    assert_non_null(variable->layout);
    assert_int_equal(variable->layout->bytes, 12);
    assert_memory_equal(variable->layout->member, member, 12);
    unload(&loaded);
}

static void test_member_outside_its_structure(void **state) {
    (void)state;
    Loaded loaded = load_structure(9);
    assert_loads(&loaded);
    const PtxVariable *variable = find_variable(loaded.module, "p");
    assert_non_null(variable->layout);
    assert_null(variable->layout->member);
    unload(&loaded);
}

static void test_types_in_mangled_names(void **state) {
    (void)state;
    static const char *const built_in[] = {"_Z1kPfPKf", "_Z3addPdS_i", "_Z1kILi256EfEvPT0_",
                                           "_Z1kIfEvPT_PKS0_"};
    static const char *const others[] = {"_Z1kP4Pairi", "_Z1kI4PairEvPT_", "_Z1kPvi", "_Z1kPKhPh",
                                         "k",           "_ZN2ns1kEPf",     "_Z",      "_Z9k",
                                         "_Z1kPN1a1bE"};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        assert_true(ptx_has_built_in_types(built_in[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(ptx_has_built_in_types(others[i]));
}

static void test_names_without_dwarf(void **state) {
    (void)state;
    Text text = read_names();
    char *section = strstr(text.bytes, ".section");
    assert_non_null(section);
    *section = '\0';
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    const PtxModule *module = loaded.module;
    check_variable(find_variable(module, "_ZN6course7counterE"), "course::counter", 0, 0);
    const PtxFunction *kernel = ptx_find_function(module, KERNEL_NAME);
    assert_string_equal(kernel->plain_name, "block_sum_kernel");
    check_variable(&kernel->parameters[1], "parameter 2", 0, 0);
    check_variable(find_local(kernel, "_ZZ16block_sum_kernelPfPK4PairiE4temp"), "temp", 0, 0);
    unload(&loaded);
    text_free(&text);
}

/* Whatever stands in the sections, the module loads: nobody needs them. */
static void test_broken_dwarf_is_no_error(void **state) {
    (void)state;
    Text text = read_names();
    char *section = strstr(text.bytes, ".section");
    uint32_t random = 12345;
    for (int round = 0; round < 2000; round++) {
        char *copy = strdup(text.bytes);
        assert_non_null(copy);
        for (int change = 0; change < 4; change++) {
            random = random * 1664525 + 1013904223;
            char *at = copy + (section - text.bytes) + (random >> 8) % strlen(section);
            if (*at >= '0' && *at <= '9') *at = (char)('1' + random % 7);
        }
        Loaded loaded = load_text(copy);
        assert_loads(&loaded);
        unload(&loaded);
        free(copy);
    }
    text_free(&text);
}

static void test_mangled_names(void **state) {
    (void)state;
    static const struct {
        const char *mangled, *plain;
    } cases[] = {{"_Z17vector_add_kernelPfPKfS1_i", "vector_add_kernel"},
                 {"_ZN2ns1xE", "ns::x"},
                 {"_ZN12_GLOBAL__N_15tableE", "table"},
                 {"_ZL4coef", "coef"},
                 {"_ZZ16block_sum_kernelPfPKfE4temp", "temp"},
                 {"_ZZ1kPfE4temp_0", "temp"},
                 {"_ZZN2ns1kI4DataEEvPT_E5cache", "cache"},
                 {"_Z6squareILi128EEvPf", "square"},
                 {"plain", "plain"},
                 {"_Z", "_Z"},
                 {"_Z99short", "_Z99short"},
                 {"_ZN", "_ZN"},
                 {"_ZZE", "_ZZE"},
                 {"_Z99999999999999999999x", "_Z99999999999999999999x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, HEADER ".global .u32 %s;\n", cases[i].mangled);
        Loaded loaded = load_text(text);
        assert_loads(&loaded);
        assert_string_equal(loaded.module->variables[0].name, cases[i].mangled);
        assert_string_equal(loaded.module->variables[0].plain_name, cases[i].plain);
        unload(&loaded);
    }
}

static void test_dynamic_shared_memory(void **state) {
    (void)state;
    Loaded loaded =
        load_text(HEADER ".extern .shared .align 4 .b8 a[];\n.extern .shared .align 16 .b8 b[];\n");
    assert_loads(&loaded);
    assert_int_equal(loaded.module->variables[0].element_bytes, 4);
    assert_int_equal(loaded.module->variables[1].element_bytes, 0); /* nvcc's usual alignment says nothing */
    unload(&loaded);
}

/* Abbreviations of the text below: 1 the unit, 2 a function (name, file, line), 3 an inlined call (origin,
 * low, high, call file, line and column). */
#define ABBREVIATIONS                                                                                        \
    ".section .debug_abbrev {\n"                                                                             \
    ".b8 1,17,1,0,0\n.b8 2,46,0,3,8,58,11,59,11,0,0\n"                                                       \
    ".b8 3,29,1,49,19,17,1,18,1,88,11,89,11,87,11,0,0,0\n}\n"

/* f() and g() stand in a header of CUDA from its lines 10 and 20 on, h() in a header of the program. The
 * kernel calls f(), which calls g(), and then h(); what is inlined of f() has been moved to both sides of a
 * line of the kernel's own, and of the call in line 8 of g(), which is within the range of f(). Line 13 of
 * f() has been moved into the range of g(), which begins behind it. */
static void test_lines_of_inlined_calls(void **state) {
    (void)state;
    static const char text[] =
        ".version 7.5\n.target sm_80, debug\n.address_size 64\n.visible .entry k() {\n.reg .b32 %r<9>;\n"
        ".loc 1 5 1\nBegin:\nmov.u32 %r1, 0;\n"
        "A:\n.loc 2 11 3\nmov.u32 %r2, 0;\nB:\n.loc 2 21 3\nmov.u32 %r3, 0;\n"
        ".loc 2 13 3\nmov.u32 %r3, 1;\n"
        "C:\n.loc 1 6 2\nmov.u32 %r4, 0;\n"
        "D:\n.loc 2 22 3\nmov.u32 %r5, 0;\n"
        "E:\n.loc 2 12 3\nmov.u32 %r6, 0;\n.loc 2 0 3\nmov.u32 %r7, 0;\n"
        "F:\n.loc 3 3 1\nmov.u32 %r8, 0;\nG:\nret;\n}\n"
        ".file 1 \"/course/k.cu\"\n.file 2 \"/usr/include/cuda/std/x\"\n.file 3 "
        "\"/course/own.cuh\"\n" ABBREVIATIONS
        ".section .debug_info {\n.b32 137\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n"
        ".b8 2,102,0,2,10\n.b8 2,103,0,2,20\n.b8 2,104,0,3,2\n"    /* at 12, 17, 22 */
        ".b8 3\n.b32 12\n.b64 A\n.b64 F\n.b8 1,7,9\n"              /* f in line 7 */
        ".b8 3\n.b32 17\n.b64 B\n.b64 C\n.b8 2,12,5\n.b8 0,0\n"    /* g in f */
        ".b8 3\n.b32 17\n.b64 D\n.b64 E\n.b8 1,8,4\n.b8 0\n"       /* g in line 8 */
        ".b8 3\n.b32 22\n.b64 F\n.b64 G\n.b8 1,9,4\n.b8 0,0\n}\n"; /* h in line 9 */
    static const struct {
        int file, line, column, called_at;
    } want[] = {{1, 5, 1, 0}, {1, 7, 9, 7}, {1, 7, 9, 12}, {1, 7, 9, 7}, {1, 6, 2, 0},
                {1, 8, 4, 8}, {1, 7, 9, 7}, {1, 7, 9, 7},  {3, 3, 1, 0}};
    Loaded loaded = load_text(text);
    assert_loads(&loaded);
    const PtxFunction *kernel = ptx_find_function(loaded.module, "k");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const PtxInstruction *instruction = &kernel->instructions[i];
        assert_int_equal(instruction->file, want[i].file);
        assert_int_equal(instruction->line, want[i].line);
        assert_int_equal(instruction->column, want[i].column);
        assert_int_equal(instruction->inlined_at_line, want[i].called_at);
    }
    unload(&loaded);
}

/* A compiler writes a file's name as a string of C. */
static void test_names_of_files(void **state) {
    (void)state;
    Loaded loaded = load_text(".version 7.5\n.target sm_80\n.address_size 64\n"
                              ".file 1 \"/a \\\"b\\\" \\\\n/t\\303\\274r\\tx\\1011.cu\"\n"
                              ".file 2 \"/two\" \"\\303\\251.cu\"\n.file 3 \"/end\\\\\"\n");
    assert_loads(&loaded);
    assert_string_equal(loaded.module->files[1], "/a \"b\" \\n/t\303\274r\txA1.cu");
    assert_string_equal(loaded.module->files[2], "/two/\303\251.cu");
    assert_string_equal(loaded.module->files[3], "/end\\");
    unload(&loaded);
}

static void test_print(void **state) {
    (void)state;
    Text text = read_names(), printed;
    text_init(&printed);
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    print_module(loaded.module, &printed);
    assert_non_null(strstr(printed.bytes, "kernel " KERNEL_NAME " (block_sum_kernel)"));
    assert_non_null(strstr(printed.bytes, "(temp) 512 bytes, align 4, at 0, elements of 4, line 11"));
    assert_non_null(strstr(printed.bytes, "call (retval0), _Z5twiceIfET_PKS0_, (param0)"));
    unload(&loaded);
    text_free(&printed);
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_from_dwarf),
        cmocka_unit_test(test_names_without_dwarf),
        cmocka_unit_test(test_locals_in_the_frame),
        cmocka_unit_test(test_local_arrays),
        cmocka_unit_test(test_bit_fields),
        cmocka_unit_test(test_layout_of_a_structure),
        cmocka_unit_test(test_member_outside_its_structure),
        cmocka_unit_test(test_types_in_mangled_names),
        cmocka_unit_test(test_broken_dwarf_is_no_error),
        cmocka_unit_test(test_mangled_names),
        cmocka_unit_test(test_dynamic_shared_memory),
        cmocka_unit_test(test_lines_of_inlined_calls),
        cmocka_unit_test(test_names_of_files),
        cmocka_unit_test(test_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
