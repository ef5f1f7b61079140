/* folder.c - a folder on the disk becomes a part of the tree; see tree.h.
 *
 * Each name is looked at without following links, opened by itself below its folder's descriptor, and looked
 * at again through the descriptor: what is exchanged in between is refused. So no name can lead out of the
 * folder, and no open waits for a FIFO.
 */
#include "grading/intake/tree.h"

#include "base/growable.h"
#include "grading/intake/sketch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 1 << 22 };
enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

/* Where a walk is: the folder, and what is around it. */
typedef struct Place {
    int fd;
    const char *path;    /* for what opens files by name (commit.c) */
    int depth, archives; /* folders and archives around it */
    bool checkout;       /* a student's whole repository: only its own files and work/ count */
    bool several;        /* more than one entry: at the class's level, one for each student */
    bool downloads;      /* each entry is the class's, from a learning system */
} Place;

static const char *describe(mode_t mode) {
    if (S_ISLNK(mode)) return "is a symbolic link";
    if (S_ISFIFO(mode)) return "is a named pipe";
    if (S_ISSOCK(mode)) return "is a socket";
    return "is a device";
}

static void refuse_for_errno(Tree *tree, Node *node, int error) {
    if (error == EFBIG)
        tree_refuse(node, "is larger than a submission may be (1 MiB; an archive 64 MiB)",
                    "hand in the program alone, without data");
    else
        tree_refuse(node, arena_format(tree->arena, "cannot be read: %s", strerror(error)),
                    "give the grader the right to read it");
}

/* Opened first and looked at afterwards, without following links: what was tested is what is read. */
static void read_regular(Tree *tree, Node *node, const Place *place) {
    bool is_archive = node->kind == NODE_ARCHIVE;
    size_t limit = TREE_SOURCE_BYTES;
    if (is_archive) limit = TREE_ARCHIVE_BYTES;
    struct stat facts;
    int fd = openat(place->fd, node->name, OPEN_FLAGS);
    if (fd < 0 || fstat(fd, &facts) != 0) {
        refuse_for_errno(tree, node, errno);
    } else if (!S_ISREG(facts.st_mode)) {
        tree_refuse(node, describe(facts.st_mode), NULL);
    } else if (is_archive && place->downloads) {
        tree_take_time(node, facts.st_mtime, "file");
        unpack_file(tree, node, fd, (size_t)facts.st_size);
    } else {
        Text text = text_new();
        tree_take_time(node, facts.st_mtime, "file");
        if (facts.st_size > (off_t)limit || !text_read(&text, fd, limit))
            refuse_for_errno(tree, node, facts.st_size > (off_t)limit ? EFBIG : errno);
        else if (is_archive)
            unpack_bytes(tree, node, text.bytes, text.length, place->archives);
        else
            tree_keep(tree, node, text.bytes, text.length);
        text_free(&text);
    }
    if (fd >= 0) close(fd);
}

/* TREE_DEPTH bounds how deep folders may lie in each other. */
static void read_subfolder(Tree *tree, Node *node, const Place *place) {
    int fd = openat(place->fd, node->name, OPEN_FLAGS | O_DIRECTORY);
    if (fd < 0) {
        refuse_for_errno(tree, node, errno);
        return;
    }
    const char *path = arena_format(tree->arena, "%s/%s", place->path, node->name);
    if (path == NULL || place->depth >= TREE_DEPTH)
        tree_refuse(node, "lies too deep in folders", "hand in the files in one folder");
    else
        folder_read(tree, node, fd, path, place->depth + 1, place->archives);
    close(fd);
}

/* One name of a folder. In a checkout of the course only `work` is a student's. Where a folder holds several
 * students, each has a budget of entries and bytes of their own, so that one cannot use up everybody's. */
static void read_entry(Tree *tree, Node *folder, const Place *place, const char *name) {
    struct stat facts;
    if (tree_is_litter(name) || fstatat(place->fd, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
    bool is_folder = S_ISDIR(facts.st_mode), is_file = S_ISREG(facts.st_mode);
    if (is_folder && place->checkout && strcmp(name, "work") != 0) return;
    NodeKind kind = NODE_FILE;
    if (is_folder) kind = NODE_FOLDER;
    if (is_file && tree_is_archive(name)) kind = NODE_ARCHIVE;
    TreeBudget own;
    Node *node = tree_add(tree, folder, kind, name);
    bool begun = place->several && !place->downloads && tree_begin_student(tree, &own);
    if (node == NULL) {
        tree_refuse(folder, "has too many files", "leave only what the students handed in");
    } else if (is_folder) {
        read_subfolder(tree, node, place);
    } else if (!is_file) {
        tree_refuse(node, describe(facts.st_mode), "hand in the file itself, by this name");
    } else if (kind == NODE_ARCHIVE || tree_wants(name)) {
        read_regular(tree, node, place);
    }
    tree_end_student(tree, begun);
}

/* The names in a folder, to be sorted. */
typedef struct Names {
    char **items;
    size_t count, room;
    bool failed;
} Names;

static void add_name(Names *names, Arena *arena, const char *name) {
    char **items = NULL;
    if (names->count < MOST_NAMES)
        items = growable_grow(names->items, &names->room, names->count + 1, sizeof *items);
    names->failed = names->failed || items == NULL;
    if (items == NULL) return;
    names->items = items;
    items[names->count] = arena_string(arena, name);
    if (items[names->count] != NULL) names->count++;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names are sorted: the order in which a disk lists them must not decide which of two files counts. */
static bool list_names(Names *names, Arena *arena, int fd) {
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = NULL;
    if (own >= 0) stream = fdopendir(own);
    if (stream == NULL) {
        if (own >= 0) close(own);
        return false;
    }
    for (struct dirent *entry; !names->failed && (entry = readdir(stream)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_name(names, arena, entry->d_name);
    closedir(stream);
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, compare_names);
    return !names->failed;
}

static size_t count_meant(const Names *names) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
        count += !tree_is_litter(names->items[i]);
    return count;
}

static bool is_own_folder(int fd, const char *name) {
    struct stat facts;
    return fstatat(fd, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
}

/* Finds where the names stand. Folders around everything are looked into, as layout.c does, and so is what is
 * alone in a download's folder; of several entries there each is a student's. */
static TreeLevel find_level(Tree *tree, Place *place, const Names *names) {
    if (tree->level == LEVEL_AROUND) {
        Arena *scratch = arena_create();
        place->downloads =
            scratch != NULL && sketch_holds_downloads(scratch, place->fd, names->items, names->count);
        arena_destroy(scratch);
        if (place->downloads) return LEVEL_DOWNLOAD;
    } else if (tree->level == LEVEL_DOWNLOAD) {
        place->downloads = !place->several;
    }
    if (place->several) return LEVEL_STUDENT;
    return tree->level;
}

/* A folder with its entries, as far as the budget goes. A clone or a checkout of the course is known by what
 * lies in it. */
void folder_read(Tree *tree, Node *folder, int fd, const char *path, int depth, int archives) {
    Place place = {.fd = fd, .path = path, .depth = depth, .archives = archives};
    bool has_git = depth > 0 && is_own_folder(fd, ".git");
    if (has_git) folder->git = arena_format(tree->arena, "%s/.git", path);
    place.checkout = has_git || (depth > 0 && is_own_folder(fd, "work"));
    Names names = {.count = 0};
    bool listed = list_names(&names, tree->arena, fd);
    place.several = count_meant(&names) > 1;
    const TreeLevel level = tree->level;
    tree->level = find_level(tree, &place, &names);
    if (!listed)
        refuse_for_errno(tree, folder, errno);
    else
        for (size_t i = 0; i < names.count && folder->refused == NULL; i++)
            read_entry(tree, folder, &place, names.items[i]);
    tree->level = level;
    free(names.items);
}
