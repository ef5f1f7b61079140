/* picture.h - the page that shows what the threads of a launch did: one HTML file that asks nobody for
 * anything.
 *
 * The page (picture.html) is part of the program; what is recorded (docs/picture.md) and the source are put
 * into it as text that no browser takes for anything else, since both come from programs that nobody vouches
 * for.
 */
#pragma once

#include "base/diag.h"
#include "base/text.h"

#include <stdint.h>

/** LIMIT: blocks that a picture shows. */
enum { PICTURE_BLOCKS = 6 };

/** What the picture is to be of, where somebody chooses. */
typedef struct PictureChoice {
    long launch;        /**< its number, from 1; 0: the recorder chooses */
    const char *blocks; /**< "3", "3,1", "3+9"; NULL: those that begin first */
    long warp;          /**< PICTURE_ALL_WARPS, or its number */
    long from;          /**< the first step of each block, from 1; 0: the first of all */
} PictureChoice;

#define PICTURE_ALL_WARPS (-1L)
#define PICTURE_ANYTHING                                                                                     \
    { .warp = PICTURE_ALL_WARPS }

/** Its rows in a table of options (base/options.h). */
#define PICTURE_OPTIONS(prefix, choice)                                                                      \
    {OPTION_NUMBER, 0, prefix "launch", "N", "picture the launch with that number", &(choice).launch},       \
        {OPTION_STRING,   0, prefix "block", "B", "picture that block, such as 3 or 3,1; or several: 3+9",   \
         &(choice).blocks},                                                                                  \
        {OPTION_NUMBER, 0, prefix "warp", "N", "picture that warp of each block", &(choice).warp}, {         \
        OPTION_NUMBER, 0, prefix "from", "N", "picture each block from that step on", &(choice).from         \
    }

/** Reads a choice of blocks; how many they are, 0 when they are none or too many. */
unsigned picture_blocks(const char *text, uint32_t blocks[PICTURE_BLOCKS][3]);
/** False after adding an error for each option that makes no sense. `prefix`: what stands before "block" in
 * the option's name. */
bool picture_check_choice(const PictureChoice *choice, const char *prefix, Diagnostics *diagnostics);

/** The command that makes the picture again: the page adds to it what somebody may choose. */
typedef struct PictureCommand {
    const char *words; /**< "make picture LESSON=07"; NULL: there is none */
    const char *rest;  /**< what stands behind the choice: "./sum 4"; NULL: nothing */
    bool variables;    /**< a choice is written BLOCK=3, else --picture-block=3 */
} PictureCommand;

/** Adds the page. `data`: the text of a warpgrind/picture/v3 object; `name` and `source`: the file that its
 * lines are in, as people know it; `source` may be NULL when it cannot be read. */
void picture_page(Text *out, const char *data, const char *name, const char *source,
                  const PictureCommand *again);
