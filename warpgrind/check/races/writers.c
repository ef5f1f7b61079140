/* writers.c - who wrote memory last: kernels' lines and the host's copies, kept in the race detector's
 * records across launches.
 *
 * The judge names a wrong answer's line with this; "unwritten" says that nobody did.
 */
#include "base/minmax.h"
#include "check/races/races.h"
#include "check/races/writers.h"

/* ---- pieces of a copy ---- */

/* Atomics have records of their own; where one is left, nobody has written plainly since (or in the same
 * launch only). Where records were lost for want of room, none is no proof that nobody wrote. */
static uint32_t writer_at(const Races *races, uint64_t offset) {
    uint64_t record = shadow_record(&races->global.atomics, offset);
    if (!record) record = shadow_record(&races->global.writes, offset);
    if (!record && races->records_lost) return SITE_LOST;
    return record_site(record);
}

/* The bytes from the offset on that have one writer as far as a look can tell: all of a segment or sector
 * with one record, else a word. */
static uint64_t step_at(const Races *races, uint64_t offset) {
    enum { WORD = 4 };
    const unsigned atomics = shadow_alike(&races->global.atomics, offset),
                   writes = shadow_alike(&races->global.writes, offset), alike = MIN(atomics, writes);
    if (alike && offset % alike == 0) return alike;
    return WORD - offset % WORD;
}

/* A site is a pc of a kernel or a call of the host; below SITE_FIRST it stands for nobody, or for one that
 * is not known. */
static LoggedWriter describe(Check *check, uint32_t site, uint64_t offset) {
    LoggedWriter writer = {.offset = offset,
                           .unwritten = site == SITE_NONE,
                           .unknown = site == SITE_LOST,
                           .place = {.file = ""}};
    if (site < SITE_FIRST) return writer;
    const Site *known = &check->races->sites[site];
    if (known->host) {
        writer.place = check_place_of_site(check, known->at);
        return writer;
    }
    const PtxFunction *function = gpu_place(check->gpu, (uint32_t)known->at).function;
    writer.place = check_place_of_pc(check, (uint32_t)known->at);
    writer.kernel = check_intern(check, function ? function->plain_name : "");
    return writer;
}

/* Whether the latest launch wrote it plainly, or the host since that began. */
static bool is_latest(const Races *races, uint64_t offset) {
    const uint64_t record = shadow_record_of(&races->global.writes, offset, races->global.generation);
    return record != 0 && record_time(record) != RECORD_TIME_OLD;
}

/* Neighbouring words of one writer are one piece; `apart`: if the latest launch wrote them, or if not. Cut at
 * `capacity` pieces: the rest of the bytes is then not told. */
static unsigned list(Check *check, uint64_t address, uint64_t bytes, bool apart, LoggedWriter *writers,
                     unsigned capacity) {
    if (address < GPU_GLOBAL_BASE || address - GPU_GLOBAL_BASE >= GPU_GLOBAL_SPAN) return 0;
    uint64_t offset = address - GPU_GLOBAL_BASE;
    unsigned count = 0;
    uint32_t last = 0;
    bool was_latest = false;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t step = step_at(check->races, offset + at);
        if (step > bytes - at) step = bytes - at;
        uint32_t site = writer_at(check->races, offset + at);
        bool latest = apart && is_latest(check->races, offset + at);
        if (count == 0 || site != last || latest != was_latest) {
            if (count == capacity) break;
            writers[count++] = describe(check, site, at);
            last = site;
            was_latest = latest;
        }
        writers[count - 1].bytes += step;
        at += step;
    }
    return count;
}

unsigned writers_list(Check *check, uint64_t address, uint64_t bytes, LoggedWriter *writers,
                      unsigned capacity) {
    return list(check, address, bytes, false, writers, capacity);
}

static bool is_all(const LoggedWriter *writers, unsigned count, uint64_t bytes) {
    return count > 0 && writers[count - 1].offset + writers[count - 1].bytes == bytes;
}

unsigned writers_list_apart(Check *check, uint64_t address, uint64_t bytes, LoggedWriter *writers,
                            unsigned capacity) {
    unsigned count = list(check, address, bytes, true, writers, capacity);
    if (is_all(writers, count, bytes)) return count;
    return writers_list(check, address, bytes, writers, capacity);
}

unsigned writers_width(const Check *check, uint64_t address) {
    uint32_t site = writer_at(check->races, address - GPU_GLOBAL_BASE);
    if (site < SITE_FIRST || check->races->sites[site].host) return 0;
    const PtxInstruction *store = gpu_place(check->gpu, (uint32_t)check->races->sites[site].at).instruction;
    if (store && store->modifiers.vector <= 1) return ptx_type_bytes(store->type);
    return 0;
}
