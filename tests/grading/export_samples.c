/* export_samples.c - writes a class of hostile texts in every format of exports.def: `export_samples FOLDER`.
 * tests/cli/exports.sh reads each file with a reader of its own kind.
 *
 * Everything that a student can choose is hostile here: names, ids, addresses, paths, and the texts in a
 * result. The words that must reach no student are SECRET-something; `HOSTILE` rows come one by one, so that
 * a reader that chokes names the text that did it.
 */
#include "grading/out/exports.h"

#include "base/hash.h"
#include "base/json.h"

#include <stdio.h>
#include <string.h>

/* Bytes, and their number: one of them is NUL. */
typedef struct Hostile {
    const char *name, *bytes;
    size_t length;
} Hostile;

#define HOSTILE(name, bytes)                                                                                 \
    { name, bytes, sizeof(bytes) - 1 }
static const Hostile hostile[] = {
    HOSTILE("plain", "Ann Example"),
    HOSTILE("formula", "=HYPERLINK(\"http://evil.example\",\"x\")"),
    HOSTILE("formula-plus", "+1+cmd|' /C calc'!A0"),
    HOSTILE("formula-after-newline", "fine\n=1+1"),
    HOSTILE("formula-after-quote", "\"=1+1"),
    HOSTILE("formula-after-semicolon", "fine;@SUM(1+1)"),
    HOSTILE("formula-wide", "\xEF\xBC\x9D"
                            "1+1"),
    HOSTILE("formula-tab", "\t=1+1"),
    HOSTILE("formula-return", "\r=1+1"),
    HOSTILE("separators", "a,b;c\td\"e\"\"f'g"),
    HOSTILE("lines", "one\ntwo\r\nthree\rfour"),
    HOSTILE("markup", "<script>alert(1)</script><b a='x' b=\"y\">&amp;&lt;"),
    HOSTILE("cdata", "]]>]]&gt;<![CDATA[x"),
    HOSTILE("comment", "--><!-- <?xml?> <!DOCTYPE a [<!ENTITY b \"c\">]>&b;"),
    HOSTILE("workflow", "\n::set-output name=points::100\n##[error]x\n::stop-commands::t\n%0A::add-mask::x"),
    HOSTILE("markdown",
            "| a | [x](http://evil.example) ![y](z) @everyone #1 `code` <img src=x> **b**\n\n# head"),
    HOSTILE("terminal", "\x1B]0;title\x07\x1B[2J\x1B[31mred\x9B"
                        "31m"),
    HOSTILE("controls", "a\x01\x02\x08\x0B\x0C\x0E\x1F\x7F"
                        "b\xC2\x85\xC2\x9B"
                        "c"),
    HOSTILE("bidi", "a\xE2\x80\xAE"
                    "b\xE2\x81\xA6"
                    "c\xE2\x80\x8F"
                    "d\xD8\x9C"
                    "e\xE2\x80\x8B"
                    "f\xEF\xBB\xBFg"),
    HOSTILE("not-characters", "a\xEF\xBF\xBE"
                              "b\xEF\xBF\xBF"
                              "c\xF3\xA0\x81\xA1"
                              "d"),
    HOSTILE("invalid-utf8", "a\xFF\xC0\x80\xE2\x82"
                            "b\xF5\x80\x80\x80"
                            "c\xC3"),
    HOSTILE("surrogate", "a\xED\xA0\x80"
                         "b\xED\xBF\xBF"
                         "c"),
    HOSTILE("nul", "a\0=b"),
    HOSTILE("json", "\",\"score\":100,\"x\":\"\\u0000\\"),
    HOSTILE("percent", "%s%n%0A%25::error::"),
    HOSTILE("empty", ""),
    HOSTILE("astral", "\xF0\x9F\x92\xA5 \xE6\xBC\xA2\xE5\xAD\x97 \xC3\xA9"),
    HOSTILE("path", "../../etc/passwd"),
};
enum { HOSTILES = sizeof hostile / sizeof *hostile, LESSONS = 4, LONG_TEXT = 300000 };

static const char *const lesson_names[LESSONS] = {"01-vector-add", "07-block-sum-dynamic",
                                                  "08-block-sum-static", "10-any-block-size"};

static void put(struct json_object *object, const char *key, const Hostile *text) {
    json_object_object_add(object, key, json_object_new_string_len(text->bytes, (int)text->length));
}

static void put_word(struct json_object *object, const char *key, const char *word) {
    json_object_object_add(object, key, json_object_new_string(word));
}

static void put_number(struct json_object *object, const char *key, int number) {
    json_object_object_add(object, key, json_object_new_int(number));
}

/* ---- a result ---- */

static struct json_object *case_of(const Hostile *text, const char *verdict, int points) {
    struct json_object *entry = json_object_new_object();
    put(entry, "name", text);
    put_word(entry, "verdict", verdict);
    put_number(entry, "points", points);
    put_number(entry, "max_points", 2);
    put(entry, "message", text);
    return entry;
}

static struct json_object *hidden_case(void) {
    struct json_object *entry = json_object_new_object();
    put_word(entry, "name", "SECRET-NAME n = 12345");
    put_word(entry, "verdict", "wrong-answer");
    put_number(entry, "points", 0);
    put_number(entry, "max_points", 1);
    put_word(entry, "message", "SECRET-MESSAGE is 3 and should be 4");
    put_word(entry, "concept", "CONCEPT a size that is no multiple of the block");
    json_object_object_add(entry, "hidden", json_object_new_boolean(true));
    return entry;
}

static struct json_object *finding_of(const Hostile *text, const char *kind, const char *severity, int line) {
    struct json_object *finding = json_object_new_object();
    put_word(finding, "kind", kind);
    put_word(finding, "severity", severity);
    put(finding, "file", text);
    put_number(finding, "line", line);
    put_number(finding, "column", 9);
    put(finding, "kernel", text);
    put(finding, "message", text);
    put(finding, "explanation", text);
    put_number(finding, "other_line", line + 1);
    put(finding, "other_what", text);
    put_number(finding, "count", 3);
    return finding;
}

static struct json_object *hidden_finding(void) {
    struct json_object *finding = finding_of(&hostile[0], "out-of-bounds", "error", 12345);
    put_word(finding, "kernel", "SECRET-KERNEL");
    put_word(finding, "other_what", "SECRET-OTHER");
    put_number(finding, "other_line", 98765);
    put_word(finding, "message", "SECRET-FINDING reads x[12345]");
    put_word(finding, "explanation", "SECRET-EXPLANATION of 12345");
    put_word(finding, "case", "SECRET-NAME n = 12345");
    return finding;
}

static struct json_object *budget_line(const char *of_case) {
    struct json_object *line = json_object_new_object();
    put_word(line, "what", "barriers");
    put_word(line, "title", "barriers");
    put_word(line, "at_most", "log2(n) + 1");
    put_number(line, "expected", 987654);
    put_number(line, "measured", 987655);
    json_object_object_add(line, "required", json_object_new_boolean(false));
    put_number(line, "points", 0);
    put_number(line, "max_points", 1);
    put_word(line, "case", of_case);
    put_word(line, "why", "fewer will do");
    return line;
}

/* Score 2 of 10: a case of 2 passed, one of 2 failed, one not run, a hidden one, a budget line, and 2 for no
 * mistakes. */
static struct json_object *failed_result(const char *lesson, const Hostile *text) {
    struct json_object *result = json_object_new_object(), *cases = json_object_new_array(),
                       *budget = json_object_new_array(), *findings = json_object_new_array();
    put_word(result, "schema", "warpschool/result/v1");
    put_word(result, "lesson", lesson);
    put_word(result, "verdict", "fail");
    put_number(result, "score", 2);
    put_number(result, "max_score", 10);
    put_word(result, "device", "warpgrind");
    put_word(result, "sandbox", "namespaces+seccomp+limits");
    json_object_object_add(result, "seconds", json_object_new_double(0.25));
    put_number(result, "seed", 424242);
    json_object_array_add(cases, case_of(text, "pass", 2));
    json_object_array_add(cases, case_of(text, "wrong-answer", 0));
    json_object_array_add(cases, case_of(text, "not-run", 0));
    json_object_array_add(cases, hidden_case());
    json_object_array_add(budget, budget_line("SECRET-NAME n = 12345"));
    json_object_array_add(findings, finding_of(text, "shared-race", "error", 14));
    json_object_array_add(findings, hidden_finding());
    json_object_array_add(findings, finding_of(text, "bank-conflict", "note", 15));
    json_object_object_add(result, "cases", cases);
    json_object_object_add(result, "budget", budget);
    json_object_object_add(result, "findings", findings);
    put_word(result, "output", "SECRET-OUTPUT the program printed its input\n");
    put_word(result, "SECRET-MEMBER", "SECRET-VALUE of a member that nobody knows");
    return result;
}

/* One that was measured in a case that everybody may see, and gives no points. */
static struct json_object *free_budget_line(void) {
    struct json_object *line = budget_line(hostile[0].bytes);
    put_number(line, "measured", 12);
    put_number(line, "max_points", 0);
    return line;
}

static struct json_object *passed_result(const char *lesson) {
    struct json_object *result = json_object_new_object(), *cases = json_object_new_array();
    put_word(result, "schema", "warpschool/result/v1");
    put_word(result, "lesson", lesson);
    put_word(result, "verdict", "pass");
    put_number(result, "score", 10);
    put_number(result, "max_score", 10);
    json_object_object_add(result, "seconds", json_object_new_double(0.25));
    json_object_array_add(cases, case_of(&hostile[0], "pass", 2));
    json_object_object_add(result, "cases", cases);
    struct json_object *budget = json_object_new_array();
    json_object_array_add(budget, free_budget_line());
    json_object_object_add(result, "budget", budget);
    json_object_object_add(result, "findings", json_object_new_array());
    return result;
}

/* ---- a class ---- */

/* Lesson 0 failed, 1 passed and late, 2 set by hand or refused, 3 nothing handed in or, in an open class, the
 * grader's fault. */
static void fill_grades(Grade *grades, Arena *arena, const Hostile *text, bool odd, bool open) {
    const char *bytes = arena_copy(arena, text->bytes, text->length);
    for (size_t i = 0; i < LESSONS; i++)
        grades[i] = (Grade){.state = GRADE_DECIDED,
                            .max_score = 10,
                            .max_points = 10,
                            .handed_in = 1772366400,
                            .time_from = "download",
                            .path = bytes,
                            .note = bytes,
                            .attempts = 1};
    grades[0].result = failed_result(lesson_names[0], text);
    grades[0].score = 2;
    grades[0].points = 2;
    grades[1].result = passed_result(lesson_names[1]);
    grades[1].score = 10;
    grades[1].points = 7.5;
    grades[1].late_seconds = 90061;
    grades[1].late_penalty = 0.25;
    grades[2].state = odd ? GRADE_FAULT : GRADE_REFUSED;
    grades[2].fault = odd ? bytes : NULL;
    grades[2].refused = odd ? NULL : bytes;
    grades[2].remedy = odd ? NULL : bytes;
    grades[2].overridden = odd;
    grades[2].points = odd ? 4.125 : 0;
    grades[2].override_reason = odd ? bytes : NULL;
    grades[2].override_author = odd ? bytes : NULL;
    grades[3].state = open ? GRADE_FAULT : GRADE_NOTHING;
    grades[3].fault = open ? bytes : NULL;
    grades[3].attempts = 0;
    if (!open) grades[3].handed_in = 0;
}

static void make_class(Class *class, Arena *arena, bool open) {
    static ClassLesson lessons[LESSONS];
    for (size_t i = 0; i < LESSONS; i++)
        lessons[i] = (ClassLesson){
            .name = lesson_names[i], .title = hostile[i].bytes, .weight = 10, .due = 1772366400};
    *class = (Class){.course = "gpu-2026",
                     .title = hostile[1].bytes,
                     .graded_at = 1772370000,
                     .seed = 424242,
                     .sandbox = "namespaces+seccomp+limits",
                     .lessons = lessons,
                     .lesson_count = LESSONS,
                     .student_count = HOSTILES,
                     .hidden_feedback = true};
    PolicyVolunteer *volunteers = ARENA_ARRAY(arena, HOSTILES, PolicyVolunteer);
    class->volunteers = volunteers;
    class->volunteer_count = HOSTILES;
    class->students = ARENA_ARRAY(arena, HOSTILES, ClassStudent);
    class->grades = ARENA_ARRAY(arena, HOSTILES * LESSONS, Grade);
    for (size_t i = 0; i < HOSTILES; i++) {
        const char *bytes = arena_copy(arena, hostile[i].bytes, hostile[i].length);
        bool named = *bytes != '\0';
        class->students[i] =
            (ClassStudent){.id = arena_format(arena, "%s%zu", bytes, i),
                           .name = named ? bytes : NULL,
                           .email = named ? arena_format(arena, "%s%zu@example.org", bytes, i) : NULL,
                           .login = arena_format(arena, "login%zu%s", i, bytes),
                           .section = bytes};
        volunteers[i] = (PolicyVolunteer){.student = class->students[i].id,
                                          .name = arena_format(arena, "volunteer %zu %s", i, bytes)};
        ClassUnplaced *file = ARENA_NEW(arena, ClassUnplaced);
        *file = (ClassUnplaced){bytes, bytes, bytes};
        GradeRemark *remarks = ARENA_ARRAY(arena, 2, GradeRemark);
        remarks[0] = (GradeRemark){.text = bytes, .author = bytes};
        remarks[1] = (GradeRemark){.item = bytes, .points = -1, .text = bytes, .author = bytes};
        class->students[i].unplaced = file;
        class->students[i].unplaced_count = 1;
        Grade *grades = class->grades + i * LESSONS;
        fill_grades(grades, arena, &hostile[i], i % 2 == 1, open);
        grades[1].remarks = remarks;
        grades[1].remark_count = 2;
        if (open) continue;
        grades[3].unplaced = file;
        grades[3].unplaced_count = 1;
    }
}

/* ---- a gradebook with what was judged ---- */

enum { SOURCE_LINES = 20, LONG_LINE = 14 };

/* Each line is hostile, and the one that findings name is long. */
static void write_source(Text *source) {
    for (int line = 1; line <= SOURCE_LINES; line++) {
        text_format(source,
                    "\t\"line %d\" <b onclick=x>&amp; \x1b[31m \xE2\x80\xAE \xFF %%s | `x` ::error::", line);
        for (int i = 0; line == LONG_LINE && i < 200; i++)
            text_add(source, " long");
        text_add(source, "\n");
    }
}

/* The first lessons of all students were made from this one file. NULL when it could not be made. */
static Gradebook *make_book(Class *class, const char *folder, Arena *arena) {
    static char hash[HASH_HEX];
    Diagnostics diagnostics;
    BookGrading grading;
    Text source;
    const long seed = 424242;
    const BookOrder order = {.versions = "v", .sandbox = "s", .seed = &seed};
    const BookStudent student = {.id = "ann"};
    diag_init(&diagnostics, arena);
    text_init(&source);
    write_source(&source);
    hash_bytes(source.bytes, source.length, hash);
    BookHanded handed = {.student = "ann", .lesson = lesson_names[0], .hash = hash, .path = "ann/01.cu"};
    handed.bytes = source.bytes;
    handed.length = source.length;
    Gradebook *book =
        gradebook_open(arena_format(arena, "%s/book.db", folder), "gpu-2026", GRADEBOOK_WRITE, &diagnostics);
    bool fine = book != NULL && gradebook_begin_grading(book, &order, &grading, arena, &diagnostics) &&
                gradebook_hand_in(book, &grading, &student, 1, &handed, 1, &diagnostics);
    for (size_t i = 0; i < class->student_count; i++)
        class->grades[i * class->lesson_count].hash = hash;
    text_free(&source);
    if (fine) return book;
    gradebook_close(book);
    return NULL;
}

/* ---- files ---- */

/* FOLDER/WHAT.FORMAT, and the diagnostics beside it as FOLDER/WHAT.FORMAT.said; "refused" in the latter when
 * nothing was written. */
static void write_sample(const char *folder, const char *what, const Export *format, const Class *class,
                         Gradebook *book) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    Text out, said;
    text_init(&out);
    text_init(&said);
    diag_init(&diagnostics, arena);
    ExportJob job = {.class = class, .arena = arena, .diagnostics = &diagnostics, .book = book};
    const char *path = arena_format(arena, "%s/%s.%s", folder, what, format->name);
    const char *said_path = arena_format(arena, "%s.said", path);
    bool written = exports_write(format, &job, &out);
    diag_render(&diagnostics, &said, false);
    if (!written) text_add(&said, "refused\n");
    if (written && !text_write_file(path, out.bytes, out.length)) perror(path);
    if (!text_write_file(said_path, said.bytes, said.length)) perror(said_path);
    text_free(&out);
    text_free(&said);
    arena_destroy(arena);
}

static void write_parts(const char *folder, const Export *format, const Class *class, Arena *arena,
                        const char *before, Gradebook *book) {
    for (size_t i = 0; i < class->student_count; i++) {
        Class part;
        const char *what = arena_format(arena, "%s%s", before, hostile[i].name);
        exports_select(&part, arena, class, i, format->scope == EXPORT_ONE ? 0 : EXPORTS_ALL);
        part.title = class->students[i].section;
        write_sample(folder, what, format, &part, book);
    }
}

/* The same class with lessons of 250 points. */
static void write_rich(const char *folder, const Export *format, const Class *class, Arena *arena) {
    Class rich;
    if (!exports_select(&rich, arena, class, EXPORTS_ALL, EXPORTS_ALL)) return;
    for (size_t i = 0; i < rich.student_count * rich.lesson_count; i++) {
        rich.grades[i].points *= 25;
        rich.grades[i].max_points *= 25;
    }
    write_sample(folder, "rich-class", format, &rich, NULL);
}

/* A result with texts that are too long for some targets. */
static void write_long(const char *folder, const Export *format, Arena *arena) {
    char *bytes = arena_alloc(arena, LONG_TEXT + 1);
    memset(bytes, 'x', LONG_TEXT);
    Hostile text = {"long", bytes, LONG_TEXT};
    struct json_object *result = failed_result(lesson_names[0], &text);
    Class class;
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    if (exports_class_of(&class, arena, &result, 1, &diagnostics))
        write_sample(folder, "long", format, &class, NULL);
    json_object_put(result);
}

static void put_results(Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        json_object_put(class->grades[i].result);
}

int main(int argc, char **argv) {
    Arena *arena = arena_create();
    Class closed, open, discreet;
    if (argc != 2 || arena == NULL) return 2;
    make_class(&closed, arena, false);
    make_class(&open, arena, true);
    Gradebook *book = make_book(&closed, argv[1], arena);
    if (book == NULL) return 3;
    discreet = closed;
    discreet.hidden_feedback = false;
    for (const Export *format = exports_table; format->name != NULL; format++) {
        bool whole = format->scope == EXPORT_CLASS;
        if (whole) write_sample(argv[1], "class", format, &closed, NULL);
        if (whole) write_sample(argv[1], "open-class", format, &open, NULL);
        if (whole) write_rich(argv[1], format, &closed, arena);
        if (!whole) write_parts(argv[1], format, &closed, arena, "", book);
        if (!whole) write_parts(argv[1], format, &open, arena, "open-", NULL);
        if (!whole) write_parts(argv[1], format, &discreet, arena, "discreet-", book);
        if (!whole) write_long(argv[1], format, arena);
    }
    gradebook_close(book);
    put_results(&closed);
    put_results(&open);
    arena_destroy(arena);
    return 0;
}
