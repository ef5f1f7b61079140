/* progress.c - reads and writes work/.progress; see progress.h. */
#include "autograder/course/progress.h"
#include "base/minmax.h"

#include "autograder/texts.h"
#include "base/finding.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_PROGRESS = 1 << 16 };

static ProgressEntry *entry_by_name(const Progress *progress, const Course *course, const char *name) {
    for (size_t i = 0; i < course->count; i++)
        if (strcmp(course->lessons[i].name, name) == 0) return &progress->entries[i];
    return NULL;
}

/* One fact a line. A line that makes no sense, or is about a lesson that is gone, is passed over: the file is
 * the student's. */
static void read_line(const Progress *progress, const Course *course, const char *line) {
    char name[128], kind[64];
    long hints;
    ProgressEntry *entry;
    if (sscanf(line, "passed %127s", name) == 1 && (entry = entry_by_name(progress, course, name)) != NULL)
        entry->passed = true;
    else if (sscanf(line, "hints %127s %9ld", name, &hints) == 2 &&
             (entry = entry_by_name(progress, course, name)) != NULL)
        entry->hints = MAX(hints, 0);
    else if (sscanf(line, "failed %127s %63s", name, kind) == 2 &&
             (entry = entry_by_name(progress, course, name)) != NULL &&
             finding_by_name(kind) != FINDING_KIND_COUNT)
        entry->failed = finding_info(finding_by_name(kind))->name;
    else if (sscanf(line, "told %127s", name) == 1 && (entry = entry_by_name(progress, course, name)) != NULL)
        entry->told = true;
}

/* Without the file nothing is passed yet. */
bool progress_read(Progress *progress, Arena *arena, const Course *course) {
    progress->path = arena_format(arena, "%s/work/.progress", course->root);
    progress->entries = ARENA_ARRAY(arena, course->count + 1, ProgressEntry);
    if (progress->path == NULL || progress->entries == NULL) return false;
    Text text = text_new();
    if (text_read_file(&text, progress->path, LARGEST_PROGRESS)) {
        char *rest = text.bytes;
        for (char *line; (line = strsep(&rest, "\n")) != NULL;)
            read_line(progress, course, line);
    }
    text_free(&text);
    return true;
}

/* The front page of the course site, where it is built, marks what is passed: make notes puts this file
 * beside it, and each step of the learner replaces it. A site that cannot be written stays as it is. */
static void tell_site(const Progress *progress, const Course *course) {
    Text path = text_new(), text = text_new();
    text_format(&path, "%s/build/site/progress.js", course->root);
    text_add(&text, "const passedLessons = [");
    for (size_t i = 0; i < course->count; i++)
        if (progress->entries[i].passed) text_format(&text, "\"%s\", ", course->lessons[i].name);
    text_add(&text, "];\n");
    if (!path.failed && !text.failed && access(path.bytes, W_OK) == 0)
        (void)text_write_file(path.bytes, text.bytes, text.length);
    text_free(&text);
    text_free(&path);
}

/* The whole file is written anew and renamed into place, so that a crash loses no progress. */
bool progress_write(const Progress *progress, const Course *course, Diagnostics *diagnostics) {
    Text text = text_new();
    text_add(&text, "# which lessons are passed; written by warpschool\n");
    for (size_t i = 0; i < course->count; i++) {
        const char *name = course->lessons[i].name;
        if (progress->entries[i].passed) text_format(&text, "passed %s\n", name);
        if (progress->entries[i].hints > 0)
            text_format(&text, "hints %s %ld\n", name, progress->entries[i].hints);
        if (progress->entries[i].failed != NULL)
            text_format(&text, "failed %s %s\n", name, progress->entries[i].failed);
        if (progress->entries[i].told) text_format(&text, "told %s\n", name);
    }
    bool fine = !text.failed && text_write_file(progress->path, text.bytes, text.length);
    if (!fine)
        diag_add(diagnostics, DIAG_ERROR, progress->path, 0, 0, "%s",
                 TOLD_COURSE(NO_PROGRESS, diagnostics->arena, .why = strerror(errno)));
    text_free(&text);
    tell_site(progress, course);
    return fine;
}

static bool is_passed(const Progress *progress, const Course *course, const char *name) {
    const ProgressEntry *entry = entry_by_name(progress, course, name);
    return entry == NULL || entry->passed; /* one that is not there keeps nobody waiting */
}

static bool is_within_reach(const Progress *progress, const Course *course, const Lesson *lesson) {
    for (size_t i = 0; i < lesson->manifest.needs.count; i++)
        if (!is_passed(progress, course, lesson->manifest.needs.items[i])) return false;
    return true;
}

const Lesson *progress_next_core(const Progress *progress, const Course *course) {
    for (size_t i = 0; i < course->count; i++)
        if (course->lessons[i].manifest.core && !progress->entries[i].passed) return &course->lessons[i];
    return NULL;
}

const Lesson *progress_next(const Progress *progress, const Course *course) {
    const Lesson *next = progress_next_core(progress, course);
    if (next != NULL) return next;
    for (size_t i = 0; i < course->count; i++) {
        if (progress->entries[i].passed) continue;
        if (is_within_reach(progress, course, &course->lessons[i])) return &course->lessons[i];
        if (next == NULL) next = &course->lessons[i]; /* needs go in a circle */
    }
    return next;
}

ProgressEntry *progress_of(const Progress *progress, const Course *course, const Lesson *lesson) {
    return &progress->entries[lesson - course->lessons];
}

/* The same mistake again is no news; another one has a hint of its own. */
void progress_note(const Progress *progress, const Course *course, const Lesson *lesson, bool passed,
                   const char *kind, Diagnostics *diagnostics) {
    ProgressEntry *entry = progress_of(progress, course, lesson);
    const ProgressEntry before = *entry;
    entry->passed = entry->passed || passed;
    if (entry->failed != kind) {
        entry->failed = kind;
        entry->told = false;
    }
    if (entry->passed != before.passed || entry->failed != before.failed)
        progress_write(progress, course, diagnostics);
}
