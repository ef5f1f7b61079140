/* watch_list.c - the list of lessons inside watch: arrows or j and k move, Enter takes the lesson, / filters.
 */
#include "autograder/watch_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool contains(const char *text, const char *part) {
    return strcasestr(text, part) != NULL;
}

static bool is_listed(const Watch *watch, size_t index) {
    const Lesson *lesson = &watch->course.lessons[index];
    if (watch->list.pending && watch->progress.entries[index].passed) return false;
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
    watch->list = (WatchList){.shown = true, .chosen = (size_t)(watch->lesson - watch->course.lessons)};
}

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
    const Lesson *lesson = &watch->course.lessons[watch->list.chosen];
    if (lesson != watch->lesson) watch_choose(watch, lesson);
}

void watch_list_key(Watch *watch, int key) {
    enum { PAGE = 10 };
    bool moving = key == KEY_UP || key == KEY_DOWN || key == KEY_PAGE_UP || key == KEY_PAGE_DOWN;
    if (watch->list.typing && !moving) {
        type_filter(watch, key);
        return;
    }
    long whole = (long)watch->course.count;
    switch (key) {
    case KEY_UP:
    case 'k':
        move_by(watch, -1);
        break;
    case KEY_DOWN:
    case 'j':
        move_by(watch, 1);
        break;
    case KEY_PAGE_UP:
        move_by(watch, -PAGE);
        break;
    case KEY_PAGE_DOWN:
        move_by(watch, PAGE);
        break;
    case KEY_HOME:
    case 'g':
        move_by(watch, -whole);
        break;
    case KEY_END:
    case 'G':
        move_by(watch, whole);
        break;
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

static void add_lesson(const Watch *watch, size_t index, Text *out) {
    const Lesson *lesson = &watch->course.lessons[index];
    bool chosen = index == watch->list.chosen, passed = watch->progress.entries[index].passed;
    const char *tick = watch->terminal.unicode ? "✓ " : "ok";
    if (chosen && watch->terminal.colour) text_add(out, "\x1b[7m");
    text_format(out, "%s %s %-24s %s%s", chosen ? ">" : " ", passed ? tick : "  ", lesson->name,
                lesson->manifest.title, lesson->manifest.core ? "" : " (not core)");
    text_add(out, "\x1b[0m\n");
}

void watch_list_draw(const Watch *watch, unsigned rows, Text *out) {
    size_t before = 0, listed = 0;
    for (size_t i = 0; i < watch->course.count; i++) {
        if (!is_listed(watch, i)) continue;
        before += i < watch->list.chosen;
        listed++;
    }
    /* The chosen one stays in sight. */
    size_t first = before >= rows ? before - rows + 1 : 0, at = 0;
    unsigned drawn = 0;
    for (size_t i = 0; i < watch->course.count && drawn < rows; i++) {
        if (!is_listed(watch, i) || at++ < first) continue;
        add_lesson(watch, i, out);
        drawn++;
    }
    if (listed == 0 && rows > 0) {
        text_format(out, "no lesson has \"%s\" in its name or title\n", watch->list.filter);
        drawn++;
    }
    for (; drawn < rows; drawn++)
        text_add(out, "\n");
}

const char *watch_list_keys(const Watch *watch) {
    if (watch->list.typing) return "type a part of the name   Enter keep   Esc all lessons";
    return "j/k or arrows move  Enter choose  / filter  p not yet passed  Esc back";
}
