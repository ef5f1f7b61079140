/* sketch.c - names alone; see sketch.h.
 *
 * A sketch is a tree of nodes like the one that is read (tree.h), two folders deep: a download's names, or
 * those in the one folder around them. It has a budget like the class's, and the arena is its own.
 */
#include "grading/intake/sketch.h"

#include "grading/intake/layout.h"
#include "grading/intake/tree.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEEP = 2,         /* levels of names */
    MOST_NAMES = 4096 /* of one download: the first of them tell what it is */
};
enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

static NodeKind kind_of_file(const char *name) {
    if (tree_is_archive(name)) return NODE_ARCHIVE;
    return NODE_FILE;
}

/* ---- an archive ---- */

/* "Lab 1/Lee, Ann(annlee)/timestamp.txt": the first parts, each once. */
static void sketch_path(Tree *tree, Node *node, const char *path) {
    for (int deep = 0; deep <= DEEP && node != NULL && *path != '\0'; deep++) {
        char name[TREE_NAME_BYTES + 1];
        const size_t length = strcspn(path, "/"), rest = strspn(path + length, "/");
        if (length > TREE_NAME_BYTES) return;
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        path += length + rest;
        if (strcmp(name, ".") == 0) continue;
        if (tree_is_litter(name)) return;
        Node *child = tree_child(node, name);
        if (child == NULL) child = tree_add(tree, node, rest > 0 ? NODE_FOLDER : kind_of_file(name), name);
        node = child;
    }
}

/* The directory at a .zip's end has all names. Systems hand out no other archives, and of a .tar.gz the names
 * are known only when all of it was unpacked. */
static void sketch_archive(Tree *tree, Node *node, int above) {
    enum { BLOCK = 65536 };
    const int fd = openat(above, node->name, FLAGS);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    if (fd >= 0 && archive != NULL && archive_read_support_format_zip_seekable(archive) == ARCHIVE_OK &&
        archive_read_open_fd(archive, fd, BLOCK) == ARCHIVE_OK)
        for (size_t i = 0; i < MOST_NAMES && archive_read_next_header(archive, &entry) == ARCHIVE_OK; i++)
            if (archive_entry_pathname(entry) != NULL) sketch_path(tree, node, archive_entry_pathname(entry));
    if (archive != NULL) archive_read_free(archive);
    if (fd >= 0) close(fd);
}

/* ---- a folder ---- */

static void sketch_folder(Tree *tree, Node *folder, int above, int deep);

static void sketch_name(Tree *tree, Node *folder, int fd, const char *name, int deep) {
    struct stat facts;
    if (fstatat(fd, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
    const bool is_folder = S_ISDIR(facts.st_mode);
    if (is_folder && strcmp(name, ".git") == 0) folder->git = ".git";
    if (tree_is_litter(name)) return;
    Node *node = tree_add(tree, folder, is_folder ? NODE_FOLDER : kind_of_file(name), name);
    if (node == NULL || deep == 0) return;
    if (is_folder)
        sketch_folder(tree, node, fd, deep - 1);
    else if (node->kind == NODE_ARCHIVE && S_ISREG(facts.st_mode))
        sketch_archive(tree, node, fd);
}

static void sketch_folder(Tree *tree, Node *folder, int above, int deep) {
    const int fd = openat(above, folder->name, FLAGS | O_DIRECTORY);
    DIR *stream = NULL;
    if (fd >= 0) stream = fdopendir(fd);
    if (stream == NULL) {
        if (fd >= 0) close(fd);
        return;
    }
    size_t count = 0;
    for (struct dirent *entry; count < MOST_NAMES && (entry = readdir(stream)) != NULL; count++)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            sketch_name(tree, folder, fd, entry->d_name, deep);
    closedir(stream);
}

/* ---- together ---- */

/* Links and what is neither are no downloads. */
static bool sketch_box(Tree *tree, int folder, const char *name, const struct stat *facts) {
    const bool is_folder = S_ISDIR(facts->st_mode);
    Node *box = tree_add(tree, NULL, is_folder ? NODE_FOLDER : NODE_ARCHIVE, name);
    if (box == NULL) return false;
    if (is_folder)
        sketch_folder(tree, box, folder, DEEP - 1);
    else if (S_ISREG(facts->st_mode))
        sketch_archive(tree, box, folder);
    tree_sort(box);
    return layout_is_download(box);
}

bool sketch_holds_downloads(Arena *arena, int folder, char *const *names, size_t count) {
    Tree tree;
    size_t boxes = 0;
    tree_begin(&tree, arena);
    for (size_t i = 0; i < count; i++) {
        struct stat facts;
        if (tree_is_litter(names[i]) || fstatat(folder, names[i], &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISDIR(facts.st_mode) && !tree_is_archive(names[i])) continue;
        if (!sketch_box(&tree, folder, names[i], &facts)) return false;
        boxes++;
    }
    return boxes > 0;
}
