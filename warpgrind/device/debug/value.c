/* value.c - reading scalars, and writing values as text; see value.h. */
#include "device/debug/value.h"

#include "base/digits.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_ELEMENTS = 32,
    MOST_IN_ALL = 256,
    LEAST_EQUAL = 8,
    MOST_EQUAL = 4096,
    DEEPEST_TEXT = 8,
    MOST_LOOKED = 200000
};

#define SCALAR(kind_, name_, bytes_)                                                                         \
    { .kind = PTX_SHOWN_##kind_, .name = name_, .bytes = bytes_ }
const PtxShown value_int = SCALAR(SIGNED, "int", 4), value_unsigned = SCALAR(UNSIGNED, "unsigned int", 4),
               value_long = SCALAR(SIGNED, "long", 8), value_size = SCALAR(UNSIGNED, "unsigned long", 8),
               value_float = SCALAR(FLOAT, "float", 4), value_double = SCALAR(FLOAT, "double", 8),
               value_boolean = SCALAR(BOOLEAN, "bool", 1);

static const PtxShownMember dim_members[] = {{.name = "x", .type = &value_unsigned, .at = 0},
                                             {.name = "y", .type = &value_unsigned, .at = 4},
                                             {.name = "z", .type = &value_unsigned, .at = 8}};
const PtxShown value_dim = {
    .kind = PTX_SHOWN_STRUCTURE, .name = "uint3", .bytes = 12, .members = dim_members, .member_count = 3};

bool scene_open(Scene *scene, Arena *arena, const GpuWarp *warp, unsigned lane) {
    *scene = (Scene){.arena = arena, .warp = warp, .lane = lane};
    scene->frame_count = gpu_lane_frames(warp, lane, scene->frames, DEEPEST_CALL);
    if (scene->frame_count == 0) scene->error = "the thread has ended";
    return scene->frame_count > 0;
}

Value value_fail(Scene *scene, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (scene->error == NULL) scene->error = arena_vformat(scene->arena, format, arguments);
    va_end(arguments);
    return (Value){0};
}

bool value_is_real(const Value *value) {
    return value->type->kind == PTX_SHOWN_FLOAT;
}

/* ---- scalars ---- */

static double small_of(const uint8_t *bytes, const PtxShown *type) {
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    if (strcmp(type->name, "__nv_bfloat16") == 0) return gpu_bfloat_value(bits);
    return gpu_half_value(bits);
}

static double real_of(const uint8_t *bytes, const PtxShown *type) {
    float narrow;
    double wide;
    if (type->bytes == 2) return small_of(bytes, type);
    if (type->bytes == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

static int64_t number_of(const Value *value, uint64_t bits, unsigned width) {
    bool sign = value->type->kind == PTX_SHOWN_SIGNED;
    if (value->type->kind == PTX_SHOWN_CHARACTER) sign = value->type->name[0] != 'u';
    if (value->bits != 0) {
        bits >>= width - value->bits - value->bits_above;
        width = value->bits;
    }
    unsigned unused = 64 - width;
    if (sign) return (int64_t)(bits << unused) >> unused;
    return (int64_t)(bits << unused >> unused);
}

static bool is_scalar(const PtxShown *type) {
    bool whole = type->kind == PTX_SHOWN_ARRAY || type->kind == PTX_SHOWN_STRUCTURE;
    return !whole && type->bytes >= 1 && type->bytes <= 8;
}

static bool read_bytes(Scene *scene, uint64_t address, void *bytes, uint64_t count) {
    if (scene->was == NULL || address < scene->was_at || address + count > scene->was_at + scene->was_bytes)
        return gpu_lane_read(scene->warp, scene->lane, address, bytes, count);
    memcpy(bytes, scene->was + (address - scene->was_at), count);
    return true;
}

bool value_load(Scene *scene, const Value *value, Value *loaded) {
    uint8_t bytes[8] = {0};
    *loaded = *value;
    if (value->type == NULL) return false;
    if (!is_scalar(value->type)) {
        value_fail(scene, "that is no single value");
        return false;
    }
    if (scene->dry) *loaded = (Value){.type = value->type};
    if (!loaded->placed) return true;
    if (!read_bytes(scene, value->address, bytes, value->type->bytes)) {
        value_fail(scene, "cannot access memory at address 0x%" PRIx64, value->address);
        return false;
    }
    loaded->placed = false;
    if (value_is_real(value)) {
        loaded->real = real_of(bytes, value->type);
        return true;
    }
    uint64_t bits;
    memcpy(&bits, bytes, sizeof bits);
    loaded->number = number_of(value, bits, 8 * (unsigned)value->type->bytes);
    return true;
}

/* ---- parts ---- */

uint64_t value_part_count(const Value *value) {
    const PtxShown *type = value->type;
    if (type == NULL) return 0;
    if (type->kind == PTX_SHOWN_STRUCTURE) return type->member_count;
    if (type->of == NULL || type->of->bytes == 0) return 0;
    if (type->kind == PTX_SHOWN_ARRAY) return type->count;
    return type->kind == PTX_SHOWN_POINTER;
}

Value value_member(const Value *structure, const PtxShownMember *member, uint32_t at) {
    if (!structure->placed) {
        const uint32_t axes[] = {structure->own.x, structure->own.y, structure->own.z};
        return (Value){.type = member->type, .number = axes[at / sizeof *axes % 3]};
    }
    return (Value){.type = member->type,
                   .placed = true,
                   .address = structure->address + at,
                   .bits = member->bits,
                   .bits_above = member->bits_above};
}

Value value_part(Scene *scene, const Value *value, uint64_t i, const char **name) {
    const PtxShown *type = value->type;
    if (type->kind == PTX_SHOWN_STRUCTURE) {
        *name = type->members[i].name;
        return value_member(value, &type->members[i], type->members[i].at);
    }
    Value part = {.type = type->of, .placed = true, .address = value->address + i * type->of->bytes};
    if (type->kind == PTX_SHOWN_ARRAY) return part;
    Value loaded;
    if (!value_load(scene, value, &loaded)) return (Value){0};
    part.address = (uint64_t)loaded.number;
    return part;
}

/* ---- text ---- */

static void add_real(double real, bool narrow, Text *out) {
    char digits[DIGITS_ROOM];
    if (real != real) {
        text_add(out, "nan");
        return;
    }
    digits_write(digits, real, narrow);
    text_add(out, digits);
}

void value_type_text(const PtxShown *type, Text *out) {
    if (type == NULL) {
        text_add(out, "void");
        return;
    }
    if (type->kind == PTX_SHOWN_POINTER) {
        value_type_text(type->of, out);
        text_add(out, type->of != NULL && type->of->kind == PTX_SHOWN_POINTER ? "*" : " *");
    } else if (type->kind == PTX_SHOWN_ARRAY) {
        const PtxShown *element = type;
        while (element != NULL && element->kind == PTX_SHOWN_ARRAY)
            element = element->of;
        value_type_text(element, out);
        text_add(out, " ");
        for (; type != NULL && type->kind == PTX_SHOWN_ARRAY; type = type->of)
            text_format(out, "[%" PRIu64 "]", type->count);
    } else {
        text_add(out, type->name[0] != '\0' ? type->name : "?");
    }
}

static void add_character(int64_t number, Text *out) {
    text_format(out, "%" PRId64, number);
    if (number >= ' ' && number < 127) text_format(out, " '%c'", (int)number);
}

static void add_scalar(const Value *value, char format, Text *out) {
    uint64_t bits = (uint64_t)value->number;
    const unsigned unused = 64 - 8 * (unsigned)value->type->bytes;
    switch (value->type->kind) {
    case PTX_SHOWN_FLOAT:
        add_real(value->real, value->type->bytes < 8, out);
        return;
    case PTX_SHOWN_POINTER:
        text_format(out, "0x%" PRIx64, bits);
        return;
    case PTX_SHOWN_BOOLEAN:
        text_add(out, value->number != 0 ? "true" : "false");
        return;
    case PTX_SHOWN_CHARACTER:
        add_character(value->number, out);
        return;
    case PTX_SHOWN_SIGNED:
    case PTX_SHOWN_UNSIGNED:
    case PTX_SHOWN_OTHER:
    case PTX_SHOWN_ARRAY:
    case PTX_SHOWN_STRUCTURE:
        break;
    }
    if (format == 'x')
        text_format(out, "0x%" PRIx64, bits << unused >> unused);
    else if (value->type->kind == PTX_SHOWN_SIGNED)
        text_format(out, "%" PRId64, value->number);
    else
        text_format(out, "%" PRIu64, bits);
}

static void add_value(Scene *scene, const Value *value, char format, unsigned depth, Text *out);

static void element_text(Scene *scene, const Value *array, uint64_t i, char format, unsigned depth,
                         Text *text) {
    const PtxShown *of = array->type->of;
    const Value element = {.type = of, .placed = true, .address = array->address + i * of->bytes};
    text_clear(text);
    scene->looked++;
    add_value(scene, &element, format, depth + 1, text);
}

/** Where the element's equals end. They are not shown, so they do not count as such. */
static uint64_t equals_end(Scene *scene, const Value *array, uint64_t i, char format, unsigned depth,
                           const Text *one) {
    const uint64_t most = MIN(array->type->count, i + MOST_EQUAL);
    uint64_t end = i + 1;
    Text next = text_new();
    for (; end < most && scene->error == NULL && scene->looked <= MOST_LOOKED; end++) {
        element_text(scene, array, end, format, depth, &next);
        if (strcmp(one->bytes, next.bytes) != 0) break;
    }
    text_free(&next);
    return end;
}

/** Many that are equal are told once, as gdb does; they count as one of those that are shown. Of arrays in
 * arrays no more is looked at than a person would wait for, and no more shown than they would read. */
static void add_array(Scene *scene, const Value *value, char format, unsigned depth, Text *out) {
    uint64_t count = 0;
    if (value->type->of != NULL) count = value->type->count;
    Text one = text_new();
    text_add(out, "{");
    unsigned shown = 0;
    for (uint64_t i = 0, end; i < count && scene->error == NULL; i = end) {
        if (i > 0) text_add(out, ", ");
        if (shown++ == MOST_ELEMENTS || scene->shown >= MOST_IN_ALL || scene->looked > MOST_LOOKED) {
            text_add(out, "...");
            break;
        }
        const unsigned before = scene->shown;
        element_text(scene, value, i, format, depth, &one);
        const unsigned after = scene->shown + (value->type->of->kind != PTX_SHOWN_ARRAY);
        scene->shown = before;
        end = equals_end(scene, value, i, format, depth, &one);
        scene->shown = after;
        bool few = end - i < LEAST_EQUAL;
        if (few) end = i + 1;
        text_add(out, one.bytes);
        if (!few) text_format(out, " <repeats %" PRIu64 " times>", end - i);
    }
    text_add(out, "}");
    text_free(&one);
}

static void add_structure(Scene *scene, const Value *value, char format, unsigned depth, Text *out) {
    const PtxShown *type = value->type;
    text_add(out, "{");
    for (uint32_t i = 0; i < type->member_count && scene->error == NULL; i++) {
        const PtxShownMember *member = &type->members[i];
        const Value part = value_member(value, member, member->at);
        if (i > 0) text_add(out, ", ");
        if (member->name[0] != '\0') text_format(out, "%s = ", member->name);
        add_value(scene, &part, format, depth + 1, out);
    }
    text_add(out, "}");
}

static void add_value(Scene *scene, const Value *value, char format, unsigned depth, Text *out) {
    Value loaded;
    if (value->type == NULL || depth == DEEPEST_TEXT) {
        text_add(out, "...");
    } else if (value->type->kind == PTX_SHOWN_ARRAY) {
        add_array(scene, value, format, depth, out);
    } else if (value->type->kind == PTX_SHOWN_STRUCTURE) {
        add_structure(scene, value, format, depth, out);
    } else if (value_load(scene, value, &loaded)) {
        if (depth == 0 && loaded.type->kind == PTX_SHOWN_POINTER) {
            text_add(out, "(");
            value_type_text(loaded.type, out);
            text_add(out, ") ");
        }
        add_scalar(&loaded, format, out);
    }
}

void value_text(Scene *scene, const Value *value, char format, Text *out) {
    scene->shown = 0;
    add_value(scene, value, format, 0, out);
}
