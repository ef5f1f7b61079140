/* unpack.c - a .zip or .tar.gz becomes a part of the tree, by libarchive; see tree.h.
 *
 * An archive is taken whole or not at all: when it is damaged or goes over a limit it is refused, since what
 * came before may be the older half of it. An entry that cannot be a submission (a link, a device, a name
 * that leads out) is refused alone. All data is decompressed and counted, also of entries that nobody wants:
 * the sizes that an archive claims are its own.
 */
#include "grading/intake/tree.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char only_the_program[] = "hand in the program alone, without data";
static const char pack_again[] = "pack it again as .zip or .tar.gz, or hand in the files themselves";

/* One reading of one archive. */
typedef struct Unpacking {
    Tree *tree;
    Node *top;
    struct archive *archive;
    int archives; /* of a student's around this one; the class's own is none */
    uint64_t packed, unpacked;
} Unpacking;

static bool refuse_all(Unpacking *unpacking, const char *reason, const char *remedy) {
    tree_refuse(unpacking->top, reason, remedy);
    unpacking->top->first = unpacking->top->last = NULL;
    return false;
}

static bool refuse_damaged(Unpacking *unpacking) {
    const char *said = archive_error_string(unpacking->archive);
    Text text = text_new();
    text_add(&text, "cannot be unpacked: ");
    if (said == NULL) said = "damaged";
    text_add_visible(&text, said, strcspn(said, "\n"));
    refuse_all(unpacking, arena_string(unpacking->tree->arena, text.bytes), pack_again);
    text_free(&text);
    return false;
}

/* ---- data ---- */

static bool count_bytes(Unpacking *unpacking, size_t more) {
    TreeBudget *budget = unpacking->tree->budget;
    unpacking->unpacked += more;
    bool swells = unpacking->unpacked > TREE_FREE_BYTES &&
                  unpacking->unpacked / TREE_UNPACKED_RATIO > unpacking->packed;
    bool fits = more <= budget->unpacked;
    budget->unpacked -= fits ? more : budget->unpacked;
    if (fits && !swells) return true;
    return refuse_all(unpacking, "unpacks to far more than a submission needs", only_the_program);
}

/* Reads an entry's data to its end, and keeps up to `limit` bytes of it. */
static bool read_data(Unpacking *unpacking, Text *text, size_t limit, bool *whole) {
    char buffer[65536];
    *whole = true;
    for (;;) {
        la_ssize_t got = archive_read_data(unpacking->archive, buffer, sizeof buffer);
        if (got == ARCHIVE_RETRY) continue;
        if (got < 0) return refuse_damaged(unpacking);
        if (got == 0) return true;
        if (!count_bytes(unpacking, (size_t)got)) return false;
        if ((size_t)got > limit - text->length) *whole = false;
        if (*whole) text_append(text, buffer, (size_t)got);
    }
}

/* ---- names ---- */

/* The child of this name, made when it is not there. */
static Node *enter(Unpacking *unpacking, Node *folder, const char *name, NodeKind kind) {
    Node *last = folder->last; /* archives go through their folders one after the other */
    if (kind == NODE_FOLDER && last != NULL && last->kind == kind && strcmp(last->name, name) == 0)
        return last;
    if (kind == NODE_FOLDER)
        for (Node *child = folder->first; child != NULL; child = child->next)
            if (child->kind == NODE_FOLDER && strcmp(child->name, name) == 0) return child;
    return tree_add(unpacking->tree, folder, kind, name);
}

/* Whether a path stays below its archive and is not beyond all measure; NULL, or why not. */
static const char *judge_path(const char *path) {
    if (path == NULL || path[0] == '\0') return "has no name";
    if (path[0] == '/') return "has an absolute name";
    if (strlen(path) > TREE_PATH_BYTES) return "has too long a name";
    int depth = 0;
    for (const char *at = path; *at != '\0'; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        if (length == 2 && strncmp(at, "..", 2) == 0) return "has a name that leads out of the archive";
        if (length > TREE_NAME_BYTES) return "has too long a name";
        if (++depth > TREE_DEPTH) return "lies too deep in folders";
        at += length;
    }
    return NULL;
}

/* Makes the folders of a path; the last part is left in `name`. NULL when the entry is litter, or there is no
 * room. */
static Node *enter_folders(Unpacking *unpacking, const char *path, char name[TREE_NAME_BYTES + 1]) {
    Node *folder = unpacking->top;
    for (const char *at = path; folder != NULL;) {
        size_t length = strcspn(at, "/");
        snprintf(name, TREE_NAME_BYTES + 1, "%.*s", (int)length, at);
        at += length;
        at += strspn(at, "/");
        if (*at == '\0') break;
        if (strcmp(name, ".") == 0) continue;
        if (tree_is_litter(name)) return NULL;
        folder = enter(unpacking, folder, name, NODE_FOLDER);
    }
    if (folder != NULL && tree_is_litter(name)) return NULL;
    return folder;
}

/* ---- entries ---- */

/* What the entry is when it is neither a folder nor a file. */
static const char *describe(struct archive_entry *entry) {
    if (archive_entry_hardlink(entry) != NULL) return "is a link to another entry of its archive";
    mode_t type = archive_entry_filetype(entry);
    if (type == AE_IFLNK) return "is a symbolic link";
    if (type == AE_IFIFO) return "is a named pipe";
    if (archive_entry_is_encrypted(entry) > 0) return "is encrypted";
    if (type == AE_IFREG) return NULL;
    return "is a device";
}

/* What nobody wants is read past without keeping it: the archive has to be walked through all the same. */
static bool read_file(Unpacking *unpacking, Node *node) {
    bool is_archive = node->kind == NODE_ARCHIVE, wanted = is_archive || tree_wants(node->name), whole;
    size_t limit = 0;
    if (wanted) limit = is_archive ? TREE_ARCHIVE_BYTES : TREE_SOURCE_BYTES;
    Text text = text_new();
    bool fine = read_data(unpacking, &text, limit, &whole);
    if (fine && wanted && !whole)
        tree_refuse(node, "is larger than a submission may be (1 MiB; an archive 64 MiB)", only_the_program);
    else if (fine && is_archive)
        unpack_bytes(unpacking->tree, node, text.bytes, text.length, unpacking->archives + 1);
    else if (fine && wanted)
        tree_keep(unpacking->tree, node, text.bytes, text.length);
    text_free(&text);
    return fine;
}

/* Of a name that may have a million bytes, what is worth showing. */
static bool add_refused(Unpacking *unpacking, const char *path, const char *reason) {
    char name[TREE_NAME_BYTES + sizeof "..."] = "(no name)";
    if (path != NULL && path[0] != '\0')
        snprintf(name, sizeof name, "%.*s%s", (int)TREE_NAME_BYTES, path,
                 strlen(path) > TREE_NAME_BYTES ? "..." : "");
    Node *node = tree_add(unpacking->tree, unpacking->top, NODE_FILE, name);
    if (node == NULL) return refuse_all(unpacking, "has too many files", only_the_program);
    tree_refuse(node, reason, "hand in the file itself, in a folder of the archive");
    return true;
}

/* One entry of an archive. Its path is the sender's word: judge_path refuses those that lead out of the
 * archive, and folders are made only in the tree, never on a disk. */
static bool read_entry(Unpacking *unpacking, struct archive_entry *entry) {
    const char *path = archive_entry_pathname(entry), *wrong = judge_path(path);
    char name[TREE_NAME_BYTES + 1];
    if (wrong != NULL) return add_refused(unpacking, path, wrong);
    bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    Node *folder = enter_folders(unpacking, path, name);
    if (folder == NULL || strcmp(name, ".") == 0)
        return tree_spend_entry(unpacking->tree) ||
               refuse_all(unpacking, "has too many files", only_the_program);
    NodeKind kind = NODE_FILE;
    if (tree_is_archive(name)) kind = NODE_ARCHIVE;
    Node *node = enter(unpacking, folder, name, is_folder ? NODE_FOLDER : kind);
    if (node == NULL) return refuse_all(unpacking, "has too many files", only_the_program);
    if (is_folder) return true;
    tree_take_time(node, archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0, "archive");
    wrong = describe(entry);
    /* Who packed the class's download with a password is the teacher, and no student gets a zero for it. */
    if (unpacking->archives < 0 && archive_entry_is_encrypted(entry) > 0)
        return refuse_all(unpacking, "is encrypted", only_the_program);
    if (wrong == NULL) return read_file(unpacking, node);
    node->kind = NODE_FILE;
    tree_refuse(node, wrong, "hand in the file itself, by this name");
    return true;
}

static void sort_all(Node *folder) {
    tree_sort(folder);
    for (Node *node = folder->first; node != NULL; node = node->next)
        if (node->kind == NODE_FOLDER) sort_all(node);
}

/* What a .tar.gz has told so far, its headers included; a .zip is as long as it is packed. */
static uint64_t told_bytes(const Unpacking *unpacking) {
    int64_t told = archive_filter_bytes(unpacking->archive, 0);
    if (told > 0) return (uint64_t)told;
    return 0;
}

/* The data of an entry that nobody wants: skipped, it would be unpacked without being counted. */
static bool read_rest(Unpacking *unpacking) {
    if ((archive_format(unpacking->archive) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR) return true;
    Text none = text_new();
    bool whole;
    return read_data(unpacking, &none, 0, &whole);
}

/* Reads to the end, or to where the archive is damaged: what was read before that stays. A name and its
 * attributes can be as large as a file, and count as one. */
static void read_entries(Unpacking *unpacking) {
    struct archive_entry *entry;
    for (;;) {
        const uint64_t before = told_bytes(unpacking);
        int status = archive_read_next_header(unpacking->archive, &entry);
        if (status == ARCHIVE_EOF) break;
        if (status == ARCHIVE_RETRY) continue;
        if (status < ARCHIVE_WARN) {
            refuse_damaged(unpacking);
            return;
        }
        const uint64_t now = told_bytes(unpacking);
        if (now > before && !count_bytes(unpacking, now - before)) return;
        if (!read_entry(unpacking, entry) || !read_rest(unpacking)) return;
    }
    sort_all(unpacking->top);
}

/* libarchive converts names by the locale, and gives none for what it cannot convert: in the "C" locale, all
 * but ASCII. */
static void read_in_utf8(Unpacking *unpacking) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = (locale_t)0;
    if (utf8 != (locale_t)0) before = uselocale(utf8);
    read_entries(unpacking);
    if (utf8 == (locale_t)0) return;
    uselocale(before);
    freelocale(utf8);
}

static struct archive *make_reader(void) {
    struct archive *archive = archive_read_new();
    if (archive == NULL) return NULL;
    archive_read_support_filter_gzip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    return archive;
}

/* An open reader, or none, becomes the archive's part of the tree. */
static void unpack(Unpacking *unpacking, bool opened) {
    if (opened)
        read_in_utf8(unpacking);
    else
        refuse_damaged(unpacking);
    archive_read_free(unpacking->archive);
}

/* An archive in memory. TREE_ARCHIVE_DEPTH bounds archives within archives, of which a small one can hold any
 * amount. */
void unpack_bytes(Tree *tree, Node *node, const char *bytes, size_t length, int archives) {
    Unpacking unpacking = {.tree = tree, .top = node, .archives = archives, .packed = length};
    TreeBudget own;
    if (archives >= TREE_ARCHIVE_DEPTH) {
        tree_refuse(node, "is an archive in an archive in an archive",
                    "hand in one archive, or the files themselves");
        return;
    }
    bool begun = tree_begin_student(tree, &own);
    unpacking.archive = make_reader();
    unpack(&unpacking, unpacking.archive != NULL &&
                           archive_read_open_memory(unpacking.archive, bytes, length) == ARCHIVE_OK);
    tree_end_student(tree, begun);
}

void unpack_file(Tree *tree, Node *node, int fd, size_t length) {
    enum { BLOCK = 65536 };
    /* Whether a teacher unpacks the download first must not change what counts in it. */
    Unpacking unpacking = {.tree = tree, .top = node, .archives = -1, .packed = length};
    unpacking.archive = make_reader();
    unpack(&unpacking,
           unpacking.archive != NULL && archive_read_open_fd(unpacking.archive, fd, BLOCK) == ARCHIVE_OK);
}
