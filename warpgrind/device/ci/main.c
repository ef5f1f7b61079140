/* main.c - the command `warpgrind ci`; see ci.h. */
#include "device/ci/ci.h"

#include "base/options.h"
#include "device/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAIL_WORDS "error,note,never"

static void fill_options(Option *table, CiOptions *options) {
    const Option rows[] = {
        {OPTION_FLAG, 'h', "help", NULL, "show this text", &options->help},
        {OPTION_STRING, 0, "fail-on", "WHAT",
         "error (usual); note: notes too; never: findings do not fail the run", &options->fail_on},
        {OPTION_STRING, 0, "baseline", "FILE", "findings in this file are known, and fail nothing",
         &options->baseline},
        {OPTION_STRING, 0, "write-baseline", "FILE",
         "write all findings of this run, as a baseline for the next ones", &options->write_baseline},
        {OPTION_STRING, 0, "suppress", "FILE",
         "leave out findings: lines KIND FILE:LINE, KIND KERNEL or KIND *", &options->suppress},
        {OPTION_STRING, 0, "report", "FILE", "write the merged report as JSON", &options->report},
        {OPTION_STRING, 0, "sarif", "FILE", "write the findings as SARIF 2.1.0", &options->sarif},
        {OPTION_STRING, 0, "junit", "FILE", "write a JUnit file, with a test case for each finding",
         &options->junit},
        {OPTION_STRING, 0, "markdown", "FILE",
         "add a summary to the file; in a GitHub job, GITHUB_STEP_SUMMARY when not given",
         &options->markdown},
        {OPTION_FLAG, 0, "annotations", NULL,
         "print GitHub's annotations; in a GitHub job they are printed anyway", &options->annotations},
        {OPTION_STRING, 0, "root", "FOLDER", "files are named from here; the current folder when not given",
         &options->root},
        {OPTION_STRING, 0, "checks", "LIST", "as for warpgrind", &options->checks},
        {OPTION_STRING, 0, "threads", "N", "as for warpgrind", &options->threads},
        {OPTION_STRING, 0, "card", "NAME", "as for warpgrind", &options->card},
        {OPTION_NUMBER, 0, "devices", "N", "as for warpgrind", &options->devices},
        {OPTION_NUMBER, 0, "memory", "MIB", "as for warpgrind", &options->memory_mib},
        {OPTION_NUMBER, 0, "steps", "N", "as for warpgrind", &options->steps},
        {OPTION_NUMBER, 0, "seed", "N", "as for warpgrind", &options->seed},
        {OPTION_FLAG, 0, "full", NULL, "print every finding in full", &options->full},
        {OPTION_FLAG, 'q', "quiet", NULL, "print the summary alone", &options->quiet},
        {.kind = OPTION_END},
    };
    memcpy(table, rows, sizeof rows);
}
enum { OPTION_COUNT = 21 };

static void print_help(const Option *table) {
    Text text = text_new();
    text_add(&text, "Usage: warpgrind ci [options] -- COMMAND [ARGUMENTS...]\n\n"
                    "Runs a program, or a whole test run such as ctest, pytest or make check, and checks "
                    "every CUDA process in it\n"
                    "on a software GPU: one report for all, and one exit status.\n\n");
    options_help(table, &text);
    text_add(&text, "\nExit status: the command's own when it failed by itself; 1 when something new was "
                    "found, when a process could not\n"
                    "be checked, or when no kernel ran; 0 when all is well; 2 for a wrong command line; 3 "
                    "for a bug in warpgrind.\n");
    fputs(text.bytes, stdout);
    text_free(&text);
}

static int tell(const Diagnostics *diagnostics) {
    Text text = text_new();
    diag_render(diagnostics, &text, options_colour(NULL, STDERR_FILENO));
    fputs(text.bytes, stderr);
    text_free(&text);
    return diag_status(diagnostics);
}

/* ---- files ---- */

typedef void AddText(const CiRun *run, Text *out);

static bool write_text(const CiRun *run, const char *path, AddText *add, Diagnostics *diagnostics) {
    if (path == NULL) return true;
    Text text = text_new();
    add(run, &text);
    bool written = !text.failed && text_write_file(path, text.bytes, text.length);
    text_free(&text);
    if (!written) diag_add_errno(diagnostics, path, plain_ci(CI_NOT_WRITTEN));
    return written;
}

static void add_report(const CiRun *run, Text *out) {
    text_add(out, json_object_to_json_string_ext(run->report,
                                                 JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_add(out, "\n");
}

static void add_sarif(const CiRun *run, Text *out) {
    struct json_object *log = ci_sarif(run);
    text_add(out,
             json_object_to_json_string_ext(log, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_add(out, "\n");
    json_object_put(log);
}

/* Added to the file, since several steps of a job share its summary. */
static bool write_markdown(const CiRun *run, const char *path, const char *why, Diagnostics *diagnostics) {
    if (path == NULL) return true;
    Text text = text_new();
    ci_add_markdown(run, why, &text);
    FILE *file = fopen(path, "ae");
    bool written = file != NULL && fwrite(text.bytes, 1, text.length, file) == text.length;
    if (file != NULL && fclose(file) != 0) written = false;
    text_free(&text);
    if (!written) diag_add_errno(diagnostics, path, plain_ci(CI_NOT_WRITTEN));
    return written;
}

static bool write_files(const CiRun *run, const CiOptions *options, const char *why,
                        Diagnostics *diagnostics) {
    const char *github = getenv("GITHUB_ACTIONS");
    bool in_github = github != NULL && strcmp(github, "true") == 0;
    const char *markdown = options->markdown;
    if (markdown == NULL && in_github) markdown = getenv("GITHUB_STEP_SUMMARY");
    if (options->annotations || in_github) {
        Text text = text_new();
        ci_add_annotations(run, &text);
        fputs(text.bytes, stdout);
        text_free(&text);
    }
    bool fine = write_text(run, options->report, add_report, diagnostics);
    fine = write_text(run, options->sarif, add_sarif, diagnostics) && fine;
    fine = write_text(run, options->junit, ci_add_junit, diagnostics) && fine;
    fine = write_markdown(run, markdown, why, diagnostics) && fine;
    if (options->write_baseline != NULL && !ci_write_baseline(run, options->write_baseline)) {
        diag_add_errno(diagnostics, options->write_baseline, plain_ci(CI_NOT_WRITTEN));
        fine = false;
    }
    return fine;
}

/* ---- the run ---- */

static const char *join(Arena *arena, char **argv) {
    Text text = text_new();
    for (; *argv != NULL; argv++) {
        if (text.length > 0) text_add(&text, " ");
        text_add(&text, *argv);
    }
    const char *all = arena_keep(arena, &text);
    if (all != NULL) return all;
    return "";
}

static void say_line(const char *line, size_t length) {
    fprintf(stderr, "warpgrind ci: %.*s\n", (int)length, line);
}

static void say_outcome(const CiRun *run, const char *why) {
    Text counts = text_new();
    CiFacts facts = {.errors = run->new_errors, .notes = run->new_notes, .known = run->known};
    say_ci(&counts, CI_COUNTS, &facts);
    say_line(counts.bytes, counts.length);
    text_free(&counts);
    for (const char *line = why; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        say_line(line, strcspn(line, "\n"));
    const char *end = plain_ci(*why != '\0' ? CI_FAILED : CI_PASSED);
    say_line(end, strlen(end));
}

/* A baseline that cannot be read is found before the command takes its time. */
static int check_and_run(Arena *arena, const CiOptions *options, char **argv, Diagnostics *diagnostics) {
    CiRun run = {.command = join(arena, argv)}, none = {.report = NULL};
    const char *fail_on = "error";
    if (options->fail_on != NULL) fail_on = options->fail_on;
    if (!options_check_words("fail-on", fail_on, FAIL_WORDS, false, diagnostics)) return EXIT_USAGE;
    if (!ci_read_baseline(&none, arena, options->baseline, diagnostics)) return EXIT_USAGE;
    if (!ci_run_command(&run, arena, options, argv, diagnostics)) {
        json_object_put(run.report);
        if (run.findings_status != 0) return run.findings_status;
        return EXIT_INTERNAL;
    }
    Text why = text_new();
    int status = EXIT_INTERNAL;
    if (ci_read_baseline(&run, arena, options->baseline, diagnostics)) {
        status = ci_judge(&run, fail_on, &why);
        say_outcome(&run, why.bytes);
        if (!write_files(&run, options, why.bytes, diagnostics)) status = diag_status(diagnostics);
    }
    text_free(&why);
    json_object_put(run.report);
    return status;
}

int main(int argc, char **argv) {
    CiOptions options = {.devices = -1, .memory_mib = -1, .steps = -1, .seed = -1};
    Option table[OPTION_COUNT];
    fill_options(table, &options);
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    int first = options_parse(table, argc, argv, true, &diagnostics), status = EXIT_FINE;
    if (first < 0)
        status = EXIT_USAGE;
    else if (options.help)
        print_help(table);
    else if (first == argc) {
        advise(diag_add(&diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_ci(CI_NO_COMMAND)),
               plain_ci(CI_NO_COMMAND_REMEDY));
        status = EXIT_USAGE;
    } else
        status = check_and_run(arena, &options, argv + first, &diagnostics);
    if (diagnostics.first != NULL) tell(&diagnostics);
    arena_destroy(arena);
    return status;
}
