/* overtaken.c - asynchronous copies whose source is written before they have been waited for.
 *
 * cp.async (memcpy_async, __pipeline_memcpy_async) may read its source at any moment until the wait. The
 * machine reads at once and says at the wait which lanes' sources have changed since; who wrote them stands
 * in the race detector's records. A write of the same value goes unnoticed: nothing depends on it.
 */
#include "check/races/races.h"
#include "check/texts.h"

#include <string.h>

/* The lane's first word that is not what it was. */
static uint64_t changed_word(Check *check, const GpuChangedCopy *copy, unsigned lane) {
    uint64_t address = copy->source[lane];
    for (unsigned at = 0; at < copy->bytes; at += 4) {
        const void *now = gpu_memory_host(check->gpu, address + at, 4);
        if (now && memcmp(now, copy->was + lane * copy->bytes + at, 4) != 0) return address + at;
    }
    return address;
}

/* LIMIT: the writer's block is taken to be the copy's own when its low bits are. */
static bool find_writer(Check *check, const GpuLaunch *launch, uint64_t address, CheckParty *writer) {
    const Races *races = check->races;
    uint64_t record = shadow_record(&races->global.writes, address - GPU_GLOBAL_BASE);
    uint32_t site = record_site(record);
    if (site < SITE_FIRST || races->sites[site].host) return false;
    *writer = check_party_at(check, launch, record_block(record), record_thread(record),
                             (uint32_t)races->sites[site].at, "write");
    return true;
}

/* The bytes at the source are not those that were copied: somebody has written in between. Who it was is
 * known when the race detector's records have the write. */
static void tell_overtaken(Check *check, const GpuChangedCopy *copy, uint64_t key) {
    unsigned lane = check_first_lane(copy->lanes);
    const GpuBlock *block = gpu_warp_block(copy->warp);
    const GpuLaunch *launch = gpu_block_launch(block);
    uint64_t address = changed_word(check, copy, lane);
    CheckFinding finding = {.kind = FINDING_GLOBAL_RACE, .severity = FINDING_ERROR};
    finding.count = check_lane_count(copy->lanes);
    CheckParty reader = check_party(check, block, 32 * gpu_warp_index(copy->warp) + lane, copy->pc, "read");
    finding.array = check_array_global(check, launch, gpu_memory_find(check->gpu, address), address, 4);
    finding.party = reader;
    if (find_writer(check, launch, address, &finding.party)) finding.other = reader;
    OvertakenFacts facts = {.element = &finding.array,
                            .known = finding.other.has_thread,
                            .writer = {&finding.party, launch},
                            .reader = {&reader, launch}};
    Said said = said_overtaken(OVERTAKEN_MESSAGE, OVERTAKEN_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

void overtaken_on_copy(void *self, const GpuChangedCopy *copy) {
    Check *check = self;
    uint64_t key = check_key(SEEN_OVERTAKEN, copy->pc, 0);
    if (!check_seen(check, key, check_lane_count(copy->lanes))) tell_overtaken(check, copy, key);
}
