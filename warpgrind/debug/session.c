/* session.c - see session.h.
 *
 * The device and the program are children, and die with this process (PR_SET_PDEATHSIG). While the device
 * works, its socket and the program's output are waited for together. A program that has ended closes nothing
 * that its own children still hold, so its end of the socket is shut here when that is noticed.
 */
#include "debug/session.h"
#include "debug/place.h"

#include "base/clock.h"
#include "base/text.h"
#include "device/command/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** After an interrupt a program is ended that has computed so long, or of which nothing has been heard so
 * long. */
enum { WAIT_MS = 200, COMPUTED_MS = 1000, SILENT_MS = 10000 };

struct Session {
    DeviceOptions device;
    char **argv;
    SessionOutput *output;
    void *self;
    pid_t program, service;   /**< 0: none */
    int socket, wire, report; /**< of the run; -1 */
    int pipes[2];             /**< what the program prints; -1: at its end */
    uint64_t printed[2], shown[2];
    Text input;
    json_object *setup;   /**< list: break, watch and catch, as they were asked */
    json_object *last;    /**< the last stop; NULL: none */
    json_object *finding; /**< the last one that stopped a run */
    bool
        gone; /**< the program has ended; it is reaped with its run, until when its number is nobody else's */
    siginfo_t ending; /**< of the program, when it is gone */
    bool ended, abandoned;
    struct timespec built; /**< when the program's file was written last */
    int listens;           /**< a descriptor; -1: none */
    SessionHeed *heed;
};

static volatile sig_atomic_t interrupted;

void session_interrupt(void) {
    interrupted = 1;
}

void session_rest(void) {
    interrupted = 0;
}

bool session_runs(const Session *session) {
    return session->service > 0 && !session->ended;
}

bool session_has_ended(const Session *session) {
    return session->ended;
}

/* ---- processes ---- */

static void close_one(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

/** Each is a group of its own, with what it has started and not put into another. */
static void end_group(pid_t process) {
    if (process <= 0) return;
    kill(process, SIGKILL);
    kill(-process, SIGKILL);
}

static void reap(pid_t *process) {
    if (*process <= 0) return;
    end_group(*process);
    waitpid(*process, NULL, 0);
    *process = 0;
}

static void stop_run(Session *session) {
    reap(&session->program);
    reap(&session->service);
    close_one(&session->socket);
    close_one(&session->wire);
    close_one(&session->report);
    for (unsigned i = 0; i < 2; i++) {
        close_one(&session->pipes[i]);
        session->printed[i] = 0;
    }
    text_clear(&session->input);
    session->ended = session->gone = false;
}

_Noreturn static void become_program(const Session *session, const char *path, int wire, const int *outputs) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is for us */
    signal(SIGPIPE, SIG_DFL);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(outputs[0], STDOUT_FILENO);
    dup2(outputs[1], STDERR_FILENO);
    if (launcher_connect(wire)) execv(path, session->argv);
    fprintf(stderr, "warpgrind: %s cannot be run: %s\n", path, strerror(errno));
    _exit(EXIT_USAGE);
}

/** The device is forked before the program's ends of the pipes are there, so that it holds none of them. */
static bool start_processes(Session *session, const char *path) {
    int wire[2], talk[2], out[2], err[2];
    session->report = memfd_create("warpgrind-report", MFD_CLOEXEC);
    if (session->report < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wire) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0)
        return false;
    session->socket = talk[0];
    session->wire = wire[1];
    DeviceOptions options = session->device;
    options.program = path;
    options.debug = talk[1];
    options.recheck = true;
    session->service = fork();
    if (session->service == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        _exit(launcher_serve(&options, wire[0], session->report));
    }
    close(wire[0]);
    close(talk[1]);
    if (session->service < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return false;
    session->pipes[0] = out[0];
    session->pipes[1] = err[0];
    session->program = fork();
    if (session->program == 0) become_program(session, path, wire[1], (int[]){out[1], err[1]});
    close(out[1]);
    close(err[1]);
    return session->program > 0;
}

/* ---- lines ---- */

static json_object *refusal(const char *why) {
    json_object *answer = json_object_new_object();
    json_put_flag(answer, "ok", false);
    json_put_text(answer, "error", why);
    return answer;
}

static void take_output(Session *session, unsigned stream) {
    char bytes[4096];
    const ssize_t count = read(session->pipes[stream], bytes, sizeof bytes);
    if (count <= 0) {
        close_one(&session->pipes[stream]);
        return;
    }
    const uint64_t before = session->printed[stream];
    session->printed[stream] += (uint64_t)count;
    if (session->printed[stream] <= session->shown[stream]) return;
    uint64_t known = 0;
    if (session->shown[stream] > before) known = session->shown[stream] - before;
    session->shown[stream] = session->printed[stream];
    session->output(session->self, (int)stream + 1, bytes + known, (size_t)count - known);
}

/** What the program had printed before it was stopped, or before it ended. */
static void drain(Session *session) {
    for (unsigned i = 0; i < 2; i++) {
        struct pollfd ready = {.fd = session->pipes[i], .events = POLLIN};
        while (session->pipes[i] >= 0 && poll(&ready, 1, 0) > 0) {
            take_output(session, i);
            ready.fd = session->pipes[i];
        }
    }
}

static void notice_end(Session *session) {
    if (session->program <= 0 || session->gone) return;
    session->ending = (siginfo_t){0};
    waitid(P_PID, (id_t)session->program, &session->ending, WEXITED | WNOHANG | WNOWAIT);
    session->gone = session->ending.si_pid == session->program;
    if (session->gone) shutdown(session->wire, SHUT_RDWR);
}

void session_nudge(Session *session) {
    static const char ask[] = "{\"command\":\"interrupt\"}\n";
    if (session->socket >= 0) text_write(session->socket, ask, sizeof ask - 1);
}

/** What the program has had of a processor: a busy machine may keep it waiting for long. */
static int64_t computed_ms(pid_t program) {
    clockid_t clock;
    struct timespec had = {0};
    if (program > 0 && clock_getcpuclockid(program, &clock) == 0) clock_gettime(clock, &had);
    return (int64_t)had.tv_sec * 1000 + had.tv_nsec / 1000000;
}

/** When an interrupt was passed on (0: not yet), and how much the program had computed then. */
typedef struct Interrupt {
    int64_t since, computed;
} Interrupt;

/** An interrupt is passed on; a program that is in its own code, where no kernel runs, is ended. */
static void pass_interrupt(Session *session, Interrupt *passed) {
    if (!interrupted) return;
    if (passed->since == 0) {
        *passed = (Interrupt){clock_ms(), computed_ms(session->program)};
        session_nudge(session);
    } else if (computed_ms(session->program) - passed->computed >= COMPUTED_MS ||
               clock_ms() - passed->since >= SILENT_MS) {
        interrupted = 0;
        end_group(session->program);
    }
}

/** A whole line of what the device has sent; NULL: there is none yet. */
static json_object *take_line(Session *session) {
    const char *end = memchr(session->input.bytes, '\n', session->input.length);
    if (end == NULL) return NULL;
    const size_t length = (size_t)(end - session->input.bytes);
    session->input.bytes[length] = '\0';
    json_object *line = json_tokener_parse(session->input.bytes);
    memmove(session->input.bytes, end + 1, session->input.length - length);
    session->input.length -= length + 1;
    return line;
}

/** Takes what the program prints, and what interrupts it, until something has come; true: from the descriptor
 * (-1: the program alone is waited for). */
static bool wait_beside(Session *session, int descriptor, Interrupt *passed) {
    struct pollfd ready[] = {{.fd = descriptor, .events = POLLIN},
                             {.fd = session->pipes[0], .events = POLLIN},
                             {.fd = session->pipes[1], .events = POLLIN},
                             {.fd = session->listens, .events = POLLIN}};
    const int count = poll(ready, sizeof ready / sizeof *ready, WAIT_MS);
    notice_end(session);
    pass_interrupt(session, passed);
    if (count <= 0) return false;
    for (unsigned i = 0; i < 2; i++)
        if (ready[i + 1].revents != 0) take_output(session, i);
    if (ready[3].revents != 0) session->heed(session->self);
    return ready[0].revents != 0;
}

/** The device's next line; NULL: it has ended. */
static json_object *receive(Session *session) {
    Interrupt passed = {0};
    for (;;) {
        json_object *line = take_line(session);
        if (line != NULL) {
            drain(session);
            if (passed.since != 0) interrupted = 0;
            return line;
        }
        if (!wait_beside(session, session->socket, &passed)) continue;
        char bytes[4096];
        const ssize_t got = read(session->socket, bytes, sizeof bytes);
        if (got <= 0) return NULL;
        text_append(&session->input, bytes, (size_t)got);
    }
}

/** A program says goodbye to the device before its streams are flushed: what it prints last is waited for. */
static void await_program(Session *session) {
    Interrupt passed = {0};
    while (session->program > 0 && !session->gone && (session->pipes[0] >= 0 || session->pipes[1] >= 0))
        wait_beside(session, -1, &passed);
    drain(session);
}

/** One that left without a word to the device: how, is known when it is gone, which may be a moment later. */
static void add_ending(Session *session, json_object *stop) {
    enum { MOMENTS = 50 };
    Interrupt passed = {0};
    if (!json_flag(stop, "crashed", false)) return;
    for (unsigned i = 0; i < MOMENTS && session->program > 0 && !session->gone; i++)
        wait_beside(session, -1, &passed);
    if (!session->gone) return;
    bool exited = session->ending.si_code == CLD_EXITED;
    json_put_number(stop, exited ? "exit_status" : "signal", session->ending.si_status);
    if (!exited) json_put_text(stop, "signal_name", sigabbrev_np(session->ending.si_status));
}

/** The device's answer; the question stays the caller's. */
static json_object *exchange(Session *session, json_object *question) {
    const char *text = json_object_to_json_string_ext(question, JSON_C_TO_STRING_PLAIN);
    if (strlen(text) >= DEBUG_LONGEST_QUESTION) return refusal("that is too long");
    if (!text_write(session->socket, text, strlen(text)) || !text_write(session->socket, "\n", 1))
        return refusal("the device has ended");
    json_object *answer = receive(session);
    if (answer == NULL) {
        session->ended = true;
        return refusal("the device has ended");
    }
    const char *reason = json_text(answer, "reason", NULL);
    if (reason == NULL) return answer;
    json_object_put(session->last);
    session->last = json_object_get(answer);
    session->ended = strcmp(reason, "ended") == 0;
    if (session->ended) {
        await_program(session);
        add_ending(session, answer);
    }
    json_object *finding = json_member(answer, "finding");
    if (finding != NULL) {
        json_object_put(session->finding);
        session->finding = json_object_get(finding);
    }
    return answer;
}

/* ---- runs ---- */

json_object *session_question(const char *name, const char *aim) {
    json_object *question = json_object_new_object();
    json_put_text(question, "command", name);
    if (aim != NULL) json_put_text(question, "for", aim);
    return question;
}

static json_object *ask_and_put(Session *session, json_object *question) {
    json_object *answer = exchange(session, question);
    json_object_put(question);
    return answer;
}

/** A new run, before the program's first word, with all breakpoints of the one before. NULL: it stands. */
static json_object *start_run(Session *session) {
    stop_run(session);
    if (session->abandoned) return refusal("the program has been ended");
    char *path = launcher_find(session->argv[0]);
    if (path == NULL) return refusal("the program cannot be run: there is no such file");
    struct stat program = {0};
    stat(path, &program);
    session->built = program.st_mtim;
    bool started = start_processes(session, path);
    free(path);
    if (!started) return refusal("no process could be started");
    for (size_t i = 0; i < json_object_array_length(session->setup); i++)
        json_object_put(exchange(session, json_object_array_get_idx(session->setup, i)));
    return NULL;
}

static int64_t number_of(json_object *object, const char *name) {
    return json_number(object, name, 0);
}

/** A moment of a run, and who is looked at then. */
typedef struct Moment {
    int64_t step, change, block, thread;
    bool natural; /**< a stop is there, whose reason is wanted */
} Moment;

/** Runs again to that moment. */
static json_object *run_to(Session *session, const Moment *moment) {
    json_object *problem = start_run(session);
    if (problem != NULL) return problem;
    json_object *go = session_question("go", "step");
    json_put_number(go, "step", moment->step);
    json_put_number(go, "change", moment->change);
    json_put_flag(go, "natural", moment->natural);
    json_put_number(go, "block_number", moment->block);
    json_put_number(go, "thread_number", moment->thread);
    return ask_and_put(session, go);
}

/** The number of functions around the thread's own. */
static int64_t depth_of(Session *session) {
    json_object *frames = NULL;
    if (!session->ended) frames = ask_and_put(session, session_question("frames", NULL));
    json_object *list = NULL;
    if (frames != NULL) list = json_array(frames, "frames");
    int64_t count = 0;
    if (list != NULL) count = (int64_t)json_object_array_length(list);
    json_object_put(frames);
    if (count > 0) return count - 1;
    return 0;
}

/** Two runs: one looks for the last moment before that one at which a run would have stopped, one goes there.
 */
static json_object *seek(Session *session, json_object *question, const Moment *before) {
    json_object *problem = start_run(session);
    if (problem != NULL) return problem;
    const bool stops = strcmp(json_text(question, "for", ""), "stop") == 0;
    json_put_text(question, "command", "seek");
    json_put_number(question, "before", before->step);
    json_put_number(question, "change", stops ? before->change : 0);
    json_object *found = exchange(session, question);
    if (text_same(json_text(found, "reason", NULL), "interrupted")) return found;
    const int64_t match = json_number(found, "match", -1);
    const Moment there = {match, number_of(found, "match_change"), number_of(found, "match_block"),
                          number_of(found, "match_thread"), stops};
    json_object_put(found);
    if (match >= 0) return run_to(session, &there);
    const Moment first = {1, 0, number_of(question, "block"), number_of(question, "thread"), false};
    json_object *stop = run_to(session, &first);
    json_put_text(stop, "reason", "beginning");
    return stop;
}

static void put_focus(Session *session, json_object *question) {
    json_object *place = NULL;
    if (!session->ended) place = ask_and_put(session, session_question("where", NULL));
    json_object *from = place;
    if (place == NULL) from = session->last;
    json_put_number(question, "block", number_of(from, "block_number"));
    json_put_number(question, "thread", number_of(from, "thread_number"));
    json_object_put(place);
}

static json_object *go_back(Session *session, json_object *question) {
    if (session->last == NULL) return refusal("the program is not being run");
    const bool ended = session->ended;
    const Moment before = {.step = number_of(session->last, "step") + (ended ? 1 : 0),
                           .change = ended ? 0 : number_of(session->last, "change")};
    put_focus(session, question);
    json_put_number(question, "depth", depth_of(session));
    return seek(session, question, &before);
}

static json_object *go_to(Session *session, json_object *question) {
    if (session->last == NULL) return refusal("the program is not being run");
    const int64_t step = number_of(question, "step");
    if (step < 1) return refusal("steps count from 1");
    put_focus(session, question);
    const Moment there = {step, 0, number_of(question, "block"), number_of(question, "thread"), false};
    return run_to(session, &there);
}

/** To where the other party of the finding was, at the last time before now that it came to its line. */
static json_object *go_to_other(Session *session, json_object *question) {
    json_object *other = NULL;
    if (session->finding != NULL) other = json_member(session->finding, "other");
    json_object *block = NULL;
    if (other != NULL) block = json_array(other, "block");
    json_object *grid = NULL;
    if (session->last != NULL) grid = json_array(session->last, "grid");
    if (block == NULL || grid == NULL) return refusal("the last stop was at no finding with two threads");
    json_put_text(question, "for", "line");
    json_put_number(question, "line", number_of(other, "line"));
    json_put_number(question, "block", place_linear(block, grid));
    json_put_number(question, "thread",
                    place_linear(json_array(other, "thread"), json_array(session->last, "extent")));
    return seek(session, question, &(Moment){.step = number_of(session->last, "step") + 1});
}

/* ---- what is asked ---- */

static bool is_setup(const char *name) {
    return strcmp(name, "break") == 0 || strcmp(name, "watch") == 0 || strcmp(name, "catch") == 0;
}

static void forget_point(Session *session, int64_t number) {
    for (size_t i = 0; i < json_object_array_length(session->setup); i++)
        if (number_of(json_object_array_get_idx(session->setup, i), "number") == number) {
            json_object_array_del_idx(session->setup, i, 1);
            return;
        }
}

/** What later runs are told too: with the number that it has got. */
static void keep_setup(Session *session, const char *name, json_object *question, json_object *answer) {
    if (!json_flag(answer, "ok", false)) return;
    if (strcmp(name, "delete") == 0) forget_point(session, number_of(question, "number"));
    if (!is_setup(name)) return;
    if (strcmp(name, "catch") != 0) json_put_number(question, "number", number_of(answer, "number"));
    if (session->last != NULL && !session->ended)
        json_put_number(question, "since", number_of(session->last, "step"));
    static const char *const watched[] = {"block_number", "thread_number", "address",
                                          "bytes",        "launch",        "kind"};
    for (size_t i = 0; strcmp(name, "watch") == 0 && i < sizeof watched / sizeof *watched; i++)
        if (json_object_object_get_ex(answer, watched[i], NULL))
            json_put_number(question, watched[i], number_of(answer, watched[i]));
    if (strcmp(name, "watch") == 0) json_put_text(question, "type", json_text(answer, "type", ""));
    json_object_array_add(session->setup, json_object_get(question));
}

static bool has_point(const Session *session, int64_t number) {
    for (size_t i = 0; i < json_object_array_length(session->setup); i++)
        if (number_of(json_object_array_get_idx(session->setup, i), "number") == number) return true;
    return false;
}

static int64_t free_number(const Session *session) {
    int64_t number = 1;
    while (has_point(session, number))
        number++;
    return number;
}

/** After the end, what is set up is for the runs that lead back from there; a value that is to be watched
 * needs a run. NULL: it is nothing of that kind. */
static json_object *set_up_ended(Session *session, const char *name, json_object *question) {
    bool breaks = strcmp(name, "break") == 0, deletes = strcmp(name, "delete") == 0;
    if (!session->ended || (!breaks && !deletes && strcmp(name, "catch") != 0)) return NULL;
    if (breaks && json_number(question, "line", 0) <= 0 && json_text(question, "kernel", NULL) == NULL)
        return NULL;
    if (deletes && !has_point(session, number_of(question, "number")))
        return refusal("there is no such breakpoint");
    json_object *answer = json_object_new_object();
    json_put_flag(answer, "ok", true);
    if (breaks) json_put_number(answer, "number", free_number(session));
    if (breaks) json_put_number(answer, "line", 0);
    keep_setup(session, name, question, answer);
    return answer;
}

static json_object *start_again(Session *session) {
    json_object_put(session->last);
    session->last = NULL;
    json_object *problem = start_run(session);
    if (problem != NULL) return problem;
    json_object *answer = json_object_new_object();
    json_put_flag(answer, "ok", true);
    return answer;
}

static json_object *ask(Session *session, const char *name, json_object *question) {
    if (strcmp(name, "start") == 0) return start_again(session);
    if (strcmp(name, "interrupt") == 0) return refusal("a run is interrupted by the signal SIGINT");
    if (strcmp(name, "back") == 0) return go_back(session, question);
    if (strcmp(name, "goto") == 0) return go_to(session, question);
    if (strcmp(name, "other") == 0) return go_to_other(session, question);
    if (strcmp(name, "focus") == 0 && session->ended) return refusal("the program has ended; rc goes back");
    json_object *answer = set_up_ended(session, name, question);
    if (answer != NULL) return answer;
    if (!session_runs(session))
        return refusal(session->ended ? "the program has ended" : "the program is not being run");
    answer = exchange(session, question);
    keep_setup(session, name, question, answer);
    return answer;
}

/** A place in a source that was written after the program has lines that may not be those which run. */
static void note_changed(const Session *session, json_object *answer) {
    const char *file = json_text(answer, "file", "");
    struct stat source;
    if (*file == '\0' || stat(file, &source) != 0) return;
    const struct timespec *built = &session->built, *written = &source.st_mtim;
    bool later = written->tv_sec > built->tv_sec ||
                 (written->tv_sec == built->tv_sec && written->tv_nsec > built->tv_nsec);
    if (later) json_put_flag(answer, "source_changed", true);
}

json_object *session_ask(Session *session, json_object *question) {
    json_object *answer = ask(session, json_text(question, "command", ""), question);
    json_object_put(question);
    note_changed(session, answer);
    return answer;
}

json_object *session_get(Session *session, json_object *question, Text *error) {
    json_object *answer = session_ask(session, question);
    if (json_flag(answer, "ok", false)) return answer;
    if (error->length == 0) text_add(error, json_text(answer, "error", "it did not work"));
    json_object_put(answer);
    return NULL;
}

void session_say_end(json_object *stop, Text *out) {
    const long errors = json_number(stop, "errors", 0), status = json_number(stop, "exit_status", 0);
    const char *name = json_text(stop, "signal_name", NULL);
    if (name != NULL)
        text_format(out, "The program was ended by SIG%s; ", name);
    else if (json_number(stop, "signal", 0) > 0)
        text_format(out, "The program was ended by signal %ld; ", json_number(stop, "signal", 0));
    else if (json_flag(stop, "crashed", false))
        text_format(out, "The program has left without a word to the runtime, exit status %ld; ", status);
    else
        text_format(out, "The program has ended, exit status %ld; ", status);
    text_format(out, "%ld error%s found.", errors, errors == 1 ? "" : "s");
}

void session_say_changed(json_object *place, Text *out) {
    const char *file = json_text(place, "file", ""), *slash = strrchr(file, '/');
    if (!json_flag(place, "source_changed", false)) return;
    text_format(out,
                "%s is more recent than the program: the lines shown may not be those that run. Build the "
                "program again.",
                slash != NULL ? slash + 1 : file);
}

/* ---- life ---- */

Session *session_open(const DeviceOptions *device, char **argv, SessionOutput *output, void *self) {
    Session *session = calloc(1, sizeof *session);
    if (session == NULL) return NULL;
    *session = (Session){.device = *device,
                         .argv = argv,
                         .output = output,
                         .self = self,
                         .socket = -1,
                         .wire = -1,
                         .report = -1,
                         .pipes = {-1, -1},
                         .listens = -1,
                         .setup = json_object_new_array()};
    text_init(&session->input);
    signal(SIGPIPE, SIG_IGN);
    return session;
}

void session_listen(Session *session, int descriptor, SessionHeed *heed) {
    session->listens = descriptor;
    session->heed = heed;
}

void session_abandon(Session *session) {
    session->abandoned = true;
    session->listens = -1;
    end_group(session->program);
    end_group(session->service);
}

void session_close(Session *session) {
    if (session == NULL) return;
    stop_run(session);
    json_object_put(session->setup);
    json_object_put(session->last);
    json_object_put(session->finding);
    text_free(&session->input);
    free(session);
}
