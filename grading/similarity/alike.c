/* alike.c - from a class's files to the closest pairs; see alike.h. */
#include "grading/similarity/alike.h"

#include "base/growable.h"
#include "grading/similarity/tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 64, STARTER_BYTES = 1 << 20, FEW_BYTES = 8 };

/* Finding the pairs of one lesson. */
typedef struct Finding {
    Alike *alike;
    Arena *arena;
    const Intake *intake;
    Text starter;
    Pair *shares; /* of all programs that share something */
    size_t share_count, room;
    bool words, failed;
} Finding;

/* ---- programs ---- */

static size_t count_ink(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += !isspace((unsigned char)*text);
    return count;
}

static bool is_meant(const Handed *handed, const char *lesson) {
    return handed->refused == NULL && handed->lesson != NULL && strcmp(handed->lesson, lesson) == 0;
}

static bool add_person(Finding *finding, Program *program, const char *id) {
    const char **people = ARENA_ARRAY(finding->arena, program->people_count + 1, const char *);
    if (people == NULL) return false;
    if (program->people_count > 0) memcpy(people, program->people, program->people_count * sizeof *people);
    people[program->people_count++] = id;
    program->people = people;
    return true;
}

/* The program with the same text of its own; comments count, white space at the ends of lines does not come
 * apart here. */
static Program *find_same(Alike *alike, const char *own) {
    for (size_t i = 0; i < alike->count; i++)
        if (strcmp(alike->programs[i].own, own) == 0) return &alike->programs[i];
    return NULL;
}

/* A program without what the starter gave to everybody. What is left of fewer than FEW_BYTES is the starter
 * unchanged; two people with the same rest share one program. */
static bool add_program(Finding *finding, const Handed *handed) {
    Alike *alike = finding->alike;
    char *own = alike_discount(finding->arena, handed->bytes, handed->length, finding->starter.bytes,
                               finding->starter.length);
    if (own == NULL) return false;
    size_t ink = count_ink(own);
    alike->handed_in++;
    if (ink < FEW_BYTES) {
        alike->unchanged++;
        return true;
    }
    Program *program = find_same(alike, own);
    if (program == NULL) {
        program = &alike->programs[alike->count++];
        *program = (Program){.path = handed->path,
                             .bytes = handed->bytes,
                             .length = handed->length,
                             .own = own,
                             .own_length = ink};
    }
    return add_person(finding, program, finding->intake->people[handed->person].id);
}

/* The tools say how much of the first file is in the second: the shorter one comes first, so that what is put
 * around a copy hides nothing. */
static int compare_programs(const void *left, const void *right) {
    const Program *a = left, *b = right;
    if (a->own_length != b->own_length) return a->own_length < b->own_length ? -1 : 1;
    return strcmp(a->people[0], b->people[0]);
}

static bool collect(Finding *finding, const char *lesson) {
    const Intake *intake = finding->intake;
    finding->alike->programs = ARENA_ARRAY(finding->arena, intake->handed_count + 1, Program);
    if (finding->alike->programs == NULL) return false;
    for (size_t i = 0; i < intake->handed_count; i++)
        if (is_meant(&intake->handed[i], lesson) && !add_program(finding, &intake->handed[i])) return false;
    if (finding->alike->count > 1)
        qsort(finding->alike->programs, finding->alike->count, sizeof(Program), compare_programs);
    return true;
}

/* ---- what the tools say ---- */

void alike_read_shares(const char *text, AlikeTake *take, void *context) {
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t first, second;
        int percent;
        /* sscanf would go over an empty line to the next one. */
        if (!isdigit((unsigned char)*text)) continue;
        if (sscanf(text, "%zu consists for %d %% of %zu material", &first, &percent, &second) == 3)
            take(context, first, second, percent);
    }
}

size_t alike_read_runs(const char *text, SharedRun *runs, size_t most) {
    size_t count = 0;
    for (; *text != '\0' && count < most; text += strcspn(text, "\n"), text += *text == '\n') {
        SharedRun run;
        if (!isdigit((unsigned char)*text)) continue;
        if (sscanf(text, "%*d: line %d-%d |%*d: line %d-%d [%d]", &run.lines[0][0], &run.lines[0][1],
                   &run.lines[1][0], &run.lines[1][1], &run.tokens) == 5)
            runs[count++] = run;
    }
    return count;
}

/* Shares come by tokens first, then by words: those of a pair are put together when all are sorted. */
static void take_share(void *context, size_t first, size_t second, int percent) {
    Finding *finding = context;
    if (first >= finding->alike->count || second >= finding->alike->count || first == second) return;
    Pair *shares = growable_grow(finding->shares, &finding->room, finding->share_count + 1, sizeof *shares);
    finding->failed = finding->failed || shares == NULL;
    if (shares == NULL) return;
    finding->shares = shares;
    Pair pair = {.programs = {first, second}};
    if (second < first) pair = (Pair){.programs = {second, first}};
    *(finding->words ? &pair.words : &pair.code) = percent;
    shares[finding->share_count++] = pair;
}

static int compare_places(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    for (size_t i = 0; i < 2; i++)
        if (a->programs[i] != b->programs[i]) return a->programs[i] < b->programs[i] ? -1 : 1;
    return 0;
}

static int compare_pairs(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    int own = a->code + a->words, other = b->code + b->words;
    return own != other ? (own < other) - (own > other) : compare_places(left, right);
}

/* The tool was asked twice, for structure and for wording: a pair has one row with the larger share of each,
 * and the closest pairs come first. */
static void join_shares(Finding *finding) {
    size_t kept = 0;
    if (finding->share_count == 0) return;
    qsort(finding->shares, finding->share_count, sizeof *finding->shares, compare_places);
    for (size_t i = 1; i < finding->share_count; i++) {
        Pair *last = &finding->shares[kept], *next = &finding->shares[i];
        if (compare_places(last, next) != 0) {
            finding->shares[++kept] = *next;
            continue;
        }
        if (next->code > last->code) last->code = next->code;
        if (next->words > last->words) last->words = next->words;
    }
    finding->share_count = kept + 1;
    qsort(finding->shares, finding->share_count, sizeof *finding->shares, compare_pairs);
}

/* Both comparisons of all programs; one without the other would miss renamed or reordered copies. */
static bool measure(Finding *finding, const ToolFolder *folder, Diagnostics *diagnostics) {
    for (int words = 0; words < 2; words++) {
        Text out;
        text_init(&out);
        finding->words = words != 0;
        bool fine = tool_share(folder, finding->words, &out, diagnostics);
        if (fine) alike_read_shares(out.bytes, take_share, finding);
        text_free(&out);
        if (!fine) return false;
    }
    join_shares(finding);
    return !finding->failed;
}

static int compare_runs(const void *left, const void *right) {
    const SharedRun *a = left, *b = right;
    if (a->tokens != b->tokens) return a->tokens < b->tokens ? 1 : -1;
    return (a->lines[0][0] > b->lines[0][0]) - (a->lines[0][0] < b->lines[0][0]);
}

static bool look_closely(Finding *finding, const ToolFolder *folder, Pair *pair, Diagnostics *diagnostics) {
    Text out;
    text_init(&out);
    bool fine = tool_compare(folder, pair->programs[0], pair->programs[1], &out, diagnostics);
    pair->runs = ARENA_ARRAY(finding->arena, MOST_RUNS, SharedRun);
    if (fine && pair->runs != NULL) pair->run_count = alike_read_runs(out.bytes, pair->runs, MOST_RUNS);
    if (pair->run_count > 1) qsort(pair->runs, pair->run_count, sizeof *pair->runs, compare_runs);
    text_free(&out);
    return fine;
}

/* Only the pairs that are shown are compared in full, run by run. */
static bool keep_closest(Finding *finding, const ToolFolder *folder, size_t most, Diagnostics *diagnostics) {
    Alike *alike = finding->alike;
    alike->alike_pairs = finding->share_count;
    alike->pair_count = finding->share_count < most ? finding->share_count : most;
    alike->pairs = ARENA_ARRAY(finding->arena, alike->pair_count + 1, Pair);
    if (alike->pairs == NULL) return false;
    for (size_t i = 0; i < alike->pair_count; i++) {
        alike->pairs[i] = finding->shares[i];
        if (!look_closely(finding, folder, &alike->pairs[i], diagnostics)) return false;
    }
    return true;
}

static bool compare_all(Finding *finding, const AlikeOptions *options, Diagnostics *diagnostics) {
    if (finding->alike->count < 2) return true;
    ToolFolder folder;
    bool fine = tool_open(&folder, finding->alike, options->without_sandbox, diagnostics) &&
                measure(finding, &folder, diagnostics) &&
                keep_closest(finding, &folder, options->most_pairs, diagnostics);
    tool_close(&folder);
    return fine;
}

/* The pairs of one lesson that are most alike. */
bool alike_find(Alike *alike, Arena *arena, const Course *course, const Intake *intake, const char *lesson,
                const AlikeOptions *options, Diagnostics *diagnostics) {
    *alike = (Alike){.lesson = lesson};
    Finding finding = {.alike = alike, .arena = arena, .intake = intake};
    const char *path = arena_format(arena, "%s/starter/%s.cu", course->root, lesson);
    text_init(&finding.starter);
    bool fine = path != NULL && text_read_file(&finding.starter, path, STARTER_BYTES);
    if (!fine)
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot read the starter: %s", strerror(errno));
    else
        fine = collect(&finding, lesson) && compare_all(&finding, options, diagnostics);
    text_free(&finding.starter);
    free(finding.shares);
    return fine;
}
