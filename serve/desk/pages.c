/* pages.c - the desk's answers for pages, files, and what the learner answered on a page; see desk.h and
 * routes.def. */
#include "serve/desk/desk.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/picture.h"
#include "serve/texts.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the map and the files of the course ---- */

/* A list of the lessons, where nobody has built the course's pages. */
static void add_plain_map(const Desk *desk, Text *page) {
    text_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                   "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Warpschool</title>\n<link "
                   "rel=\"stylesheet\" href=\"serve/style.css\">\n</head>\n<body>\n"
                   "<header class=\"site\"><a class=\"brand\" href=\"index.html\">Warpschool</a></header>\n"
                   "<div class=\"columns wide\">\n<main id=\"content\">\n<h1>Warpschool</h1>\n");
    Progress progress;
    if (!desk_progress(desk, &progress)) return;
    for (size_t i = 0; i < desk->groups.count; i++) {
        const Group *group = &desk->groups.items[i];
        escape_html(page, "<h2>%s</h2>\n<p>%s</p>\n<div class=\"lessons\"><ul>\n", group->title,
                    TOLD_DESK(SO_FAR, desk->arena,
                              .count = groups_count_passed(group, &progress, &desk->course),
                              .of = group->count));
        for (size_t j = 0; j < group->count; j++) {
            const Lesson *lesson = group->lessons[j];
            text_format(page, "<li><a href=\"lessons/%s.html\">%.2s ", lesson->name, lesson->name);
            escape_html(page, "%s</a>", lesson->manifest.title);
            if (progress_of(&progress, &desk->course, lesson)->passed)
                text_add(page, " <span class=\"passed\">✓</span>");
            text_add(page, "</li>\n");
        }
        text_add(page, "</ul></div>\n");
    }
    text_add(page, "</main>\n</div>\n</body>\n</html>\n");
}

void desk_page(Desk *desk, uint32_t serial, const Text *page, WireType type) {
    char policy[WIRE_POLICY] = "";
    if (type == TYPE_HTML) files_policy(page, policy);
    desk_reply(desk, serial, &(DeskAnswer){.status = 200, .type = type, .policy = policy}, page->bytes,
               page->length);
}

static void send_front(Desk *desk, uint32_t serial) {
    Text page = text_new();
    if (!files_read(desk->pages, "index.html", &page)) add_plain_map(desk, &page);
    page_put_way(desk, &page);
    desk_page(desk, serial, &page, TYPE_HTML);
    text_free(&page);
}

void desk_front(Desk *desk, const DeskOrder *order) {
    send_front(desk, order->head.serial);
}

/* The same as the file beside the site (progress.c), of this moment. */
void desk_progress_script(Desk *desk, const DeskOrder *order) {
    Progress progress;
    Text text = text_new();
    if (!desk_progress(desk, &progress)) return;
    text_add(&text, "const passedLessons = [");
    for (size_t i = 0; i < desk->course.count; i++)
        if (progress.entries[i].passed) text_format(&text, "\"%s\", ", desk->course.lessons[i].name);
    text_add(&text, "];\n");
    desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_JS}, text.bytes,
               text.length);
    text_free(&text);
}

void desk_file(Desk *desk, const DeskOrder *order) {
    static const char assets[] = "serve/";
    const char *path = order->head.file;
    const bool is_asset = text_starts_with(path, assets);
    if (strcmp(path, "index.html") == 0) {
        send_front(desk, order->head.serial);
        return;
    }
    if (strcmp(path, "favicon.ico") == 0) { /* every browser asks, and the course has none */
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 204, .type = TYPE_BYTES}, "", 0);
        return;
    }
    Text text = text_new();
    bool found;
    if (is_asset)
        found = files_read(desk->assets, path + strlen(assets), &text);
    else
        found = files_read(desk->pages, path, &text);
    if (found)
        desk_page(desk, order->head.serial, &text, wire_type_of(path));
    else
        desk_say(desk, order->head.serial, 404, plain_web(WEB_NOWHERE));
    text_free(&text);
}

void desk_lesson(Desk *desk, const DeskOrder *order) {
    Text page = text_new();
    if (lesson_page(desk, order->lesson, &page)) {
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_HTML}, page.bytes,
                   page.length);
    } else {
        const Diagnostic *problem = desk->session->diagnostics.first;
        desk_say(desk, order->head.serial, 500,
                 problem != NULL ? problem->message : plain_desk(DESK_NO_FILE));
    }
    text_free(&page);
}

/* ---- the picture of the last run ---- */

/* It may run the script that pictures have, and no other: what is in it besides comes from a learner's
 * program. */
void desk_picture(Desk *desk, const DeskOrder *order) {
    Text page = text_new(), empty = text_new();
    char policy[WIRE_POLICY];
    const char *name = arena_format(desk->arena, "%s.html", order->lesson->name);
    const char *work = arena_format(desk->arena, "%s/work", desk->course.root);
    picture_page(&empty, "{}", "", "", NULL);
    files_policy(&empty, policy);
    if (name != NULL && work != NULL && files_read(work, name, &page))
        desk_reply(desk, order->head.serial,
                   &(DeskAnswer){.status = 200, .type = TYPE_HTML, .policy = policy}, page.bytes,
                   page.length);
    else
        desk_say(desk, order->head.serial, 404, plain_desk(DESK_NO_PICTURE));
    text_free(&page);
    text_free(&empty);
}

/* ---- commands that answer when they have ended ---- */

static void begin_errand(Desk *desk, const DeskOrder *order, ErrandKind kind, bool as_page) {
    if (errand_start(desk, kind, order, as_page) == NULL)
        desk_say(desk, order->head.serial, 503, desk_problem(desk));
}

void desk_hint(Desk *desk, const DeskOrder *order) {
    begin_errand(desk, order, ERRAND_HINT, false);
}

void desk_draw(Desk *desk, const DeskOrder *order) {
    begin_errand(desk, order, ERRAND_DRAW, false);
}

void desk_reset(Desk *desk, const DeskOrder *order) {
    begin_errand(desk, order, ERRAND_RESET, false);
}

/* ---- what the learner answered ---- */

static const char *answers_path(const Desk *desk, const Lesson *lesson) {
    return arena_format(desk->arena, "%s/work/.answers/%s.json", desk->course.root, lesson->name);
}

void desk_answers(Desk *desk, const DeskOrder *order) {
    Text text = text_new();
    const char *path = answers_path(desk, order->lesson);
    if (path == NULL || !text_read_named_file(&text, path, SERVE_LARGEST_ANSWERS)) {
        text_clear(&text);
        text_add(&text, "{}");
    }
    desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_JSON}, text.bytes,
               text.length);
    text_free(&text);
}

/* What is kept is an object of JSON, whatever was sent. */
void desk_answer(Desk *desk, const DeskOrder *order) {
    const char *folder = arena_format(desk->arena, "%s/work/.answers", desk->course.root),
               *path = answers_path(desk, order->lesson);
    struct json_object *answers =
        json_parse_text(order->body, order->length, "answers", &desk->session->diagnostics);
    if (!json_object_is_type(answers, json_type_object)) {
        desk_say(desk, order->head.serial, 400, plain_desk(DESK_NOT_OBJECT));
    } else {
        const char *text =
            json_object_to_json_string_ext(answers, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
        bool fine = folder != NULL && path != NULL && (mkdir(folder, 0755) == 0 || errno == EEXIST) &&
                    text_write_file(path, text, strlen(text));
        desk_say(desk, order->head.serial, fine ? 200 : 500,
                 fine ? "" : TOLD_DESK(UNWRITTEN, desk->arena, .why = strerror(errno)));
    }
    json_object_put(answers);
}

/* ---- the buttons of a page without a script ---- */

static int hex_digit(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    letter |= 0x20;
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    return -1;
}

/* A field of application/x-www-form-urlencoded: `+` is a blank, %XX a byte. False where there is no such
 * field. */
bool form_field(const char *form, size_t length, const char *name, Text *value) {
    size_t named = strlen(name);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(form + at, '&', length - at);
        size_t stop = length;
        if (end != NULL) stop = (size_t)(end - form);
        if (stop - at > named && memcmp(form + at, name, named) == 0 && form[at + named] == '=') {
            for (size_t i = at + named + 1; i < stop; i++) {
                char byte = ' ';
                if (form[i] != '+') byte = form[i];
                if (form[i] == '%' && i + 2 < stop && hex_digit(form[i + 1]) >= 0 &&
                    hex_digit(form[i + 2]) >= 0) {
                    byte = (char)(hex_digit(form[i + 1]) * 16 + hex_digit(form[i + 2]));
                    i += 2;
                }
                text_append(value, &byte, 1);
            }
            return true;
        }
        at = stop + 1;
    }
    return false;
}

static void press(Desk *desk, const DeskOrder *order, const char *button) {
    static const struct {
        const char *name;
        ErrandKind kind;
    } buttons[] = {
        {"check", ERRAND_CHECK}, {"hint", ERRAND_HINT}, {"picture", ERRAND_DRAW}, {"reset", ERRAND_RESET}};
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        if (strcmp(buttons[i].name, button) != 0) continue;
        begin_errand(desk, order, buttons[i].kind, true);
        return;
    }
    const char *said = plain_desk(DESK_SAVED);
    if (desk->office != NULL && strcmp(button, "hand-in") == 0)
        said = desk->office->hand_in(desk, order->lesson);
    escape_add(&desk_note(desk, order->lesson)->notice, ESCAPE_HTML, said);
    desk_turn_back(desk, order->head.serial);
}

void desk_form(Desk *desk, const DeskOrder *order) {
    Text source = text_new(), version = text_new(), button = text_new();
    char now[WIRE_VERSION + 1];
    form_field(order->body, order->length, "do", &button);
    form_field(order->body, order->length, "version", &version);
    SourceWritten written = SOURCE_WRITTEN;
    if (form_field(order->body, order->length, "source", &source))
        written = source_write(desk, order->lesson, source.bytes, source.length, version.bytes, now);
    if (written == SOURCE_CHANGED && !files_are_one_owners(version.bytes, now)) {
        desk_say(desk, order->head.serial, 409, plain_desk(DESK_ANOTHERS_PAGE));
    } else if (written == SOURCE_CHANGED) {
        DeskNote *note = desk_note(desk, order->lesson);
        text_add(&note->notice, plain_desk(DESK_BOTH_CHANGED));
        text_clear(&note->unsaved);
        text_append(&note->unsaved, source.bytes, source.length);
        desk_turn_back(desk, order->head.serial);
    } else if (written == SOURCE_UNWRITTEN) {
        desk_say(desk, order->head.serial, 500, plain_desk(DESK_NO_FILE));
    } else {
        press(desk, order, button.bytes);
    }
    text_free(&source);
    text_free(&version);
    text_free(&button);
}
