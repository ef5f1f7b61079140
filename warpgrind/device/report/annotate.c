/* annotate.c - see annotate.h. A line that stands in several functions (a template, an inlined one) has the
 * sum of their counts. */
#include "device/report/annotate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 1 << 20, MAX_FILES = 64 };

/* The margin, from left to right: a column shows a count, and behind a / the least it could be, where there
 * is one. */
typedef struct Column {
    const char *title, *count, *ideal;
    int width;
} Column;

static const Column columns[] = {
    {"warps", "warps", NULL, 8},
    {"lanes", "lanes", NULL, 9},
    {"sectors/ideal", "global_sectors", "global_sectors_ideal", 15},
    {"banks/ideal", "shared_wavefronts", "shared_wavefronts_ideal", 13},
    {"atomics", "atomics", NULL, 8},
    {"diverge", "divergent_branches", "branches", 11},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool same_file(struct json_object *row, const char *file) {
    return strcmp(json_text(row, "file", ""), file) == 0;
}

static int64_t sum_of(struct json_object *lines, const char *file, int64_t line, const char *count) {
    int64_t sum = 0;
    for (size_t i = 0; count != NULL && i < json_object_array_length(lines); i++) {
        struct json_object *row = json_object_array_get_idx(lines, i);
        if (json_number(row, "line", 0) == line && same_file(row, file)) sum += json_number(row, count, 0);
    }
    return sum;
}

static void add_cell(Text *out, const Column *column, int64_t count, int64_t ideal) {
    Text cell = text_new();
    if (count > 0 || ideal > 0) text_format(&cell, "%" PRId64, count);
    if (column->ideal != NULL && (count > 0 || ideal > 0)) text_format(&cell, "/%" PRId64, ideal);
    text_format(out, "%*s ", column->width, cell.bytes);
    text_free(&cell);
}

static void add_line(Text *out, struct json_object *lines, const char *file, int64_t number, const char *line,
                     size_t length) {
    for (unsigned i = 0; i < COLUMNS; i++)
        add_cell(out, &columns[i], sum_of(lines, file, number, columns[i].count),
                 sum_of(lines, file, number, columns[i].ideal));
    text_format(out, "%5" PRId64 " | ", number);
    text_add_visible(out, line, length);
    text_add(out, "\n");
}

static void add_head(Text *out, const char *file) {
    text_add_visible(out, file, strlen(file));
    text_add(out, "\n");
    for (unsigned i = 0; i < COLUMNS; i++)
        text_format(out, "%*s ", columns[i].width, columns[i].title);
    text_add(out, " line |\n");
}

/** One source with a count before each line. A file that cannot be read, or is past MAX_SOURCE, is left out:
 * the counts alone would say little. */
static void annotate_file(struct json_object *lines, const char *file, Text *out) {
    Text source = text_new();
    if (text_read_file(&source, file, MAX_SOURCE)) {
        add_head(out, file);
        int64_t number = 1;
        for (const char *at = source.bytes; *at; number++) {
            size_t length = strcspn(at, "\n");
            add_line(out, lines, file, number, at, length);
            at += length + (at[length] == '\n');
        }
        text_add(out, "\n");
    }
    text_free(&source);
}

/** Each file once, in the order in which the report's lines first name it. */
void annotate_sources(struct json_object *report, Text *out) {
    struct json_object *lines = json_array(report, "lines");
    const char *done[MAX_FILES];
    unsigned count = 0;
    for (size_t i = 0; i < json_length(lines) && count < MAX_FILES; i++) {
        const char *file = json_text(json_object_array_get_idx(lines, i), "file", "");
        bool known = !file[0];
        for (unsigned k = 0; k < count && !known; k++)
            known = strcmp(done[k], file) == 0;
        if (known) continue;
        done[count++] = file;
        annotate_file(lines, file, out);
    }
}
