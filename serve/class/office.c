/* office.c - who comes in, and what becomes of a check; see office.h.
 *
 * Who somebody is stands in the database, beside the hash of the cookie that their browser has. The process
 * that speaks HTTP knows no cookie but those of the requests that it is reading.
 */
#include "serve/class/office.h"

#include "autograder/screen/coach.h"
#include "base/hash.h"
#include "base/json.h"
#include "grading/run/revision.h"
#include "serve/class/handing.h"
#include "serve/class/launches.h"
#include "serve/class/room.h"
#include "serve/texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SESSION_SECONDS = 30 * 24 * 3600, JUMP_SECONDS = 60 };

static Diagnostics *said(Desk *desk) {
    return &desk->session->diagnostics;
}

static Gradebook *store_of(Desk *desk) {
    return &desk->room->store;
}

/* What could not be written is the teacher's business, who sees the terminal. */
static bool report(Desk *desk, bool fine) {
    if (!fine) commands_report(desk->session);
    return fine;
}

/* ---- who comes in ---- */

static Seat *seat_of(const Classroom *room, int64_t number) {
    for (size_t i = 0; i < room->count; i++)
        if (room->people[i].number == number) return &room->seats[i];
    return NULL;
}

static bool is_named(const char *value, const char *name) {
    return value != NULL && strcasecmp(value, name) == 0;
}

int64_t office_issue(Desk *desk, int64_t student) {
    return office_number(desk, "SELECT issue FROM student WHERE number = %ld AND listed AND NOT withdrawn",
                         student);
}

static bool is_called(const RoomPerson *person, const char *name) {
    if (!person->listed || person->teaches) return false;
    return is_named(person->id, name) || is_named(person->login, name) || is_named(person->email, name);
}

/* Whom the proxy names: by id, login or e-mail, as everywhere, and two who fit are nobody: one's address may
 * be what another one is called. The teacher comes by a link alone, since nobody's login may be `teacher`. */
static Seat *admit_named(Desk *desk, const char *name) {
    const Classroom *room = desk->room;
    size_t found = room->count;
    for (size_t i = 0; i < room->count; i++) {
        if (!is_called(&room->people[i], name)) continue;
        if (found < room->count) return NULL;
        found = i;
    }
    if (found == room->count || office_issue(desk, room->people[found].number) == 0) return NULL;
    return &room->seats[found];
}

/* Asked of the database each time: who was withdrawn a moment ago, by another process, is out. */
static Seat *admit(Desk *desk, const WireOrder *order) {
    if (order->user[0] != '\0') return admit_named(desk, order->user);
    if (order->cookie[0] == '\0') return NULL;
    char hash[HASH_HEX];
    hash_bytes(order->cookie, strlen(order->cookie), hash);
    const int64_t number =
        office_number(desk,
                      "SELECT student.number FROM session JOIN student ON student.number = session.student"
                      " WHERE session.hash = %s AND session.issue = student.issue AND student.listed"
                      " AND NOT student.withdrawn AND session.made > %ld",
                      hash, (int64_t)time(NULL) - SESSION_SECONDS);
    if (number != 0) return seat_of(desk->room, number);
    return NULL;
}

bool office_draw_cookie(char cookie[WIRE_SECRET + 1]) {
    unsigned char bytes[WIRE_SECRET / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(cookie + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Whether the link's issue is the one that is valid. */
static bool is_valid(Desk *desk, const Link *link) {
    const int64_t issue = office_issue(desk, link->student);
    return issue != 0 && issue == link->issue;
}

/* Each browser gets a session of its own, of which only the hash is kept. */
bool office_begin_session(Desk *desk, int64_t student, int64_t issue, char cookie[WIRE_SECRET + 1]) {
    char hash[HASH_HEX];
    if (!office_draw_cookie(cookie)) return false;
    hash_bytes(cookie, strlen(cookie), hash);
    return report(desk, office_change(desk, "INSERT INTO session VALUES (%s, %ld, %ld, %ld)", hash, student,
                                      issue, (int64_t)time(NULL)));
}

/* A personal link. */
void office_enter(Desk *desk, const DeskOrder *order) {
    Link link;
    char cookie[WIRE_SECRET + 1];
    if (!link_read(&link, order->head.file, &desk->room->secret, (int64_t)time(NULL)) ||
        !is_valid(desk, &link) || seat_of(desk->room, link.student) == NULL) {
        desk_say(desk, order->head.serial, 403, "");
        return;
    }
    if (office_begin_session(desk, link.student, link.issue, cookie))
        desk_reply(desk, order->head.serial,
                   &(DeskAnswer){.status = 303, .type = TYPE_TEXT, .cookie = cookie}, "", 0);
    else
        desk_say(desk, order->head.serial, 503, desk_problem(desk));
}

void office_leave(Desk *desk, const DeskOrder *order) {
    char hash[HASH_HEX];
    hash_bytes(order->head.cookie, strlen(order->head.cookie), hash);
    Query query = office_ask(desk, "DELETE FROM session WHERE hash = %s", hash);
    report(desk, query_run(&query));
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial != 0 && strcmp(desk->listeners[i].cookie, order->head.cookie) == 0)
            desk_hang_up(desk, &desk->listeners[i]);
    desk_turn_back(desk, order->head.serial);
}

/* ---- checks ---- */

bool handing_keep_source(Desk *desk, const char *bytes, size_t length, char hash[HASH_HEX]) {
    hash_bytes(bytes, length, hash);
    return gradebook_keep_source(store_of(desk), hash, bytes, length, said(desk));
}

/* The text as it is now is what will be checked, however long that takes to begin. */
static bool note_check(Desk *desk, Errand *errand) {
    Text text = text_new();
    char version[WIRE_VERSION + 1], hash[HASH_HEX];
    bool fine = source_read(desk, errand->lesson, &text, version) && store_begin(store_of(desk), said(desk));
    if (fine) {
        fine = handing_keep_source(desk, text.bytes, text.length, hash);
        fine =
            office_change(desk, "INSERT INTO version (student, lesson, source, at) VALUES (%ld, %s, %s, %ld)",
                          desk->seat->student, errand->lesson->name, hash, (int64_t)time(NULL)) &&
            fine;
        errand->version = sqlite3_last_insert_rowid(store_of(desk)->database);
        fine = store_end(store_of(desk), fine, said(desk));
    }
    text_free(&text);
    return report(desk, fine);
}

/* Of the lesson and of the tools; asked for once, as both are files of many megabytes. */
static const char *revision_of(Desk *desk, const Lesson *lesson) {
    Classroom *room = desk->room;
    const char **revision = &room->revisions[lesson - desk->course.lessons];
    if (*revision == NULL) {
        Course course = desk->course;
        course.root = desk->only.root;
        const char *own = revision_of_lesson(&course, lesson, room->arena, said(desk));
        if (own != NULL) *revision = arena_format(room->arena, "%s %s", own, room->tools);
    }
    if (*revision != NULL) return *revision;
    return "";
}

static struct json_object *parse_event(const char *text) {
    if (text == NULL) return NULL;
    return json_tokener_parse(text);
}

static struct json_object *known_event(Desk *desk, const Errand *errand, const char *hash) {
    if (!desk->room->reuse) return NULL;
    return parse_event(
        office_text(desk, "SELECT event FROM verdict WHERE lesson = %s AND source = %s AND revision = %s",
                    errand->lesson->name, hash, revision_of(desk, errand->lesson)));
}

static bool write_copy(Desk *desk, const Lesson *lesson, const char *hash, const char **copy) {
    Text text = text_new();
    const char *folder = arena_format(desk->arena, "%s/checked", desk->seat->root);
    *copy = arena_format(desk->arena, "%s/%s.cu", text_or(folder, ""), lesson->name);
    const bool fine = gradebook_read_source(store_of(desk), hash, &text, said(desk)) && *copy != NULL &&
                      (mkdir(folder, 0700) == 0 || errno == EEXIST) &&
                      text_write_file(*copy, text.bytes, text.length);
    if (!fine) *copy = NULL;
    text_free(&text);
    return fine;
}

static struct json_object *find_result(Desk *desk, Errand *errand, const char **copy) {
    const char *hash = office_text(desk, "SELECT source FROM version WHERE number = %ld", errand->version);
    if (hash == NULL) return NULL;
    struct json_object *event = known_event(desk, errand, hash);
    if (event == NULL) write_copy(desk, errand->lesson, hash, copy);
    return event;
}

/* "race, uninitialized": the kinds of a result's findings, each once. */
static void add_kinds(struct json_object *result, Text *out) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = json_length(findings);
    for (size_t i = 0; i < count; i++) {
        const char *kind = json_text(json_object_array_get_idx(findings, i), "kind", "");
        bool seen = *kind == '\0';
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(json_text(json_object_array_get_idx(findings, j), "kind", ""), kind) == 0;
        if (!seen) text_format(out, "%s%s", out->length > 0 ? " " : "", kind);
    }
}

/* Only what the judge has decided is kept for others with the same text. */
static bool keep_verdict(Desk *desk, const Errand *errand, struct json_object *event, const char *revision) {
    return office_change(
        desk,
        "INSERT INTO verdict SELECT lesson, source, %s, %s FROM version WHERE number = %ld"
        " ON CONFLICT DO UPDATE SET event = excluded.event",
        revision,
        json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE),
        errand->version);
}

/* A check that is answered from before has run no command that would have noted the progress. */
static void note_progress(Desk *desk, const Lesson *lesson, struct json_object *result) {
    Progress progress;
    if (!desk_progress(desk, &progress)) return;
    progress_note(&progress, &desk->course, lesson, text_same(json_text(result, "verdict", ""), "pass"),
                  coach_kind(result), said(desk));
}

static void note_result(Desk *desk, Errand *errand, struct json_object *event, bool known) {
    struct json_object *result = json_member(event, "result");
    const char *verdict = json_text(result, "verdict", event != NULL ? "error" : "stopped"),
               *revision = revision_of(desk, errand->lesson);
    const bool decided = text_same(verdict, "pass") || text_same(verdict, "fail");
    Text kinds = text_new();
    add_kinds(result, &kinds);
    bool fine = store_begin(store_of(desk), said(desk));
    if (fine) {
        fine = office_change(desk,
                             "UPDATE version SET verdict = %s, kinds = %s, revision = %s WHERE number = %ld",
                             verdict, kinds.bytes, revision, errand->version);
        if (decided && !known) fine = keep_verdict(desk, errand, event, revision) && fine;
        fine = store_end(store_of(desk), fine, said(desk));
    }
    text_free(&kinds);
    if (known) note_progress(desk, errand->lesson, result);
    report(desk, fine);
}

static struct json_object *last_result(Desk *desk, const Lesson *lesson) {
    return parse_event(
        office_text(desk,
                    "SELECT verdict.event FROM version JOIN verdict ON verdict.lesson = version.lesson"
                    " AND verdict.source = version.source AND verdict.revision = version.revision"
                    " WHERE version.student = %ld AND version.lesson = %s ORDER BY version.number DESC"
                    " LIMIT 1",
                    desk->seat->student, lesson->name));
}

/* ---- the clock ---- */

static int64_t clock_ahead(void) {
    struct timespec date, since;
    clock_gettime(CLOCK_REALTIME, &date);
    clock_gettime(CLOCK_BOOTTIME, &since);
    return (int64_t)date.tv_sec - (int64_t)since.tv_sec;
}

/* A date that was set anew is said where a teacher looks: at the terminal, and on the page. */
void office_note_clock(Desk *desk, int64_t ahead) {
    Classroom *room = desk->room;
    const int64_t jump = ahead - room->clock;
    if (jump <= JUMP_SECONDS && jump >= -JUMP_SECONDS) return;
    room->clock = ahead;
    char now[HANDING_TIME];
    handing_time((int64_t)time(NULL), now);
    const char *by = told_class(desk->arena, jump > 0 ? CLASS_AHEAD : CLASS_BACK,
                                &(ClassFacts){.count = (SayCount)(jump > 0 ? jump : -jump)});
    const char *words = told_class(desk->arena, CLASS_JUMPED, &(ClassFacts){.time = by, .title = now});
    diag_add(said(desk), DIAG_WARNING, room->folder, 0, 0, "%s", words);
    office_change(desk, "INSERT INTO remark (at, words) VALUES (%ld, %s)", (int64_t)time(NULL), words);
    commands_report(desk->session);
}

/* Pages that are open are asked again who they are, once the database says that something has changed:
 * another process withdraws and renews. What this one writes does not count there, so `office_leave` ends
 * them by itself. */
static void look_at_pages(Desk *desk) {
    for (int i = 0; i < DESK_MOST_LISTENERS; i++) {
        Listener *listener = &desk->listeners[i];
        if (listener->serial == 0) continue;
        WireOrder order = {0};
        memcpy(order.cookie, listener->cookie, sizeof order.cookie);
        memcpy(order.user, listener->user, sizeof order.user);
        if (admit(desk, &order) != listener->seat) desk_hang_up(desk, listener);
    }
}

static void look(Desk *desk) {
    size_t version = 0;
    office_note_clock(desk, clock_ahead());
    launches_look(desk);
    if (!store_count(store_of(desk), "PRAGMA data_version", &version, said(desk)) ||
        version == desk->room->data_version)
        return;
    desk->room->data_version = version;
    look_at_pages(desk);
}

/* ---- the office ---- */

static DeskFunction *const functions[ROUTE_COUNT] = {
#define ROUTE(name, function, method, path, right, most, what)
#define CLASS_ROUTE(name, function, method, path, right, most, what) [ROUTE_##name] = office_##function,
#include "serve/routes.def"
#undef ROUTE
};

static const DeskOffice office = {.admit = admit,
                                  .functions = functions,
                                  .note_check = note_check,
                                  .find_result = find_result,
                                  .note_result = note_result,
                                  .add_words = handing_add_words,
                                  .last_result = last_result,
                                  .hand_in = handing_hand_in,
                                  .add_way = office_add_way,
                                  .look = look};

/* What a course's root has beside work/, for the commands that run there. */
static bool furnish(const Desk *desk, const char *root, Arena *arena) {
    static const char *const names[] = {"lessons", "starter", "autograder"};
    bool fine = mkdir(root, 0700) == 0 || errno == EEXIST;
    for (size_t i = 0; fine && i < sizeof names / sizeof *names; i++) {
        const char *from = arena_format(arena, "%s/%s", desk->only.root, names[i]),
                   *to = arena_format(arena, "%s/%s", root, names[i]);
        if (from == NULL || to == NULL) return false;
        unlink(to);
        fine = symlink(from, to) == 0;
    }
    return fine;
}

static bool make_seats(Desk *desk, Classroom *room) {
    room->seats = ARENA_ARRAY(room->arena, room->count + 1, Seat);
    room->revisions = ARENA_ARRAY(room->arena, desk->course.count + 1, const char *);
    if (room->seats == NULL || room->revisions == NULL) return store_no_memory(said(desk));
    for (size_t i = 0; i < room->count; i++) {
        const RoomPerson *person = &room->people[i];
        const char *root = room_path(room, room->arena, "students", person);
        room->seats[i] = (Seat){
            .root = root, .student = person->number, .student_id = person->id, .teaches = person->teaches};
        if (root == NULL || !furnish(desk, root, room->arena)) {
            diag_add_errno(said(desk), root, "cannot make the folder");
            return false;
        }
    }
    return true;
}

/* What was asked for before the server ended, and not answered. */
static bool resume_checks(Desk *desk) {
    Query query =
        office_ask(desk, "SELECT number, student, lesson FROM version WHERE verdict IS NULL ORDER BY number");
    while (query_row(&query)) {
        const char *name = query_get_text(&query, 2, desk->arena);
        Seat *seat = seat_of(desk->room, query_get_number(&query, 1));
        for (size_t i = 0; name != NULL && seat != NULL && i < desk->course.count; i++)
            if (strcmp(desk->course.lessons[i].name, name) == 0 && desk_sit(desk, seat))
                errand_resume(desk, &desk->course.lessons[i], query_get_number(&query, 0));
    }
    return query_close(&query);
}

/* Now, and not when the server ends: the roster's mistakes are about who can come in. */
static void say_warnings(Desk *desk) {
    commands_report(desk->session);
    diag_init(said(desk), desk->session->arena);
}

static bool open_office(Desk *desk, const char *folder, const char *host, bool reuse) {
    Arena *arena = desk->session->arena;
    Classroom *room = ARENA_NEW(arena, Classroom);
    if (room == NULL) return store_no_memory(said(desk));
    desk->room = room;
    desk->office = &office;
    bool fine = room_open(room, arena, folder, &desk->course, true, said(desk));
    room->reuse = reuse;
    room->clock = clock_ahead();
    if (fine)
        room->tools = revision_of_tools(&desk->course, arena, said(desk));
    else
        room->tools = NULL;
    fine = fine && room->tools != NULL && make_seats(desk, room) && launches_open(desk, host);
    Diagnostics outer;
    if (!fine || !desk_begin(desk, &outer)) return false;
    fine = handing_restore(desk) && resume_checks(desk);
    report(desk, fine);
    desk_end(desk, &outer);
    if (fine) say_warnings(desk);
    return fine;
}

static void close_office(Desk *desk) {
    for (size_t i = 0; desk->room->seats != NULL && i < desk->room->count; i++)
        desk_free_seat(desk, &desk->room->seats[i]);
    launches_close(desk);
    room_close(desk->room);
}

const ServeClass office_class = {.open = open_office, .close = close_office};
