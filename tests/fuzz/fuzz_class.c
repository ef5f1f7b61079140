/* fuzz_class.c - orders of any kind to the desk of a class, as the process that speaks HTTP could send them
 * once an enemy had taken it over: whoever the cookie is of, nothing is said of another student's text, a
 * teacher's page is for the teacher, and each order of a whole message is answered. Build and run: make
 * fuzz-class.
 *
 * An input is a row of orders, of which each begins with six bytes: route, whose cookie, lesson, version,
 * length of the file's name, length of the body in pieces of 16; then come the name and the body. A route of
 * 255 sends what is left as it is.
 */
#include "serve/class/handing.h"
#include "serve/class/office.h"
#include "serve/class/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 6, RAW = 255, PEOPLE = 4, BODY_PIECE = 16 };

/* What each student's file says, and nobody else's answer may. */
static const char *const ids[PEOPLE] = {NULL, "teacher", "ann", "bob"}, *const marks[PEOPLE] = {
                                                                            NULL, NULL, "// the mark of ann",
                                                                            "// the mark of bob"};

/** The class that all inputs meet. */
static struct House {
    Session session;
    Desk desk;
    char folder[64];
    char cookies[PEOPLE][WIRE_SECRET + 1];
    const char *files[PEOPLE], *enter[PEOPLE];
    int web; /* our end of the narrow socket */
    uint32_t serial;
} house;

static void expect(bool fine, const char *what) {
    if (fine) return;
    perror(what);
    Text words;
    text_init(&words);
    diag_render(&house.session.diagnostics, &words, false);
    fputs(words.bytes, stderr);
    abort();
}

static bool write_text(const char *path, const char *text) {
    return text_write_file(path, text, strlen(text));
}

static void run_sql(const char *sql) {
    expect(store_execute(&house.desk.room->store, sql, &house.session.diagnostics), sql);
}

/* ---- the class ---- */

/* Each has a session: here, and again after somebody has left. */
static void make_sessions(void) {
    Arena *arena = house.session.arena;
    for (int i = 1; i < PEOPLE; i++) {
        char hash[HASH_HEX];
        memset(house.cookies[i], 'a' + i, WIRE_SECRET);
        hash_bytes(house.cookies[i], WIRE_SECRET, hash);
        house.enter[i] = arena_format(arena,
                                      "INSERT OR IGNORE INTO session SELECT '%s', number, issue, 4000000000 "
                                      "FROM student WHERE id = '%s'",
                                      hash, ids[i]);
    }
}

/* As before the first input: what an input has checked, handed in and written to people is gone. */
static void tidy(void) {
    Desk *desk = &house.desk;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        errand_stop(&desk->errands[i]);
    memset(desk->listeners, 0, sizeof desk->listeners);
    for (size_t i = 0; i < desk->room->count; i++)
        desk_free_seat(desk, &desk->room->seats[i]);
    run_sql("DELETE FROM version; DELETE FROM handed; DELETE FROM message; DELETE FROM source; DELETE FROM "
            "session WHERE made < 4000000000; DELETE FROM remark");
    for (int i = 1; i < PEOPLE; i++)
        run_sql(house.enter[i]);
    for (int i = 2; i < PEOPLE; i++)
        expect(write_text(house.files[i], marks[i]), house.files[i]);
    char rest[65536];
    while (recv(desk->web, rest, sizeof rest, MSG_DONTWAIT) > 0) {
    }
    text_clear(&desk->in);
    text_clear(&desk->out);
}

/* In memory, so that an input costs no disk. Checks wait for a turn that does not come: no child is begun. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    int ends[2];
    Arena *arena = arena_create();
    snprintf(house.folder, sizeof house.folder, "/dev/shm/fuzz-class-XXXXXX");
    expect(arena != NULL && mkdtemp(house.folder) != NULL, "a folder");
    house.session = (Session){.arena = arena, .root = "."};
    diag_init(&house.session.diagnostics, arena);
    expect(write_text(arena_format(arena, "%s/roster.csv", house.folder),
                      "id,name,email\nann,Ann,ann@a.example\nbob,Bob,bob@a.example\n"),
           "the roster");
    Desk *desk = &house.desk;
    *desk = (Desk){.session = &house.session};
    expect(commands_load_course(&house.session, &desk->course), "the course");
    desk->course.build = arena_format(arena, "%s/build", desk->course.root);
    desk->only.root = desk->course.root;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        desk->errands[i].coming = -1;
    expect(groups_read(&desk->groups, arena, &desk->course), "the groups");
    expect(office_class.open(desk, house.folder, NULL, true), "the class");
    expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0, "a socket");
    desk->web = ends[0];
    house.web = ends[1];
    text_init(&desk->in);
    text_init(&desk->out);
    for (int i = 2; i < PEOPLE; i++) {
        const char *work = arena_format(arena, "%s/students/%s/work", house.folder, ids[i]);
        expect(mkdir(work, 0700) == 0, work);
        house.files[i] = arena_format(arena, "%s/01-vector-add.cu", work);
    }
    run_sql("PRAGMA synchronous = OFF");
    make_sessions();
    tidy();
    return 0;
}

/* ---- orders ---- */

/* Commands that begin a child at once are the terminal's own, and cost too much here. */
static bool begins_child(const WireOrder *order, const char *body) {
    if (order->route == ROUTE_HINT || order->route == ROUTE_RESET) return true;
    if (order->route != ROUTE_FORM) return false;
    Text button;
    text_init(&button);
    form_field(body, order->length, "do", &button);
    const bool begins = strcmp(button.bytes, "hint") == 0 || strcmp(button.bytes, "reset") == 0;
    text_free(&button);
    return begins;
}

static int64_t student_of(int who) {
    const Classroom *room = house.desk.room;
    for (size_t i = 0; i < room->count; i++)
        if (who != 0 && strcmp(room->seats[i].student_id, ids[who]) == 0) return room->seats[i].student;
    return 0;
}

static void send_bytes(const void *bytes, size_t size) {
    expect(size == 0 || send(house.web, bytes, size, MSG_NOSIGNAL) == (ssize_t)size, "an order");
}

/* Nothing of what is said holds a text of somebody else's; the teacher may read all. A whole order has a
 * whole answer, unless it waits for its turn. */
static void look_at_answers(int who, const WireOrder *order, size_t before) {
    const Text *out = &house.desk.out;
    for (int i = 2; i < PEOPLE; i++)
        if (i != who && who != 1 &&
            memmem(out->bytes + before, out->length - before, marks[i], strlen(marks[i])))
            abort();
    WireReply reply;
    if (out->length - before < sizeof reply) return;
    memcpy(&reply, out->bytes + before, sizeof reply);
    const ServeRoute *route = &serve_routes[order->route];
    const bool is_teachers = route->right == RIGHT_LOOK || route->right == RIGHT_TEACH;
    if (is_teachers && who != 1 && reply.status < 400) abort();
    if (who == 0 && route->right != RIGHT_ENTER && reply.status != 403) abort();
}

/* Takes one order off the input; false where it is the last. */
static bool give_order(const uint8_t **data, size_t *size) {
    const uint8_t *at = *data;
    if (*size < HEAD) return false;
    const int who = at[1] % PEOPLE;
    const size_t named = at[4] < *size - HEAD ? at[4] : *size - HEAD, rest = *size - HEAD - named,
                 asked = (size_t)at[5] * BODY_PIECE, length = asked < rest ? asked : rest;
    WireOrder order = {.serial = ++house.serial, .route = at[0] % ROUTE_COUNT, .length = (uint32_t)length};
    if (length > serve_routes[order.route].most_body) order.length = 0;
    const char *name = (const char *)at + HEAD, *body = name + named;
    memcpy(order.file, name, named < sizeof order.file ? named : sizeof order.file - 1);
    memcpy(order.cookie, house.cookies[who], sizeof order.cookie);
    snprintf(order.lesson, sizeof order.lesson, "%s",
             at[2] % 4 == 3 ? order.file : house.desk.course.lessons[at[2] % 4].name);
    const char *mark = marks[2 + at[3] % 2];
    files_version(student_of(who), mark, strlen(mark), order.version);
    *data = (const uint8_t *)body + length;
    *size = rest - length;
    if (begins_child(&order, body)) return true;
    const size_t before = house.desk.out.length;
    send_bytes(&order, sizeof order);
    send_bytes(body, order.length);
    do
        if (!desk_listen(&house.desk)) abort(); /* one that makes sense */
    while (house.desk.behind);
    look_at_answers(who, &order, before);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    while (size > 0 && *data != RAW && give_order(&data, &size)) {
    }
    if (size > 1 && *data == RAW) {
        send_bytes(data + 1, size - 1);
        while (desk_listen(&house.desk) && house.desk.behind) {
        }
    }
    tidy();
    return 0;
}
