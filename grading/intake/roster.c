/* roster.c - the roster's columns, its rows, and the row of a submission; see roster.h. */
#include "grading/intake/roster.h"

#include "grading/intake/csv.h"
#include "grading/intake/names.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* ---- columns ---- */

/* A row of roster.def: words by which learning systems name a column. */
typedef struct Header {
    RosterField field;
    const char *words;
} Header;

static const Header headers[] = {
#define HEADER(field, words) {field, words},
#include "grading/intake/roster.def"
#undef HEADER
};
enum { HEADER_COUNT = sizeof headers / sizeof *headers };

/* As --columns names them. */
static const char *const field_names[ROSTER_FIELD_COUNT] = {"id",    "name",    "first",  "last", "email",
                                                            "login", "section", "folder", "role"};

/* Which column of the file is which field. */
typedef struct Columns {
    int of[ROSTER_FIELD_COUNT]; /* -1: none */
    int more[ROSTER_MORE];
    size_t more_count;
} Columns;

/* Making a roster of a table. */
typedef struct Making {
    Roster *roster;
    Arena *arena;
    const Csv *csv;
    Columns columns;
    Text staff; /* the lines that were left out, "3, 4" */
    size_t staff_count;
    bool canvas; /* its first columns are those of Canvas's gradebook */
    Diagnostics *diagnostics;
} Making;

/* A message and, after a line break, what to do about it. Both outlive the roster: a warning is printed when
 * the grading has ended. */
__attribute__((format(printf, 4, 5))) static void say(const Making *making, DiagLevel level, int line,
                                                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vformat(making->diagnostics->arena, format, arguments);
    va_end(arguments);
    const char *remedy = NULL;
    if (message != NULL) remedy = strchr(message, '\n');
    int length = 0;
    if (message != NULL) length = (int)strcspn(message, "\n");
    Diagnostic *added = diag_add(making->diagnostics, level, making->roster->path, line, 0, "%.*s", length,
                                 text_or(message, ""));
    if (added != NULL && remedy != NULL) added->remedy = remedy + 1;
}

/* The first line's cells, as they are named to whoever looked for another one. */
static const char *list_headers(const Making *making) {
    enum { MOST_NAMED = 12 };
    const CsvRow *first = &making->csv->rows[0];
    Text text = text_new();
    for (size_t i = 0; i < first->count && i < MOST_NAMED; i++) {
        if (i > 0) text_add(&text, ", ");
        text_add(&text, names_visible(making->arena, first->cells[i]));
    }
    if (first->count > MOST_NAMED) text_format(&text, " and %zu more", first->count - MOST_NAMED);
    const char *list = arena_keep(making->arena, &text);
    if (list != NULL) return list;
    return "";
}

static int find_header(const Making *making, const char *words) {
    const CsvRow *first = &making->csv->rows[0];
    for (size_t i = 0; i < first->count; i++) {
        const char *name = names_folded(making->arena, first->cells[i]);
        if (name != NULL && strcmp(name, words) == 0) return (int)i;
    }
    return -1;
}

static void add_more(Columns *columns, int column) {
    for (size_t i = 0; i < columns->more_count; i++)
        if (columns->more[i] == column) return;
    if (columns->more_count < ROSTER_MORE) columns->more[columns->more_count++] = column;
}

static void find_columns(Making *making) {
    Columns *columns = &making->columns;
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        int column = find_header(making, headers[i].words), *taken = &columns->of[headers[i].field];
        if (column < 0) continue;
        if (*taken < 0)
            *taken = column;
        else if (*taken != column && (headers[i].field == ROSTER_ID || headers[i].field == ROSTER_LOGIN))
            add_more(columns, column);
    }
}

/* One "field=Header" of --columns. */
static bool take_column(Making *making, const char *word, size_t length) {
    const char *equals = memchr(word, '=', length);
    size_t name_length = length;
    if (equals != NULL) name_length = (size_t)(equals - word);
    for (int field = 0; equals != NULL && field < ROSTER_FIELD_COUNT; field++) {
        if (strlen(field_names[field]) != name_length || strncmp(field_names[field], word, name_length) != 0)
            continue;
        const char *header = arena_copy(making->arena, equals + 1, length - name_length - 1);
        const char *words = NULL;
        if (header != NULL) words = names_folded(making->arena, header);
        int column = -1;
        if (words != NULL) column = find_header(making, words);
        if (column >= 0) {
            making->columns.of[field] = column;
            return true;
        }
        say(making, DIAG_ERROR, making->csv->rows[0].line, "has no column %s\nits first line names these: %s",
            text_or(header, ""), list_headers(making));
        return false;
    }
    say(making, DIAG_ERROR, 0,
        "%.*s names no column\nwrite id=HEADER, and so on for name, first, last, email, login, section, "
        "folder, role",
        (int)length, word);
    return false;
}

static bool take_columns(Making *making, const char *text) {
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        if (!take_column(making, text, length)) return false;
        text += length + (text[length] == ',');
    }
    return true;
}

/* ---- rows ---- */

/* A Moodle worksheet writes "Participant 123" for what its folders call 123; Brightspace writes "#123", so
 * that a spreadsheet keeps its hands off. */
static const char *without_word(const char *cell) {
    static const char *const words[] = {"Participant ", "#"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (strncasecmp(cell, words[i], length) == 0 && cell[length] != '\0') return cell + length;
    }
    return cell;
}

static const char *cell_of(const CsvRow *row, int column) {
    if (column < 0 || (size_t)column >= row->count || row->cells[column][0] == '\0') return NULL;
    return without_word(row->cells[column]);
}

/* Whoever has no id gets the next best that is his alone. */
static void fill_id(RosterRow *row) {
    static const RosterField instead[] = {ROSTER_LOGIN, ROSTER_EMAIL, ROSTER_NAME};
    for (size_t i = 0; i < sizeof instead / sizeof *instead && row->fields[ROSTER_ID] == NULL; i++)
        row->fields[ROSTER_ID] = row->fields[instead[i]];
}

/* First and last name make a name where the roster has no column for it. */
static RosterRow make_row(const Making *making, const CsvRow *cells) {
    RosterRow row = {.line = cells->line, .cells = cells};
    for (int field = 0; field < ROSTER_FIELD_COUNT; field++)
        row.fields[field] = cell_of(cells, making->columns.of[field]);
    for (size_t i = 0; i < making->columns.more_count; i++)
        row.more[i] = cell_of(cells, making->columns.more[i]);
    const char *first = row.fields[ROSTER_FIRST], *last = row.fields[ROSTER_LAST];
    if (row.fields[ROSTER_NAME] == NULL && first != NULL && last != NULL)
        row.fields[ROSTER_NAME] = arena_format(making->arena, "%s %s", first, last);
    if (row.fields[ROSTER_NAME] == NULL) row.fields[ROSTER_NAME] = last != NULL ? last : first;
    fill_id(&row);
    return row;
}

static const RosterRow *find_twin(const Roster *roster, const char *id) {
    for (size_t i = 0; i < roster->count; i++)
        if (strcasecmp(roster->rows[i].fields[ROSTER_ID], id) == 0) return &roster->rows[i];
    return NULL;
}

/* Canvas puts the points that can be had below the headers, and whom a teacher is in its "Student View" last.
 */
static bool is_no_student(const Making *making, const RosterRow *row) {
    const char *name = row->fields[ROSTER_NAME];
    if (name != NULL && strstr(name, "Points Possible") != NULL) return true;
    if (!making->canvas || name == NULL || strcmp(name, "Student, Test") != 0) return false;
    say(making, DIAG_NOTE, row->line, "is left out: it is Canvas's own student for trying a course");
    return true;
}

/* Gradescope's list of a course has its staff too; nobody wonders what they have handed in. */
static bool is_staff(Making *making, const CsvRow *cells) {
    static const char *const roles[] = {"instructor", "ta", "reader", "teacher", "observer"};
    const char *role = cell_of(cells, making->columns.of[ROSTER_ROLE]);
    for (size_t i = 0; role != NULL && i < sizeof roles / sizeof *roles; i++) {
        if (strcasecmp(role, roles[i]) != 0) continue;
        if (making->staff_count++ > 0) text_add(&making->staff, ", ");
        text_format(&making->staff, "%d", cells->line);
        return true;
    }
    return false;
}

static void tell_of_staff(const Making *making) {
    if (making->staff_count == 1)
        say(making, DIAG_NOTE, 0, "line %s is left out: by its role it is one of the staff",
            making->staff.bytes);
    if (making->staff_count > 1)
        say(making, DIAG_NOTE, 0, "lines %s are left out: by their roles they are the staff",
            making->staff.bytes);
}

/* A line that names nobody, or somebody a second time, is left out and said. */
static void add_row(Making *making, const CsvRow *cells) {
    Roster *roster = making->roster;
    RosterRow row = make_row(making, cells);
    if (is_no_student(making, &row) || is_staff(making, cells)) return;
    const char *id = row.fields[ROSTER_ID];
    if (id == NULL) {
        say(making, DIAG_WARNING, row.line,
            "is left out: nothing in this line says who it is\ngive it an id");
        return;
    }
    const RosterRow *twin = find_twin(roster, id);
    if (twin == NULL) {
        roster->rows[roster->count++] = row;
        return;
    }
    say(making, DIAG_WARNING, row.line,
        "is left out: the id %s is that of line %d as well\ngive each student one line, and an id of their "
        "own",
        names_visible(making->arena, id), twin->line);
}

/* Where two lines share a value that should be one student's, whoever is looked for by it is nobody, from the
 * matching of files to the proxy's header; so it is said before anybody wonders. */
static void tell_shared(const Making *making, RosterField field, const char *what) {
    enum { NAMED = 10 };
    const Roster *roster = making->roster;
    Text lines = text_new();
    size_t shared = 0;
    for (size_t i = 1; i < roster->count; i++) {
        const char *value = roster->rows[i].fields[field];
        size_t twin = 0;
        while (twin < i && (value == NULL || roster->rows[twin].fields[field] == NULL ||
                            strcasecmp(roster->rows[twin].fields[field], value) != 0))
            twin++;
        if (twin == i) continue;
        if (shared++ < NAMED) {
            if (shared > 1) text_add(&lines, ", ");
            text_format(&lines, "%d (as line %d)", roster->rows[i].line, roster->rows[twin].line);
        }
    }
    if (shared > NAMED) text_format(&lines, " and %zu more", shared - NAMED);
    if (shared > 0)
        say(making, DIAG_WARNING, 0,
            "students have the %s of others, by which nobody is found: line %s\ngive each student their own, "
            "or none",
            what, lines.bytes);
    text_free(&lines);
}

/* Spreadsheets of old write the encoding of their system. */
static void check_encoding(const Making *making, const CsvRow *row, bool *told) {
    for (size_t i = 0; i < row->count && !*told; i++) {
        Text text = text_new();
        text_add_utf8(&text, row->cells[i], strlen(row->cells[i]));
        *told = strcmp(text.bytes, row->cells[i]) != 0;
        text_free(&text);
        if (*told)
            say(making, DIAG_WARNING, row->line,
                "is not UTF-8, so names in it are shown with \\x..\nsave it as CSV in UTF-8");
    }
}

/* A roster needs a column that tells students apart; all else may be missing. */
static bool make_rows(Making *making, const char *column_names) {
    if (making->csv->count == 0) {
        say(making, DIAG_ERROR, 1, "is empty\nits first line names the columns, for example: id,name,email");
        return false;
    }
    find_columns(making);
    if (!take_columns(making, column_names)) return false;
    const int *of = making->columns.of;
    if (of[ROSTER_ID] < 0 && of[ROSTER_LOGIN] < 0 && of[ROSTER_EMAIL] < 0) {
        say(making, DIAG_ERROR, making->csv->rows[0].line,
            "has no column that says who a line is about: no id, login or email\nits first line names these: "
            "%s; say which it is: --columns id=HEADER",
            list_headers(making));
        return false;
    }
    making->roster->headers = &making->csv->rows[0];
    making->roster->rows = ARENA_ARRAY(making->arena, making->csv->count, RosterRow);
    making->canvas = find_header(making, "student") == 0 && find_header(making, "id") == 1;
    bool told = false;
    for (size_t i = 1; making->roster->rows != NULL && i < making->csv->count; i++) {
        check_encoding(making, &making->csv->rows[i], &told);
        add_row(making, &making->csv->rows[i]);
    }
    tell_of_staff(making);
    tell_shared(making, ROSTER_EMAIL, "e-mail address");
    tell_shared(making, ROSTER_LOGIN, "login");
    if (making->roster->count > 0) return true;
    say(making, DIAG_ERROR, 0, "lists nobody\nthe lines below the first are the students");
    return false;
}

bool roster_make(Roster *roster, Arena *arena, const char *bytes, size_t length, const char *path,
                 const char *columns, Diagnostics *diagnostics) {
    Csv csv;
    Making making = {.roster = roster, .arena = arena, .csv = &csv, .diagnostics = diagnostics};
    *roster = (Roster){.path = path};
    memset(making.columns.of, -1, sizeof making.columns.of);
    text_init(&making.staff);
    bool fine = csv_read(&csv, arena, bytes, length, path, diagnostics) && make_rows(&making, columns);
    text_free(&making.staff);
    return fine;
}

/* The roster's file, CSV_BYTES of it at most. */
bool roster_read(Roster *roster, Arena *arena, const char *path, const char *columns,
                 Diagnostics *diagnostics) {
    Text text = text_new();
    bool fine = text_read_file(&text, path, CSV_BYTES);
    if (fine) {
        fine = roster_make(roster, arena, text.bytes, text.length, path, columns, diagnostics);
    } else {
        /* What text_read_file says of a folder or a pipe. */
        const char *why = "it is not an ordinary file";
        if (errno != EINVAL) why = strerror(errno);
        advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot be read: %s", why),
               "name the roster, a CSV file");
    }
    text_free(&text);
    return fine;
}

/* ---- whose a submission is ---- */

/* What a search compares: one clue with one kind of value of a row. */
typedef bool RowTest(Arena *arena, const RosterRow *row, const char *clue);

static bool same(const char *value, const char *clue) {
    return value != NULL && strcasecmp(value, clue) == 0;
}

/* One folder, whose name may have a semicolon in it, or several with semicolons between them: of several
 * downloads a student may have as many. */
static bool has_folder(Arena *arena, const RosterRow *row, const char *clue) {
    const char *cell = row->fields[ROSTER_FOLDER];
    const size_t wanted = strlen(clue);
    (void)arena;
    if (cell == NULL || strcmp(cell, clue) == 0) return cell != NULL;
    while (*cell != '\0') {
        cell += strspn(cell, " ;");
        size_t length = strcspn(cell, ";");
        const char *next = cell + length;
        while (length > 0 && cell[length - 1] == ' ')
            length--;
        if (length == wanted && wanted > 0 && strncmp(cell, clue, length) == 0) return true;
        cell = next;
    }
    return false;
}

static bool has_id(Arena *arena, const RosterRow *row, const char *clue) {
    (void)arena;
    if (same(row->fields[ROSTER_ID], clue)) return true;
    for (size_t i = 0; i < ROSTER_MORE; i++)
        if (same(row->more[i], clue)) return true;
    return false;
}

static bool has_email(Arena *arena, const RosterRow *row, const char *clue) {
    (void)arena;
    return same(row->fields[ROSTER_EMAIL], clue);
}

static bool has_login(Arena *arena, const RosterRow *row, const char *clue) {
    (void)arena;
    return same(row->fields[ROSTER_LOGIN], clue);
}

/* "assignment-login": GitHub Classroom's name for a repository. */
static bool ends_in_login(Arena *arena, const RosterRow *row, const char *clue) {
    (void)arena;
    const char *login = row->fields[ROSTER_LOGIN];
    size_t length = login != NULL ? strlen(login) : 0, whole = strlen(clue);
    return length > 0 && whole > length + 1 && clue[whole - length - 1] == '-' && names_end_with(clue, login);
}

static bool has_name(Arena *arena, const RosterRow *row, const char *clue) {
    const char *name = row->fields[ROSTER_NAME];
    const char *own = name != NULL ? names_sorted(arena, name) : NULL, *other = names_sorted(arena, clue);
    return own != NULL && other != NULL && own[0] != '\0' && strcmp(own, other) == 0;
}

static bool has_run(Arena *arena, const RosterRow *row, const char *clue) {
    return row->fields[ROSTER_NAME] != NULL && names_run_of_words(arena, clue, row->fields[ROSTER_NAME]);
}

/* "23304308 Angood", "annlee Ann Lee": an id or a login, and words of that row's name. A word that is
 * somebody's login and the name of somebody else is no key. */
static bool has_key_and_name(Arena *arena, const RosterRow *row, const char *clue) {
    const size_t length = strcspn(clue, " ");
    const char *key = arena_copy(arena, clue, length), *name = row->fields[ROSTER_NAME];
    if (key == NULL || clue[length] == '\0' || name == NULL) return false;
    return (has_id(arena, row, key) || has_login(arena, row, key)) &&
           names_within(arena, clue + length, name);
}

/* The only row that the test finds; -1 when there is none or more than one. */
static long only_row(const Roster *roster, Arena *arena, RowTest *test, const char *clue) {
    long found = -1;
    for (size_t i = 0; clue != NULL && clue[0] != '\0' && i < roster->count; i++) {
        if (!test(arena, &roster->rows[i], clue)) continue;
        if (found >= 0) return -1;
        found = (long)i;
    }
    return found;
}

/* How long the value is that the tail ends in, behind an underscore; 0: it does not end in it. */
static size_t length_in_tail(const char *tail, const char *value) {
    const size_t length = value != NULL ? strlen(value) : 0, whole = strlen(tail);
    if (length == 0 || length > whole || !names_end_with(tail, value)) return 0;
    if (length == whole || tail[whole - length - 1] == '_') return length;
    return 0;
}

/* The row whose login, or id, is the longest that the tail ends in: of `lee` and `ann_lee` the second. */
static long row_of_tail(const Roster *roster, const char *tail) {
    long found = -1;
    size_t longest = 0;
    for (size_t i = 0; tail != NULL && i < roster->count; i++) {
        const RosterRow *row = &roster->rows[i];
        size_t own = length_in_tail(tail, row->fields[ROSTER_LOGIN]);
        for (size_t j = 0; j <= ROSTER_MORE; j++) {
            const char *value;
            if (j < ROSTER_MORE)
                value = row->more[j];
            else
                value = row->fields[ROSTER_ID];
            const size_t length = length_in_tail(tail, value);
            if (length > own) own = length;
        }
        if (own > longest)
            found = (long)i;
        else if (own > 0 && own == longest)
            found = -1;
        if (own > longest) longest = own;
    }
    return found;
}

size_t roster_name_shared(const Roster *roster, const Clues *clues, int lines[2]) {
    const char *folder = clues->folder;
    if (clues->id != NULL || clues->name != NULL || clues->login != NULL) folder = clues->name;
    Arena *scratch = arena_create();
    size_t count = 0;
    for (size_t i = 0; scratch != NULL && i < roster->count; i++) {
        const RosterRow *row = &roster->rows[i];
        const bool same_run = clues->run != NULL && has_run(scratch, row, clues->run);
        if (!same_run && (folder == NULL || !has_name(scratch, row, folder))) continue;
        if (count < 2) lines[count] = row->line;
        count++;
    }
    arena_destroy(scratch);
    return count;
}

/* The order of docs/grading.md. */
RosterMatch roster_find(const Roster *roster, const Clues *clues, size_t *row) {
    /* Where a download knows its students, what the folder is called may be of a student's choice. */
    const bool known = clues->id != NULL || clues->name != NULL || clues->login != NULL;
    const char *folder = known ? NULL : clues->folder;
    const char *login = clues->tail == NULL ? clues->login : NULL;
    /* Brightspace's number is known to no roster, and may be somebody's id by chance. */
    const char *id = clues->name_has_key ? NULL : clues->id;
    const char *keyed = clues->name_has_key ? clues->name : NULL;
    const struct {
        RowTest *test;
        const char *clue;
        RosterMatch match;
    } steps[] = {{has_folder, clues->folder, MATCH_KEY},
                 {has_id, id, MATCH_KEY},
                 {has_email, clues->email, MATCH_KEY},
                 {has_login, login, MATCH_KEY},
                 {has_id, login, MATCH_KEY},
                 {has_key_and_name, keyed, MATCH_KEY},
                 {has_id, folder, MATCH_KEY},
                 {has_email, folder, MATCH_KEY},
                 {has_login, folder, MATCH_KEY},
                 {ends_in_login, folder, MATCH_KEY},
                 {has_name, clues->name, MATCH_NAME},
                 {has_run, clues->run, MATCH_NAME},
                 {has_name, folder, MATCH_NAME}};
    Arena *scratch = arena_create();
    long found = row_of_tail(roster, clues->tail);
    size_t step = 0;
    for (; found < 0 && scratch != NULL && step < sizeof steps / sizeof *steps; step++) {
        found = only_row(roster, scratch, steps[step].test, steps[step].clue);
        if (found >= 0) break;
    }
    arena_destroy(scratch);
    if (found < 0) return MATCH_NONE;
    *row = (size_t)found;
    return steps[step].match;
}
