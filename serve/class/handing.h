/* handing.h - handing in: a row of the database, and a file for `warpschool grade`, which takes the folder
 * submissions/ as it takes any other system's.
 *
 * The first of a lesson is NAME.cu, later ones are "NAME (2).cu" and so on; each has the time at which it was
 * handed in. Rows come first: what a crash kept from being written is written when the server begins.
 */
#pragma once

#include "base/hash.h"
#include "serve/desk/desk.h"

enum { HANDING_TIME = 32 };

const char *handing_hand_in(Desk *desk, const Lesson *lesson);
/** Writes the files whose rows are there without them. False with a diagnostic. */
bool handing_restore(Desk *desk);
/** What a lesson's page says of dates, of what was handed in, and of the teacher's words. */
void handing_add_words(Desk *desk, const Lesson *lesson, Text *out);
/** A paragraph for each message to the seat's student, the newest first: so many at most, of so many seconds
 * before the newest. */
void handing_add_messages(Desk *desk, int most, int64_t within, Text *out);
/** When the lesson is due for the seat's student; 0: never late. *why is an extension's reason, or NULL. */
int64_t handing_due(Desk *desk, const Lesson *lesson, const char **why);
/** Keeps a text under its hash, inside a transaction. */
bool handing_keep_source(Desk *desk, const char *bytes, size_t length, char hash[HASH_HEX]);
/** "2026-11-27 10:41 UTC" */
void handing_time(int64_t at, char out[HANDING_TIME]);

/** A clock that was set anew is told (office.c). */
void office_note_clock(Desk *desk, int64_t ahead);
