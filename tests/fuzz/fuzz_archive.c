/* fuzz_archive.c - archives of any bytes, as a whole class's submissions: what comes out is printable, and
 * below the archive. Build and run: make fuzz-archive. */
#include "grading/intake/gather.h"
#include "grading/intake/people.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Lesson lessons[] = {{.name = "01-vector-add"}, {.name = "07-block-sum-dynamic"}};
static const Course course = {.lessons = lessons, .count = 2};

static void look(const Intake *intake) {
    for (size_t i = 1; i < intake->people_count; i++)
        if (strcmp(intake->people[i - 1].id, intake->people[i].id) >= 0) abort();
    for (size_t i = 0; i < intake->handed_count; i++) {
        const Handed *handed = &intake->handed[i];
        if (handed->person >= intake->people_count || strpbrk(handed->path, "\n\r\x1B") != NULL) abort();
        bool whole = handed->lesson != NULL && handed->bytes != NULL && strlen(handed->hash) == 64;
        if (handed->refused == NULL && !whole) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Tree tree;
    SubmissionList submissions;
    Roster nobody = {.path = NULL};
    Intake intake = {.people_count = 0};
    const IntakeOptions options = {.path = "class.zip",
                                   .strangers = true,
                                   .others = size % 3 == 0 ? &lessons[1] : NULL,
                                   .every_file = size % 2 == 0};
    tree_begin(&tree, arena);
    tree.root = tree_add(&tree, NULL, NODE_ARCHIVE, "class.zip");
    unpack_bytes(&tree, tree.root, (const char *)data, size, 0);
    if (tree.root->refused == NULL &&
        layout_read(&submissions, &tree, &course, &nobody, &options, &diagnostics) &&
        people_make(&intake, arena, &nobody, &submissions, &options, &diagnostics) &&
        gather_files(&intake, arena, &course, &submissions, &options))
        look(&intake);
    arena_destroy(arena);
    return 0;
}
