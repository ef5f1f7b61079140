/* serve.c - the command `serve`: listens on this machine's own address, starts the process that speaks HTTP,
 * and is its desk until a signal ends both.
 */
#include "serve/desk/serve.h"

#include "autograder/course/work.h"
#include "autograder/sandbox/child.h"
#include "serve/desk/desk.h"
#include "serve/texts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum {
    USUAL_PORT = 8470,
    LOOK_MILLISECONDS = 250,
    HURRY_MILLISECONDS = 10,
    LARGEST_BACKLOG = 1024,
    END_SECONDS = 5
};

/** The command while it runs. */
typedef struct Server {
    Desk desk;
    Child web;
    int listening, signals;
    uint32_t port;
    bool ended;         /* by a signal, or a key that stands for one */
    const char *folder; /* of a class; NULL: for one learner */
    const char *file;   /* at which it listens in place of a port; NULL */
    bool has_terminal;
    struct termios before; /* as the shell had it */
} Server;

/** What the command was asked for. */
typedef struct ServeWords {
    long port, jobs;
    const char *host, *header, *proxy;
    bool afresh;
} ServeWords;

static bool refuse(Session *session, ServeText problem, ServeText remedy, const ServeFacts *facts) {
    Diagnostic *added = diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                                 told_serve(session->arena, problem, facts));
    return advise(added, told_serve(session->arena, remedy, facts));
}

/* ---- what it begins with ---- */

/* The loopback alone: what is not on this machine cannot even try. */
static bool listen_at(Server *server, Session *session, long port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1;
    server->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(server->listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    bool fine = server->listening >= 0 && bind(server->listening, (struct sockaddr *)&address, size) == 0 &&
                listen(server->listening, LARGEST_BACKLOG) == 0 &&
                getsockname(server->listening, (struct sockaddr *)&address, &size) == 0;
    server->port = ntohs(address.sin_port);
    if (fine) return true;
    const ServeFacts facts = {.port = (SaySetting)port, .why = strerror(errno)};
    const bool taken = errno == EADDRINUSE;
    return refuse(session, taken ? SERVE_PORT_TAKEN : SERVE_NO_PORT,
                  taken ? SERVE_PORT_TAKEN_REMEDY : SERVE_NO_PORT_REMEDY, &facts);
}

/* A socket of a file, for a proxy on this machine: who may write to its folder and file may ask. One that was
 * left by a server that was killed answers nobody, and is replaced. */
static bool listen_at_file(Server *server, Session *session) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = strlen(server->file);
    server->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    errno = ENAMETOOLONG;
    bool fine = length < sizeof address.sun_path && server->listening >= 0;
    if (fine) {
        memcpy(address.sun_path, server->file, length);
        const struct sockaddr *name = (const struct sockaddr *)(const void *)&address;
        if (connect(server->listening, name, sizeof address) != 0 && errno == ECONNREFUSED)
            unlink(server->file);
        const mode_t before = umask(0117);
        fine = bind(server->listening, name, sizeof address) == 0 &&
               listen(server->listening, LARGEST_BACKLOG) == 0;
        umask(before);
    }
    if (fine) return true;
    const ServeFacts facts = {.path = server->file, .why = strerror(errno)};
    return refuse(session, SERVE_NO_FILE, SERVE_NO_FILE_REMEDY, &facts);
}

static bool draw_secret(char secret[WIRE_SECRET + 1]) {
    static const char letters[] = "0123456789abcdef";
    unsigned char bytes[WIRE_SECRET / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < WIRE_SECRET; i++)
        secret[i] = letters[(bytes[i / 2] >> (i % 2 * 4)) & 15];
    secret[WIRE_SECRET] = '\0';
    return true;
}

/* The folder of what the learner writes is there, and can be written to: a page that cannot save is no use.
 */
static bool find_work(Server *server, Session *session) {
    const char *work = arena_format(session->arena, "%s/work", server->desk.course.root);
    if (work != NULL && (mkdir(work, 0755) == 0 || errno == EEXIST) && access(work, W_OK | X_OK) == 0)
        return true;
    return refuse(session, SERVE_NO_WORK, SERVE_NO_WORK_REMEDY, &(ServeFacts){.why = strerror(errno)});
}

static void find_pages(Server *server, Session *session) {
    const Course *course = &server->desk.course;
    server->desk.pages = lessons_pages(course, session->arena);
    const char *assets = arena_format(session->arena, "%s/serve", course->build);
    if (assets != NULL && access(assets, R_OK | X_OK) == 0) server->desk.assets = assets;
}

static void set_up(Desk *desk) {
    text_init(&desk->in);
    text_init(&desk->out);
    desk->only.root = desk->course.root;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        desk->errands[i].coming = -1;
}

/* ---- the other process ---- */

/* Its secrets go over the socket, as what stands on a command line is everybody's to read. */
static bool start_web(Server *server, Session *session, const WireHello *hello) {
    const char *program = arena_format(session->arena, "%s/bin/warpschool-http", server->desk.course.build);
    if (program == NULL || access(program, X_OK) != 0)
        return refuse(session, SERVE_NO_SERVER, SERVE_NO_SERVER_REMEDY, &(ServeFacts){0});
    int ends[2];
    const char *const argv[] = {program, NULL};
    bool fine = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    if (fine) {
        const ChildSetup setup = {.argv = argv,
                                  .extra_fds = {server->listening, ends[1]},
                                  .user = (uid_t)-1,
                                  .capture_limit = 4096};
        fine = child_start(&server->web, &setup);
        close(ends[1]);
        server->desk.web = ends[0];
        fine = fine && send(ends[0], hello, sizeof *hello, MSG_NOSIGNAL) == (ssize_t)sizeof *hello;
    }
    if (fine) return true;
    return refuse(session, SERVE_NOT_STARTED, SERVE_ENDED_REMEDY, &(ServeFacts){.why = strerror(errno)});
}

/* It ends when its socket to the desk does. */
static void end_web(Server *server) {
    shutdown(server->desk.web, SHUT_RDWR);
    close(server->desk.web);
    Child *children[] = {&server->web};
    const double deadline = child_now() + (double)END_SECONDS;
    while (!server->web.ended && child_now() < deadline)
        child_watch(children, 1, deadline);
    if (!server->web.ended) child_kill(&server->web);
}

/* ---- the terminal ---- */

/* Ctrl-C as a key: as a signal it would reach make as well, which would complain after the last words. In the
 * background the terminal is somebody else's. */
static void open_terminal(Server *server) {
    if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
        tcgetattr(STDIN_FILENO, &server->before) != 0)
        return;
    struct termios quiet = server->before;
    quiet.c_lflag &= ~(tcflag_t)(ISIG | ICANON | ECHO);
    server->has_terminal = tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0;
}

static void leave_terminal(const Server *server) {
    if (server->has_terminal) tcsetattr(STDIN_FILENO, TCSANOW, &server->before);
}

/* A terminal that is gone ends the server, too. */
static void read_keys(Server *server) {
    enum { INTERRUPT = 3, END_OF_INPUT = 4 };
    char keys[64];
    ssize_t got = read(STDIN_FILENO, keys, sizeof keys);
    server->ended = got <= 0 && errno != EINTR;
    for (ssize_t i = 0; i < got; i++)
        if (keys[i] == INTERRUPT || keys[i] == END_OF_INPUT || keys[i] == 'q') server->ended = true;
}

/* ---- the loop ---- */

static int read_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    static const int those[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof those / sizeof *those; i++)
        sigaddset(&set, those[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool has_listeners(const Desk *desk) {
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial != 0) return true;
    return false;
}

/* Pages that are open hear of changes that somebody else made to their file. */
static void look_at_files(Desk *desk) {
    Diagnostics outer;
    if (desk->office == NULL && !has_listeners(desk)) return;
    if (!desk_begin(desk, &outer)) return;
    if (desk->office != NULL)
        desk->office->look(desk); /* the files are written here alone */
    else if (desk_sit(desk, &desk->only))
        source_look(desk);
    desk_end(desk, &outer);
}

enum {
    POLLED_SIGNALS,
    POLLED_WEB,
    POLLED_KEYS,
    POLLED_ERRANDS,
    POLLED_COUNT = POLLED_ERRANDS + DESK_MOST_ERRANDS
};

/* What is slept for. Only errands that run, since poll(2) takes no more places than a process may have files
 * open. */
typedef struct Awaited {
    struct pollfd polled[POLLED_COUNT];
    Errand *errands[DESK_MOST_ERRANDS]; /* whose output stands at POLLED_ERRANDS and behind it */
    nfds_t count;
} Awaited;

static void await_something(Server *server, Awaited *awaited) {
    Desk *desk = &server->desk;
    struct pollfd *polled = awaited->polled;
    short sending = 0;
    if (desk->out.length > 0) sending = POLLOUT;
    polled[POLLED_SIGNALS] = (struct pollfd){.fd = server->signals, .events = POLLIN};
    polled[POLLED_WEB] = (struct pollfd){.fd = desk->web, .events = (short)(POLLIN | sending)};
    polled[POLLED_KEYS] = (struct pollfd){.fd = server->has_terminal ? STDIN_FILENO : -1, .events = POLLIN};
    awaited->count = POLLED_ERRANDS;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        Errand *errand = &desk->errands[i];
        if (errand->coming < 0) continue;
        awaited->errands[awaited->count - POLLED_ERRANDS] = errand;
        polled[awaited->count++] = (struct pollfd){.fd = errand->coming, .events = POLLIN};
    }
    int patience = -1;
    if (has_listeners(desk)) patience = LOOK_MILLISECONDS;
    if (desk->office != NULL) patience = desk->hurries ? HURRY_MILLISECONDS : LOOK_MILLISECONDS;
    if (desk->behind) patience = 0;
    poll(polled, awaited->count, patience);
}

/* Sleeps until an order, output of an errand, a key or a signal; and looks at files while somebody has one
 * open. */
static bool turn(Server *server) {
    Desk *desk = &server->desk;
    Awaited awaited;
    await_something(server, &awaited);
    const struct pollfd *polled = awaited.polled;
    if (polled[POLLED_SIGNALS].revents != 0) server->ended = true;
    if (polled[POLLED_KEYS].revents != 0) read_keys(server);
    if (server->ended) return false;
    for (nfds_t i = POLLED_ERRANDS; i < awaited.count; i++) {
        Errand *errand = awaited.errands[i - POLLED_ERRANDS];
        if (polled[i].revents != 0 && polled[i].fd == errand->coming) errand_read(desk, errand);
    }
    look_at_files(desk);
    bool called = (polled[POLLED_WEB].revents & (POLLIN | POLLHUP | POLLERR)) != 0 || desk->behind;
    bool fine = !called || desk_listen(desk);
    errands_go(desk);
    return desk_send(desk) && fine;
}

static void end(Server *server) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        errand_stop(&server->desk.errands[i]);
    end_web(server);
}

/* ---- the command ---- */

static void greet_class(const Server *server, Session *session) {
    const ServeFacts facts = {.port = server->port, .path = server->folder, .name = server->file};
    commands_say(told_serve(session->arena, server->file != NULL ? SERVE_CLASS_FILE : SERVE_CLASS, &facts));
    commands_say(told_serve(session->arena, SERVE_CLASS_LINKS, &facts));
}

static void greet_learner(const Server *server, Session *session, const WireHello *hello) {
    const char *work =
        work_shown_path(session->arena, arena_format(session->arena, "%s/work", server->desk.course.root));
    commands_say(TOLD_SERVE(ADDRESS, session->arena, .port = server->port, .key = hello->key));
    commands_say(TOLD_SERVE(HOW, session->arena, .path = work));
}

static void say_hello(const Server *server, Session *session, const WireHello *hello) {
    if (server->folder != NULL)
        greet_class(server, session);
    else
        greet_learner(server, session, hello);
    if (server->desk.pages == NULL) commands_say(plain_serve(SERVE_NO_PAGES));
    const char *editor = arena_format(session->arena, "%s/editor.js", text_or(server->desk.assets, ""));
    if (editor == NULL || access(editor, R_OK) != 0) commands_say(plain_serve(SERVE_NO_EDITOR));
    fflush(stdout);
}

/* What the other process said last, where it ended by itself. */
static int conclude(Server *server, Session *session) {
    const char *work =
        work_shown_path(session->arena, arena_format(session->arena, "%s/work", server->desk.course.root));
    if (server->folder != NULL) work = server->folder;
    if (server->ended) {
        commands_say(TOLD_SERVE(GOODBYE, session->arena, .path = work, .class = server->folder != NULL));
        return EXIT_FINE;
    }
    const char *said;
    if (server->web.streams[1].length > 0)
        said = server->web.streams[1].bytes;
    else
        said = strerror(EPIPE);
    refuse(session, SERVE_ENDED, SERVE_ENDED_REMEDY,
           &(ServeFacts){.why = arena_copy(session->arena, said, strcspn(said, "\n"))});
    return EXIT_INTERNAL;
}

/* The folders of whoever learns here, and where browsers may come in. EXIT_FINE, or the status to end with.
 */
static int open_house(Server *server, Session *session, const ServeWords *words) {
    Desk *desk = &server->desk;
    if (server->folder == NULL && !find_work(server, session)) return EXIT_INTERNAL;
    bool fine;
    if (server->file != NULL)
        fine = listen_at_file(server, session);
    else
        fine = listen_at(server, session, words->port);
    if (!fine) return EXIT_USAGE;
    find_pages(server, session);
    if (!groups_read(&desk->groups, session->arena, &desk->course)) return EXIT_INTERNAL;
    set_up(desk);
    if (server->folder == NULL) return EXIT_FINE;
    if (session->classes->open(desk, server->folder, words->host, !words->afresh)) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}

static void close_house(Server *server, Session *session) {
    Desk *desk = &server->desk;
    text_free(&desk->in);
    text_free(&desk->out);
    if (server->folder != NULL) session->classes->close(desk);
    desk_free_seat(desk, &desk->only);
    if (server->file != NULL) unlink(server->file);
}

static int serve(Server *server, Session *session, const ServeWords *words, WireHello *hello) {
    int status = open_house(server, session, words);
    if (status != EXIT_FINE) return status;
    hello->port = server->port;
    if (!draw_secret(hello->key) || !draw_secret(hello->cookie)) return EXIT_INTERNAL;
    if (!start_web(server, session, hello)) return EXIT_INTERNAL;
    close(server->listening);
    server->signals = read_signals();
    say_hello(server, session, hello);
    open_terminal(server);
    while (turn(server)) {
    }
    leave_terminal(server);
    end(server);
    status = conclude(server, session);
    close_house(server, session);
    child_free(&server->web);
    close(server->signals);
    return status;
}

/* What a class has words for, and one learner has not. */
static bool take_class(Session *session, Server *server, const ServeWords *words, WireHello *hello) {
    const struct {
        const char *value;
        char *room;
    } names[] = {{words->host, hello->host}, {words->header, hello->header}, {words->proxy, hello->proxy}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].value == NULL) continue;
        if (server->folder == NULL || strlen(names[i].value) >= WIRE_NAME)
            return refuse(session, SERVE_FOR_CLASS, SERVE_FOR_CLASS_REMEDY, &(ServeFacts){0});
        memcpy(names[i].room, names[i].value, strlen(names[i].value) + 1);
    }
    if (server->folder == NULL) return true;
    if (session->classes == NULL)
        return refuse(session, SERVE_NO_CLASSES, SERVE_NO_CLASSES_REMEDY, &(ServeFacts){0});
    if (words->header != NULL && words->proxy == NULL && server->file == NULL)
        return refuse(session, SERVE_NO_PROXY, SERVE_NO_PROXY_REMEDY, &(ServeFacts){0});
    if (!text_same(session->sandbox, "") && !text_same(session->sandbox, "full"))
        return refuse(session, SERVE_UNLOCKED, SERVE_UNLOCKED_REMEDY, &(ServeFacts){0});
    hello->is_class = 1;
    hello->on_file = server->file != NULL;
    session->sandbox = "full";
    return true;
}

/* `warpschool serve` */
int serve_run(Session *session, int argc, char **argv) {
    ServeWords words = {.port = USUAL_PORT};
    Server server = {.desk = {.session = session}};
    const Option options[] = {
        {OPTION_NUMBER, 0, "port", "N", "where to listen on 127.0.0.1 (8470); 0: any port that is free",
         &words.port},
        {OPTION_STRING, 0, "sandbox", "WHICH", "full, or none: check your own file without one",
         &session->sandbox},
        {OPTION_STRING, 0, "class", "DIR", "for a class: its folder, with roster.csv", &server.folder},
        {OPTION_NUMBER, 'j', "jobs", "N", "of a class: checks at a time (as many as there are cores)",
         &words.jobs},
        {OPTION_STRING, 0, "host", "NAME", "of a class: listen to https://NAME, behind a proxy", &words.host},
        {OPTION_STRING, 0, "socket", "FILE", "of a class: listen at this file, not at a port", &server.file},
        {OPTION_STRING, 0, "user-header", "NAME", "of a class: the header in which the proxy names a student",
         &words.header},
        {OPTION_STRING, 0, "proxy", "ADDRESS", "of a class: believe that header from this address",
         &words.proxy},
        {OPTION_FLAG, 0, "no-reuse", NULL, "of a class: judge each text again, however often it comes",
         &words.afresh},
        {.kind = OPTION_END}};
    WireHello hello = {0};
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    if (!options_check_range("port", words.port, 0, 65535, &session->diagnostics) ||
        !options_check_range("jobs", words.jobs, 0, DESK_MOST_ERRANDS / 2, &session->diagnostics))
        return EXIT_USAGE;
    if (!take_class(session, &server, &words, &hello)) return EXIT_USAGE;
    if (!commands_load_course(session, &server.desk.course)) return EXIT_INTERNAL;
    if (words.jobs > 0)
        server.desk.jobs = words.jobs;
    else
        server.desk.jobs = sysconf(_SC_NPROCESSORS_ONLN);
    return serve(&server, session, &words, &hello);
}
