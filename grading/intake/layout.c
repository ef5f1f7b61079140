/* layout.c - the forms of downloads; see layout.h. */
#include "grading/intake/layout.h"

#include "grading/intake/names.h"

#include <ctype.h>
#include <string.h>

static const char metadata_name[] = "submission_metadata.yml";

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
    Diagnostic *added = diag_add(diagnostics, DIAG_WARNING, file, 0, 0, "%s", message);
    if (added != NULL) added->remedy = remedy;
}

/* ---- Canvas and Moodle: the name says whose it is ---- */

/* The digits at `at`, when an underscore follows them; NULL else. */
static const char *read_number(Arena *arena, const char *at, const char **behind) {
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || at[digits] != '_') return NULL;
    *behind = at + digits + 1;
    return arena_copy(arena, at, digits);
}

/* lastfirst_LATE_12345_67890_name.cu */
static bool read_canvas(SubmissionList *list, Arena *arena, Node *node) {
    const char *name = node->name, *at = strchr(name, '_'), *file;
    if (at == NULL || at == name || node->kind == NODE_FOLDER) return false;
    Clues clues = {.folder = arena_copy(arena, name, (size_t)(at - name))};
    clues.run = clues.folder;
    bool late = strncmp(at, "_LATE_", 6) == 0;
    clues.id = read_number(arena, at + (late ? 6 : 1), &file);
    if (clues.id == NULL || read_number(arena, file, &file) == NULL || *file == '\0') return false;
    Submission *added = layout_add(list, arena, node, &clues);
    if (added == NULL) return true;
    added->file = file;
    added->late = late;
    return true;
}

/* What Moodle calls the places where something is handed in; what was typed into a text field is no file to
 * grade, and refused as its student's. */
static const char *find_moodle_mark(const char *name, size_t *length) {
    static const char *const marks[] = {"_assignsubmission_file", "_assignsubmission_onlinetext"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        *length = strlen(marks[i]);
        const char *found = strstr(name, marks[i]);
        if (found != NULL) return found;
    }
    return NULL;
}

/* "Full Name_12345_assignsubmission_file_", a folder or the beginning of a file's name. */
static bool read_moodle(SubmissionList *list, Arena *arena, Node *node) {
    size_t mark = 0;
    const char *found = find_moodle_mark(node->name, &mark);
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

/* Whether the folder is around the class rather than one student's: it has a download's names or metadata in
 * it, or several folders or archives and no program. One folder with one archive may be a class of one, and
 * is more often a student with an archive. */
static bool holds_class(Node *folder) {
    if (folder->kind == NODE_FILE || folder->git != NULL || find_child(folder, "work") != NULL) return false;
    if (count_named(folder, true) > 0) return false;
    if (find_child(folder, metadata_name) != NULL || count_named(folder->first, false) > 0) return true;
    return count_boxes(folder) > 1 && !has_sources(folder);
}

/* A download often is one folder around everything. */
static Node *find_class(Node *root) {
    Node *class = root;
    while (class->first != NULL && class->first->next == NULL && holds_class(class->first))
        class = class->first;
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

bool layout_read(SubmissionList *list, Tree *tree, const char *path, Diagnostics *diagnostics) {
    *list = (SubmissionList){.count = 0};
    Node *class = find_class(tree->root);
    const Node *metadata = find_child(class, metadata_name);
    if (metadata != NULL) {
        if (!metadata_read(list, tree, metadata, path, diagnostics)) return false;
    } else {
        for (Node *child = class->first; child != NULL; child = child->next)
            read_child(list, tree, child, diagnostics);
    }
    if (list->count > 0) return true;
    Diagnostic *added = diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "nobody has handed in anything here");
    if (added != NULL)
        added->remedy = "give a folder or an archive with one folder for each student, or a download of your "
                        "learning system; docs/grading.md shows the forms";
    return false;
}
