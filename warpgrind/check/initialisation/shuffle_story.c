/* shuffle_story.c - shuffles from lanes that do not take part: their result is undefined.
 *
 * That is no mistake by itself. A reduction in a block of 40 threads reads from lanes that never existed, and
 * is right as long as nobody uses what came of it. So the machine carries the value along as undefined, this
 * file remembers which shuffle made it, and tells once it is stored, is an address or decides something.
 */
#include "check/faults/faults.h"
#include "check/initialisation/initialisation.h"

/* A shuffle that reads from a lane which does not take part gives anything. It is harmless until the value
 * is used, so only the source is remembered here. */
void shuffle_story_on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Check *check = self;
    if (event->mistake != GPU_SYNC_SHUFFLE_SOURCE) return;
    const uint32_t first = 32 * gpu_warp_index(event->warp);
    const uint64_t behind = check_dim_volume(event->launch->spec.block) - first;
    uint32_t gone = gpu_warp_alive(event->warp) & ~event->mask;
    UndefinedSource *source = &check->initialisation->sources[event->pc % SOURCE_SLOTS];
    *source = (UndefinedSource){.pc = event->pc,
                                .launch = event->launch->id,
                                .block = gpu_block_linear(event->block),
                                .thread = first + check_first_lane(event->lanes),
                                .shuffle = true,
                                .mask = event->mask,
                                .came = check_lane_count(gpu_warp_alive(event->warp)),
                                .lanes = behind < 32 ? (unsigned)behind : 32};
    if (gone && check->partings) source->branch = partings_find(check, event->warp, event->lanes, gone);
}

/* The value of such a shuffle has been used. The branch at which the lanes parted is named when it is still
 * remembered. */
void shuffle_story_tell(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                        const UndefinedSource *source, UseText use) {
    uint64_t key = check_key(SEEN_UNDEFINED, source->pc, 0);
    if (check_seen(check, key, check_lane_count(lanes))) return;
    const GpuBlock *block = gpu_warp_block(warp);
    const GpuLaunch *launch = gpu_block_launch(block);
    CheckFinding finding = {
        .kind = FINDING_INVALID_MASK, .severity = FINDING_ERROR, .count = check_lane_count(lanes)};
    finding.party = check_party_at(check, launch, source->block, source->thread, source->pc, "sync");
    ShuffleFacts facts = {.parted = source->branch != 0,
                          .chosen = source->came < source->lanes,
                          .came = source->came,
                          .lanes = source->lanes,
                          .thread = {finding.party.thread, launch->spec.block},
                          .block = {finding.party.block, launch->spec.grid},
                          .mask = source->mask,
                          .use = plain_use(use)};
    if (source->branch)
        facts.branch = (SayLine){check_place_of_pc(check, source->branch), &finding.party.place};
    CheckPlace used = check_place_of_pc(check, pc);
    if (used.line > 0 && used.line != finding.party.place.line) {
        facts.used.place = used;
        uint32_t thread = 32 * gpu_warp_index(warp) + check_first_lane(lanes);
        finding.other = check_party(check, block, thread, pc, "use");
    }
    Said said = said_shuffle(SHUFFLE_MESSAGE, SHUFFLE_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

bool shuffle_story_tell_store(Check *check, const GpuAccess *access) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(access->warp));
    const UndefinedSource *source = initialisation_source(check->initialisation, launch, access->origin);
    if (!source || !source->shuffle) return false;
    shuffle_story_tell(check, access->warp, access->undefined_lanes, access->pc, source, USE_STORE);
    return true;
}
