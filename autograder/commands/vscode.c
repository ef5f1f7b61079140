/* vscode.c - `vscode`: the lessons in an editor's debugger: .vscode/launch.json and tasks.json, a
 * configuration and a task that prepares it for each lesson. What else stands in these files stays. */
#include "autograder/commands/commands.h"
#include "autograder/texts.h"
#include "base/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OURS "warpschool: prepare "

/* A file of the editor, and which of its entries are ours by which member. */
typedef struct EditorFile {
    const char *name, *list, *member, *version;
} EditorFile;
static const EditorFile launch_file = {"launch.json", "configurations", "preLaunchTask", "0.2.0"};
static const EditorFile tasks_file = {"tasks.json", "tasks", "label", "2.0.0"};

static const char *in_debug(Session *session, const Lesson *lesson, const char *name) {
    return arena_format(session->arena, "${workspaceFolder}/work/.debug/%s/%s", lesson->name, name);
}

static const char *task_of(Session *session, const Lesson *lesson) {
    return arena_format(session->arena, OURS "%s", lesson->name);
}

static json_object *configuration_of(Session *session, const Course *course, const Lesson *lesson) {
    json_object *entry = json_object_new_object();
    (void)course;
    json_put_text(entry, "type", "warpgrind");
    json_put_text(entry, "request", "launch");
    json_put_text(entry, "name", lesson->name);
    json_put_text(entry, "program", in_debug(session, lesson, "program"));
    json_put_text(entry, "settings", in_debug(session, lesson, "launch.json"));
    json_put_flag(entry, "stopAtEnd", true);
    json_put_text(entry, "preLaunchTask", task_of(session, lesson));
    return entry;
}

static json_object *task_entry(Session *session, const Course *course, const Lesson *lesson) {
    const char *const words[] = {"--root", course->root, "debug", "--prepare", lesson->name};
    json_object *entry = json_object_new_object(), *args = json_object_new_array(),
                *matchers = json_object_new_array();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        json_object_array_add(args, json_object_new_string(words[i]));
    json_object_array_add(matchers, json_object_new_string("$gcc"));
    json_put_text(entry, "label", task_of(session, lesson));
    json_put_text(entry, "type", "process");
    json_put_text(entry, "command", arena_format(session->arena, "%s/bin/warpschool", course->build));
    json_object_object_add(entry, "args", args);
    json_object_object_add(entry, "problemMatcher", matchers);
    return entry;
}

/* The file as it is, without our entries; a new one where there is none. NULL with a diagnostic: it is no
 * JSON that we can read. */
static json_object *read_file(Session *session, const EditorFile *file, const char *path) {
    enum { LARGEST = 1 << 20 };
    json_object *kept = json_object_new_array(), *whole = NULL;
    if (access(path, F_OK) != 0) {
        whole = json_object_new_object();
        json_put_text(whole, "version", file->version);
    } else {
        whole = json_read_file(path, LARGEST, &session->diagnostics);
    }
    json_object *list = json_array(whole, file->list);
    JSON_EACH(entry, list)
        if (!text_starts_with(json_text(entry, file->member, ""), OURS))
            json_object_array_add(kept, json_object_get(entry));
    if (json_object_is_type(whole, json_type_object)) {
        json_object_object_add(whole, file->list, kept);
        return whole;
    }
    json_object_put(kept);
    json_object_put(whole);
    return NULL;
}

typedef json_object *MakeEntry(Session *session, const Course *course, const Lesson *lesson);

/* Programs of MPI ranks have no debugger. */
static bool write_file(Session *session, const Course *course, const EditorFile *file, MakeEntry *make) {
    const char *path = arena_format(session->arena, "%s/.vscode/%s", course->root, file->name);
    json_object *whole = NULL;
    if (path != NULL) whole = read_file(session, file, path);
    if (whole == NULL) {
        advise(diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "%s", plain_vscode(VSCODE_UNREADABLE)),
               plain_vscode(VSCODE_REMEDY));
        return false;
    }
    for (size_t i = 0; i < course->count; i++)
        if (course->lessons[i].manifest.ranks.text == NULL)
            json_object_array_add(json_array(whole, file->list), make(session, course, &course->lessons[i]));
    const char *text =
        json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool written = text_write_file(path, text, strlen(text));
    if (!written) diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "%s", strerror(errno));
    json_object_put(whole);
    return written;
}

int vscode_run(Session *session, int argc, char **argv) {
    const Option options[] = {{.kind = OPTION_END}};
    Course course;
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const char *folder = arena_format(session->arena, "%s/.vscode", course.root);
    if (folder == NULL || (mkdir(folder, 0755) != 0 && errno != EEXIST)) return EXIT_INTERNAL;
    if (!write_file(session, &course, &launch_file, configuration_of) ||
        !write_file(session, &course, &tasks_file, task_entry))
        return EXIT_USAGE;
    commands_say(plain_vscode(VSCODE_WRITTEN));
    commands_say(
        TOLD_VSCODE(PATH, session->arena, .path = arena_format(session->arena, "%s/bin", course.build)));
    return EXIT_FINE;
}
