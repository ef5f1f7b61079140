/* cells.c - cells and lines of tables; see cells.h. */
#include "grading/out/cells.h"

#include "base/escape.h"
#include "base/json.h"
#include "grading/out/named.h"

#include <string.h>

/* ---- cells ---- */

void cells_text(Text *out, const char *text) {
    text_add(out, ",");
    escape_cell(out, text);
}

void cells_number(Text *out, double number) {
    text_add(out, ",");
    out_number(out, number);
}

/* What is to be said of a grade, for one cell, where lines become blanks: what people wrote gets the full
 * stop that stands between it and the next sentence, and the last newline goes. */
void cells_add_remarks(Text *out, const Grade *grade) {
    Text lines = text_new();
    out_add_remarks(&lines, grade);
    for (const char *line = lines.bytes; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        text_format(out, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
        if (*line == '\0') break;
        if (length > 0 && strchr(".!?:;", line[-2]) == NULL) text_add(out, ".");
        text_add(out, "\n");
    }
    text_free(&lines);
}

void cells_remarks(Text *out, const Grade *grade) {
    Text words = text_new();
    cells_add_remarks(&words, grade);
    cells_text(out, words.bytes);
    text_free(&words);
}

bool cells_has(const char *text) {
    return text != NULL && *text != '\0';
}

void cells_split_name(const char *name, Arena *arena, const char **first, const char **last) {
    name = text_or(name, "");
    const char *comma = strchr(name, ','), *space = strrchr(name, ' ');
    *first = name;
    *last = "";
    if (comma != NULL) {
        *first = comma + 1 + strspn(comma + 1, " ");
        *last = arena_copy(arena, name, (size_t)(comma - name));
    } else if (space != NULL) {
        *first = arena_copy(arena, name, (size_t)(space - name));
        *last = space + 1;
    }
}

/* ---- a line of the roster ---- */

const char *cells_line_text(struct json_object *line, size_t column, size_t part) {
    struct json_object *cell = json_object_array_get_idx(line, column);
    const char *text = json_object_get_string(json_object_array_get_idx(cell, part));
    if (text != NULL) return text;
    return "";
}

long cells_find_column(struct json_object *line, const char *name) {
    for (size_t i = 0; i < json_length(line); i++)
        if (strcmp(cells_line_text(line, i, 0), name) == 0) return (long)i;
    return -1;
}

struct json_object *cells_line_of(const ExportJob *job, const ClassStudent *student) {
    if (student->line == NULL) return NULL;
    return json_parse_text(student->line, strlen(student->line), student->id, job->diagnostics);
}

/* ---- what has no cell ---- */

void cells_warn_of_strangers(const ExportJob *job, const char *system, const Named *named) {
    if (named->count == 0) return;
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "%s: the roster is %s's, and has no line for them",
                    named_words(named, job->arena, "is left out", "are left out"), system),
           "say whose the folder is, in the roster's column `folder`, and grade again; or take them out: "
           "warpschool gradebook --remove STUDENT");
}

/* Of one student the file is named; of more, whose they are. */
void cells_warn_of_unplaced(const ExportJob *job, const char *system) {
    Named named = {.count = 0};
    for (size_t i = 0; i < job->class->student_count; i++)
        if (job->class->students[i].unplaced_count > 0) named_add(&named, &job->class->students[i]);
    if (named.count == 0) return;
    const char *words = named_words(&named, job->arena, "has files of no lesson", "have files of no lesson");
    const ClassUnplaced *file = &named.first[0]->unplaced[0];
    const char *more = "";
    if (named.first[0]->unplaced_count > 1) more = ", and more";
    const char *which;
    if (named.count > 1)
        which = "";
    else
        which = arena_format(job->arena, ": %s: %s%s", file->path, file->refused, more);
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0, "%s, which %s will not say%s", words, system,
                    which),
           "send their feedback pages, which have the files' names, or ask for the files again");
}
