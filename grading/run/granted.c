/* granted.c - the command `extensions`: dates that another system granted, as lines of course.yaml. The rules
 * stay one text, which the gradebook keeps: nothing is read from the other system's file when grades are
 * made.
 */
#include "grading/commands.h"

#include "grading/book/policy.h"
#include "grading/intake/names.h"
#include "grading/intake/roster.h"

#include <string.h>
#include <time.h>

/* What a row can say of an extension. */
typedef enum GrantedField {
    GRANTED_DUE,
    GRANTED_STATUS,
    GRANTED_LESSON,
    GRANTED_REASON,
    GRANTED_FIELDS
} GrantedField;

/* How systems call the columns, as in roster.def. */
static const struct {
    GrantedField field;
    const char *words;
} headers[] = {
    {GRANTED_DUE, "due"},       {GRANTED_DUE, "duedate"},    {GRANTED_DUE, "newduedate"},
    {GRANTED_DUE, "until"},     {GRANTED_DUE, "extendedto"}, {GRANTED_DUE, "extension"},
    {GRANTED_STATUS, "status"}, {GRANTED_LESSON, "lesson"},  {GRANTED_LESSON, "assignment"},
    {GRANTED_REASON, "reason"}, {GRANTED_REASON, "comment"}, {GRANTED_REASON, "note"},
};

/* The words of `warpschool extensions`, and the file that they name. */
typedef struct Granted {
    const char *lesson, *zone, *reason;
    Course course;
    Roster rows;
    int columns[GRANTED_FIELDS]; /* -1: none */
    size_t count;
    Text out;
} Granted;

static void find_columns(Granted *granted, Arena *arena) {
    memset(granted->columns, -1, sizeof granted->columns);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (size_t column = 0; column < granted->rows.headers->count; column++) {
            const char *name = names_folded(arena, granted->rows.headers->cells[column]);
            int *found = &granted->columns[headers[i].field];
            if (*found < 0 && name != NULL && strcmp(name, headers[i].words) == 0) *found = (int)column;
        }
}

static const char *cell(const Granted *granted, const RosterRow *row, GrantedField field) {
    const int column = granted->columns[field];
    if (column < 0 || (size_t)column >= row->cells->count) return "";
    return row->cells->cells[column];
}

/* Moodle writes a grant into its worksheet's status, after what was handed in. */
static const char *find_date(const Granted *granted, const RosterRow *row) {
    static const char moodle[] = "Extension granted until: ";
    const char *due = cell(granted, row, GRANTED_DUE);
    const char *status = strstr(cell(granted, row, GRANTED_STATUS), moodle);
    if (*due != '\0' || status == NULL) return due;
    return status + strlen(moodle);
}

/* A date as people and systems write it; *rest is what stands behind it, which may be its zone. */
static bool read_clock(const char *text, struct tm *at, const char **rest) {
    static const char *const forms[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",      "%Y-%m-%d %H:%M",
                                        "%Y-%m-%dT%H:%M",    "%A, %d %B %Y, %I:%M %p", "%d %B %Y, %I:%M %p"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        *at = (struct tm){0};
        *rest = strptime(text, forms[i], at);
        if (*rest != NULL) return true;
    }
    return false;
}

/* The date as course.yaml has it, its zone from the file or else from --zone; NULL with what is wrong. */
static const char *write_date(const Granted *granted, Arena *arena, const char *text, const char **wrong) {
    struct tm at;
    const char *rest;
    int64_t moment;
    *wrong = "this is no date that can be read";
    if (!read_clock(text, &at, &rest)) return NULL;
    const char *zone = rest + strspn(rest, " ");
    if (*zone == '\0') zone = granted->zone;
    if (zone == NULL) {
        *wrong = "the date has no zone";
        return NULL;
    }
    const char *date = arena_format(arena, "%04d-%02d-%02d %02d:%02d %s", at.tm_year + 1900, at.tm_mon + 1,
                                    at.tm_mday, at.tm_hour, at.tm_min, zone);
    if (date != NULL && policy_moment(date, &moment)) return date;
    return NULL;
}

/* In double quotes, where YAML reads back the \xNN that stand for what is not plain. */
static void put_quoted(Text *out, Arena *arena, const char *key, const char *value) {
    const char *plain = names_visible(arena, value);
    text_format(out, "%s: \"", key);
    for (; plain != NULL && *plain != '\0'; plain++) {
        if (*plain == '"')
            text_add(out, "\\x22");
        else
            text_append(out, plain, 1);
    }
    text_add(out, "\"");
}

/* By what tells a student in any download: Moodle numbers its students anew for each assignment. */
static const char *find_student(const RosterRow *row) {
    static const RosterField fields[] = {ROSTER_EMAIL, ROSTER_LOGIN, ROSTER_ID};
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof fields / sizeof *fields; i++)
        found = row->fields[fields[i]];
    return found;
}

static bool complain(const Granted *granted, Session *session, const RosterRow *row, const char *message,
                     const char *remedy) {
    return advise(
        diag_add(&session->diagnostics, DIAG_ERROR, granted->rows.path, row->line, 0, "%s", message), remedy);
}

/* The lesson of the row, else the one of --lesson. */
static const Lesson *find_lesson(const Granted *granted, Session *session, const RosterRow *row) {
    const char *name = cell(granted, row, GRANTED_LESSON);
    if (*name == '\0') name = granted->lesson;
    if (name != NULL) return lessons_find(&granted->course, name, &session->diagnostics);
    complain(granted, session, row, "no column says which lesson the date is for", "name it: --lesson 07");
    return NULL;
}

/* The line of a row, where it has an extension. */
static bool add_row(Granted *granted, Session *session, const RosterRow *row) {
    const char *text = find_date(granted, row), *wrong;
    if (*text == '\0') return true;
    const Lesson *lesson = find_lesson(granted, session, row);
    if (lesson == NULL) return false;
    const char *date = write_date(granted, session->arena, text, &wrong);
    if (date == NULL)
        return complain(granted, session, row,
                        arena_format(session->arena, "%s: %s", wrong, names_visible(session->arena, text)),
                        "write dates like 2026-11-25 23:59 +01:00; for dates without a zone, give "
                        "that of the other system: --zone +01:00");
    const char *reason = cell(granted, row, GRANTED_REASON);
    if (*reason == '\0') reason = granted->reason;
    text_add(&granted->out, "  - {");
    put_quoted(&granted->out, session->arena, "student", find_student(row));
    text_format(&granted->out, ", lesson: %s, due: %s, ", lesson->name, date);
    put_quoted(&granted->out, session->arena, "reason", reason);
    text_add(&granted->out, "}\n");
    granted->count++;
    return true;
}

/* All that is wrong with the file is said at once, and then nothing is written. */
static bool write_rows(Granted *granted, Session *session) {
    bool fine = true;
    find_columns(granted, session->arena);
    for (size_t i = 0; i < granted->rows.count; i++)
        fine = add_row(granted, session, &granted->rows.rows[i]) && fine;
    if (fine && granted->count == 0)
        fine = advise(
            diag_add(&session->diagnostics, DIAG_ERROR, granted->rows.path, 0, 0, "no row has an extension"),
            "its column is called `due` or `extension`, or it is Moodle's `Status`, in English");
    return fine;
}

/* `warpschool extensions FILE`: to be put below `extensions:` of course.yaml. */
int extensions_run(Session *session, int argc, char **argv) {
    Granted granted = {.reason = "granted"};
    const Option options[] = {
        {OPTION_STRING, 0, "lesson", "LESSON", "which lesson the dates are for, if no column says so",
         &granted.lesson},
        {OPTION_STRING, 0, "zone", "+HH:MM", "the zone of dates that have none", &granted.zone},
        {OPTION_STRING, 0, "reason", "TEXT", "why, for rows without a reason (granted)", &granted.reason},
        {.kind = OPTION_END},
    };
    const int first = commands_parse(session, options, argc, argv, 1, 1);
    if (first < 0) return EXIT_USAGE;
    text_init(&granted.out);
    if (commands_load_course(session, &granted.course) &&
        roster_read(&granted.rows, session->arena, argv[first], NULL, &session->diagnostics) &&
        write_rows(&granted, session)) {
        commands_write(&granted.out);
        return EXIT_FINE;
    }
    text_free(&granted.out);
    return diag_status(&session->diagnostics);
}
