/* words.c - the types of places that only the checks have: threads, blocks, lines, elements of arrays. What
 * they say stands in texts.txt; here is which of its variants holds. */
#include "check/findings/words.h"
#include "check/texts.h"

#include <inttypes.h>
#include <string.h>

static void add_dim(Text *out, const void *fact) {
    const SayDim *dim = fact;
    if (dim->extent.z > 1)
        text_format(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dim->at.x, dim->at.y, dim->at.z);
    else if (dim->extent.y > 1)
        text_format(out, "(%" PRIu32 ",%" PRIu32 ")", dim->at.x, dim->at.y);
    else
        text_format(out, "%" PRIu32, dim->at.x);
}

static void add_party(Text *out, const void *fact) {
    const SayParty *who = fact;
    WhoFacts facts = {.block = {who->party->block, who->launch->spec.grid},
                      .thread = {who->party->thread, who->launch->spec.block}};
    say_who(out, WHO_PARTY, &facts);
}

/* ---- memory ---- */

/* A shared variable that is no array has one element, and is called by its name alone. */
static bool is_one_value(const CheckArray *array) {
    return array->space && strcmp(array->space, "shared") == 0 && array->length == 1 && array->index == 0;
}

/* Memory without a name is known by its space, or by the line that allocated it. */
static void say_array_as(Text *out, StorageText text, const CheckArray *array) {
    const char *space = "";
    if (array->space) space = array->space;
    StorageFacts facts = {.one_value = is_one_value(array),
                          .nowhere = !array->space,
                          .shared = strcmp(space, "shared") == 0,
                          .local = strcmp(space, "local") == 0,
                          .declared = array->declared.line > 0,
                          .name = array->name,
                          .index = array->index,
                          .line = array->declared.line};
    say_storage(out, text, &facts);
}

static void add_element(Text *out, const void *fact) {
    say_array_as(out, STORAGE_ELEMENT, *(const SayElement *)fact);
}

static void add_array(Text *out, const void *fact) {
    say_array_as(out, STORAGE_ARRAY, *(const SayArray *)fact);
}

/* ---- lines ---- */

static bool is_other_file(const CheckPlace *place, const CheckPlace *here) {
    if (!here || here->line <= 0 || !place->file) return false;
    return strcmp(place->file, here->file) != 0;
}

static void add_line(Text *out, const void *fact) {
    const SayLine *line = fact;
    const CheckPlace *place = &line->place;
    SourceLineFacts facts = {.known = place->line > 0, .line = place->line};
    if (is_other_file(place, line->here)) facts.file = place->file;
    say_source_line(out, SOURCE_LINE_LINE, &facts);
}

static bool line_holds(const void *fact) {
    return ((const SayLine *)fact)->place.line > 0;
}

static void add_mask(Text *out, const void *fact) {
    text_format(out, "0x%08" PRIx32, *(const SayMask *)fact);
}

static void add_visible(Text *out, const void *fact) {
    const char *text = *(const SayVisible *)fact;
    text_add_visible(out, text, strlen(text));
}

static bool visible_holds(const void *fact) {
    const char *text = *(const SayVisible *)fact;
    return text && text[0];
}

const SayType say_mask = {add_mask, NULL}, say_dim = {add_dim, NULL}, say_party = {add_party, NULL},
              say_line = {add_line, line_holds}, say_element = {add_element, NULL},
              say_array = {add_array, NULL}, say_visible = {add_visible, visible_holds};

/* ---- threads ---- */

/* LIMIT: of a set with more ranges the first are told, and how many threads are left out. */
enum { MOST_RANGES = 12 };

static void add_range(Text *out, unsigned first, unsigned last) {
    if (out->length > 0) text_add(out, ", ");
    text_format(out, "%u", first);
    if (last > first) text_format(out, "-%u", last);
}

static bool is_in(const uint32_t *masks, unsigned thread) {
    return masks[thread / 32] >> (thread % 32) & 1;
}

/* Runs of threads are ranges; none is behind the last warp, so a run that goes on until there ends. Gives the
 * number of threads for which there was no room. */
static unsigned add_ranges(Text *out, const uint32_t *masks, unsigned threads) {
    unsigned ranges = 0, run = 0, rest = 0;
    for (unsigned t = 0; t <= threads; t++) {
        bool in = t < threads && is_in(masks, t);
        if (!in && run > 0 && ++ranges <= MOST_RANGES)
            add_range(out, t - run, t - 1);
        else if (!in)
            rest += run;
        if (in)
            run = run + 1;
        else
            run = 0;
    }
    return rest;
}

/** A set of threads as its first and last one, and whether each second one between them is in it. */
typedef struct ThreadSet {
    unsigned first, last, count;
    bool alternate;
} ThreadSet;

static ThreadSet set_of(const uint32_t *masks, unsigned threads) {
    ThreadSet set = {.alternate = true};
    for (unsigned t = 0; t < threads; t++) {
        if (!is_in(masks, t)) continue;
        if (set.count && t != set.last + 2) set.alternate = false;
        if (!set.count++) set.first = t;
        set.last = t;
    }
    return set;
}

enum { FEW_ALTERNATE = 3 }; /* so many are told one by one */

void words_threads(Text *out, const uint32_t *masks, unsigned warps) {
    Text ranges;
    text_init(&ranges);
    const ThreadSet set = set_of(masks, 32 * warps);
    LanesFacts facts = {.many = set.count != 1, .first = set.first, .last = set.last};
    facts.alternate = set.alternate && set.count > FEW_ALTERNATE;
    facts.odd = set.first % 2 != 0;
    facts.rest = add_ranges(&ranges, masks, 32 * warps);
    facts.ranges = ranges.bytes;
    say_lanes(out, LANES_THREADS, &facts);
    text_free(&ranges);
}

/* ---- accesses ---- */

const char *words_access(GpuAccessKind kind) {
    switch (kind) {
    case GPU_READ:
        return plain_access(ACCESS_READS);
    case GPU_WRITE:
        return plain_access(ACCESS_WRITES);
    case GPU_ATOMIC:
        return plain_access(ACCESS_UPDATES);
    }
    BUG("access kind %d", (int)kind);
}

const char *words_frees(void) {
    return plain_access(ACCESS_FREES);
}

const char *words_access_noun(GpuAccessKind kind) {
    switch (kind) {
    case GPU_READ:
        return plain_access(ACCESS_READ);
    case GPU_WRITE:
        return plain_access(ACCESS_WRITE);
    case GPU_ATOMIC:
        return plain_access(ACCESS_ATOMIC);
    }
    BUG("access kind %d", (int)kind);
}
