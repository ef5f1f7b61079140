/* handins.c - the table `handed` with its results, in groups; see handins.h. */
#include "grading/book/handins.h"

#include "grading/book/store.h"

#include <limits.h>
#include <string.h>

static const char wanted_rows[] =
    " FROM handed h LEFT JOIN attempt a ON a.number = h.attempt"
    " JOIN (SELECT id FROM student WHERE " STORE_IN_CLASS ") s ON s.id = h.student"
    " WHERE h.lesson IS NOT NULL AND (?1 IS NULL OR h.student = ?1) AND (?2 IS NULL OR h.lesson = ?2)"
    " AND h.grading <= ?3";

static void bind_wanted(Query *query, const HandInsWanted *wanted) {
    query_text(query, wanted->student);
    query_text(query, wanted->lesson);
    query_number(query, wanted->last_grading != 0 ? wanted->last_grading : INT64_MAX);
}

/* A row of the query in handins_read, column by column. */
static HandIn read_row(Query *query, Arena *arena) {
    return (HandIn){.number = query_get_number(query, 0),
                    .grading = query_get_number(query, 1),
                    .file = {.student = query_get_text(query, 2, arena),
                             .lesson = query_get_text(query, 3, arena),
                             .hash = query_get_text(query, 4, arena),
                             .path = query_get_text(query, 5, arena),
                             .time = query_get_number(query, 6),
                             .time_from = query_get_text(query, 7, arena),
                             .refused = query_get_text(query, 8, arena),
                             .remedy = query_get_text(query, 9, arena),
                             .note = query_get_text(query, 10, arena)},
                    .attempt = query_get_number(query, 11),
                    .fault = query_get_text(query, 12, arena),
                    .fault_remedy = query_get_text(query, 13, arena),
                    .score = (int)query_get_number(query, 14),
                    .max_score = (int)query_get_number(query, 15),
                    .passed = query_get_number(query, 16) != 0};
}

static bool read_rows(Query *query, Arena *arena, size_t room, HandInList *list) {
    while (list->count < room && query_row(query))
        list->items[list->count++] = read_row(query, arena);
    return query_close(query);
}

/* What was handed in, grouped by student and lesson, and within a group in the order of gradings and times.
 * */
bool handins_read(Gradebook *book, Arena *arena, const HandInsWanted *wanted, HandInList *list,
                  Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM handed", &room, diagnostics)) return false;
    *list = (HandInList){ARENA_ARRAY(arena, room + 1, HandIn), 0};
    const char *sql =
        arena_format(arena,
                     "SELECT h.number, h.grading, h.student, h.lesson, h.source, h.path, h.time,"
                     " h.time_from, h.refused, h.remedy, h.note, a.number, h.fault, h.fault_remedy,"
                     " a.score, a.max_score, a.verdict = 'pass'%s"
                     " ORDER BY h.student, h.lesson, h.grading, h.time, h.number",
                     wanted_rows);
    if (list->items == NULL || sql == NULL) return store_no_memory(diagnostics);
    Query query = query_open(book, sql, diagnostics);
    bind_wanted(&query, wanted);
    return read_rows(&query, arena, room, list);
}

size_t handins_group(const HandInList *list, size_t first) {
    const BookHanded *file = &list->items[first].file;
    size_t end = first;
    while (end < list->count && strcmp(list->items[end].file.student, file->student) == 0 &&
           strcmp(list->items[end].file.lesson, file->lesson) == 0)
        end++;
    return end - first;
}

/* A file that was refused has no hash, so its path stands for it. */
static bool is_same_file(const BookHanded *one, const BookHanded *other) {
    if (one->hash == NULL || other->hash == NULL)
        return one->hash == other->hash && strcmp(one->path, other->path) == 0;
    return strcmp(one->hash, other->hash) == 0;
}

bool handins_is_newest(const HandIn *group, size_t count, size_t row) {
    for (size_t later = row + 1; later < count; later++)
        if (is_same_file(&group[row].file, &group[later].file)) return false;
    return true;
}

/* Since when the student had handed in this very file: a file that is downloaded again has a later time and
 * is no later. `unbroken` stops at another file in between, as it counts when the newest file does. */
const HandIn *handins_since(const HandIn *group, size_t row, bool unbroken) {
    const HandIn *since = &group[row];
    for (size_t earlier = row; earlier-- > 0;) {
        if (!is_same_file(&group[row].file, &group[earlier].file)) {
            if (unbroken) break;
            continue;
        }
        int64_t time = group[earlier].file.time;
        if (time != 0 && (since->file.time == 0 || time < since->file.time)) since = &group[earlier];
    }
    return since;
}

/* The files to judge again: of each student and lesson the newest, or all different ones where the best
 * counts. */
bool gradebook_read_handed(Gradebook *book, Arena *arena, const char *student, const char *lesson, bool all,
                           BookHandedList *list, Diagnostics *diagnostics) {
    HandInsWanted wanted = {student, lesson, 0};
    HandInList rows;
    *list = (BookHandedList){0};
    if (!handins_read(book, arena, &wanted, &rows, diagnostics)) return false;
    list->items = ARENA_ARRAY(arena, rows.count + 1, BookHanded);
    if (list->items == NULL) return store_no_memory(diagnostics);
    for (size_t first = 0, count; first < rows.count; first += count) {
        const HandIn *group = &rows.items[first];
        count = handins_group(&rows, first);
        for (size_t i = all ? 0 : count - 1; i < count; i++) {
            if (group[i].file.hash == NULL || !handins_is_newest(group, count, i)) continue;
            const HandIn *since = handins_since(group, i, !all);
            BookHanded *file = &list->items[list->count++];
            *file = group[i].file;
            file->time = since->file.time;
            file->time_from = since->file.time_from;
        }
    }
    return true;
}
