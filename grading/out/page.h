/* page.h - what the pages that people carry away share: one file each, in the site's style, without a script
 * and without anything from elsewhere. Everything that somebody else wrote goes through page_text.
 */
#pragma once

#include "grading/book/class.h"

/** The page up to and with its first heading. */
void page_begin(Text *out, const char *title);
void page_end(Text *out);
/** Any bytes as harmless text in one element or attribute; NULL is nothing. */
void page_text(Text *out, const char *text);
/** An element with a text inside; `kind` is its class, or NULL. */
void page_element(Text *out, const char *element, const char *kind, const char *text);
/** A finding up to and with its kind's element, which the caller fills and closes. */
void page_begin_finding(Text *out, bool error);
/** "ann (Ann Lee)" */
void page_who(Text *out, const ClassStudent *student);
/** A cell with a bar that is as long as the part of the whole. */
void page_bar(Text *out, size_t part, size_t whole);
/** A cell with a number, to the right. */
void page_number(Text *out, double number);
