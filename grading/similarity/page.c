/* page.c - the closest pairs side by side, as one file without a script and without anything from elsewhere;
 * see alike.h.
 *
 * All that students wrote is shown as text: what a terminal or a page would take for more is escaped, long
 * programs and lines are cut.
 */
#include "base/minmax.h"
#include "grading/similarity/alike.h"

#include "base/escape.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 2000, MOST_COLUMNS = 400, COLOURS = 8, FEW_LINES = 4 };

static const char *const style[] = {
#include "site_style.inc"
#include "similarity_style.inc"
};

static void add_names(Text *out, const Program *program) {
    for (size_t i = 0; i < program->people_count; i++) {
        if (i > 0) text_add(out, ", ");
        escape_add(out, ESCAPE_HTML, program->people[i]);
    }
}

static void add_share(Text *out, int percent) {
    text_format(out, "<td class=\"share\">%d %%</td>", percent);
}

/* ---- one program ---- */

/* Which run a line is in: the longest that has it, since runs are sorted; -1 none. */
static int find_run(const Pair *pair, int side, int line) {
    for (size_t i = 0; i < pair->run_count; i++)
        if (line >= pair->runs[i].lines[side][0] && line <= pair->runs[i].lines[side][1]) return (int)i;
    return -1;
}

/* A walk down a program, and down what is left of it without the starter, line by line. */
typedef struct Walk {
    const Program *program;
    const char *line, *own;
    size_t length, at; /* of the line; where the next one begins */
    int number;        /* 0 before the first */
    bool blank, given; /* given: the starter has it */
} Walk;

/* The next line of a program, beside what the discount has left of it: an empty line there that is not empty
 * here was the starter's. */
static bool walk_on(Walk *walk) {
    const Program *program = walk->program;
    if (walk->at >= program->length) return false;
    walk->line = program->bytes + walk->at;
    const char *end = memchr(walk->line, '\n', program->length - walk->at);
    if (end != NULL)
        walk->length = (size_t)(end - walk->line);
    else
        walk->length = program->length - walk->at;
    walk->at += walk->length + 1;
    walk->number++;
    size_t blank = 0;
    while (blank < walk->length && strchr(" \t\r", walk->line[blank]) != NULL)
        blank++;
    walk->blank = blank == walk->length;
    walk->given = !walk->blank && (*walk->own == '\n' || *walk->own == '\0');
    walk->own += strcspn(walk->own, "\n");
    walk->own += *walk->own == '\n';
    return true;
}

/* How many lines from this one on are the starter's, blank ones between and after them included. */
static int count_given(Walk walk) {
    int count = 0;
    do
        count += walk.given || walk.blank;
    while ((walk.given || walk.blank) && walk_on(&walk));
    return count;
}

/* A line with its number, the colour of the run that it belongs to, and MOST_COLUMNS of its text. */
static void add_line(Text *out, const Pair *pair, int side, const Walk *walk) {
    int run = -1;
    if (!walk->given) run = find_run(pair, side, walk->number);
    size_t shown = MIN(walk->length, MOST_COLUMNS);
    const char *class = "";
    if (run >= 0) class = " class=\"shared\"";
    text_format(out, "<tr%s><td>%d</td>", walk->given ? " class=\"given\"" : class, walk->number);
    if (run >= 0)
        text_format(out, "<td class=\"s%d\">%d</td><td>", run % COLOURS + 1, run + 1);
    else
        text_add(out, "<td></td><td>");
    escape_add_bytes(out, ESCAPE_HTML, walk->line, shown);
    text_add(out, shown < walk->length ? " ...</td></tr>\n" : "</td></tr>\n");
}

/* Many lines of the starter are one line here. */
static void add_lines(Text *out, const Program *program, const Pair *pair, int side) {
    Walk walk = {.program = program, .own = program->own};
    for (int shown = 0; shown < MOST_LINES && walk_on(&walk); shown++) {
        int given = 0;
        if (walk.given) given = count_given(walk);
        if (given < FEW_LINES) {
            add_line(out, pair, side, &walk);
            continue;
        }
        text_format(out, "<tr class=\"given\"><td>%d</td><td></td><td>(%d lines of the starter)</td></tr>\n",
                    walk.number, given);
        while (--given > 0)
            walk_on(&walk);
    }
    if (walk.at < program->length)
        text_add(out, "<tr><td></td><td></td><td>(the rest is not shown)</td></tr>\n");
}

static void add_program(Text *out, const Program *program, const Pair *pair, int side) {
    text_add(out, "<div><h3>");
    add_names(out, program);
    escape_html(out, ": %s</h3>\n<table class=\"program\">\n", program->path);
    add_lines(out, program, pair, side);
    text_add(out, "</table></div>\n");
}

/* ---- the page ---- */

/* The page loads nothing, and its policy forbids it to: it shows what students wrote. */
static void add_head(Text *out, const Alike *alike) {
    escape_html(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n<title>%s: programs that are alike</title>\n<style>\n",
                alike->lesson);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        text_add(out, style[i]);
    escape_html(out, "</style>\n</head>\n<body>\n<h1>%s: programs that are alike</h1>\n", alike->lesson);
}

/* What the two measures mean, and what they do not: it stands on every page, since pages are passed on alone.
 * */
static void add_explanation(Text *out, const Alike *alike) {
    text_add(out, "<p>");
    text_number(out, alike->handed_in);
    text_add(out, alike->handed_in == 1 ? " program was handed in" : " programs were handed in");
    if (alike->unchanged > 0) {
        text_add(out, "; ");
        text_number(out, alike->unchanged);
        text_add(out, alike->unchanged == 1 ? " of them is the unchanged starter"
                                            : " of them are the unchanged starter");
    }
    text_add(out,
             ". What the starter gave to everybody is left out of the comparison and shown in a paler "
             "colour.</p>\n"
             "<p><b>Structure</b> compares tokens: names, numbers, comments, layout and order make no "
             "difference. "
             "<b>Wording</b> compares names, numbers and the words of comments. Both say how much of the "
             "smaller program is in the other one, and what many have, or the lesson's page shows, counts "
             "little. <b>Rare</b> is the number of fragments of structure that hardly anybody else has. The "
             "pairs are ranked by how well one program is explained by the other, alone or together with a "
             "third, so that both sources of a mixture come first. A short task has few "
             "good answers, and people who never met write the same. This page shows where to look; what it "
             "means is for you to find out by reading both, and by asking.</p>\n");
}

/* Each group with all of its people. */
static void add_groups(Text *out, Arena *arena, const Alike *alike) {
    if (alike->group_count == 0) return;
    text_format(out,
                "<h2>Groups</h2>\n<p>Programs that stand out from the rest of the class: of all pairs, %zu "
                "are far above what is usual here. Two of a group need not be alike themselves; the table "
                "below says which are.</p>\n<ol>\n",
                alike->standing_out);
    for (size_t i = 0; i < alike->group_count; i++) {
        const Group *group = &alike->groups[i];
        escape_html(out, "<li>%s%s</li>\n", alike_group_people(arena, alike, group),
                    group->count == 1 ? ": the same text" : "");
    }
    text_add(out, "</ol>\n");
    if (!alike_graph(alike, arena, out)) out->failed = true;
}

/* ---- the table, in several orders ---- */

/* The pairs in another order than that of the ranking, as places in it. */
typedef struct Sorted {
    const Pair *pair;
    size_t number;
} Sorted;

static int compare_wording(const void *left, const void *right) {
    const Sorted *a = left, *b = right;
    if (a->pair->wording != b->pair->wording) return a->pair->wording < b->pair->wording ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_rare(const void *left, const void *right) {
    const Sorted *a = left, *b = right;
    if (a->pair->rare != b->pair->rare) return a->pair->rare < b->pair->rare ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The pairs, with links to both programs side by side. */
static void add_rows(Text *out, const Alike *alike, const Sorted *sorted) {
    text_add(out, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">pair</th><th "
                  "scope=\"col\">shorter</th><th scope=\"col\">longer</th>"
                  "<th scope=\"col\" class=\"share\">structure</th><th scope=\"col\" "
                  "class=\"share\">wording</th><th scope=\"col\" "
                  "class=\"share\">rare</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < alike->pair_count; i++) {
        const Pair *pair = sorted[i].pair;
        text_format(out, "<tr><td><a href=\"#pair-%zu\">%zu</a></td><td>", sorted[i].number + 1,
                    sorted[i].number + 1);
        add_names(out, &alike->programs[pair->programs[0]]);
        text_add(out, "</td><td>");
        add_names(out, &alike->programs[pair->programs[1]]);
        text_add(out, "</td>");
        add_share(out, pair->structure);
        add_share(out, pair->wording);
        text_format(out, "<td class=\"share\">%u</td></tr>\n", pair->rare);
    }
    text_add(out, "</tbody>\n</table></div>\n");
}

/* By rank, and folded away by the two other numbers: a page without a script cannot sort. */
static void add_table(Text *out, Arena *arena, const Alike *alike) {
    text_add(out, "<h2>The closest pairs</h2>\n");
    if (alike->pair_count == 0) {
        text_add(out, "<p>No two programs share enough to be listed.</p>\n");
        return;
    }
    text_format(out, "<p>%zu of %zu pairs that have something in common.</p>\n", alike->pair_count,
                alike->alike_pairs);
    Sorted *sorted = ARENA_ARRAY(arena, alike->pair_count, Sorted);
    if (sorted == NULL) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < alike->pair_count; i++)
        sorted[i] = (Sorted){&alike->pairs[i], i};
    add_rows(out, alike, sorted);
    if (alike->pair_count == 1) return;
    text_add(out, "<details><summary>The same by wording</summary>\n");
    qsort(sorted, alike->pair_count, sizeof *sorted, compare_wording);
    add_rows(out, alike, sorted);
    text_add(out, "</details>\n<details><summary>The same by what is rare</summary>\n");
    qsort(sorted, alike->pair_count, sizeof *sorted, compare_rare);
    add_rows(out, alike, sorted);
    text_add(out, "</details>\n");
}

static void add_pair(Text *out, const Alike *alike, size_t number) {
    const Pair *pair = &alike->pairs[number];
    text_format(out, "<h2 id=\"pair-%zu\">Pair %zu</h2>\n<p>Structure ", number + 1, number + 1);
    text_format(out, "%d %%, wording %d %%", pair->structure, pair->wording);
    text_add(out, ". Lines with the same number in colour belong together.</p>\n<div class=\"pair\">\n");
    for (int side = 0; side < 2; side++)
        add_program(out, &alike->programs[pair->programs[side]], pair, side);
    text_add(out, "</div>\n");
}

void alike_page(const Alike *alike, Arena *arena, Text *out) {
    add_head(out, alike);
    add_explanation(out, alike);
    add_groups(out, arena, alike);
    add_table(out, arena, alike);
    for (size_t i = 0; i < alike->pair_count; i++)
        add_pair(out, alike, i);
    text_add(out, "</body>\n</html>\n");
}
