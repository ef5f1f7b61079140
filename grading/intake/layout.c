/* layout.c - the forms of downloads; see layout.h. */
#include "grading/intake/layout.h"

#include "grading/intake/forms.h"
#include "grading/intake/names.h"
#include "grading/intake/roster.h"

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

void layout_warn(Diagnostics *diagnostics, const char *file, const char *message, const char *remedy) {
    advise(diag_add(diagnostics, DIAG_WARNING, file, 0, 0, "%s", message), remedy);
}

/* ---- folders and archives named after students ---- */

/* "ann.tar.xz" and "ann.rar", whatever the kind. */
static const char *without_kind(Arena *arena, const char *name) {
    size_t length = (size_t)(strrchr(name, '.') - name);
    if (length > 4 && strncasecmp(name + length - 4, ".tar", 4) == 0) length -= 4;
    if (length > 0) return arena_copy(arena, name, length);
    return name;
}

static const char *without_suffix(Arena *arena, const Node *node) {
    static const char *const suffixes[] = {".zip", ".tar.gz", ".tgz"};
    if (node->kind == NODE_FILE && names_foreign_archive(node->name)) return without_kind(arena, node->name);
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

static bool has_sources(const Node *folder) {
    for (const Node *child = folder->first; child != NULL; child = child->next)
        if (child->kind == NODE_FILE && names_end_with(child->name, ".cu")) return true;
    return false;
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
    const Lesson *others; /* as of IntakeOptions */
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
        const char *name = NULL;
        if (child->kind != NODE_FILE) name = arena_format(known->arena, "%s.cu", child->name);
        bool number = strspn(child->name, "0123456789") == strlen(child->name);
        if (name != NULL && !number && names_read(known->arena, known->course, NULL, name).lesson != NULL)
            return true;
    }
    return false;
}

/* Notes in which box each lesson is; true when one is in another box as well. Boxes count from 1. */
static bool note_lessons(const Known *known, const Node *node, size_t box, size_t *boxes) {
    if (node->kind == NODE_FILE) {
        const char *lesson = names_read(known->arena, known->course, known->others, node->name).lesson;
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

/* "lab-1-submissions/lab-1-annlee/.git", as GitHub Classroom's command clones an assignment: how long the
 * part of each name before the login is. 0: the folder is none of these. */
static size_t clones_prefix(const Node *folder) {
    static const char end[] = "submissions";
    const size_t whole = strlen(folder->name), prefix = whole > strlen(end) ? whole - strlen(end) : 0;
    if (folder->first == NULL || prefix < 2 || folder->name[prefix - 1] != '-' ||
        strcmp(folder->name + prefix, end) != 0)
        return 0;
    for (const Node *child = folder->first; child != NULL; child = child->next)
        if (child->kind != NODE_FILE &&
            (child->git == NULL || strncmp(child->name, folder->name, prefix) != 0 ||
             child->name[prefix] == '\0'))
            return 0;
    if (count_boxes(folder) > 0) return prefix;
    return 0;
}

/* The folder that has a download's entries: often there is one more around them. */
static Node *open_download(Node *box) {
    while (box->first != NULL && box->first->next == NULL && box->first->kind != NODE_FILE &&
           box->first->refused == NULL && forms_find(box->first, true) == NULL && clones_prefix(box) == 0)
        box = box->first;
    return box;
}

/* Whether everything in it carries a student's name as a system makes it, or Gradescope's metadata say whose
 * it is. */
static bool is_download(const Node *folder) {
    if (folder->first == NULL || folder->git != NULL) return false;
    if (tree_child(folder, metadata_name) != NULL || clones_prefix(folder) > 0) return true;
    const Form *form = forms_find(folder->first, false);
    return form != NULL && forms_fill(form, folder);
}

bool layout_is_download(Node *box) {
    return is_download(open_download(box));
}

/* Whether each folder and archive of the class is a download of its own, one for each assignment. A student's
 * archive may hold such names as well; but then the other students' would, and the roster does not name it.
 */
static bool holds_downloads(const Known *known, const Node *class) {
    size_t boxes = 0;
    for (Node *child = class->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FILE) continue;
        if (is_in_roster(known, child) || !layout_is_download(child)) return false;
        boxes++;
    }
    return boxes > 0;
}

/* Whether a folder or archive that lies alone is around the class rather than one student's. Names that a
 * download gives decide, then the roster, then what lies in it: one student seldom hands in a lesson in
 * several folders, and a class does. */
static Holding look_into(const Known *known, Node *folder) {
    static const char *const boxes_of_one = "there are not several folders or archives in it";
    if (folder->git != NULL || tree_child(folder, "work") != NULL)
        return (Holding){false, "it is a checkout"};
    if (tree_child(folder, metadata_name) != NULL) return (Holding){true, "Gradescope's metadata is in it"};
    if (forms_find(folder->first, false) != NULL)
        return (Holding){true, "it has names in it as learning systems make them"};
    if (holds_downloads(known, folder)) return (Holding){true, "it holds downloads of learning systems"};
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
        if (only->kind == NODE_FILE || only->refused != NULL || forms_find(only, true) != NULL) break;
        Holding holding = look_into(known, only);
        say_holding(only, &holding, diagnostics);
        if (!holding.class) break;
        class = only;
    }
    return class;
}

/* Of several assignments a student's clones have different names, and one login. */
static void read_clones(SubmissionList *list, Arena *arena, Node *folder, size_t prefix) {
    for (Node *node = folder->first; node != NULL; node = node->next) {
        const Clues clues = {.folder = node->name + prefix, .login = node->name + prefix};
        Submission *added = NULL;
        if (node->kind != NODE_FILE) added = layout_add(list, arena, node, &clues);
        if (added != NULL) added->download = folder;
    }
}

/* A file that is not of the download's form is nobody's, whatever its name imitates. */
static void read_child(SubmissionList *list, Tree *tree, const Form *form, Node *node,
                       Diagnostics *diagnostics) {
    if (forms_read(form, list, tree->arena, node)) return;
    /* Of an archive that is not unpacked it is known whose it is, so that its student hears of it. */
    if (node->kind != NODE_FILE || names_foreign_archive(node->name))
        read_plain(list, tree->arena, node);
    else if (node->refused != NULL)
        layout_warn(diagnostics, node->shown, arena_format(tree->arena, "is left out: it %s", node->refused),
                    node->remedy);
    else if (names_end_with(node->name, ".cu"))
        layout_warn(diagnostics, node->shown, "is left out: no name says whose it is",
                    "put it into a folder named after the student");
}

static void append(SubmissionList *list, const SubmissionList *more) {
    if (more->count == 0) return;
    *(list->last != NULL ? &list->last->next : &list->first) = more->first;
    list->last = more->last;
    list->count += more->count;
}

/* One download: with a file of metadata that says whose each folder is, in all other forms the names say it.
 */
static bool read_download(SubmissionList *list, Tree *tree, Node *folder, const char *path,
                          Diagnostics *diagnostics) {
    SubmissionList own = {.count = 0};
    const Node *metadata = tree_child(folder, metadata_name);
    const Form *form = NULL;
    if (metadata == NULL) form = forms_find(folder->first, false);
    bool fine = metadata == NULL || metadata_read(&own, tree, metadata, path, diagnostics);
    for (Node *child = folder->first; metadata == NULL && child != NULL; child = child->next)
        read_child(&own, tree, form, child, diagnostics);
    fine = fine && forms_settle(&own, tree->arena, diagnostics);
    for (Submission *one = own.first; one != NULL; one = one->next)
        one->download = folder;
    append(list, &own);
    return fine;
}

/* Several downloads, one for each assignment. */
static bool read_downloads(SubmissionList *list, Tree *tree, const Node *class, const char *path,
                           Diagnostics *diagnostics) {
    bool fine = true;
    for (Node *child = class->first; fine && child != NULL; child = child->next) {
        if (child->kind == NODE_FILE) continue;
        Node *folder = open_download(child);
        const size_t prefix = clones_prefix(folder);
        if (prefix > 0)
            read_clones(list, tree->arena, folder, prefix);
        else
            fine = read_download(list, tree, folder, path, diagnostics);
    }
    return fine;
}

bool layout_read(SubmissionList *list, Tree *tree, const Course *course, const Roster *roster,
                 const IntakeOptions *options, Diagnostics *diagnostics) {
    const char *path = options->path;
    const Known known = {course, options->others, roster, tree->arena};
    *list = (SubmissionList){.count = 0};
    Node *class = find_class(&known, tree->root, diagnostics);
    bool several = tree_child(class, metadata_name) == NULL && holds_downloads(&known, class);
    bool fine;
    if (several)
        fine = read_downloads(list, tree, class, path, diagnostics);
    else
        fine = read_download(list, tree, class, path, diagnostics);
    if (!fine || list->count > 0) return fine;
    return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "nobody has handed in anything here"),
                  "give a folder or an archive with one folder for each student, or a download of your "
                  "learning system; docs/grading.md shows the forms");
}
