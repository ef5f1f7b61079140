/* command.c - `warpschool class`: a class's links, and one student's data; see office.h. It may run beside
 * the server, which asks the same database. */
#include "base/escape.h"
#include "base/json.h"
#include "serve/class/office.h"
#include "serve/class/room.h"
#include "serve/class/scores.h"
#include "serve/texts.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_DAYS = 200, LONGEST_DAYS = 3650, DAY = 24 * 3600, OPEN_FOLDERS = 16 };

/* The words of the command. */
typedef struct ClassOrder {
    Session *session;
    Classroom room;
    const char *url, *output, *gradebook;
    const Course *course;
    long days;
    const RoomPerson *person; /* NULL: everybody */
} ClassOrder;

static int write_out(ClassOrder *order, Text *text) {
    if (order->output == NULL) {
        commands_write(text);
        return EXIT_FINE;
    }
    if (commands_write_file(order->session, order->output, text, "cannot write")) return EXIT_FINE;
    return diag_status(&order->session->diagnostics);
}

static int conclude(ClassOrder *order, bool fine, ClassText words) {
    if (!fine) return diag_status(&order->session->diagnostics);
    const ClassFacts facts = {.id = order->person->id, .path = order->room.folder};
    commands_say(told_class(order->session->arena, words, &facts));
    return EXIT_FINE;
}

/* Everybody's link, for a mail merge. */
static int write_links(ClassOrder *order) {
    Text out = text_new();
    text_add(&out, "id,name,email,link\n");
    for (size_t i = 0; i < order->room.count; i++) {
        const RoomPerson *person = &order->room.people[i];
        if (!person->listed || person->withdrawn || (order->person != NULL && order->person != person))
            continue;
        const Link link = {.student = person->number,
                           .issue = person->issue,
                           .end = (int64_t)time(NULL) + order->days * DAY};
        char token[LINK_LONGEST];
        link_write(&link, &order->room.secret, token);
        const char *cells[] = {person->id, person->name, person->email,
                               arena_format(order->session->arena, "%s/enter/%s", order->url, token)};
        for (size_t j = 0; j < sizeof cells / sizeof *cells; j++) {
            escape_cell(&out, cells[j]);
            text_add(&out, j + 1 < sizeof cells / sizeof *cells ? "," : "\n");
        }
    }
    return write_out(order, &out);
}

static bool change(ClassOrder *order, const char *sql) {
    Query query = query_open(&order->room.store, sql, &order->session->diagnostics);
    query_number(&query, order->person->number);
    return query_run(&query);
}

/* What is void is the number of the issue: of links, and of the sessions that came of them; and who they were
 * on a learning platform. */
static int renew(ClassOrder *order) {
    const bool fine = change(order, "DELETE FROM lti_user WHERE student = ?") &&
                      change(order, "UPDATE student SET issue = issue + 1, withdrawn = 0 WHERE number = ?");
    return conclude(order, fine, CLASS_RENEWED);
}

static int withdraw(ClassOrder *order) {
    return conclude(order,
                    change(order, "UPDATE student SET issue = issue + 1, withdrawn = 1 WHERE number = ?"),
                    CLASS_WITHDRAWN);
}

/* ---- learning platforms ---- */

static int send_scores(ClassOrder *order) {
    return scores_send(order->session, &order->room, order->course);
}

static int return_scores(ClassOrder *order) {
    const int status = scores_collect(order->session, &order->room, order->gradebook);
    if (status == EXIT_FINE) return send_scores(order);
    return status;
}

static int list_members(ClassOrder *order) {
    Text out = text_new();
    const int status = scores_members(order->session, &order->room, order->course, &out);
    if (status == EXIT_FINE) return write_out(order, &out);
    text_free(&out);
    return status;
}

/* ---- one student's data ---- */

/* Each row of a query as an object, with the names of its columns. */
static struct json_object *rows_of(ClassOrder *order, const char *sql) {
    struct json_object *rows = json_object_new_array();
    Query query = query_open(&order->room.store, sql, &order->session->diagnostics);
    query_number(&query, order->person->number);
    while (query_row(&query)) {
        struct json_object *row = json_object_new_object();
        for (int i = 0; i < sqlite3_column_count(query.statement); i++) {
            const char *name = sqlite3_column_name(query.statement, i);
            if (sqlite3_column_type(query.statement, i) == SQLITE_INTEGER)
                json_put_number(row, name, query_get_number(&query, i));
            else
                json_put_text(row, name, query_get_text(&query, i, order->session->arena));
        }
        json_object_array_add(rows, row);
    }
    query_close(&query);
    return rows;
}

/* ---- files ---- */

static int is_shown(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/** What is done with a file of a student's folder: its name, and what it says. */
typedef void FileTaker(struct json_object *into, const char *name, const Text *text);

static void take_file(struct json_object *into, const char *name, const Text *text) {
    struct json_object *file = json_object_new_object();
    json_put_text(file, "name", name);
    json_put_text(file, "text", text->bytes);
    json_object_array_add(into, file);
}

/* 01-vector-add.json: what was answered on that lesson's page. */
static void take_answers(struct json_object *into, const char *name, const Text *text) {
    const size_t lesson = strcspn(name, ".");
    char key[SERVE_LONGEST_LESSON];
    if (lesson < sizeof key) {
        snprintf(key, sizeof key, "%.*s", (int)lesson, name);
        json_object_object_add(into, key, json_tokener_parse(text->bytes));
    }
}

/* Each file that lies there, by name; links lead to what is everybody's, and are left out. */
static struct json_object *files_of(ClassOrder *order, const char *where, struct json_object *into,
                                    FileTaker *take) {
    const char *root = room_path(&order->room, order->session->arena, "students", order->person),
               *folder = arena_format(order->session->arena, "%s/%s", root, where);
    struct dirent **entries = NULL;
    int count = 0;
    if (folder != NULL) count = scandir(folder, &entries, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        Text text = text_new();
        if (files_read(folder, entries[i]->d_name, &text)) take(into, entries[i]->d_name, &text);
        text_free(&text);
        free(entries[i]);
    }
    free(entries);
    return into;
}

static int export_person(ClassOrder *order) {
    static const struct {
        const char *name, *sql;
    } parts[] = {{"student", "SELECT id, name, email, login, section FROM student WHERE number = ?"},
                 {"versions",
                  "SELECT lesson, at, verdict, kinds, CAST(bytes AS TEXT) AS text FROM version JOIN source ON"
                  " hash = source WHERE student = ? ORDER BY number"},
                 {"handed",
                  "SELECT lesson, at, CAST(bytes AS TEXT) AS text FROM handed JOIN source ON hash = source"
                  " WHERE student = ? ORDER BY number"},
                 {"messages", "SELECT at, words FROM message WHERE student = ? ORDER BY number"},
                 {"platforms", "SELECT platform, user FROM lti_user WHERE student = ?"},
                 {"scores", "SELECT lesson, given, most, comment, at, sent FROM lti_score WHERE student = ?"},
                 {"sessions", "SELECT made FROM session WHERE student = ?"}};
    struct json_object *all = json_object_new_object();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        json_object_object_add(all, parts[i].name, rows_of(order, parts[i].sql));
    json_object_object_add(all, "answers",
                           files_of(order, "work/.answers", json_object_new_object(), take_answers));
    json_object_object_add(all, "files", files_of(order, "work", json_object_new_array(), take_file));
    Text out = text_new();
    text_add(&out,
             json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_add(&out, "\n");
    json_object_put(all);
    return write_out(order, &out);
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static bool remove_folder(ClassOrder *order, const char *name) {
    const char *path = room_path(&order->room, order->session->arena, name, order->person);
    if (path != NULL &&
        (nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT))
        return true;
    diag_add_errno(&order->session->diagnostics, path, "cannot delete");
    return false;
}

/* Texts that others have, too, stay: they are theirs. */
static int forget(ClassOrder *order) {
    static const char *const rows[] = {
        "DELETE FROM session WHERE student = ?",  "DELETE FROM version WHERE student = ?",
        "DELETE FROM handed WHERE student = ?",   "DELETE FROM message WHERE student = ?",
        "DELETE FROM lti_user WHERE student = ?", "DELETE FROM lti_score WHERE student = ?",
        "DELETE FROM student WHERE number = ?"};
    static const char *const folders[] = {"students", "submissions", "feedback"};
    Diagnostics *diagnostics = &order->session->diagnostics;
    bool fine = store_begin(&order->room.store, diagnostics);
    for (size_t i = 0; fine && i < sizeof rows / sizeof *rows; i++)
        fine = change(order, rows[i]);
    fine =
        fine && store_execute(&order->room.store,
                              "DELETE FROM source WHERE hash NOT IN (SELECT source FROM version UNION SELECT"
                              " source FROM handed);"
                              "DELETE FROM verdict WHERE source NOT IN (SELECT hash FROM source)",
                              diagnostics);
    fine = store_end(&order->room.store, fine, diagnostics) &&
           store_execute(&order->room.store, "PRAGMA wal_checkpoint(TRUNCATE)", diagnostics);
    for (size_t i = 0; fine && i < sizeof folders / sizeof *folders; i++)
        fine = remove_folder(order, folders[i]);
    return conclude(order, fine, CLASS_FORGOTTEN);
}

/* ---- the command ---- */

static const struct Action {
    const char *name;
    int (*act)(ClassOrder *order);
    bool for_one; /* needs a student */
    bool alone;   /* not beside a server, which may be about to write down what is deleted */
} actions[] = {{"links", write_links, false, false}, {"renew", renew, true, false},
               {"withdraw", withdraw, true, false},  {"export", export_person, true, false},
               {"forget", forget, true, true},       {"scores", return_scores, false, false},
               {"send", send_scores, false, false},  {"members", list_members, false, false}};

static int refuse(ClassOrder *order, ClassText problem, ClassText remedy, const char *name) {
    Session *session = order->session;
    const ClassFacts facts = {.name = name};
    advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                    told_class(session->arena, problem, &facts)),
           plain_class(remedy));
    return EXIT_USAGE;
}

static int act_on(ClassOrder *order, const struct Action *action, const char *id) {
    Session *session = order->session;
    if (id != NULL) order->person = room_find(&order->room, id, &session->diagnostics);
    if (id != NULL && order->person == NULL) return EXIT_USAGE;
    if (action->alone && !room_lock(&order->room, &session->diagnostics)) return EXIT_USAGE;
    return action->act(order);
}

int class_run(Session *session, int argc, char **argv) {
    ClassOrder order = {.session = session, .url = "http://127.0.0.1:8470", .days = USUAL_DAYS};
    const Option options[] = {
        {OPTION_STRING, 0, "url", "URL", "links: where students reach the server (http://127.0.0.1:8470)",
         &order.url},
        {OPTION_NUMBER, 0, "days", "N", "links: how long they are good for (200)", &order.days},
        {OPTION_STRING, 'o', "output", "FILE", "links, export, members: write to this file", &order.output},
        {OPTION_STRING, 0, "gradebook", "FILE", "scores: the gradebook (DIR/gradebook.db)", &order.gradebook},
        {.kind = OPTION_END}};
    const int first = commands_parse(session, options, argc, argv, 2, 3);
    if (first < 0 || !options_check_range("days", order.days, 1, LONGEST_DAYS, &session->diagnostics))
        return EXIT_USAGE;
    const char *name = argv[first + 1], *id = first + 2 < argc ? argv[first + 2] : NULL;
    const struct Action *action = NULL;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0) action = &actions[i];
    if (action == NULL) return refuse(&order, CLASS_NO_ACTION, CLASS_NO_ACTION_REMEDY, name);
    if (action->for_one && id == NULL) return refuse(&order, CLASS_NO_WHOM, CLASS_NO_STUDENT_REMEDY, name);
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    order.course = &course;
    int status = EXIT_INTERNAL;
    if (room_open(&order.room, session->arena, argv[first], &course, false, &session->diagnostics))
        status = act_on(&order, action, id);
    else
        status = diag_status(&session->diagnostics);
    room_close(&order.room);
    return status;
}
