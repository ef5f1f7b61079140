/* anonymous.c - numbers in the place of names; see anonymous.h. */
#include "grading/book/anonymous.h"

#include "base/hash.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 6, LEAST_LETTERS = 3 };

bool anonymous_is_open(const Class *class) {
    bool open = false;
    for (size_t i = 0; i < class->lesson_count; i++)
        open = open || class->lessons[i].held;
    return open;
}

bool anonymous_has_held(const Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        if (class->lessons[i % class->lesson_count].held && class->grades[i].state != GRADE_NOTHING &&
            class->grades[i].state != GRADE_EXCUSED)
            return true;
    return false;
}

/* ---- numbers ---- */

/* "4815-1623". `turn` is 0 unless another student has that number. */
static const char *draw_number(Arena *arena, long secret, const char *id, unsigned turn) {
    char hash[HASH_HEX];
    Text text = text_new();
    text_format(&text, "%ld %u %s", secret, turn, id);
    hash_bytes(text.bytes, text.length, hash);
    text_free(&text);
    hash[12] = '\0';
    const unsigned long long drawn = strtoull(hash, NULL, 16) % 100000000;
    return arena_format(arena, "%04llu-%04llu", drawn / 10000, drawn % 10000);
}

static bool is_taken(const Class *class, size_t count, const char *number) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(class->students[i].id, number) == 0) return true;
    return false;
}

/* ---- texts ---- */

/* Whatever says who a student is; path first, as it may contain the others. */
typedef struct Identity {
    const char *words[MOST_WORDS];
    const char *number;
} Identity;

/* A word that is a number, or two letters, may mean anything. */
static bool says_who(const char *word) {
    bool letter = false;
    for (const char *at = word; at != NULL && *at != '\0'; at++)
        letter = letter || !isdigit((unsigned char)*at);
    return letter && strlen(word) >= LEAST_LETTERS;
}

static bool is_inside_word(char c) {
    return isalnum((unsigned char)c) || (c & 0x80) != 0;
}

/* The identity's word that begins here as a whole word; NULL: none. */
static const char *find_word(const Identity *identity, const char *text, const char *at) {
    if (at > text && is_inside_word(at[-1])) return NULL;
    for (size_t i = 0; i < MOST_WORDS; i++) {
        const char *word = identity->words[i];
        if (!says_who(word)) continue;
        const size_t length = strlen(word);
        if (strncasecmp(at, word, length) == 0 && !is_inside_word(at[length])) return word;
    }
    return NULL;
}

/* The text with the number wherever the student is named; the text itself where that is nowhere. */
static const char *scrub(const Identity *identity, Arena *arena, const char *text) {
    Text out = text_new();
    bool found = false;
    if (text == NULL) return NULL;
    for (const char *at = text; *at != '\0';) {
        const char *word = find_word(identity, text, at);
        found = found || word != NULL;
        if (word != NULL)
            text_add(&out, identity->number);
        else
            text_append(&out, at, 1);
        at += word != NULL ? strlen(word) : 1;
    }
    const char *kept = text;
    if (found) kept = arena_string(arena, out.bytes);
    text_free(&out);
    return kept;
}

/* Every text of a result, in place: the class owns it. */
static void scrub_json(const Identity *identity, Arena *arena, struct json_object *value) {
    if (json_object_is_type(value, json_type_string)) {
        const char *text = json_object_get_string(value), *clean = scrub(identity, arena, text);
        if (clean != NULL && clean != text) json_object_set_string(value, clean);
    } else if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++)
            scrub_json(identity, arena, json_object_array_get_idx(value, i));
    } else if (json_object_is_type(value, json_type_object)) {
        struct json_object_iterator at = json_object_iter_begin(value), end = json_object_iter_end(value);
        for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
            scrub_json(identity, arena, json_object_iter_peek_value(&at));
    }
}

/* ---- a student ---- */

/* A file goes by its lesson. A note may name other files, whose names have people in them. */
static void hide_grade(Identity *identity, Arena *arena, const ClassLesson *lesson, Grade *grade) {
    static const char note[] = "there is a note with the names of files, for after the release";
    identity->words[0] = grade->path;
    scrub_json(identity, arena, grade->result);
    grade->refused = scrub(identity, arena, grade->refused);
    grade->remedy = scrub(identity, arena, grade->remedy);
    grade->fault = scrub(identity, arena, grade->fault);
    if (grade->path != NULL) grade->path = arena_format(arena, "%s/%s.cu", identity->number, lesson->name);
    if (grade->note != NULL) grade->note = note;
}

static bool hide_unplaced(const Identity *identity, Arena *arena, ClassStudent *student) {
    ClassUnplaced *files = ARENA_ARRAY(arena, student->unplaced_count + 1, ClassUnplaced);
    for (size_t i = 0; files != NULL && i < student->unplaced_count; i++)
        files[i] = (ClassUnplaced){.path = arena_format(arena, "%s/file %zu", identity->number, i + 1),
                                   .refused = scrub(identity, arena, student->unplaced[i].refused),
                                   .remedy = scrub(identity, arena, student->unplaced[i].remedy)};
    student->unplaced = files;
    return files != NULL;
}

static Identity identity_of(const ClassStudent *named, const char *number) {
    return (Identity){.words = {NULL, named->name, named->email, named->login, named->id}, .number = number};
}

static bool hide(Class *class, Arena *arena, size_t at, const char *number) {
    ClassStudent *student = &class->students[at], *named = ARENA_NEW(arena, ClassStudent);
    if (named == NULL || number == NULL) return false;
    *named = *student;
    Identity identity = identity_of(named, number);
    *student = (ClassStudent){
        .id = number, .unplaced = named->unplaced, .unplaced_count = named->unplaced_count, .named = named};
    if (!hide_unplaced(&identity, arena, student)) return false;
    for (size_t i = 0; i < class->lesson_count; i++) {
        Grade *grade = &class->grades[at * class->lesson_count + i];
        hide_grade(&identity, arena, &class->lessons[i], grade);
        if (grade->unplaced_count > 0) grade->unplaced = student->unplaced;
    }
    return true;
}

/* ---- the class ---- */

static int compare_numbers(const void *a, const void *b) {
    const ClassStudent *const *one = a, *const *other = b;
    return strcmp((*one)->id, (*other)->id);
}

/* Rows in the order of the numbers. */
static bool sort(Class *class, Arena *arena) {
    const size_t count = class->student_count, row = class->lesson_count;
    ClassStudent **order = ARENA_ARRAY(arena, count + 1, ClassStudent *);
    ClassStudent *students = ARENA_ARRAY(arena, count + 1, ClassStudent);
    Grade *grades = ARENA_ARRAY(arena, count * row + 1, Grade);
    if (order == NULL || students == NULL || grades == NULL) return false;
    for (size_t i = 0; i < count; i++)
        order[i] = &class->students[i];
    qsort(order, count, sizeof *order, compare_numbers);
    for (size_t i = 0; i < count; i++) {
        students[i] = *order[i];
        memcpy(&grades[i * row], &class->grades[(size_t)(order[i] - class->students) * row],
               row * sizeof *grades);
    }
    class->students = students;
    class->grades = grades;
    return true;
}

const char *anonymous_number(const Class *class, Arena *arena, const char *key) {
    const char *shown = class_shown(class, key);
    if (shown != key) return shown;
    return draw_number(arena, class->secret, key, 0);
}

const char *anonymous_text(const Class *class, Arena *arena, const char *key, const char *text) {
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        if (student->named == NULL || strcmp(student->named->id, key) != 0) continue;
        const Identity identity = identity_of(student->named, student->id);
        return scrub(&identity, arena, text);
    }
    return text;
}

bool anonymous_apply(Class *class, Arena *arena) {
    for (size_t i = 0; i < class->student_count; i++) {
        const char *number = draw_number(arena, class->secret, class->students[i].id, 0);
        for (unsigned turn = 1; number != NULL && is_taken(class, i, number); turn++)
            number = draw_number(arena, class->secret, class->students[i].id, turn);
        if (!hide(class, arena, i, number)) return false;
    }
    class->anonymous = true;
    return sort(class, arena);
}
