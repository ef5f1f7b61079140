/* unwatched.c - says where the race detector had to give up, so that its silence is not taken for an answer.
 *
 * It never reports what is no race; where its times, numbers or memory end it reports less, and this note
 * says from which line on. Once for each reason and place.
 */
#include "check/races.h"

typedef struct UnwatchedStory {
    const char *message, *explanation;
} UnwatchedStory;

static const UnwatchedStory stories[UNWATCHED_REASONS] = {
    [UNWATCHED_TIMES] =
        {"races are not watched any more from here on: a block has synchronised more than "
         "262,000 times in one launch",
         "The race detector stamps each access with the number of synchronisations before it, and has run "
         "out of numbers in this block. What it found until then stands. Launch with fewer rounds to have "
         "everything watched."},
    [UNWATCHED_ROOM] = {"races are not watched everywhere from here on: there is no room for more records",
                        "Records of who touched what may take 48 MiB and 2.5 times the device memory in "
                        "use; memory that is touched byte by byte needs more. What was found stands. Use "
                        "smaller arrays to have everything watched."},
    [UNWATCHED_BLOCKS] = {"races are not watched between blocks whose numbers differ by a multiple of "
                          "1,048,576: the grid has more blocks than that",
                          "The race detector keeps the lowest 20 bits of a block's number. Races between "
                          "all other blocks are found. Use a smaller grid to have them all watched."},
    [UNWATCHED_FLAGS] = {"races are not watched everywhere from here on: there is no room for more of "
                         "what flags and locks order",
                         "What threads tell each other through flags and locks may take 128 MiB and "
                         "262,144 places; from then on everything behind a flag counts as ordered. Use "
                         "fewer blocks to have everything watched."},
};

static void tell_reason(Check *check, const GpuLaunch *launch, Unwatched reason, uint32_t pc) {
    uint64_t key = check_key(SEEN_RACE + 0x90 + reason, pc, launch->spec.site);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_LIMIT, .severity = FINDING_NOTE};
    finding.party.place = check_place_of_pc(check, pc);
    if (reason == UNWATCHED_BLOCKS) finding.party.place = check_place_of_launch(check, launch);
    finding.message = stories[reason].message;
    finding.explanation = stories[reason].explanation;
    check_record(check, &finding, key);
}

void unwatched_tell(Check *check, const GpuLaunch *launch) {
    Races *races = check->races;
    if (races->clocks.incomplete) check_incomplete(check);
    if (check_dim_volume(launch->spec.grid) > UINT64_C(1) << RECORD_BLOCK_BITS)
        races_unwatched(races, UNWATCHED_BLOCKS, 1);
    LoggedLaunch *entry = check->log.launch_count ? &check->log.launches[check->log.launch_count - 1] : NULL;
    if (entry && entry->id == launch->id) entry->races_watched = !races->clocks.incomplete;
    for (Unwatched reason = UNWATCHED_TIMES; reason < UNWATCHED_REASONS; reason++) {
        if (races->unwatched_at[reason] && entry && entry->id == launch->id) entry->races_watched = false;
        if (races->unwatched_at[reason]) tell_reason(check, launch, reason, races->unwatched_at[reason]);
        races->unwatched_at[reason] = 0;
    }
}
