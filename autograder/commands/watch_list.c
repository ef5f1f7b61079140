/* watch_list.c - the list of lessons inside watch: arrows or j and k move, Enter takes the lesson, / filters.
 */
#include "autograder/commands/watch_parts.h"

#include <ctype.h>
#include <string.h>

static bool contains(const char *text, const char *part) {
    return strcasestr(text, part) != NULL;
}

/* The lesson at that place of the list, and its group; NULL past the end. */
static const Lesson *lesson_at(const Watch *watch, size_t place, const Group **group) {
    for (size_t i = 0; i < watch->groups.count; i++) {
        *group = &watch->groups.items[i];
        if (place < (*group)->count) return (*group)->lessons[place];
        place -= (*group)->count;
    }
    return NULL;
}

static bool is_passed(const Watch *watch, const Lesson *lesson) {
    return watch->progress.entries[lesson - watch->course.lessons].passed;
}

static bool is_listed(const Watch *watch, size_t place) {
    const Group *group;
    const Lesson *lesson = lesson_at(watch, place, &group);
    if (lesson == NULL || (watch->list.pending && is_passed(watch, lesson))) return false;
    return contains(lesson->name, watch->list.filter) || contains(lesson->manifest.title, watch->list.filter);
}

/* The listed lesson `steps` further on (or back), as far as there is one. */
static void move_by(Watch *watch, long steps) {
    size_t at = watch->list.chosen;
    while (steps != 0) {
        bool down = steps > 0;
        if (down ? at + 1 >= watch->course.count : at == 0) break;
        at += down ? 1 : (size_t)-1;
        if (!is_listed(watch, at)) continue;
        watch->list.chosen = at;
        steps -= down ? 1 : -1;
    }
}

/* After the filter changed: the lesson that was chosen, or the first that is listed. */
static void choose_listed(Watch *watch) {
    if (is_listed(watch, watch->list.chosen)) return;
    for (size_t i = 0; i < watch->course.count; i++) {
        if (!is_listed(watch, i)) continue;
        watch->list.chosen = i;
        return;
    }
}

void watch_list_open(Watch *watch) {
    const Group *group;
    watch->list = (WatchList){.shown = true};
    for (size_t i = 0; i < watch->course.count; i++)
        if (lesson_at(watch, i, &group) == watch->lesson) watch->list.chosen = i;
}

/* The filter grows and shrinks key by key, and the list with it. */
static void type_filter(Watch *watch, int key) {
    WatchList *list = &watch->list;
    size_t length = strlen(list->filter);
    if (key == KEY_ENTER || key == KEY_ESCAPE) {
        list->typing = false;
        if (key == KEY_ESCAPE) list->filter[0] = '\0';
    } else if (key == KEY_BACKSPACE && length > 0) {
        list->filter[length - 1] = '\0';
    } else if (key >= ' ' && key < 127 && length + 1 < sizeof list->filter) {
        list->filter[length] = (char)key;
        list->filter[length + 1] = '\0';
    }
    choose_listed(watch);
}

static void take_chosen(Watch *watch) {
    if (!is_listed(watch, watch->list.chosen)) return;
    watch->list.shown = false;
    const Group *group;
    const Lesson *lesson = lesson_at(watch, watch->list.chosen, &group);
    if (lesson != watch->lesson) watch_choose(watch, lesson);
}

/* How far a key moves the choice; move_by keeps it inside of the list. */
static long steps_of_key(const Watch *watch, int key) {
    enum { PAGE = 10 };
    const long whole = (long)watch->course.count;
    switch (key) {
    case KEY_UP:
    case 'k':
        return -1;
    case KEY_DOWN:
    case 'j':
        return 1;
    case KEY_PAGE_UP:
        return -PAGE;
    case KEY_PAGE_DOWN:
        return PAGE;
    case KEY_HOME:
    case 'g':
        return -whole;
    case KEY_END:
    case 'G':
        return whole;
    default:
        return 0;
    }
}

/* The keys of the list. While a filter is typed, letters belong to it and only the cursor keys still move. */
void watch_list_key(Watch *watch, int key) {
    bool moving = key == KEY_UP || key == KEY_DOWN || key == KEY_PAGE_UP || key == KEY_PAGE_DOWN;
    if (watch->list.typing && !moving) {
        type_filter(watch, key);
        return;
    }
    move_by(watch, steps_of_key(watch, key));
    switch (key) {
    case '/':
        watch->list.typing = true;
        break;
    case 'p':
        watch->list.pending = !watch->list.pending;
        choose_listed(watch);
        break;
    case KEY_ENTER:
        take_chosen(watch);
        break;
    case KEY_ESCAPE:
    case 'l':
    case 'q':
        watch->list.shown = false;
        break;
    default:
        break;
    }
}

/* A row: the choice, whether the lesson is passed, its name and title. */
static void add_lesson(const Watch *watch, size_t place, Text *out) {
    const Group *group;
    const Lesson *lesson = lesson_at(watch, place, &group);
    bool chosen = place == watch->list.chosen, passed = is_passed(watch, lesson);
    const char *tick = "ok";
    if (watch->terminal.unicode) tick = "✓ ";
    if (chosen && watch->terminal.colour) text_add(out, "\x1b[7m");
    text_add(out, chosen ? "> " : "  ");
    text_add(out, passed ? tick : "  ");
    text_format(out, " %-24s %s", lesson->name, lesson->manifest.title);
    if (lesson->manifest.core) {
        text_add(out, " ");
        say_learner(out, LEARNER_PLACE, &(LearnerFacts){.core = true});
    }
    text_add(out, "\x1b[0m\n");
}

static void add_group(const Watch *watch, const Group *group, Text *out) {
    if (watch->terminal.colour) text_add(out, "\x1b[1m");
    say_learner(out, LEARNER_GROUP,
                &(LearnerFacts){.title = group->title,
                                .passed = groups_count_passed(group, &watch->progress, &watch->course),
                                .count = group->count});
    text_add(out, "\x1b[0m\n");
}

/* All rows of the list, a heading before each group; the row of the chosen lesson. */
static unsigned add_all(const Watch *watch, Text *all) {
    const Group *headed = NULL;
    unsigned row = 0, chosen = 0;
    for (size_t i = 0; i < watch->course.count; i++) {
        const Group *group;
        if (!is_listed(watch, i) || lesson_at(watch, i, &group) == NULL) continue;
        if (group != headed) {
            add_group(watch, group, all);
            row++;
        }
        headed = group;
        if (i == watch->list.chosen) chosen = row;
        add_lesson(watch, i, all);
        row++;
    }
    if (row > 0) return chosen;
    say_watch(all, WATCH_NOT_LISTED, &(WatchFacts){.filter = watch->list.filter});
    text_add(all, "\n");
    return chosen;
}

/* The chosen one stays in sight. */
void watch_list_draw(const Watch *watch, unsigned rows, Text *out) {
    Text all = text_new();
    unsigned chosen = add_all(watch, &all), first = chosen >= rows ? chosen - rows + 1 : 0, drawn = 0;
    const char *line = "";
    if (all.length > 0) line = all.bytes;
    for (unsigned row = 0; *line != '\0' && drawn < rows; row++) {
        size_t length = strcspn(line, "\n") + 1;
        if (row >= first) {
            text_append(out, line, length);
            drawn++;
        }
        line += length;
    }
    for (; drawn < rows; drawn++)
        text_add(out, "\n");
    text_free(&all);
}

const char *watch_list_keys(const Watch *watch) {
    if (watch->list.typing) return "type a part of the name   Enter keep   Esc all lessons";
    return "j/k or arrows move  Enter choose  / filter  p not yet passed  Esc back";
}
