/* names.c - see names.h. Letters outside ASCII are compared byte by byte. */
#include "grading/intake/names.h"

#include "base/nearest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char source_suffix[] = ".cu";

/* A name that somebody else chose, on one line: newlines and tabs are escaped too, and backslashes, so that
 * an escape can be told from its imitation. */
const char *names_visible(Arena *arena, const char *bytes) {
    Text text = text_new();
    for (const char *at = bytes; *at != '\0';) {
        size_t plain = strcspn(at, "\\\n\t");
        text_add_visible(&text, at, plain);
        at += plain;
        if (*at != '\0') text_format(&text, "\\x%02X", (unsigned char)*at++);
    }
    return arena_keep(arena, &text);
}

bool names_end_with(const char *name, const char *suffix) {
    size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcasecmp(name + length - tail, suffix) == 0;
}

/* ---- people ---- */

static bool counts(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static char folded(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c;
}

char *names_folded(Arena *arena, const char *name) {
    char *result = arena_string(arena, name);
    if (result == NULL) return NULL;
    size_t length = 0;
    for (; *name != '\0'; name++)
        if (counts(*name)) result[length++] = folded(*name);
    result[length] = '\0';
    return result;
}

enum { MOST_WORDS = 6 };

/* The words of a name, folded; words past the last one are left out. */
static size_t split_words(Arena *arena, const char *name, char *words[MOST_WORDS]) {
    size_t count = 0;
    while (*name != '\0' && count < MOST_WORDS) {
        while (*name != '\0' && !counts(*name))
            name++;
        size_t length = 0;
        while (name[length] != '\0' && counts(name[length]))
            length++;
        if (length == 0) break;
        char *word = arena_copy(arena, name, length);
        if (word != NULL)
            words[count] = names_folded(arena, word);
        else
            words[count] = NULL;
        if (words[count] == NULL) break;
        count++;
        name += length;
    }
    return count;
}

static int compare_words(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *names_sorted(Arena *arena, const char *name) {
    char *words[MOST_WORDS];
    size_t count = split_words(arena, name, words);
    qsort(words, count, sizeof *words, compare_words);
    char *joined = arena_string(arena, "");
    for (size_t i = 0; i < count && joined != NULL; i++)
        joined = arena_format(arena, "%s%s%s", joined, i > 0 ? " " : "", words[i]);
    return joined;
}

/* Takes one word after the other off the front of the run, and all of them must have been used at its end. */
static bool spells(const char *run, char *const *words, size_t count, unsigned used) {
    if (*run == '\0') return used == (1U << count) - 1;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        if ((used & 1U << i) == 0 && strncmp(run, words[i], length) == 0 &&
            spells(run + length, words, count, used | 1U << i))
            return true;
    }
    return false;
}

bool names_run_of_words(Arena *arena, const char *run, const char *name) {
    char *words[MOST_WORDS];
    size_t count = split_words(arena, name, words);
    return count > 0 && spells(run, words, count, 0);
}

bool names_within(Arena *arena, const char *words, const char *name) {
    char *own[MOST_WORDS], *all[MOST_WORDS];
    const size_t count = split_words(arena, words, own), room = split_words(arena, name, all);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < room; j++) {
            if (strcmp(own[i], all[j]) != 0) continue;
            found++;
            break;
        }
    return count > 0 && found == count;
}

/* ---- lessons ---- */

/* "07 (2)" and "07-2" without their number; a lesson's own name never ends in one. */
static int cut_copy(char *stem) {
    size_t length = strlen(stem), digits = 0;
    bool closed = length > 0 && stem[length - 1] == ')';
    if (closed) length--;
    while (digits < length && isdigit((unsigned char)stem[length - 1 - digits]))
        digits++;
    char mark = '-';
    if (closed) mark = '(';
    if (digits == 0 || digits > 3 || digits + 1 >= length || stem[length - digits - 1] != mark) return 0;
    int copy = atoi(stem + length - digits);
    length -= digits + 1;
    while (length > 0 && stem[length - 1] == ' ')
        length--;
    stem[length] = '\0';
    return copy;
}

/* By its whole name, its number, or the name without the number. */
static bool means(const char *stem, const char *lesson) {
    const char *rest = lesson + strcspn(lesson, "-");
    size_t digits = strspn(stem, "0123456789");
    if (strcmp(stem, lesson) == 0 || (*rest == '-' && strcmp(stem, rest + 1) == 0)) return true;
    return digits > 0 && digits <= 3 && stem[digits] == '\0' && atoi(stem) == atoi(lesson);
}

static const Lesson *find(const Course *course, const char *stem) {
    for (size_t i = 0; i < course->count; i++)
        if (means(stem, course->lessons[i].name)) return &course->lessons[i];
    return NULL;
}

/* The lesson whose name, with or without its number, is so near to what was written that a person sees it;
 * NULL: none. */
static const Lesson *nearest_lesson(const Course *course, const char *stem) {
    Nearest nearest = nearest_to(stem);
    const Lesson *best = NULL;
    for (size_t i = 0; i < course->count; i++) {
        const char *name = course->lessons[i].name, *rest = name + strcspn(name, "-");
        bool nearer = nearest_offer(&nearest, name);
        nearer = nearest_offer(&nearest, *rest == '-' ? rest + 1 : rest) || nearer;
        if (nearer) best = &course->lessons[i];
    }
    return best;
}

static char *read_stem(Arena *arena, const char *name, size_t length) {
    char *stem = arena_copy(arena, name, length);
    for (char *at = stem; at != NULL && *at != '\0'; at++) {
        *at = folded(*at);
        if (*at == '_') *at = '-';
    }
    return stem;
}

static const Lesson *find_with_copy(const Course *course, char *stem, int *copy) {
    const Lesson *lesson = find(course, stem);
    *copy = 0;
    if (lesson != NULL) return lesson;
    *copy = cut_copy(stem);
    if (*copy != 0) return find(course, stem);
    return NULL;
}

/* A program that is named as no lesson. */
static void read_other(Arena *arena, const Course *course, const Lesson *others, const char *stem,
                       NameReading *reading) {
    reading->stem = stem;
    if (others != NULL) {
        reading->lesson = others->name;
        return;
    }
    reading->refused = "no lesson has this name";
    const Lesson *near = nearest_lesson(course, stem);
    if (near != NULL)
        reading->remedy =
            arena_format(arena, "files are named as the starters are, for example %s.cu", near->name);
    else
        reading->remedy = "files are named as the starters are, or by the lesson's number: 07.cu";
}

bool names_foreign_archive(const char *name) {
    static const char *const kinds[] = {".7z", ".rar", ".tar", ".gz", ".xz", ".bz2", ".zst"};
    if (names_end_with(name, ".tar.gz")) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (names_end_with(name, kinds[i])) return true;
    return false;
}

/* Which lesson a file's name means, and the number of the copy that a browser has added. A source that fits
 * no lesson is refused with the nearest one; other files only where they look like a lesson's. */
NameReading names_read(Arena *arena, const Course *course, const Lesson *others, const char *name) {
    NameReading reading = {.copy = 0};
    bool is_source = names_end_with(name, source_suffix);
    size_t length = strlen(name);
    if (is_source)
        length = length - strlen(source_suffix);
    else
        length = strcspn(name, ".");
    char *stem = read_stem(arena, name, length);
    if (stem == NULL) return reading;
    const Lesson *lesson = find_with_copy(course, stem, &reading.copy);
    if (is_source && lesson != NULL)
        reading.lesson = lesson->name;
    else if (is_source)
        read_other(arena, course, others, stem, &reading);
    else if (lesson != NULL && strchr(name, '.') != NULL && !names_foreign_archive(name)) {
        reading.refused = "its name does not end in .cu";
        reading.remedy = arena_format(arena, "if it is the program, name it %s.cu", lesson->name);
    }
    return reading;
}
