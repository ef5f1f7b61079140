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
    const char *space = array->space ? array->space : "";
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
    if (!here || here->line <= 0 || !place->file || !here->file) return false;
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

static void add_range(Text *out, unsigned first, unsigned last) {
    if (out->length > 0) text_add(out, ", ");
    text_format(out, "%u", first);
    if (last > first) text_format(out, "-%u", last);
}

/* Runs of set bits are ranges; one bit past the last warp is never set, so it ends a run that goes on until
 * there. */
void words_threads(Text *out, const uint32_t *masks, unsigned warps) {
    Text ranges;
    text_init(&ranges);
    unsigned total = 0, run = 0;
    for (unsigned t = 0; t <= 32 * warps; t++) {
        bool in = t < 32 * warps && (masks[t / 32] >> (t % 32) & 1);
        if (!in && run > 0) add_range(&ranges, t - run, t - 1);
        run = in ? run + 1 : 0;
        total += in;
    }
    LanesFacts facts = {.many = total != 1, .ranges = ranges.bytes};
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
