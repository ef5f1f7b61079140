/* refusals.c - what cannot be graded, said once for each way of being wrong; see refusals.h. */
#include "grading/run/refusals.h"

#include "grading/book/anonymous.h"

#include <stdlib.h>
#include <string.h>

/* ---- from what was read ---- */

static bool take(Refusals *refusals, const Intake *intake, const Handed *handed, Arena *arena) {
    Refusal *added = &refusals->items[refusals->count++];
    *added = (Refusal){.student = arena_string(arena, intake->people[handed->person].id),
                       .path = arena_string(arena, handed->path),
                       .reason = arena_string(arena, handed->refused)};
    if (handed->remedy != NULL) added->remedy = arena_string(arena, handed->remedy);
    return added->student != NULL && added->path != NULL && added->reason != NULL &&
           (handed->remedy == NULL || added->remedy != NULL);
}

bool refusals_read(Refusals *refusals, const Intake *intake, Arena *arena) {
    *refusals = (Refusals){.items = ARENA_ARRAY(arena, intake->handed_count + 1, Refusal)};
    bool fine = refusals->items != NULL;
    for (size_t i = 0; fine && i < intake->handed_count; i++) {
        const Handed *handed = &intake->handed[i];
        refusals->programs += handed->unnamed || handed->bytes != NULL;
        refusals->unnamed += handed->unnamed && handed->lesson == NULL;
        if (handed->refused != NULL) fine = take(refusals, intake, handed, arena);
    }
    return fine;
}

/* ---- lines ---- */

static bool same_fault(const Refusal *a, const Refusal *b) {
    return text_same(a->reason, b->reason) && text_same(a->remedy, b->remedy);
}

static void add_text(Text *out, const char *text) {
    if (text != NULL) text_add_visible(out, text, strlen(text));
}

/* The refusal as it may be shown. */
static Refusal shown(const Refusal *refusal, const Class *class, Arena *arena) {
    Refusal shown = *refusal;
    if (!class->anonymous) return shown;
    const char *number = anonymous_number(class, arena, refusal->student);
    shown.path = arena_format(arena, "a file of %s", text_or(number, ""));
    shown.reason = anonymous_text(class, arena, refusal->student, refusal->reason);
    if (refusal->remedy != NULL)
        shown.remedy = anonymous_text(class, arena, refusal->student, refusal->remedy);
    return shown;
}

/* From `first` on, those with the same fault. */
static void add_fault(Refusal *first, const Refusal *end, Text *out) {
    enum { MOST_SHOWN = 5 };
    size_t count = 0;
    for (const Refusal *at = first; at < end; at++)
        count += same_fault(first, at);
    text_add(out, "refused ");
    if (count > 1) text_number(out, count);
    if (count > 1)
        text_add(out, " files");
    else
        add_text(out, first->path);
    text_add(out, ": ");
    add_text(out, first->reason);
    if (first->remedy != NULL) text_add(out, "\n    ");
    add_text(out, first->remedy);
    size_t told = 0;
    for (Refusal *at = first; at < end; at++) {
        if (!same_fault(first, at)) continue;
        at->told = true;
        if (count == 1 || told++ >= MOST_SHOWN) continue;
        text_add(out, "\n    - ");
        add_text(out, at->path);
    }
    if (count > MOST_SHOWN) text_add(out, "\n    - and ");
    if (count > MOST_SHOWN) text_number(out, count - MOST_SHOWN);
    if (count > MOST_SHOWN) text_add(out, " more");
    text_add(out, "\n");
}

/* A download of one assignment, in which everybody's program is called as the teacher has it. */
static void add_advice(const Refusals *refusals, Text *out) {
    if (2 * refusals->unnamed <= refusals->programs) return;
    text_number(out, refusals->unnamed);
    text_add(out, " of ");
    text_number(out, refusals->programs);
    text_add(out, " programs are named as no lesson. If they are all of one, say which: --lesson 07\n");
}

/* By number: the order of ids would tell who is who. */
static int compare_paths(const void *a, const void *b) {
    return strcmp(((const Refusal *)a)->path, ((const Refusal *)b)->path);
}

void refusals_add(const Refusals *refusals, const Class *class, Arena *arena, Text *out) {
    Refusal *all = ARENA_ARRAY(arena, refusals->count + 1, Refusal);
    if (all == NULL || refusals->count == 0) return;
    for (size_t i = 0; i < refusals->count; i++)
        all[i] = shown(&refusals->items[i], class, arena);
    if (class->anonymous) qsort(all, refusals->count, sizeof *all, compare_paths);
    text_add(out, "\n");
    for (size_t i = 0; i < refusals->count; i++)
        if (!all[i].told) add_fault(&all[i], all + refusals->count, out);
    add_advice(refusals, out);
}
