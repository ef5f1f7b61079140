/* race_story.c - makes a finding of a race: both parties, the element, and which of them is named first.
 *
 * The party that is named first is the one on the later line (on one line: the one that writes), whoever came
 * second in this run: so the same mistake is named at the same line under every schedule.
 */
#include "check/races/race_story.h"
#include "base/minmax.h"

#include <string.h>

/* ---- same value? ---- */

static bool overlaps(const GpuAccess *access, unsigned a, unsigned b) {
    uint64_t low = MIN(access->address[a], access->address[b]);
    uint64_t high = MAX(access->address[b], access->address[a]);
    return high - low < access->bytes;
}

static const void *memory_behind(const Actor *actor, unsigned lane) {
    const GpuAccess *access = actor->access;
    if (access->space == PTX_SPACE_GLOBAL)
        return gpu_memory_host(actor->check->gpu, access->address[lane], access->bytes);
    if (!access->memory) return NULL;
    return access->memory +
           (int64_t)(access->address[lane] - access->address[check_first_lane(access->lanes)]);
}

/* The record was made a moment ago by another lane of this very instruction. */
static bool made_by_this(const Actor *actor, unsigned lane, uint64_t record) {
    unsigned other = record_thread(record) % 32;
    if (((record ^ actor->record) & ~((RECORD_LANE << 5) - RECORD_LANE)) != 0 || other >= lane) return false;
    return (actor->access->lanes >> other & 1) && overlaps(actor->access, lane, other);
}

static bool writes_same_value(const Actor *actor, unsigned lane, uint64_t record, bool one_instruction) {
    const GpuAccess *access = actor->access;
    if (!access->values || access->undefined_lanes >> lane & 1) return false;
    const uint8_t *mine = access->values + lane * access->bytes;
    const void *there;
    if (one_instruction)
        there = access->values + record_thread(record) % 32 * access->bytes;
    else
        there = memory_behind(actor, lane);
    return there && memcmp(mine, there, access->bytes) == 0;
}

/* ---- the finding ---- */

static GpuAccessKind kind_of_table(RecordTable table) {
    if (table == RECORD_WRITE) return GPU_WRITE;
    if (table == RECORD_READ) return GPU_READ;
    return GPU_ATOMIC;
}

static uint32_t pc_of(const Races *races, uint64_t record) {
    return (uint32_t)races->sites[record_site(record)].at;
}

/* LIMIT: the record keeps the lowest 20 bits of the block; the nearest block below the present one is taken.
 */
static uint64_t block_of(const Actor *actor, uint64_t record) {
    uint64_t span = UINT64_C(1) << RECORD_BLOCK_BITS, high = actor->block->linear & ~(span - 1);
    return high + record_block(record);
}

/* This access is one party; the record, which has a site, a block and a thread, is the other, though its
 * block may have ended. */
static void set_parties(RaceStory *story, unsigned lane, uint64_t record, RecordTable table) {
    const Actor *actor = story->actor;
    Check *check = actor->check;
    const Site *site = &actor->races->sites[record_site(record)];
    story->record = record;
    story->address = actor->access->address[lane];
    story->is_volatile = site->is_volatile || actor->access->semantics == PTX_SEM_VOLATILE;
    story->now_kind = actor->access->kind;
    story->before_kind = kind_of_table(table);
    story->now_block = actor->block->linear;
    story->before_block = block_of(actor, record);
    story->now_thread = 32 * actor->warp_index + lane;
    story->before_thread = record_thread(record);
    story->before = check_party_at(check, story->launch, story->before_block, story->before_thread,
                                   pc_of(actor->races, record), words_access_noun(story->before_kind));
    story->now = check_party_at(check, story->launch, story->now_block, story->now_thread, actor->access->pc,
                                words_access_noun(story->now_kind));
}

static bool now_stands_first(const RaceStory *story) {
    const CheckPlace *now = &story->now.place, *before = &story->before.place;
    if (before->line == 0 || now->line == 0 || strcmp(now->file, before->file) != 0) return true;
    if (now->line != before->line) return now->line > before->line;
    return story->now_kind != GPU_READ || story->before_kind == GPU_READ;
}

/* Updates that get lost are lost whoever the other thread is: no other pair tells more. */
static CheckReach reach(const RaceFacts *facts) {
    if (!facts->one_block || facts->loses_updates) return CHECK_BETWEEN_BLOCKS;
    if (facts->one_warp) return CHECK_WITHIN_WARP;
    return CHECK_BETWEEN_WARPS;
}

/* The facts come before the rest of the finding: kind, severity and reach follow from them. */
static void fill_finding(RaceStory *story, unsigned lane, unsigned count) {
    const GpuAccess *access = story->actor->access;
    CheckFinding *finding = &story->finding;
    finding->array = check_array_at(story->actor->check, story->launch, access->space, access->address[lane],
                                    access->allocation, access->bytes);
    race_facts_know(story);
    if (story->facts.shared)
        finding->kind = FINDING_SHARED_RACE;
    else
        finding->kind = FINDING_GLOBAL_RACE;
    if (story->facts.same_value)
        finding->severity = FINDING_NOTE;
    else
        finding->severity = FINDING_ERROR;
    finding->count = count;
    finding->reach = reach(&story->facts);
    bool first = story->facts.stale || now_stands_first(story);
    if (first) {
        finding->party = story->now;
        finding->other = story->before;
    } else {
        finding->party = story->before;
        finding->other = story->now;
    }
}

/* A write over what another block read, by a kernel that waits for the other blocks and works in place. */
static bool is_in_place(const Actor *actor, uint64_t record, RecordTable table) {
    const GpuAccess *access = actor->access;
    bool between_blocks = ((record ^ actor->record) & RECORD_BLOCK_MASK) != 0;
    return table == RECORD_READ && actor->plain_write && between_blocks && actor->block->looked &&
           libraries_in_place(actor->check, gpu_block_launch(gpu_warp_block(access->warp)),
                              access->allocation);
}

/* The two pcs, whichever came first, and what distinguishes races between them that are told apart: table,
 * equal values, one warp or block, in place, ordered and stale. */
static uint64_t race_key(const Actor *actor, uint64_t record, RecordTable table, bool same_value,
                         bool in_place, bool stale) {
    uint64_t here = actor->access->pc, there = pc_of(actor->races, record);
    uint64_t low = MIN(here, there);
    uint64_t high = MAX(there, here);
    bool near = ((record ^ actor->record) & RECORD_BLOCK_MASK) == 0;
    bool warp = near && record_thread(record) / 32 == actor->warp_index;
    uint64_t what = (uint64_t)in_place << 5 | (uint64_t)table << 3 | (uint64_t)same_value << 2 |
                    (uint64_t)near << 1 | warp | (uint64_t)stale << 6;
    return check_key(SEEN_RACE + what, low << 32 | high,
                     actor->access->allocation ? actor->access->allocation->id : 0);
}

/* The facts that change the severity or the advice are part of the key: a race with equal values is a note,
 * and must not hide the error that comes later at the same two lines. */
void race_story_tell(const Actor *actor, unsigned lane, uint64_t record, RecordTable table, unsigned count) {
    bool two_writes = table == RECORD_WRITE && actor->plain_write;
    bool one_instruction = two_writes && made_by_this(actor, lane, record);
    bool same_value = two_writes && writes_same_value(actor, lane, record, one_instruction);
    bool in_place = is_in_place(actor, record, table);
    bool stale = actor->incoherent && race_cells_ordered(actor, record, lane);
    uint64_t key = race_key(actor, record, table, same_value, in_place, stale);
    if (check_seen(actor->check, key, count)) return;
    RaceStory story = {.actor = actor};
    story.facts = (RaceFacts){.one_instruction = one_instruction, .same_value = same_value, .stale = stale};
    story.finding.in_place = in_place;
    story.launch = gpu_block_launch(gpu_warp_block(actor->access->warp));
    set_parties(&story, lane, record, table);
    fill_finding(&story, lane, count);
    Said said = said_race(RACE_MESSAGE, RACE_WHY, &story.facts);
    check_tell(actor->check, &story.finding, key, &said);
}
