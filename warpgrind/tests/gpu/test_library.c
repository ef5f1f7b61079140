/* test_library.c - device maths: every row of library.def against a value known from elsewhere (long double
 * libm, or published constants), in both precisions, on some lanes only.
 */
#include "gpu/alu/library.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

typedef struct Sample {
    const char *name; /* of the row; the double function unless it is float only */
    double arguments[4];
    long double want;
} Sample;

/* All arguments are exact in single precision too. */
#define SAMPLES                                                                                              \
    {"acos", {0.5}, acosl(0.5L)}, {"acosh", {1.5}, acoshl(1.5L)}, {"asin", {0.5}, asinl(0.5L)},              \
        {"asinh", {0.75}, asinhl(0.75L)}, {"atan", {0.75}, atanl(0.75L)}, {"atanh", {0.75}, atanhl(0.75L)},  \
        {"cbrt", {-27}, -3}, {"ceil", {-1.5}, -1}, {"cos", {0.75}, cosl(0.75L)},                             \
        {"cosh", {0.75}, coshl(0.75L)}, {"cospi", {100000.25}, 0.70710678118654752440L},                     \
        {"cyl_bessel_i0", {1}, 1.26606587775200833560L}, {"cyl_bessel_i1", {1}, 0.56515910399248502721L},    \
        {"erf", {0.75}, erfl(0.75L)}, {"erfc", {0.75}, erfcl(0.75L)},                                        \
        {"erfcinv", {0.5}, 0.47693627620446987338L}, {"erfcx", {10}, 0.05614099274382258586L},               \
        {"erfinv", {0.5}, 0.47693627620446987338L}, {"exp", {0.75}, expl(0.75L)}, {"exp10", {3}, 1000},      \
        {"exp2", {0.5}, 1.41421356237309504880L}, {"expm1", {0.0009765625}, expm1l(0.0009765625L)},          \
        {"fabs", {-2.5}, 2.5}, {"floor", {-1.5}, -2}, {"j0", {1}, 0.76519768655796655145L},                  \
        {"j1", {1}, 0.44005058574493351596L}, {"lgamma", {5}, 3.17805383034794561965L},                      \
        {"log", {10}, 2.30258509299404568402L}, {"log10", {1000}, 3}, {"log1p", {0.5}, log1pl(0.5L)},        \
        {"log2", {8}, 3}, {"logb", {10}, 3}, {"nearbyint", {2.5}, 2}, {"normcdf", {0}, 0.5},                 \
        {"normcdfinv", {0.75}, 0.67448975019608174320L}, {"rcbrt", {8}, 0.5}, {"rint", {3.5}, 4},            \
        {"round", {2.5}, 3}, {"rsqrt", {4}, 0.5}, {"sin", {0.75}, sinl(0.75L)},                              \
        {"sinh", {0.75}, sinhl(0.75L)}, {"sinpi", {-1.25}, 0.70710678118654752440L}, {"sqrt", {2.25}, 1.5},  \
        {"tan", {0.75}, tanl(0.75L)}, {"tanh", {0.75}, tanhl(0.75L)}, {"tanpi", {0.25}, 1},                  \
        {"tgamma", {5}, 24}, {"trunc", {-1.5}, -1}, {"y0", {1}, 0.08825696421567695798L},                    \
        {"y1", {1}, -0.78121282130028871655L}, {"atan2", {1, -1}, 2.35619449019234492885L},                  \
        {"copysign", {2, -1}, -2}, {"fdim", {3, 1}, 2}, {"fmax", {1, 2}, 2}, {"fmin", {1, 2}, 1},            \
        {"fmod", {7.5, 2}, 1.5}, {"hypot", {3, 4}, 5}, {"nextafter", {1, 1}, 1},                             \
        {"pow", {2, 0.5}, 1.41421356237309504880L}, {"remainder", {7.5, 2}, -0.5}, {"rhypot", {3, 4}, 0.2L}, \
        {"fma", {2, 3, 4}, 10}, {"norm3d", {2, 3, 6}, 7}, {"rnorm3d", {2, 3, 6}, 1 / 7.0L},                  \
        {"norm4d", {2, 4, 5, 6}, 9}, {"rnorm4d", {2, 4, 5, 6}, 1 / 9.0L}, {"ldexp", {0.75, 3}, 6},           \
        {"scalbn", {0.75, -1}, 0.375}, {"powi", {1.5, 3}, 3.375}, {"jn", {2, 1}, 0.11490348493190048047L},   \
        {"yn", {2, 1}, -1.65068260681625439107L}, {"ilogb", {10}, 3}, {"lrint", {2.5}, 2},                   \
        {"llrint", {-3.5}, -4}, {"lround", {2.5}, 3}, {"llround", {-2.5}, -3},                               \
        {"remquo_quotient", {7, 2}, 4}, {"cosf", {0.75}, cosl(0.75L)}, {"exp10f", {2}, 100},                 \
        {"expf", {0.75}, expl(0.75L)}, {"log10f", {100}, 2}, {"log2f", {8}, 3},                              \
        {"logf", {10}, 2.30258509299404568402L}, {"sinf", {0.75}, sinl(0.75L)},                              \
        {"tanf", {0.75}, tanl(0.75L)}, {"fdividef", {1, 3}, 1 / 3.0L}, {                                     \
        "powf", {2, 0.5}, 1.41421356237309504880L                                                            \
    }

static void slot_set(uint64_t *slot, PtxType type, double value) {
    float narrow = (float)value;
    int32_t whole = (int32_t)value;
    *slot = 0;
    if (type == PTX_F64)
        memcpy(slot, &value, sizeof value);
    else if (type == PTX_F32)
        memcpy(slot, &narrow, sizeof narrow);
    else if (type == PTX_S32)
        memcpy(slot, &whole, sizeof whole);
    else
        fail_msg("argument type %d", (int)type);
}

static long double slot_get(const uint64_t *slot, PtxType type) {
    double wide;
    float narrow;
    memcpy(&wide, slot, sizeof wide);
    memcpy(&narrow, slot, sizeof narrow);
    if (type == PTX_F64) return wide;
    if (type == PTX_F32) return narrow;
    if (type == PTX_S32) return (int32_t)*slot;
    if (type == PTX_S64) return (long double)(int64_t)*slot;
    fail_msg("result type %d", (int)type);
    return 0;
}

static const uint32_t LANES = 0x80000021;
enum { UNTOUCHED = 0x5A };

static void check_call(const GpuLibraryEntry *entry, const Sample *sample, long double tolerance) {
    uint64_t arguments[GPU_LIBRARY_MAX_ARGUMENTS][GPU_WARP_LANES], result[GPU_WARP_LANES];
    GpuLibraryCall call = {.lanes = LANES, .result = result};
    for (unsigned i = 0; i < entry->argument_count; i++) {
        for (int lane = 0; lane < GPU_WARP_LANES; lane++)
            slot_set(&arguments[i][lane], entry->arguments[i], sample->arguments[i]);
        call.arguments[i] = arguments[i];
    }
    for (int lane = 0; lane < GPU_WARP_LANES; lane++)
        result[lane] = UNTOUCHED;
    entry->function(&call);
    for (int lane = 0; lane < GPU_WARP_LANES; lane++) {
        if (!(LANES >> lane & 1)) {
            assert_int_equal(result[lane], UNTOUCHED);
            continue;
        }
        long double got = slot_get(&result[lane], entry->result);
        if (!(fabsl(got - sample->want) <= tolerance * fmaxl(1, fabsl(sample->want))))
            fail_msg("%s: got %.20Lg, want %.20Lg", entry->name, got, sample->want);
    }
}

static Sample sample_find(const char *name) {
    const Sample samples[] = {SAMPLES};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        if (strcmp(samples[i].name, name) == 0) return samples[i];
    fail_msg("no sample for the row %s", name);
    return (Sample){0};
}

static const GpuLibraryEntry *entry_find(const char *prefix, const char *name, const char *suffix) {
    char full[64];
    snprintf(full, sizeof full, "%s%s%s", prefix, name, suffix);
    const GpuLibraryEntry *entry = gpu_library_find(full);
    if (!entry) fail_msg("%s is not in the table", full);
    assert_string_equal(entry->name, full);
    assert_int_equal(entry->service, GPU_LIBRARY_PURE);
    return entry;
}

/** A result that is forced is the true one, rounded: half a unit at most from the sample. */
static void check_forced(const GpuLibraryEntry *entry, const Sample *sample) {
    if (entry->ulp == 0) check_call(entry, sample, entry->result == PTX_F64 ? 0x1p-53L : 0x1p-24L);
}

static void check_row(const char *name, int ulp64, int ulp32) {
    const Sample sample = sample_find(name);
    assert_int_equal(entry_find("", name, "")->ulp, ulp64);
    assert_int_equal(entry_find("__nv_", name, "f")->ulp, ulp32);
    check_forced(entry_find("", name, ""), &sample);
    check_forced(entry_find("", name, "f"), &sample);
    check_call(entry_find("", name, ""), &sample, 1e-13L);
    check_call(entry_find("__nv_", name, ""), &sample, 1e-13L);
    check_call(entry_find("", name, "f"), &sample, 4e-7L);
    check_call(entry_find("__nv_", name, "f"), &sample, 4e-7L);
}

static void check_fast(const char *name, int ulp) {
    const Sample sample = sample_find(name);
    assert_int_equal(entry_find("__nv_fast_", name, "")->ulp, ulp);
    check_call(entry_find("__", name, ""), &sample, 4e-7L);
    check_call(entry_find("__nv_fast_", name, ""), &sample, 4e-7L);
}

static void test_every_row_computes_what_it_says(void **state) {
    (void)state;
#define ROW(name, ulp64, ulp32, f64, f32) check_row(#name, ulp64, ulp32);
#define MATH1 ROW
#define MATH2 ROW
#define MATH3 ROW
#define MATH4 ROW
#define MATH_X_INT ROW
#define MATH_INT_X ROW
#define MATH_TO_INT ROW
#define MATH_TO_LONG ROW
#define MATH2_TO_INT ROW
#define FAST1(name, ulp, f32) check_fast(#name, ulp);
#define FAST2(name, ulp, f32) check_fast(#name, ulp);
#include "gpu/alu/library.def"
#undef ROW
}

static double call_one(const char *name, double x) {
    uint64_t argument[GPU_WARP_LANES] = {0}, result[GPU_WARP_LANES] = {0};
    const GpuLibraryEntry *entry = gpu_library_find(name);
    assert_non_null(entry);
    memcpy(argument, &x, sizeof x);
    GpuLibraryCall call = {.lanes = 1, .arguments = {argument}, .result = result};
    entry->function(&call);
    double value;
    memcpy(&value, result, sizeof value);
    return value;
}

static void check_near(const char *name, double x, double want) {
    double got = call_one(name, x);
    if (!(fabs(got - want) <= 2e-13 * fabs(want)))
        fail_msg("%s(%.17g): got %.17g, want %.17g", name, x, got, want);
}

static void test_special_functions_over_their_range(void **state) {
    (void)state;
    check_near("erfinv", 1e-10, 8.862269254527580e-11);
    check_near("erfinv", -0.999, -2.326753765513525);
    check_near("erfcinv", 1e-100, 15.065574702592646);
    check_near("erfcinv", 1.5, -0.47693627620446987);
    check_near("normcdfinv", 0.975, 1.959963984540054);
    check_near("erfcx", 0.5, 0.6156903441929259);
    check_near("erfcx", 1e10, 5.641895835477563e-11);
    check_near("cyl_bessel_i0", 60, 5.8940770556098012e24); /* the asymptotic branch */
    check_near("cyl_bessel_i1", -2, -1.590636854637329);
    for (double y = -3; y < 5; y += 0.25)
        check_near("erfcinv", erfc(y), y == 0 ? 0 : y);
}

static void test_special_functions_at_their_ends(void **state) {
    (void)state;
    assert_true(isinf(call_one("erfinv", 1)));
    assert_true(isnan(call_one("erfinv", 1.5)));
    assert_true(isinf(call_one("erfcinv", 0)));
    assert_true(isnan(call_one("erfcinv", -1)));
    assert_true(isnan(call_one("cyl_bessel_i0", NAN)));
    assert_true(call_one("sinpi", 1e15) == 0.0);
    assert_true(call_one("sinpi", 2.5) == 1.0);
    assert_true(call_one("cospi", 0.5) == 0.0);
    assert_true(call_one("cospi", 3) == -1.0);
}

static uint64_t fast_bits(const char *name, float x, float y) {
    uint64_t arguments[2][GPU_WARP_LANES] = {{0}}, result[GPU_WARP_LANES];
    GpuLibraryCall call = {.lanes = 1, .arguments = {arguments[0], arguments[1]}, .result = result};
    memcpy(arguments[0], &x, sizeof x);
    memcpy(arguments[1], &y, sizeof y);
    const GpuLibraryEntry *entry = gpu_library_find(name);
    assert_non_null(entry);
    entry->function(&call);
    return result[0];
}

/** The fast functions are made of the card's fast operations, and are wrong where those are. */
static void test_fast_functions_at_their_ends(void **state) {
    (void)state;
    const uint64_t nan = 0x7fffffff, four = 0x40800000, one = 0x3f800000;
    assert_int_equal(fast_bits("__powf", 2, 2), four);
    assert_int_equal(fast_bits("__powf", -2, 2), nan);
    assert_int_equal(fast_bits("__powf", 0, 0), nan);
    assert_int_equal(fast_bits("powf", -2, 2), four);
    assert_int_equal(fast_bits("powf", 0, 0), one);
    assert_int_equal(fast_bits("__fdividef", 1, 0x1p127F), 0);
    assert_int_equal(fast_bits("__fdividef", -1, 0x1p127F), 0x80000000);
    assert_int_equal(fast_bits("__fdividef", INFINITY, 0x1p127F), nan);
    assert_int_equal(fast_bits("__fdividef", 0x1p100F, 0x1p126F), 0x32800000);
    assert_int_equal(fast_bits("__fdividef", 0x1p-130F, 0x1p-132F), four);
}

static void test_services_and_strangers(void **state) {
    (void)state;
    const GpuLibraryEntry *print = gpu_library_find("vprintf");
    assert_non_null(print);
    assert_int_equal(print->service, GPU_LIBRARY_VPRINTF);
    assert_int_equal(print->argument_count, 2);
    assert_int_equal(gpu_library_find("__assertfail")->argument_count, 5);
    assert_int_equal(gpu_library_find("malloc")->service, GPU_LIBRARY_MALLOC);
    assert_int_equal(gpu_library_find("free")->result, PTX_NONE);
    assert_null(gpu_library_find("system"));
    assert_null(gpu_library_find(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_computes_what_it_says),
        cmocka_unit_test(test_special_functions_over_their_range),
        cmocka_unit_test(test_special_functions_at_their_ends),
        cmocka_unit_test(test_fast_functions_at_their_ends),
        cmocka_unit_test(test_services_and_strangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
