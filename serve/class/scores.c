/* scores.c - what is released becomes rows, and rows are sent; see scores.h. */
#include "serve/class/scores.h"
#include "base/minmax.h"

#include "base/escape.h"
#include "base/json.h"
#include "grading/out/out.h"
#include "serve/class/platforms.h"
#include "serve/texts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SEND_SECONDS = 60, /* of a sending, and for each score: */
    SCORE_SECONDS = 15,
    FIRST_PAUSE = 5, /* seconds before it is tried again; doubled each time */
    LONGEST_PAUSE = 3600,
    LOOK_SECONDS = 2,
    MOST_DOUBLINGS = 10
};

/* Rows that can be sent: the student is known at the platform, and the lesson has a line item in the same
 * course there. */
#define WAYS                                                                                                 \
    " FROM lti_score score JOIN lti_user user ON user.student = score.student JOIN lti_item item ON"         \
    " item.platform = user.platform AND item.context = user.context AND item.lesson = score.lesson"

static Diagnostics *said(Session *session) {
    return &session->diagnostics;
}

static bool warn(Session *session, ClassText problem, ClassText remedy, const ClassFacts *facts) {
    return advise(
        diag_add(said(session), DIAG_WARNING, NULL, 0, 0, "%s", told_class(session->arena, problem, facts)),
        told_class(session->arena, remedy, facts));
}

/* ---- from the gradebook ---- */

/* A later score has a later time, even where the clock was set back: platforms drop what is older. What has
 * not changed was sent, or waits, as it is. */
static bool put_score(Classroom *room, int64_t student, const ClassLesson *lesson, const Grade *grade,
                      Diagnostics *diagnostics) {
    Text given, most, comment;
    Text *const texts[] = {&given, &most, &comment};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_init(texts[i]);
    out_number(&given, MAX(0, grade->points));
    out_number(&most, grade->max_points);
    out_add_remarks(&comment, grade);
    Query query = query_open(&room->store,
                             "INSERT INTO lti_score (lesson, given, most, comment, student, at, next) VALUES "
                             "(?1, ?2, ?3, ?4, ?5, ?6,"
                             " ?6 + 30) ON CONFLICT DO UPDATE SET given = ?2, most = ?3, comment = ?4, at = "
                             "max(?6, at + 1), sent = 0,"
                             " tries = 0, next = ?6 + 30, lasts = 0, problem = NULL"
                             " WHERE given != ?2 OR most != ?3 OR comment != ?4",
                             diagnostics);
    query_text(&query, lesson->name);
    query_text(&query, given.bytes);
    query_text(&query, most.bytes);
    query_text(&query, comment.bytes);
    query_number(&query, student);
    query_number(&query, (int64_t)time(NULL));
    const bool fine = query_run(&query);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
    return fine;
}

static int64_t number_of(const Classroom *room, const char *id) {
    for (size_t i = 0; i < room->count; i++)
        if (!room->people[i].teaches && text_same(room->people[i].id, id)) return room->people[i].number;
    return 0;
}

/* What is decided, and released. What is dropped is excused: no score says nothing of it. */
static bool put_scores(Classroom *room, const Class *class, size_t *held, Diagnostics *diagnostics) {
    bool fine = store_begin(&room->store, diagnostics);
    for (size_t i = 0; fine && i < class->student_count; i++) {
        const int64_t student = number_of(room, class_key(&class->students[i]));
        for (size_t j = 0; fine && student != 0 && j < class->lesson_count; j++) {
            const Grade *grade = class_grade(class, i, j);
            if (!class_is_decided(grade) || grade->dropped_from != NULL || !(grade->max_points > 0)) continue;
            if (class->lessons[j].held)
                ++*held;
            else
                fine = put_score(room, student, &class->lessons[j], grade, diagnostics);
        }
    }
    return store_end(&room->store, fine, diagnostics);
}

int scores_collect(Session *session, Classroom *room, const char *gradebook) {
    Class class = {0};
    size_t held = 0;
    if (gradebook == NULL) gradebook = arena_format(session->arena, "%s/gradebook.db", room->folder);
    Gradebook *book = NULL;
    if (gradebook != NULL) book = gradebook_open(gradebook, NULL, GRADEBOOK_READ, said(session));
    const bool fine = book != NULL &&
                      class_read(&class, session->arena, book, &room->policy, said(session)) &&
                      put_scores(room, &class, &held, said(session));
    class_free(&class);
    gradebook_close(book);
    if (fine && held > 0)
        warn(session, CLASS_SCORES_HELD, CLASS_SCORES_HELD_REMEDY, &(ClassFacts){.count = held});
    if (fine) return EXIT_FINE;
    return diag_status(said(session));
}

/* ---- to the platform ---- */

/* The scores of a platform that wait, as a list for a job. */
static struct json_object *list_scores(Session *session, Classroom *room, const char *platform) {
    struct json_object *list = json_object_new_array();
    Query query = query_ask(&room->store, said(session),
                            "SELECT score.rowid, score.at, user.user, item.url, score.given, score.most,"
                            " score.comment" WAYS " WHERE user.platform = %s AND NOT score.sent",
                            platform);
    while (query_row(&query)) {
        static const char *const names[] = {"user", "item", "given", "most", "comment"};
        struct json_object *score = json_object_new_object();
        json_put_number(score, "number", query_get_number(&query, 0));
        json_put_number(score, "at", query_get_number(&query, 1));
        for (int i = 0; i < 5; i++) {
            const char *text = query_get_text(&query, i + 2, session->arena);
            if (i == 2 || i == 3)
                json_object_object_add(score, names[i], json_object_new_double(strtod(text, NULL)));
            else
                json_put_text(score, names[i], text);
        }
        json_object_array_add(list, score);
    }
    query_close(&query);
    return list;
}

static int64_t pause_after(int64_t tries) {
    const int64_t pause = (int64_t)FIRST_PAUSE << MIN(tries, MOST_DOUBLINGS);
    return MIN(pause, LONGEST_PAUSE);
}

/* What came of one score. A score that has changed since, by another command, waits still. */
static bool note_sent(Session *session, Classroom *room, int64_t number, int64_t at) {
    return store_change(
        &room->store, said(session),
        "UPDATE lti_score SET sent = 1, problem = NULL, lasts = 0 WHERE rowid = %ld AND at = %ld", number,
        at);
}

static bool note_problem(Session *session, Classroom *room, int64_t number, const char *problem, bool lasts) {
    const int64_t tries =
        store_number(&room->store, said(session), "SELECT tries FROM lti_score WHERE rowid = %ld", number);
    return store_change(&room->store, said(session),
                        "UPDATE lti_score SET problem = %s, tries = tries + 1, next = %ld, lasts = %d"
                        " WHERE rowid = %ld AND NOT sent",
                        problem, (int64_t)time(NULL) + pause_after(tries), lasts, number);
}

/* Each line that the process printed is about one score. */
static size_t note_lines(Session *session, Classroom *room, const Text *printed) {
    size_t sent = 0;
    for (const char *line = printed->bytes, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        struct json_object *one = json_tokener_parse(arena_copy(session->arena, line, (size_t)(end - line)));
        const int64_t number = json_number(one, "number", 0), at = json_number(one, "at", 0);
        const char *problem = json_text(one, "problem", NULL);
        if (number != 0 && problem == NULL)
            sent += note_sent(session, room, number, at);
        else if (number != 0)
            note_problem(session, room, number, problem, json_flag(one, "lasts", false));
        json_object_put(one);
    }
    return sent;
}

static size_t send_to(Session *session, Classroom *room, const Platforms *platforms,
                      const RoomPlatform *platform) {
    struct json_object *scores = list_scores(session, room, platform->name);
    const size_t count = json_object_array_length(scores);
    size_t sent = 0;
    Child child = {0};
    struct json_object *job = platforms_job(platforms, "scores", platform, true);
    json_object_object_add(job, "scores", scores);
    if (count > 0) {
        platforms_run(platforms, &child, job, (double)SEND_SECONDS + (double)count * (double)SCORE_SECONDS);
        if (child.pid != 0) sent = note_lines(session, room, &child.streams[0]);
    }
    child_kill(&child);
    child_free(&child);
    json_object_put(job);
    return sent;
}

/* How many wait for each reason. */
static bool say_waiting(Session *session, Classroom *room) {
    bool any = false;
    Query query = query_open(
        &room->store, "SELECT count(*), problem, lasts" WAYS " WHERE NOT score.sent GROUP BY problem, lasts",
        said(session));
    while (query_row(&query)) {
        const char *why = query_get_text(&query, 1, session->arena);
        const ClassFacts facts = {.count = (SayCount)query_get_number(&query, 0),
                                  .path = room->folder,
                                  .why = why != NULL ? why : plain_lti(LTI_NO_KEY)};
        const bool lasts = query_get_number(&query, 2) != 0;
        warn(session, lasts ? CLASS_SCORES_REFUSED : CLASS_SCORES_WAIT,
             lasts ? CLASS_SCORES_REFUSED_REMEDY : CLASS_SCORES_WAIT_REMEDY, &facts);
        any = true;
    }
    return query_close(&query) && any;
}

/* Who never came from a platform is nobody there; and a lesson whose link nobody has opened has no place for
 * scores. */
static void say_wayless(Session *session, Classroom *room) {
    size_t all, known;
    if (!store_count(&room->store, "SELECT count(*) FROM lti_score", &all, said(session)) ||
        !store_count(&room->store, "SELECT count(DISTINCT score.rowid)" WAYS, &known, said(session)) ||
        all == known)
        return;
    warn(session, CLASS_SCORES_WAYLESS, CLASS_SCORES_WAYLESS_REMEDY, &(ClassFacts){.count = all - known});
}

int scores_send(Session *session, Classroom *room, const Course *course) {
    Platforms platforms;
    size_t sent = 0;
    if (!platforms_open(&platforms, room, course, said(session))) return diag_status(said(session));
    for (size_t i = 0; i < platforms.count; i++)
        sent += send_to(session, room, &platforms, &platforms.items[i]);
    commands_say(told_class(session->arena, CLASS_SCORES_SENT, &(ClassFacts){.count = sent}));
    platforms_close(&platforms);
    say_wayless(session, room);
    if (say_waiting(session, room)) return EXIT_FOUND;
    return EXIT_FINE;
}

/* ---- members ---- */

/* A member's line of a roster: the id is what the class matches by, where that is an id. */
static void add_member(Text *out, struct json_object *member, PlatformMatch match) {
    const char *sourcedid = json_text(member, "lis_person_sourcedid", ""),
               *id = json_text(member, "user_id", "");
    if (match == MATCH_SOURCEDID && *sourcedid != '\0') id = sourcedid;
    const char *const cells[] = {id, json_text(member, "name", ""), json_text(member, "email", ""),
                                 json_text(member, "ext_user_username", "")};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (i > 0) text_add(out, ",");
        escape_cell(out, cells[i]);
    }
    text_add(out, "\n");
}

static bool is_learner(struct json_object *member) {
    struct json_object *roles = json_array(member, "roles");
    size_t count = json_length(roles);
    for (size_t i = 0; i < count; i++) {
        const char *role = json_object_get_string(json_object_array_get_idx(roles, i));
        if (role != NULL && (text_ends_with(role, "membership#Learner") || strcmp(role, "Learner") == 0))
            return !text_same(json_text(member, "status", "Active"), "Inactive");
    }
    return false;
}

static bool add_members(Session *session, const Platforms *platforms, const RoomPlatform *platform,
                        const char *url, Text *out) {
    struct json_object *job = platforms_job(platforms, "members", platform, true);
    Child child = {0};
    json_put_text(job, "url", url);
    platforms_run(platforms, &child, job, SEND_SECONDS);
    struct json_object *answer = NULL;
    if (child.pid != 0) answer = json_tokener_parse(child.streams[0].bytes);
    struct json_object *members = json_array(answer, "members");
    size_t count = json_length(members);
    for (size_t i = 0; i < count; i++) {
        struct json_object *member = json_object_array_get_idx(members, i);
        if (is_learner(member)) add_member(out, member, platform->match);
    }
    if (members == NULL) {
        const ClassFacts facts = {.name = platform->name, .why = json_text(answer, "problem", "")};
        diag_add(said(session), DIAG_ERROR, NULL, 0, 0, "%s",
                 told_class(session->arena, CLASS_NO_MEMBERS, &facts));
    }
    json_object_put(answer);
    json_object_put(job);
    child_kill(&child);
    child_free(&child);
    return members != NULL;
}

int scores_members(Session *session, Classroom *room, const Course *course, Text *out) {
    Platforms platforms;
    bool fine = true, any = false;
    if (!platforms_open(&platforms, room, course, said(session))) return diag_status(said(session));
    text_add(out, "id,name,email,login\n");
    Query query = query_open(&room->store, "SELECT DISTINCT platform, members FROM lti_context ORDER BY 1, 2",
                             said(session));
    while (query_row(&query)) {
        const char *name = query_get_text(&query, 0, session->arena),
                   *url = query_get_text(&query, 1, session->arena);
        const RoomPlatform *platform = NULL;
        if (name != NULL) platform = platforms_named(&platforms, name);
        if (platform == NULL || url == NULL) continue;
        any = true;
        fine = add_members(session, &platforms, platform, url, out) && fine;
    }
    fine = query_close(&query) && fine;
    platforms_close(&platforms);
    if (!any)
        fine = advise(
            diag_add(said(session), DIAG_ERROR, room->folder, 0, 0, "%s", plain_class(CLASS_NO_CONTEXT)),
            plain_class(CLASS_NO_CONTEXT_REMEDY));
    if (fine) return EXIT_FINE;
    return diag_status(said(session));
}

/* ---- of the server ---- */

static bool is_due(Desk *desk) {
    return store_number(&desk->room->store, said(desk->session),
                        "SELECT 1" WAYS
                        " WHERE NOT score.sent AND NOT score.lasts AND score.next <= %ld LIMIT 1",
                        (int64_t)time(NULL)) != 0;
}

/* The program that runs is the one that is started; its command opens the database for itself. */
static bool start(const Desk *desk, Resender *resender) {
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = '\0';
    const char *const argv[] = {program, "--root", desk->only.root, "class", desk->room->folder,
                                "send",  NULL};
    const ChildSetup setup = {
        .argv = argv, .extra_fds = {-1, -1}, .user = (uid_t)-1, .capture_limit = 1 << 20};
    return child_start(&resender->child, &setup);
}

/* A reason that is new is said at the terminal. */
static void say_problem(Desk *desk, Resender *resender) {
    const char *problem =
        store_text(&desk->room->store, desk->arena, said(desk->session),
                   "SELECT problem FROM lti_score WHERE NOT sent AND problem IS NOT NULL LIMIT 1");
    if (problem != NULL && !text_same(problem, resender->told)) {
        diag_add(said(desk->session), DIAG_WARNING, desk->room->folder, 0, 0, "%s", problem);
        commands_report(desk->session);
    }
    if (!text_same(problem, resender->told))
        resender->told = problem != NULL ? arena_string(desk->room->arena, problem) : NULL;
}

void scores_resend(Desk *desk, Resender *resender) {
    const double now = child_now();
    if (resender->runs) {
        Child *children[] = {&resender->child};
        child_watch(children, 1, now + 0.001);
        if (!resender->child.ended) return;
        child_free(&resender->child);
        resender->runs = false;
        say_problem(desk, resender);
    }
    if (now < resender->next) return;
    resender->next = now + (double)LOOK_SECONDS;
    if (is_due(desk)) resender->runs = start(desk, resender);
}

void scores_end(Resender *resender) {
    child_kill(&resender->child);
    child_free(&resender->child);
}

void scores_add_words(Desk *desk, Text *out) {
    Query query =
        query_open(&desk->room->store,
                   "SELECT count(*), max(problem) FROM lti_score WHERE NOT sent AND problem IS NOT NULL",
                   said(desk->session));
    int64_t count = 0;
    if (query_row(&query)) count = query_get_number(&query, 0);
    const char *why = NULL;
    if (count > 0) why = query_get_text(&query, 1, desk->arena);
    if (!query_close(&query) || why == NULL) return;
    escape_html(out, "<p>%s</p>\n",
                TOLD_CLASS(SCORES_WAIT, desk->arena, .count = (SayCount)count, .why = why));
}
