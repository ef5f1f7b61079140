/* unplaced.c - see unplaced.h. */
#include "grading/book/unplaced.h"

#include "grading/book/store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* `fresh` is the grading in which a student's newest source was first seen: a regrading finds none, so it
 * takes no refusal away. */
static const char unplaced_rows[] =
    "WITH first AS (SELECT student, min(grading) AS seen FROM handed"
    " WHERE source IS NOT NULL AND grading <= ?1 GROUP BY student, source),"
    " fresh AS (SELECT student, max(seen) AS last FROM first GROUP BY student),"
    " lost AS (SELECT student, max(grading) AS last FROM handed"
    " WHERE lesson IS NULL AND grading <= ?1 GROUP BY student)"
    " SELECT h.student, h.path, h.refused, h.remedy FROM handed h"
    " JOIN lost ON lost.student = h.student AND lost.last = h.grading"
    " LEFT JOIN fresh ON fresh.student = h.student"
    " WHERE h.lesson IS NULL AND lost.last >= coalesce(fresh.last, 0)"
    " ORDER BY h.student, h.number LIMIT ?2";

static int compare_student(const void *id, const void *student) {
    return strcmp(id, ((const ClassStudent *)student)->id);
}

/* The rows come by student, so each one's are neighbours in the list. */
static bool read_rows(Query *query, Class *class, Arena *arena, ClassUnplaced *list) {
    while (query_row(query)) {
        const char *id = query_get_text(query, 0, arena);
        ClassStudent *student = NULL;
        if (id != NULL)
            student =
                bsearch(id, class->students, class->student_count, sizeof *class->students, compare_student);
        if (student == NULL) continue;
        if (student->unplaced_count++ == 0) student->unplaced = list;
        *list++ = (ClassUnplaced){query_get_text(query, 1, arena), query_get_text(query, 2, arena),
                                  query_get_text(query, 3, arena)};
    }
    return query_close(query);
}

static void point_from_grades(Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const ClassStudent *student = &class->students[i / class->lesson_count];
        if (class->grades[i].state != GRADE_NOTHING) continue;
        class->grades[i].unplaced = student->unplaced;
        class->grades[i].unplaced_count = student->unplaced_count;
    }
}

/* Files that no lesson was found for. They count for nothing, and are told so that a misspelt name is
 * noticed. */
bool unplaced_read(Class *class, Arena *arena, Gradebook *book, int64_t last_grading,
                   Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM handed WHERE lesson IS NULL", &room, diagnostics))
        return false;
    if (room == 0) return true;
    ClassUnplaced *list = ARENA_ARRAY(arena, room, ClassUnplaced);
    if (list == NULL) return store_no_memory(diagnostics);
    Query query = query_open(book, unplaced_rows, diagnostics);
    query_number(&query, last_grading != 0 ? last_grading : INT64_MAX);
    query_number(&query, (int64_t)room);
    if (!read_rows(&query, class, arena, list)) return false;
    point_from_grades(class);
    return true;
}
