/* page.h - what the pages that people carry away share: one file each, in the site's style, without a script
 * and without anything from elsewhere. Everything that somebody else wrote goes through escape_html.
 */
#pragma once

#include "base/escape.h"
#include "grading/book/class.h"

/** A column of a table: its title, and its cells' class or NULL. */
typedef struct PageColumn {
    const char *title, *class;
} PageColumn;

/** The page up to and with its first heading. */
void page_begin(Text *out, const char *title);
void page_end(Text *out);
/** An element with a text inside; `kind` is its class, or NULL. */
void page_element(Text *out, const char *element, const char *kind, const char *text);
/** A finding up to and with its kind's element, which the caller fills and closes. */
void page_begin_finding(Text *out, bool error);
/** A table up to its first row, and from its last one: page_begin_table(out, {"case"}, {"points", "number"}).
 */
#define page_begin_table(out, ...)                                                                           \
    page_add_heads((out), (const PageColumn[]){__VA_ARGS__},                                                 \
                   sizeof((const PageColumn[]){__VA_ARGS__}) / sizeof(PageColumn))
void page_add_heads(Text *out, const PageColumn *columns, size_t count);
void page_end_table(Text *out);
/** "ann (Ann Lee)" */
void page_who(Text *out, const ClassStudent *student);
/** A cell with a bar that is as long as the part of the whole. */
void page_bar(Text *out, size_t part, size_t whole);
/** A cell with a number, to the right. */
void page_number(Text *out, double number);
