/* lesson_page.c - a lesson's page with its exercise: the page of the course's site, into which the exercise
 * is put; see desk.h.
 *
 * Without a script it is a form with a text area, and a button sends the page back with its verdict. A script
 * (page/exercise.js) finds the same parts by their ids, and makes of them what moves.
 */
#include "serve/desk/desk.h"

#include "base/escape.h"
#include "serve/texts.h"

#include <inttypes.h>
#include <string.h>

static void add_button(Text *out, const char *name, const char *class, DeskText words) {
    escape_html(out, "<button type=\"submit\" name=\"do\" value=\"%s\" class=\"%s\">%s</button>\n", name,
                class, plain_desk(words));
}

static void add_buttons(const Desk *desk, const Lesson *lesson, Text *out) {
    const Lesson *next = NULL;
    desk_next(desk, lesson, &next);
    text_add(out, "<div class=\"buttons\">\n");
    add_button(out, "check", "check", DESK_CHECK);
    add_button(out, "save", "save", DESK_SAVE);
    add_button(out, "hint", "hint", DESK_HINT);
    add_button(out, "picture", "draw", DESK_PICTURE);
    add_button(out, "reset", "reset", DESK_RESET);
    if (desk->office != NULL) add_button(out, "hand-in", "hand-in", DESK_HAND_IN);
    escape_html(out, "<a class=\"next\" href=\"%s.html\">%s</a>\n</div>\n",
                next != NULL ? next->name : "../index", plain_desk(next != NULL ? DESK_NEXT : DESK_LESSONS));
}

/* A text as it is, to be sent back as it was: nothing is made visible in it. Its line ends are a browser's
 * business. */
static void add_exactly(Text *out, const char *text) {
    Text valid = text_new();
    text_add_utf8(&valid, text, strlen(text));
    for (const char *at = valid.bytes; *at != '\0'; at++) {
        if (*at == '&')
            text_add(out, "&amp;");
        else if (*at == '<')
            text_add(out, "&lt;");
        else if (*at != '\r')
            text_append(out, at, 1);
    }
    text_free(&valid);
}

/* A line end behind the tag is not the text's: a browser drops it. */
static void add_area(Text *out, const char *id, const char *attributes, const char *label, const char *text) {
    escape_html(out, "<label class=\"hidden\" for=\"%s\">%s</label>\n", id, label);
    text_format(out,
                "<textarea id=\"%s\" %s rows=\"24\" spellcheck=\"false\" autocomplete=\"off\" "
                "autocapitalize=\"off\" wrap=\"off\">\n",
                id, attributes);
    add_exactly(out, text);
    text_add(out, "</textarea>\n");
}

static void add_form(const Desk *desk, const Lesson *lesson, const char *source, const char *version,
                     Text *out) {
    const char *name = arena_format(desk->arena, "work/%s.cu", lesson->name);
    text_format(out, "<form method=\"post\" action=\"%s/form\" accept-charset=\"utf-8\">\n", lesson->name);
    text_format(out, "<input type=\"hidden\" name=\"version\" value=\"%s\">\n", version);
    const Text *unsaved = &desk_note(desk, lesson)->unsaved;
    const bool two = unsaved->length > 0;
    add_area(out, "source", "name=\"source\"", TOLD_DESK(AREA, desk->arena, .name = name),
             two ? unsaved->bytes : source);
    if (two) add_area(out, "on-disk", "readonly", plain_desk(DESK_ON_DISK), source);
    escape_html(out, "<p class=\"keys\"><span class=\"scripted\">%s</span><noscript>%s</noscript></p>\n",
                plain_desk(DESK_KEYS), plain_desk(DESK_SCRIPTLESS));
    add_buttons(desk, lesson, out);
    text_add(out, "</form>\n");
}

/* The part of the page that is the exercise, whatever page it is put into. */
static void add_exercise(Desk *desk, const Lesson *lesson, const char *source, const char *version,
                         Text *out) {
    const DeskNote *note = desk_note(desk, lesson);
    text_format(out,
                "<div class=\"beside\">\n<section class=\"exercise\" id=\"exercise\" "
                "aria-labelledby=\"exercise-title\" "
                "data-lesson=\"%s\"",
                lesson->name);
    if (desk->office != NULL) text_format(out, " data-class=\"%" PRId64 "\"", desk->seat->student);
    escape_html(out,
                ">\n<div class=\"exercise-head\"><h2 id=\"exercise-title\">%s</h2><code>work/%s.cu</code> "
                "<span id=\"saved\" role=\"status\"></span></div>\n",
                plain_desk(DESK_TITLE), lesson->name);
    text_format(out, "<div id=\"notice\" role=\"status\">%s</div>\n", note->notice.bytes);
    add_form(desk, lesson, source, version, out);
    text_add(out, "<div id=\"class-words\" role=\"status\">");
    if (desk->office != NULL) desk->office->add_words(desk, lesson, out);
    text_format(out,
                "</div>\n<div id=\"steps\" role=\"status\"></div>\n<div id=\"verdict\">%s</div>\n<div "
                "id=\"hint\" role=\"status\">%s</div>\n<div id=\"picture\"></div>\n<script "
                "type=\"application/json\" id=\"last\">",
                note->verdict.bytes, note->hint.bytes);
    for (const char *at = note->marks.bytes; *at != '\0'; at++) {
        if (*at == '<')
            text_add(out, "\\u003c");
        else
            text_append(out, at, 1);
    }
    text_add(out, "</script>\n</section>\n</div>\n");
}

/* ---- the page around it ---- */

void page_put(Text *page, const char *mark, bool behind, const Text *part) {
    const char *at = strstr(page->bytes, mark);
    size_t before = page->length;
    if (at != NULL) before = (size_t)(at - page->bytes) + (behind ? strlen(mark) : 0);
    Text whole = text_new();
    text_append(&whole, page->bytes, before);
    text_append(&whole, part->bytes, part->length);
    text_append(&whole, page->bytes + before, page->length - before);
    text_free(page);
    *page = whole;
}

void page_put_way(const Desk *desk, Text *page) {
    if (desk->office == NULL) return;
    Text way = text_new();
    desk->office->add_way(desk, &way);
    page_put(page, "</header>", false, &way);
    text_free(&way);
}

/* A page of the lesson's text as it is written, where nobody has built the course's pages. */
static void add_plain_page(const Lesson *lesson, Text *page) {
    Text text = text_new();
    files_read(lesson->folder, "lesson.md", &text);
    escape_html(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s · Warpschool</title>\n<link "
        "rel=\"stylesheet\" href=\"../serve/style.css\">\n</head>\n<body>\n<header class=\"site\"><a "
        "class=\"brand\" href=\"../index.html\">Warpschool</a></header>\n<div class=\"columns\">\n<main "
        "id=\"content\">\n<h1>%s</h1>\n<pre class=\"unbuilt\" tabindex=\"0\">%s</pre>\n</main>\n</div>\n"
        "</body>\n</html>\n",
        lesson->manifest.title, lesson->manifest.title, text.bytes);
    text_free(&text);
}

static const char head[] = "<link rel=\"stylesheet\" href=\"../serve/exercise.css\">\n<script "
                           "src=\"../serve/exercise.js\" type=\"module\"></script>\n";

/* Scripts and style go into the head, the exercise beside the text. */
static void add_parts(Desk *desk, const Lesson *lesson, const char *source, const char *version, Text *page) {
    Text part = text_new();
    text_add(&part, head);
    page_put(page, "</head>", false, &part);
    text_clear(&part);
    text_add(&part, "\n");
    add_exercise(desk, lesson, source, version, &part);
    page_put(page, "</main>", true, &part);
    text_free(&part);
    page_put_way(desk, page);
}

/* What is shown once has been shown then. */
bool lesson_page(Desk *desk, const Lesson *lesson, Text *page) {
    Text source = text_new();
    char version[WIRE_VERSION + 1];
    const char *path = arena_format(desk->arena, "lessons/%s.html", lesson->name);
    bool fine = source_read(desk, lesson, &source, version);
    if (fine) {
        if (path == NULL || !files_read(desk->pages, path, page)) add_plain_page(lesson, page);
        add_parts(desk, lesson, source.bytes, version, page);
        text_clear(&desk_note(desk, lesson)->notice);
        text_clear(&desk_note(desk, lesson)->unsaved);
    }
    text_free(&source);
    return fine;
}
