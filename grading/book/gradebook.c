/* gradebook.c - gradings, what was handed in, results, faults and overrides; see gradebook.h.
 *
 * Each function that writes is one transaction, so that a caller never sees half of it, whatever ends the
 * process.
 */
#include "base/hash.h"

#include "base/json.h"
#include "base/seed.h"
#include "grading/book/recovery.h"
#include "grading/book/store.h"

#include <string.h>
#include <time.h>

const char *gradebook_course(Gradebook *book, Arena *arena, Diagnostics *diagnostics) {
    int errors = diagnostics->errors;
    const char *course = store_text(book, arena, diagnostics, "SELECT course FROM book");
    if (course == NULL && diagnostics->errors == errors)
        diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0,
                 "the gradebook does not say which course it is of");
    return course;
}

const char *gradebook_policy(Gradebook *book, Arena *arena, Diagnostics *diagnostics) {
    return store_text(book, arena, diagnostics, "SELECT policy FROM grading ORDER BY number DESC LIMIT 1");
}

/* ---- gradings ---- */

static bool choose_seed(const BookOrder *order, const BookGrading *last, long *seed,
                        Diagnostics *diagnostics) {
    if (order->seed == NULL && (order->new_seed || last == NULL)) return seed_draw(seed, diagnostics);
    if (order->seed != NULL)
        *seed = *order->seed;
    else
        *seed = last->seed;
    return true;
}

static bool continues(const BookGrading *last, const BookOrder *order, long seed) {
    return last != NULL && last->ended == 0 && last->seed == seed &&
           strcmp(last->versions, order->versions) == 0 && strcmp(last->sandbox, order->sandbox) == 0;
}

/* The policy is that of the last start: the rules may have been mended since. */
static bool write_grading(Gradebook *book, const BookOrder *order, BookGrading *grading,
                          Diagnostics *diagnostics) {
    if (grading->resumed)
        return store_change(book, diagnostics, "UPDATE grading SET policy = %s WHERE number = %ld",
                            order->policy, grading->id);
    if (!store_change(
            book, diagnostics,
            "INSERT INTO grading (policy, seed, versions, sandbox, started) VALUES (%s, %ld, %s, %s, %ld)",
            order->policy, grading->seed, order->versions, order->sandbox, grading->started))
        return false;
    grading->id = sqlite3_last_insert_rowid(book->database);
    return true;
}

/* A grading that was not ended, with the same rules, seed and tools, goes on; anything else begins a new one.
 * Number and seed are in the recovery file too before anything is judged by them. */
bool gradebook_begin_grading(Gradebook *book, const BookOrder *order, BookGrading *grading, Arena *arena,
                             Diagnostics *diagnostics) {
    BookGradingList list;
    long seed;
    if (!gradebook_read_gradings(book, arena, &list, diagnostics)) return false;
    const BookGrading *last = NULL;
    if (list.count > 0) last = &list.items[list.count - 1];
    if (!choose_seed(order, last, &seed, diagnostics)) return false;
    *grading = (BookGrading){.seed = seed,
                             .versions = arena_string(arena, order->versions),
                             .sandbox = arena_string(arena, order->sandbox),
                             .started = time(NULL)};
    if (continues(last, order, seed)) *grading = *last, grading->resumed = true;
    if (grading->versions == NULL || grading->sandbox == NULL) return store_no_memory(diagnostics);
    if (!store_begin(book, diagnostics)) return false;
    bool fine = write_grading(book, order, grading, diagnostics);
    return recovery_end(book, RECOVERY_GRADING, grading->id, fine, diagnostics);
}

bool gradebook_end_grading(Gradebook *book, const BookGrading *grading, Diagnostics *diagnostics) {
    return store_change(book, diagnostics, "UPDATE grading SET ended = %ld WHERE number = %ld", time(NULL),
                        grading->id);
}

/* All gradings, oldest first. */
bool gradebook_read_gradings(Gradebook *book, Arena *arena, BookGradingList *list, Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM grading", &room, diagnostics)) return false;
    *list = (BookGradingList){ARENA_ARRAY(arena, room + 1, BookGrading), 0};
    if (list->items == NULL) return store_no_memory(diagnostics);
    Query query = query_ask(
        book, diagnostics,
        "SELECT number, seed, versions, sandbox, started, ended FROM grading ORDER BY number LIMIT %ld",
        (int64_t)room);
    while (query_row(&query))
        list->items[list->count++] = (BookGrading){.id = query_get_number(&query, 0),
                                                   .seed = query_get_number(&query, 1),
                                                   .versions = query_get_text(&query, 2, arena),
                                                   .sandbox = query_get_text(&query, 3, arena),
                                                   .started = query_get_number(&query, 4),
                                                   .ended = query_get_number(&query, 5)};
    return query_close(&query);
}

/* ---- what was handed in ---- */

/* The roster may say more about somebody than the last one did; what it does not say stays. */
static bool write_students(Gradebook *book, const BookStudent *students, size_t count,
                           Diagnostics *diagnostics) {
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++)
        fine = store_change(
            book, diagnostics,
            "INSERT INTO student (id, name, email, login, section, line, listed) VALUES (%s, %s, %s, %s, %s, "
            "%s, %d)"
            " ON CONFLICT (id) DO UPDATE SET listed = max(listed, excluded.listed),"
            " name = ifnull(excluded.name, name), email = ifnull(excluded.email, email),"
            " login = ifnull(excluded.login, login), section = ifnull(excluded.section, section),"
            " line = ifnull(excluded.line, line)",
            students[i].id, students[i].name, students[i].email, students[i].login, students[i].section,
            students[i].line, students[i].listed);
    return fine;
}

bool gradebook_keep_source(Gradebook *book, const char *hash, const char *bytes, size_t length,
                           Diagnostics *diagnostics) {
    Query query = query_open(book, "INSERT OR IGNORE INTO source (hash, bytes) VALUES (?, ?)", diagnostics);
    query_text(&query, hash);
    query_blob(&query, bytes, length);
    return query_run(&query);
}

static bool write_sources(Gradebook *book, const BookHanded *handed, size_t count, Diagnostics *diagnostics) {
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++)
        if (handed[i].hash != NULL && handed[i].bytes != NULL)
            fine =
                gradebook_keep_source(book, handed[i].hash, handed[i].bytes, handed[i].length, diagnostics);
    return fine;
}

/* What was handed in, as this grading found it; rows are never changed but for what judging adds to them. */
static bool write_handed(Gradebook *book, int64_t grading, const BookHanded *handed, size_t count,
                         Diagnostics *diagnostics) {
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++)
        fine = store_change(
            book, diagnostics,
            "INSERT INTO handed (grading, student, lesson, source, path, time, time_from, refused,"
            " remedy, note) VALUES (%ld, %s, %s, %s, %s, %ld, %s, %s, %s, %s)",
            grading, handed[i].student, handed[i].lesson, handed[i].hash, handed[i].path, handed[i].time,
            handed[i].time_from, handed[i].refused, handed[i].remedy, handed[i].note);
    return fine;
}

bool gradebook_hand_in(Gradebook *book, const BookGrading *grading, const BookStudent *students,
                       size_t student_count, const BookHanded *handed, size_t handed_count,
                       Diagnostics *diagnostics) {
    if (!store_begin(book, diagnostics)) return false;
    bool fine = store_change(book, diagnostics, "DELETE FROM handed WHERE grading = %ld", grading->id) &&
                write_students(book, students, student_count, diagnostics) &&
                write_sources(book, handed, handed_count, diagnostics) &&
                write_handed(book, grading->id, handed, handed_count, diagnostics);
    return store_end(book, fine, diagnostics);
}

/* A student's file as it was handed in, known by the hash of its bytes: one that no longer has that hash is
 * damaged, and is not judged. */
bool gradebook_read_source(Gradebook *book, const char *hash, Text *source, Diagnostics *diagnostics) {
    char found[HASH_HEX] = "";
    Query query = query_ask(book, diagnostics, "SELECT bytes FROM source WHERE hash = %s", hash);
    if (query_row(&query)) {
        const char *bytes = sqlite3_column_blob(query.statement, 0);
        size_t length = (size_t)sqlite3_column_bytes(query.statement, 0);
        if (bytes != NULL) text_append(source, bytes, length);
        hash_bytes(text_or(bytes, ""), length, found);
    }
    if (!query_close(&query)) return false;
    if (source->failed) return store_no_memory(diagnostics);
    if (strcmp(found, hash) == 0) return true;
    diagnostics->internal = true;
    return advise(diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0,
                           *found == '\0' ? "the gradebook has no source %.12s"
                                          : "the source %.12s in the gradebook is damaged",
                           hash),
                  "grade the folder again that it came from");
}

/* ---- results ---- */

/* The number of the attempt with this key, 0 when there is none; one that is not what was written does not
 * count, and leaves. */
static bool find_attempt(Gradebook *book, const BookKey *key, int64_t *number, Diagnostics *diagnostics) {
    Query query = query_ask(book, diagnostics,
                            "SELECT " ATTEMPT_COLUMNS " FROM attempt WHERE student = %s AND lesson = %s"
                            " AND source = %s AND revision = %s AND versions = %s AND seed = %ld",
                            key->student, key->lesson, key->hash, key->revision, key->versions, key->seed);
    if (query_row(&query))
        *number = query_get_number(&query, 0);
    else
        *number = 0;
    bool whole = *number == 0 || attempt_is_whole(&query);
    if (!query_close(&query)) return false;
    if (whole) return true;
    const int64_t damaged = *number;
    *number = 0;
    return store_change(book, diagnostics, "UPDATE handed SET attempt = NULL WHERE attempt = %ld", damaged) &&
           store_change(book, diagnostics, "DELETE FROM attempt WHERE number = %ld", damaged);
}

/* The grading's files with this source have this result, and no fault any more. */
static bool link_attempt(Gradebook *book, const BookGrading *grading, const BookKey *key, int64_t number,
                         Diagnostics *diagnostics) {
    return store_change(book, diagnostics,
                        "UPDATE handed SET attempt = %ld, fault = NULL, fault_remedy = NULL"
                        " WHERE grading = %ld AND student = %s AND lesson = %s AND source = %s",
                        number, grading->id, key->student, key->lesson, key->hash);
}

bool gradebook_reuse(Gradebook *book, const BookGrading *grading, const BookKey *key,
                     Diagnostics *diagnostics) {
    int64_t number = 0;
    if (!store_begin(book, diagnostics)) return false;
    bool fine = find_attempt(book, key, &number, diagnostics) &&
                (number == 0 || link_attempt(book, grading, key, number, diagnostics));
    return store_end(book, fine, diagnostics) && number != 0;
}

/* Whether the file was judged by the lesson as it is now, with whatever seed. */
bool gradebook_knows_revision(Gradebook *book, const BookHanded *handed, const char *revision,
                              Diagnostics *diagnostics) {
    return store_number(
               book, diagnostics,
               "SELECT 1 FROM attempt WHERE student = %s AND lesson = %s AND source = %s AND revision = %s",
               handed->student, handed->lesson, handed->hash, revision) != 0;
}

/* A worker's file is believed only as far as it makes sense: a verdict, and a score that fits its most. */
static bool check_result(struct json_object *result, const BookKey *key, Diagnostics *diagnostics) {
    enum { MOST_POINTS = 100000 };
    const char *verdict = json_text(result, "verdict", "");
    long score = json_number(result, "score", -1), most = json_number(result, "max_score", -1);
    bool decided = strcmp(verdict, "pass") == 0 || strcmp(verdict, "fail") == 0;
    if (decided && score >= 0 && score <= most && most <= MOST_POINTS &&
        strcmp(json_text(result, "lesson", ""), key->lesson) == 0)
        return true;
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "what came back for %s, %s, is no result: verdict `%s`, score %ld of %ld",
                           key->student, key->lesson, verdict, score, most),
                  "grade it again; a person must look when this repeats");
}

/* The result is kept with a sum over itself and what it is the result of, so that damage is noticed when it
 * is read. */
static bool insert_attempt(Gradebook *book, const BookKey *key, struct json_object *result, int64_t *number,
                           Diagnostics *diagnostics) {
    char sum[HASH_HEX];
    const char *text = json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN);
    if (text == NULL) return store_no_memory(diagnostics);
    int64_t score = json_number(result, "score", 0), most = json_number(result, "max_score", 0);
    attempt_sum(key, score, most, text, sum);
    if (*sum == '\0') return store_no_memory(diagnostics);
    if (!store_change(
            book, diagnostics,
            "INSERT INTO attempt (student, lesson, source, revision, versions, seed, device, sandbox,"
            " verdict, score, max_score, decided, result, sum)"
            " VALUES (%s, %s, %s, %s, %s, %ld, %s, %s, %s, %ld, %ld, %ld, %s, %s)",
            key->student, key->lesson, key->hash, key->revision, key->versions, key->seed,
            json_text(result, "device", NULL), json_text(result, "sandbox", NULL),
            json_text(result, "verdict", NULL), score, most, time(NULL), text, sum))
        return false;
    *number = sqlite3_last_insert_rowid(book->database);
    return true;
}

bool gradebook_add_attempt(Gradebook *book, const BookGrading *grading, const BookKey *key,
                           struct json_object *result, Diagnostics *diagnostics) {
    int64_t number = 0;
    if (!check_result(result, key, diagnostics) || !store_begin(book, diagnostics)) return false;
    bool fine = find_attempt(book, key, &number, diagnostics) &&
                (number != 0 || insert_attempt(book, key, result, &number, diagnostics)) &&
                link_attempt(book, grading, key, number, diagnostics);
    return store_end(book, fine, diagnostics);
}

/* The grader failed on this file. It has no attempt then, so the next grading tries again. */
bool gradebook_add_fault(Gradebook *book, const BookGrading *grading, const BookKey *key, const char *what,
                         const char *remedy, Diagnostics *diagnostics) {
    return store_change(book, diagnostics,
                        "UPDATE handed SET fault = %s, fault_remedy = %s, faults = faults + 1, attempt = NULL"
                        " WHERE grading = %ld AND student = %s AND lesson = %s AND source = %s",
                        what, remedy, grading->id, key->student, key->lesson, key->hash);
}

/* ---- overrides ---- */

bool store_has_student(Gradebook *book, const char *id, Diagnostics *diagnostics) {
    Query query = query_ask(book, diagnostics, "SELECT number FROM student WHERE id = %s", id);
    bool found = query_row(&query);
    if (!query_close(&query)) return false;
    if (found) return true;
    return advise(
        diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0, "there is no student `%s` in the gradebook", id),
        "see them all: warpschool gradebook; those that were removed: warpschool gradebook --history");
}

/* No points (NULL) take earlier overrides back; they stay in the book. */
bool store_insert_override(Gradebook *book, const BookOverride *override, int64_t *number,
                           Diagnostics *diagnostics) {
    const bool fine = store_change(book, diagnostics,
                                   "INSERT INTO override (student, lesson, reason, author, at, points)"
                                   " VALUES (%s, %s, %s, %s, %ld, nullif(max(%ld, -1), -1))",
                                   override->student, override->lesson, override->reason, override->author,
                                   time(NULL), override->points);
    *number = sqlite3_last_insert_rowid(book->database);
    return fine;
}

/* A grade changed by hand, with who and why. */
bool gradebook_override(Gradebook *book, const BookOverride *override, Diagnostics *diagnostics) {
    int64_t number;
    if (!store_has_student(book, override->student, diagnostics) || !store_begin(book, diagnostics))
        return false;
    const bool fine = store_insert_override(book, override, &number, diagnostics);
    return recovery_end(book, RECOVERY_OVERRIDE, number, fine, diagnostics);
}

/* All overrides in the order in which they were made; points are -1 where one takes others back. */
bool gradebook_read_overrides(Gradebook *book, Arena *arena, BookOverrideList *list,
                              Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM override", &room, diagnostics)) return false;
    *list = (BookOverrideList){ARENA_ARRAY(arena, room + 1, BookOverride), 0};
    if (list->items == NULL) return store_no_memory(diagnostics);
    Query query = query_ask(book, diagnostics,
                            "SELECT student, lesson, ifnull(points, -1), reason, author, at FROM override"
                            " ORDER BY number LIMIT %ld",
                            (int64_t)room);
    while (query_row(&query))
        list->items[list->count++] = (BookOverride){.student = query_get_text(&query, 0, arena),
                                                    .lesson = query_get_text(&query, 1, arena),
                                                    .points = query_get_number(&query, 2),
                                                    .reason = query_get_text(&query, 3, arena),
                                                    .author = query_get_text(&query, 4, arena),
                                                    .at = query_get_number(&query, 5)};
    return query_close(&query);
}
