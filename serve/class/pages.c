/* pages.c - what a student has done, and what a teacher sees of a class; see office.h.
 *
 * The heat map has numbers alone: whom a finding holds is on a page of its own, for who wants to help them.
 * Names and words are other people's, and escaped.
 */
#include "base/escape.h"
#include "base/json.h"
#include "serve/class/handing.h"
#include "serve/class/office.h"
#include "serve/class/room.h"
#include "serve/class/scores.h"
#include "serve/texts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static Diagnostics *said(Desk *desk) {
    return &desk->session->diagnostics;
}

/* ---- parts of a page ---- */

void office_add_way(const Desk *desk, Text *out) {
    const bool teaches = desk->seat->teaches;
    escape_html(out, "<nav class=\"own\" aria-label=\"%s\"><a href=\"%s\">%s</a></nav>\n",
                plain_class(CLASS_TITLE_CLASS), teaches ? "/class.html" : "/own.html",
                plain_class(teaches ? CLASS_TITLE_CLASS : CLASS_YOUR_PAGE));
}

static void begin_page(const Desk *desk, Text *out, const char *title) {
    escape_html(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>%s · Warpschool</title>\n<link rel=\"stylesheet\" href=\"/serve/style.css\">\n<link "
        "rel=\"stylesheet\" href=\"/serve/exercise.css\">\n</head>\n<body>\n<header class=\"site\"><a "
        "class=\"brand\" href=\"/index.html\">Warpschool</a>",
        title);
    office_add_way(desk, out);
    escape_html(out,
                "</header>\n<div class=\"columns wide\">\n"
                "<main id=\"content\" class=\"class-page\">\n<h1>%s</h1>\n",
                title);
}

static void send(Desk *desk, const DeskOrder *order, Text *page) {
    text_add(page, "</main>\n</div>\n</body>\n</html>\n");
    desk_page(desk, order->head.serial, page, TYPE_HTML);
    text_free(page);
}

static void begin_part(Text *out, ClassText title) {
    escape_html(out, "<h2>%s</h2>\n", plain_class(title));
}

/* Wider than a phone: it scrolls by itself, by keyboard too. */
static void begin_heads(Text *out, ClassText title) {
    escape_html(
        out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n<table>\n<thead><tr>",
        plain_class(title));
}

static void add_head(Text *out, const char *words) {
    escape_html(out, "<th scope=\"col\">%s</th>", words);
}

static void end_heads(Text *out) {
    text_add(out, "</tr></thead>\n<tbody>\n");
}

static void begin_table(Text *out, ClassText title, const ClassText *heads, size_t count) {
    begin_heads(out, title);
    for (size_t i = 0; i < count; i++)
        add_head(out, plain_class(heads[i]));
    end_heads(out);
}

static void end_table(Text *out) {
    text_add(out, "</tbody>\n</table>\n</div>\n");
}

static void add_cell(Text *out, const char *text) {
    escape_html(out, "<td>%s</td>", text);
}

static void add_time_cell(Text *out, int64_t at) {
    char shown[HANDING_TIME] = "";
    if (at != 0) handing_time(at, shown);
    add_cell(out, shown);
}

static const char *shown_name(const RoomPerson *person) {
    if (person->name != NULL) return person->name;
    return person->id;
}

static const RoomPerson *person_numbered(const Desk *desk, int64_t number) {
    for (size_t i = 0; i < desk->room->count; i++)
        if (desk->room->people[i].number == number) return &desk->room->people[i];
    return NULL;
}

static void refuse(Desk *desk, const DeskOrder *order) {
    desk_say(desk, order->head.serial, 404, plain_web(WEB_NOWHERE));
}

/* What a row of `version` has for the outcome. */
static const char *verdict_words(const char *verdict) {
    static const struct {
        const char *verdict;
        ClassText words;
    } all[] = {{"pass", CLASS_HAS_PASSED}, {"fail", CLASS_NOT_YET}, {"error", CLASS_UNCHECKED}};
    if (verdict == NULL) return plain_class(CLASS_WAITS);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].verdict, verdict) == 0) return plain_class(all[i].words);
    return plain_class(CLASS_STOPPED);
}

static void add_paragraph(Text *out, ClassText words) {
    escape_html(out, "<p>%s</p>\n", plain_class(words));
}

/* ---- a student's own page, and a student's versions as the teacher sees them ---- */

static void add_handed(Desk *desk, int64_t student, Text *out) {
    static const ClassText heads[] = {CLASS_LESSON, CLASS_HANDED_IN};
    begin_part(out, CLASS_TITLE_HANDED);
    if (office_number(desk, "SELECT 1 FROM handed WHERE student = %ld", student) == 0) {
        add_paragraph(out, CLASS_NOTHING_HANDED);
        return;
    }
    begin_table(out, CLASS_TITLE_HANDED, heads, 2);
    Query query =
        office_ask(desk, "SELECT lesson, at FROM handed WHERE student = %ld ORDER BY number DESC", student);
    while (query_row(&query)) {
        text_add(out, "<tr>");
        add_cell(out, query_get_text(&query, 0, desk->arena));
        add_time_cell(out, query_get_number(&query, 1));
        text_add(out, "</tr>\n");
    }
    query_close(&query);
    end_table(out);
}

/* `leads`: to each version's own page, which is the teacher's. */
static void add_versions(Desk *desk, int64_t student, bool leads, Text *out) {
    static const ClassText heads[] = {CLASS_LESSON, CLASS_CHECKED_AT, CLASS_VERDICT, CLASS_FINDINGS};
    begin_part(out, CLASS_TITLE_CHECKED);
    if (office_number(desk, "SELECT 1 FROM version WHERE student = %ld", student) == 0) {
        add_paragraph(out, CLASS_NOTHING_CHECKED);
        return;
    }
    begin_table(out, CLASS_TITLE_CHECKED, heads, 4);
    Query query = office_ask(desk,
                             "SELECT number, lesson, at, verdict, kinds FROM version WHERE student = %ld"
                             " ORDER BY number DESC LIMIT 500",
                             student);
    while (query_row(&query)) {
        const char *lesson = query_get_text(&query, 1, desk->arena),
                   *verdict = query_get_text(&query, 3, desk->arena);
        text_add(out, "<tr><td>");
        if (leads)
            escape_html(out, "<a href=\"/class/versions/%ld.html\">%s</a></td>", query_get_number(&query, 0),
                        lesson);
        else
            escape_html(out, "%s</td>", lesson);
        add_time_cell(out, query_get_number(&query, 2));
        add_cell(out, verdict_words(verdict));
        add_cell(out, query_get_text(&query, 4, desk->arena));
        text_add(out, "</tr>\n");
    }
    query_close(&query);
    end_table(out);
}

static void add_form_button(Text *out, const char *action, ClassText words) {
    escape_html(out, "<form method=\"post\" action=\"%s\"><button type=\"submit\">%s</button></form>\n",
                action, plain_class(words));
}

enum { MOST_MESSAGES = 50 };

static bool read_feedback(Desk *desk, Text *text) {
    const char *path = arena_format(desk->arena, "feedback/%s/feedback.html", desk->seat->student_id);
    return path != NULL && files_read(desk->room->folder, path, text);
}

void office_own(Desk *desk, const DeskOrder *order) {
    Progress progress;
    Text page = text_new(), feedback = text_new();
    size_t passed = 0;
    if (!desk_progress(desk, &progress)) return;
    for (size_t i = 0; i < desk->course.count; i++)
        passed += progress.entries[i].passed;
    begin_page(desk, &page, plain_class(CLASS_TITLE_OWN));
    escape_html(&page, "<p>%s</p>\n",
                TOLD_CLASS(PASSED_SO_FAR, desk->arena, .count = passed, .of = desk->course.count));
    if (read_feedback(desk, &feedback))
        escape_html(&page, "<p><a href=\"/feedback.html\">%s</a></p>\n", plain_class(CLASS_FEEDBACK));
    else
        add_paragraph(&page, CLASS_NO_FEEDBACK);
    text_free(&feedback);
    if (office_number(desk, "SELECT 1 FROM message WHERE student IS NULL OR student = %ld",
                      desk->seat->student) != 0) {
        begin_part(&page, CLASS_TITLE_MESSAGES);
        handing_add_messages(desk, MOST_MESSAGES, INT64_MAX, &page);
    }
    add_handed(desk, desk->seat->student, &page);
    add_versions(desk, desk->seat->student, false, &page);
    add_form_button(&page, "/leave", CLASS_LEAVE);
    send(desk, order, &page);
}

/* The page that the teacher had made: none of its scripts runs, as it needs none. */
void office_feedback(Desk *desk, const DeskOrder *order) {
    Text text = text_new();
    if (read_feedback(desk, &text)) {
        Text way = text_new();
        office_add_way(desk, &way);
        page_put(&text, "</body>", false, &way);
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_HTML}, text.bytes,
                   text.length);
        text_free(&way);
    } else {
        desk_say(desk, order->head.serial, 404, plain_class(CLASS_NO_FEEDBACK));
    }
    text_free(&text);
}

void office_person(Desk *desk, const DeskOrder *order) {
    const RoomPerson *person = person_numbered(desk, strtoll(order->head.file, NULL, 10));
    if (person == NULL) {
        refuse(desk, order);
        return;
    }
    Text page = text_new();
    begin_page(desk, &page,
               told_class(desk->arena, CLASS_VERSIONS_OF, &(ClassFacts){.name = shown_name(person)}));
    add_handed(desk, person->number, &page);
    add_versions(desk, person->number, true, &page);
    send(desk, order, &page);
}

/* ---- a version ---- */

/* A row of `version`. */
typedef struct Version {
    const RoomPerson *person;
    const Lesson *lesson;
    const char *hash, *revision;
    int64_t at;
} Version;

static bool read_version(Desk *desk, const char *number, Version *version) {
    Query query =
        office_ask(desk, "SELECT student, lesson, source, revision, at FROM version WHERE number = %ld",
                   strtol(number, NULL, 10));
    *version = (Version){0};
    if (query_row(&query)) {
        const char *name = query_get_text(&query, 1, desk->arena);
        version->person = person_numbered(desk, query_get_number(&query, 0));
        for (size_t i = 0; name != NULL && i < desk->course.count; i++)
            if (strcmp(desk->course.lessons[i].name, name) == 0) version->lesson = &desk->course.lessons[i];
        version->hash = query_get_text(&query, 2, desk->arena);
        version->revision = query_get_text(&query, 3, desk->arena);
        version->at = query_get_number(&query, 4);
    }
    return query_close(&query) && version->person != NULL && version->lesson != NULL && version->hash != NULL;
}

static void add_verdict(Desk *desk, const Version *version, const char *source, Text *page) {
    const char *text =
        office_text(desk, "SELECT event FROM verdict WHERE lesson = %s AND source = %s AND revision = %s",
                    version->lesson->name, version->hash, version->revision);
    struct json_object *event = NULL;
    if (text != NULL) event = json_tokener_parse(text);
    if (event != NULL) verdict_page(desk, NULL, event, source, page);
    json_object_put(event);
}

/* With numbers, to which what was found leads. */
static void add_source(const Text *source, Text *page) {
    long number = 0;
    text_add(page, "<pre class=\"version\" tabindex=\"0\">");
    for (const char *line = source->bytes, *end = line + source->length; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop != NULL ? stop : end) - line);
        number++;
        text_format(page, "<span class=\"line\" id=\"line-%ld\"><span class=\"number\">%4ld</span>  ", number,
                    number);
        escape_add_bytes(page, ESCAPE_HTML, line, length);
        text_add(page, "</span>\n");
        line += length + 1;
    }
    text_add(page, "</pre>\n");
}

void office_version(Desk *desk, const DeskOrder *order) {
    Version version;
    Text page = text_new(), source = text_new();
    char at[HANDING_TIME];
    if (!read_version(desk, order->head.file, &version) ||
        !gradebook_read_source(&desk->room->store, version.hash, &source, said(desk))) {
        text_free(&source);
        refuse(desk, order);
        return;
    }
    handing_time(version.at, at);
    begin_page(
        desk, &page,
        told_class(
            desk->arena, CLASS_VERSION_OF,
            &(ClassFacts){.name = shown_name(version.person), .title = version.lesson->name, .time = at}));
    add_source(&source, &page);
    escape_html(&page, "<p><a href=\"/class/pictures/%s.html\">%s</a></p>\n", order->head.file,
                plain_class(CLASS_PICTURE));
    add_verdict(desk, &version, source.bytes, &page);
    text_free(&source);
    send(desk, order, &page);
}

/* As a student's own picture: only the script that every picture has may run in it. */
void office_drawn(Desk *desk, const DeskOrder *order) {
    Version version;
    if (!read_version(desk, order->head.file, &version)) {
        refuse(desk, order);
        return;
    }
    DeskOrder own = *order;
    own.lesson = version.lesson;
    desk->course.root = room_path(desk->room, desk->arena, "students", version.person);
    if (desk->course.root != NULL) desk_picture(desk, &own);
}

/* ---- who is where ---- */

/* The columns: number, passed, lesson, at, verdict, handed. */
static const char where_sql[] =
    "SELECT student.number, (SELECT count(DISTINCT lesson) FROM version WHERE version.student = "
    "student.number"
    " AND verdict = 'pass'), newest.lesson, newest.at, newest.verdict, (SELECT count(DISTINCT lesson) FROM "
    "handed"
    " WHERE handed.student = student.number) FROM student LEFT JOIN version newest ON newest.number ="
    " (SELECT max(number) FROM version WHERE version.student = student.number)"
    " WHERE student.listed AND NOT student.teaches ORDER BY student.id";

static void add_where(Desk *desk, Text *out) {
    static const ClassText heads[] = {CLASS_STUDENT,    CLASS_PASSED,  CLASS_LESSON,
                                      CLASS_CHECKED_AT, CLASS_VERDICT, CLASS_HANDED_IN};
    begin_part(out, CLASS_TITLE_WHERE);
    begin_table(out, CLASS_TITLE_WHERE, heads, 6);
    Query query = office_ask(desk, where_sql);
    while (query_row(&query)) {
        const RoomPerson *person = person_numbered(desk, query_get_number(&query, 0));
        if (person == NULL) continue; /* came into the roster since the server began */
        escape_html(out,
                    "<tr><td><a href=\"/class/students/%ld.html\">%s</a></td><td class=\"number\">%ld</td>",
                    person->number, shown_name(person), query_get_number(&query, 1));
        add_cell(out, query_get_text(&query, 2, desk->arena));
        add_time_cell(out, query_get_number(&query, 3));
        add_cell(out, query_get_text(&query, 2, desk->arena) != NULL
                          ? verdict_words(query_get_text(&query, 4, desk->arena))
                          : "");
        text_format(out, "<td class=\"number\">%lld</td></tr>\n", (long long)query_get_number(&query, 5));
    }
    query_close(&query);
    end_table(out);
    escape_html(out, "<p><a href=\"/class.csv\">%s</a></p>\n", plain_class(CLASS_EXPORT));
}

void office_table(Desk *desk, const DeskOrder *order) {
    Text out = text_new();
    text_add(&out, "id,name,passed,lesson,checked at,verdict,handed in\n");
    Query query = office_ask(desk, where_sql);
    while (query_row(&query)) {
        const RoomPerson *person = person_numbered(desk, query_get_number(&query, 0));
        char at[HANDING_TIME] = "";
        if (person == NULL) continue;
        if (query_get_number(&query, 3) != 0) handing_time(query_get_number(&query, 3), at);
        escape_cell(&out, person->id);
        text_add(&out, ",");
        escape_cell(&out, shown_name(person));
        text_format(&out, ",%lld,", (long long)query_get_number(&query, 1));
        escape_cell(&out, query_get_text(&query, 2, desk->arena));
        text_format(&out, ",%s,", at);
        escape_cell(&out, query_get_text(&query, 4, desk->arena));
        text_format(&out, ",%lld\n", (long long)query_get_number(&query, 5));
    }
    query_close(&query);
    desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_TEXT}, out.bytes,
               out.length);
    text_free(&out);
}

/* ---- what holds how many ---- */

enum { MOST_KINDS = 40 };

/* Students by lesson and kind of finding. */
typedef struct Heat {
    const char *kinds[MOST_KINDS];
    size_t kind_count;
    unsigned *counts; /* [lesson * MOST_KINDS + kind] */
    unsigned most;
} Heat;

static size_t kind_of(Heat *heat, const char *kind) {
    for (size_t i = 0; i < heat->kind_count; i++)
        if (strcmp(heat->kinds[i], kind) == 0) return i;
    if (heat->kind_count == MOST_KINDS) return MOST_KINDS;
    heat->kinds[heat->kind_count] = kind;
    return heat->kind_count++;
}

/* The newest version of each student and lesson that was judged. */
static const char held_sql[] =
    "SELECT student, kinds, lesson FROM version WHERE number IN (SELECT max(number) FROM version WHERE "
    "verdict IN"
    " ('pass', 'fail') GROUP BY student, lesson) AND kinds <> '' ORDER BY lesson, student";

static void count_kinds(Desk *desk, Heat *heat, const char *lesson, char *kinds) {
    for (size_t i = 0; i < desk->course.count; i++) {
        if (strcmp(desk->course.lessons[i].name, lesson) != 0) continue;
        for (char *kind; (kind = strsep(&kinds, " ")) != NULL;) {
            const size_t at = kind_of(heat, kind);
            if (at == MOST_KINDS) continue;
            unsigned *count = &heat->counts[i * MOST_KINDS + at];
            if (++*count > heat->most) heat->most = *count;
        }
        return;
    }
}

static void add_heat_row(Desk *desk, const Heat *heat, size_t lesson, Text *out) {
    const unsigned *counts = &heat->counts[lesson * MOST_KINDS];
    const char *name = desk->course.lessons[lesson].name;
    bool any = false;
    for (size_t i = 0; i < heat->kind_count; i++)
        any = any || counts[i] > 0;
    if (!any) return;
    text_format(out, "<tr><th scope=\"row\"><a href=\"/class/lessons/%s.html\">%s</a></th>", name, name);
    for (size_t i = 0; i < heat->kind_count; i++) {
        if (counts[i] == 0)
            text_add(out, "<td></td>");
        else
            text_format(out, "<td class=\"number heat\" style=\"--heat: %u%%\">%u</td>",
                        10 + counts[i] * 50 / heat->most, counts[i]);
    }
    text_add(out, "</tr>\n");
}

static void add_heat(Desk *desk, Text *out) {
    Heat heat = {.counts = ARENA_ARRAY(desk->arena, desk->course.count * MOST_KINDS + 1, unsigned)};
    if (heat.counts == NULL) return;
    Query query = office_ask(desk, held_sql);
    while (query_row(&query)) {
        const char *kinds = query_get_text(&query, 1, desk->arena),
                   *lesson = query_get_text(&query, 2, desk->arena);
        char *own = NULL;
        if (kinds != NULL) own = arena_string(desk->arena, kinds);
        if (own != NULL && lesson != NULL) count_kinds(desk, &heat, lesson, own);
    }
    query_close(&query);
    begin_part(out, CLASS_TITLE_HOLDS);
    add_paragraph(out, heat.kind_count > 0 ? CLASS_HOLDS_HOW : CLASS_HOLDS_NOBODY);
    if (heat.kind_count == 0) return;
    begin_heads(out, CLASS_TITLE_HOLDS);
    add_head(out, plain_class(CLASS_LESSON));
    for (size_t i = 0; i < heat.kind_count; i++)
        add_head(out, heat.kinds[i]);
    end_heads(out);
    for (size_t i = 0; i < desk->course.count; i++)
        add_heat_row(desk, &heat, i, out);
    end_table(out);
}

void office_holds(Desk *desk, const DeskOrder *order) {
    static const ClassText heads[] = {CLASS_STUDENT, CLASS_FINDINGS};
    Text page = text_new();
    begin_page(desk, &page, order->lesson->manifest.title);
    begin_table(&page, CLASS_TITLE_HOLDS, heads, 2);
    Query query = office_ask(desk, held_sql);
    while (query_row(&query)) {
        const RoomPerson *person = person_numbered(desk, query_get_number(&query, 0));
        const char *lesson = query_get_text(&query, 2, desk->arena);
        if (person == NULL || lesson == NULL || strcmp(lesson, order->lesson->name) != 0) continue;
        escape_html(&page, "<tr><td><a href=\"/class/students/%ld.html\">%s</a></td>", person->number,
                    shown_name(person));
        add_cell(&page, query_get_text(&query, 1, desk->arena));
        text_add(&page, "</tr>\n");
    }
    query_close(&query);
    end_table(&page);
    send(desk, order, &page);
}

/* ---- words ---- */

static void add_letter(const Desk *desk, Text *out) {
    begin_part(out, CLASS_TITLE_WORDS);
    escape_html(
        out,
        "<form method=\"post\" action=\"/class/message\" class=\"write\">\n<p><label for=\"to\">%s</label> "
        "<select id=\"to\" name=\"to\"><option value=\"all\">%s</option>",
        plain_class(CLASS_TO), plain_class(CLASS_ALL));
    for (size_t i = 0; i < desk->room->count; i++) {
        const RoomPerson *person = &desk->room->people[i];
        if (!person->listed || person->teaches) continue;
        escape_html(out, "<option value=\"%ld\">%s</option>", person->number, shown_name(person));
    }
    escape_html(out,
                "</select></p>\n<p><label for=\"words\">%s</label><br><textarea id=\"words\" name=\"words\" "
                "rows=\"4\" "
                "required></textarea></p>\n<p><button type=\"submit\">%s</button></p>\n</form>\n",
                plain_class(CLASS_WORDS), plain_class(CLASS_SEND));
}

/* Below so many MB the page warns: a class of 300 that hands in a file of every lesson takes less. */
enum { FEW_MEGABYTES = 256 };

/* What happens to the machine that a teacher must know of, a disk that gets full first, as no more can be
 * written down then. */
static void add_remarks(Desk *desk, Text *out) {
    const int64_t left = room_free_megabytes(desk->room);
    if (left < FEW_MEGABYTES)
        escape_html(out, "<p class=\"remark\">%s</p>\n",
                    TOLD_CLASS(DISK, desk->arena, .count = (SayCount)left));
    Query query = office_ask(desk, "SELECT words FROM remark ORDER BY number DESC LIMIT 5");
    while (query_row(&query))
        escape_html(out, "<p class=\"remark\">%s</p>\n", query_get_text(&query, 0, desk->arena));
    query_close(&query);
}

void office_room(Desk *desk, const DeskOrder *order) {
    Text page = text_new();
    begin_page(desk, &page, plain_class(CLASS_TITLE_CLASS));
    add_remarks(desk, &page);
    scores_add_words(desk, &page);
    add_where(desk, &page);
    add_heat(desk, &page);
    add_letter(desk, &page);
    add_form_button(&page, "/leave", CLASS_LEAVE);
    send(desk, order, &page);
}

/* Pages that are open show it at once. */
static void tell_listeners(Desk *desk, int64_t student) {
    Seat *const teacher = desk->seat;
    for (int i = 0; i < DESK_MOST_LISTENERS; i++) {
        const Listener *listener = &desk->listeners[i];
        if (listener->serial == 0 || (student != 0 && listener->seat->student != student)) continue;
        Text html = text_new();
        desk_sit(desk, listener->seat);
        handing_add_words(desk, listener->lesson, &html);
        struct json_object *event = json_object_new_object();
        json_put_text(event, "html", html.bytes);
        desk_event(desk, listener->serial, "words",
                   json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN));
        json_object_put(event);
        text_free(&html);
    }
    desk_sit(desk, teacher);
}

/* NULL, or why it was not sent. `all` is a name of nobody, as ids of students' rows are numbers. */
static const char *send_words(Desk *desk, const char *to, const char *words) {
    int64_t student = 0;
    if (serve_is_number(to)) student = strtoll(to, NULL, 10);
    const RoomPerson *person = person_numbered(desk, student);
    if (*words == '\0' || (person == NULL && strcmp(to, "all") != 0)) return plain_class(CLASS_NO_LETTER);
    Query query =
        office_ask(desk, "INSERT INTO message (student, at, words) VALUES (nullif(%ld, 0), %ld, %s)", student,
                   (int64_t)time(NULL), words);
    if (!query_run(&query)) return desk_problem(desk);
    tell_listeners(desk, student);
    return NULL;
}

void office_message(Desk *desk, const DeskOrder *order) {
    Text to = text_new(), sent = text_new(), words = text_new();
    form_field(order->body, order->length, "to", &to);
    form_field(order->body, order->length, "words", &sent);
    source_take_text(sent.bytes, sent.length, &words);
    const char *why = send_words(desk, to.bytes, words.bytes);
    if (why == NULL)
        desk_turn_back(desk, order->head.serial);
    else
        desk_say(desk, order->head.serial, 400,
                 told_class(desk->arena, CLASS_NOT_SENT, &(ClassFacts){.why = why}));
    text_free(&to);
    text_free(&sent);
    text_free(&words);
}
