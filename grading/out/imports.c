/* imports.c - the class as the gradebooks of Blackboard, Brightspace and Sakai import it: columns that say
 * who a line is about, then one or two for each assignment.
 *
 * A column about people that the roster has under the system's own name is written back unchanged. An empty
 * cell is no score in each of the three. What they want is in their manuals, and in ImportGradesHelper.java
 * of Sakai.
 */
#include "grading/out/assignments.h"
#include "grading/out/cells.h"
#include "grading/out/named.h"

#include "base/escape.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

/* What a column about people holds, where the roster does not say. */
typedef enum Fact { FACT_LAST, FACT_FIRST, FACT_NAME, FACT_LOGIN, FACT_ID, FACT_LOGIN_OR_ID } Fact;

typedef struct PersonColumn {
    const char *header;
    Fact fact;
    bool finds; /* students are found by it */
} PersonColumn;

/* The headers of the roster's columns, each once: of a system's own download they have its assignments. */
typedef struct Headers {
    const char **items;
    size_t count;
} Headers;

/* What one system wants. */
typedef struct Import {
    const char *system;
    ColumnSystem column;
    PersonColumn people[4];
    size_t people_count;
    void (*head)(const ExportJob *job, size_t lesson, const char *known, Text *out); /* of an assignment */
    const char *tail;   /* follows an assignment's name in a header of the system's own */
    const char *number; /* also stands there, in a column that can be told from others; NULL: nothing does */
    const char *worth;  /* before its points there; NULL: no header tells them */
    bool remarks;       /* a second column for each has them */
    bool comments;      /* four more have them, of a file with one assignment */
    bool backslashes;   /* quote what follows, so they are doubled */
    const char *last_header, *last; /* of a column that ends each line; NULL: none */
} Import;

/* ---- the roster's headers ---- */

static bool has_header(const Headers *headers, const char *header) {
    for (size_t i = 0; i < headers->count; i++)
        if (strcmp(headers->items[i], header) == 0) return true;
    return false;
}

/* Of all lines, as they may come from several rosters. */
static Headers read_headers(const ExportJob *job) {
    enum { MOST_HEADERS = 1000 }; /* a wider table than any course's */
    Headers headers = {.items = ARENA_ARRAY(job->arena, MOST_HEADERS, const char *)};
    for (size_t i = 0; headers.items != NULL && i < job->class->student_count; i++) {
        struct json_object *line = cells_line_of(job, &job->class->students[i]);
        size_t width = json_length(line);
        for (size_t j = 0; j < width && headers.count < MOST_HEADERS; j++) {
            const char *header = cells_line_text(line, j, 0);
            if (has_header(&headers, header)) continue;
            const char *kept = arena_string(job->arena, header);
            if (kept != NULL) headers.items[headers.count++] = kept;
        }
        json_object_put(line);
    }
    return headers;
}

/* The header under which the system has the assignment already; NULL: none is known. A name that a teacher
 * copied from there is one by itself. */
static const char *known_header(const Import *import, const Headers *headers, const char *name) {
    if (import->tail == NULL || strstr(name, import->tail) != NULL) return name;
    const size_t length = strlen(name);
    for (size_t i = 0; i < headers->count; i++) {
        const char *header = headers->items[i];
        if (strncmp(header, name, length) == 0 && text_starts_with(header + length, import->tail) &&
            (import->number == NULL || strstr(header, import->number) != NULL))
            return header;
    }
    return NULL;
}

/* What the assignment is worth in the system, as "[Total Pts: 10 Score]" or "<Numeric MaxPoints:10>" say; 0:
 * nothing says it. */
static double worth_there(const Import *import, const char *header) {
    const char *word = NULL;
    if (import->worth != NULL && header != NULL) word = strstr(header, import->worth);
    char *end;
    if (word == NULL) return 0;
    const double points = strtod(word + strlen(import->worth), &end);
    if (strchr(" >]", *end) != NULL && points > 0) return points;
    return 0;
}

/* A system takes the points as they are and divides them by its own: 9 of 10 become 9 of 20. What a lesson
 * without a weight is worth is not known before something was judged. */
static void compare_worth(const Import *import, const ExportJob *job, size_t lesson, const char *header) {
    const double there = worth_there(import, header), here = assignments_most(job->class, lesson);
    Text words = text_new();
    if (there <= 0 || here <= 0 || fabs(there - here) < 0.005) return;
    text_format(&words, "%s has ", import->system);
    out_number(&words, there);
    text_format(&words, " points for its column `%s`, and the course has ", header);
    out_number(&words, here);
    text_format(&words, ": the grades will be other shares there");
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0, "%s", words.bytes),
           "make both the same before the import: in course.yaml by `weight`, or there by its points");
    text_free(&words);
}

/* ---- assignments ---- */

/* "03-sum [Total Pts: 10 Score] |4711": a column that Blackboard has already is known by its number, and any
 * other becomes a new one, of text. */
static void blackboard_head(const ExportJob *job, size_t lesson, const char *known, Text *out) {
    cells_text(out, known != NULL ? known : job->class->lessons[lesson].name);
}

/* A name that was copied from Brightspace's own download ends as it should. */
static void brightspace_head(const ExportJob *job, size_t lesson, const char *known, Text *out) {
    static const char tail[] = " Points Grade";
    (void)known;
    const char *name = job->class->lessons[lesson].name, *end = strstr(name, tail);
    const int length = (int)(end != NULL ? (size_t)(end - name) : strlen(name));
    cells_text(out, arena_format(job->arena, "%.*s%s", length, name, tail));
}

/* "Lab 3 [10]" and "* Lab 3": what stands in brackets is what it is worth, with two decimals at most. Sakai
 * takes that from the file, and asks. */
static void sakai_head(const ExportJob *job, size_t lesson, const char *known, Text *out) {
    (void)known;
    const char *name = job->class->lessons[lesson].name;
    const size_t skipped = strspn(name, "#*[ ");
    size_t length = strcspn(name + skipped, "[");
    while (length > 0 && name[skipped + length - 1] == ' ')
        length--;
    Text head = text_new();
    text_format(&head, "%.*s [", (int)length, name + skipped);
    out_number(&head, round(assignments_most(job->class, lesson) * 100) / 100);
    text_add(&head, "]");
    cells_text(out, head.bytes);
    text_free(&head);
    cells_text(out, arena_format(job->arena, "* %.*s", (int)length, name + skipped));
}

static const Import blackboard = {.system = "Blackboard",
                                  .column = COLUMN_BLACKBOARD,
                                  .people = {{"Last Name", FACT_LAST, false},
                                             {"First Name", FACT_FIRST, false},
                                             {"Username", FACT_LOGIN, true},
                                             {"Student ID", FACT_ID, false}},
                                  .people_count = 4,
                                  .head = blackboard_head,
                                  .tail = " [",
                                  .number = "|",
                                  .worth = "Total Pts: ",
                                  .comments = true};
static const Import brightspace = {
    .system = "Brightspace",
    .column = COLUMN_BRIGHTSPACE,
    .people = {{"OrgDefinedId", FACT_ID, true}, {"Username", FACT_LOGIN, true}},
    .people_count = 2,
    .head = brightspace_head,
    .tail = " Points Grade",
    .worth = "MaxPoints:",
    .last_header = "End-of-Line Indicator",
    .last = "#"};
static const Import sakai = {
    .system = "Sakai",
    .column = COLUMN_SAKAI,
    .people = {{"Student ID", FACT_LOGIN_OR_ID, true}, {"Student Name", FACT_NAME, false}},
    .people_count = 2,
    .head = sakai_head,
    .remarks = true,
    .backslashes = true};

/* ---- people ---- */

/* An id that is but the login is no number of the university's. */
static const char *fact_of(const ClassStudent *student, Arena *arena, Fact fact) {
    const bool by_login = student->login != NULL && strcmp(student->login, student->id) == 0;
    const char *first, *last;
    cells_split_name(student->name, arena, &first, &last);
    switch (fact) {
    case FACT_LAST:
        return last;
    case FACT_FIRST:
        return first;
    case FACT_NAME:
        return text_or(student->name, "");
    case FACT_LOGIN:
        return text_or(student->login, "");
    case FACT_ID:
        if (by_login) return "";
        return student->id;
    case FACT_LOGIN_OR_ID:
        if (cells_has(student->login)) return student->login;
        return student->id;
    }
    BUG("fact %d", (int)fact);
}

static const char *person_cell(const ExportJob *job, const ClassStudent *student, struct json_object *line,
                               const PersonColumn *column) {
    const long kept = cells_find_column(line, column->header);
    if (kept >= 0) return cells_line_text(line, (size_t)kept, 1);
    return fact_of(student, job->arena, column->fact);
}

/* ---- lines ---- */

/* `text` as the system reads it. */
static void add_cell(const Import *import, const char *text, Text *out) {
    Text doubled = text_new();
    if (!import->backslashes || strchr(text, '\\') == NULL) {
        escape_cell(out, text);
        return;
    }
    for (; *text != '\0'; text++)
        text_format(&doubled, *text == '\\' ? "\\%c" : "%c", *text);
    escape_cell(out, doubled.bytes);
    text_free(&doubled);
}

static void add_grade(const Import *import, const Grade *grade, Text *out) {
    Text remarks;
    text_add(out, ",");
    if (class_is_decided(grade)) out_number(out, grade->points);
    if (!import->remarks) return;
    text_init(&remarks);
    cells_add_remarks(&remarks, grade);
    text_add(out, ",");
    add_cell(import, text_or(remarks.bytes, ""), out);
    text_free(&remarks);
}

/* What Blackboard puts after the one column that it downloads with its comments, and reads back so. */
static const char *const comment_headers[] = {"Grading Notes", "Notes Format", "Feedback to Learner",
                                              "Feedback Format"};

static bool has_comments(const Import *import, const ExportJob *job) {
    return import->comments && job->class->lesson_count == 1;
}

/* The remarks as HTML in which nothing but text stands; the notes for teachers stay empty. */
static void add_comment(const Grade *grade, Text *out) {
    Text words = text_new(), html = text_new();
    cells_add_remarks(&words, grade);
    escape_add(&html, ESCAPE_HTML, text_or(words.bytes, ""));
    const char *const cells[] = {"", "HTML", text_or(html.bytes, ""), "HTML"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cells_text(out, cells[i]);
    text_free(&words);
    text_free(&html);
}

/* A line without what the system finds students by would be nobody's, or somebody else's. */
static bool is_found(const Import *import, const ExportJob *job, const ClassStudent *student,
                     struct json_object *line) {
    for (size_t i = 0; i < import->people_count; i++)
        if (import->people[i].finds && *person_cell(job, student, line, &import->people[i]) != '\0')
            return true;
    return false;
}

static void tell_left_out(const Import *import, const ExportJob *job, const Named *named) {
    size_t key = 0;
    if (named->count == 0) return;
    while (!import->people[key].finds)
        key++;
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "%s: %s finds students by %s, which is not known",
                    named_words(named, job->arena, "is left out", "are left out"), import->system,
                    import->people[key].header),
           "complete the roster; a folder that matches none of its lines has no more than a name");
}

/* Whether the roster is the system's own: it has everybody whom the system knows, under what it finds them
 * by. */
static bool is_own_roster(const Import *import, const Headers *headers) {
    for (size_t i = 0; i < import->people_count; i++)
        if (import->people[i].finds && has_header(headers, import->people[i].header)) return true;
    return false;
}

/* One line, with nothing in it that the system would take for somebody else. */
static void add_student(const Import *import, const ExportJob *job, size_t at, Text *out, Named *left_out) {
    const ClassStudent *student = &job->class->students[at];
    struct json_object *line = cells_line_of(job, student);
    const bool found = is_found(import, job, student, line);
    if (!found) named_add(left_out, student);
    for (size_t i = 0; found && i < import->people_count; i++) {
        if (i > 0) text_add(out, ",");
        add_cell(import, person_cell(job, student, line, &import->people[i]), out);
    }
    for (size_t j = 0; found && j < job->class->lesson_count; j++)
        add_grade(import, class_grade(job->class, at, j), out);
    if (found && has_comments(import, job)) add_comment(class_grade(job->class, at, 0), out);
    if (found && import->last != NULL) text_format(out, ",%s", import->last);
    if (found) text_add(out, "\n");
    json_object_put(line);
}

/* Headers first, with what is to be said of them; then a line for each student whom the system can find. */
static bool write_import(const Import *import, const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, import->column)) return false;
    for (size_t i = 0; i < import->people_count; i++) {
        if (i > 0) text_add(out, ",");
        escape_cell(out, import->people[i].header);
    }
    const Headers headers = read_headers(job);
    for (size_t j = 0; j < job->class->lesson_count; j++) {
        const char *known = known_header(import, &headers, job->class->lessons[j].name);
        compare_worth(import, job, j, known);
        import->head(job, j, known, out);
    }
    for (size_t i = 0; has_comments(import, job) && i < sizeof comment_headers / sizeof *comment_headers; i++)
        cells_text(out, comment_headers[i]);
    if (import->last_header != NULL) cells_text(out, import->last_header);
    text_add(out, "\n");
    if (!import->remarks && !has_comments(import, job)) cells_warn_of_unplaced(job, import->system);
    Named left_out = {.count = 0}, strangers = {.count = 0};
    const bool own = is_own_roster(import, &headers);
    for (size_t i = 0; i < job->class->student_count; i++)
        if (own && job->class->students[i].line == NULL)
            named_add(&strangers, &job->class->students[i]);
        else
            add_student(import, job, i, out, &left_out);
    tell_left_out(import, job, &left_out);
    cells_warn_of_strangers(job, import->system, &strangers);
    return true;
}

bool export_blackboard(const ExportJob *job, Text *out) {
    return write_import(&blackboard, job, out);
}

bool export_brightspace(const ExportJob *job, Text *out) {
    return write_import(&brightspace, job, out);
}

bool export_sakai(const ExportJob *job, Text *out) {
    return write_import(&sakai, job, out);
}
