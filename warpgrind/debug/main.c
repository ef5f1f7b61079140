/* main.c - the command `warpgrind debug`: options, and who is spoken to: a person, a file, or a program by
 * lines of JSON. */
#include "base/options.h"
#include "debug/dap.h"
#include "debug/terminal.h"
#include "device/reshape.h"

#include "base/text.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_GIVEN LONG_MIN

typedef struct Command {
    bool help, batch, json, dap;
    const char *file;
    long seed, devices;
    const char *card, *order, *reshape;
} Command;

static void fill_options(Option *table, Command *command) {
    const Option rows[] = {
        {OPTION_FLAG, 'h', "help", NULL, "show this text and the commands", &command->help},
        {OPTION_STRING, 'x', "commands", "FILE", "take commands from the file, then from the terminal",
         &command->file},
        {OPTION_FLAG, 0, "batch", NULL, "end after the commands of the file", &command->batch},
        {OPTION_FLAG, 0, "json", NULL, "be asked by lines of JSON (docs/debug-protocol.md)", &command->json},
        {OPTION_FLAG, 0, "dap", NULL,
         "be an editor's adapter, which names the program (docs/debug-adapter.md)", &command->dap},
        {OPTION_NUMBER, 0, "seed", "N", "order of blocks, warps and streams; 0 is in order", &command->seed},
        {OPTION_NUMBER, 0, "devices", "N", "virtual devices; 1 when not given", &command->devices},
        {OPTION_STRING, 0, "stream-order", "WHEN",
         "late: streams work when waited for (usual); early: as soon as they may", &command->order},
        {OPTION_STRING, 0, "card", "NAME", "the card to be like", &command->card},
        {OPTION_STRING, 0, "reshape", "N:GRID:BLOCK", "make launch N smaller, as warpgrind --smallest says",
         &command->reshape},
        {OPTION_END, 0, NULL, NULL, NULL, NULL},
    };
    memcpy(table, rows, sizeof rows);
}

static void print_help(const Option *table) {
    Text text = text_new();
    text_add(&text, "Usage: warpgrind debug [options] PROGRAM [ARGUMENTS...]\n\n"
                    "Runs a CUDA program step by step, forwards and backwards.\n\n");
    options_help(table, &text);
    text_add(&text, "\nCommands:\n\n");
    fwrite(text.bytes, 1, text.length, stdout);
    text_free(&text);
    terminal_help();
}

/* ---- lines of JSON ---- */

static void put_line(json_object *object) {
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    fflush(stdout);
}

/** What the program prints comes as an event between the answers. */
static void json_output(void *self, int stream, const char *bytes, size_t count) {
    (void)self;
    json_object *event = json_object_new_object();
    json_put_text(event, "event", "output");
    json_put_text(event, "stream", stream == 1 ? "stdout" : "stderr");
    Text text = text_new();
    text_append(&text, bytes, count);
    json_put_text(event, "text", text.bytes);
    text_free(&text);
    put_line(event);
    json_object_put(event);
}

static int serve_json(Session *session) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) >= 0 || terminal_was_interrupted(stdin)) {
        if (line == NULL || *line == '\0') continue;
        json_object *question = json_tokener_parse(line), *id = NULL;
        if (!json_object_is_type(question, json_type_object)) {
            json_object_put(question);
            question = json_object_new_object();
        }
        if (json_object_object_get_ex(question, "id", &id)) id = json_object_get(id);
        session_rest();
        json_object *answer = session_ask(session, question);
        if (id != NULL) json_object_object_add(answer, "id", id);
        put_line(answer);
        json_object_put(answer);
        *line = '\0';
    }
    free(line);
    return EXIT_FINE;
}

/* ---- main ---- */

static void on_interrupt(int signal_number) {
    (void)signal_number;
    session_interrupt();
}

/** Commands of the file come first, as if they had been typed. */
static int run_terminal(const Command *command, Terminal *terminal) {
    if (command->file != NULL) {
        FILE *file = fopen(command->file, "re");
        if (file == NULL) {
            perror(command->file);
            return EXIT_USAGE;
        }
        bool more = terminal_run(terminal, file, false);
        fclose(file);
        if (!more || command->batch) return EXIT_FINE;
    }
    terminal_run(terminal, stdin, isatty(STDIN_FILENO) != 0);
    return EXIT_FINE;
}

static int run_commands(const Command *command, Session *session) {
    if (command->json) return serve_json(session);
    Terminal *terminal = terminal_open(session);
    if (terminal == NULL) return EXIT_INTERNAL;
    const int status = run_terminal(command, terminal);
    terminal_close(terminal);
    return status;
}

static DeviceOptions device_options(const Command *command) {
    DeviceOptions device = {.devices = 1, .card = command->card};
    device.early = text_same(command->order, "early");
    if (command->seed != NOT_GIVEN) device.seed = (uint64_t)command->seed;
    if (command->devices != NOT_GIVEN) device.devices = (unsigned)command->devices;
    if (command->reshape != NULL) reshape_read(command->reshape, &device.reshape);
    return device;
}

static int debug_program(const Command *command, char **argv) {
    const DeviceOptions device = device_options(command);
    SessionOutput *output = terminal_output;
    if (command->json) output = json_output;
    Session *session = session_open(&device, argv, output, NULL);
    if (session == NULL) return EXIT_INTERNAL;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    int status = run_commands(command, session);
    session_close(session);
    return status;
}

static int serve_editor(const Command *command) {
    const DeviceOptions device = device_options(command);
    return dap_serve(&device);
}

/** Values that options do not take: the first one is said. */
static bool check_values(const Command *command, Diagnostics *diagnostics) {
    enum { MOST_DEVICES = 8 };
    DeviceReshape reshape;
    bool fine = (command->seed == NOT_GIVEN ||
                 options_check_range("seed", command->seed, 0, LONG_MAX, diagnostics)) &&
                (command->devices == NOT_GIVEN ||
                 options_check_range("devices", command->devices, 1, MOST_DEVICES, diagnostics)) &&
                options_check_words("stream-order", command->order, "late,early", false, diagnostics);
    if (!fine || command->reshape == NULL || reshape_read(command->reshape, &reshape)) return fine;
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--reshape takes LAUNCH:GRID:BLOCK, as in 3:4:64,2");
    return false;
}

static int tell_usage(const Diagnostics *diagnostics) {
    Text text = text_new();
    diag_render(diagnostics, &text, false);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
    return EXIT_USAGE;
}

static int run(const Command *command, const Option *table, char **argv) {
    if (command->help) {
        print_help(table);
        return EXIT_FINE;
    }
    if (command->dap) return serve_editor(command);
    if (*argv != NULL) return debug_program(command, argv);
    fputs("warpgrind debug: which program?\n", stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    enum { OPTION_COUNT = 11 };
    Command command = {.seed = NOT_GIVEN, .devices = NOT_GIVEN};
    Option table[OPTION_COUNT];
    fill_options(table, &command);
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    const int first = options_parse(table, argc, argv, true, &diagnostics);
    int status;
    if (first < 0 || !check_values(&command, &diagnostics))
        status = tell_usage(&diagnostics);
    else
        status = run(&command, table, argv + first);
    arena_destroy(arena);
    return status;
}
