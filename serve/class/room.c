/* room.c - opens a class's folder, and makes what is missing; see room.h. */
#include "serve/class/room.h"

#include "grading/intake/names.h"
#include "grading/intake/roster.h"
#include "serve/texts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LONGEST_ID = 64, APPLICATION = 0x57617263 /* "Warc" */ };

/* A version is what was to be checked; `verdict` is NULL while it waits. `verdict` the table is what was
 * judged, whoever wrote it: the same text is not judged twice by the same judge. */
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS student (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT,"
    " email TEXT, login TEXT, section TEXT, listed INTEGER NOT NULL, teaches INTEGER NOT NULL DEFAULT 0,"
    " withdrawn INTEGER NOT NULL DEFAULT 0, issue INTEGER NOT NULL DEFAULT 1) STRICT;"
    "CREATE TABLE IF NOT EXISTS session (hash TEXT PRIMARY KEY, student INTEGER NOT NULL, issue INTEGER NOT "
    "NULL,"
    " made INTEGER NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS source (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS verdict (lesson TEXT NOT NULL, source TEXT NOT NULL, revision TEXT NOT NULL,"
    " event TEXT NOT NULL, PRIMARY KEY (lesson, source, revision)) STRICT;"
    "CREATE TABLE IF NOT EXISTS version (number INTEGER PRIMARY KEY AUTOINCREMENT, student INTEGER NOT NULL,"
    " lesson TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, revision TEXT, verdict TEXT,"
    " kinds TEXT NOT NULL DEFAULT '') STRICT;"
    "CREATE INDEX IF NOT EXISTS version_by_lesson ON version (student, lesson, number);"
    /* For who is where: the newest of each, and what each has passed. */
    "CREATE INDEX IF NOT EXISTS version_by_student ON version (student);"
    "CREATE INDEX IF NOT EXISTS version_passed ON version (student, lesson) WHERE verdict = 'pass';"
    "CREATE TABLE IF NOT EXISTS handed (number INTEGER PRIMARY KEY AUTOINCREMENT, student INTEGER NOT NULL,"
    " lesson TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, place INTEGER NOT NULL,"
    " UNIQUE (student, lesson, place)) STRICT;"
    "CREATE TABLE IF NOT EXISTS message (number INTEGER PRIMARY KEY AUTOINCREMENT, student INTEGER, at "
    "INTEGER"
    " NOT NULL, words TEXT NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS remark (number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL,"
    " words TEXT NOT NULL) STRICT;"
    /* Of learning platforms: who somebody is there, where a lesson's scores and a course's members are, which
     * nonces have let somebody in, and what was or is to be sent. */
    "CREATE TABLE IF NOT EXISTS lti_user (platform TEXT NOT NULL, user TEXT NOT NULL, student INTEGER NOT "
    "NULL,"
    " context TEXT NOT NULL, PRIMARY KEY (platform, user), UNIQUE (platform, student)) STRICT;"
    "CREATE TABLE IF NOT EXISTS lti_item (platform TEXT NOT NULL, context TEXT NOT NULL, lesson TEXT NOT "
    "NULL,"
    " url TEXT NOT NULL, PRIMARY KEY (platform, context, lesson)) STRICT;"
    "CREATE TABLE IF NOT EXISTS lti_context (platform TEXT NOT NULL, context TEXT NOT NULL, members TEXT NOT "
    "NULL,"
    " PRIMARY KEY (platform, context)) STRICT;"
    "CREATE TABLE IF NOT EXISTS lti_launch (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS lti_score (student INTEGER NOT NULL, lesson TEXT NOT NULL, given TEXT NOT "
    "NULL,"
    " most TEXT NOT NULL, comment TEXT NOT NULL, at INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0,"
    " tries INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL, lasts INTEGER NOT NULL DEFAULT 0, problem "
    "TEXT,"
    " PRIMARY KEY (student, lesson)) STRICT;";

static bool complain(Classroom *room, Diagnostics *diagnostics, ClassText problem, ClassText remedy,
                     const char *why) {
    const ClassFacts facts = {.path = room->folder, .why = why};
    return advise(diag_add(diagnostics, DIAG_ERROR, room->folder, 0, 0, "%s",
                           told_class(diagnostics->arena, problem, &facts)),
                  plain_class(remedy));
}

/* ---- the folder ---- */

const char *room_below(const Classroom *room, const char *name) {
    return text_or(arena_format(room->arena, "%s/%s", room->folder, name), "");
}

/* The lock is this process's alone, and goes with it, however it ends: a lock of the descriptor (flock) would
 * stay with the checks that it has forked. */
bool room_lock(Classroom *room, Diagnostics *diagnostics) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    room->lock = open(room_below(room, ".lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (room->lock >= 0 && fcntl(room->lock, F_SETLK, &whole) == 0) return true;
    if (room->lock >= 0 && (errno == EAGAIN || errno == EACCES))
        return complain(room, diagnostics, CLASS_LOCKED, CLASS_LOCKED_REMEDY, NULL);
    return complain(room, diagnostics, CLASS_NO_FOLDER, CLASS_NO_FOLDER_REMEDY, strerror(errno));
}

static bool make_folders(Classroom *room, Diagnostics *diagnostics) {
    static const char *const names[] = {"students", "submissions", "feedback"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mkdir(room_below(room, names[i]), 0700) != 0 && errno != EEXIST)
            return complain(room, diagnostics, CLASS_NO_FOLDER, CLASS_NO_FOLDER_REMEDY, strerror(errno));
    return true;
}

/* Drawn once; a file that is there whole or not at all. Its owner alone may read it. */
static bool read_secret(Classroom *room, Diagnostics *diagnostics) {
    const char *path = room_below(room, "secret"), *fresh = room_below(room, "secret.new");
    Text text = text_new();
    bool fine = text_read_named_file(&text, path, LINK_SECRET) && text.length == LINK_SECRET;
    if (fine) memcpy(room->secret.bytes, text.bytes, LINK_SECRET);
    text_free(&text);
    if (fine) return true;
    unlink(fresh);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    fine = fd >= 0 && getrandom(room->secret.bytes, LINK_SECRET, 0) == LINK_SECRET &&
           text_write(fd, (const char *)room->secret.bytes, LINK_SECRET) && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    /* One that is there and is none is not overwritten: links would be void without a word. */
    fine = fine && link(fresh, path) == 0;
    const char *why = strerror(errno);
    unlink(fresh);
    return fine || complain(room, diagnostics, CLASS_NO_FOLDER, CLASS_NO_FOLDER_REMEDY, why);
}

static bool open_store(Classroom *room, Diagnostics *diagnostics) {
    const char *path = room_below(room, "class.db");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return complain(room, diagnostics, CLASS_NO_FOLDER, CLASS_NO_FOLDER_REMEDY, strerror(errno));
    close(fd);
    room->store = (Gradebook){.arena = room->arena, .path = path, .lock = -1};
    size_t application;
    if (!store_connect(&room->store, path, diagnostics) ||
        !store_execute(&room->store,
                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
                       diagnostics) ||
        !store_count(&room->store, "PRAGMA application_id", &application, diagnostics))
        return false;
    if (application != 0 && application != APPLICATION)
        return complain(room, diagnostics, CLASS_OTHER, CLASS_OTHER_REMEDY, NULL);
    return store_execute(&room->store, "PRAGMA application_id = 1466004067", diagnostics) &&
           store_execute(&room->store, tables, diagnostics);
}

/* What a copy does not have: the machine, and the folder's own number in its file system. */
static const char *name_place(const Classroom *room) {
    enum { LONGEST_MACHINE = 64 };
    struct stat facts;
    Text machine = text_new();
    const bool known = text_read_named_file(&machine, "/etc/machine-id", LONGEST_MACHINE);
    if (stat(room->folder, &facts) != 0) facts.st_ino = 0;
    const char *words = arena_format(room->arena, "%.*s %llu", known ? (int)strcspn(machine.bytes, "\n") : 0,
                                     machine.bytes, (unsigned long long)facts.st_ino);
    text_free(&machine);
    return words;
}

/* Two servers of one folder are refused, and two of copies cannot know of each other: the second says what it
 * looks like. */
static bool note_place(Classroom *room, Diagnostics *diagnostics) {
    const char *words = name_place(room);
    if (words == NULL) return store_no_memory(diagnostics);
    const char *before = store_text(&room->store, room->arena, diagnostics, "SELECT words FROM place");
    if (before != NULL && strcmp(before, words) == 0) return true;
    if (before != NULL)
        advise(diag_add(diagnostics, DIAG_WARNING, room->folder, 0, 0, "%s", plain_class(CLASS_COPIED)),
               plain_class(CLASS_COPIED_REMEDY));
    return store_change(
        &room->store, diagnostics,
        "INSERT INTO place VALUES (1, %s) ON CONFLICT (number) DO UPDATE SET words = excluded.words", words);
}

/* ---- the people ---- */

static bool is_folder_name(const char *id) {
    size_t length = 0;
    for (; id[length] != '\0'; length++)
        if (!isalnum((unsigned char)id[length]) && strchr("._-@", id[length]) == NULL) return false;
    return length > 0 && length <= LONGEST_ID && id[0] != '.' && strcmp(id, "teacher") != 0;
}

/* Who is in the roster may come in; who was in it keeps all that is theirs. */
static bool take_roster(Classroom *room, const Roster *roster, Diagnostics *diagnostics) {
    if (!store_begin(&room->store, diagnostics)) return false;
    bool fine =
        store_execute(&room->store,
                      "UPDATE student SET listed = 0;"
                      "INSERT INTO student (id, name, teaches, listed) VALUES ('teacher', 'teacher', 1, 1)"
                      " ON CONFLICT (id) DO UPDATE SET listed = 1",
                      diagnostics);
    for (size_t i = 0; fine && i < roster->count; i++) {
        const char *const *fields = roster->rows[i].fields, *id = fields[ROSTER_ID];
        if (is_folder_name(id)) {
            fine = store_change(
                &room->store, diagnostics,
                "INSERT INTO student (id, name, email, login, section, teaches, listed)"
                " VALUES (%s, %s, %s, %s, %s, 0, 1) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
                " email = excluded.email, login = excluded.login, section = excluded.section, listed = 1",
                id, fields[ROSTER_NAME], fields[ROSTER_EMAIL], fields[ROSTER_LOGIN], fields[ROSTER_SECTION]);
            continue;
        }
        const ClassFacts facts = {.id = names_visible(diagnostics->arena, id)};
        advise(diag_add(diagnostics, DIAG_WARNING, roster->path, roster->rows[i].line, 0, "%s",
                        told_class(diagnostics->arena, CLASS_BAD_ID, &facts)),
               plain_class(CLASS_BAD_ID_REMEDY));
    }
    return store_end(&room->store, fine, diagnostics);
}

static bool read_people(Classroom *room, Diagnostics *diagnostics) {
    size_t count = 0;
    if (!store_count(&room->store, "SELECT count(*) FROM student", &count, diagnostics)) return false;
    room->people = ARENA_ARRAY(room->arena, count + 1, RoomPerson);
    if (room->people == NULL) return store_no_memory(diagnostics);
    Query query =
        query_open(&room->store,
                   "SELECT number, id, name, email, login, section, issue, listed, withdrawn, teaches"
                   " FROM student ORDER BY teaches DESC, id",
                   diagnostics);
    while (room->count < count && query_row(&query)) {
        RoomPerson *person = &room->people[room->count++];
        const char **const texts[] = {&person->id, &person->name, &person->email, &person->login,
                                      &person->section};
        person->number = query_get_number(&query, 0);
        for (int i = 0; i < 5; i++)
            *texts[i] = query_get_text(&query, i + 1, room->arena);
        person->issue = query_get_number(&query, 6);
        person->listed = query_get_number(&query, 7) != 0;
        person->withdrawn = query_get_number(&query, 8) != 0;
        person->teaches = query_get_number(&query, 9) != 0;
    }
    return query_close(&query);
}

const RoomPerson *room_find(const Classroom *room, const char *id, Diagnostics *diagnostics) {
    for (size_t i = 0; i < room->count; i++)
        if (strcmp(room->people[i].id, id) == 0) return &room->people[i];
    const ClassFacts facts = {.id = names_visible(diagnostics->arena, id)};
    advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                    told_class(diagnostics->arena, CLASS_NO_STUDENT, &facts)),
           plain_class(CLASS_NO_STUDENT_REMEDY));
    return NULL;
}

const char *room_path(const Classroom *room, Arena *arena, const char *name, const RoomPerson *person) {
    return arena_format(arena, "%s/%s/%s", room->folder, name, person->id);
}

int64_t room_free_megabytes(const Classroom *room) {
    struct statvfs disk;
    if (statvfs(room->folder, &disk) != 0) return INT64_MAX;
    return (int64_t)(disk.f_bavail * (disk.f_frsize >> 10) >> 10);
}

/* ---- all of it ---- */

static bool read_rules(Classroom *room, const Course *course, Diagnostics *diagnostics) {
    const char *path = room_below(room, "course.yaml");
    room->ruled = access(path, F_OK) == 0;
    return policy_read(&room->policy, room->arena, course, room->ruled ? path : NULL, diagnostics);
}

bool room_open(Classroom *room, Arena *arena, const char *folder, const Course *course, bool serves,
               Diagnostics *diagnostics) {
    *room = (Classroom){.arena = arena, .folder = folder, .lock = -1};
    char *real = realpath(folder, NULL);
    if (real == NULL)
        return complain(room, diagnostics, CLASS_NO_FOLDER, CLASS_NO_FOLDER_REMEDY, strerror(errno));
    room->folder = arena_string(arena, real);
    free(real);
    if (room->folder == NULL) return store_no_memory(diagnostics);
    Roster roster;
    if ((serves && !room_lock(room, diagnostics)) || !make_folders(room, diagnostics) ||
        !roster_read(&roster, arena, room_below(room, "roster.csv"), NULL, diagnostics) ||
        !read_rules(room, course, diagnostics) || !read_secret(room, diagnostics) ||
        !open_store(room, diagnostics) || (serves && !note_place(room, diagnostics)))
        return false;
    return take_roster(room, &roster, diagnostics) && read_people(room, diagnostics);
}

void room_close(Classroom *room) {
    if (room->store.database != NULL) store_disconnect(&room->store);
    if (room->lock >= 0) close(room->lock);
    room->lock = -1;
}
