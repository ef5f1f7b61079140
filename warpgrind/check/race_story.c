/* race_story.c - puts a race into words: both parties, the element, and which synchronisation is missing.
 *
 * The party that is named first is the one on the later line (on one line: the one that writes), whoever came
 * second in this run: so the same mistake is named at the same line under every schedule.
 */
#include "check/race_story.h"

#include <inttypes.h>
#include <string.h>

/* ---- same value? ---- */

static bool overlaps(const GpuAccess *access, unsigned a, unsigned b) {
    uint64_t low = access->address[a] < access->address[b] ? access->address[a] : access->address[b];
    uint64_t high = access->address[a] < access->address[b] ? access->address[b] : access->address[a];
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
    const void *there = one_instruction ? access->values + record_thread(record) % 32 * access->bytes
                                        : memory_behind(actor, lane);
    return there && memcmp(mine, there, access->bytes) == 0;
}

/* ---- words ---- */

bool story_in_one_block(const RaceStory *story) {
    return story->now_block == story->before_block;
}

bool story_in_one_warp(const RaceStory *story) {
    return story_in_one_block(story) && story->now_thread / 32 == story->before_thread / 32;
}

bool story_on_one_line(const RaceStory *story) {
    return story->now.place.line > 0 && story->now.place.line == story->before.place.line;
}

bool story_is_shared(const RaceStory *story) {
    return story->actor->access->space == PTX_SPACE_SHARED;
}

bool story_is_kind(const RaceStory *story, GpuAccessKind a, GpuAccessKind b) {
    return (story->now_kind == a && story->before_kind == b) ||
           (story->now_kind == b && story->before_kind == a);
}

/* "threads 5 and 69 of block 0" or "thread 0 of block 3 and thread 0 of block 1", in a fixed order */
static void words_both(const RaceStory *story, Text *out) {
    bool swap = story->before_block < story->now_block ||
                (story_in_one_block(story) && story->before_thread < story->now_thread);
    const CheckParty *a = swap ? &story->before : &story->now, *b = swap ? &story->now : &story->before;
    GpuDim grid = story->launch->spec.grid, block = story->launch->spec.block;
    if (story_in_one_block(story)) {
        text_add(out, "threads ");
        words_dim(out, a->thread, block);
        text_add(out, " and ");
        words_dim(out, b->thread, block);
        text_add(out, " of ");
        words_block(out, a->block, grid);
    } else {
        words_thread(out, a->thread, block);
        text_add(out, " of ");
        words_block(out, a->block, grid);
        text_add(out, " and ");
        words_thread(out, b->thread, block);
        text_add(out, " of ");
        words_block(out, b->block, grid);
    }
}

/* Both threads read the element through the same instruction, and the writer writes it back: x[i] += ... by
 * two threads. In temp[tid] += temp[tid + d] the other thread reads through another instruction than the
 * owner. */
bool story_updates_same_element(const RaceStory *story) {
    const Actor *actor = story->actor;
    bool now_writes = story->now_kind == GPU_WRITE;
    uint64_t writer = now_writes ? actor->record + (story->now_thread % 32) * RECORD_LANE : story->record;
    uint32_t reader_site = record_site(now_writes ? story->record : actor->record);
    uint64_t readers[SHADOW_MAX_WAYS];
    race_readers(actor, story->address, readers);
    for (unsigned i = 0; i < SHADOW_MAX_WAYS; i++)
        if (readers[i] && ((readers[i] ^ writer) & RECORD_WHO_MASK) == 0 &&
            record_site(readers[i]) == reader_site)
            return true;
    return false;
}

/* result[0] += ... by many. When neighbouring threads have neighbouring elements, it is rather the index that
 * is wrong. */
bool story_loses_updates(const RaceStory *story) {
    const GpuAccess *access = story->actor->access;
    if (!story_is_kind(story, GPU_READ, GPU_WRITE) || !story_on_one_line(story) ||
        !story_updates_same_element(story))
        return false;
    return access->uniform || !access->contiguous || story->finding.array.length == 1;
}

/* Where one warp works alone, __syncwarp() is what is missing: the unrolled tail of a reduction, which is
 * known by its volatile. Elsewhere the whole block should meet, which is right in a block of one warp as
 * well. */
bool story_of_warp_alone(const RaceStory *story) {
    return story_in_one_warp(story) && story->is_volatile;
}

static void words_missing_order(const RaceStory *story, Text *out) {
    if (!story_in_one_block(story))
        text_add(out, ", and nothing orders blocks");
    else if (story_of_warp_alone(story))
        text_add(out, " without __syncwarp() between");
    else
        text_add(out, " without a barrier between");
}

/* "thread 0 of block 0 writes out[0], thread 32 of block 1 updates it atomically" */
static void words_atomic(const RaceStory *story, Text *out) {
    bool now_plain = story->now_kind != GPU_ATOMIC;
    const CheckParty *plain = now_plain ? &story->now : &story->before,
                     *atomic = now_plain ? &story->before : &story->now;
    GpuDim grid = story->launch->spec.grid, block = story->launch->spec.block;
    words_thread(out, plain->thread, block);
    text_add(out, " of ");
    words_block(out, plain->block, grid);
    text_format(out, " %s ", words_access(now_plain ? story->now_kind : story->before_kind));
    words_element(out, &story->finding.array);
    text_add(out, " and ");
    words_thread(out, atomic->thread, block);
    text_add(out, " of ");
    words_block(out, atomic->block, grid);
    text_add(out, " updates it atomically");
    words_missing_order(story, out);
}

bool story_has_two_atomics(const RaceStory *story) {
    return story->now_kind == GPU_ATOMIC && story->before_kind == GPU_ATOMIC;
}

static void words_race(const RaceStory *story, Text *out) {
    if (story_has_two_atomics(story)) {
        words_both(story, out);
        text_add(out, " update ");
        words_element(out, &story->finding.array);
        text_add(out, " with atomics that hold within one block only");
        return;
    }
    if (story->now_kind == GPU_ATOMIC || story->before_kind == GPU_ATOMIC) {
        words_atomic(story, out);
        return;
    }
    words_both(story, out);
    if (story->same_value)
        text_add(out, " write the same value to ");
    else if (story_is_kind(story, GPU_WRITE, GPU_WRITE))
        text_add(out, story->one_instruction ? " write different values to " : " both write ");
    else
        text_add(out, story_on_one_line(story) && story_updates_same_element(story) ? " both read and write "
                                                                                    : " touch ");
    words_element(out, &story->finding.array);
    if (story->one_instruction)
        text_add(out, " at the same time");
    else if (story_loses_updates(story))
        text_add(out, " without an atomic");
    else
        words_missing_order(story, out);
}

/* ---- the finding ---- */

static GpuAccessKind kind_of_table(RecordTable table) {
    return table == RECORD_WRITE ? GPU_WRITE : table == RECORD_READ ? GPU_READ : GPU_ATOMIC;
}

static uint32_t pc_of(const Races *races, uint64_t record) {
    uint32_t site = record_site(record);
    return site < SITE_FIRST ? 0 : (uint32_t)races->sites[site].at;
}

/* LIMIT: the record keeps the lowest 20 bits of the block; the nearest block below the present one is taken.
 */
static uint64_t block_of(const Actor *actor, uint64_t record) {
    uint64_t span = UINT64_C(1) << RECORD_BLOCK_BITS, high = actor->block->linear & ~(span - 1);
    return high + record_block(record);
}

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
static CheckReach reach(const RaceStory *story) {
    if (!story_in_one_block(story) || story_loses_updates(story)) return CHECK_BETWEEN_BLOCKS;
    return story_in_one_warp(story) ? CHECK_WITHIN_WARP : CHECK_BETWEEN_WARPS;
}

static void fill_finding(RaceStory *story, unsigned lane, unsigned count) {
    const GpuAccess *access = story->actor->access;
    CheckFinding *finding = &story->finding;
    finding->kind = story_is_shared(story) ? FINDING_SHARED_RACE : FINDING_GLOBAL_RACE;
    finding->severity = story->same_value ? FINDING_NOTE : FINDING_ERROR;
    finding->array = check_array_at(story->actor->check, story->launch, access->space, access->address[lane],
                                    access->allocation, access->bytes);
    finding->count = count;
    finding->reach = reach(story);
    bool first = now_stands_first(story);
    finding->party = first ? story->now : story->before;
    finding->other = first ? story->before : story->now;
    words_race(story, &story->message);
    story_advise(story);
    finding->message = story->message.bytes;
    finding->explanation = story->why.bytes;
}

/* A write over what another block read, by a kernel that waits for the other blocks and works in place. */
static bool is_in_place(const Actor *actor, uint64_t record, RecordTable table) {
    const GpuAccess *access = actor->access;
    bool between_blocks = ((record ^ actor->record) & RECORD_BLOCK_MASK) != 0;
    return table == RECORD_READ && actor->plain_write && between_blocks && actor->block->looked &&
           libraries_in_place(actor->check, gpu_block_launch(gpu_warp_block(access->warp)),
                              access->allocation);
}

static uint64_t race_key(const Actor *actor, uint64_t record, RecordTable table, bool same_value,
                         bool in_place) {
    uint64_t here = actor->access->pc, there = pc_of(actor->races, record);
    uint64_t low = here < there ? here : there, high = here < there ? there : here;
    bool near = ((record ^ actor->record) & RECORD_BLOCK_MASK) == 0;
    bool warp = near && record_thread(record) / 32 == actor->warp_index;
    uint64_t what = (uint64_t)in_place << 5 | (uint64_t)table << 3 | (uint64_t)same_value << 2 |
                    (uint64_t)near << 1 | warp;
    return check_key(SEEN_RACE + what, low << 32 | high,
                     actor->access->allocation ? actor->access->allocation->id : 0);
}

void tell_race(const Actor *actor, unsigned lane, uint64_t record, RecordTable table, unsigned count) {
    bool two_writes = table == RECORD_WRITE && actor->plain_write;
    bool one_instruction = two_writes && made_by_this(actor, lane, record);
    bool same_value = two_writes && writes_same_value(actor, lane, record, one_instruction);
    bool in_place = is_in_place(actor, record, table);
    uint64_t key = race_key(actor, record, table, same_value, in_place);
    if (check_seen(actor->check, key, count)) return;
    RaceStory story = {.actor = actor, .one_instruction = one_instruction, .same_value = same_value};
    story.finding.in_place = in_place;
    story.launch = gpu_block_launch(gpu_warp_block(actor->access->warp));
    text_init(&story.message);
    text_init(&story.why);
    set_parties(&story, lane, record, table);
    fill_finding(&story, lane, count);
    check_record(actor->check, &story.finding, key);
    text_free(&story.message);
    text_free(&story.why);
}
