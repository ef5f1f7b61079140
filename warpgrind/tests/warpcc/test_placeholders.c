/* test_placeholders.c - which lines of LLVM's text use a device variable by its name, in the text of clang 14
 * and in that of clang 15 and later. */
#include "warpcc/warpcc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char TYPED[] =
    "@found = internal global i32 undef, align 4\n"
    "@scale = internal global [4 x float] undef, align 16\n"
    "@both = dso_local global i32 undef, section \"warpcc_managed\", align 4\n"
    "@known = internal global i32 7, align 4\n"
    "@plain = internal global i32 0, align 4\n"
    "define i32 @main() {\n"
    "  %1 = alloca i32*, align 8\n"
    "  %2 = load i32, i32* @found, align 4, !dbg !7\n"
    "  %3 = getelementptr inbounds [4 x float], [4 x float]* @scale, i64 0, i64 %9\n"
    "  store float 2.0, float* %3, align 4, !dbg !8\n"
    "  %4 = load i32, i32* @known, align 4\n"
    "  store i32 %2, i32* @plain, align 4\n"
    "  store i32* @found, i32** %1, align 8\n"
    "  call void @copy(i32* @found)\n"
    "  %5 = load i32, i32* @founder, align 4\n"
    "}\n"
    "define void @other() {\n"
    "  %3 = load float, float* %3, align 4\n"
    "}\n"
    "define internal void @__cuda_register_globals(i8** %0) {\n"
    "  call void @__cudaRegisterVar(i8** %0, i8* bitcast (i32* @found to i8*), i8* null, i32 0)\n"
    "  call void @__cudaRegisterVar(i8** %0, i8* bitcast ([4 x float]* @scale to i8*), i8* null, i32 0)\n"
    "  call void @__cudaRegisterVar(i8** %0, i8* bitcast (i32* @known to i8*), i8* null, i32 0)\n"
    "}\n"
    "!0 = distinct !DICompileUnit(producer: \"clang version 14.0.6\")\n";

static const char OPAQUE[] =
    "@point = internal global %struct.P undef, align 4\n"
    "define i32 @main() {\n"
    "  store volatile i32 1, ptr getelementptr inbounds (%struct.P, ptr @point, i32 0, i32 1), align 4\n"
    "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1, ptr align 4 @point, i64 8, i1 false), !dbg !9\n"
    "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 @point, ptr align 4 %1, i64 8, i1 false)\n"
    "}\n"
    "define internal void @__cuda_register_globals(ptr %0) {\n"
    "  call void @__cudaRegisterVar(ptr %0, ptr @point, ptr @2, ptr @2, i32 0)\n"
    "}\n"
    "!0 = distinct !DICompileUnit(producer: \"clang version 19.1.7\")";

/* The text as it became; every line of it is still there. */
static Text watched(const char *ir) {
    Text text = text_new();
    text_add(&text, ir);
    assert_true(placeholders_watch(&text));
    for (const char *line = ir; *line; line = ir_line_end(line) + (*ir_line_end(line) == '\n'))
        assert_non_null(memmem(text.bytes, text.length, line, (size_t)(ir_line_end(line) - line)));
    return text;
}

static unsigned count_of(const Text *text, const char *what) {
    unsigned count = 0;
    for (const char *at = text->bytes; (at = strstr(at, what)); at++)
        count++;
    return count;
}

static void assert_has(const Text *text, const char *what) {
    if (!strstr(text->bytes, what)) fail_msg("no '%s' in\n%s", what, text->bytes);
}

static void test_typed_pointers(void **state) {
    (void)state;
    Text text = watched(TYPED);
    assert_has(&text,
               "  call void @__warpcc_placeholder_use(i8* bitcast (i32* @found to i8*), i32 0), !dbg !7\n"
               "  %2 = load i32, i32* @found");
    assert_has(&text, "(i8* bitcast ([4 x float]* @scale to i8*), i32 1), !dbg !8\n  store float 2.0");
    assert_int_equal(count_of(&text, "call void @__warpcc_placeholder_use("), 2);
    assert_has(&text, "icmp ne void (i8*, i32)* @warpgrindPlaceholderUse, null");
    text_free(&text);
}

static void test_opaque_pointers(void **state) {
    (void)state;
    Text text = watched(OPAQUE);
    assert_has(&text, "  call void @__warpcc_placeholder_use(ptr @point, i32 1)\n  store volatile i32 1");
    assert_has(&text, "(ptr @point, i32 0), !dbg !9\n  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1");
    assert_has(&text, "(ptr @point, i32 1)\n  call void @llvm.memcpy.p0.p0.i64(ptr align 4 @point");
    assert_int_equal(count_of(&text, "call void @__warpcc_placeholder_use("), 3);
    assert_has(&text, "icmp ne ptr @warpgrindPlaceholderUse, null");
    text_free(&text);
}

/* No function is added that nobody calls; text that ends early is copied as it is. */
static void test_nothing_to_watch(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "\n",
                                        "  %",
                                        "  store ",
                                        "@found",
                                        "define ",
                                        "  call void @__cudaRegisterVar(",
                                        "  call void @llvm.memcpy.",
                                        "@plain = global i32 0\n  store i32 1, i32* @plain\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Text text = watched(texts[i]);
        assert_int_equal(count_of(&text, "placeholder"), 0);
        text_free(&text);
    }
}

static void test_which_sources(void **state) {
    (void)state;
    static const struct {
        const char *source;
        bool has;
    } rows[] = {{"__device__ int found;", true},
                {"__constant__ float f[3] = {1};", true},
                {"static __device__ const P points[] = {{1, 2}};", true},
                {"__device__ int f(int x) { return x; }", false},
                {"__device__ int f(int x);\n__device__ int found;", true},
                {"int x;", false},
                {"__device__", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(placeholders_expected(rows[i].source), rows[i].has);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_pointers),
        cmocka_unit_test(test_opaque_pointers),
        cmocka_unit_test(test_nothing_to_watch),
        cmocka_unit_test(test_which_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
