/* picture_values.h - the values in the steps of a picture: what the lanes of an access load, store or leave
 * behind, and the variables of the function that they are in.
 *
 * Most rows of 32 values are of one value, or grow evenly; so a row is written with as few numbers as say it:
 * one for all lanes, two (the first one, and how much the next one is larger), or one each.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "check/check.h"

/** How the bytes of an element are read. */
typedef enum PictureKind {
    PICTURE_NO_KIND, /**< a structure, or a size that numbers do not have */
    PICTURE_SIGNED,
    PICTURE_UNSIGNED,
    PICTURE_REAL,
    PICTURE_HALF
} PictureKind;

/** One value of each lane in a row. */
typedef struct PictureRow {
    unsigned count;
    bool whole;                     /**< all are integers, and `number` has them */
    int64_t number[GPU_WARP_LANES]; /**< elements, and integers */
    char text[GPU_WARP_LANES][80];  /**< as JSON */
} PictureRow;

void picture_row_add_number(PictureRow *row, int64_t number);
/** A number stands as it is, anything else as a word. */
void picture_row_add_text(PictureRow *row, const char *text);
/** Adds a string of JSON that is harmless wherever it is shown; NULL is empty. */
void picture_add_word(Text *out, const char *word);
/** Adds the row to a JSON list that has begun: ",1,2". */
void picture_row_write(const PictureRow *row, Text *out);
/** Adds the row as a list of its own: "[1,2]". */
void picture_row_write_list(const PictureRow *row, Text *out);

/** What the elements of the array are, by its declaration in the kernel's text, else by the instruction. */
PictureKind picture_kind(const GpuAccess *access, const PtxInstruction *instruction, const CheckArray *array);
/** What an access to a part of a structure reads or writes. */
PictureKind picture_kind_of_member(const PtxInstruction *instruction);
/** The values that an access loads or stores, as a JSON list; [] where nothing is known of them. */
void picture_add_values(Text *out, const GpuAccess *access, PictureKind kind, unsigned element_bytes);
/** What a shuffle brings each lane, as a JSON list. */
void picture_add_exchanged(Text *out, const GpuExchange *exchange, const GpuPlace *place);
/** What elements have now, after an atomic operation. */
void picture_add_left(Text *out, const GpuAccess *access, PictureKind kind, unsigned element_bytes);

/** The variables of a launch's functions, and what was written last of each in each warp. */
typedef struct PictureVariables PictureVariables;

PictureVariables *picture_variables_create(void);
void picture_variables_destroy(PictureVariables *variables);
/** For another launch. */
void picture_variables_clear(PictureVariables *variables);
/** Adds the scalar variables of these lanes that are not what they were at the last step of the warp:
 * "[[NUMBER,VALUES...],...]". `shown` is the number of the block in the picture. */
void picture_variables_add(PictureVariables *variables, Text *out, unsigned shown, const GpuWarp *warp,
                           uint32_t lanes);
/** The names by number, as members of a JSON list. */
void picture_variables_names(const PictureVariables *variables, Text *out);
