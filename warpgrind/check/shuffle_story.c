/* shuffle_story.c - shuffles from lanes that do not take part: their result is undefined.
 *
 * That is no mistake by itself. A reduction in a block of 40 threads reads from lanes that never existed, and
 * is right as long as nobody uses what came of it. So the machine carries the value along as undefined, this
 * file remembers which shuffle made it, and tells once it is stored, is an address or decides something.
 */
#include "check/initialisation.h"

#include <inttypes.h>

void shuffles_on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Check *check = self;
    if (event->mistake != GPU_SYNC_SHUFFLE_SOURCE) return;
    uint32_t gone = gpu_warp_alive(event->warp) & ~event->mask;
    UndefinedSource *source = &check->initialisation->sources[event->pc % SOURCE_SLOTS];
    *source = (UndefinedSource){.pc = event->pc,
                                .launch = event->launch->id,
                                .block = gpu_block_linear(event->block),
                                .thread = 32 * gpu_warp_index(event->warp) + check_first_lane(event->lanes),
                                .shuffle = true,
                                .mask = event->mask};
    if (gone && check->partings) source->branch = partings_find(check, event->warp, event->lanes, gone);
}

static void words_of_shuffle(Check *check, const GpuLaunch *launch, const UndefinedSource *source,
                             CheckFinding *finding, Text *message) {
    finding->party = check_party_at(check, launch, source->block, source->thread, source->pc, "sync");
    text_add(message, "the shuffle gives ");
    words_thread(message, finding->party.thread, launch->spec.block);
    text_add(message, " of ");
    words_block(message, finding->party.block, launch->spec.grid);
    text_add(message, " the value of a thread that does not take part");
    if (source->branch) {
        CheckPlace branch = check_place_of_pc(check, source->branch);
        text_add(message, ": the others took another branch at ");
        words_line(message, &branch, &finding->party.place);
    }
    text_format(message, " (mask 0x%08" PRIx32 ")", source->mask);
}

void tell_shuffled_value(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                         const UndefinedSource *source, const char *use) {
    uint64_t key = check_key(SEEN_UNDEFINED, source->pc, 0);
    if (check_seen(check, key, check_lane_count(lanes))) return;
    const GpuBlock *block = gpu_warp_block(warp);
    CheckFinding finding = {
        .kind = FINDING_INVALID_MASK, .severity = FINDING_ERROR, .count = check_lane_count(lanes)};
    Text message;
    text_init(&message);
    words_of_shuffle(check, gpu_block_launch(block), source, &finding, &message);
    text_format(&message, "; the result %s", use);
    CheckPlace used = check_place_of_pc(check, pc);
    if (used.line > 0 && used.line != finding.party.place.line) {
        text_format(&message, " at line %d", used.line);
        uint32_t thread = 32 * gpu_warp_index(warp) + check_first_lane(lanes);
        finding.other = check_party(check, block, thread, pc, "use");
    }
    finding.message = message.bytes;
    finding.explanation =
        "A shuffle reads another thread's variable at that moment. When the other thread is not in the mask, "
        "has ended or does not exist, the result is undefined. Let the whole warp execute the shuffle, in "
        "blocks whose size is a multiple of 32, or use its result only in threads whose partner takes part: "
        "float w = __shfl_down_sync(mask, v, d); if (lane + d < count) v += w;";
    check_record(check, &finding, key);
    text_free(&message);
}

bool shuffles_tell_store(Check *check, const GpuAccess *access) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(access->warp));
    const UndefinedSource *source = initialisation_source(check->initialisation, launch, access->origin);
    if (!source || !source->shuffle) return false;
    tell_shuffled_value(check, access->warp, access->undefined_lanes, access->pc, source, "is stored");
    return true;
}
