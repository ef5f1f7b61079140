/* races_sectors.c - the short way for plain accesses that touch whole sectors of 32 bytes: a warp at
 * neighbouring bytes, or rows of a tile (access_shape.h). Each sector is compared with one or two records,
 * and leaves one (sectors.h).
 */
#include "check/races/races_plain.h"

enum { LANES = GPU_WARP_LANES, EIGHT = 8 };

/** The pages of one offset. */
typedef struct Pages {
    uint64_t number; /**< of the offset's page */
    ShadowPage *own;
    const ShadowPage *other, *atomics; /**< NULL: nothing to compare with */
} Pages;

/** The tables that an access is compared with, besides that of atomics. */
typedef struct Tables {
    Shadow *own, *other;
} Tables;

static Tables tables_of(Races *races, const SectorAccess *plain) {
    Domain *global = &races->global;
    if (plain->access->kind == GPU_WRITE) return (Tables){&global->writes, &global->reads};
    return (Tables){&global->reads, &global->writes};
}

/* Where the n-th sector of the access lies; `lane`: the first one in it. */
static uint64_t offset_of(const SectorAccess *plain, unsigned n, unsigned lane) {
    const GpuAccess *access = plain->access;
    const unsigned row = lane / EIGHT * EIGHT;
    if (plain->shape == ACCESS_ROWS)
        return access->address[row] + (lane - row) * access->bytes - GPU_GLOBAL_BASE;
    return access->low + (uint64_t)n * SHADOW_SECTOR_BYTES - GPU_GLOBAL_BASE;
}

/** Finds the pages; false when there is more to do. */
static bool find_pages(Races *races, const SectorAccess *plain, const Tables *tables, uint64_t offset,
                       Pages *pages) {
    Domain *global = &races->global;
    pages->number = offset / SHADOW_PAGE_BYTES;
    pages->own = sectors_touch(tables->own, offset, global->generation);
    pages->other = sectors_peek(tables->other, offset, global->generation);
    pages->atomics = shadow_any(&global->atomics, offset);
    if (!pages->own) return false;
    if (plain->incoherent && (pages->other || pages->atomics)) return false;
    if (!pages->atomics || pages->atomics->generation == global->generation) return true;
    pages->atomics = NULL;
    return plain->access->kind == GPU_READ; /* else they are not the last writers any more */
}

/* Records of other widths have other lanes. */
static bool is_before(const Shadow *table, const ShadowPage *page, unsigned sector, uint64_t me,
                      const SectorAccess *plain) {
    uint64_t records[SHADOW_MAX_WAYS];
    unsigned shift;
    if (!page) return true;
    if (!sectors_read(table, page, sector, records, &shift)) return false;
    for (unsigned way = 0; way < table->ways; way++) {
        if (plain_is_past(records[way])) continue;
        if (shift != plain->shift || !plain_is_before(records[way], me, plain->barrier_time)) return false;
    }
    return true;
}

bool races_sectors_pass(Races *races, SectorAccess *plain) {
    const Tables tables = tables_of(races, plain);
    const unsigned in_sector = SHADOW_SECTOR_BYTES / plain->access->bytes;
    Pages pages = {.number = UINT64_MAX};
    plain->count = LANES / in_sector;
    plain->shift = (uint8_t)__builtin_ctz(plain->access->bytes);
    for (unsigned n = 0; n < plain->count; n++) {
        const uint64_t offset = offset_of(plain, n, n * in_sector),
                       me = plain->record + n * in_sector * RECORD_LANE;
        const unsigned sector = (unsigned)(offset % SHADOW_PAGE_BYTES / SHADOW_SECTOR_BYTES);
        if (offset / SHADOW_PAGE_BYTES != pages.number && !find_pages(races, plain, &tables, offset, &pages))
            return false;
        if (!is_before(tables.other, pages.other, sector, me, plain) ||
            !is_before(&races->global.atomics, pages.atomics, sector, me, plain) ||
            !is_before(tables.own, pages.own, sector, me, plain))
            return false;
        plain->parts[n].own = pages.own;
        plain->parts[n].sector = sector;
        plain->parts[n].record = me;
    }
    return true;
}

void races_sectors_take(Races *races, const SectorAccess *plain) {
    const Shadow *table = tables_of(races, plain).own;
    for (unsigned n = 0; n < plain->count; n++) {
        const uint64_t me = plain->parts[n].record;
        uint64_t *kept = sectors_records(table, plain->parts[n].own, plain->parts[n].sector);
        uint8_t *shift = &sectors_shifts(table, plain->parts[n].own)[plain->parts[n].sector];
        const bool there = kept[0] == me || (table->ways == SHADOW_MAX_WAYS && kept[1] == me);
        if (there && *shift == plain->shift) continue;
        *shift = plain->shift;
        kept[0] = me;
        if (table->ways == SHADOW_MAX_WAYS) kept[1] = 0;
    }
}

/* ---- CHECK_BOTH ---- */

static void check_part(const Races *races, const Shadow *table, const SectorAccess *plain, unsigned n) {
    const uint64_t offset = offset_of(plain, n, n * (SHADOW_SECTOR_BYTES / plain->access->bytes));
    for (unsigned byte = 0; byte < SHADOW_SECTOR_BYTES; byte++) {
        const uint64_t wanted = plain->parts[n].record + (byte >> plain->shift) * RECORD_LANE;
        uint64_t readers[SHADOW_MAX_WAYS] = {shadow_record(table, offset + byte), 0};
        if (table->ways == SHADOW_MAX_WAYS) domain_readers(&races->global, offset + byte, readers);
        if (readers[0] != wanted && readers[1] != wanted)
            BUG("pc %u leaves other records than by sector", plain->access->pc);
    }
}

/* The full way unpacks the pages, which are by sector again afterwards. */
void races_sectors_check(Check *check, const SectorAccess *plain) {
    Races *races = check->races;
    Shadow *table = tables_of(races, plain).own;
    uint64_t *words[SECTORS_MOST];
    const uint64_t told = check->told;
    for (unsigned n = 0; n < plain->count; n++)
        words[n] = sectors_copy(table, plain->parts[n].own);
    races_on_access(check, plain->access);
    if (check->told != told) BUG("pc %u races, though it passes by sector", plain->access->pc);
    for (unsigned n = 0; n < plain->count; n++)
        check_part(races, table, plain, n);
    for (unsigned n = 0; n < plain->count; n++)
        sectors_restore(table, plain->parts[n].own, words[n]);
    races_sectors_take(races, plain);
}
