/* race_story.h - a race on its way to a finding: both parties, and what is known of their accesses.
 *
 * race_story.c finds the parties, race_facts.c what can be said about them.
 */
#pragma once

#include "check/races/races.h"
#include "check/texts.h"

typedef struct RaceStory {
    const Actor *actor;
    const GpuLaunch *launch;
    CheckParty now, before; /**< in the order of this run */
    GpuAccessKind now_kind, before_kind;
    uint64_t now_block, before_block;
    uint32_t now_thread, before_thread;
    bool is_volatile;
    uint64_t record, address; /**< of the earlier party; of the element */
    CheckFinding finding;     /**< whose array is set before race_facts_know */
    RaceFacts facts;
} RaceStory;

/** Fills the facts, of which three must be there already: one_instruction, same_value and stale. */
void race_facts_know(RaceStory *story);
