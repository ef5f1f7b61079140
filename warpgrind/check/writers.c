/* writers.c - who wrote memory last: kernels' lines and the host's copies, kept in the race detector's
 * records across launches.
 *
 * The judge names a wrong answer's line with this; "unwritten" says that nobody did. Also the table of sites,
 * which turns a pc or a host call into the 16 bits that a record has room for.
 */
#include "base/growable.h"
#include "check/races.h"

#include <stdlib.h>
#include <string.h>

/* ---- sites ---- */

enum { USUAL_PCS = 1024, USUAL_SITES = 256 };

static bool grow_sites(Races *races) {
    if (races->site_count < races->site_capacity) return true;
    size_t wanted = races->site_count < USUAL_SITES ? USUAL_SITES : (size_t)races->site_count + 1;
    Site *sites = growable_grow(races->sites, &races->site_capacity, wanted, sizeof *sites);
    if (sites) races->sites = sites;
    return sites != NULL;
}

bool sites_create(Races *races) {
    races->site_count = SITE_FIRST;
    return grow_sites(races);
}

static uint16_t add_site(Races *races, Site site) {
    if (races->site_count > SITE_MAX || !grow_sites(races)) return SITE_LOST;
    races->sites[races->site_count] = site;
    return (uint16_t)races->site_count++;
}

/* Room for a usual program at once: a pc that finds no memory for its site is told apart from itself later.
 */
static bool grow_pcs(Races *races, uint32_t pc) {
    if (pc < races->pc_capacity) return true;
    size_t wanted = pc < USUAL_PCS ? USUAL_PCS : (size_t)pc + 1;
    uint16_t *sites = growable_grow(races->site_of_pc, &races->pc_capacity, wanted, sizeof *sites);
    if (sites) races->site_of_pc = sites;
    return sites != NULL;
}

uint16_t site_of_pc(Check *check, const GpuAccess *access) {
    Races *races = check->races;
    uint32_t pc = access->pc;
    if (pc < races->pc_capacity && races->site_of_pc[pc]) return races->site_of_pc[pc];
    if (!grow_pcs(races, pc)) return SITE_LOST;
    Site site = {.at = pc, .is_volatile = access->semantics == PTX_SEM_VOLATILE};
    site.is_flag = races->detect && flags_is_flag(check, access);
    site.in_block = access->kind == GPU_ATOMIC && access->scope == PTX_SCOPE_CTA;
    return races->site_of_pc[pc] = add_site(races, site);
}

uint16_t site_of(Races *races, const Site *site) {
    uint32_t pc = (uint32_t)site->at;
    if (site->host) return site_of_host(races, site->at);
    if (pc < races->pc_capacity && races->site_of_pc[pc]) return races->site_of_pc[pc];
    if (!grow_pcs(races, pc)) return SITE_LOST;
    return races->site_of_pc[pc] = add_site(races, *site);
}

/* Host sites are few: the calls of a program. */
uint16_t site_of_host(Races *races, uint64_t site) {
    for (uint32_t i = SITE_FIRST; i < races->site_count; i++)
        if (races->sites[i].host && races->sites[i].at == site) return (uint16_t)i;
    return add_site(races, (Site){.at = site, .host = true});
}

/* ---- pieces of a copy ---- */

/* Atomics have records of their own; where one is left, nobody has written plainly since (or in the same
 * launch only). */
static uint32_t writer_at(const Races *races, uint64_t offset) {
    uint64_t record = shadow_record(&races->global.atomics, offset);
    if (!record) record = shadow_record(&races->global.writes, offset);
    return record_site(record);
}

/* A site is a pc of a kernel or a call of the host; below SITE_FIRST it stands for nobody, or for one that
 * is not known any more. */
static LoggedWriter describe(Check *check, uint32_t site, uint64_t offset) {
    LoggedWriter writer = {.offset = offset, .unwritten = site == SITE_NONE, .place = {.file = ""}};
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

/* Neighbouring words of one writer are one piece. Cut at `capacity` pieces: the rest of the bytes is then
 * not told. */
unsigned writers_list(Check *check, uint64_t address, uint64_t bytes, LoggedWriter *writers,
                      unsigned capacity) {
    if (address < GPU_GLOBAL_BASE || address - GPU_GLOBAL_BASE >= GPU_GLOBAL_SPAN) return 0;
    uint64_t offset = address - GPU_GLOBAL_BASE;
    unsigned count = 0;
    uint32_t last = 0;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t step = 4 - (offset + at) % 4;
        if (step > bytes - at) step = bytes - at;
        uint32_t site = writer_at(check->races, offset + at);
        if (count == 0 || site != last) {
            if (count == capacity) break;
            writers[count++] = describe(check, site, at);
            last = site;
        }
        writers[count - 1].bytes += step;
        at += step;
    }
    return count;
}

unsigned writers_width(const Check *check, uint64_t address) {
    uint32_t site = writer_at(check->races, address - GPU_GLOBAL_BASE);
    if (site < SITE_FIRST || check->races->sites[site].host) return 0;
    const PtxInstruction *store = gpu_place(check->gpu, (uint32_t)check->races->sites[site].at).instruction;
    return store && store->modifiers.vector <= 1 ? ptx_type_bytes(store->type) : 0;
}
