/* fuzz_fatbin.c - images of any bytes: found or refused, never read past their end. Build and run: make
 * fuzz-fatbin. */
#include "device/image/fatbin.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    FatbinImage image;
    bool fine = fatbin_find_ptx(&image, arena, data, size, 90, &diagnostics);
    if (fine != (diagnostics.errors == 0)) abort();
    for (size_t i = 0; fine && i < image.text_count; i++)
        if (image.texts[i].bytes[image.texts[i].length] != 0) abort();
    arena_destroy(arena);
    return 0;
}
