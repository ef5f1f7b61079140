/* words.c - the building stones of the sentences in findings: numbers with nouns, threads, blocks, elements,
 * lines. */
#include "check/words.h"

#include <inttypes.h>
#include <string.h>

void words_count(Text *out, uint64_t count, const char *noun) {
    const char *ending = count == 1 ? "" : text_ends_with(noun, "ch") ? "es" : "s";
    text_number(out, count);
    text_format(out, " %s%s", noun, ending);
}

void words_dim(Text *out, GpuDim dim, GpuDim extent) {
    if (extent.z > 1)
        text_format(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dim.x, dim.y, dim.z);
    else if (extent.y > 1)
        text_format(out, "(%" PRIu32 ",%" PRIu32 ")", dim.x, dim.y);
    else
        text_format(out, "%" PRIu32, dim.x);
}

void words_thread(Text *out, GpuDim thread, GpuDim extent) {
    text_add(out, "thread ");
    words_dim(out, thread, extent);
}

void words_block(Text *out, GpuDim block, GpuDim extent) {
    text_add(out, "block ");
    words_dim(out, block, extent);
}

void words_party(Text *out, const CheckParty *party, const GpuLaunch *launch) {
    words_block(out, party->block, launch->spec.grid);
    text_add(out, ", ");
    words_thread(out, party->thread, launch->spec.block);
}

void words_element(Text *out, const CheckArray *array) {
    bool scalar =
        array->space && strcmp(array->space, "shared") == 0 && array->length == 1 && array->index == 0;
    if (array->name && scalar) {
        text_add(out, array->name);
        return;
    }
    if (array->name) {
        text_format(out, "%s[%" PRId64 "]", array->name, array->index);
        return;
    }
    text_format(out, "element %" PRId64 " of ", array->index);
    words_array(out, array);
}

void words_array(Text *out, const CheckArray *array) {
    if (array->name) {
        text_add(out, array->name);
        return;
    }
    if (!array->space) {
        text_add(out, "memory that belongs to no array");
        return;
    }
    bool shared = strcmp(array->space, "shared") == 0, local = strcmp(array->space, "local") == 0;
    if (shared || local) {
        text_add(out, shared ? "the shared memory of the block" : "a local array of the thread");
        return;
    }
    text_add(out, "the memory allocated");
    if (array->declared.line > 0) text_format(out, " at line %d", array->declared.line);
}

void words_line(Text *out, const CheckPlace *place, const CheckPlace *here) {
    if (place->line <= 0) {
        text_add(out, "an unknown line");
        return;
    }
    text_format(out, "line %d", place->line);
    if (here && here->line > 0 && place->file && here->file && strcmp(place->file, here->file) != 0)
        text_format(out, " of %s", place->file);
}

static void words_range(Text *out, bool *any, unsigned first, unsigned last) {
    text_add(out, *any ? ", " : "");
    *any = true;
    if (first == last)
        text_format(out, "%u", first);
    else
        text_format(out, "%u-%u", first, last);
}

void words_threads_of_masks(Text *out, const uint32_t *masks, unsigned warps) {
    unsigned total = 0, run = 0;
    for (unsigned w = 0; w < warps; w++)
        total += check_lane_count(masks[w]);
    text_add(out, total == 1 ? "thread " : "threads ");
    bool any = false;
    for (unsigned t = 0; t <= 32 * warps; t++) {
        bool in = t < 32 * warps && (masks[t / 32] >> (t % 32) & 1);
        if (in) {
            run++;
        } else if (run) {
            words_range(out, &any, t - run, t - 1);
            run = 0;
        }
    }
}

const char *words_access(GpuAccessKind kind) {
    switch (kind) {
    case GPU_READ:
        return "reads";
    case GPU_WRITE:
        return "writes";
    case GPU_ATOMIC:
        return "atomically updates";
    }
    BUG("access kind %d", (int)kind);
}

const char *words_access_noun(GpuAccessKind kind) {
    switch (kind) {
    case GPU_READ:
        return "read";
    case GPU_WRITE:
        return "write";
    case GPU_ATOMIC:
        return "atomic";
    }
    BUG("access kind %d", (int)kind);
}

/* ---- types of places ---- */

static void add_dim(Text *out, const void *fact) {
    const SayDim *dim = fact;
    words_dim(out, dim->at, dim->extent);
}

static void add_party(Text *out, const void *fact) {
    const SayParty *who = fact;
    words_party(out, who->party, who->launch);
}

static void add_line(Text *out, const void *fact) {
    const SayLine *line = fact;
    words_line(out, &line->place, line->here);
}

static bool line_holds(const void *fact) {
    return ((const SayLine *)fact)->place.line > 0;
}

static void add_element(Text *out, const void *fact) {
    words_element(out, *(const SayElement *)fact);
}

static void add_array(Text *out, const void *fact) {
    words_array(out, *(const SayArray *)fact);
}

static void add_mask(Text *out, const void *fact) {
    text_format(out, "0x%08" PRIx32, *(const SayMask *)fact);
}

const SayType say_mask = {add_mask, NULL}, say_dim = {add_dim, NULL}, say_party = {add_party, NULL},
              say_line = {add_line, line_holds}, say_element = {add_element, NULL},
              say_array = {add_array, NULL};
