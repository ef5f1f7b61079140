/* layout.c - the forms of downloads; see layout.h. */
#include "grading/intake/layout.h"

#include "autograder/advise.h"

#include "grading/intake/names.h"
#include "grading/intake/roster.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char metadata_name[] = "submission_metadata.yml";

/* A submission is a node of the tree and what is known of whose it is. */
Submission *layout_add(SubmissionList *list, Arena *arena, Node *node, const Clues *clues) {
    Submission *added = ARENA_NEW(arena, Submission);
    if (added == NULL) return NULL;
    *added = (Submission){.clues = *clues, .node = node};
    if (list->last != NULL)
        list->last->next = added;
    else
        list->first = added;
    list->last = added;
    list->count++;
    return added;
}

static void warn(Diagnostics *diagnostics, const char *file, const char *message, const char *remedy) {
    advise(diag_add(diagnostics, DIAG_WARNING, file, 0, 0, "%s", message), remedy);
}

/* ---- Canvas and Moodle: the name says whose it is ---- */

/* What stands behind a number and an underscore; NULL where there is none, or one of fewer digits. */
static const char *past_number(const char *at, size_t least) {
    size_t digits = strspn(at, "0123456789");
    return digits >= least && at[digits] == '_' ? at + digits + 1 : NULL;
}

/* What the student called the file: behind the user's number and the file's, or behind the user's where
 * Canvas has written down what was typed in. NULL when that is not what stands here. */
static const char *past_ids(const char *at, size_t least) {
    const char *rest = past_number(at, least), *file = rest != NULL ? past_number(rest, least) : NULL;
    if (rest != NULL && (strcmp(rest, "text.html") == 0 || strcmp(rest, "link.html") == 0)) return rest;
    return file != NULL && *file != '\0' ? file : NULL;
}

/* Where the user's number stands: Canvas leaves no such numbers in a name. A name may hold underscores; an
 * anonymous download has none, and numbers of some length must do. */
static const char *find_ids(const char *name, const char **file) {
    enum { OF_ANONYMOUS = 3 };
    for (const char *at = name;; at++) {
        *file = past_ids(at, at == name ? OF_ANONYMOUS : 1);
        if (*file != NULL) return at;
        at = strchr(at, '_');
        if (at == NULL) return NULL;
    }
}

/* lastfirst_LATE_12345_67890_name.cu; in some editions "late", and without the name when it is hidden. */
static bool read_canvas(SubmissionList *list, Arena *arena, Node *node) {
    static const char mark[] = "late_";
    const char *name = node->name, *file, *at = node->kind != NODE_FOLDER ? find_ids(name, &file) : NULL;
    if (at == NULL) return false;
    size_t before = (size_t)(at - name), length = strlen(mark);
    bool late = before >= length && strncasecmp(at - length, mark, length) == 0 &&
                (before == length || at[-(ptrdiff_t)length - 1] == '_');
    if (late) before -= length;
    Clues clues = {.id = arena_copy(arena, at, strspn(at, "0123456789"))};
    if (before > 1) clues.run = arena_copy(arena, name, before - 1);
    clues.folder = clues.run != NULL ? clues.run : clues.id;
    Submission *added = layout_add(list, arena, node, &clues);
    if (added == NULL) return true;
    added->file = file;
    added->late = late;
    return true;
}

/* What Moodle calls the places where something is handed in; what was typed into a text field is no file to
 * grade, and refused as its student's. A name that somebody chose may hold such a mark and another one's
 * number before it: so a folder's mark is the one at its end, and a file with two of them is nobody's. */
static const char *find_moodle_mark(const Node *node, size_t *length) {
    static const char stem[] = "_assignsubmission_";
    static const char *const kinds[] = {"file", "onlinetext"};
    const char *mark = strstr(node->name, stem);
    for (const char *next = mark; next != NULL; next = strstr(next + 1, stem)) {
        if (next != mark && node->kind != NODE_FOLDER) return NULL;
        mark = next;
    }
    for (size_t i = 0; mark != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        *length = strlen(stem) + strlen(kinds[i]);
        if (text_starts_with(mark + strlen(stem), kinds[i])) return mark;
    }
    return NULL;
}

/* "Full Name_12345_assignsubmission_file_", a folder or the beginning of a file's name. */
static bool read_moodle(SubmissionList *list, Arena *arena, Node *node) {
    size_t mark = 0;
    const char *found = find_moodle_mark(node, &mark);
    if (found == NULL) return false;
    const char *digits = found;
    while (digits > node->name && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == found || digits - node->name < 2 || digits[-1] != '_') return false;
    Clues clues = {.name = arena_copy(arena, node->name, (size_t)(digits - 1 - node->name)),
                   .id = arena_copy(arena, digits, (size_t)(found - digits)),
                   .folder = node->name};
    const char *file = found + mark;
    if (*file == '_') file++;
    Submission *added = layout_add(list, arena, node, &clues);
    /* A text beside files is usual, and no second submission. */
    bool typed = strstr(found, "onlinetext") != NULL;
    if (added != NULL && (node->kind == NODE_FILE || typed)) added->file = file;
    return true;
}

/* ---- folders and archives named after students ---- */

static const char *without_suffix(Arena *arena, const Node *node) {
    static const char *const suffixes[] = {".zip", ".tar.gz", ".tgz"};
    if (node->kind == NODE_ARCHIVE)
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
            if (names_end_with(node->name, suffixes[i]) && strlen(node->name) > strlen(suffixes[i]))
                return arena_copy(arena, node->name, strlen(node->name) - strlen(suffixes[i]));
    return node->name;
}

static void read_plain(SubmissionList *list, Arena *arena, Node *node) {
    const Clues clues = {.folder = without_suffix(arena, node)};
    if (clues.folder != NULL) layout_add(list, arena, node, &clues);
}

/* ---- the top ---- */

static Node *find_child(const Node *folder, const char *name) {
    for (Node *child = folder->first; child != NULL; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

static bool has_sources(const Node *folder) {
    for (const Node *child = folder->first; child != NULL; child = child->next)
        if (child->kind == NODE_FILE && names_end_with(child->name, ".cu")) return true;
    return false;
}

/* How many entries of a folder carry a student's name as Canvas or Moodle writes it. */
static size_t count_named(Node *first, bool only_first) {
    SubmissionList list = {.count = 0};
    Arena *scratch = arena_create();
    for (Node *node = first; scratch != NULL && node != NULL; node = only_first ? NULL : node->next)
        if (!read_moodle(&list, scratch, node)) read_canvas(&list, scratch, node);
    arena_destroy(scratch);
    return list.count;
}

static size_t count_boxes(const Node *folder) {
    size_t count = 0;
    for (const Node *child = folder->first; child != NULL; child = child->next)
        count += child->kind != NODE_FILE;
    return count;
}

/* ---- a class in one folder or archive, or one student's ---- */

/* What is known besides the tree. */
typedef struct Known {
    const Course *course;
    const Roster *roster;
    Arena *arena;
} Known;

/* Whether a folder holds a class, or one student's files. */
typedef struct Holding {
    bool class;
    const char *since; /* what shows it */
} Holding;

static bool is_in_roster(const Known *known, const Node *node) {
    size_t row;
    const Clues clues = {.folder = without_suffix(known->arena, node)};
    return known->roster->count > 0 && clues.folder != NULL &&
           roster_find(known->roster, &clues, &row) != MATCH_NONE;
}

static bool has_child_in_roster(const Known *known, const Node *folder) {
    for (const Node *child = folder->first; child != NULL; child = child->next)
        if (child->kind != NODE_FILE && is_in_roster(known, child)) return true;
    return false;
}

/* "07-block-sum-dynamic/": but a number alone may be a group's, or a student's. */
static bool has_child_named_as_lesson(const Known *known, const Node *folder) {
    for (const Node *child = folder->first; child != NULL; child = child->next) {
        const char *name = child->kind != NODE_FILE ? arena_format(known->arena, "%s.cu", child->name) : NULL;
        bool number = strspn(child->name, "0123456789") == strlen(child->name);
        if (name != NULL && !number && names_read(known->arena, known->course, name).lesson != NULL)
            return true;
    }
    return false;
}

/* Notes in which box each lesson is; true when one is in another box as well. Boxes count from 1. */
static bool note_lessons(const Known *known, const Node *node, size_t box, size_t *boxes) {
    if (node->kind == NODE_FILE) {
        const char *lesson = names_read(known->arena, known->course, node->name).lesson;
        for (size_t i = 0; lesson != NULL && i < known->course->count; i++) {
            if (lesson != known->course->lessons[i].name) continue;
            if (boxes[i] != 0 && boxes[i] != box) return true;
            boxes[i] = box;
        }
        return false;
    }
    for (const Node *child = node->first; child != NULL; child = child->next)
        if (note_lessons(known, child, box, boxes)) return true;
    return false;
}

static bool has_lesson_twice(const Known *known, const Node *folder) {
    size_t box = 0, *boxes = ARENA_ARRAY(known->arena, known->course->count + 1, size_t);
    for (const Node *child = folder->first; boxes != NULL && child != NULL; child = child->next)
        if (child->kind != NODE_FILE && note_lessons(known, child, ++box, boxes)) return true;
    return false;
}

/* Whether a folder or archive that lies alone is around the class rather than one student's. Names that a
 * download gives decide, then the roster, then what lies in it: one student seldom hands in a lesson in
 * several folders, and a class does. */
static Holding look_into(const Known *known, Node *folder) {
    static const char *const boxes_of_one = "there are not several folders or archives in it";
    if (folder->git != NULL || find_child(folder, "work") != NULL)
        return (Holding){false, "it is a checkout"};
    if (find_child(folder, metadata_name) != NULL) return (Holding){true, "Gradescope's metadata is in it"};
    if (count_named(folder->first, false) > 0)
        return (Holding){true, "it has names in it as Canvas and Moodle make them"};
    if (has_sources(folder)) return (Holding){false, "programs lie in it"};
    if (count_boxes(folder) < 2) return (Holding){false, boxes_of_one};
    if (has_child_in_roster(known, folder)) return (Holding){true, "the roster has names that are in it"};
    if (is_in_roster(known, folder)) return (Holding){false, "the roster has its name"};
    if (has_child_named_as_lesson(known, folder))
        return (Holding){false, "its folders are named after lessons"};
    if (has_lesson_twice(known, folder)) return (Holding){true, "several folders in it have the same lesson"};
    if (folder->kind == NODE_FOLDER) return (Holding){true, "it is a folder of several folders or archives"};
    return (Holding){false, "no lesson is in several of its folders"};
}

static void say_holding(const Node *folder, const Holding *holding, Diagnostics *diagnostics) {
    Diagnostic *added = diag_add(diagnostics, DIAG_NOTE, folder->shown, 0, 0, "is read as %s, since %s",
                                 holding->class ? "the whole class's" : "one student's", holding->since);
    if (added == NULL) return;
    added->remedy = "if it is the class's, give this itself, and not the folder around it";
    if (holding->class)
        added->remedy = "if it is one student's, put it into a folder named after the student";
}

/* A download often is one folder or archive around everything, and may lie in another folder. */
static Node *find_class(const Known *known, Node *root, Diagnostics *diagnostics) {
    Node *class = root;
    while (class->first != NULL && class->first->next == NULL) {
        Node *only = class->first;
        if (only->kind == NODE_FILE || only->refused != NULL || count_named(only, true) > 0) break;
        Holding holding = look_into(known, only);
        say_holding(only, &holding, diagnostics);
        if (!holding.class) break;
        class = only;
    }
    return class;
}

static void read_child(SubmissionList *list, Tree *tree, Node *node, Diagnostics *diagnostics) {
    if (read_moodle(list, tree->arena, node) || read_canvas(list, tree->arena, node)) return;
    if (node->kind != NODE_FILE)
        read_plain(list, tree->arena, node);
    else if (node->refused != NULL)
        warn(diagnostics, node->shown, arena_format(tree->arena, "is left out: it %s", node->refused),
             node->remedy);
    else if (names_end_with(node->name, ".cu"))
        warn(diagnostics, node->shown, "is left out: no name says whose it is",
             "put it into a folder named after the student");
}

/* Whether the file's own name begins with a number, too: then another reading of the whole takes the first
 * two for part of a name, as in "evil_302_303_9001_07.cu" by evil_302. */
static bool has_two_readings(const Submission *one) {
    return one->clues.run != NULL && one->file != NULL && past_number(one->file, 1) != NULL;
}

static const char *or_empty(const char *text) {
    return text != NULL ? text : "";
}

static int compare_ids(const void *a, const void *b) {
    const Submission *one = *(Submission *const *)a, *other = *(Submission *const *)b;
    return strcmp(or_empty(one->clues.id), or_empty(other->clues.id));
}

/* Of those with one number: a name that its owner ends in another one's number is found by that one's name,
 * in a file that can be read in one way only. */
static bool is_borrowed(Submission *const *group, size_t count, const Submission *one) {
    for (size_t i = 0; has_two_readings(one) && i < count; i++)
        if (group[i]->clues.run != NULL && !has_two_readings(group[i]) &&
            strcmp(group[i]->clues.run, one->clues.run) != 0)
            return true;
    return false;
}

/* Drops the submissions that an earlier step has taken the node from. */
static void remove_unread(SubmissionList *list) {
    SubmissionList kept = {.count = 0};
    for (Submission *one = list->first, *next; one != NULL; one = next) {
        next = one->next;
        one->next = NULL;
        if (one->node == NULL) continue;
        *(kept.last != NULL ? &kept.last->next : &kept.first) = one;
        kept.last = one;
        kept.count++;
    }
    *list = kept;
}

/* Canvas gives a number to one name, and a name must not put a file into somebody else's hand: of two names
 * with one number the one that can be read in another way is left out. */
static bool drop_borrowed_numbers(SubmissionList *list, Arena *arena, Diagnostics *diagnostics) {
    Submission **sorted = ARENA_ARRAY(arena, list->count + 1, Submission *);
    size_t count = 0;
    for (Submission *one = list->first; sorted != NULL && one != NULL; one = one->next)
        sorted[count++] = one;
    if (count > 1) qsort(sorted, count, sizeof *sorted, compare_ids);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_ids(&sorted[first], &sorted[end]) == 0;)
            end++;
        for (size_t i = first; i < end; i++) {
            if (!is_borrowed(sorted + first, end - first, sorted[i])) continue;
            warn(diagnostics, sorted[i]->node->shown,
                 "is left out: its name has the number of another student",
                 "find out whose it is, and put it into a folder named after the student");
            sorted[i]->node = NULL;
        }
    }
    remove_unread(list);
    return sorted != NULL;
}

/* Which form the download has: one with a file of metadata says whose each folder is, in all others the names
 * say it. */
bool layout_read(SubmissionList *list, Tree *tree, const Course *course, const Roster *roster,
                 const char *path, Diagnostics *diagnostics) {
    const Known known = {course, roster, tree->arena};
    *list = (SubmissionList){.count = 0};
    Node *class = find_class(&known, tree->root, diagnostics);
    const Node *metadata = find_child(class, metadata_name);
    if (metadata != NULL) {
        if (!metadata_read(list, tree, metadata, path, diagnostics)) return false;
    } else {
        for (Node *child = class->first; child != NULL; child = child->next)
            read_child(list, tree, child, diagnostics);
        if (!drop_borrowed_numbers(list, tree->arena, diagnostics)) return false;
    }
    if (list->count > 0) return true;
    return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "nobody has handed in anything here"),
                  "give a folder or an archive with one folder for each student, or a download of your "
                  "learning system; docs/grading.md shows the forms");
}
