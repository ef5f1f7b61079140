/* alike.c - from a class's files to the programs that are compared; see alike.h. */
#include "grading/similarity/alike.h"

#include "grading/similarity/compare.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { GIVEN_BYTES = 1 << 20, FEW_BYTES = 8 };

/* Finding the pairs of one lesson. */
typedef struct Finding {
    Alike *alike;
    Arena *arena;
    const AlikeSources *sources;
    Text starter, page;
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
static bool add_program(Finding *finding, const Handed *handed, bool earlier) {
    const Intake *intake;
    if (earlier)
        intake = finding->sources->earlier;
    else
        intake = finding->sources->class;
    const char *id = intake->people[handed->person].id;
    Alike *alike = finding->alike;
    char *own = alike_discount(finding->arena, handed->bytes, handed->length, finding->starter.bytes,
                               finding->starter.length);
    if (own == NULL) return false;
    size_t ink = count_ink(own);
    alike->handed_in += !earlier;
    if (ink < FEW_BYTES) {
        alike->unchanged += !earlier;
        return true;
    }
    Program *program = find_same(alike, own);
    if (program == NULL) {
        program = &alike->programs[alike->count++];
        *program = (Program){.path = handed->path,
                             .bytes = handed->bytes,
                             .length = handed->length,
                             .own = own,
                             .own_length = ink,
                             .earlier = earlier};
    }
    if (earlier) id = arena_format(finding->arena, "earlier: %s", id);
    return id != NULL && add_person(finding, program, id);
}

/* The shorter one first: what is put around a copy hides nothing. */
static int compare_lengths(const void *left, const void *right) {
    const Program *a = left, *b = right;
    if (a->own_length != b->own_length) return a->own_length < b->own_length ? -1 : 1;
    return strcmp(a->people[0], b->people[0]);
}

static bool add_programs(Finding *finding, const Intake *intake, const char *lesson, bool earlier) {
    for (size_t i = 0; i < intake->handed_count; i++)
        if (is_meant(&intake->handed[i], lesson) && !add_program(finding, &intake->handed[i], earlier))
            return false;
    return true;
}

/* The class first: who handed in what is there from an earlier year, to the letter, shares its program. */
static bool collect(Finding *finding, const char *lesson) {
    const AlikeSources *sources = finding->sources;
    size_t more = 0;
    if (sources->earlier != NULL) more = sources->earlier->handed_count;
    Alike *alike = finding->alike;
    alike->programs = ARENA_ARRAY(finding->arena, sources->class->handed_count + more + 1, Program);
    if (alike->programs == NULL || !add_programs(finding, sources->class, lesson, false)) return false;
    if (more > 0 && !add_programs(finding, sources->earlier, lesson, true)) return false;
    if (alike->count > 1) qsort(alike->programs, alike->count, sizeof(Program), compare_lengths);
    return true;
}

/* ---- what everybody was given ---- */

static bool read_given(Text *text, const char *path, Diagnostics *diagnostics) {
    if (path != NULL && text_read_file(text, path, GIVEN_BYTES)) return true;
    diag_add_errno(diagnostics, path, "cannot read what the lesson gives");
    return false;
}

/* LIMIT: of a page, the code that stands in it; not what the site takes from other files when it is built. */
char *alike_fenced(Arena *arena, const char *markdown) {
    char *code = arena_string(arena, markdown);
    bool inside = false;
    for (char *at = code; at != NULL && *at != '\0'; at += *at != '\0') {
        size_t length = strcspn(at, "\n");
        bool fence = strncmp(at, "```", 3) == 0;
        if (fence || !inside) memset(at, ' ', length);
        if (fence) inside = !inside;
        at += length;
    }
    return code;
}

/* What the starter and the page gave is read in the same two ways as the programs. */
static bool compare(Finding *finding, size_t most_pairs) {
    GivenTexts given;
    const char *code = alike_fenced(finding->arena, finding->page.bytes);
    if (code == NULL) return false;
    const Text *starter = &finding->starter;
    given.structure.starter = tokens_of_structure(finding->arena, starter->bytes, starter->length);
    given.wording.starter = tokens_of_wording(finding->arena, starter->bytes, starter->length);
    given.structure.page = tokens_of_structure(finding->arena, code, strlen(code));
    given.wording.page = tokens_of_wording(finding->arena, code, strlen(code));
    return given.structure.starter.tokens != NULL && given.wording.starter.tokens != NULL &&
           given.structure.page.tokens != NULL && given.wording.page.tokens != NULL &&
           compare_programs(finding->alike, finding->arena, &given, most_pairs);
}

/* The pairs of one lesson that are most alike. */
bool alike_find(Alike *alike, Arena *arena, const Course *course, const AlikeSources *sources,
                const char *lesson, size_t most_pairs, Diagnostics *diagnostics) {
    *alike = (Alike){.lesson = lesson};
    Finding finding = {.alike = alike, .arena = arena, .sources = sources};
    text_init(&finding.starter);
    text_init(&finding.page);
    const char *root = course->root;
    bool fine =
        read_given(&finding.starter, arena_format(arena, "%s/starter/%s.cu", root, lesson), diagnostics) &&
        read_given(&finding.page, arena_format(arena, "%s/lessons/%s/lesson.md", root, lesson), diagnostics);
    if (fine && !(collect(&finding, lesson) && compare(&finding, most_pairs)))
        fine = advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                               "%s: there is not enough memory to compare %zu programs", lesson,
                               alike->handed_in),
                      "compare a part of the class");
    text_free(&finding.starter);
    text_free(&finding.page);
    return fine;
}

/* Everybody is named: the one who is left out may be the one who matters. */
const char *alike_group_people(Arena *arena, const Alike *alike, const Group *group) {
    Text names = text_new();
    for (size_t i = 0; i < group->count; i++) {
        const Program *program = &alike->programs[group->programs[i]];
        for (size_t k = 0; k < program->people_count; k++) {
            if (names.length > 0) text_add(&names, ", ");
            text_add(&names, program->people[k]);
        }
    }
    const char *copy = arena_keep(arena, &names);
    if (copy != NULL) return copy;
    return "";
}
