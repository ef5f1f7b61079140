/* shape.h - the kernels of shapes.def: what every program that measures one shares.
 *
 * Each kernel has two buffers of SHAPE_BYTES, out and in, which begin with the same values in every program;
 * so their results can be compared. Time is the processor's: on a shared machine the clock measures the
 * neighbours too, and of several runs the least counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHAPE_BYTES = 16 << 20 };

typedef struct Shape {
    const char *name, *title, *file, *group;
    uint32_t grid[2], block[2];
    const char *parameters; /**< a letter each, see shapes.def */
} Shape;

/** Ends with a row whose name is NULL. */
extern const Shape shape_table[];
/** What some kernels get as parameters: threads of vector_add, steps of arithmetic, side of product. */
enum { SHAPE_ADDED = 1 << 20, SHAPE_STEPS = 256, SHAPE_SIDE = 512 };
/** The ints that a digit among the parameters stands for. */
extern const int32_t shape_numbers[];

const Shape *shape_find(const char *name); /**< NULL: there is none */
/** As floats the words are numbers from 1 to 2. */
void shape_fill(uint32_t *words);
/** Seconds of the processor that this process has used, with all its threads. */
double shape_clock(void);
