/* graph.c - the groups of a similarity page as a picture: who stands out with whom; see alike.h.
 *
 * The programs of all groups stand below each other, and an arc joins each two that stand out together, the
 * thicker the more they share; it leads to the pair. The picture is SVG in the page, and needs no script.
 */
#include "base/minmax.h"
#include "grading/similarity/alike.h"

#include "base/escape.h"

#include <string.h>

enum { ROW = 22, TOP = 16, NAMES = 420, WIDTH = 760, DOT = 4, WIDEST = 6, MOST_NAME = 52 };

/* The picture being drawn. */
typedef struct Graph {
    const Alike *alike;
    const int *heights; /* of each program's row; 0: it is in no group */
    Text *out;
} Graph;

/* A row for each program of a group, and one between two groups; the picture's height. */
static int place_rows(const Alike *alike, int *heights) {
    int height = TOP;
    for (size_t i = 0; i < alike->group_count; i++) {
        for (size_t k = 0; k < alike->groups[i].count; k++) {
            heights[alike->groups[i].programs[k]] = height;
            height += ROW;
        }
        height += ROW / 2;
    }
    return height;
}

/* "ann, ben": of many people the first ones, the list above has all. */
static void add_people(Text *out, const Program *program) {
    Text names = text_new();
    for (size_t i = 0; i < program->people_count; i++)
        text_format(&names, i > 0 ? ", %s" : "%s", program->people[i]);
    const size_t shown = text_whole_characters(names.bytes, MIN(names.length, MOST_NAME));
    escape_add_bytes(out, ESCAPE_HTML, names.bytes, shown);
    if (shown < names.length) text_add(out, " ...");
    text_free(&names);
}

static void add_row(const Graph *graph, size_t program) {
    const int height = graph->heights[program];
    text_format(graph->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", NAMES - 2 * DOT - 4, height + 4);
    add_people(graph->out, &graph->alike->programs[program]);
    text_format(graph->out, "</text><circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", NAMES, height, DOT);
}

/* Half an ellipse to the right: the farther apart the two, the farther out, up to the picture's edge. */
static void add_arc(const Graph *graph, size_t number) {
    const Pair *pair = &graph->alike->pairs[number];
    int from = graph->heights[pair->programs[0]], to = graph->heights[pair->programs[1]];
    if (from == 0 || to == 0 || pair->strength < graph->alike->threshold) return;
    if (from > to) {
        const int other = from;
        from = to;
        to = other;
    }
    const int out = MIN((to - from) / 2, WIDTH - NAMES - ROW);
    text_format(graph->out,
                "<a href=\"#pair-%zu\"><path d=\"M%d %d A%d %d 0 0 1 %d %d\" stroke-width=\"%d\"><title>",
                number + 1, NAMES, from, out, (to - from) / 2, NAMES, to, 1 + pair->structure * WIDEST / 100);
    add_people(graph->out, &graph->alike->programs[pair->programs[0]]);
    text_add(graph->out, " and ");
    add_people(graph->out, &graph->alike->programs[pair->programs[1]]);
    text_format(graph->out, ": structure %d %%</title></path></a>\n", pair->structure);
}

bool alike_graph(const Alike *alike, Arena *arena, Text *out) {
    int *heights = ARENA_ARRAY(arena, alike->count + 1, int);
    if (heights == NULL) return false;
    memset(heights, 0, (alike->count + 1) * sizeof *heights);
    const int height = place_rows(alike, heights);
    const Graph graph = {alike, heights, out};
    text_format(out,
                "<div class=\"scroll\"><svg class=\"graph\" role=\"img\" aria-label=\"Which programs of the "
                "groups stand out together\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
                WIDTH, height, WIDTH, height);
    for (size_t i = 0; i < alike->pair_count; i++)
        add_arc(&graph, i);
    for (size_t i = 0; i < alike->count; i++)
        if (heights[i] > 0) add_row(&graph, i);
    text_add(out, "</svg></div>\n");
    return true;
}
