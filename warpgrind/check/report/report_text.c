/* report_text.c - the report for people: what, where with the source line, and what to do.
 *
 *     error: shared-race: threads 5 and 69 of block 0 access temp[69] with no barrier between them
 *       --> block_sum.cu:14:9  thread 69 writes
 *        14 |     temp[tid] += temp[tid + d];
 *
 * Everything that comes from the program is made visible before it reaches a terminal.
 */
#include "check/findings/parts.h"
#include "check/texts.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_SOURCE = 1 << 20, WRAP_COLUMN = 92 };

typedef struct Report {
    Text *out;
    const Log *log;
    bool colour, full;                            /**< full: every finding with all its lines */
    const CheckFinding *list[CHECK_MAX_FINDINGS]; /**< in the order in which they are told */
    unsigned count;
    const char *source_name; /**< of the file read last */
    Text source;
    bool source_read;
} Report;

static void paint(Report *report, const char *code) {
    if (report->colour) text_format(report->out, "\033[%sm", code);
}

static void visible(Report *report, const char *text) {
    text_add_visible(report->out, text, strlen(text));
}

static void load_source(Report *report, const char *file) {
    if (report->source_name && strcmp(report->source_name, file) == 0) return;
    text_clear(&report->source);
    report->source_name = file;
    report->source_read = text_read_file(&report->source, file, MAX_SOURCE);
}

/* The line without its end; NULL when the file cannot be read or has fewer lines. */
static const char *source_line(Report *report, const CheckPlace *place, size_t *length) {
    if (!place->file || !place->file[0] || place->line <= 0) return NULL;
    load_source(report, place->file);
    if (!report->source_read) return NULL;
    const char *at = report->source.bytes;
    for (int line = 1; line < place->line; line++) {
        at = strchr(at, '\n');
        if (!at) return NULL;
        at++;
    }
    *length = strcspn(at, "\r\n");
    if (*at || *length) return at;
    return NULL;
}

static void write_source(Report *report, const CheckPlace *place) {
    size_t length = 0;
    const char *line = source_line(report, place, &length);
    if (!line) return;
    text_format(report->out, "%6d | ", place->line);
    text_add_visible(report->out, line, length);
    text_add(report->out, "\n");
}

static void write_place(Report *report, const CheckPlace *place) {
    paint(report, "36");
    text_add(report->out, "  --> ");
    if (place->file && place->file[0])
        visible(report, place->file);
    else
        say_report(report->out, REPORT_NO_FILE, &(ReportFacts){0});
    if (place->line > 0) text_format(report->out, ":%d", place->line);
    if (place->line > 0 && place->column > 0) text_format(report->out, ":%d", place->column);
    paint(report, "0");
}

/* Findings say what a party does in one word, which programs read; people get a verb. A word from a report of
 * another version stays as it is. */
static const char *verb(const char *what) {
    static const struct {
        const char *what;
        DeedText text;
    } deeds[] = {{"read", DEED_READ},     {"write", DEED_WRITE},   {"atomic", DEED_ATOMIC},
                 {"wait", DEED_WAIT},     {"loop", DEED_LOOP},     {"sync", DEED_SYNC},
                 {"free", DEED_FREE},     {"branch", DEED_BRANCH}, {"use", DEED_USE},
                 {"copy", DEED_COPY},     {"assert", DEED_STOP},   {"trap", DEED_STOP},
                 {"launch", DEED_LAUNCH}, {"child", DEED_CHILD},   {"division", DEED_DIVIDE},
                 {"shift", DEED_SHIFT},   {"run", DEED_RUN},       {"call", DEED_CALL}};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (strcmp(deeds[i].what, what) == 0) return plain_deed(deeds[i].text);
    return what;
}

/** As many coordinates as the launch has dimensions; all three when nobody remembers the launch. */
static void write_thread(Report *report, const CheckParty *party, uint32_t launch) {
    const GpuDim any = {2, 2, 2};
    GpuDim grid = any, block = any;
    for (unsigned i = 0; i < report->log->launch_count; i++) {
        if (report->log->launches[i].id != launch) continue;
        grid = report->log->launches[i].grid;
        block = report->log->launches[i].block;
    }
    const WhoFacts facts = {.thread = {party->thread, block}, .block = {party->block, grid}};
    say_who(report->out, WHO_THREAD, &facts);
    text_add(report->out, " ");
}

static void write_party(Report *report, const CheckParty *party, uint32_t launch) {
    if (party->place.line <= 0 && !party->has_thread) return;
    write_place(report, &party->place);
    text_add(report->out, "  ");
    if (party->has_thread) write_thread(report, party, launch);
    if (party->what) text_add(report->out, verb(party->what));
    while (report->out->length && report->out->bytes[report->out->length - 1] == ' ')
        report->out->bytes[--report->out->length] = '\0';
    text_add(report->out, "\n");
    write_source(report, &party->place);
}

/* Words of one paragraph, broken at WRAP_COLUMN, each line indented. */
static void write_advice(Report *report, const char *text) {
    size_t before = report->out->length;
    text_add(report->out, "  ");
    say_report(report->out, REPORT_ADVICE, &(ReportFacts){0});
    size_t column = report->out->length - before;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column + 1 + length > WRAP_COLUMN) {
            text_add(report->out, "\n   ");
            column = 3;
        }
        text_add(report->out, " ");
        text_add_visible(report->out, text, length);
        column += 1 + length;
        text += length;
        text += strspn(text, " \n");
    }
    text_add(report->out, "\n");
}

static void write_array(Report *report, const CheckArray *array) {
    if (!array->name || !array->space) return;
    text_add(report->out, "  ");
    const NamedFacts facts = {.name = array->name,
                              .space = array->space,
                              .elements = array->length,
                              .bytes = array->element_bytes,
                              .from = {array->declared, NULL}};
    say_named(report->out, NAMED_ARRAY, &facts);
    text_add(report->out, "\n");
}

/* The launch whose kernel launched this one; 0: the host did. */
static uint32_t parent_of(const Report *report, uint32_t launch) {
    for (unsigned i = 0; i < report->log->launch_count; i++)
        if (report->log->launches[i].id == launch && report->log->launches[i].parent)
            return report->log->launches[i].parent;
    return 0;
}

/* A template of a library's, whose arguments would fill the screen, without them. */
static const char *short_name(const char *kernel, Text *name) {
    enum { LONG = 100 };
    if (!kernel || strlen(kernel) <= LONG || !strchr(kernel, '<')) return kernel;
    text_format(name, "%.*s<...>", (int)strcspn(kernel, "<"), kernel);
    return text_or(name->bytes, kernel);
}

/* "  in kernel k, launch 1, case 02, on rank 3" */
static void write_when(Report *report, const CheckFinding *finding) {
    if (!finding->kernel && !finding->mark[0] && !finding->who) return;
    Text name = text_new();
    uint32_t parent = parent_of(report, finding->launch);
    const MomentFacts facts = {.launched = finding->launch != 0,
                               .child = parent != 0,
                               .kernel = short_name(finding->kernel, &name),
                               .launch = finding->launch,
                               .parent = parent,
                               .mark = finding->mark,
                               .who = finding->who};
    text_add(report->out, "  ");
    say_moment(report->out, MOMENT_WHEN, &facts);
    text_add(report->out, "\n");
    text_free(&name);
}

/* What to do about a finding that leads is told with its cause, which stands next. */
static void write_what_to_do(Report *report, const CheckFinding *finding) {
    const bool leads = report->list[0] == finding && finding->cause;
    if (leads) {
        text_add(report->out, "  ");
        say_report(report->out, REPORT_CAUSE,
                   &(ReportFacts){.kind = finding_info(finding->cause->kind)->name});
        text_add(report->out, "\n");
    }
    if (finding->explanation[0] && (!leads || report->full)) write_advice(report, finding->explanation);
}

/* One finding in full. Whatever comes from the program passes through text_add_visible: a name may hold
 * what a terminal obeys. */
static void write_finding(Report *report, const CheckFinding *finding) {
    const ReportFacts facts = {.error = finding->severity == FINDING_ERROR,
                               .kind = finding_info(finding->kind)->name,
                               .again = finding->count - 1};
    paint(report, facts.error ? "1;31" : "1;33");
    say_report(report->out, REPORT_KIND, &facts);
    paint(report, "0");
    text_add(report->out, ": ");
    paint(report, "1");
    visible(report, finding->message);
    paint(report, "0");
    text_add(report->out, "\n");
    write_party(report, &finding->party, finding->launch);
    write_party(report, &finding->other, finding->launch);
    write_array(report, &finding->array);
    write_what_to_do(report, finding);
    write_when(report, finding);
    if (finding->count > 1) {
        text_add(report->out, "  ");
        say_report(report->out, REPORT_AGAIN, &facts);
        text_add(report->out, "\n");
    }
    text_add(report->out, "\n");
}

/* ---- a report fits on a screen ---- */

/* SUM_LINES: the sums, the pointer to explain, and perhaps a word on missing line numbers. REST_LINES: the
 * heading of what is told briefly, the count of what is not told, and the empty line after them. */
enum { SCREEN_LINES = 30, SUM_LINES = 3, REST_LINES = 3, BRIEF_COLUMNS = 100 };

static unsigned lines_of(const Text *text) {
    unsigned lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* Findings that follow from another are told briefly, and those for which the screen has no room. */
static bool fits(Report *report, unsigned index) {
    const CheckFinding *finding = report->list[index];
    const bool last = index + 1 == report->count;
    if (index == 0 || report->full) return true;
    if (finding->cause) return false;
    Text one, *all = report->out;
    text_init(&one);
    report->out = &one;
    write_finding(report, finding);
    unsigned behind = SUM_LINES;
    if (!last) behind = REST_LINES + 1 + SUM_LINES;
    bool fits = lines_of(all) + lines_of(&one) + behind <= SCREEN_LINES;
    report->out = all;
    text_free(&one);
    return fits;
}

/* One line, cut at BRIEF_COLUMNS. */
static void write_brief(Report *report, const CheckFinding *finding) {
    Text line;
    text_init(&line);
    const ReportFacts facts = {.error = finding->severity == FINDING_ERROR,
                               .kind = finding_info(finding->kind)->name,
                               .known = finding->party.place.line > 0,
                               .line = finding->party.place.line,
                               .who = finding->who,
                               .message = finding->message};
    text_add(&line, "  ");
    say_report(&line, REPORT_BRIEF, &facts);
    bool cut = line.length > BRIEF_COLUMNS;
    text_add_visible(report->out, line.bytes, cut ? BRIEF_COLUMNS - 3 : line.length);
    text_add(report->out, cut ? "...\n" : "\n");
    text_free(&line);
}

/* One line each, as many as there is room for. */
static void write_rest(Report *report, unsigned from) {
    unsigned count = report->count - from, told = 0, used = lines_of(report->out) + REST_LINES + SUM_LINES;
    unsigned room = used < SCREEN_LINES ? SCREEN_LINES - used : 1, followers = 0;
    if (count == 0) return;
    if (count == room + 1) room++; /* the last one takes no more lines than its count */
    for (unsigned i = from; i < report->count; i++)
        followers += report->list[i]->cause != NULL;
    ReportFacts facts = {.followers = followers == count, .rest = count};
    say_report(report->out, REPORT_REST, &facts);
    text_add(report->out, "\n");
    for (; told < count && told < room; told++)
        write_brief(report, report->list[from + told]);
    if (told < count) {
        facts.rest = count - told;
        text_add(report->out, "  ");
        say_report(report->out, REPORT_UNTOLD, &facts);
        text_add(report->out, "\n");
    }
    text_add(report->out, "\n");
}

static void write_counts(Report *report, const Check *check, unsigned errors, unsigned notes) {
    uint64_t cut = findings_total(check->findings) - errors - notes;
    const SumFacts facts = {.cut = cut != 0,
                            .launches = check->log.launches_total,
                            .errors = errors,
                            .notes = notes,
                            .left_out = (int64_t)cut};
    say_sum(report->out, SUM_COUNTS, &facts);
    text_add(report->out, "\n");
}

/* A call whose address is known, and nothing more. */
static void write_calls_without_lines(Report *report, const Check *check) {
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++) {
        if (finding->party.place.address == 0 || finding->party.place.line > 0) continue;
        say_report(report->out, REPORT_NO_CALL_LINES, &(ReportFacts){0});
        text_add(report->out, "\n");
        return;
    }
}

/* What a program was built without cannot be shown; it is said once how to build it with it. */
static void write_without_lines(Report *report, const Check *check) {
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++) {
        if (!finding->kernel || !finding->party.has_thread || finding->party.place.line > 0) continue;
        say_report(report->out, REPORT_NO_LINES, &(ReportFacts){.kernel = finding->kernel});
        text_add(report->out, "\n");
        return;
    }
    write_calls_without_lines(report, check);
}

/* A Check that watched no launch only passes on findings of another: who made them counts. */
static void write_summary(Report *report, const Check *check) {
    unsigned errors = check_finding_count(check, FINDING_ERROR),
             notes = check_finding_count(check, FINDING_NOTE);
    if (check->log.launches_total > 0) write_counts(report, check, errors, notes);
    if (errors + notes == 0) return;
    const ReportFacts facts = {.kind = finding_info(report->list[0]->kind)->name,
                               .single = errors + notes == 1};
    say_report(report->out, REPORT_EXPLAIN, &facts);
    text_add(report->out, "\n");
}

/* An error leads, so that whoever is told of an error sees one: where the first cause is a note, the first
 * error that follows from it stands before it. */
static void put_in_order(Report *report, const Check *check) {
    const CheckFinding *finding, *cause = check_finding(check, 0), *lead = NULL;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++)
        if (!lead && finding->severity == FINDING_ERROR && (i == 0 || finding->cause == cause))
            lead = finding;
    if (lead) report->list[report->count++] = lead;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++)
        if (finding != lead) report->list[report->count++] = finding;
}

/* The first finding is always shown in full, the others as long as the screen has room; findings that
 * follow from another one are told briefly. */
void check_report_text(const Check *check, Text *out, bool colour, bool full) {
    Report report = {.out = out, .log = &check->log, .colour = colour, .full = full};
    text_init(&report.source);
    put_in_order(&report, check);
    unsigned shown = 0;
    for (; shown < report.count && fits(&report, shown); shown++)
        write_finding(&report, report.list[shown]);
    write_rest(&report, shown);
    write_without_lines(&report, check);
    write_summary(&report, check);
    text_free(&report.source);
}

void check_explain(FindingKind kind, Text *out) {
    const FindingInfo *info = finding_info(kind);
    text_format(out, "%s (%s): %s\n\n", info->name, info->severity == FINDING_ERROR ? "error" : "note",
                info->title);
    for (const char *at = info->explanation; *at;) {
        size_t plain = strcspn(at, "`"); /* the marks are for pages */
        text_append(out, at, plain);
        at += plain + (at[plain] == '`');
    }
}
