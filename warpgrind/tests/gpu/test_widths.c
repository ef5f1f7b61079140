/* test_widths.c - registers wider than what an instruction moves or converts (PTX ISA 9.4.1).
 *
 * PTX is generated for every instruction whose row in instructions.def lets a register be wider, with every
 * type and every width of register. Each lane has a value of its own, so that reading words of 32 bits out of
 * a row of 64 shows. What a conversion gives in registers that fit is the reference for wider ones; loads and
 * stores are compared with the bytes themselves. A row that is new to those with wider registers fails
 * test_rows until it is covered here.
 */
#include "gpu/texture.h"
#include "ptx/ptx.h"
#include "ptx_file.h"

enum { LANES = 32, SLOT = 8 * LANES, MAX_SLOTS = MACHINE_OUT / SLOT };

typedef struct Type {
    const char *name;
    unsigned bytes;
    bool is_signed, is_float;
} Type;

static const Type types[] = {{"u8", 1, false, false},  {"s8", 1, true, false},   {"u16", 2, false, false},
                             {"s16", 2, true, false},  {"u32", 4, false, false}, {"s32", 4, true, false},
                             {"u64", 8, false, false}, {"s64", 8, true, false},  {"f16", 2, false, true},
                             {"f32", 4, false, true},  {"f64", 8, false, true}};
enum { TYPES = sizeof types / sizeof *types };
static const Type bit_types[] = {
    {"b8", 1, false, false}, {"b16", 2, false, false}, {"b32", 4, false, false}, {"b64", 8, false, false}};

/* Registers of a class have the class's letter. The wide ones of a float type are bits (9.4.1, tables 28,
 * 29). */
typedef struct Class {
    const char *name;
    char letter;
    unsigned bytes;
} Class;
static const Class classes[] = {{"b16", 'h', 2}, {"b32", 'r', 4}, {"b64", 'd', 8}};
enum { CLASSES = 3 };

static uint64_t value_of(unsigned lane) {
    static const uint64_t special[] = {0x8000000080808080, 0x7fffffff7f7f7f7f, 0xffffffff00000001,
                                       0x0000000100000000, 0xc0e1234540490fdb, 0x3ff00000bf800000};
    if (lane < sizeof special / sizeof *special) return special[lane];
    return UINT64_C(0x9e3779b97f4a7c15) * (lane + 1);
}

static uint64_t low(uint64_t value, unsigned bytes) {
    return bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

/** The value's low bytes as a register shows them that has `width` bytes. */
static uint64_t extended(uint64_t value, unsigned bytes, bool is_signed, unsigned width) {
    uint64_t all = low(value, bytes);
    if (is_signed && all >> (8 * bytes - 1) & 1) all |= ~low(UINT64_MAX, bytes);
    return low(all, width);
}

/* ---- a program: what it does and what each slot of its output must hold ---- */

typedef struct Slot {
    char what[80];
    int reference; /**< the slot whose value it has, -1: the lane's own value; SAME: it is a reference */
    unsigned bytes, width;
    bool is_signed;
    uint64_t around; /**< bits above the bytes, where something was stored beside others */
} Slot;
enum { SAME = -2 };

typedef struct Program {
    Text text;
    Slot slots[MAX_SLOTS];
    int count;
} Program;

static void program_begin(Program *program) {
    program->count = 0;
    text_init(&program->text);
    text_add(&program->text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 tile[1024];\n"
             ".const .align 8 .b64 table[32] = {");
    for (unsigned i = 0; i < LANES; i++)
        text_format(&program->text, "%s%llu", i ? ", " : "", (unsigned long long)value_of(i));
    text_add(&program->text,
             "};\n.visible .entry test(.param .u64 out, .param .u32 value)\n{\n"
             ".reg .b16 %h<3>;\n.reg .b32 %r<3>, %lane;\n.reg .b64 %d<5>, %out, %in, %at;\n"
             ".reg .f32 %f<3>;\n.reg .f64 %g<3>;\n.local .align 16 .b8 own[32];\n"
             "ld.param.u64 %out, [out];\nmov.u32 %lane, %laneid;\nmul.wide.u32 %at, %lane, 8;\n"
             "add.u64 %out, %out, %at;\nmov.u64 %in, table;\nadd.u64 %in, %in, %at;\n"
             "ld.const.b64 %d1, [%in];\nmov.b64 {%r1, _}, %d1;\nmov.b32 {%h1, _}, %r1;\n"
             "mov.b32 %f1, %r1;\nmov.b64 %g1, %d1;\n");
}

/** The next slot, and where it is in the kernel: [%out+...]. */
static Slot *program_slot(Program *program, unsigned bytes, bool is_signed, unsigned width, int reference) {
    assert_true(program->count < MAX_SLOTS);
    Slot *slot = &program->slots[program->count++];
    *slot = (Slot){.reference = reference, .bytes = bytes, .width = width, .is_signed = is_signed};
    return slot;
}

static unsigned program_offset(const Program *program) {
    return (unsigned)(program->count - 1) * SLOT;
}

/** Keeps register 2 of the class in the last slot. */
static void program_keep(Program *program, const Class *class) {
    text_format(&program->text, "st.global.b%u [%%out+%u], %%%c2;\n", 8 * class->bytes,
                program_offset(program), class->letter);
}

static unsigned check_slot(const Program *program, int number, const uint8_t *out, uint32_t lanes) {
    const Slot *slot = &program->slots[number];
    unsigned wrong = 0;
    for (unsigned lane = 0; lane < LANES && slot->reference != SAME; lane++) {
        uint64_t got, from = value_of(lane);
        if (!(lanes >> lane & 1)) continue;
        if (slot->reference >= 0) memcpy(&from, out + slot->reference * SLOT + lane * 8, 8);
        memcpy(&got, out + number * SLOT + lane * 8, 8);
        uint64_t want = extended(from, slot->bytes, slot->is_signed, slot->width);
        if (slot->width == slot->bytes) want |= slot->around & ~low(UINT64_MAX, slot->bytes);
        if (got != want && wrong++ < 2)
            fprintf(stderr, "%s: lane %u has %#llx, expected %#llx\n", slot->what, lane,
                    (unsigned long long)got, (unsigned long long)want);
    }
    return wrong;
}

static void program_end(Program *program, uint32_t threads, bool track) {
    text_add(&program->text, "ret;\n}\n");
    GpuConfig config = {.track_undefined = track};
    Machine machine = machine_begin("widths", program->text.bytes, config, NULL);
    assert_int_equal(machine_launch(&machine, "test", 1, threads, 0x80c0f0a5), GPU_OK);
    const uint8_t *out = gpu_memory_host(machine.gpu, machine.out->address, MACHINE_OUT);
    unsigned wrong = 0;
    uint32_t lanes = threads == LANES ? UINT32_MAX : (1u << threads) - 1;
    for (int i = 0; i < program->count; i++)
        wrong += check_slot(program, i, out, lanes);
    machine_end(&machine);
    text_free(&program->text);
    assert_int_equal(wrong, 0);
    assert_true(program->count > 0);
}

/* ---- cvt ---- */

static const char *rounding_of(const Type *to, const Type *from) {
    if (!to->is_float) return from->is_float ? ".rzi" : "";
    return from->is_float && to->bytes >= from->bytes ? "" : ".rn";
}

/** The class that is as wide as the type, or the narrowest there is. */
static unsigned own_class(const Type *type) {
    return type->bytes == 8 ? 2 : type->bytes == 4 ? 1 : 0;
}

static void add_conversion(Program *program, const Type *to, const Type *from, const char *saturate) {
    int reference = program->count;
    for (unsigned d = own_class(to); d < CLASSES; d++)
        for (unsigned s = own_class(from); s < CLASSES; s++) {
            Slot *slot = program_slot(program, to->bytes, to->is_signed, classes[d].bytes, reference);
            if (program->count == reference + 1) slot->reference = SAME;
            snprintf(slot->what, sizeof slot->what, "cvt%s%s.%s.%s %%%c2, %%%c1", rounding_of(to, from),
                     saturate, to->name, from->name, classes[d].letter, classes[s].letter);
            text_format(&program->text, "%s;\n", slot->what);
            program_keep(program, &classes[d]);
        }
}

static void convert_all(const char *saturate, uint32_t threads, bool track) {
    for (unsigned t = 0; t < TYPES; t++) {
        Program program;
        program_begin(&program);
        for (unsigned f = 0; f < TYPES; f++)
            if (t != f || !types[t].is_float) add_conversion(&program, &types[t], &types[f], saturate);
        program_end(&program, threads, track);
    }
}

static void test_conversions(void **state) {
    (void)state;
    convert_all("", LANES, false);
    convert_all("", 19, true);
    convert_all(".sat", LANES, false);
}

/** Two sources: what the pair of narrow ones gives, wide ones give too. */
static void test_packing_conversions(void **state) {
    (void)state;
    static const char *const forms[] = {"cvt.rn.f16x2.f32", "cvt.rn.bf16x2.f32", "cvt.pack.sat.s16.s32",
                                        "cvt.pack.sat.u16.s32"};
    Program program;
    program_begin(&program);
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        int reference = program.count;
        for (unsigned k = 0; k < 4; k++) {
            Slot *slot = program_slot(&program, 4, false, 4, k ? reference : SAME);
            snprintf(slot->what, sizeof slot->what, "%s %%r2, %%%c1, %%%c1", forms[i], k & 1 ? 'd' : 'r',
                     k & 2 ? 'd' : 'r');
            text_format(&program.text, "%s;\n", slot->what);
            program_keep(&program, &classes[1]);
        }
    }
    program_end(&program, LANES, false);
}

/* ---- loads ---- */

/* Where the lane's value lies: an address, and what puts it there. */
static const struct {
    const char *name, *instruction, *address, *before;
} places[] = {
    {"global", "ld.global", "%d4", "st.global.b64 [%d4], %d1;\n"},
    {"generic", "ld", "%d4", "st.b64 [%d4], %d1;\n"},
    {"uniform", "ldu.global", "%d4", "st.global.b64 [%d4], %d1;\n"},
    {"shared", "ld.shared", "%d4", "mov.u64 %d4, tile;\nadd.u64 %d4, %d4, %at;\nst.shared.b64 [%d4], %d1;\n"},
    {"constant", "ld.const", "%in", ""},
    {"frame", "ld.local", "own", "st.local.b64 [own], %d1;\n"},
    {"local", "ld.local", "%d4",
     "shr.u64 %d4, %at, 63;\nmov.u64 %d3, own;\nadd.u64 %d4, %d4, %d3;\nst.local.b64 [%d4], %d1;\n"}};

static void add_load(Program *program, unsigned place, const Type *type) {
    for (unsigned d = own_class(type); d < CLASSES; d++) {
        Slot *slot = program_slot(program, type->bytes, type->is_signed, classes[d].bytes, -1);
        snprintf(slot->what, sizeof slot->what, "%s.%s %%%c2, [%s]", places[place].instruction, type->name,
                 classes[d].letter, places[place].address);
        text_format(&program->text, "add.u64 %%d4, %%out, %u;\n%s%s;\n", program_offset(program),
                    places[place].before, slot->what);
        if (places[place].before[0] && !strstr(places[place].instruction, "shared"))
            text_format(&program->text, "st.global.b64 [%%out+%u], 0;\n", program_offset(program));
        program_keep(program, &classes[d]);
    }
}

static void test_loads(void **state) {
    (void)state;
    for (unsigned place = 0; place < sizeof places / sizeof *places; place++)
        for (unsigned track = 0; track < 2; track++) {
            Program program;
            program_begin(&program);
            for (unsigned t = 0; t < TYPES; t++)
                if (strcmp(types[t].name, "f16")) add_load(&program, place, &types[t]);
            for (unsigned t = 0; t < 4; t++)
                add_load(&program, place, &bit_types[t]);
            program_end(&program, track ? 19 : LANES, track);
        }
}

static void test_vector_loads(void **state) {
    (void)state;
    Program program;
    program_begin(&program);
    for (unsigned t = 0; t < TYPES; t++) {
        if (types[t].bytes > 4 || !strcmp(types[t].name, "f16")) continue;
        for (unsigned d = own_class(&types[t]); d < CLASSES; d++) {
            Slot *slot = program_slot(&program, types[t].bytes, types[t].is_signed, classes[d].bytes, -1);
            snprintf(slot->what, sizeof slot->what, "ld.global.v2.%s {%%%c2, _}, [%%d4]", types[t].name,
                     classes[d].letter);
            text_format(&program.text,
                        "add.u64 %%d4, %%out, %u;\nst.global.b64 [%%d4], %%d1;\n%s;\n"
                        "st.global.b64 [%%d4], 0;\n",
                        program_offset(&program), slot->what);
            program_keep(&program, &classes[d]);
        }
    }
    program_end(&program, LANES, false);
}

/** A kernel's parameter, which all lanes share. */
static void test_parameters(void **state) {
    (void)state;
    Program program;
    program_begin(&program);
    text_add(&program.text, "mov.u32 %r1, 0x80c0f0a5;\n");
    for (unsigned t = 0; t < TYPES; t++) {
        if (types[t].bytes > 4 || types[t].is_float) continue;
        int reference = program.count;
        for (unsigned d = own_class(&types[t]); d < CLASSES; d++) {
            Slot *slot =
                program_slot(&program, types[t].bytes, types[t].is_signed, classes[d].bytes, reference);
            if (program.count == reference + 1) { /* what a conversion of the same bits gives */
                text_format(&program.text, "cvt.%s.u32 %%d2, %%r1;\n", types[t].name);
                text_format(&program.text, "st.global.b64 [%%out+%u], %%d2;\n", program_offset(&program));
                slot->reference = SAME;
                slot =
                    program_slot(&program, types[t].bytes, types[t].is_signed, classes[d].bytes, reference);
            }
            snprintf(slot->what, sizeof slot->what, "ld.param.%s %%%c2, [value]", types[t].name,
                     classes[d].letter);
            text_format(&program.text, "%s;\n", slot->what);
            program_keep(&program, &classes[d]);
        }
    }
    program_end(&program, LANES, false);
}

/* ---- stores ---- */

static const struct {
    const char *instruction, *address, *before;
} targets[] = {{"st.global", "%d4", ""},
               {"st", "%d4", ""},
               {"st.shared", "%d3", "mov.u64 %d3, tile;\nadd.u64 %d3, %d3, %at;\n"},
               {"st.local", "own", ""},
               {"st.local", "%d3", "shr.u64 %d3, %at, 63;\nmov.u64 %d4, own;\nadd.u64 %d3, %d3, %d4;\n"}};

static void add_store(Program *program, unsigned target, const Type *type, const char *elements) {
    bool memory = !strcmp(targets[target].address, "%d4");
    for (unsigned s = own_class(type); s < CLASSES; s++) {
        unsigned count = *elements ? 2 : 1;
        Slot *slot = program_slot(program, type->bytes * count, false, type->bytes * count, -1);
        slot->around = UINT64_MAX;
        const char *space =
            !strncmp(targets[target].instruction, "st.", 3) ? targets[target].instruction + 2 : "";
        snprintf(slot->what, sizeof slot->what,
                 *elements ? "%s%s.%s [%s], {%%%c1, %%%c2}" : "%s%s.%s [%s], %%%c1",
                 targets[target].instruction, elements, type->name, targets[target].address,
                 classes[s].letter, classes[s].letter);
        text_format(&program->text, "add.u64 %%d4, %%out, %u;\n%s", program_offset(program),
                    targets[target].before);
        if (*elements)
            text_format(&program->text,
                        "shr.u64 %%d2, %%d1, %u;\ncvt.u16.u64 %%h2, %%d2;\ncvt.u32.u64 %%r2, %%d2;\n",
                        8 * type->bytes);
        text_format(&program->text, "st%s.b64 [%s], -1;\n%s;\n", space, targets[target].address, slot->what);
        if (!memory)
            text_format(&program->text, "ld%s.b64 %%d2, [%s];\nst.global.b64 [%%out+%u], %%d2;\n", space,
                        targets[target].address, program_offset(program));
    }
}

static void test_stores(void **state) {
    (void)state;
    for (unsigned target = 0; target < sizeof targets / sizeof *targets; target++)
        for (unsigned track = 0; track < 2; track++) {
            Program program;
            program_begin(&program);
            for (unsigned t = 0; t < TYPES; t++)
                if (strcmp(types[t].name, "f16")) add_store(&program, target, &types[t], "");
            for (unsigned t = 0; t < 4; t++)
                add_store(&program, target, &bit_types[t], "");
            for (unsigned t = 0; t < 3; t++)
                add_store(&program, target, &bit_types[t], ".v2");
            program_end(&program, track ? 19 : LANES, track);
        }
}

/* ---- surfaces ---- */

static const char surface_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry test(.param .u64 out, .param .u64 surface)\n{\n"
    ".reg .b64 %out, %t, %d<5>;\n.reg .b32 %x, %lane, %r;\n"
    "ld.param.u64 %out, [out];\nld.param.u64 %t, [surface];\nmov.u32 %lane, %laneid;\n"
    "shl.b32 %x, %lane, 2;\nmul.wide.u32 %d1, %lane, 32;\nadd.u64 %out, %out, %d1;\n"
    "mul.wide.u32 %d2, %lane, 65537;\nadd.u64 %d2, %d2, 0x7700000001;\n"
    "sust.b.1d.b32.trap [%t, {%x}], %d2;\n"
    "mov.u64 %d3, -1;\nsuld.b.1d.b32.trap %d3, [%t, {%x}];\nst.global.b64 [%out], %d3;\n"
    "mov.u64 %d3, -1;\nsuld.b.1d.b8.trap %d3, [%t, {%x}];\nst.global.b64 [%out+8], %d3;\n"
    "sured.b.add.1d.u32.trap [%t, {%x}], %d2;\nsuld.b.1d.b32.trap %d3, [%t, {%x}];\n"
    "st.global.b64 [%out+16], %d3;\n"
    "sust.p.1d.b32.trap [%t, {%lane}], %d2;\nsuld.b.1d.b32.trap %d3, [%t, {%x}];\n"
    "st.global.b64 [%out+24], %d3;\nret;\n}\n";

static void test_surfaces(void **state) {
    (void)state;
    Machine machine = machine_begin("surface", surface_ptx, (GpuConfig){.track_undefined = true}, NULL);
    const GpuAllocation *texels = gpu_memory_alloc(machine.gpu, LANES * 4, 256, GPU_ALLOC_ARRAY, 0);
    GpuTexture made = {.address = texels->address,
                       .pitch = LANES * 4,
                       .width = LANES,
                       .height = 1,
                       .depth = 1,
                       .components = 1,
                       .bits = 32,
                       .kind = GPU_TEXEL_UNSIGNED,
                       .surface = true};
    uint64_t parameters[] = {machine.out->address, gpu_texture_create(machine.gpu, &made)};
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(machine.module, "test"),
                          .grid = {1, 1, 1},
                          .block = {LANES, 1, 1},
                          .parameters = parameters};
    assert_int_equal(gpu_launch(machine.gpu, &spec), GPU_OK);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t stored = lane * 65537 + 1;
        assert_int_equal(machine_u32(&machine, lane * 8), stored);
        assert_int_equal(machine_u32(&machine, lane * 8 + 1), 0);
        assert_int_equal(machine_u32(&machine, lane * 8 + 2), stored & 0xff);
        assert_int_equal(machine_u32(&machine, lane * 8 + 3), 0);
        assert_int_equal(machine_u32(&machine, lane * 8 + 4), 2 * stored);
        assert_int_equal(machine_u32(&machine, lane * 8 + 6), stored);
    }
    machine_end(&machine);
}

/* ---- special registers ---- */

static void test_special_registers(void **state) {
    (void)state;
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
        ".reg .b64 %out, %d<3>;\n.reg .b16 %h;\n.reg .b32 %r, %lane;\n"
        "ld.param.u64 %out, [out];\nmov.u32 %lane, %laneid;\nmul.wide.u32 %d1, %lane, 16;\n"
        "add.u64 %out, %out, %d1;\nmov.u64 %d2, %gridid;\nst.global.u64 [%out], %d2;\n"
        "mov.u16 %h, %tid.x;\ncvt.u32.u16 %r, %h;\nst.global.u32 [%out+8], %r;\nret;\n}\n";
    Machine machine = machine_begin("special", text, (GpuConfig){0}, NULL);
    assert_int_equal(machine_launch(&machine, "test", 1, LANES, 0), GPU_OK);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_int_equal(machine_u32(&machine, lane * 4), 1); /* the first launch */
        assert_int_equal(machine_u32(&machine, lane * 4 + 1), 0);
        assert_int_equal(machine_u32(&machine, lane * 4 + 2), lane);
    }
    machine_end(&machine);
}

/* ---- which rows there are ---- */

static const struct {
    PtxOpcode opcode;
    const char *refused; /**< it has a letter for registers that may be wider, but they may not */
} covered[] = {{PTX_OP_cvt, NULL},
               {PTX_OP_cvt_pack, NULL},
               {PTX_OP_ld, NULL},
               {PTX_OP_ldu, NULL},
               {PTX_OP_st, NULL},
               {PTX_OP_suld, NULL},
               {PTX_OP_sust, NULL},
               {PTX_OP_sust_p, NULL},
               {PTX_OP_sured, NULL},
               {PTX_OP_tex, "tex.1d.v4.u32.s32 {%d1, %d2, %d3, %d4}, [%d1, {%r1}];"},
               {PTX_OP_tld4, "tld4.r.2d.v4.u32.f32 {%d1, %d2, %d3, %d4}, [%d1, {%f1, %f1}];"},
               {PTX_OP_atom, "atom.global.add.v2.f32 {%d1, %d2}, [%d1], {%f1, %f1};"},
               {PTX_OP_red, "red.global.add.v2.f32 [%d1], {%d1, %d2};"}};

static bool is_covered(PtxOpcode opcode) {
    for (unsigned i = 0; i < sizeof covered / sizeof *covered; i++)
        if (covered[i].opcode == opcode) return true;
    return false;
}

static void assert_refused_wide(const char *statement) {
    char text[512];
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    int length = snprintf(text, sizeof text,
                          ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry test()\n{\n"
                          ".reg .b64 %%d<5>;\n.reg .b32 %%r<3>;\n.reg .f32 %%f<3>;\n%s\nret;\n}\n",
                          statement);
    const PtxModule *module = ptx_load(arena, "wide", text, (size_t)length, &diagnostics);
    if (module && !module->functions[0]->refusal) fail_msg("%s", statement);
    arena_destroy(arena);
}

static void test_rows(void **state) {
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        if (strpbrk(ptx_opcode_info((PtxOpcode)i)->operands, "trvw") && !is_covered((PtxOpcode)i))
            fail_msg("%s may have wider registers, and is not tested with any",
                     ptx_opcode_info((PtxOpcode)i)->name);
    for (unsigned i = 0; i < sizeof covered / sizeof *covered; i++)
        if (covered[i].refused) assert_refused_wide(covered[i].refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_packing_conversions),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_vector_loads),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_special_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
