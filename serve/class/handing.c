/* handing.c - what is handed in, and what a student's page says of it; see handing.h. */
#include "serve/class/handing.h"

#include "autograder/course/work.h"
#include "base/escape.h"
#include "base/json.h"
#include "grading/book/extensions.h"
#include "serve/class/office.h"
#include "serve/class/room.h"
#include "serve/texts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void handing_time(int64_t at, char out[HANDING_TIME]) {
    struct tm parts;
    const time_t seconds = (time_t)at;
    gmtime_r(&seconds, &parts);
    strftime(out, HANDING_TIME, "%Y-%m-%d %H:%M UTC", &parts);
}

static Gradebook *store_of(const Desk *desk) {
    return &desk->room->store;
}

static Diagnostics *said(Desk *desk) {
    return &desk->session->diagnostics;
}

static const RoomPerson *person_of(const Desk *desk) {
    return &desk->room->people[desk->seat - desk->room->seats];
}

int64_t handing_due(Desk *desk, const Lesson *lesson, const char **why) {
    const Policy *policy = &desk->room->policy;
    const PolicyLesson *rules = policy_lesson(policy, lesson->name);
    const RoomPerson *person = person_of(desk);
    const ClassStudent student = {
        .id = person->id, .email = person->email, .login = person->login, .section = person->section};
    const PolicyExtension *extension = NULL;
    *why = NULL;
    if (rules == NULL) return 0;
    extensions_find(policy, &student, lesson->name, &extension, said(desk));
    if (extension == NULL) return rules->due;
    *why = extension->reason;
    return extension->due;
}

/* ---- the last one ---- */

typedef struct Last {
    const char *hash; /* NULL: nothing was handed in */
    int64_t at, place;
} Last;

static Last last_of(Desk *desk, const Lesson *lesson) {
    Last last = {0};
    Query query = office_ask(desk,
                             "SELECT source, at, place FROM handed WHERE student = %ld AND lesson = %s"
                             " ORDER BY place DESC LIMIT 1",
                             desk->seat->student, lesson->name);
    if (query_row(&query))
        last = (Last){query_get_text(&query, 0, desk->arena), query_get_number(&query, 1),
                      query_get_number(&query, 2)};
    query_close(&query);
    return last;
}

/* ---- files ---- */

/* Written whole, with its time, before it has its name; a name is never given twice. */
static bool write_file(const char *folder, const char *name, int64_t at, const char *bytes, size_t length,
                       Arena *arena) {
    const char *path = arena_format(arena, "%s/%s", folder, name),
               *fresh = arena_format(arena, "%s/.%s.new", folder, name);
    if (path == NULL || fresh == NULL || (mkdir(folder, 0700) != 0 && errno != EEXIST)) return false;
    const struct timespec times[] = {{.tv_sec = (time_t)at}, {.tv_sec = (time_t)at}};
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool fine = fd >= 0 && text_write(fd, bytes, length) && futimens(fd, times) == 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    fine = fine && rename(fresh, path) == 0;
    if (!fine) unlink(fresh);
    return fine;
}

static const char *file_name(Arena *arena, const char *lesson, int64_t place) {
    if (place == 1) return arena_format(arena, "%s.cu", lesson);
    return arena_format(arena, "%s (%lld).cu", lesson, (long long)place);
}

static bool restore_file(Desk *desk, const char *id, const char *lesson, const char *hash, int64_t at,
                         int64_t place) {
    const char *folder = arena_format(desk->arena, "%s/submissions/%s", desk->room->folder, id),
               *name = file_name(desk->arena, lesson, place),
               *path = arena_format(desk->arena, "%s/%s", text_or(folder, ""), text_or(name, ""));
    if (folder == NULL || name == NULL || path == NULL) return false;
    if (access(path, F_OK) == 0) return true;
    Text text = text_new();
    bool fine = gradebook_read_source(store_of(desk), hash, &text, said(desk));
    if (fine && !write_file(folder, name, at, text.bytes, text.length, desk->arena)) {
        diag_add_errno(said(desk), path, "cannot write what was handed in");
        fine = false;
    }
    text_free(&text);
    return fine;
}

bool handing_restore(Desk *desk) {
    bool fine = true;
    Query query = office_ask(desk, "SELECT id, lesson, source, at, place FROM handed JOIN student"
                                   " ON student.number = handed.student ORDER BY handed.number");
    while (fine && query_row(&query)) {
        const char *texts[3] = {0};
        for (int i = 0; i < 3; i++)
            texts[i] = query_get_text(&query, i, desk->arena);
        fine = texts[0] != NULL && texts[1] != NULL && texts[2] != NULL &&
               restore_file(desk, texts[0], texts[1], texts[2], query_get_number(&query, 3),
                            query_get_number(&query, 4));
    }
    return query_close(&query) && fine;
}

/* ---- handing in ---- */

static bool add_row(Desk *desk, const Lesson *lesson, const Text *text, const Last *last, int64_t at) {
    char hash[HASH_HEX];
    if (!store_begin(store_of(desk), said(desk))) return false;
    bool fine = handing_keep_source(desk, text->bytes, text->length, hash);
    Query query = office_ask(
        desk, "INSERT INTO handed (student, lesson, source, at, place) VALUES (%ld, %s, %s, %ld, %ld)",
        desk->seat->student, lesson->name, hash, at, last->place + 1);
    fine = query_run(&query) && fine;
    return store_end(store_of(desk), fine, said(desk));
}

/* Without its file a row is none: nothing was handed in then, and the student is told so. */
static bool take_row_back(Desk *desk, const Lesson *lesson, int64_t place) {
    office_change(desk, "DELETE FROM handed WHERE student = %ld AND lesson = %s AND place = %ld",
                  desk->seat->student, lesson->name, place);
    return false;
}

static bool add_handed(Desk *desk, const Lesson *lesson, const Text *text, const Last *last, int64_t at) {
    char hash[HASH_HEX];
    hash_bytes(text->bytes, text->length, hash);
    if (!add_row(desk, lesson, text, last, at)) return false;
    return restore_file(desk, person_of(desk)->id, lesson->name, hash, at, last->place + 1) ||
           take_row_back(desk, lesson, last->place + 1);
}

static size_t skip_blanks(const Text *text, size_t at) {
    while (at < text->length && isspace((unsigned char)text->bytes[at]))
        at++;
    return at;
}

static bool are_alike(const Text *one, const Text *other) {
    size_t i = 0, j = 0;
    for (;;) {
        i = skip_blanks(one, i);
        j = skip_blanks(other, j);
        if (i == one->length || j == other->length) return i == one->length && j == other->length;
        if (one->bytes[i++] != other->bytes[j++]) return false;
    }
}

/* Nobody means to hand in a file without an answer, and the last one may be the one that counts: why it is
 * not taken, or NULL. Blanks do not matter, as editors change them by themselves. */
static const char *refuse_unwritten(Desk *desk, const Lesson *lesson, const Text *text, const Last *last) {
    const ClassFacts facts = {.before = last->hash != NULL};
    Text starter = text_new();
    const char *words = NULL;
    if (are_alike(text, &starter))
        words = told_class(desk->arena, CLASS_EMPTY_FILE, &facts);
    else if (work_read_starter(&desk->course, lesson, &starter, said(desk)) && are_alike(text, &starter))
        words = told_class(desk->arena, CLASS_STILL_STARTER, &facts);
    text_free(&starter);
    return words;
}

/* A later one has a later time, even where the clock was set back between the two: `grade` takes the newest.
 */
static const char *hand_in(Desk *desk, const Lesson *lesson, const Text *text) {
    const Last last = last_of(desk, lesson);
    char hash[HASH_HEX], shown[HANDING_TIME];
    hash_bytes(text->bytes, text->length, hash);
    if (last.hash != NULL && strcmp(last.hash, hash) == 0) {
        handing_time(last.at, shown);
        return told_class(desk->arena, CLASS_HANDED_BEFORE, &(ClassFacts){.time = shown});
    }
    const char *refused = refuse_unwritten(desk, lesson, text, &last);
    if (refused != NULL) return refused;
    int64_t at = (int64_t)time(NULL);
    if (at <= last.at) at = last.at + 1;
    if (!add_handed(desk, lesson, text, &last, at)) {
        commands_report(desk->session);
        return told_class(desk->arena, CLASS_NOT_HANDED, &(ClassFacts){.why = desk_problem(desk)});
    }
    const char *why;
    handing_time(at, shown);
    return told_class(
        desk->arena, CLASS_HANDED,
        &(ClassFacts){.time = shown, .late = policy_late_seconds(handing_due(desk, lesson, &why), at) > 0});
}

const char *handing_hand_in(Desk *desk, const Lesson *lesson) {
    Text text = text_new();
    char version[WIRE_VERSION + 1];
    if (policy_lesson(&desk->room->policy, lesson->name) == NULL) return plain_class(CLASS_NO_HAND_IN);
    const char *words =
        source_read(desk, lesson, &text, version)
            ? hand_in(desk, lesson, &text)
            : told_class(desk->arena, CLASS_NOT_HANDED, &(ClassFacts){.why = desk_problem(desk)});
    text_free(&text);
    if (words != NULL) return words;
    return "";
}

/* For a page with a script, which shows the words and asks for the rest. */
void office_hand_in(Desk *desk, const DeskOrder *order) {
    char now[WIRE_VERSION + 1];
    if (!source_save(desk, order, now)) return;
    const char *words = handing_hand_in(desk, order->lesson);
    desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_TEXT, .version = now},
               words, strlen(words));
    Text html = text_new();
    handing_add_words(desk, order->lesson, &html);
    struct json_object *event = json_object_new_object();
    json_put_text(event, "html", html.bytes);
    desk_tell(desk, order->lesson, "words", json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN));
    json_object_put(event);
    text_free(&html);
}

/* ---- words ---- */

void handing_add_messages(Desk *desk, int most, int64_t within, Text *out) {
    Query query = office_ask(desk,
                             "SELECT at, words FROM (SELECT *, max(at) OVER () AS newest FROM message"
                             " WHERE student IS NULL OR student = %ld) WHERE at >= newest - %ld"
                             " ORDER BY number DESC LIMIT %ld",
                             desk->seat->student, within, (long)most);
    while (query_row(&query)) {
        char at[HANDING_TIME];
        handing_time(query_get_number(&query, 0), at);
        escape_html(out, "<div class=\"letter\"><p>%s</p><p class=\"words\">%s</p></div>\n",
                    TOLD_CLASS(SAYS, desk->arena, .time = at), query_get_text(&query, 1, desk->arena));
    }
    query_close(&query);
}

/* Of two messages in a row, to all and to one, or of two teachers, the second does not hide the first. */
enum { MOST_BESIDE = 3, TOGETHER_SECONDS = 3600 };

void handing_add_words(Desk *desk, const Lesson *lesson, Text *out) {
    const Policy *policy = &desk->room->policy;
    const char *why;
    char shown[HANDING_TIME];
    handing_add_messages(desk, MOST_BESIDE, TOGETHER_SECONDS, out);
    text_add(out, "<p>");
    const int64_t due = handing_due(desk, lesson, &why);
    handing_time(due, shown);
    if (due != 0) escape_html(out, "%s ", TOLD_CLASS(DUE, desk->arena, .time = shown, .why = why));
    const Last last = last_of(desk, lesson);
    handing_time(last.at, shown);
    const char *handed =
        TOLD_CLASS(HANDED, desk->arena, .time = shown, .late = policy_late_seconds(due, last.at) > 0);
    if (last.hash == NULL) handed = plain_class(CLASS_NOTHING_HANDED);
    if (policy_lesson(policy, lesson->name) == NULL) handed = plain_class(CLASS_NO_HAND_IN);
    escape_html(out, "%s ", handed);
    if (last.place > 1)
        escape_html(out, "%s ", TOLD_CLASS(COUNTS, desk->arena, .last = policy->attempts == POLICY_LAST));
    escape_html(out, "<a href=\"../own.html\">%s</a></p>\n", plain_class(CLASS_YOUR_PAGE));
}
