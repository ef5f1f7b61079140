/* order.c - a grading from its options to its summary; see order.h. */
#include "grading/run/order.h"

#include "autograder/card/card.h"
#include "autograder/sandbox/child.h"
#include "autograder/sandbox/trust.h"
#include "autograder/screen/show.h"
#include "grading/book/table.h"
#include "grading/out/exports.h"
#include "grading/run/edge.h"
#include "grading/run/revision.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Order order_new(Session *session) {
    return (Order){.session = session, .seed = LONG_MIN, .run.room.spool.lock = -1};
}

static bool on_card(const Order *order) {
    return order->device != NULL && strcmp(order->device, "cuda") == 0;
}

/* Elsewhere a card may be there that this machine has not: of those the results say what is missing. */
static bool check_device(const Order *order) {
    Diagnostics *diagnostics = &order->session->diagnostics;
    if (order->device == NULL || strcmp(order->device, "soft") == 0) return true;
    if (!on_card(order)) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no device `%s` for a grading: soft or cuda",
                 order->device);
        return false;
    }
    Card card;
    Arena *arena = order->session->arena;
    CardLack lack;
    if (order->slurm || order->only_prepare)
        lack = CARD_THERE;
    else
        lack = card_find(&card, arena);
    if (lack == CARD_THERE) return true;
    diagnostics->internal = true;
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", card_explain(lack, &card, arena)),
                  card_remedy(lack));
}

bool order_check(Order *order) {
    enum { MOST_WORKERS = 1024 };
    Diagnostics *diagnostics = &order->session->diagnostics;
    if (!check_device(order)) return false;
    if (!options_check_range("jobs", order->workers, 0, MOST_WORKERS, diagnostics)) return false;
    if (order->seed != LONG_MIN && !options_check_range("seed", order->seed, 0, (1L << 48) - 1, diagnostics))
        return false;
    if (order->seed == LONG_MIN || !order->new_seed) return true;
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--seed names a seed, and --new-seed draws one");
    return false;
}

/* What locks students' programs in is tried before anything runs. Less than enough is refused, unless the
 * order allows it. */
static bool reach_level(Order *order) {
    Session *session = order->session;
    Trust trust;
    trust_probe(&trust, &order->desk.course);
    order->level = arena_string(session->arena, trust.level);
    if (trust.enough || order->weak) return order->level != NULL;
    session->diagnostics.internal = true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "what this system allows is not enough to run what students hand in: `%s` %s",
                           trust.level, trust.problem),
                  "make doctor says how to get namespaces and limits; --allow-weak-sandbox grades all the "
                  "same, on a machine that you can lose");
}

/* A grading begins: its tools' versions, its seed and its folder of jobs are settled before the first job. */
bool order_begin(Order *order) {
    Session *session = order->session;
    Diagnostics *diagnostics = &session->diagnostics;
    Desk *desk = &order->desk;
    const char *versions = revision_of_tools(&desk->course, session->arena, diagnostics);
    /* What was judged without a card has no times: it is judged again. */
    if (on_card(order) && versions != NULL)
        versions = arena_format(session->arena, "%s, on a card", versions);
    order->revisions = ARENA_ARRAY(session->arena, desk->course.count, const char *);
    if (versions == NULL || order->revisions == NULL || !reach_level(order)) return false;
    const BookOrder asked = {.seed = order->seed != LONG_MIN ? &order->seed : NULL,
                             .new_seed = order->new_seed,
                             .versions = versions,
                             .sandbox = order->level,
                             .policy = desk->policy.text};
    if (!gradebook_begin_grading(desk->book, &asked, &order->grading, session->arena, diagnostics))
        return false;
    edge_pass(EDGE_BEGUN);
    Run *run = &order->run;
    run->room = (TaskRoom){.book = desk->book,
                           .grading = &order->grading,
                           .spool.lock = -1,
                           .weak = order->weak,
                           .card = on_card(order),
                           .diagnostics = diagnostics};
    run->root = desk->course.root;
    run->workers = order->workers;
    run->program = realpath("/proc/self/exe", NULL);
    return run->program != NULL && spool_open(&run->room.spool, session->arena, order->spool,
                                              gradebook_path(desk->book), diagnostics);
}

/* ---- tasks ---- */

static const Lesson *lesson_named(const Course *course, const char *name) {
    for (size_t i = 0; i < course->count; i++)
        if (strcmp(course->lessons[i].name, name) == 0) return &course->lessons[i];
    return NULL;
}

static const char *revision_of(Order *order, const Lesson *lesson) {
    const char **revision = &order->revisions[lesson - order->desk.course.lessons];
    if (*revision == NULL)
        *revision = revision_of_lesson(&order->desk.course, lesson, order->session->arena,
                                       &order->session->diagnostics);
    return *revision;
}

/* Leaves the files that the lesson in its present form has not judged. */
bool order_leave_known(Order *order, BookHandedList *list) {
    Diagnostics *diagnostics = &order->session->diagnostics;
    int errors = diagnostics->errors;
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        const BookHanded *handed = &list->items[i];
        const Lesson *lesson = NULL;
        if (handed->lesson != NULL) lesson = lesson_named(&order->desk.course, handed->lesson);
        if (lesson == NULL || handed->hash == NULL) continue;
        const char *revision = revision_of(order, lesson);
        if (revision != NULL && !gradebook_knows_revision(order->desk.book, handed, revision, diagnostics))
            list->items[left++] = *handed;
    }
    list->count = left;
    return diagnostics->errors == errors;
}

static bool add_task(Order *order, const BookHanded *handed) {
    const Lesson *lesson = lesson_named(&order->desk.course, handed->lesson);
    Arena *arena = order->session->arena;
    Task *task = &order->run.tasks[order->run.count];
    if (lesson == NULL) return true; /* of a course that has lost it: what the book has stays */
    task->key = (BookKey){.student = arena_string(arena, handed->student),
                          .lesson = lesson->name,
                          .hash = arena_string(arena, handed->hash),
                          .revision = revision_of(order, lesson),
                          .versions = order->grading.versions,
                          .seed = order->grading.seed};
    task->shown = arena_string(arena, handed->path);
    if (task->key.student == NULL || task->key.hash == NULL || task->key.revision == NULL ||
        task->shown == NULL)
        return false;
    task_name(task);
    int errors = order->session->diagnostics.errors;
    if (gradebook_reuse(order->desk.book, &order->grading, &task->key, &order->session->diagnostics)) {
        task->state = TASK_DECIDED;
        order->reused++;
    }
    order->run.count++;
    return order->session->diagnostics.errors == errors;
}

bool order_add_tasks(Order *order, const BookHanded *handed, size_t count) {
    order->run.tasks = ARENA_ARRAY(order->session->arena, count + 1, Task);
    if (order->run.tasks == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (handed[i].refused == NULL && !add_task(order, &handed[i])) return false;
    return true;
}

/* ---- what is said at the end about grades that are not decided ---- */

/* One line for each grade that a person must look at, with the reason; nothing when there is none. */
static void summary_faults(const Class *class, Text *out) {
    for (size_t student = 0; student < class->student_count; student++)
        for (size_t lesson = 0; lesson < class->lesson_count; lesson++) {
            const Grade *grade = class_grade(class, student, lesson);
            if (grade->state != GRADE_FAULT) continue;
            const char *why = "";
            if (grade->fault != NULL) why = grade->fault;
            text_add(out, "look at ");
            table_who(&class->students[student], out);
            text_format(out, ", %s: ", class->lessons[lesson].name);
            text_add_visible(out, why, strlen(why));
            text_add(out, "\n");
        }
}

/* How many files were handed in under the name of no lesson and not replaced since. */
static size_t summary_unplaced(const Class *class) {
    size_t files = 0;
    for (size_t i = 0; i < class->student_count; i++)
        files += class->students[i].unplaced_count;
    return files;
}

/* Whose they are: "ann, bob and 3 more". */
static void summary_unplaced_students(const Class *class, Text *out) {
    enum { MOST_NAMED = 10 };
    size_t count = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        if (student->unplaced_count == 0 || count++ >= MOST_NAMED) continue;
        text_add(out, count > 1 ? ", " : "");
        table_who(student, out);
    }
    if (count <= MOST_NAMED) return;
    text_add(out, " and ");
    text_number(out, count - MOST_NAMED);
    text_add(out, " more");
}

/* ---- the end ---- */

/* The same table as `warpschool export csv`. */
static int write_csv(Order *order) {
    if (order->csv == NULL) return EXIT_FINE;
    Session *session = order->session;
    const Export *format = exports_find("csv", &session->diagnostics);
    const ExportJob job = {
        .class = &order->desk.class, .arena = session->arena, .diagnostics = &session->diagnostics};
    Text out = text_new();
    bool made = format != NULL && exports_write(format, &job, &out) && !out.failed;
    bool written =
        made && commands_write_file(session, order->csv, &out,
                                    "cannot write the grades, which are in the gradebook (export csv)");
    if (!made) text_free(&out);
    if (written) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}

/* The last line, when there is something: a file of no lesson may be what a student was to get points for. */
static void add_to_look_at(Text *out, const Class *class) {
    size_t grades = class_count_open(class), files = summary_unplaced(class);
    if (grades + files == 0) return;
    text_add(out, "To look at: ");
    if (grades > 0) text_number(out, grades);
    if (grades > 0) text_add(out, grades == 1 ? " grade" : " grades");
    if (grades > 0 && files > 0) text_add(out, ", ");
    if (files > 0) text_number(out, files);
    if (files > 0) text_add(out, files == 1 ? " file of no lesson, from " : " files of no lesson, from ");
    if (files > 0) summary_unplaced_students(class, out);
    text_add(out, "\n");
}

/* Of the files that were judged, now or before. */
static size_t count_outside(const Order *order) {
    size_t outside = 0;
    for (size_t i = 0; i < order->run.count; i++)
        outside += policy_lesson(&order->desk.policy, order->run.tasks[i].key.lesson) == NULL;
    return outside;
}

/* A class of nothing but zeros is a mistake of whoever gave the command sooner than of everybody in it. */
static bool nothing_counts(const Order *order) {
    const size_t judged = order->run.count;
    return judged + order->refusals.count > 0 && count_outside(order) == judged;
}

static void add_nothing_counts(const Order *order, Text *out) {
    const size_t refused = order->refusals.count, outside = count_outside(order);
    text_add(out, "Nothing of what was handed in counts: ");
    if (refused > 0) text_number(out, refused);
    if (refused > 0) text_add(out, " refused");
    if (refused > 0 && outside > 0) text_add(out, ", ");
    if (outside > 0) text_number(out, outside);
    if (outside > 0) text_add(out, " of lessons outside the course");
    text_add(out, "\n");
}

/* The last lines of a grading. */
static void say_how(const Order *order, double seconds) {
    Text out = text_new();
    text_add(&out, "\n");
    text_number(&out, run_count(&order->run, TASK_DECIDED) - order->reused);
    text_add(&out, " judged in ");
    meter_time(&out, seconds);
    text_add(&out, ", ");
    text_number(&out, order->reused);
    text_add(&out, " as before, ");
    text_number(&out, order->refusals.count);
    text_format(&out, " refused. Sandbox: %s.\nGradebook: %s\n", order->grading.sandbox,
                gradebook_path(order->desk.book));
    if (nothing_counts(order)) add_nothing_counts(order, &out);
    add_to_look_at(&out, &order->desk.class);
    commands_print(&out);
}

/* The class as it now is, and the status that follows from it. */
static int show_class(Order *order, double seconds) {
    Session *session = order->session;
    if (!desk_read_class(&order->desk, session)) return diag_status(&session->diagnostics);
    const Class *class = &order->desk.class;
    Text out = text_new();
    table_class(class, show_style(STDOUT_FILENO, session->colour).width, &out);
    refusals_add(&order->refusals, class, session->arena, &out);
    summary_faults(class, &out);
    commands_print(&out);
    say_how(order, seconds);
    int written = write_csv(order);
    if (written != EXIT_FINE) return written;
    const bool open = class_count_open(class) > 0 || nothing_counts(order) || order->changed;
    if (open) return EXIT_FOUND;
    return EXIT_FINE;
}

/* For whoever starts the workers in a way of their own. */
static RunEnd prepare(Run *run) {
    size_t count;
    if (!run_prepare(run, &count)) return RUN_FAILED;
    printf("%zu jobs wait in %s. Each is done by\n    warpschool grade-one --list %s/list --index N    "
           "(N from 0)\nAfterwards the same command without --prepare collects their results.\n",
           count, run->room.spool.folder, run->room.spool.folder);
    return RUN_PREPARED;
}

static RunEnd do_tasks(Order *order) {
    Run *run = &order->run;
    if (!run_collect_left(run)) return RUN_FAILED;
    if (order->only_prepare) return prepare(run);
    if (order->slurm) return run_by_slurm(run);
    return run_here(run);
}

static int say_stopped(const Order *order) {
    printf("Stopped: %zu of %zu are in the gradebook. The same command goes on from there.\n",
           run_count(&order->run, TASK_DECIDED), order->run.count);
    return EXIT_FOUND;
}

/* The grading counts as ended when every task is decided; only then its jobs go. */
int order_finish(Order *order) {
    double began = child_now();
    RunEnd end = do_tasks(order);
    if (end == RUN_FAILED) return diag_status(&order->session->diagnostics);
    if (end == RUN_STOPPED) return say_stopped(order);
    if (end == RUN_PREPARED) return EXIT_FOUND;
    edge_pass(EDGE_DECIDED);
    if (!gradebook_end_grading(order->desk.book, &order->grading, &order->session->diagnostics))
        return diag_status(&order->session->diagnostics);
    spool_empty(&order->run.room.spool);
    edge_pass(EDGE_CLOSED);
    return show_class(order, child_now() - began);
}

void order_close(Order *order) {
    if (order->run.room.spool.lock >= 0) spool_close(&order->run.room.spool);
    desk_close(&order->desk);
    free((char *)order->run.program);
}
