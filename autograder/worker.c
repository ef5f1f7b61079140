/* worker.c - forks, checks in the child, reads the result in the parent; see worker.h. */
#include "autograder/worker.h"

#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST_RESULT = 16 << 20 };

static bool write_whole(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

static _Noreturn void work(const WorkerOrder *order, int out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Result result = {0};
    Check check = {.arena = arena,
                   .course = order->course,
                   .lesson = order->lesson,
                   .judge = order->judge,
                   .submission = order->submission,
                   .seed = order->seed,
                   .result = &result,
                   .diagnostics = &diagnostics,
                   .show_times = order->show_times,
                   .unlocked = order->unlocked,
                   .picture = order->picture,
                   .isolated = order->isolated};
    if (arena == NULL) _exit(EXIT_INTERNAL);
    check_run(&check);
    struct json_object *json = result_to_json(&result);
    const char *text =
        json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool sent = text != NULL && write_whole(out, text, strlen(text));
    _exit(sent ? EXIT_FINE : EXIT_INTERNAL);
}

static void read_whole(int fd, Text *text) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || text->length > LARGEST_RESULT) return;
        text_append(text, buffer, (size_t)got);
    }
}

static struct json_object *result_of_fault(const WorkerOrder *order, const char *problem) {
    Result result = {.lesson = order->lesson->name,
                     .verdict = VERDICT_ERROR,
                     .device = "warpgrind",
                     .sandbox = "none",
                     .problem = problem,
                     .remedy =
                         "check again; if it happens again, warpschool doctor looks for what is missing"};
    return result_to_json(&result);
}

static struct json_object *await(const WorkerOrder *order, pid_t pid, int in) {
    Text text;
    text_init(&text);
    read_whole(in, &text);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    struct json_object *json = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FINE) json = json_tokener_parse(text.bytes);
    text_free(&text);
    return json != NULL ? json : result_of_fault(order, "the check itself failed before it had a result");
}

struct json_object *worker_check(const WorkerOrder *order) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result_of_fault(order, "no pipe could be made");
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(order, ends[1]);
    }
    close(ends[1]);
    struct json_object *json =
        pid > 0 ? await(order, pid, ends[0]) : result_of_fault(order, "no process could be made");
    close(ends[0]);
    return json;
}
