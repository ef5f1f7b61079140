/* tree.h - what was handed in, as a tree in which real folders and archives look the same.
 *
 * Nothing of it is trusted. Folders are opened one name at a time and never through a link; only regular
 * files are read, and of those only what can be a submission. Archives are read in memory, nothing is written
 * anywhere. What is refused stays in the tree with the reason. Children are sorted by their names' bytes, so
 * the same files give the same tree on every machine.
 */
#pragma once

#include "base/diag.h"

/** What a reading may cost. */
enum {
    TREE_SOURCE_BYTES = 1 << 20,   /**< of one file of a student: what check takes */
    TREE_ARCHIVE_BYTES = 64 << 20, /**< of an archive that a student handed in */
    TREE_UNPACKED_RATIO = 200,     /**< of unpacked to packed bytes, past the first TREE_FREE_BYTES */
    TREE_FREE_BYTES = 16 << 20,
    TREE_DEPTH = 16, /**< folders in folders */
    TREE_NAME_BYTES = 255,
    TREE_PATH_BYTES = 4096,
    TREE_ARCHIVE_DEPTH = 2 /**< the class's archive, and a student's in it */
};

/** What is left for one student, or for the class: what one uses up must not be taken from another. */
typedef struct TreeBudget {
    uint64_t entries;  /**< files and folders */
    uint64_t unpacked; /**< bytes that come out of archives */
    uint64_t kept;     /**< bytes of sources that stay in memory */
} TreeBudget;

/** All of a student's folder or archive, archives in it included. */
#define TREE_STUDENT_BUDGET ((TreeBudget){20000, 256 << 20, 8 << 20})
/** Of a class, without its students' archives: 2,400 students with 25 lessons each stay far below. */
#define TREE_CLASS_BUDGET ((TreeBudget){4000000, 8ULL << 30, 2ULL << 30})

/** What an entry is; everything that is no folder and no archive is a file, read or refused. */
typedef enum NodeKind { NODE_FOLDER, NODE_ARCHIVE, NODE_FILE } NodeKind;

/** A folder, archive or file of what was handed in, wherever it came from. */
typedef struct Node {
    const char *name;  /**< any bytes */
    const char *shown; /**< its way from the top, printable: "ann.zip:work/07.cu" */
    NodeKind kind;
    int64_t time;          /**< Unix seconds; 0 unknown */
    const char *time_from; /**< "archive", "file" or "commit"; NULL */
    const char *note;      /**< what must be said of the time; NULL */
    const char *bytes;     /**< of a file that was read; NULL */
    size_t length;
    const char *refused, *remedy; /**< NULL: fine */
    const char *git;              /**< a folder's own ".git" folder on the disk; NULL */
    struct Node *parent, *first, *last, *next;
} Node;

/** Where a folder on the disk stands: around everything, in a download that lies beside others, or a
 * student's. */
typedef enum TreeLevel { LEVEL_AROUND, LEVEL_DOWNLOAD, LEVEL_STUDENT } TreeLevel;

/** All that was handed in, and how much more may be read. */
typedef struct Tree {
    Arena *arena;
    Node *root;
    TreeBudget class;   /**< what is left of the class's */
    TreeBudget *budget; /**< of whoever is read at the moment */
    TreeLevel level;    /**< of the folder that is read */
} Tree;

/** Reads a folder, a .zip or a .tar.gz. False with diagnostics when it cannot be read at all. */
bool tree_read(Tree *tree, Arena *arena, const char *path, Diagnostics *diagnostics);

/* ---- for folder.c and unpack.c ---- */

/** A tree without a root yet, with the class's budget; it must stay where it is. */
void tree_begin(Tree *tree, Arena *arena);
/** From here on a student's budget of its own, unless one is in use. True when it was begun, and must be
 * ended. */
bool tree_begin_student(Tree *tree, TreeBudget *own);
void tree_end_student(Tree *tree, bool begun);
/** Takes an entry off the budget; false when none is left. */
bool tree_spend_entry(Tree *tree);
/** A child; NULL without memory or when the budget has no entry left. */
Node *tree_add(Tree *tree, Node *parent, NodeKind kind, const char *name);
/** The child of that name; NULL. */
Node *tree_child(const Node *folder, const char *name);
void tree_refuse(Node *node, const char *reason, const char *remedy);
/** When it was handed in, in Unix seconds, and who says so. A time before 1970 or past the year 9999 is
 * somebody's joke, and none. */
void tree_take_time(Node *node, int64_t time, const char *from);
/** Whether a file of this name is read. */
bool tree_wants(const char *name);
/** Whether the name is that of a .zip, .tar.gz or .tgz. */
bool tree_is_archive(const char *name);
/** Whether nobody meant to hand in a file or folder of this name: what systems, editors and version control
 * leave. */
bool tree_is_litter(const char *name);
/** Keeps a file's bytes in the tree; refuses the node when that is too much. */
void tree_keep(Tree *tree, Node *node, const char *bytes, size_t length);
void tree_sort(Node *folder);
/** Reads the folder behind the descriptor, which stays the caller's. Each entry of the first folder with more
 * than one in it is a student's, with a budget of its own; of a folder of downloads each entry of theirs. */
void folder_read(Tree *tree, Node *folder, int fd, const char *place, int depth, int archives);
/** An archive in memory; `archives` counts those around it. */
void unpack_bytes(Tree *tree, Node *archive, const char *bytes, size_t length, int archives);
/** The archive of a whole class. */
void unpack_file(Tree *tree, Node *archive, int fd, size_t length);
