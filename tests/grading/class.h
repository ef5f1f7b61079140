/* class.h - a class's folder for tests: files, links and archives made in a folder of the test's own, and
 * what intake_read makes of them as text, a line each. */
#pragma once

#include "grading/intake/intake.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { CLASS_TIME = 1700000000 };

typedef struct ClassFolder {
    char root[256];
    Arena *arena;
    Diagnostics diagnostics;
    Intake intake;
    bool fine, every_file, strict, nameless;
    const Lesson *others;
    Text said;
} ClassFolder;

static void class_open(ClassFolder *class) {
    const char *place = getenv("TMPDIR");
    snprintf(class->root, sizeof class->root, "%s/class-XXXXXX", place ? place : "/tmp");
    assert_non_null(mkdtemp(class->root));
    class->every_file = class->strict = class->nameless = false;
    class->others = NULL;
    class->arena = arena_create();
    diag_init(&class->diagnostics, class->arena);
    text_init(&class->said);
}

static int class_remove(const char *path, const struct stat *facts, int type, struct FTW *place) {
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

static void class_close(ClassFolder *class) {
    nftw(class->root, class_remove, 16, FTW_DEPTH | FTW_PHYS);
    arena_destroy(class->arena);
    text_free(&class->said);
}

static const char *class_path(ClassFolder *class, const char *name) {
    return arena_format(class->arena, "%s/%s", class->root, name);
}

/* Makes the folders on the way. */
static const char *class_way(ClassFolder *class, const char *name) {
    char *path = arena_string(class->arena, class_path(class, name));
    for (char *slash = path + strlen(class->root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    return path;
}

/* A file of CLASS_TIME plus `seconds`. */
static void class_put_bytes(ClassFolder *class, const char *name, const char *bytes, size_t length,
                            long seconds) {
    const char *path = class_way(class, name);
    const struct timespec times[2] = {{.tv_sec = CLASS_TIME + seconds}, {.tv_sec = CLASS_TIME + seconds}};
    assert_true(text_write_file(path, bytes, length));
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static inline void class_put(ClassFolder *class, const char *name, const char *text, long seconds) {
    class_put_bytes(class, name, text, strlen(text), seconds);
}

/* ---- archives ---- */

typedef struct Packing {
    struct archive *archive;
    char *bytes;
    size_t room, length;
} Packing;

static inline void packing_open(Packing *packing, bool zip) {
    packing->archive = archive_write_new();
    if (zip) {
        archive_write_set_format_zip(packing->archive);
    } else {
        archive_write_set_format_pax_restricted(packing->archive);
        archive_write_add_filter_gzip(packing->archive);
    }
    packing->room = 8 << 20;
    packing->bytes = malloc(packing->room);
    assert_int_equal(
        archive_write_open_memory(packing->archive, packing->bytes, packing->room, &packing->length),
        ARCHIVE_OK);
}

/* An entry of any type; `link` is where a link leads. */
static inline void packing_add(Packing *packing, const char *name, mode_t type, const char *link,
                               const char *bytes, size_t length, long seconds) {
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)length);
    archive_entry_set_mtime(entry, CLASS_TIME + seconds, 0);
    if (link != NULL && type == AE_IFLNK) archive_entry_set_symlink(entry, link);
    if (link != NULL && type == AE_IFREG) archive_entry_set_hardlink(entry, link);
    /* Names are UTF-8 for as long as they are written; they are read in the test's own locale. */
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    uselocale(utf8);
    assert_int_equal(archive_write_header(packing->archive, entry), ARCHIVE_OK);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(utf8);
    if (length > 0) assert_int_equal(archive_write_data(packing->archive, bytes, length), (la_ssize_t)length);
    archive_entry_free(entry);
}

static inline void packing_put(Packing *packing, const char *name, const char *text, long seconds) {
    packing_add(packing, name, AE_IFREG, NULL, text, strlen(text), seconds);
}

static inline void packing_close(Packing *packing) {
    assert_int_equal(archive_write_close(packing->archive), ARCHIVE_OK);
    archive_write_free(packing->archive);
}

/* Ends the packing and puts the archive into the class. */
static inline void packing_finish(Packing *packing, ClassFolder *class, const char *name) {
    packing_close(packing);
    class_put_bytes(class, name, packing->bytes, packing->length, 0);
    free(packing->bytes);
}

/* ---- what is read ---- */

static Lesson class_lessons[] = {
    {.name = "01-vector-add"}, {.name = "07-block-sum-dynamic"}, {.name = "08-block-sum-static"}};
static const Course class_course = {.lessons = class_lessons, .count = 3};

static void class_say_people(ClassFolder *class) {
    const Intake *intake = &class->intake;
    for (size_t i = 0; i < intake->people_count; i++) {
        const Person *person = &intake->people[i];
        text_format(&class->said, "%s <%s> %s\n", person->id, person->name ? person->name : "",
                    person->email ? person->email : "");
    }
}

static void class_say_files(ClassFolder *class) {
    for (size_t i = 0; i < class->intake.handed_count; i++) {
        const Handed *handed = &class->intake.handed[i];
        text_format(&class->said, "%s: %s %s", class->intake.people[handed->person].id,
                    handed->lesson ? handed->lesson : "-", handed->path);
        if (handed->refused != NULL)
            text_format(&class->said, " REFUSED %s", handed->refused);
        else
            text_format(&class->said, " %ld %s [%.*s]",
                        handed->time == 0 ? 0 : (long)(handed->time - CLASS_TIME), handed->time_from,
                        (int)handed->length, handed->bytes);
        text_format(&class->said, "%s%s\n", handed->note ? " NOTE " : "", handed->note ? handed->note : "");
    }
}

/* Reads `name` below the root, "" for the root itself. People, files and then what was complained of, without
 * the root's own path. */
static const char *class_read_columns(ClassFolder *class, const char *name, const char *roster,
                                      const char *columns) {
    const IntakeOptions options = {.path = name[0] ? class_path(class, name) : class->root,
                                   .roster = roster ? class_path(class, roster) : NULL,
                                   .columns = columns,
                                   .every_file = class->every_file,
                                   .others = class->others,
                                   .nameless = class->nameless,
                                   .strangers = !class->strict};
    class->fine = intake_read(&class->intake, class->arena, &class_course, &options, &class->diagnostics);
    text_clear(&class->said);
    if (class->fine) {
        class_say_people(class);
        class_say_files(class);
    }
    diag_render(&class->diagnostics, &class->said, false);
    return class->said.bytes;
}

static inline const char *class_read(ClassFolder *class, const char *name, const char *roster) {
    return class_read_columns(class, name, roster, NULL);
}

/* All of it. */
static inline void class_expect(ClassFolder *class, const char *name, const char *roster,
                                const char *expected) {
    assert_string_equal(class_read(class, name, roster), expected);
}

/* Only that it says so. */
static inline void class_expect_word(ClassFolder *class, const char *word) {
    if (strstr(class->said.bytes, word) == NULL) fail_msg("\"%s\" is not in:\n%s", word, class->said.bytes);
}
