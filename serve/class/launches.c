/* launches.c - login and launch of LTI 1.3; see launches.h. The token is opened by warpschool-lti alone. */
#include "serve/class/launches.h"

#include "base/escape.h"
#include "base/json.h"
#include "serve/class/office.h"
#include "serve/class/platforms.h"
#include "serve/class/scores.h"
#include "serve/texts.h"

#include <inttypes.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
    LOGIN_SECONDS = 600,
    MOST_WAITING = 256, /* launches of a class that come at once */
    MOST_CHECKED = 4,   /* of them side by side */
    CHECK_SECONDS = 20,
    KEPT_SECONDS = 3600, /* keys of a platform, until it is asked again */
    PAUSE_SECONDS = 2,   /* between two askings for a key that it did not have */
    LONGEST_STATE = 512,
    LONGEST_ADDRESS = 16 << 10
};

/* How long a look at a process that checks takes, at most: it does not wait for it. */
static const double LOOK_SECONDS = 0.001;

/* A launch between its request and the answer. */
typedef struct Launch {
    uint32_t serial; /* 0: this place is free */
    RoomPlatform *platform;
    struct json_object *job; /* NULL once it is being checked */
    Child child;
    double deadline;
    char nonce[LINK_SIGNATURE];
    char place[SERVE_LONGEST_PATH]; /* the address that the login was about, below our own */
} Launch;

typedef struct Launches {
    Platforms platforms;
    const char *home; /* https://NAME */
    Launch waiting[MOST_WAITING];
    Resender resender;
} Launches;

static Diagnostics *said(Desk *desk) {
    return &desk->session->diagnostics;
}

static Launches *launches_of(const Desk *desk) {
    return desk->room->launches;
}

/* ---- refusals ---- */

/* A page with a sentence, whose paragraph may go on. */
static void open_page(Text *page, const char *words) {
    text_add(page, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width\"><title>Warpschool</title>\n<body><h1>Warpschool</h1><p>");
    escape_add(page, ESCAPE_HTML, words);
}

static void close_page(Desk *desk, uint32_t serial, unsigned status, Text *page) {
    text_add(page, "</p></body></html>\n");
    desk_reply(desk, serial, &(DeskAnswer){.status = status, .type = TYPE_HTML}, page->bytes, page->length);
    text_free(page);
}

static void refuse(Desk *desk, uint32_t serial, unsigned status, const char *words) {
    Text page = text_new();
    open_page(&page, words);
    close_page(desk, serial, status, &page);
}

/* Without lti.yaml there is nothing at these addresses. */
static bool is_here(Desk *desk, const DeskOrder *order) {
    if (launches_of(desk) != NULL && launches_of(desk)->platforms.count > 0) return true;
    desk_say(desk, order->head.serial, 404, "");
    return false;
}

/* ---- the state ---- */

/* What a login is about: END.PLATFORM.PLACE, where PLACE is a path of ours, and may be empty. */
typedef struct LoginState {
    int64_t end;
    const RoomPlatform *platform;
    const char *place;
} LoginState;

static void sign_state(const Desk *desk, const char *purpose, const char *cookie, const LoginState *state,
                       char digits[LINK_SIGNATURE]) {
    char words[LONGEST_STATE];
    snprintf(words, sizeof words, "%s\n%" PRId64 ".%s.%s", cookie, state->end, state->platform->name,
             state->place);
    link_sign(purpose, words, &desk->room->secret, digits);
}

static void sign_nonce(const Desk *desk, const char *cookie, const LoginState *state,
                       char digits[LINK_SIGNATURE]) {
    sign_state(desk, "warpschool lti nonce 1\n", cookie, state, digits);
}

static void sign_login(const Desk *desk, const char *cookie, const LoginState *state,
                       char digits[LINK_SIGNATURE]) {
    sign_state(desk, "warpschool lti state 1\n", cookie, state, digits);
}

/* "END.PLATFORM.SIGNATURE.PLACE", as sent. False when it is not of this browser's login, or over. */
static bool read_state(const Desk *desk, LoginState *state, const char *text, const char *cookie,
                       int64_t now) {
    char digits[LINK_SIGNATURE], name[SERVE_LONGEST_LESSON], *end = NULL;
    state->end = strtoll(text, &end, 10);
    if (end == text || *end != '.' || strlen(text) >= LONGEST_STATE || *cookie == '\0') return false;
    const char *from = end + 1, *dot = strchr(from, '.');
    if (dot == NULL || (size_t)(dot - from) >= sizeof name) return false;
    memcpy(name, from, (size_t)(dot - from));
    name[dot - from] = '\0';
    state->platform = platforms_named(&launches_of(desk)->platforms, name);
    const char *signature = dot + 1;
    if (state->platform == NULL || strlen(signature) < LINK_SIGNATURE || signature[LINK_SIGNATURE - 1] != '.')
        return false;
    state->place = signature + LINK_SIGNATURE;
    sign_login(desk, cookie, state, digits);
    return memeql_sec(signature, digits, LINK_SIGNATURE - 1) != 0 && now <= state->end;
}

/* ---- the login ---- */

/* The platform that says it sends: by issuer, and by client where it says one, as it must where two have one
 * issuer. */
static const RoomPlatform *find_sender(const Platforms *platforms, const char *issuer, const char *client) {
    const RoomPlatform *found = NULL;
    for (size_t i = 0; i < platforms->count; i++) {
        const RoomPlatform *one = &platforms->items[i];
        if (!text_same(one->issuer, issuer) || (*client != '\0' && !text_same(one->client, client))) continue;
        if (found != NULL) return NULL;
        found = one;
    }
    return found;
}

/* A path below our own address: a page of ours, or nothing. NULL: it is another's. */
static const char *place_of(const Launches *launches, const char *target) {
    const size_t length = strlen(launches->home);
    if (strncmp(target, launches->home, length) != 0) return NULL;
    const char *place = target + length;
    if (*place == '\0' || strcmp(place, "/") == 0) return place;
    if (*place == '/' && serve_is_file(place + 1) && strlen(place) < SERVE_LONGEST_PATH) return place;
    return NULL;
}

static void take_field(const DeskOrder *order, const char *name, Text *value) {
    text_init(value);
    form_field(order->body, order->length, name, value);
}

/* `name` with what stands before it in an address, such as "&state". */
static void add_field(Text *url, const char *name, const char *value) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    text_format(url, "%s=", name);
    for (const unsigned char *at = (const unsigned char *)value; *at != '\0'; at++)
        text_format(url, strchr(plain, *at) != NULL ? "%c" : "%%%02X", *at);
}

/* Back to the platform, which says who it is (OpenID Connect's implicit flow, with the answer as a form). */
static void write_login(const Desk *desk, Text *url, const LoginState *state, const char *cookie) {
    char digits[LINK_SIGNATURE], nonce[LINK_SIGNATURE], words[LONGEST_STATE];
    const RoomPlatform *platform = state->platform;
    sign_login(desk, cookie, state, digits);
    sign_nonce(desk, cookie, state, nonce);
    snprintf(words, sizeof words, "%" PRId64 ".%s.%s.%s", state->end, platform->name, digits, state->place);
    text_format(url, "%s%c", platform->login, strchr(platform->login, '?') != NULL ? '&' : '?');
    text_add(url, "scope=openid&response_type=id_token&response_mode=form_post&prompt=none");
    add_field(url, "&client_id", platform->client);
    add_field(url, "&redirect_uri", launches_of(desk)->home);
    text_add(url, "%2Flti%2Flaunch");
    add_field(url, "&state", words);
    add_field(url, "&nonce", nonce);
}

/* What the platform says of its own user goes back to it unread. */
static void add_hints(const DeskOrder *order, Text *url) {
    static const struct {
        const char *from, *to;
    } hints[] = {{"login_hint", "&login_hint"}, {"lti_message_hint", "&lti_message_hint"}};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        Text value = text_new();
        if (form_field(order->body, order->length, hints[i].from, &value))
            add_field(url, hints[i].to, value.bytes);
        text_free(&value);
    }
}

static void send_to_login(Desk *desk, const DeskOrder *order, const LoginState *state) {
    char cookie[WIRE_SECRET + 1];
    Text url = text_new();
    if (office_draw_cookie(cookie)) write_login(desk, &url, state, cookie);
    add_hints(order, &url);
    if (url.failed || url.length == 0 || url.length > LONGEST_ADDRESS)
        refuse(desk, order->head.serial, 400, plain_class(CLASS_LTI_NO_LOGIN));
    else
        desk_reply(desk, order->head.serial,
                   &(DeskAnswer){.status = 303, .type = TYPE_TEXT, .cookie = cookie}, url.bytes, url.length);
    text_free(&url);
}

/* In a frame of the platform's page most browsers keep no cookie of ours, so the login would come to nothing:
 * its page there offers to begin it in a window of its own. By a link, since some browsers hold what the
 * policy says of forms against the answers to them, too. */
static void offer_window(Desk *desk, const DeskOrder *order) {
    static const char *const names[] = {"iss",        "client_id",        "target_link_uri",
                                        "login_hint", "lti_message_hint", "lti_deployment_id"};
    Text url = text_new(), page = text_new();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Text value;
        take_field(order, names[i], &value);
        if (value.length > 0) {
            text_add(&url, url.length > 0 ? "&" : "/lti/login?");
            add_field(&url, names[i], value.bytes);
        }
        text_free(&value);
    }
    open_page(&page, plain_class(CLASS_LTI_FRAME));
    escape_html(&page, "</p><p><a target=\"_blank\" href=\"%s\">%s</a>", url.bytes,
                plain_class(CLASS_LTI_FRAME_LINK));
    close_page(desk, order->head.serial, 200, &page);
    text_free(&url);
}

void office_lti_login(Desk *desk, const DeskOrder *order) {
    if (!is_here(desk, order)) return;
    const Launches *launches = launches_of(desk);
    Text issuer, client, target, hint;
    Text *const values[] = {&issuer, &client, &target, &hint};
    static const char *const names[] = {"iss", "client_id", "target_link_uri", "login_hint"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        take_field(order, names[i], values[i]);
    const LoginState state = {.end = (int64_t)time(NULL) + LOGIN_SECONDS,
                              .platform = find_sender(&launches->platforms, issuer.bytes, client.bytes),
                              .place = place_of(launches, target.bytes)};
    if (state.platform == NULL)
        refuse(desk, order->head.serial, 403, plain_class(CLASS_LTI_NO_PLATFORM));
    else if (state.place == NULL || hint.length == 0)
        refuse(desk, order->head.serial, 403, plain_class(CLASS_LTI_NO_PLACE));
    else if (order->head.framed != 0)
        offer_window(desk, order);
    else
        send_to_login(desk, order, &state);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        text_free(values[i]);
}

void office_lti_keys(Desk *desk, const DeskOrder *order) {
    if (!is_here(desk, order)) return;
    const char *words = json_object_to_json_string_ext(
        launches_of(desk)->platforms.published, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_JSON}, words,
               strlen(words));
}

/* ---- the launch: its token is checked by the other process ---- */

static Launch *free_place(Launches *launches) {
    for (int i = 0; i < MOST_WAITING; i++)
        if (launches->waiting[i].serial == 0) return &launches->waiting[i];
    return NULL;
}

/* A platform that has no key of that name is not asked again at once, whoever sends tokens of that kind. */
static void add_keys(struct json_object *job, RoomPlatform *platform) {
    const double age = child_now() - platform->asked;
    if (platform->known != NULL && age > (double)KEPT_SECONDS) {
        json_object_put(platform->known);
        platform->known = NULL;
    }
    if (platform->known == NULL) return;
    json_object_object_add(job, "known", json_object_get(platform->known));
    json_put_flag(job, "ask", age > (double)PAUSE_SECONDS);
}

/* What is checked is what the login of this browser was about. */
static bool await_check(Desk *desk, uint32_t serial, const LoginState *state, const char *cookie,
                        const Text *token) {
    Launches *launches = launches_of(desk);
    Launch *launch = free_place(launches);
    if (launch == NULL) return false;
    *launch =
        (Launch){.serial = serial, .platform = platforms_named(&launches->platforms, state->platform->name)};
    sign_nonce(desk, cookie, state, launch->nonce);
    snprintf(launch->place, sizeof launch->place, "%s", state->place);
    launch->job = platforms_job(&launches->platforms, "launch", launch->platform, false);
    json_put_text(launch->job, "token", token->bytes);
    json_put_text(launch->job, "nonce", launch->nonce);
    json_put_text(launch->job, "target", arena_format(desk->arena, "%s%s", launches->home, state->place));
    return true;
}

void office_lti_launch(Desk *desk, const DeskOrder *order) {
    if (!is_here(desk, order)) return;
    LoginState state;
    Text words, token, problem;
    take_field(order, "state", &words);
    take_field(order, "id_token", &token);
    take_field(order, "error", &problem);
    const char *cookie = order->head.cookie;
    const uint32_t serial = order->head.serial;
    if (problem.length > 0 || token.length == 0)
        refuse(desk, serial, 403, plain_class(CLASS_LTI_NO_WORD));
    else if (!read_state(desk, &state, words.bytes, cookie, (int64_t)time(NULL)))
        refuse(desk, serial, 403, plain_class(CLASS_LTI_NO_LOGIN));
    else if (!await_check(desk, serial, &state, cookie, &token))
        refuse(desk, serial, 503, plain_class(CLASS_LTI_BUSY));
    text_free(&words);
    text_free(&token);
    text_free(&problem);
    launches_look(desk);
}

/* ---- who it is ---- */

static bool is_same(const char *a, const char *b) {
    return a != NULL && b != NULL && *b != '\0' && strcasecmp(a, b) == 0;
}

/* The roster's id, login or e-mail, by the member of the launch that lti.yaml names. Two who fit are nobody.
 */
static const RoomPerson *find_listed(const Classroom *room, PlatformMatch match, struct json_object *told) {
    static const char *const members[MATCH_COUNT] = {[MATCH_SUB] = "user",
                                                     [MATCH_SOURCEDID] = "sourcedid",
                                                     [MATCH_EMAIL] = "email",
                                                     [MATCH_LOGIN] = "login"};
    const char *value = json_text(told, members[match], "");
    const RoomPerson *found = NULL;
    for (size_t i = 0; i < room->count; i++) {
        const RoomPerson *person = &room->people[i];
        const char *own[MATCH_COUNT] = {[MATCH_SUB] = person->id,
                                        [MATCH_SOURCEDID] = person->id,
                                        [MATCH_EMAIL] = person->email,
                                        [MATCH_LOGIN] = person->login};
        if (person->teaches || !is_same(own[match], value)) continue;
        if (found != NULL) return NULL;
        found = person;
    }
    return found;
}

/* Who came once as a student stays that student, whatever the platform's profile says later; and nobody else
 * becomes them. *refusal is set with NULL. */
static const RoomPerson *find_student(Desk *desk, const RoomPlatform *platform, struct json_object *told,
                                      ClassText *refusal) {
    const char *user = json_text(told, "user", "");
    const Classroom *room = desk->room;
    const int64_t known = office_number(
        desk, "SELECT student FROM lti_user WHERE platform = %s AND user = %s", platform->name, user);
    *refusal = CLASS_LTI_NOT_LISTED;
    for (size_t i = 0; known != 0 && i < room->count; i++)
        if (room->people[i].number == known) return &room->people[i];
    const RoomPerson *person = find_listed(room, platform->match, told);
    if (person == NULL) return NULL;
    *refusal = CLASS_LTI_OTHER_USER;
    const bool taken =
        office_number(desk, "SELECT 1 FROM lti_user WHERE platform = %s AND user != %s AND student = %ld",
                      platform->name, user, person->number) != 0;
    if (taken) return NULL;
    return person;
}

static const RoomPerson *find_teacher(const Classroom *room) {
    for (size_t i = 0; i < room->count; i++)
        if (room->people[i].teaches) return &room->people[i];
    return NULL;
}

/* ---- what is kept of a launch ---- */

/* A nonce lets in once. The rows are needed for as long as its login could be answered. */
static bool use_nonce(Desk *desk, const Launch *launch) {
    const int64_t now = (int64_t)time(NULL);
    if (!office_change(desk, "DELETE FROM lti_launch WHERE at < %ld", now - 2 * LOGIN_SECONDS) ||
        !office_change(desk, "INSERT INTO lti_launch VALUES (%s, %ld) ON CONFLICT DO NOTHING", launch->nonce,
                       now))
        return false;
    return sqlite3_changes(desk->room->store.database) == 1;
}

/* Where a lesson's scores go, who they are about there, and where its list of members is. Two courses of a
 * platform that share a class have line items of their own. */
static bool keep_ways(Desk *desk, const Launch *launch, struct json_object *told, const Lesson *lesson,
                      const RoomPerson *person) {
    const char *platform = launch->platform->name, *item = json_text(told, "item", ""),
               *members = json_text(told, "members", "");
    const char *context =
        arena_format(desk->arena, "%s/%s", json_text(told, "deployment", ""), json_text(told, "context", ""));
    bool fine =
        person->teaches ||
        office_change(desk,
                      "INSERT INTO lti_user (platform, user, context, student) VALUES (%s, %s, %s, %ld)"
                      " ON CONFLICT (platform, user) DO UPDATE SET context = excluded.context",
                      platform, json_text(told, "user", ""), context, person->number);
    if (fine && lesson != NULL && *item != '\0')
        fine = office_change(
            desk, "INSERT INTO lti_item VALUES (%s, %s, %s, %s) ON CONFLICT DO UPDATE SET url = excluded.url",
            platform, context, lesson->name, item);
    if (fine && *members != '\0')
        fine = office_change(desk,
                             "INSERT INTO lti_context VALUES (%s, %s, %s) ON CONFLICT DO UPDATE SET members ="
                             " excluded.members",
                             platform, context, members);
    return fine;
}

/* ---- coming in ---- */

/* The lesson of the link: by a custom parameter `lesson`, as "07" or a whole name, else by its address. */
static const Lesson *lesson_of(const Desk *desk, const Launch *launch, struct json_object *told) {
    const char *asked = json_text(told, "lesson", ""), *name;
    ServeTarget target;
    if (*asked == '\0' && serve_route(&target, "GET", launch->place) == SERVE_FOUND &&
        target.route == ROUTE_LESSON)
        asked = target.lesson;
    const size_t length = strlen(asked);
    for (size_t i = 0; length > 0 && i < desk->course.count; i++) {
        name = desk->course.lessons[i].name;
        if (strncmp(name, asked, length) == 0 && (name[length] == '\0' || name[length] == '-'))
            return &desk->course.lessons[i];
    }
    return NULL;
}

static void send_inside(Desk *desk, const Launch *launch, const RoomPerson *person, const Lesson *lesson,
                        int64_t issue) {
    char cookie[WIRE_SECRET + 1];
    const char *place = "/";
    if (lesson != NULL) place = arena_format(desk->arena, "/lessons/%s.html", lesson->name);
    if (person->teaches) place = "/class.html";
    if (place == NULL || !office_begin_session(desk, person->number, issue, cookie))
        refuse(desk, launch->serial, 503, desk_problem(desk));
    else
        desk_reply(desk, launch->serial, &(DeskAnswer){.status = 303, .type = TYPE_TEXT, .cookie = cookie},
                   place, strlen(place));
}

/* The platform has vouched for them. */
static void let_in(Desk *desk, const Launch *launch, struct json_object *told) {
    ClassText refusal = CLASS_LTI_NOT_LISTED;
    const RoomPerson *person;
    if (json_flag(told, "teaches", false))
        person = find_teacher(desk->room);
    else
        person = find_student(desk, launch->platform, told, &refusal);
    int64_t issue = 0;
    if (person != NULL) issue = office_issue(desk, person->number);
    const Lesson *lesson = lesson_of(desk, launch, told);
    if (issue == 0)
        refuse(desk, launch->serial, 403, plain_class(refusal));
    else if (!use_nonce(desk, launch))
        refuse(desk, launch->serial, 403, plain_class(CLASS_LTI_USED));
    else if (!keep_ways(desk, launch, told, lesson, person))
        refuse(desk, launch->serial, 503, desk_problem(desk));
    else
        send_inside(desk, launch, person, lesson, issue);
    commands_report(desk->session);
}

static void take_keys(RoomPlatform *platform, struct json_object *answer) {
    struct json_object *keys = json_member(answer, "keys");
    platform->asked = child_now();
    if (keys == NULL) return;
    json_object_put(platform->known);
    platform->known = json_object_get(keys);
}

/* Its check has ended, or takes too long. */
static void conclude(Desk *desk, Launch *launch) {
    struct json_object *answer = NULL;
    if (launch->child.ended) answer = json_tokener_parse(launch->child.streams[0].bytes);
    struct json_object *told = json_member(answer, "launch");
    if (json_member(answer, "keys") != NULL) take_keys(launch->platform, answer);
    if (told != NULL)
        let_in(desk, launch, told);
    else
        refuse(desk, launch->serial, 403, json_text(answer, "refused", plain_class(CLASS_LTI_NO_CHECK)));
    json_object_put(answer);
    child_kill(&launch->child);
    child_free(&launch->child);
    *launch = (Launch){0};
}

static bool begin_check(const Launches *launches, Launch *launch) {
    add_keys(launch->job, launch->platform);
    const bool fine = platforms_start(&launches->platforms, &launch->child, launch->job);
    json_object_put(launch->job);
    launch->job = NULL;
    launch->deadline = child_now() + (double)CHECK_SECONDS;
    return fine;
}

void launches_look(Desk *desk) {
    Launches *launches = launches_of(desk);
    int checked = 0;
    if (launches == NULL || launches->platforms.count == 0) return;
    desk->hurries = false;
    for (int i = 0; i < MOST_WAITING; i++) {
        Launch *launch = &launches->waiting[i];
        Child *children[] = {&launch->child};
        if (launch->serial == 0) continue;
        desk->hurries = true;
        if (launch->job != NULL && checked == MOST_CHECKED) continue;
        if (launch->job != NULL && !begin_check(launches, launch)) launch->deadline = 0;
        if (launch->child.pid != 0) child_watch(children, 1, child_now() + LOOK_SECONDS);
        if (launch->child.ended || child_now() > launch->deadline)
            conclude(desk, launch);
        else
            checked++;
    }
    scores_resend(desk, &launches->resender);
}

/* ---- opening ---- */

bool launches_open(Desk *desk, const char *host) {
    Classroom *room = desk->room;
    Launches *launches = ARENA_NEW(room->arena, Launches);
    if (launches == NULL) return store_no_memory(said(desk));
    *launches = (Launches){0};
    if (!platforms_open(&launches->platforms, room, &desk->course, said(desk))) return false;
    room->launches = launches;
    if (launches->platforms.count == 0) return true;
    launches->home = arena_format(room->arena, "https://%s", text_or(host, ""));
    if (host != NULL && *host != '\0' && launches->home != NULL) return true;
    return advise(diag_add(said(desk), DIAG_ERROR, room->folder, 0, 0, "%s", plain_class(CLASS_LTI_NO_HOST)),
                  plain_class(CLASS_LTI_NO_HOST_REMEDY));
}

void launches_close(Desk *desk) {
    Launches *launches = launches_of(desk);
    if (launches == NULL) return;
    for (int i = 0; i < MOST_WAITING; i++) {
        Launch *launch = &launches->waiting[i];
        json_object_put(launch->job);
        child_kill(&launch->child);
        child_free(&launch->child);
    }
    scores_end(&launches->resender);
    platforms_close(&launches->platforms);
}
