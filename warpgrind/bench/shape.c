/* shape.c - see shape.h. */
#include "bench/shape.h"

#include <string.h>
#include <time.h>

const Shape shape_table[] = {
#define SHAPE(name, title, file, group, grid_x, grid_y, block_x, block_y, parameters)                        \
    {#name, title, #file, #group, {grid_x, grid_y}, {block_x, block_y}, parameters},
#include "bench/shapes.def"
#undef SHAPE
    {0}};

const int32_t shape_numbers[] = {SHAPE_ADDED, SHAPE_STEPS, SHAPE_SIDE};

const Shape *shape_find(const char *name) {
    for (const Shape *shape = shape_table; shape->name; shape++)
        if (strcmp(shape->name, name) == 0) return shape;
    return NULL;
}

void shape_fill(uint32_t *words) {
    for (uint32_t i = 0; i < SHAPE_BYTES / 4; i++)
        words[i] = 0x3f800000 + (i * 2654435761u >> 9);
}

double shape_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
