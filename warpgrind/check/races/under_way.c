/* under_way.c - shared memory that is touched while an asynchronous copy to it is under way.
 *
 * Whoever reads there gets the old value or the new one. Between two threads the order of start, read and
 * wait tells most such mistakes: those are races like any other. What is left is a read that comes after the
 * start and before the wait by the barriers that there are, and a thread that reads what its own copy will
 * fill. Only then this is news, so it is told when the launch has ended: races of the same two lines come
 * first.
 */
#include "check/races/races.h"
#include "check/texts.h"

static MetCopy *find_met(Races *races, uint64_t key) {
    for (unsigned i = 0; i < races->met_count; i++)
        if (races->met[i].key == key) return &races->met[i];
    return NULL;
}

void under_way_on_met(void *self, const GpuMetCopy *met) {
    Check *check = self;
    Races *races = check->races;
    const GpuAccess *access = met->access;
    const uint64_t key = check_key(SEEN_UNDER_WAY, access->pc, met->copy_pc);
    MetCopy *known = find_met(races, key);
    if (known) {
        known->undefined |= met->undefined;
        known->finding.count++;
        return;
    }
    if (races->met_count == MET_COPIES) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    MetCopy *made = &races->met[races->met_count++];
    *made = (MetCopy){.key = key, .undefined = met->undefined, .kind = access->kind};
    made->same = access->warp == met->copier && met->lane == met->copier_lane;
    made->toucher = check_party(check, block, 32 * gpu_warp_index(access->warp) + met->lane, access->pc,
                                words_access_noun(access->kind));
    made->copier = check_party(check, block, 32 * gpu_warp_index(met->copier) + met->copier_lane,
                               met->copy_pc, words_access_noun(GPU_WRITE));
    made->finding = (CheckFinding){.kind = FINDING_SHARED_RACE, .severity = FINDING_ERROR, .count = 1};
    made->finding.array = check_array_at(check, gpu_block_launch(block), access->space,
                                         access->address[met->lane], access->allocation, access->bytes);
}

static void tell(Check *check, const GpuLaunch *launch, MetCopy *met) {
    CheckFinding *finding = &met->finding;
    const bool last = met->toucher.place.line >= met->copier.place.line;
    if (last) {
        finding->party = met->toucher;
        finding->other = met->copier;
    } else {
        finding->party = met->copier;
        finding->other = met->toucher;
    }
    const UnderwayFacts facts = {.element = &finding->array,
                                 .writes = met->kind != GPU_READ,
                                 .same = met->same,
                                 .toucher = {&met->toucher, launch},
                                 .copier = {&met->copier, launch}};
    const Said said = said_underway(UNDERWAY_MESSAGE, UNDERWAY_WHY, &facts);
    check_tell(check, finding, met->key, &said);
}

void under_way_tell(Check *check, const GpuLaunch *launch) {
    Races *races = check->races;
    for (unsigned i = 0; i < races->met_count; i++) {
        MetCopy *met = &races->met[i];
        if (!met->undefined && !check_seen(check, met->key, met->finding.count)) tell(check, launch, met);
    }
}
