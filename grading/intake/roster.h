/* roster.h - who is in the class: a CSV file, and which of its rows a submission belongs to.
 *
 * A row needs something that is its own: an id, else a login or an e-mail address, else a name. Two rows with
 * one id are a mistake of the roster's; the second one is left out. Other values that two rows share are not
 * used for matching.
 */
#pragma once

#include "grading/intake/csv.h"
#include "grading/intake/layout.h"

/** What a roster can say of a student. */
typedef enum RosterField {
    ROSTER_ID,
    ROSTER_NAME,
    ROSTER_FIRST,
    ROSTER_LAST,
    ROSTER_EMAIL,
    ROSTER_LOGIN,
    ROSTER_SECTION,
    ROSTER_FOLDER,
    ROSTER_ROLE,
    ROSTER_FIELD_COUNT
} RosterField;

enum { ROSTER_MORE = 4 };

/** A student's line. */
typedef struct RosterRow {
    int line;
    const char *fields[ROSTER_FIELD_COUNT]; /**< NULL: not given. The id always is; a name made of first and
                                               last is in ROSTER_NAME */
    const char *more[ROSTER_MORE];          /**< other ids and logins */
    const CsvRow *cells;                    /**< the whole line */
} RosterRow;

/** Who is in the class. */
typedef struct Roster {
    const char *path;      /**< NULL: there is none */
    const CsvRow *headers; /**< the names of the columns */
    RosterRow *rows;
    size_t count;
} Roster;

/** How sure a match is: by what it was found. */
typedef enum RosterMatch { MATCH_NONE, MATCH_NAME, MATCH_KEY } RosterMatch;

/** `columns` is "id=SIS Login ID,name=Student" or NULL. False with diagnostics when the file is no roster. */
bool roster_read(Roster *roster, Arena *arena, const char *path, const char *columns,
                 Diagnostics *diagnostics);
/** The same from the file's bytes; `path` is what errors call it. */
bool roster_make(Roster *roster, Arena *arena, const char *bytes, size_t length, const char *path,
                 const char *columns, Diagnostics *diagnostics);
/** The row that the clues mean: by the column `folder`, by id, e-mail, login, then by name; the first of
 * these that finds exactly one. */
RosterMatch roster_find(const Roster *roster, const Clues *clues, size_t *row);
/** How many rows have the name that the clues give, and the first two of their lines. */
size_t roster_name_shared(const Roster *roster, const Clues *clues, int lines[2]);
