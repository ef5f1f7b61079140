/* test_indexed.c - arrays of one thread, indexed by lanes that go to places of their own: what they store and
 * load, on every processor level, which bytes are undefined, and which lanes leave the array.
 */
#include "ptx_file.h"

enum { LANES = GPU_WARP_LANES, ELEMENTS = 8, MOST_PARTS = 4 };

/** An element: what PTX calls it, and what the machine must make of it. */
typedef struct Element {
    const char *type;      /**< ".u8", ".v2.u32" */
    const char *registers; /**< of one part: "r" or "d" */
    unsigned bytes, parts;
    bool sign;
} Element;

static const Element elements[] = {
    {".u8", "r", 1, 1, false},     {".s8", "r", 1, 1, true},      {".u16", "r", 2, 1, false},
    {".s16", "r", 2, 1, true},     {".u32", "r", 4, 1, false},    {".s32", "d", 4, 1, true},
    {".u64", "d", 8, 1, false},    {".v2.u8", "r", 1, 2, false},  {".v4.u8", "r", 1, 4, false},
    {".v4.u16", "r", 2, 4, false}, {".v2.u32", "r", 4, 2, false}, {".v4.u32", "r", 4, 4, false},
    {".v2.u64", "d", 8, 2, false},
};

/** Lane l begins at element (times * l + plus) % 8. */
typedef struct Walk {
    unsigned times, plus;
    uint32_t lanes;
    bool generic, track;
    unsigned lower; /**< levels below the best */
} Walk;

static const Walk walks[] = {
    {0, 3, UINT32_MAX, false, false, 0}, {1, 0, UINT32_MAX, false, true, 0},
    {5, 1, UINT32_MAX, true, true, 1},   {3, 7, 0x5aa5c33c, false, true, 0},
    {0, 2, 0x0ff0f001, true, true, 2},   {7, 0, 0x80000000, false, false, 1},
    {3, 2, UINT32_MAX, true, false, 2},
};

static void code_begin(Text *code, const Walk *walk, unsigned step) {
    text_init(code);
    text_format(
        code,
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry test(.param .u64 out, .param .u32 n) {\n"
        ".local .align 16 .b8 before[48];\n.local .align 16 .b8 a[%u];\n"
        ".reg .b64 %%out, %%base, %%at, %%off, %%d<5>, %%mine;\n.reg .b32 %%more, %%lane, %%t, %%i, %%first, "
        "%%round, "
        "%%r<5>;\n"
        ".reg .pred %%p;\nld.param.u64 %%out, [out];\nmov.u32 %%lane, %%laneid;\n"
        "shr.u32 %%t, %u, %%lane;\nand.b32 %%t, %%t, 1;\nsetp.eq.u32 %%p, %%t, 0;\n@%%p bra END;\n"
        "mov.u64 %%base, a;\n%smad.lo.u32 %%first, %%lane, %u, %u;\n"
        "mul.wide.u32 %%mine, %%lane, 32;\nadd.u64 %%mine, %%mine, %%out;\n"
        "mov.u32 %%round, 0;\nROUND:\n",
        ELEMENTS * step, walk->lanes, walk->generic ? "cvta.local.u64 %base, %base;\n" : "", walk->times,
        walk->plus);
}

/** The address of element first + %more, in %at; its number in %i. */
static void code_address(Text *code, unsigned step) {
    text_format(code,
                "add.u32 %%i, %%first, %%more;\nand.b32 %%i, %%i, 7;\nmul.wide.u32 %%off, %%i, %u;\n"
                "add.u64 %%at, %%base, %%off;\n",
                step);
}

static void code_move(Text *code, const Element *element, bool generic, bool stores) {
    const char *space = generic ? "" : ".local", *r = element->registers;
    text_format(code, "%s%s%s ", stores ? "st" : "ld", space, element->type);
    if (stores) text_format(code, "[%%at], ");
    text_format(code, "%s", element->parts > 1 ? "{" : "");
    for (unsigned k = 0; k < element->parts; k++)
        text_format(code, "%s%%%s%u", k ? ", " : "", r, k);
    text_format(code, "%s", element->parts > 1 ? "}" : "");
    text_format(code, "%s", stores ? ";\n" : ", [%at];\n");
}

/** What lane l puts into part k of element i. */
static uint64_t value_of(unsigned lane, unsigned i, unsigned k) {
    return (lane * 1000003u + i * 40503u + k * 0x9e3779b9u) * UINT64_C(0x10001000100010f1);
}

static void code_values(Text *code, const Element *element) {
    for (unsigned k = 0; k < element->parts; k++)
        text_format(
            code,
            "mul.lo.u32 %%t, %%lane, 1000003;\nmad.lo.u32 %%t, %%i, 40503, %%t;\nadd.u32 %%t, %%t, %u;\n"
            "cvt.u64.u32 %%off, %%t;\nmul.lo.u64 %%off, %%off, 0x10001000100010f1;\n%s.u64 %%%s%u, %%off;\n",
            k * 0x9e3779b9u, element->registers[0] == 'd' ? "mov" : "cvt.u32", element->registers, k);
}

/** Each part is looked at by a branch, so that an undefined one is told, and goes to the output. All is done
 * twice: the second time an instruction knows that it goes to local memory. */
static void code_end(Text *code, const Element *element) {
    const unsigned bits = element->registers[0] == 'd' ? 64 : 32;
    for (unsigned k = 0; k < element->parts; k++)
        text_format(
            code,
            "setp.eq.u%u %%p, %%%s%u, 1;\n@%%p bra NEXT%u;\nNEXT%u:\nst.global.b%u [%%mine+%u], %%%s%u;\n",
            bits, element->registers, k, k, k, bits, 8 * k, element->registers, k);
    text_format(code, "add.u32 %%round, %%round, 1;\nsetp.lt.u32 %%p, %%round, 2;\n@%%p bra ROUND;\n"
                      "END:\nret;\n}\n");
}

static uint64_t plain_value(const Element *element, unsigned lane, unsigned i, unsigned k) {
    const unsigned unused = 64 - 8 * element->bytes;
    uint64_t value = value_of(lane, i, k) << unused;
    value = element->sign ? (uint64_t)((int64_t)value >> unused) : value >> unused;
    return element->registers[0] == 'd' ? value : (uint32_t)value;
}

static void on_fault(void *self, const GpuFault *fault) {
    uint32_t *lanes = self;
    if (!lanes) fail_msg("fault of kind %d", (int)fault->kind);
    *lanes |= fault->lanes;
}

static void on_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                   uint32_t origin) {
    uint32_t *seen = self;
    (void)warp, (void)pc, (void)origin;
    assert_int_equal(use, GPU_UNDEFINED_BRANCH);
    if (!seen) fail_msg("lanes %x are undefined", lanes);
    *seen |= lanes;
}

static Machine run(Text *code, const Walk *walk, const GpuObserver *observer) {
    const GpuConfig config = {.track_undefined = walk->track};
    Machine machine = machine_begin_at(walk->lower, "indexed", code->bytes, code->length, config, observer);
    assert_int_equal(machine_launch(&machine, "test", 1, LANES, 0), GPU_OK);
    text_free(code);
    return machine;
}

static void check_values(const Machine *machine, const Element *element, const Walk *walk) {
    const uint8_t *out = gpu_memory_host(machine->gpu, machine->out->address, MACHINE_OUT);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned k = 0; k < element->parts; k++) {
            const unsigned i = (walk->times * lane + walk->plus + 1) % ELEMENTS;
            uint64_t got, wanted = walk->lanes >> lane & 1 ? plain_value(element, lane, i, k) : 0;
            memcpy(&got, out + 32 * lane + 8 * k, sizeof got);
            if (got != wanted)
                fail_msg("%s, lanes %x, walk %u: lane %u part %u is %#llx, expected %#llx", element->type,
                         walk->lanes, walk->times, lane, k, (unsigned long long)got,
                         (unsigned long long)wanted);
        }
}

/** Stores all elements but the hole, each lane in its own order, and reads the second one. */
static Text code_of(const Element *element, const Walk *walk, unsigned hole) {
    const unsigned step = element->bytes * element->parts;
    Text code;
    code_begin(&code, walk, step);
    text_format(&code, "mov.u32 %%more, 0;\nMORE:\n");
    code_address(&code, step);
    code_values(&code, element);
    text_format(&code, "setp.eq.u32 %%p, %%i, %u;\n@%%p bra OVER;\n", hole);
    code_move(&code, element, walk->generic, true);
    text_format(&code, "OVER:\nadd.u32 %%more, %%more, 1;\nsetp.lt.u32 %%p, %%more, %u;\n@%%p bra MORE;\n",
                ELEMENTS);
    text_format(&code, "mov.u32 %%more, 1;\n");
    code_address(&code, step);
    code_move(&code, element, walk->generic, false);
    code_end(&code, element);
    return code;
}

static void test_every_element(void **state) {
    (void)state;
    const GpuObserver observer = {.fault = on_fault, .undefined_use = on_use};
    for (unsigned e = 0; e < sizeof elements / sizeof *elements; e++)
        for (unsigned w = 0; w < sizeof walks / sizeof *walks; w++) {
            Text code = code_of(&elements[e], &walks[w], ELEMENTS);
            Machine machine = run(&code, &walks[w], &observer);
            check_values(&machine, &elements[e], &walks[w]);
            machine_end(&machine);
        }
}

/** The lanes that read the element that nobody stores, and no others, read what is undefined. */
static void test_a_hole(void **state) {
    enum { HOLE = 2 };
    (void)state;
    uint32_t seen;
    const GpuObserver observer = {.self = &seen, .undefined_use = on_use};
    for (unsigned e = 0; e < sizeof elements / sizeof *elements; e++)
        for (unsigned w = 0; w < sizeof walks / sizeof *walks; w++) {
            Walk walk = walks[w];
            uint32_t wanted = 0;
            walk.track = true;
            seen = 0;
            Text code = code_of(&elements[e], &walk, HOLE);
            for (unsigned lane = 0; lane < LANES; lane++)
                wanted |= (uint32_t)((walk.times * lane + walk.plus + 1) % ELEMENTS == HOLE) << lane;
            Machine machine = run(&code, &walk, &observer);
            assert_int_equal(seen, wanted & walk.lanes);
            machine_end(&machine);
        }
}

/** The same load goes round twice; the second time lanes 5 and 9 are past the frame. */
static void test_lanes_leave(void **state) {
    (void)state;
    uint32_t lanes = 0;
    const GpuObserver observer = {.self = &lanes, .fault = on_fault};
    const Walk walk = {.times = 1, .lanes = UINT32_MAX};
    Text code;
    code_begin(&code, &walk, 4);
    text_format(&code, "mov.u32 %%r1, 0;\nAGAIN:\nshr.u32 %%t, 0x220, %%lane;\nand.b32 %%t, %%t, %%r1;\n"
                       "and.b32 %%i, %%first, 7;\nmad.lo.u32 %%i, %%t, 8, %%i;\nmul.wide.u32 %%off, %%i, 4;\n"
                       "add.u64 %%at, %%base, %%off;\nst.local.u32 [%%at], 7;\nld.local.u32 %%r0, [%%at];\n"
                       "add.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p, %%r1, 2;\n@%%p bra AGAIN;\n");
    code_end(&code, &elements[4]);
    Machine machine = run(&code, &walk, &observer);
    assert_int_equal(lanes, 0x220);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(machine_u32(&machine, 8 * lane) == 7, !(0x220 >> lane & 1));
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_element),
        cmocka_unit_test(test_a_hole),
        cmocka_unit_test(test_lanes_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
