/* words.c - the table `word`, and what its rows make of a class; see words.h. */
#include "grading/book/words.h"

#include "grading/book/recovery.h"
#include "grading/book/store.h"

#include <string.h>
#include <time.h>

/* How a kind is called in the book, which is for ever, and in a list for people. */
static const struct {
    const char *stored, *shown;
} kinds[WORD_KINDS] = {
    [WORD_REMOVE] = {"remove", "removed from the class"},
    [WORD_EXCUSE] = {"excuse", "excused"},
    [WORD_RESTORE] = {"restore", "restored"},
    [WORD_COMMENT] = {"comment", "comment"},
    [WORD_RELEASE] = {"release", "released"},
    [WORD_HOLD] = {"hold", "held back"},
    [WORD_ITEM] = {"item", "points for"},
    [WORD_UNSAY] = {"unsay", "taken back"},
    [WORD_REQUEST] = {"request", "asked for another look"},
    [WORD_ANSWER] = {"answer", "answered"},
};

const char *words_name(WordKind kind) {
    return kinds[kind].shown;
}

/* ---- the table ---- */

static bool insert_word(Gradebook *book, const BookWord *word, int64_t *number, Diagnostics *diagnostics) {
    Query query = query_ask(book, diagnostics,
                            "INSERT INTO word (kind, student, lesson, item, text, author, at, points) VALUES "
                            "(%s, %s, %s, %s, %s, %s, "
                            "%ld, %ld)",
                            kinds[word->kind].stored, word->student, word->lesson, word->item, word->text,
                            word->author, time(NULL), word->points);
    const bool fine = query_run(&query);
    *number = sqlite3_last_insert_rowid(book->database);
    return fine;
}

bool gradebook_add_word(Gradebook *book, const BookWord *word, Diagnostics *diagnostics) {
    int64_t number;
    if (word->student != NULL && !store_has_student(book, word->student, diagnostics)) return false;
    if (!store_begin(book, diagnostics)) return false;
    const bool fine = insert_word(book, word, &number, diagnostics);
    return recovery_end(book, RECOVERY_WORD, number, fine, diagnostics);
}

/* Points without the answer would be a change that nobody has explained, and the answer without them a
 * promise that was not kept: both are in the book, or neither is. */
bool gradebook_answer(Gradebook *book, const BookWord *word, const BookOverride *points,
                      Diagnostics *diagnostics) {
    RecoveryRow rows[2] = {{.kind = RECOVERY_WORD}, {.kind = RECOVERY_OVERRIDE}};
    if (!store_has_student(book, word->student, diagnostics) || !store_begin(book, diagnostics)) return false;
    bool fine = insert_word(book, word, &rows[0].number, diagnostics);
    if (points != NULL) fine = fine && store_insert_override(book, points, &rows[1].number, diagnostics);
    return recovery_end_rows(book, rows, points != NULL ? 2 : 1, fine, diagnostics);
}

/* A kind that only a later version knows is passed over. */
static WordKind kind_of(const char *stored) {
    WordKind kind = 0;
    while (kind < WORD_KINDS && (stored == NULL || strcmp(kinds[kind].stored, stored) != 0))
        kind++;
    return kind;
}

bool gradebook_read_words(Gradebook *book, Arena *arena, BookWordList *list, Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM word", &room, diagnostics)) return false;
    *list = (BookWordList){ARENA_ARRAY(arena, room + 1, BookWord), 0};
    if (list->items == NULL) return store_no_memory(diagnostics);
    Query query = query_ask(
        book, diagnostics,
        "SELECT kind, student, lesson, item, points, text, author, at FROM word ORDER BY number LIMIT %ld",
        (int64_t)room);
    while (query_row(&query)) {
        const WordKind kind = kind_of(query_get_text(&query, 0, arena));
        if (kind == WORD_KINDS) continue;
        list->items[list->count++] = (BookWord){.kind = kind,
                                                .student = query_get_text(&query, 1, arena),
                                                .lesson = query_get_text(&query, 2, arena),
                                                .item = query_get_text(&query, 3, arena),
                                                .points = query_get_number(&query, 4),
                                                .text = query_get_text(&query, 5, arena),
                                                .author = query_get_text(&query, 6, arena),
                                                .at = query_get_number(&query, 7)};
    }
    return query_close(&query);
}

/* ---- what counts of them ---- */

/* What a word without a lesson, or without a student, is about: all of them. */
static bool is_about(const char *whom, const char *one) {
    return whom == NULL || strcmp(whom, one) == 0;
}

bool words_is_removed(const BookWordList *list, const char *student) {
    bool removed = false;
    for (size_t i = 0; i < list->count; i++) {
        const BookWord *word = &list->items[i];
        if (!text_same(word->student, student)) continue;
        if (word->kind == WORD_REMOVE) removed = true;
        if (word->kind == WORD_RESTORE && word->lesson == NULL) removed = false;
    }
    return removed;
}

/* The last word that excuses from the lesson; NULL: none that still counts. */
static const BookWord *find_excuse(const BookWordList *list, const char *student, const char *lesson) {
    const BookWord *excuse = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const BookWord *word = &list->items[i];
        if (!text_same(word->student, student) || !is_about(word->lesson, lesson)) continue;
        if (word->kind == WORD_EXCUSE) excuse = word;
        if (word->kind == WORD_RESTORE) excuse = NULL;
    }
    return excuse;
}

/* Whether a later word takes the place of this one, or takes it back. */
static bool is_over(const BookWordList *list, size_t at) {
    const BookWord *word = &list->items[at];
    for (size_t i = at + 1; i < list->count; i++) {
        const BookWord *later = &list->items[i];
        if (!text_same(later->student, word->student) || !text_same(later->lesson, word->lesson)) continue;
        const bool again = word->kind == WORD_ITEM && later->kind == WORD_ITEM;
        if ((again || later->kind == WORD_UNSAY) && text_same(later->item, word->item)) return true;
    }
    return false;
}

static bool is_remark(const BookWord *word) {
    return word->kind == WORD_COMMENT || word->kind == WORD_ITEM || word->kind == WORD_REQUEST;
}

/* A request has no answer yet, but what it asks. */
static GradeRemark remark_of(const BookWord *word) {
    GradeRemark remark = {.item = word->item,
                          .points = (double)word->points / (double)POLICY_POINT,
                          .text = word->text,
                          .author = word->author,
                          .at = word->at};
    if (word->kind != WORD_REQUEST) return remark;
    remark.item = NULL;
    remark.text = NULL;
    remark.question = word->text;
    remark.file = word->item;
    return remark;
}

/* An answer goes to the last request. */
static void answer(GradeRemark *remarks, size_t count, const BookWord *word) {
    for (size_t i = count; i-- > 0;) {
        if (remarks[i].question == NULL || remarks[i].text != NULL) continue;
        remarks[i].text = word->text;
        remarks[i].author = word->author;
        return;
    }
}

/* The comments and items of a grade, in the order in which they were written. */
static bool add_remarks(Grade *grade, Arena *arena, const BookWordList *list, const char *student,
                        const char *lesson) {
    size_t room = 0;
    for (size_t i = 0; i < list->count; i++)
        room += is_remark(&list->items[i]) && is_about(list->items[i].student, student) &&
                is_about(list->items[i].lesson, lesson);
    GradeRemark *remarks = NULL;
    if (room > 0) remarks = ARENA_ARRAY(arena, room, GradeRemark);
    if (room > 0 && remarks == NULL) return false;
    int64_t sum = 0;
    for (size_t i = 0; room > 0 && i < list->count; i++) {
        const BookWord *word = &list->items[i];
        if (!is_about(word->student, student) || !is_about(word->lesson, lesson)) continue;
        if (word->kind == WORD_ANSWER) answer(remarks, grade->remark_count, word);
        if (!is_remark(word) || (word->kind != WORD_REQUEST && is_over(list, i))) continue;
        if (word->kind == WORD_ITEM) sum += word->points;
        remarks[grade->remark_count++] = remark_of(word);
    }
    grade->remarks = remarks;
    grade->item_points = (double)sum / (double)POLICY_POINT;
    return true;
}

/* An excused grade is worth nothing and costs nothing, and what was judged of it is left aside. */
static void excuse(Grade *grade, const BookWord *word) {
    grade->state = GRADE_EXCUSED;
    grade->excuse_reason = word->text;
    grade->excuse_author = word->author;
    grade->points = grade->max_points = 0;
    grade->late_penalty = 0;
    grade->attempt = 0;
    grade->unplaced_count = 0;
}

/* Which lessons a teacher has let out; the last word about one counts. */
static void release(Class *class, const BookWordList *list) {
    for (size_t i = 0; i < list->count; i++) {
        const BookWord *word = &list->items[i];
        const bool out = word->kind == WORD_RELEASE;
        for (size_t j = 0; (out || word->kind == WORD_HOLD) && j < class->lesson_count; j++) {
            ClassLesson *lesson = &class->lessons[j];
            if (!is_about(word->lesson, lesson->name)) continue;
            lesson->held = !out;
            if (out) {
                lesson->released_by = word->author;
                lesson->released_at = word->at;
            } else {
                lesson->released_by = NULL;
                lesson->released_at = 0;
            }
        }
    }
}

bool words_release(Class *class, Arena *arena, Gradebook *book, Diagnostics *diagnostics) {
    BookWordList list;
    if (!gradebook_read_words(book, arena, &list, diagnostics)) return false;
    release(class, &list);
    return true;
}

bool words_apply(Class *class, Arena *arena, Gradebook *book, Diagnostics *diagnostics) {
    BookWordList list;
    if (!gradebook_read_words(book, arena, &list, diagnostics)) return false;
    release(class, &list);
    for (size_t i = 0; list.count > 0 && i < class->student_count * class->lesson_count; i++) {
        const char *student = class->students[i / class->lesson_count].id;
        const char *lesson = class->lessons[i % class->lesson_count].name;
        Grade *grade = &class->grades[i];
        const BookWord *excused = find_excuse(&list, student, lesson);
        if (!add_remarks(grade, arena, &list, student, lesson)) return store_no_memory(diagnostics);
        if (excused != NULL) excuse(grade, excused);
    }
    return true;
}
