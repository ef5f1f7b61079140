/* page.c - the frame and the elements of the pages; see page.h. */
#include "grading/out/page.h"

#include "grading/book/table.h"
#include "grading/out/out.h"

static const char *const style[] = {
#include "site_style.inc"
#include "out_style.inc"
};

void page_element(Text *out, const char *element, const char *kind, const char *text) {
    text_format(out, "<%s", element);
    if (kind != NULL) text_format(out, " class=\"%s\"", kind);
    escape_html(out, ">%s</%s>\n", text, element);
}

void page_add_heads(Text *out, const PageColumn *columns, size_t count) {
    text_add(out, "<table>\n<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        text_add(out, "<th scope=\"col\"");
        if (columns[i].class != NULL) text_format(out, " class=\"%s\"", columns[i].class);
        text_format(out, ">%s</th>", columns[i].title);
    }
    text_add(out, "</tr></thead>\n<tbody>\n");
}

void page_end_table(Text *out) {
    text_add(out, "</tbody>\n</table>\n");
}

void page_begin_finding(Text *out, bool error) {
    const char *class = "note";
    if (error) class = "error";
    text_format(out, "<div class=\"finding %s\">\n<p><span class=\"kind %s\">", class, class);
}

void page_who(Text *out, const ClassStudent *student) {
    Text who = text_new();
    table_who(student, &who);
    escape_add(out, ESCAPE_HTML, who.bytes);
    text_free(&who);
}

void page_bar(Text *out, size_t part, size_t whole) {
    text_add(out, "<td class=\"share\">");
    if (part > 0 && whole > 0)
        text_format(out, "<span class=\"bar\" style=\"width: %zu%%\"></span>", 100 * part / whole);
    text_add(out, "</td>");
}

void page_number(Text *out, double number) {
    text_add(out, "<td class=\"number\">");
    out_number(out, number);
    text_add(out, "</td>");
}

/* The policy forbids what a mistake in the escaping would need to do harm. */
void page_begin(Text *out, const char *title) {
    escape_html(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n<title>%s</title>\n<style>\n",
                title);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        text_add(out, style[i]);
    text_add(out, "</style>\n</head>\n<body>\n<main>\n");
    page_element(out, "h1", NULL, title);
}

void page_end(Text *out) {
    text_add(out, "</main>\n</body>\n</html>\n");
}
