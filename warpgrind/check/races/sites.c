/* sites.c - the table of sites, which turns a pc or a call of the host into the 16 bits that a record has
 * room for.
 *
 * A site is made when a pc first touches memory, and stays for the run: the numbers of all launches are those
 * of one table. When it is full, later pcs share SITE_LOST: who wrote is then unknown, and races are still
 * found.
 */
#include "base/growable.h"
#include "check/races/races.h"

enum { USUAL_PCS = 1024, USUAL_SITES = 256 };

static bool grow_sites(Races *races) {
    if (races->site_count < races->site_capacity) return true;
    size_t wanted;
    if (races->site_count < USUAL_SITES)
        wanted = USUAL_SITES;
    else
        wanted = (size_t)races->site_count + 1;
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

static bool is_incoherent(const Check *check, const GpuAccess *access) {
    if (access->kind != GPU_READ || access->space != PTX_SPACE_GLOBAL) return false;
    const PtxInstruction *instruction = gpu_place(check->gpu, access->pc).instruction;
    return instruction && instruction->modifiers.nc;
}

uint16_t sites_of_pc(Check *check, const GpuAccess *access) {
    Races *races = check->races;
    uint32_t pc = access->pc;
    if (pc < races->pc_capacity && races->site_of_pc[pc]) return races->site_of_pc[pc];
    if (!grow_pcs(races, pc)) return SITE_LOST;
    Site site = {.at = pc, .is_volatile = access->semantics == PTX_SEM_VOLATILE};
    site.is_flag = races->detect && flags_is_flag(check, access);
    site.in_block = access->kind == GPU_ATOMIC && access->scope == PTX_SCOPE_CTA;
    site.incoherent = is_incoherent(check, access);
    return races->site_of_pc[pc] = add_site(races, site);
}

uint16_t sites_of(Races *races, const Site *site) {
    uint32_t pc = (uint32_t)site->at;
    if (site->host) return sites_of_host(races, site->at);
    if (pc < races->pc_capacity && races->site_of_pc[pc]) return races->site_of_pc[pc];
    if (!grow_pcs(races, pc)) return SITE_LOST;
    return races->site_of_pc[pc] = add_site(races, *site);
}

/* Host sites are few: the calls of a program. */
uint16_t sites_of_host(Races *races, uint64_t site) {
    for (uint32_t i = SITE_FIRST; i < races->site_count; i++)
        if (races->sites[i].host && races->sites[i].at == site) return (uint16_t)i;
    return add_site(races, (Site){.at = site, .host = true});
}
