/* picture_variables.c - the variables of the lanes that take a step, as rows; see picture_values.h.
 *
 * The debugger's eye finds them and writes them as C does. A row is written when it is not the one that the
 * warp had at its last step.
 */
#include "base/growable.h"
#include "device/debug/value.h"
#include "device/record/picture_values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_VARIABLES = 24, WIDEST_VARIABLE = 16 };

/** The rows of one warp as they were written last, by number of the variable; NULL: it has none. */
typedef struct WarpRows {
    unsigned shown;
    uint32_t warp, lanes;
    char *row[MOST_NAMES];
} WarpRows;

struct PictureVariables {
    char *names[MOST_NAMES];
    unsigned name_count;
    Growable warps; /* WarpRows */
};

/** What is being added of one step. */
typedef struct Adding {
    PictureVariables *variables;
    Scene *scene;
    WarpRows *rows;
    Text *out;
    uint32_t lanes;
    uint64_t seen; /* the numbers of those that are here, a bit each */
    unsigned count;
} Adding;

PictureVariables *picture_variables_create(void) {
    PictureVariables *variables = calloc(1, sizeof *variables);
    if (variables != NULL) variables->warps = GROWABLE(WarpRows);
    return variables;
}

void picture_variables_clear(PictureVariables *variables) {
    for (size_t i = 0; i < variables->warps.count; i++)
        for (unsigned k = 0; k < MOST_NAMES; k++)
            free(GROWABLE_AT(&variables->warps, WarpRows, i)->row[k]);
    for (unsigned k = 0; k < variables->name_count; k++)
        free(variables->names[k]);
    growable_free(&variables->warps);
    variables->warps = GROWABLE(WarpRows);
    variables->name_count = 0;
}

void picture_variables_destroy(PictureVariables *variables) {
    if (variables == NULL) return;
    picture_variables_clear(variables);
    free(variables);
}

static WarpRows *rows_of(PictureVariables *variables, unsigned shown, uint32_t warp) {
    for (size_t i = variables->warps.count; i-- > 0;) {
        WarpRows *rows = GROWABLE_AT(&variables->warps, WarpRows, i);
        if (rows->shown == shown && rows->warp == warp) return rows;
    }
    WarpRows *rows = growable_add(&variables->warps);
    if (rows != NULL) *rows = (WarpRows){.shown = shown, .warp = warp};
    return rows;
}

/** The number of a name; MOST_NAMES: there is no room. */
static unsigned number_of(PictureVariables *variables, const char *name) {
    for (unsigned i = 0; i < variables->name_count; i++)
        if (strcmp(variables->names[i], name) == 0) return i;
    if (variables->name_count == MOST_NAMES) return MOST_NAMES;
    variables->names[variables->name_count] = strdup(name);
    if (variables->names[variables->name_count] == NULL) return MOST_NAMES;
    return variables->name_count++;
}

/** The variable's value in each of the lanes: they are in one function, so it has one address in all. */
static void fill_row(const Adding *adding, const Value *value, PictureRow *row) {
    Text text = text_new();
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++) {
        if ((adding->lanes >> lane & 1) == 0) continue;
        adding->scene->lane = lane;
        text_clear(&text);
        if (value->placed &&
            !gpu_lane_has_value(adding->scene->warp, lane, value->address, value->type->bytes))
            text_add(&text, "?");
        else
            value_text(adding->scene, value, 0, &text);
        picture_row_add_text(row, text.bytes);
    }
    text_free(&text);
}

/** Arrays have elements of their own to look at, and a pointer's number says nothing. */
static bool is_told(const Value *value) {
    const PtxShown *type = NULL;
    if (value != NULL) type = value->type;
    return type != NULL && type->kind != PTX_SHOWN_ARRAY && type->kind != PTX_SHOWN_POINTER &&
           type->bytes >= 1 && type->bytes <= WIDEST_VARIABLE;
}

static void add_row_of(Adding *adding, unsigned number, const char *row) {
    if (adding->count++ > 0) text_add(adding->out, ",");
    text_format(adding->out, "[%u%s]", number, row);
}

static void on_variable(void *self, const char *name, const Value *value) {
    Adding *adding = self;
    if (!is_told(value) || adding->count == MOST_VARIABLES) return;
    const unsigned number = number_of(adding->variables, name);
    if (number == MOST_NAMES || adding->seen >> number & 1) return;
    PictureRow row = {0};
    Text written = text_new();
    fill_row(adding, value, &row);
    picture_row_write(&row, &written);
    adding->seen |= UINT64_C(1) << number;
    char **last = &adding->rows->row[number];
    if (*last == NULL || adding->rows->lanes != adding->lanes || strcmp(*last, written.bytes) != 0) {
        free(*last);
        *last = strdup(written.bytes);
        add_row_of(adding, number, written.bytes);
    }
    text_free(&written);
}

void picture_variables_add(PictureVariables *variables, Text *out, unsigned shown, const GpuWarp *warp,
                           uint32_t lanes) {
    WarpRows *rows = rows_of(variables, shown, gpu_warp_index(warp));
    Arena *arena = arena_create();
    Scene scene;
    text_add(out, "[");
    if (rows != NULL && arena != NULL && scene_open(&scene, arena, warp, check_first_lane(lanes))) {
        Adding adding = {.variables = variables, .scene = &scene, .rows = rows, .out = out, .lanes = lanes};
        value_each_local(&scene, on_variable, &adding);
        for (unsigned k = 0; k < variables->name_count; k++) {
            if (rows->row[k] == NULL || adding.seen >> k & 1) continue;
            free(rows->row[k]);
            rows->row[k] = NULL;
            add_row_of(&adding, k, "");
        }
        rows->lanes = lanes;
    }
    text_add(out, "]");
    arena_destroy(arena);
}

void picture_variables_names(const PictureVariables *variables, Text *out) {
    for (unsigned i = 0; i < variables->name_count; i++) {
        text_add(out, i > 0 ? "," : "");
        picture_add_word(out, variables->names[i]);
    }
}
