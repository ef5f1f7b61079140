/* export_command.c - `warpschool export`: from a gradebook, or from results of `check --json`, to files in a
 * format of exports.def. */
#include "grading/commands.h"
#include "grading/out/exports.h"

#include "autograder/check/result.h"
#include "base/hash.h"
#include "base/json.h"
#include "grading/book/desk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_RESULTS = 100 };

/* The words of `warpschool export`. */
typedef struct ExportOrder {
    const Export *format;
    const char *student, *lesson, *output;
    bool canvas_ids;
    Gradebook *book; /* NULL: from results */
} ExportOrder;

/* ---- files ---- */

static int write_text(Session *session, const char *path, Text *text) {
    if (path == NULL) {
        commands_write(text);
        return EXIT_FINE;
    }
    if (commands_write_file(session, path, text, "cannot write")) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}

/* What is undecided is for a person to look at, like everywhere in grading: an empty cell of an import says
 * nothing of it. */
static int say_open(Session *session, const Class *class) {
    const size_t open = class_count_open(class), all = class->student_count * class->lesson_count;
    if (open == 0) return EXIT_FINE;
    advise(diag_add(&session->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "%s of %s grades are open: they are left empty", arena_number(session->arena, open),
                    arena_number(session->arena, all)),
           "the command `warpschool gradebook` says which; grade again, or set them by `override`");
    return EXIT_FOUND;
}

/* Grades that wait for a teacher's word, in a file that is not for the staff. */
static void say_held(Session *session, const Export *format, const Class *class) {
    size_t held = 0;
    for (size_t i = 0; i < class->lesson_count; i++)
        held += class->lessons[i].held;
    if (held == 0 || format->reader == EXPORT_FOR_STAFF) return;
    advise(diag_add(&session->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "grades that are not released are left out; lessons: %s of %s",
                    arena_number(session->arena, held), arena_number(session->arena, class->lesson_count)),
           "let them out: warpschool gradebook --release LESSON");
}

/* Exit status: a file is not begun when the format cannot hold the class. */
static int write_class(Session *session, const ExportOrder *order, const Class *class, const char *path) {
    const Export *format = order->format;
    ExportJob job = {.class = class,
                     .arena = session->arena,
                     .diagnostics = &session->diagnostics,
                     .book = order->book,
                     .canvas_ids = order->canvas_ids};
    if (!exports_fit(format, class, &session->diagnostics)) return EXIT_USAGE;
    Text text = text_new();
    if (exports_write(format, &job, &text)) return write_text(session, path, &text);
    int status = EXIT_FOUND;
    if (text.failed) status = EXIT_INTERNAL;
    text_free(&text);
    return status;
}

/* ---- a file for each student ---- */

/* A disk takes 255 bytes: of a longer name the beginning stands for people, and a hash for the rest. */
static void shorten(Text *name, const char *id) {
    enum { MOST = 255, KEPT = 120 };
    char hash[HASH_HEX];
    if (name->length <= MOST) return;
    hash_bytes(id, strlen(id), hash);
    name->length = KEPT;
    text_format(name, "~%s", hash);
}

/* An id as the name of a folder: what is no letter, digit or one of "-_@." is written as % and two hex
 * digits; so is a dot that comes first, and an empty id is "%". */
static const char *folder_name(Arena *arena, const char *id) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_@.";
    Text name = text_new();
    for (const unsigned char *at = (const unsigned char *)id; *at != '\0'; at++) {
        bool kept = strchr(plain, *at) != NULL && (*at != '.' || name.length > 0);
        if (kept)
            text_append(&name, (const char *)at, 1);
        else
            text_format(&name, "%%%02X", *at);
    }
    shorten(&name, id);
    const char *kept = arena_string(arena, name.length > 0 ? name.bytes : "%");
    text_free(&name);
    return kept;
}

static bool make_folder(Session *session, const char *path) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return true;
    diag_add_errno(&session->diagnostics, path, "cannot make the folder");
    return false;
}

static bool is_folder(const char *path) {
    struct stat status;
    return path != NULL &&
           (text_ends_with(path, "/") || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)));
}

/* FOLDER/ID/results.json for each; the worst status of all. */
static int write_each(Session *session, const ExportOrder *order, const Class *class) {
    int worst = EXIT_FINE;
    if (!make_folder(session, order->output)) return diag_status(&session->diagnostics);
    for (size_t i = 0; i < class->student_count && worst <= EXIT_FOUND; i++) {
        Class one;
        const char *name = folder_name(session->arena, class->students[i].id);
        const char *folder = NULL;
        if (name != NULL) folder = arena_format(session->arena, "%s/%s", order->output, name);
        const char *path = NULL;
        if (folder != NULL) path = arena_format(session->arena, "%s/%s", folder, order->format->file);
        if (path == NULL || !exports_select(&one, session->arena, class, i, EXPORTS_ALL) ||
            !make_folder(session, folder))
            return diag_status(&session->diagnostics);
        int status = write_class(session, order, &one, path);
        if (status > worst) worst = status;
    }
    return worst;
}

static int write_all(Session *session, const ExportOrder *order, const Class *class) {
    bool each = order->format->scope != EXPORT_CLASS && is_folder(order->output);
    if (each) return write_each(session, order, class);
    return write_class(session, order, class, order->output);
}

/* ---- from the gradebook ---- */

/* What leaves the staff has names, and of what is not released no grade; before the first release of an
 * anonymous course there is nothing to hand out, and a list of names beside empty cells would help nobody. */
static bool read_class(Session *session, const ExportOrder *order, Desk *desk) {
    if (!desk->policy.anonymous || order->format->reader == EXPORT_FOR_STAFF)
        return desk_read_class(desk, session);
    if (!desk_read_named(desk, session)) return false;
    for (size_t i = 0; i < desk->class.lesson_count; i++)
        if (!desk->class.lessons[i].held) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, desk->gradebook, 0, 0,
                           "grading is anonymous, and nothing is released: there is nothing to hand out"),
                  "let the grades out: warpschool gradebook --release LESSON");
}

/* A class, or a part of it, as the gradebook has it. */
static int export_book(Session *session, ExportOrder *order, Desk *desk) {
    size_t student = EXPORTS_ALL, lesson = EXPORTS_ALL;
    Class part;
    if (!desk_open(desk, session, GRADEBOOK_READ) || !read_class(session, order, desk))
        return diag_status(&session->diagnostics);
    if (order->student != NULL && !desk_find_student(desk, session, order->student, &student))
        return EXIT_USAGE;
    if (order->lesson != NULL && !desk_find_lesson(desk, session, order->lesson, &lesson)) return EXIT_USAGE;
    if (!exports_select(&part, session->arena, &desk->class, student, lesson)) return EXIT_INTERNAL;
    order->book = desk->book;
    const int status = write_all(session, order, &part);
    say_held(session, order->format, &part);
    if (status == EXIT_FINE) return say_open(session, &part);
    return status;
}

/* ---- from results ---- */

static void put_results(struct json_object **results, size_t count) {
    for (size_t i = 0; i < count; i++)
        json_object_put(results[i]);
}

/* The file's result; NULL after a diagnostic, which knows a gradebook that stands where results do. */
static struct json_object *read_one(Session *session, const char *path) {
    if (!gradebook_is_one(path)) return json_read_file(path, RESULT_LARGEST, &session->diagnostics);
    advise(diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "this is a gradebook, and no result"),
           "--gradebook names it; without a name it is gradebook.db");
    return NULL;
}

/* Results of `check --json` make a class of one student, so that every format works for them. */
static int export_results(Session *session, const ExportOrder *order, char **paths, size_t count) {
    struct json_object *results[MOST_RESULTS];
    int status = EXIT_USAGE;
    size_t read = 0;
    for (; read < count; read++) {
        results[read] = read_one(session, paths[read]);
        if (results[read] == NULL) break;
    }
    Class class;
    if (read == count && exports_class_of(&class, session->arena, results, count, &session->diagnostics))
        status = write_all(session, order, &class);
    put_results(results, read);
    return status;
}

/* ---- the commands ---- */

static const char *scope_words(const Export *format) {
    static const char *const words[] = {
        [EXPORT_ONE] = "a lesson", [EXPORT_STUDENT] = "a student", [EXPORT_CLASS] = "the class"};
    return words[format->scope];
}

static void list_formats(void) {
    Text out = text_new();
    text_add(&out, "\nFORMAT, and what one file holds:\n");
    for (const Export *format = exports_table; format->name != NULL; format++)
        text_format(&out, "  %-20s %-9s  %s\n", format->name, scope_words(format), format->help);
    text_add(&out, "\nWith RESULT, files that `warpschool check --json` wrote, no gradebook is read.\n");
    commands_print(&out);
}

/* `warpschool export FORMAT [RESULT...]` */
int export_run(Session *session, int argc, char **argv) {
    ExportOrder order = {.format = NULL};
    Desk desk = {.gradebook = NULL};
    const Option options[] = {DESK_OPTIONS(&desk),
                              {OPTION_STRING, 0, "student", "ID", "only this one", &order.student},
                              {OPTION_STRING, 0, "lesson", "LESSON", "only this one", &order.lesson},
                              {OPTION_FLAG, 0, "canvas-ids", NULL,
                               "canvas: the ids are Canvas's own, as in its download", &order.canvas_ids},
                              {OPTION_STRING, 'o', "output", "PATH",
                               "write to this file; a folder gets one file for each student", &order.output},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 1, MOST_RESULTS + 1);
    if (session->helped) list_formats();
    if (first >= 0)
        order.format = exports_find(argv[first], &session->diagnostics);
    else
        order.format = NULL;
    if (order.format == NULL) return EXIT_USAGE;
    if (argc > first + 1)
        return export_results(session, &order, argv + first + 1, (size_t)(argc - first - 1));
    int status = export_book(session, &order, &desk);
    desk_close(&desk);
    return status;
}
