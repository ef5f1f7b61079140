/* unwatched.c - says where the race detector had to give up, so that its silence is not taken for an answer.
 *
 * It never reports what is no race; where its times, numbers or memory end it reports less, and this note
 * says from which line on. Once for each reason and place.
 */
#include "check/races/races.h"
#include "check/texts.h"

static const struct {
    UnwatchedText message, why;
} texts_of[UNWATCHED_REASONS] = {
    [UNWATCHED_TIMES] = {UNWATCHED_TIMES_MESSAGE, UNWATCHED_TIMES_WHY},
    [UNWATCHED_ROOM] = {UNWATCHED_ROOM_MESSAGE, UNWATCHED_ROOM_WHY},
    [UNWATCHED_BLOCKS] = {UNWATCHED_BLOCKS_MESSAGE, UNWATCHED_BLOCKS_WHY},
    [UNWATCHED_FLAGS] = {UNWATCHED_FLAGS_MESSAGE, UNWATCHED_FLAGS_WHY},
};

static void tell_reason(Check *check, const GpuLaunch *launch, Unwatched reason, uint32_t pc) {
    uint64_t key = check_key(SEEN_UNWATCHED + reason, pc, launch->spec.site);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_LIMIT, .severity = FINDING_NOTE};
    finding.party.place = check_place_of_pc(check, pc);
    if (reason == UNWATCHED_BLOCKS) finding.party.place = check_place_of_launch(check, launch);
    finding.message = plain_unwatched(texts_of[reason].message);
    finding.explanation = plain_unwatched(texts_of[reason].why);
    check_record(check, &finding, key);
}

/* Silence about races must not pass for an answer: whatever was not watched in this launch is said once,
 * and the launch is marked in the report. */
void unwatched_tell(Check *check, const GpuLaunch *launch) {
    Races *races = check->races;
    if (races->clocks.incomplete) check_incomplete(check);
    if (races->room.lost) races_make_room(races, 1);
    if (check_dim_volume(launch->spec.grid) > UINT64_C(1) << RECORD_BLOCK_BITS)
        races_unwatched(races, UNWATCHED_BLOCKS, 1);
    LoggedLaunch *entry = NULL;
    if (check->log.launch_count) entry = &check->log.launches[check->log.launch_count - 1];
    if (entry && entry->id == launch->id) entry->races_watched = !races->clocks.incomplete;
    for (Unwatched reason = UNWATCHED_TIMES; reason < UNWATCHED_REASONS; reason++) {
        if (races->unwatched_at[reason] && entry && entry->id == launch->id) entry->races_watched = false;
        if (races->unwatched_at[reason]) tell_reason(check, launch, reason, races->unwatched_at[reason]);
        races->unwatched_at[reason] = 0;
    }
}
