/* fatbin.c - see fatbin.h. */
#include "device/image/fatbin.h"
#include "device/texts.h"

#include <lz4.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#define FATBIN_MAGIC UINT32_C(0xBA55ED50)
enum { KIND_PTX = 1, KIND_ELF = 2, MOST_TEXTS = 1024 };
#define FLAG_LZ4 UINT64_C(0x2000)
#define FLAG_ZSTD UINT64_C(0x8000)

/** How a fat binary begins. The format is not documented: the fields are those that the toolkits' files show.
 */
typedef struct FatbinHeader {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t files_bytes;
} FatbinHeader;

/** The head of one piece of code in a fat binary. */
typedef struct FatbinEntry {
    uint16_t kind, unknown;
    uint32_t header_bytes;
    uint64_t padded_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t architecture;
    uint32_t name_offset, name_bytes;
    uint64_t flags, zero, plain_bytes;
} FatbinEntry;

/** The newest PTX entry of one fat binary so far. */
typedef struct FatbinChoice {
    FatbinEntry entry;
    const uint8_t *bytes;
    bool found;
    unsigned card;
} FatbinChoice;

static bool damaged(Diagnostics *diagnostics, DamageText what) {
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_damage(what));
    return false;
}

static void note_machine_code(FatbinImage *image, uint32_t architecture) {
    char one[24];
    snprintf(one, sizeof one, "%ssm_%u", image->architectures[0] ? ", " : "", architecture);
    if (strstr(image->architectures, one) != NULL) return;
    size_t used = strlen(image->architectures);
    snprintf(image->architectures + used, sizeof image->architectures - used, "%s", one);
}

static bool add_text(FatbinImage *image, Arena *arena, const char *bytes, size_t length) {
    FatbinText *texts = ARENA_ARRAY(arena, image->text_count + 1, FatbinText);
    if (texts == NULL || bytes == NULL) return false;
    if (image->text_count > 0) memcpy(texts, image->texts, image->text_count * sizeof *texts);
    texts[image->text_count++] = (FatbinText){bytes, length};
    image->texts = texts;
    return true;
}

static bool unpack(FatbinImage *image, Arena *arena, const FatbinChoice *choice, Diagnostics *diagnostics) {
    const FatbinEntry *entry = &choice->entry;
    bool packed = (entry->flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
    size_t packed_bytes;
    if (packed)
        packed_bytes = entry->compressed_bytes;
    else
        packed_bytes = (size_t)entry->padded_bytes;
    if (packed_bytes > entry->padded_bytes) return damaged(diagnostics, DAMAGE_LENGTH);
    size_t unpacked = 0, plain_bytes = packed ? (size_t)entry->plain_bytes : packed_bytes;
    for (size_t i = 0; i < image->text_count; i++)
        unpacked += image->texts[i].length;
    if (plain_bytes > FATBIN_LARGEST_PTX - unpacked || image->text_count == MOST_TEXTS)
        return damaged(diagnostics, DAMAGE_TOO_MUCH);
    char *text = arena_alloc(arena, plain_bytes + 1);
    if (text == NULL) return damaged(diagnostics, DAMAGE_UNPACK_MEMORY);
    size_t got = packed_bytes;
    if (!packed) {
        memcpy(text, choice->bytes, packed_bytes);
    } else if (entry->flags & FLAG_ZSTD) {
        got = ZSTD_decompress(text, plain_bytes, choice->bytes, packed_bytes);
        if (ZSTD_isError(got)) return damaged(diagnostics, DAMAGE_ZSTANDARD);
    } else {
        int lz4 = LZ4_decompress_safe((const char *)choice->bytes, text, (int)packed_bytes, (int)plain_bytes);
        if (lz4 < 0) return damaged(diagnostics, DAMAGE_LZ4);
        got = (size_t)lz4;
    }
    size_t length = strnlen(text, got); /* padded with zeros */
    return add_text(image, arena, text, length) || damaged(diagnostics, DAMAGE_UNPACK_MEMORY);
}

/** Of all entries with PTX the newest that this card can run is chosen. What is there instead is noted for
 * the message: machine code by its architectures, PTX by the oldest that is too new. */
static bool take_entry(FatbinImage *image, FatbinChoice *choice, const FatbinEntry *entry,
                       const uint8_t *bytes) {
    if (entry->kind == KIND_ELF) note_machine_code(image, entry->architecture);
    if (entry->kind != KIND_PTX) return true;
    if (entry->architecture > choice->card) {
        if (image->too_new == 0 || image->too_new > entry->architecture) image->too_new = entry->architecture;
        return true;
    }
    if (choice->found && choice->entry.architecture > entry->architecture) return true;
    *choice = (FatbinChoice){.entry = *entry, .bytes = bytes, .found = true, .card = choice->card};
    return true;
}

/** The lengths in a fat binary are the program's word, so none may lead past the image. */
static bool walk_entries(FatbinImage *image, FatbinChoice *choice, const uint8_t *at, size_t left,
                         Diagnostics *diagnostics) {
    while (left >= sizeof(FatbinEntry)) {
        FatbinEntry entry;
        memcpy(&entry, at, sizeof entry);
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left)
            return damaged(diagnostics, DAMAGE_ENTRY_HEADER);
        if (entry.padded_bytes > left - entry.header_bytes) return damaged(diagnostics, DAMAGE_ENTRY);
        take_entry(image, choice, &entry, at + entry.header_bytes);
        size_t step = entry.header_bytes + (size_t)entry.padded_bytes;
        at += step;
        left -= step;
    }
    return true;
}

static bool find_in_fat_binary(FatbinImage *image, Arena *arena, const uint8_t *bytes, size_t length,
                               unsigned card, Diagnostics *diagnostics) {
    while (length >= sizeof(FatbinHeader)) {
        FatbinChoice choice = {.card = card};
        FatbinHeader header;
        memcpy(&header, bytes, sizeof header);
        if (header.magic != FATBIN_MAGIC) break; /* padding behind the last one */
        if (header.header_bytes < sizeof header || header.header_bytes > length)
            return damaged(diagnostics, DAMAGE_HEADER);
        if (header.files_bytes > length - header.header_bytes) return damaged(diagnostics, DAMAGE_TOO_LONG);
        if (!walk_entries(image, &choice, bytes + header.header_bytes, (size_t)header.files_bytes,
                          diagnostics) ||
            (choice.found && !unpack(image, arena, &choice, diagnostics)))
            return false;
        size_t step = header.header_bytes + (size_t)header.files_bytes;
        bytes += step;
        length -= step;
    }
    image->only_machine_code = image->text_count == 0 && image->architectures[0] != 0;
    return true;
}

/** An image is a fat binary or PTX as plain text, as cudaLibraryLoadData may be given. PTX is told by its
 * first directive, since PTX ISA 11.1 demands `.version` at the start of each module. */
bool fatbin_find_ptx(FatbinImage *image, Arena *arena, const void *bytes, size_t length, unsigned card,
                     Diagnostics *diagnostics) {
    *image = (FatbinImage){0};
    uint32_t magic = 0;
    if (length >= sizeof magic) memcpy(&magic, bytes, sizeof magic);
    if (magic == FATBIN_MAGIC) return find_in_fat_binary(image, arena, bytes, length, card, diagnostics);
    size_t text = strnlen(bytes, length);
    if (memmem(bytes, text, ".version", 8) == NULL) return damaged(diagnostics, DAMAGE_UNKNOWN);
    return add_text(image, arena, arena_copy(arena, bytes, text), text) ||
           damaged(diagnostics, DAMAGE_MEMORY);
}
