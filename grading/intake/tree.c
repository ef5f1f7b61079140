/* tree.c - the tree's nodes, and its top; see tree.h. */
#include "grading/intake/tree.h"

#include "grading/intake/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *show(Arena *arena, const Node *parent, const char *name) {
    const char *visible = names_visible(arena, name);
    if (visible == NULL || parent == NULL || parent->shown[0] == '\0') return visible;
    return arena_format(arena, "%s%c%s", parent->shown, parent->kind == NODE_ARCHIVE ? ':' : '/', visible);
}

void tree_begin(Tree *tree, Arena *arena) {
    *tree = (Tree){.arena = arena, .class = TREE_CLASS_BUDGET};
    tree->budget = &tree->class;
}

bool tree_begin_student(Tree *tree, TreeBudget *own) {
    if (tree->budget != &tree->class) return false;
    *own = TREE_STUDENT_BUDGET;
    tree->budget = own;
    return true;
}

void tree_end_student(Tree *tree, bool begun) {
    if (begun) tree->budget = &tree->class;
}

bool tree_spend_entry(Tree *tree) {
    if (tree->budget->entries == 0) return false;
    tree->budget->entries--;
    return true;
}

/* Every entry is paid for from the budget of the tree, and of the student where one has begun. */
Node *tree_add(Tree *tree, Node *parent, NodeKind kind, const char *name) {
    Node *node = NULL;
    if (tree_spend_entry(tree)) node = ARENA_NEW(tree->arena, Node);
    if (node == NULL) return NULL;
    *node = (Node){.kind = kind, .parent = parent};
    node->name = arena_string(tree->arena, name);
    node->shown = show(tree->arena, parent, name);
    if (node->name == NULL || node->shown == NULL) return NULL;
    if (parent == NULL) return node;
    if (parent->last != NULL)
        parent->last->next = node;
    else
        parent->first = node;
    return parent->last = node;
}

void tree_refuse(Node *node, const char *reason, const char *remedy) {
    node->refused = reason;
    node->remedy = remedy;
    node->bytes = NULL;
    node->length = 0;
}

void tree_take_time(Node *node, int64_t time, const char *from) {
    static const int64_t last = INT64_C(253402300799);
    const bool known = time > 0 && time <= last;
    if (known) {
        node->time = time;
        node->time_from = from;
    } else {
        node->time = 0;
        node->time_from = NULL;
    }
}

bool tree_is_archive(const char *name) {
    return names_end_with(name, ".zip") || names_end_with(name, ".tar.gz") || names_end_with(name, ".tgz");
}

bool tree_wants(const char *name) {
    static const char *const facts[] = {"submission_metadata.yml", "timestamp.txt"};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(name, facts[i]) == 0) return true;
    return names_end_with(name, ".cu");
}

Node *tree_child(const Node *folder, const char *name) {
    for (Node *child = folder->first; child != NULL; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

bool tree_is_litter(const char *name) {
    static const char *const names[] = {"__MACOSX", "Thumbs.db", "desktop.ini", "node_modules"};
    if (name[0] == '.') return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0) return true;
    return false;
}

void tree_keep(Tree *tree, Node *node, const char *bytes, size_t length) {
    char *copy = NULL;
    if (length <= tree->budget->kept) copy = arena_copy(tree->arena, bytes, length);
    if (copy == NULL) {
        tree_refuse(node, "is one of too many or too large programs", "hand in one program for each lesson");
        return;
    }
    tree->budget->kept -= length;
    node->bytes = copy;
    node->length = length;
}

static int compare_nodes(const void *a, const void *b) {
    return strcmp((*(Node *const *)a)->name, (*(Node *const *)b)->name);
}

/* An archive may hold a name twice: the sort keeps no order among equals, so their places decide. */
void tree_sort(Node *folder) {
    size_t count = 0;
    for (Node *node = folder->first; node != NULL; node = node->next)
        count++;
    Node **nodes = NULL;
    if (count > 1) nodes = malloc(count * sizeof *nodes);
    if (nodes == NULL) return;
    size_t at = 0;
    for (Node *node = folder->first; node != NULL; node = node->next)
        nodes[at++] = node;
    qsort(nodes, count, sizeof *nodes, compare_nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i]->next = i + 1 < count ? nodes[i + 1] : NULL;
    folder->first = nodes[0];
    folder->last = nodes[count - 1];
    free(nodes);
}

/* ---- the top ---- */

static bool refuse_top(Diagnostics *diagnostics, const char *path, const char *reason, const char *remedy) {
    return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "%s", reason), remedy);
}

static const char *base_name(Arena *arena, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *whole = arena_copy(arena, path, length);
    char *slash = NULL;
    if (whole != NULL) slash = strrchr(whole, '/');
    if (slash != NULL && slash[1] != '\0') return slash + 1;
    return whole;
}

/* What was named on the command line: a folder, or an archive, by what it is and not by its name alone. */
static bool read_top(Tree *tree, const char *path, int fd, Diagnostics *diagnostics) {
    struct stat facts;
    if (fstat(fd, &facts) != 0) return refuse_top(diagnostics, path, strerror(errno), NULL);
    const char *name = base_name(tree->arena, path);
    if (name == NULL) return refuse_top(diagnostics, path, "there is no memory to read it", NULL);
    NodeKind kind = NODE_ARCHIVE;
    if (S_ISDIR(facts.st_mode)) kind = NODE_FOLDER;
    tree->root = tree_add(tree, NULL, kind, kind == NODE_FOLDER ? "" : name);
    if (tree->root == NULL) return refuse_top(diagnostics, path, "there is no memory to read it", NULL);
    if (kind == NODE_FOLDER)
        folder_read(tree, tree->root, fd, path, 0, 0);
    else if (S_ISREG(facts.st_mode) && tree_is_archive(name))
        unpack_file(tree, tree->root, fd, (size_t)facts.st_size);
    else
        return refuse_top(diagnostics, path, "is neither a folder nor an archive",
                          "give a folder with one folder for each student, or a .zip or .tar.gz of it");
    if (tree->root->refused == NULL) return true;
    /* What is said of a student's archive helps nobody who holds the class's. */
    const char *remedy = "download it once more, or unpack it and give the folder";
    if (kind != NODE_ARCHIVE) remedy = tree->root->remedy;
    return refuse_top(diagnostics, path, tree->root->refused, remedy);
}

bool tree_read(Tree *tree, Arena *arena, const char *path, Diagnostics *diagnostics) {
    tree_begin(tree, arena);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return refuse_top(diagnostics, path, strerror(errno),
                          "name the folder or archive with the submissions");
    bool fine = read_top(tree, path, fd, diagnostics);
    close(fd);
    return fine;
}
