/* test_speculation.c - of the lanes that load an element of a variable: those in which what they get may
 * matter, since an optimiser loads in all threads what the source reads in some.
 *
 * %p is true in lane 3 alone, and %q is for use; each statement loads from `s`, and what becomes of the value
 * says in which lanes it is wanted.
 */
#include "ptx_file.h"

enum { MOST_LOADS = 4 };
#define THREE (1U << 3)
#define SOME 0x0fU
#define ALL UINT32_MAX

typedef struct Case {
    const char *statement;
    unsigned loads;
    uint32_t wanted; /**< in each of the loads */
} Case;

static const Case cases[] = {
    {"ld.shared.u32 %v, [s]; st.global.u32 [%at], %v;", 1, ALL},
    {"ld.shared.u32 %v, [s]; setp.eq.u32 %q, %v, 5; @%q st.global.u32 [%at], 1;", 1, ALL},
    {"ld.shared.u32 %v, [s]; setp.ne.and.u32 %q, %v, 5, %p; @%q st.global.u32 [%at], 1;", 1, THREE},
    {"ld.shared.u32 %v, [s]; selp.u32 %v, %v, 7, %p; st.global.u32 [%at], %v;", 1, THREE},
    {"ld.shared.u32 %v, [s]; add.u32 %w, %v, 1; selp.u32 %x, %w, 7, %p; st.global.u32 [%at], %x;", 1, THREE},
    /* by an address that is always that of the variable, or not always */
    {"mov.u64 %a, s; ld.shared.u32 %v, [%a+4]; selp.u32 %v, %v, 7, %p; st.global.u32 [%at], %v;", 1, THREE},
    {"mov.u64 %b, s; add.u64 %a, %b, 4; ld.shared.u32 %v, [%a]; selp.u32 %v, %v, 7, %p; "
     "st.global.u32 [%at], %v;",
     1, THREE},
    {"mov.u64 %a, s; @%p add.u64 %a, %a, 4; ld.shared.u32 %v, [%a]; selp.u32 %v, %v, 7, %p; "
     "st.global.u32 [%at], %v;",
     1, ALL},
    /* loaded by some, so wanted by these at most */
    {"setp.lt.u32 %q, %t, 4; @%q ld.shared.u32 %v, [s]; @%q st.global.u32 [%at], %v;", 1, SOME},
    {"setp.eq.u32 %q, %t, 5; @%p ld.shared.u32 %v, [s]; selp.u32 %v, %v, 7, %q; st.global.u32 [%at], %v;", 1,
     THREE},
    {"setp.lt.u32 %q, %t, 4; @!%q bra END; ld.shared.u32 %v, [s]; selp.u32 %v, %v, 7, %p; "
     "st.global.u32 [%at], %v;",
     1, THREE},
    /* needed on one of two ways */
    {"ld.shared.u32 %v, [s]; @!%p bra END; st.global.u32 [%at], %v;", 1, THREE},
    {"ld.shared.u32 %v, [s]; brx.idx %i, WAYS; FIRST: bra END; SECOND: st.global.u32 [%at], %v;", 1, THREE},
    {"ld.shared.u32 %v, [s]; brx.idx %i, WAYS; SECOND: bra END; FIRST: st.global.u32 [%at], %v;", 1,
     ALL ^ THREE},
    {"ld.shared.u32 %v, [s]; ld.shared.u32 %w, [s+4]; add.u32 %x, %v, %w; @!%p bra END; "
     "st.global.u32 [%at], %x;",
     2, THREE},
    {"ld.shared.u32 %v, [s]; ld.shared.u32 %w, [s+4]; @!%p bra END; add.u32 %x, %v, %w; "
     "st.global.u32 [%at], %x;",
     2, THREE},
    /* a sum over rounds wants all its terms */
    {"ld.shared.u32 %v, [s]; add.u32 %v, %v, 1; selp.u32 %x, %v, 7, %p; st.global.u32 [%at], %x;", 1, ALL},
    /* after more rounds of a loop than are looked at one by one */
    {"ld.shared.u32 %v, [s]; mov.u32 %w, 0; AGAIN: add.u32 %w, %w, 1; setp.lt.u32 %q, %w, 9999; @%q bra "
     "AGAIN; "
     "st.global.u32 [%at], %v;",
     1, ALL},
    /* unless a way comes in before, by which there may be another value */
    {"ld.shared.u32 %v, [s]; AGAIN: add.u32 %v, %v, 1; selp.u32 %x, %v, 7, %p; st.global.u32 [%at], %x; "
     "setp.gt.u32 %q, %t, 99; @%q bra AGAIN;",
     1, THREE},
    {"ld.shared.u32 %v, [s]; FIRST: add.u32 %v, %v, 1; selp.u32 %x, %v, 7, %p; st.global.u32 [%at], %x; "
     "setp.lt.u32 %q, %t, 99; @%q bra END; brx.idx %i, WAYS; SECOND:",
     1, THREE},
    {"ld.shared.u32 %v, [s]; SECOND: add.u32 %v, %v, 1; selp.u32 %x, %v, 7, %p; st.global.u32 [%at], %x; "
     "setp.lt.u32 %q, %t, 99; @%q bra END; brx.idx %i, WAYS; FIRST:",
     1, THREE},
    /* ways that part at the very first instruction, where they come back */
    {"ld.shared.u32 %v, [s]; ld.shared.u32 %w, [s+4]; setp.eq.u32 %q, %w, 0; bra START; "
     "OUT: st.global.u32 [%at], %v;",
     2, ALL},
    {"ld.shared.v2.u32 {%v, %w}, [s]; @!%p bra END; st.global.u32 [%at], %w;", 1, THREE},
};

typedef struct Loads {
    unsigned count;
    uint32_t wanted[MOST_LOADS];
} Loads;

static void on_access(void *self, const GpuAccess *access) {
    Loads *loads = self;
    if (access->kind != GPU_READ || access->space != PTX_SPACE_SHARED || loads->count == MOST_LOADS) return;
    loads->wanted[loads->count++] = access->wanted;
}

static Loads loads_of(const char *statement) {
    char text[2048];
    const char *before = "";
    if (strstr(statement, "WAYS")) before = "WAYS: .branchtargets FIRST, SECOND;\n";
    if (strstr(statement, "START")) before = "START: @!%q bra OUT;\n";
    int length =
        snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b32 s[4];\n"
                 ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
                 ".reg .pred %%p, %%q;\n.reg .b32 %%t, %%i, %%v, %%w, %%x;\n.reg .b64 %%at, %%a, %%b;\n"
                 "%sld.param.u64 %%at, [out];\nmov.u32 %%t, %%laneid;\n"
                 "st.shared.u32 [s], 5;\nst.shared.u32 [s+4], 5;\n"
                 "setp.eq.u32 %%p, %%t, 3;\nselp.u32 %%i, 1, 0, %%p;\n%s\nEND:\nret;\n}\n",
                 before, statement);
    Loads loads = {0};
    GpuObserver observer = {.self = &loads, .access = on_access};
    Machine machine = machine_begin_at(0, "loads", text, (size_t)length, (GpuConfig){0}, &observer);
    assert_int_equal(machine_launch(&machine, "test", 1, GPU_WARP_LANES, 0), GPU_OK);
    machine_end(&machine);
    return loads;
}

static void test_who_wants_what_is_loaded(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Loads loads = loads_of(cases[i].statement);
        bool same = loads.count == cases[i].loads;
        for (unsigned k = 0; k < loads.count; k++)
            same = same && loads.wanted[k] == cases[i].wanted;
        if (same) continue;
        fprintf(stderr, "%s: %u loads, wanted in %08x, not in %08x\n", cases[i].statement, loads.count,
                loads.wanted[0], cases[i].wanted);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_wants_what_is_loaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
