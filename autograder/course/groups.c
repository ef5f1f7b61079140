/* groups.c - reads lessons/groups.txt; see groups.h. */
#include "autograder/course/groups.h"

#include <string.h>

enum { LARGEST_FILE = 1 << 16, MOST_GROUPS = 16 };

static bool has_number(const Lesson *lesson, const char *word) {
    size_t length = strspn(word, "0123456789");
    return length > 0 && strncmp(lesson->name, word, length) == 0 && lesson->name[length] == '-';
}

static bool is_in_group(const Group *group, const Lesson *lesson) {
    for (size_t i = 0; i < group->count; i++)
        if (group->lessons[i] == lesson) return true;
    return false;
}

static void add_lesson(Group *group, const Lesson *lesson) {
    if (!is_in_group(group, lesson)) group->lessons[group->count++] = lesson;
}

static Group *begin_group(Groups *groups, Arena *arena, const Course *course, const char *title,
                          size_t length) {
    Group *group = &groups->items[groups->count];
    while (length > 0 && title[length - 1] == ' ')
        length--;
    group->title = arena_copy(arena, title, length);
    group->lessons = ARENA_ARRAY(arena, course->count + 1, const Lesson *);
    group->count = 0;
    if (group->title != NULL && group->lessons != NULL) return group;
    return NULL;
}

/* "Title | 01 02 03": a group and the numbers of its lessons. Comments, lines without a bar and lessons that
 * this course does not have are passed over. */
static bool read_line(Groups *groups, Arena *arena, const Course *course, char *line) {
    char *bar = strchr(line, '|');
    if (*line == '#' || bar == NULL || groups->count == MOST_GROUPS) return true;
    Group *group = begin_group(groups, arena, course, line, (size_t)(bar - line));
    if (group == NULL) return false;
    char *rest = bar + 1;
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        for (size_t i = 0; i < course->count; i++)
            if (has_number(&course->lessons[i], word)) add_lesson(group, &course->lessons[i]);
    groups->count += group->count > 0;
    return true;
}

/* Lessons that no group names still have to be listed: a class may add its own. */
static bool add_others(Groups *groups, Arena *arena, const Course *course) {
    static const char OTHERS[] = "Others", ALL[] = "Lessons";
    const char *title = ALL;
    if (groups->count > 0) title = OTHERS;
    Group *others = begin_group(groups, arena, course, title, strlen(title));
    if (others == NULL) return false;
    for (size_t i = 0; i < course->count; i++) {
        bool found = false;
        for (size_t j = 0; j < groups->count; j++)
            found = found || is_in_group(&groups->items[j], &course->lessons[i]);
        if (!found) add_lesson(others, &course->lessons[i]);
    }
    groups->count += others->count > 0;
    return true;
}

/* A course without groups.txt has one group with all its lessons. */
bool groups_read(Groups *groups, Arena *arena, const Course *course) {
    *groups = (Groups){.items = ARENA_ARRAY(arena, MOST_GROUPS + 1, Group)};
    const char *path = arena_format(arena, "%s/lessons/groups.txt", course->root);
    if (groups->items == NULL || path == NULL) return false;
    Text text = text_new();
    bool fine = true;
    if (text_read_file(&text, path, LARGEST_FILE)) {
        char *rest = text.bytes;
        for (char *line; fine && (line = strsep(&rest, "\n")) != NULL;)
            fine = read_line(groups, arena, course, line);
    }
    text_free(&text);
    return fine && add_others(groups, arena, course);
}

size_t groups_count_passed(const Group *group, const Progress *progress, const Course *course) {
    size_t passed = 0;
    for (size_t i = 0; i < group->count; i++)
        passed += progress_of(progress, course, group->lessons[i])->passed;
    return passed;
}
