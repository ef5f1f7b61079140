/* watch.c - checks the lesson's file again whenever it is saved, and takes single keys; see watch_parts.h.
 *
 * Editors save in two ways: into the file, or into a new file that takes its name. So the name is looked at,
 * ten times a second, which also works on file systems that send no events; where the kernel sends them, a
 * save is seen at once. A change counts when the file has been still for a moment. Signals are read from a
 * descriptor, so that nothing happens but in the loop.
 */
#include "autograder/commands/watch_parts.h"
#include "autograder/course/work.h"
#include "base/clock.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 100, SETTLE_MILLISECONDS = 30 };

void watch_say(Watch *watch, WatchText text, const WatchFacts *facts) {
    text_clear(&watch->said);
    say_watch(&watch->said, text, facts);
    watch->dirty = true;
}

void watch_say_plain(Watch *watch, WatchText text) {
    watch_say(watch, text, &(WatchFacts){0});
}

static void clear_pane(Watch *watch) {
    text_clear(&watch->pane);
    watch->hinted[0] = '\0';
}

/* Another lesson: its file is made if it is not there, and checked at once. */
void watch_choose(Watch *watch, const Lesson *lesson) {
    bool made;
    const char *path = work_file(&watch->course, lesson, &made, &watch->session->diagnostics);
    if (path == NULL) {
        watch_say(watch, WATCH_NO_FILE, &(WatchFacts){.lesson = lesson->name});
        return;
    }
    watch->lesson = lesson;
    watch->path = path;
    watch->passed = false;
    watch->scroll = 0;
    clear_pane(watch);
    text_clear(&watch->verdict);
    if (made) watch_say(watch, WATCH_MADE, &(WatchFacts){.lesson = lesson->name});
    watch_begin_check(watch);
}

/* ---- keys ---- */

/* While an editor has the terminal, its Ctrl-C comes to watch as well, and means nothing here. */
static void edit(Watch *watch) {
    watch_edit(watch);
    struct signalfd_siginfo info;
    while (read(watch->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    }
}

/* The first lesson after this one that is not passed, round the end; NULL: all are. */
static const Lesson *lesson_after(const Watch *watch) {
    size_t count = watch->course.count, here = (size_t)(watch->lesson - watch->course.lessons);
    for (size_t i = 1; i < count; i++) {
        size_t at = (here + i) % count;
        if (!watch->progress.entries[at].passed) return &watch->course.lessons[at];
    }
    return NULL;
}

/* From a lesson that is not passed, only at the second key. */
static void go_on(Watch *watch, bool sure) {
    const ProgressEntry *entry = progress_of(&watch->progress, &watch->course, watch->lesson);
    const Lesson *next;
    if (entry->passed)
        next = progress_next(&watch->progress, &watch->course);
    else
        next = lesson_after(watch);
    if (!entry->passed && !sure) {
        watch->asking = 'n';
        watch_say(watch, WATCH_NOT_PASSED, &(WatchFacts){.lesson = watch->lesson->name});
    } else if (next == NULL) {
        watch_say(watch, WATCH_LAST, &(WatchFacts){.passed = entry->passed});
    } else {
        watch_choose(watch, next);
    }
}

static const ProgressEntry *entry_here(const Watch *watch) {
    return progress_of(&watch->progress, &watch->course, watch->lesson);
}

/* The pane gets the next hint. One about a finding begins with the sentence that names its kind; it stays as
 * long as the check finds that. */
static void show_hint(Watch *watch) {
    clear_pane(watch);
    watch_command(watch, hint_run, "hint", &watch->pane);
    const char *found = entry_here(watch)->failed;
    if (found == NULL) return;
    Text about = text_new();
    say_learner(&about, LEARNER_HINT_ABOUT, &(LearnerFacts){.lesson = watch->lesson->name, .kind = found});
    bool shown = strstr(watch->pane.bytes, about.bytes) != NULL;
    if (shown) snprintf(watch->hinted, sizeof watch->hinted, "%s", found);
    text_free(&about);
}

/* A hint goes with what it was about: once the lesson is passed, or the check has found another mistake. */
static void drop_old_hint(Watch *watch) {
    const char *found = entry_here(watch)->failed;
    bool another = watch->hinted[0] != '\0' && (found == NULL || strcmp(found, watch->hinted) != 0);
    if (watch->passed || another) clear_pane(watch);
}

static void reset(Watch *watch) {
    watch_stop_check(watch);
    clear_pane(watch);
    watch_command(watch, reset_run, "reset", &watch->pane);
    watch_begin_check(watch);
}

static void draw_picture(Watch *watch) {
    watch_say_plain(watch, WATCH_DRAWING);
    watch_draw(watch);
    clear_pane(watch);
    text_clear(&watch->said);
    watch_command(watch, picture_run, "picture", &watch->pane);
}

static void scroll_by(Watch *watch, long lines) {
    long to = (long)watch->scroll + lines;
    if (to < 0)
        watch->scroll = 0;
    else
        watch->scroll = (unsigned)to;
    if (watch->scroll > watch->scrollable) watch->scroll = watch->scrollable;
}

/* A page is the screen without what stands around the verdict, and two lines of the page before. */
static void scroll_by_key(Watch *watch, int key) {
    long page = 2;
    if (watch->terminal.rows > 8) page = watch->terminal.rows - 6;
    switch (key) {
    case KEY_UP:
    case 'k':
        scroll_by(watch, -1);
        break;
    case KEY_DOWN:
    case 'j':
        scroll_by(watch, 1);
        break;
    case KEY_PAGE_UP:
        scroll_by(watch, -page);
        break;
    case KEY_PAGE_DOWN:
    case ' ':
        scroll_by(watch, page);
        break;
    case KEY_HOME:
        watch->scroll = 0;
        break;
    case KEY_END:
        watch->scroll = watch->scrollable;
        break;
    default:
        break;
    }
}

/* The keys of the verdict's screen; watch_screen.c names them in its last line. */
static void act_on_key(Watch *watch, int key) {
    switch (key) {
    case 'n':
        go_on(watch, false);
        break;
    case 'h':
        show_hint(watch);
        break;
    case 'l':
        watch_list_open(watch);
        break;
    case 'r':
        watch_begin_check(watch);
        break;
    case 'x':
        watch->asking = 'x';
        watch_say(watch, WATCH_RESET, &(WatchFacts){.lesson = watch->lesson->name});
        break;
    case 't':
        draw_picture(watch);
        break;
    case 'e':
        edit(watch);
        break;
    case 'q':
        watch->ended = true;
        break;
    case KEY_ESCAPE:
        clear_pane(watch);
        break;
    default:
        scroll_by_key(watch, key);
    }
}

/* A key that is no answer to n does what it always does; after x it may be meant as a no, and does nothing.
 */
static void act_on_answer(Watch *watch, char question, int key) {
    if (question == 'n' && key == 'n')
        go_on(watch, true);
    else if (question == 'n')
        act_on_key(watch, key);
    else if (question == 'x' && (key == 'y' || key == 'Y'))
        reset(watch);
}

/* A question on the screen takes the next key, and the list takes all of them while it is shown. Any key
 * takes the last message away. */
static void take_keys(Watch *watch) {
    if (!terminal_read(&watch->terminal)) watch->ended = true;
    for (int key; !watch->ended && (key = terminal_key(&watch->terminal)) != KEY_NONE;) {
        char question = watch->asking;
        watch->asking = 0;
        text_clear(&watch->said);
        if (key == KEY_INTERRUPT)
            watch->ended = true;
        else if (watch->list.shown)
            watch_list_key(watch, key);
        else if (question != 0)
            act_on_answer(watch, question, key);
        else
            act_on_key(watch, key);
    }
    watch->dirty = true;
}

/* ---- signals ---- */

static int read_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    static const int those[] = {SIGWINCH, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};
    for (size_t i = 0; i < sizeof those / sizeof *those; i++)
        sigaddset(&set, those[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Ctrl-Z: the shell gets its screen, and this one comes back with `fg`. */
static void suspend(Watch *watch) {
    terminal_leave(&watch->terminal);
    raise(SIGSTOP);
    terminal_enter(&watch->terminal);
}

/* SIGWINCH only measures the terminal anew, which is done for any signal. */
static void act_on_signals(Watch *watch) {
    struct signalfd_siginfo info;
    while (read(watch->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (number == SIGTSTP) {
            suspend(watch);
        } else if (number != SIGWINCH) {
            watch->ended = true;
            if (number != SIGINT) watch->ended_by = number;
        }
    }
    terminal_measure(&watch->terminal);
    watch->dirty = true;
}

/* ---- the loop ---- */

/* Begins a check when the file is another one than the last check's, and has been still. */
static void look_at_file(Watch *watch) {
    WatchMark now = watch_look(watch->path);
    if (!watch_same(&now, &watch->seen)) {
        if (now.there != watch->seen.there) watch->dirty = true;
        watch->seen = now;
        watch->changed = clock_ms();
    }
    bool settled = clock_ms() - watch->changed >= SETTLE_MILLISECONDS;
    if (!now.there || !settled || watch_same(&now, &watch->checked)) return;
    /* What a key did is old by now; a question still waits for its answer. */
    if (watch->asking == 0) text_clear(&watch->said);
    watch_begin_check(watch);
}

static void drain(int events) {
    _Alignas(struct inotify_event) char buffer[4096];
    while (read(events, buffer, sizeof buffer) > 0) {
    }
}

/* The kernel's word that something in the folder changed; -1 where it gives none, and looking must do. */
static int watch_folder(const Watch *watch) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/work", watch->course.root);
    int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (events >= 0) inotify_add_watch(events, folder, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE);
    return events;
}

/* Sleeps until a key, a signal, a change of the folder or output of the check; and looks at the file every so
 * often, since not every file system tells of changes. */
static void loop(Watch *watch, int events) {
    while (!watch->ended) {
        look_at_file(watch);
        if (watch->dirty) watch_draw(watch);
        bool unsettled = !watch_same(&watch->seen, &watch->checked);
        struct pollfd polled[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                  {.fd = watch->signals, .events = POLLIN},
                                  {.fd = events, .events = POLLIN},
                                  {.fd = watch->coming, .events = POLLIN}};
        poll(polled, sizeof polled / sizeof *polled, unsettled ? SETTLE_MILLISECONDS : LOOK_MILLISECONDS);
        if (polled[2].revents != 0) drain(events);
        if (polled[3].revents != 0 && watch_take_output(watch)) {
            watch->scroll = 0;
            watch->dirty = true;
            drop_old_hint(watch);
        }
        if (polled[1].revents != 0) act_on_signals(watch);
        if (polled[0].revents != 0) take_keys(watch);
    }
}

/* The last verdict stays on the shell's screen, where the learner goes on. */
static void say_goodbye(Watch *watch) {
    watch_stop_check(watch);
    terminal_leave(&watch->terminal);
    fwrite(watch->verdict.bytes, 1, watch->verdict.length, stdout);
    fflush(stdout);
}

/* `make watch` from the first check to the last key. Without a lesson it begins with the next one, or with
 * the list when all are passed. */
static int watch_lesson(Session *session, const Course *course, const Lesson *lesson) {
    Watch watch = {.session = session, .course = *course, .coming = -1};
    watch_read_progress(&watch);
    if (watch.progress_arena == NULL || !groups_read(&watch.groups, session->arena, &watch.course))
        return EXIT_INTERNAL;
    if (lesson == NULL) lesson = progress_next(&watch.progress, course);
    if (!terminal_open(&watch.terminal, session->colour, &session->diagnostics)) return EXIT_USAGE;
    text_init(&watch.output);
    text_init(&watch.verdict);
    text_init(&watch.pane);
    text_init(&watch.said);
    watch.signals = read_signals();
    bool all_passed = lesson == NULL;
    watch_choose(&watch, all_passed ? &course->lessons[0] : lesson);
    int status = EXIT_INTERNAL;
    if (watch.path != NULL) status = EXIT_FINE;
    if (all_passed) watch_list_open(&watch);
    int events = watch_folder(&watch);
    if (status == EXIT_FINE) loop(&watch, events);
    say_goodbye(&watch);
    if (watch.ended_by != 0) status = 128 + watch.ended_by;
    close(watch.signals);
    if (events >= 0) close(events);
    text_free(&watch.output);
    text_free(&watch.verdict);
    text_free(&watch.pane);
    text_free(&watch.said);
    arena_destroy(watch.progress_arena);
    return status;
}

/* `warpschool watch [LESSON]` */
int watch_run(Session *session, int argc, char **argv) {
    const Option options[] = {{OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
                              {OPTION_STRING, 0, "sandbox", "WHICH",
                               "full, or none: check your own file without one", &session->sandbox},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const Lesson *lesson = NULL;
    if (first < argc && *argv[first] != '\0') {
        lesson = lessons_find(&course, argv[first], &session->diagnostics);
        if (lesson == NULL) return EXIT_USAGE;
    }
    return watch_lesson(session, &course, lesson);
}
