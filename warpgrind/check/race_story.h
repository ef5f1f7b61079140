/* race_story.h - a race on its way to a finding: both parties, and what is known of their accesses.
 *
 * race_story.c puts the race into words, race_advice.c says what to do about it.
 */
#ifndef CHECK_RACE_STORY_H
#define CHECK_RACE_STORY_H

#include "check/races.h"

typedef struct RaceStory {
    const Actor *actor;
    const GpuLaunch *launch;
    CheckParty now, before; /**< in the order of this run */
    GpuAccessKind now_kind, before_kind;
    uint64_t now_block, before_block;
    uint32_t now_thread, before_thread;
    bool one_instruction, same_value, is_volatile;
    uint64_t record, address; /**< of the earlier party; of the element */
    CheckFinding finding;
    Text message, why;
} RaceStory;

bool story_in_one_block(const RaceStory *story);
bool story_in_one_warp(const RaceStory *story);
bool story_on_one_line(const RaceStory *story);
bool story_is_shared(const RaceStory *story);
bool story_is_kind(const RaceStory *story, GpuAccessKind a, GpuAccessKind b);
/** Both threads read and write the element at one line: x[i] += ... by two threads. */
bool story_updates_same_element(const RaceStory *story);
/** The index is meant to be the same for many, so that additions are lost. */
bool story_loses_updates(const RaceStory *story);
bool story_has_two_atomics(const RaceStory *story);
/** The unrolled tail of a reduction, in which one warp works alone. */
bool story_of_warp_alone(const RaceStory *story);

/** Fills `why`: what to do. */
void story_advise(RaceStory *story);

#endif
