/* picture_values.c - the values of accesses, as rows; see picture_values.h. */
#include "device/record/picture_values.h"

#include "base/digits.h"
#include "base/json.h"
#include "gpu/inspect.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void picture_add_word(Text *out, const char *word) {
    struct json_object *object = json_new_visible(text_or(word, ""));
    text_add(out,
             json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

/* ---- rows ---- */

void picture_row_add_number(PictureRow *row, int64_t number) {
    if (row->count == 0) row->whole = true;
    row->number[row->count] = number;
    snprintf(row->text[row->count], sizeof row->text[0], "%" PRId64, number);
    row->count++;
}

/** Words stand in quotes; they are ours, but for what a character is. */
static void add_word(PictureRow *row, const char *word) {
    char *text = row->text[row->count++];
    size_t length = 0;
    row->whole = false;
    text[length++] = '"';
    for (; *word != '\0' && length + 3 < sizeof row->text[0]; word++) {
        if (*word == '"' || *word == '\\') text[length++] = '\\';
        text[length++] = *word;
    }
    text[length++] = '"';
    text[length] = '\0';
}

static bool is_even(const PictureRow *row) {
    if (!row->whole || row->count < 3) return false;
    const uint64_t step = (uint64_t)row->number[1] - (uint64_t)row->number[0];
    for (unsigned i = 2; i < row->count; i++)
        if ((uint64_t)row->number[i] - (uint64_t)row->number[i - 1] != step) return false;
    return true;
}

static bool is_one(const PictureRow *row) {
    for (unsigned i = 1; i < row->count; i++)
        if (strcmp(row->text[i], row->text[0]) != 0) return false;
    return true;
}

void picture_row_write(const PictureRow *row, Text *out) {
    const bool one = is_one(row);
    if (!one && is_even(row)) {
        text_format(out, ",%s,%" PRId64, row->text[0], row->number[1] - row->number[0]);
        return;
    }
    for (unsigned i = 0; i < row->count && !(one && i > 0); i++)
        text_format(out, ",%s", row->text[i]);
}

void picture_row_write_list(const PictureRow *row, Text *out) {
    Text list = text_new();
    picture_row_write(row, &list);
    text_format(out, "[%s]", list.length > 0 ? list.bytes + 1 : "");
    text_free(&list);
}

/* ---- what elements are ---- */

static PictureKind kind_of_shown(const PtxShown *shown) {
    while (shown->kind == PTX_SHOWN_ARRAY && shown->of != NULL)
        shown = shown->of;
    switch (shown->kind) {
    case PTX_SHOWN_SIGNED:
        return PICTURE_SIGNED;
    case PTX_SHOWN_UNSIGNED:
    case PTX_SHOWN_BOOLEAN:
    case PTX_SHOWN_POINTER:
        return PICTURE_UNSIGNED;
    case PTX_SHOWN_CHARACTER:
        if (shown->name[0] == 'u') return PICTURE_UNSIGNED;
        return PICTURE_SIGNED;
    case PTX_SHOWN_FLOAT:
        if (shown->bytes > 2) return PICTURE_REAL;
        if (strcmp(shown->name, "__half") == 0) return PICTURE_HALF;
        return PICTURE_NO_KIND;
    case PTX_SHOWN_STRUCTURE:
    case PTX_SHOWN_OTHER:
    case PTX_SHOWN_ARRAY:
        return PICTURE_NO_KIND;
    }
    return PICTURE_NO_KIND;
}

/** PTX does not tell int from unsigned in loads and stores: where nothing else does, numbers have a sign. */
static PictureKind kind_of_type(PtxType type) {
    if (type == PTX_F32 || type == PTX_F64) return PICTURE_REAL;
    if (type == PTX_F16) return PICTURE_HALF;
    return PICTURE_SIGNED;
}

PictureKind picture_kind_of_member(const PtxInstruction *instruction) {
    return kind_of_type(instruction->type);
}

/** The declaration of an array of that name. */
static const PtxShown *declared(const PtxVariable *variables, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (variables[i].shown != NULL && strcmp(variables[i].plain_name, name) == 0)
            return variables[i].shown;
    return NULL;
}

PictureKind picture_kind(const GpuAccess *access, const PtxInstruction *instruction,
                         const CheckArray *array) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(access->warp));
    const PtxFunction *kernel = gpu_kernel_function(launch->spec.kernel);
    const PtxModule *module = gpu_warp_module(access->warp);
    const PtxShown *shown = NULL;
    if (array->name != NULL && kernel != NULL) {
        shown = declared(kernel->parameters, kernel->parameter_count, array->name);
        if (shown != NULL && shown->kind == PTX_SHOWN_POINTER) shown = shown->of;
        if (shown == NULL) shown = declared(kernel->variables, kernel->variable_count, array->name);
        if (shown == NULL) shown = declared(module->variables, module->variable_count, array->name);
    }
    if (shown != NULL && !(shown->kind == PTX_SHOWN_ARRAY && shown->count == 0)) return kind_of_shown(shown);
    if (instruction != NULL) return kind_of_type(instruction->type);
    return PICTURE_NO_KIND;
}

/* ---- bytes as values ---- */

static void add_real(PictureRow *row, double value, bool narrow) {
    if (isnan(value)) {
        add_word(row, "nan");
        return;
    }
    if (isinf(value)) {
        add_word(row, value < 0 ? "-inf" : "inf");
        return;
    }
    row->whole = false;
    digits_write(row->text[row->count++], value, narrow);
}

/** Beyond 2^53 a reader of JSON would lose digits. */
static void add_integer(PictureRow *row, int64_t value, bool is_unsigned) {
    const int64_t most = INT64_C(1) << 53;
    char word[24];
    if (value >= -most && value <= most) {
        const bool whole = row->count == 0 || row->whole;
        picture_row_add_number(row, value);
        row->whole = whole;
        return;
    }
    snprintf(word, sizeof word, is_unsigned ? "%" PRIu64 : "%" PRId64, value);
    add_word(row, word);
}

void picture_row_add_text(PictureRow *row, const char *text) {
    char *end;
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (*end == '\0' && errno == 0) {
        add_integer(row, whole, false);
        return;
    }
    const double real = strtod(text, &end);
    if (*end != '\0' || !isfinite(real)) {
        add_word(row, text);
        return;
    }
    snprintf(row->text[row->count++], sizeof row->text[0], "%s", text);
    row->whole = false;
}

static void add_scalar(PictureRow *row, const uint8_t *bytes, unsigned count, PictureKind kind) {
    uint64_t bits = 0;
    float narrow;
    double wide;
    memcpy(&bits, bytes, count);
    if (kind == PICTURE_HALF) {
        add_real(row, gpu_half_value((uint16_t)bits), true);
    } else if (kind == PICTURE_REAL && count == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        add_real(row, (double)narrow, true);
    } else if (kind == PICTURE_REAL) {
        memcpy(&wide, bytes, sizeof wide);
        add_real(row, wide, false);
    } else {
        const unsigned unused = 64 - 8 * count;
        const int64_t extended = (int64_t)(bits << unused) >> unused;
        add_integer(row, kind == PICTURE_SIGNED ? extended : (int64_t)bits, kind == PICTURE_UNSIGNED);
    }
}

/** Elements next to each other, which one lane has at once, are one word with spaces. */
static void add_bytes(PictureRow *row, const uint8_t *bytes, unsigned count, unsigned element_bytes,
                      PictureKind kind) {
    if (count == element_bytes) {
        add_scalar(row, bytes, count, kind);
        return;
    }
    PictureRow parts = {0};
    char word[80];
    size_t length = 0;
    for (unsigned at = 0; at < count; at += element_bytes)
        add_scalar(&parts, bytes + at, element_bytes, kind);
    for (unsigned i = 0; i < parts.count; i++) {
        const char *text = parts.text[i];
        const bool quoted = text[0] == '"';
        const int written = snprintf(word + length, sizeof word - length, "%s%.*s", i > 0 ? " " : "",
                                     (int)(strlen(text) - 2 * quoted), text + quoted);
        if (written < 0 || length + (size_t)written >= sizeof word) break;
        length += (size_t)written;
    }
    add_word(row, word);
}

static bool can_be_read(const GpuAccess *access, PictureKind kind, unsigned element_bytes) {
    const bool size = element_bytes == 1 || element_bytes == 2 || element_bytes == 4 || element_bytes == 8;
    bool fits;
    if (kind == PICTURE_REAL)
        fits = element_bytes >= 4;
    else
        fits = kind != PICTURE_HALF || element_bytes == 2;
    return kind != PICTURE_NO_KIND && size && fits && access->bytes % element_bytes == 0 &&
           access->bytes / element_bytes <= 8;
}

/** What lies in memory for a lane; false: it cannot be had. */
static bool read_lane(const GpuAccess *access, unsigned lane, uint8_t bytes[16]) {
    if (access->space != PTX_SPACE_SHARED)
        return gpu_lane_read(access->warp, lane, access->address[lane], bytes, access->bytes);
    const uint64_t first = access->address[check_first_lane(access->lanes)];
    memcpy(bytes, access->memory + (int64_t)(access->address[lane] - first), access->bytes);
    return true;
}

static void add_row(Text *out, const GpuAccess *access, PictureKind kind, unsigned element_bytes,
                    const uint8_t *given, uint32_t undefined) {
    PictureRow row = {0};
    bool known = can_be_read(access, kind, element_bytes);
    for (unsigned lane = 0; known && lane < GPU_WARP_LANES; lane++) {
        uint8_t bytes[16];
        if ((access->lanes >> lane & 1) == 0) continue;
        if (given != NULL)
            memcpy(bytes, given + (size_t)lane * access->bytes, access->bytes);
        else
            known = read_lane(access, lane, bytes);
        if (undefined >> lane & 1)
            add_word(&row, "?");
        else
            add_bytes(&row, bytes, access->bytes, element_bytes, kind);
    }
    if (!known) row.count = 0;
    picture_row_write_list(&row, out);
}

void picture_add_values(Text *out, const GpuAccess *access, PictureKind kind, unsigned element_bytes) {
    const uint8_t *given = NULL;
    if (access->kind == GPU_WRITE) given = access->values;
    add_row(out, access, kind, element_bytes, given, access->undefined_lanes);
}

void picture_add_left(Text *out, const GpuAccess *access, PictureKind kind, unsigned element_bytes) {
    add_row(out, access, kind, element_bytes, NULL, 0);
}

/* ---- shuffles ---- */

static PtxType type_of_register(const PtxFunction *function, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) return function->registers[operand->index].type;
    return PTX_NONE;
}

static bool is_register(const PtxOperand *operand, int32_t index) {
    return operand->kind == PTX_OPERAND_REGISTER && operand->index == index;
}

static bool is_of_call(const PtxInstruction *instruction, const PtxInstruction *other) {
    return instruction->line == other->line && instruction->inlined_at_line == other->inlined_at_line &&
           instruction->inlined_at_column == other->inlined_at_column;
}

/** The operand is a vector that the register is a part of. */
static bool has_part(const PtxFunction *function, const PtxOperand *operand, int32_t reg) {
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        if (is_register(&function->parts[operand->first_part + i], reg)) return true;
    return false;
}

/** A shuffle moves bits. The text tells what they are: it goes to a register of floats, or is moved to one
 * next. Half of a wider value, which its call puts together with the other, is nothing that could be shown.
 */
static PictureKind kind_of_exchanged(const GpuPlace *place) {
    const PtxFunction *function = place->function;
    const PtxInstruction *shuffle = place->instruction;
    const PtxOperand *result = &shuffle->operands[0];
    if (result->kind != PTX_OPERAND_REGISTER) return PICTURE_NO_KIND;
    if (type_of_register(function, result) == PTX_F32) return PICTURE_REAL;
    const PtxInstruction *end = function->instructions + function->instruction_count;
    for (const PtxInstruction *next = shuffle + 1; next < end; next++) {
        if (next->opcode == PTX_OP_or && ptx_type_bytes(next->type) == 8 && is_of_call(next, shuffle))
            return PICTURE_NO_KIND;
        if (next->opcode != PTX_OP_mov) continue;
        if (has_part(function, &next->operands[1], result->index)) return PICTURE_NO_KIND;
        if (is_register(&next->operands[1], result->index) &&
            type_of_register(function, &next->operands[0]) == PTX_F32)
            return PICTURE_REAL;
    }
    return PICTURE_SIGNED;
}

void picture_add_exchanged(Text *out, const GpuExchange *exchange, const GpuPlace *place) {
    enum { BYTES = 4 };
    PictureRow row = {0};
    const PictureKind kind = kind_of_exchanged(place);
    for (unsigned lane = 0; kind != PICTURE_NO_KIND && lane < GPU_WARP_LANES; lane++) {
        uint8_t bytes[BYTES];
        if ((exchange->lanes >> lane & 1) == 0) continue;
        memcpy(bytes, &exchange->value[lane], BYTES); /* the lower half, of a little-endian word */
        if (exchange->undefined >> lane & 1)
            add_word(&row, "?");
        else
            add_scalar(&row, bytes, BYTES, kind);
    }
    picture_row_write_list(&row, out);
}
