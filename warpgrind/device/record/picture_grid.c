/* picture_grid.c - numbers of all blocks; see picture_grid.h.
 *
 * LIMIT: a grid of more blocks than the page can draw is counted in groups of neighbours, in linear order. Of
 * arrays the first few are followed, and of these the first elements.
 */
#include "device/record/picture_grid.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 2048, ARRAYS = 4, ELEMENTS = 1 << 18, MOST_RUNS = 1500, NOBODY = 0 };

/** The elements of one array, each with the cell that wrote it last, and one more; NOBODY. */
typedef struct Writers {
    unsigned array;
    uint32_t count; /**< of elements that may have a writer */
    uint16_t *cell;
} Writers;

struct PictureGrid {
    uint64_t blocks, blocks_each; /**< of the launch; of a cell */
    uint64_t counts[PICTURE_COUNTS][MOST_CELLS];
    Writers writers[ARRAYS];
    unsigned array_count;
};

static const char *const names[PICTURE_COUNTS] = {[PICTURE_ERRORS] = "errors",
                                                  [PICTURE_NOTES] = "notes",
                                                  [PICTURE_INSTRUCTIONS] = "instructions",
                                                  [PICTURE_DIVERGENT] = "divergent",
                                                  [PICTURE_EXCESS] = "excess"};

void picture_grid_begin(PictureGrid *grid, uint64_t blocks) {
    grid->blocks = blocks;
    grid->blocks_each = MAX((blocks + MOST_CELLS - 1) / MOST_CELLS, 1);
    memset(grid->counts, 0, sizeof grid->counts);
    for (unsigned i = 0; i < grid->array_count; i++) {
        Writers *writers = &grid->writers[i];
        memset(writers->cell, 0, writers->count * sizeof *writers->cell);
        writers->count = 0;
    }
    grid->array_count = 0;
}

PictureGrid *picture_grid_create(void) {
    PictureGrid *grid = calloc(1, sizeof *grid);
    if (grid != NULL) picture_grid_begin(grid, 0);
    return grid;
}

void picture_grid_destroy(PictureGrid *grid) {
    if (grid == NULL) return;
    for (unsigned i = 0; i < ARRAYS; i++)
        free(grid->writers[i].cell);
    free(grid);
}

void picture_grid_add(PictureGrid *grid, uint64_t block, PictureCount what, uint64_t amount) {
    if (block < grid->blocks) grid->counts[what][block / grid->blocks_each] += amount;
}

/** NULL: too many arrays, or no memory. */
static Writers *writers_of(PictureGrid *grid, unsigned array) {
    for (unsigned i = 0; i < grid->array_count; i++)
        if (grid->writers[i].array == array) return &grid->writers[i];
    if (grid->array_count == ARRAYS) return NULL;
    Writers *writers = &grid->writers[grid->array_count];
    if (writers->cell == NULL) writers->cell = calloc(ELEMENTS, sizeof *writers->cell);
    if (writers->cell == NULL) return NULL;
    writers->array = array;
    grid->array_count++;
    return writers;
}

void picture_grid_wrote(PictureGrid *grid, unsigned array, int64_t element, uint64_t block) {
    Writers *writers = writers_of(grid, array);
    if (writers == NULL || element < 0 || element >= ELEMENTS || block >= grid->blocks) return;
    writers->cell[element] = (uint16_t)(block / grid->blocks_each + 1);
    writers->count = MAX(writers->count, (uint32_t)element + 1);
}

/* ---- what is written ---- */

/** One number for each cell; none where all are 0, and one where all are alike. */
static void write_counts(const PictureGrid *grid, PictureCount what, Text *out) {
    const uint64_t *counts = grid->counts[what];
    const uint64_t cells = (grid->blocks + grid->blocks_each - 1) / grid->blocks_each;
    bool alike = true;
    for (uint64_t i = 1; i < cells; i++)
        alike &= counts[i] == counts[0];
    uint64_t shown = cells;
    if (alike) shown = counts[0] == 0 ? 0 : 1;
    text_format(out, ",\"%s\":[", names[what]);
    for (uint64_t i = 0; i < shown && i < cells; i++)
        text_format(out, i > 0 ? ",%" PRIu64 : "%" PRIu64, counts[i]);
    text_add(out, "]");
}

/** Elements beside each other that one cell wrote are a run: its first element, how many, and the cell. */
static void write_runs(const Writers *writers, Text *out) {
    unsigned runs = 0;
    text_format(out, "{\"array\":%u,\"runs\":[", writers->array);
    for (uint32_t from = 0, to; from < writers->count && runs < MOST_RUNS; from = to) {
        const uint16_t cell = writers->cell[from];
        for (to = from + 1; to < writers->count && writers->cell[to] == cell;)
            to++;
        if (cell == NOBODY) continue;
        text_format(out, "%s%" PRIu32 ",%" PRIu32 ",%u", runs++ > 0 ? "," : "", from, to - from, cell - 1U);
    }
    text_add(out, "]}");
}

void picture_grid_write(const PictureGrid *grid, Text *out) {
    text_format(out, "\"all_blocks\":{\"each\":%" PRIu64, grid->blocks_each);
    for (unsigned what = 0; what < PICTURE_COUNTS; what++)
        write_counts(grid, (PictureCount)what, out);
    text_add(out, "},\"writers\":[");
    for (unsigned i = 0; i < grid->array_count; i++) {
        if (i > 0) text_add(out, ",");
        write_runs(&grid->writers[i], out);
    }
    text_add(out, "]");
}
