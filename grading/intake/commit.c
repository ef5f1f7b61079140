/* commit.c - git, asked for one list per clone; see commit.h.
 *
 * A clone is hostile: its settings name programs to run and files to read. So git runs locked in (locked.h)
 * with nothing but the ".git" folder in sight, and is asked for the raw list of changes, which needs no
 * setting of the clone's. Each entry names the file's content by its hash; a file that differs has been
 * changed since, and keeps its own time.
 */
#include "grading/intake/commit.h"

#include "grading/intake/locked.h"

#include <nettle/sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 20, MEMORY_MIB = 2048, MOST_OUTPUT = 32 << 20, HASH_TEXT = 2 * SHA1_DIGEST_SIZE };

static const char *const list_words[] = {"/usr/bin/git",
                                         "--git-dir=" LOCKED_FOLDER,
                                         "--no-pager",
                                         "--no-replace-objects",
                                         "-c",
                                         "safe.directory=*",
                                         "-c",
                                         "core.fsmonitor=false",
                                         "-c",
                                         "core.hooksPath=/dev/null",
                                         "-c",
                                         "log.showSignature=false",
                                         "log",
                                         "-z",
                                         "--raw",
                                         "--no-abbrev",
                                         "--no-renames",
                                         "--no-ext-diff",
                                         "--no-textconv",
                                         "--no-color",
                                         "--format=tformat:%x01%ct",
                                         "--",
                                         "*.cu",
                                         "*.CU",
                                         NULL};
static const char *const list_environment[] = {"GIT_CONFIG_NOSYSTEM",
                                               "1",
                                               "GIT_CONFIG_GLOBAL",
                                               "/dev/null",
                                               "GIT_OPTIONAL_LOCKS",
                                               "0",
                                               "GIT_NO_LAZY_FETCH",
                                               "1",
                                               "GIT_TERMINAL_PROMPT",
                                               "0",
                                               NULL};

/* git reads a repository that a student may have made, whose settings can name programs to run: it runs
 * locked in, without any configuration of its own or the system's, and with every option off that starts
 * something. */
static LockedEnd list_changes(const char *git, Text *out, Text *why) {
    return locked_run(&(LockedTool){.argv = list_words,
                                    .folder = git,
                                    .environment = list_environment,
                                    .seconds = SECONDS,
                                    .memory_mib = MEMORY_MIB,
                                    .most_output = MOST_OUTPUT},
                      out, why);
}

/* How git names a file's content. */
static void name_content(const Node *node, char name[HASH_TEXT + 1]) {
    struct sha1_ctx context;
    uint8_t digest[SHA1_DIGEST_SIZE];
    char header[64];
    int length = snprintf(header, sizeof header, "blob %zu", node->length);
    sha1_init(&context);
    sha1_update(&context, (size_t)length + 1, (const uint8_t *)header);
    sha1_update(&context, node->length, (const uint8_t *)node->bytes);
    sha1_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(name + 2 * i, 3, "%02x", digest[i]);
}

/* The file at a path below the clone; NULL when the tree has none that was read. */
static Node *find_file(Node *folder, const char *path) {
    size_t length = strcspn(path, "/");
    for (Node *child = folder->first; child != NULL; child = child->next) {
        if (strlen(child->name) != length || strncmp(child->name, path, length) != 0) continue;
        if (path[length] == '/' && child->kind == NODE_FOLDER) return find_file(child, path + length + 1);
        if (path[length] == '\0' && child->kind == NODE_FILE && child->bytes != NULL) return child;
    }
    return NULL;
}

static const char changed_since[] = "the file differs from what was committed, so its time is the file's own";
static const char not_committed[] = "the file was never committed, so its time is the file's own";

/* The list goes from the newest commit to the oldest: the first entry of a file is its last change. */
static void apply_change(Node *clone, const char *change, const char *path, int64_t time) {
    char name[HASH_TEXT + 1], old_mode[8], new_mode[8], old[72], new[72];
    Node *node = find_file(clone, path);
    if (node == NULL || node->note != NULL ||
        (node->time_from != NULL && strcmp(node->time_from, "commit") == 0))
        return;
    if (sscanf(change, ":%7s %7s %71s %71s", old_mode, new_mode, old, new) != 4) return;
    name_content(node, name);
    if (strcmp(name, new) != 0) {
        node->note = changed_since;
        return;
    }
    tree_take_time(node, time, "commit");
}

/* Pieces that end in a NUL byte: \001 and a commit's time, or a change and then its path. git puts a line's
 * end in front of some. */
static void apply_list(Node *clone, const Text *list) {
    int64_t time = 0;
    const char *change = NULL, *end = list->bytes + list->length;
    for (const char *at = list->bytes; at < end; at += strlen(at) + 1) {
        if (change != NULL) {
            apply_change(clone, change, at, time);
            change = NULL;
            continue;
        }
        const char *piece = at + (*at == '\n');
        if (*piece == '\001') time = strtoll(piece + 1, NULL, 10);
        if (*piece == ':') change = piece;
    }
}

static void note_uncommitted(Node *folder) {
    for (Node *child = folder->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FOLDER && child->git == NULL) note_uncommitted(child);
        if (child->kind != NODE_FILE || child->bytes == NULL || child->note != NULL) continue;
        if (child->time_from == NULL || strcmp(child->time_from, "file") == 0) child->note = not_committed;
    }
}

/* What is known while clones are read one after the other. One student has one clone, or a few: thousands of
 * them, or several over which git never ends, would keep the class waiting. */
typedef struct CommitReading {
    Arena *arena;
    Diagnostics *diagnostics;
    bool forbidden; /* there is no sandbox */
    int left;       /* clones of this student that may still be read */
} CommitReading;
enum { MOST_CLONES = 16 };

static void warn(CommitReading *reading, const Node *clone, const char *message, const char *remedy) {
    advise(diag_add(reading->diagnostics, DIAG_WARNING, clone->shown, 0, 0, "%s", message), remedy);
}

static const char own_times[] =
    "the times of the files on this disk are taken instead; look at the clone's history by hand";

/* Without a history the times of the files on this disk count, which say when they were copied: that has to
 * be said. */
static void say_end(CommitReading *reading, const Node *clone, LockedEnd end, Text *why) {
    why->bytes[strcspn(why->bytes, "\n")] = '\0';
    if (end == LOCKED_OVER) reading->left = 0;
    if (end == LOCKED_OVER)
        warn(reading, clone, "its history is too long to read, so nobody knows when its files were committed",
             own_times);
    if (end == LOCKED_FAILED)
        warn(reading, clone, arena_format(reading->arena, "its history cannot be read: %s", why->bytes),
             own_times);
    if (end == LOCKED_FORBIDDEN)
        warn(reading, clone,
             "is a git clone, and clones are read in a sandbox only, which this system does not allow",
             "the times of the files on this disk are taken for all clones; make doctor says how to get a "
             "sandbox");
}

/* When each file of a clone was committed last. What was changed since then is noted and has no such time. */
static void read_clone(CommitReading *reading, Node *clone) {
    Text list = text_new(), why = text_new();
    LockedEnd end = list_changes(clone->git, &list, &why);
    if (end == LOCKED_FINE) {
        apply_list(clone, &list);
        note_uncommitted(clone);
    }
    say_end(reading, clone, end, &why);
    reading->forbidden = end == LOCKED_FORBIDDEN;
    text_free(&list);
    text_free(&why);
}

static bool has_programs(const Node *folder) {
    bool has = false;
    for (const Node *child = folder->first; child != NULL && !has; child = child->next)
        has = child->bytes != NULL || has_programs(child);
    return has;
}

/* What is left out is told once, whoever it is. */
static void read_or_leave(CommitReading *reading, Node *clone) {
    if (!has_programs(clone)) return;
    if (reading->left > 0) {
        reading->left--;
        read_clone(reading, clone);
    } else if (reading->left == 0) {
        reading->left = -1;
        warn(reading, clone,
             "is one clone too many of one student, and neither it nor any further one is read", own_times);
    }
}

/* As folder.c counts: the entries of the first folder with several are a student each. */
static void read_folder(CommitReading *reading, Node *folder, bool of_student) {
    const bool students = !of_student && folder->first != folder->last;
    if (folder->git != NULL) read_or_leave(reading, folder);
    for (Node *child = folder->first; child != NULL && !reading->forbidden; child = child->next) {
        if (child->kind != NODE_FOLDER) continue;
        if (students) reading->left = MOST_CLONES;
        read_folder(reading, child, of_student || students);
    }
}

void commit_read_times(Tree *tree, Diagnostics *diagnostics) {
    CommitReading reading = {.arena = tree->arena, .diagnostics = diagnostics, .left = MOST_CLONES};
    read_folder(&reading, tree->root, false);
}
