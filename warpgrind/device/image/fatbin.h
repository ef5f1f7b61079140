/* fatbin.h - finding the PTX in what a program embeds.
 *
 * An image is PTX text as it is, or an NVIDIA fat binary: a header, then entries that each hold PTX or
 * machine code for one architecture, perhaps compressed (LZ4 or Zstandard). Images come from the program, so
 * every length is checked. The layout is not documented by NVIDIA; it is known from public tools and from
 * what nvcc 11 to 13 write.
 */
#pragma once

#include "base/diag.h"

enum { FATBIN_LARGEST_PTX = 64 << 20 };

typedef struct FatbinText {
    const char *bytes; /**< in the arena, NUL behind */
    size_t length;
} FatbinText;

/** What an image holds for a card: PTX, or what there is instead. Several texts are those of a program's
 * sources that nvcc -rdc=true has left to be linked. */
typedef struct FatbinImage {
    FatbinText *texts; /**< text_count of them */
    size_t text_count;
    bool only_machine_code;
    char architectures[128]; /**< of the machine code that was found: "sm_80, sm_90" */
    unsigned too_new;        /**< the oldest target of PTX that is newer than the card; 0: none is */
} FatbinImage;

/** The newest PTX of each fat binary for a card of compute capability `card` (90 for 9.0). False with a
 * diagnostic when the image is damaged, too large, or no image. No PTX at all is not damage. */
bool fatbin_find_ptx(FatbinImage *image, Arena *arena, const void *bytes, size_t length, unsigned card,
                     Diagnostics *diagnostics);
