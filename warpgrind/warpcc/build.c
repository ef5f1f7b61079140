/* build.c - the steps with clang: two compilations of each .cu side by side, the device code into the object,
 * the link.
 * command.c has the command lines.
 */
#include "warpcc/one_start.h"
#include "warpcc/warpcc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PTX_LIMIT = 256 << 20 };

typedef struct Sides {
    Job device, host;
} Sides;

static int report_internal(const Build *build, const char *what) {
    diag_add(build->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s: %s", what, strerror(errno));
    return EXIT_INTERNAL;
}

static void show_command(const Build *build, const Arguments *command) {
    if (!build->request->verbose) return;
    for (size_t i = 0; i < command->count; i++)
        text_format(build->messages, "%s%s", command->items[i], i + 1 < command->count ? " " : "\n");
}

static int file_copy(const Build *build, const char *from, const char *to) {
    Text text = text_new();
    int status = EXIT_FINE;
    if (!text_read_file(&text, from, SIZE_MAX))
        status = report_internal(build, from);
    else if (!text_write_file(to, text.bytes, text.length))
        status = report_internal(build, to);
    text_free(&text);
    return status;
}

/* How one source is compiled: what it takes from libraries, and its precompiled headers or NULL. */
typedef struct Unit {
    const char *source;
    Libraries libraries;
    unsigned includes; /* see includes_leading */
    bool references;   /* of textures and surfaces */
    const char *device_header, *host_header;
    bool wide;         /* its copies of 16 bytes are made in LLVM's text */
    bool managed;      /* its __managed__ variables are, on both sides */
    bool placeholders; /* the host's use of its variables is watched, in the host's text */
} Unit;

static bool unit_goes_by_text(const Unit *unit) {
    return unit->wide || unit->managed;
}

static bool host_goes_by_text(const Unit *unit) {
    return unit->managed || unit->placeholders;
}

static void unit_read(const Build *build, Unit *unit) {
    enum { LARGEST = 64 << 20 };
    Text text = text_new();
    if (text_read_file(&text, unit->source, LARGEST)) {
        unit->libraries = libraries_find(text.bytes, &build->request->compile);
        unit->includes = includes_leading(build->arena, unit->source, &build->request->compile);
        unit->references = references_find(text.bytes);
        unit->placeholders = placeholders_expected(text.bytes);
    }
    text_free(&text);
}

/* A source with other libraries than CUB has none: what is precompiled was so without their options. */
static void headers_choose(const Build *build, Unit *unit) {
    const Request *request = build->request;
    bool usual = !request->standard && !request->toolkit && !request->whole_device &&
                 build->target->architecture == TARGET_USUAL && !includes_reserved(&request->compile);
    unit->device_header = unit->host_header = NULL;
    if (!usual) return;
    PrecompiledSide side = PRECOMPILED_OPTIMISED;
    if (request->level == '0') side = PRECOMPILED_DEVICE;
    unit->device_header = precompiled_find(build, side, unit->libraries, unit->includes);
    unit->host_header = precompiled_find(build, PRECOMPILED_HOST, unit->libraries, unit->includes);
}

/* With the architecture in the words of clang -v, where CMake looks for the usual one. */
static void show_device_command(const Build *build, const Arguments *command) {
    show_command(build, command);
    if (build->request->verbose)
        text_format(build->messages, "device code: -target-cpu sm_%u\n", build->target->architecture);
}

/* The device's side alone. */
static bool device_run(const Build *build, Sides *sides, const Arguments *device) {
    show_device_command(build, device);
    sides->host = (Job){.pid = -1, .output = -1};
    text_init(&sides->host.text);
    bool started = job_start(&sides->device, device);
    if (started) job_wait(&sides->device);
    return started;
}

/* Runs both; false when one could not be started. */
static bool sides_run(const Build *build, Sides *sides, const Arguments *device, const Arguments *host) {
    show_device_command(build, device);
    show_command(build, host);
    const char *library = arena_format(build->arena, "%s/" ONE_START_LIBRARY, build->tools->library_dir);
    return jobs_run(&sides->device, &sides->host, library, device, host);
}

static void sides_free(Sides *sides) {
    job_free(&sides->device);
    job_free(&sides->host);
}

static bool sides_fine(const Sides *sides) {
    return sides->device.status == 0 && sides->host.status == 0;
}

/* A precompiled header can grow stale in ways that only clang notices, such as a newer libc. */
static bool header_refused(const Sides *sides) {
    return !sides_fine(sides) &&
           (strstr(sides->device.text.bytes, "precompiled") ||
            strstr(sides->host.text.bytes, "precompiled") || strstr(sides->device.text.bytes, "PCH file") ||
            strstr(sides->host.text.bytes, "PCH file"));
}

/* Clang reads the copy for the file and goes on calling it by its name. */
static const char *source_remap(const Build *build, const char *source) {
    enum { LARGEST = 64 << 20 };
    const char *remap = NULL;
    Text text = text_new();
    bool read = text_read_file(&text, source, LARGEST);
    bool closed_up = read && launches_close_up(text.bytes);
    bool mended = read && spelling_mend(&text);
    if (closed_up || mended) {
        const char *copy = arena_format(build->arena, "%s/mended.cu", build->folder);
        if (copy && text_write_file(copy, text.bytes, text.length))
            remap = arena_format(build->arena, "%s;%s", source, copy);
    }
    text_free(&text);
    return remap;
}

static void command_references(Arguments *command, const Unit *unit) {
    if (unit->references)
        arguments_add_list(command, (const char *const[]){"-include", "texture_references.h", NULL});
}

static const char *text_name(const Build *build, const char *ptx) {
    return arena_format(build->arena, "%s.ll", ptx);
}

/* One file is compiled twice, side by side: for the device, and for the host with a placeholder where the
 * device code will be embedded. Where something must be changed on the way, the compiler stops at its text
 * (LLVM's for the host, PTX for the device). */
static bool unit_compile_with(const Build *build, Sides *sides, const Unit *unit, const char *ptx,
                              const char *object) {
    Arguments device, host;
    const char *placeholder = arena_format(build->arena, "%s/placeholder", build->folder);
    const char *remap = source_remap(build, unit->source);
    command_device(build, &device, unit->device_header, unit->libraries, build->request->level);
    bool by_text = unit_goes_by_text(unit);
    if (by_text)
        command_add_text(&device);
    else
        command_add_output(build, &device);
    command_references(&device, unit);
    command_remap(&device, remap);
    command_identify(build, &device, unit->source, false);
    command_end(&device, by_text ? text_name(build, ptx) : ptx, unit->source);
    if (build->request->host_from) return device_run(build, sides, &device);
    command_host(build, &host, unit->host_header, unit->libraries);
    command_references(&host, unit);
    command_remap(&host, remap);
    command_identify(build, &host, unit->source, true);
    command_depends(build, &host, unit->source);
    if (host_goes_by_text(unit))
        command_add_text(&host);
    else
        arguments_add(&host, "-c");
    arguments_add_list(&host, (const char *const[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL});
    arguments_add(&host, placeholder);
    command_end(&host, host_goes_by_text(unit) ? text_name(build, object) : object, unit->source);
    return sides_run(build, sides, &device, &host);
}

/* A clang may be older than the card that is asked for. */
static bool unit_compile_for(Build *build, Sides *sides, const Unit *unit, const char *ptx,
                             const char *object) {
    bool started = unit_compile_with(build, sides, unit, ptx, object);
    while (started && !sides_fine(sides) && target_refused(sides->device.text.bytes)) {
        const Target *older = target_older(build->target);
        if (!older) break;
        build->target = older;
        sides_free(sides);
        started = unit_compile_with(build, sides, unit, ptx, object);
    }
    return started;
}

/* Once more where the first attempt was made on a wrong guess: a library or a texture reference that only
 * another header has, or precompiled headers that do not fit. */
static bool unit_compile(Build *build, Sides *sides, Unit *unit, const char *ptx, const char *object) {
    headers_choose(build, unit);
    bool started = unit_compile_for(build, sides, unit, ptx, object);
    if (!started) return false;
    bool missed =
        unit->libraries == LIBRARIES_NONE && !sides_fine(sides) && libraries_missed(sides->device.text.bytes);
    bool referred = !unit->references && !sides_fine(sides) && references_missed(sides->device.text.bytes);
    bool refused = (unit->device_header || unit->host_header) && header_refused(sides);
    if (!missed && !referred && !refused) return true;
    if (missed) unit->libraries = LIBRARIES_SOME;
    if (missed || refused) unit->device_header = unit->host_header = NULL;
    unit->references |= referred;
    sides_free(sides);
    return unit_compile_with(build, sides, unit, ptx, object);
}

/* Changes a file of LLVM's text by `make`. */
static int text_change(const Build *build, const char *name, bool (*make)(Text *)) {
    Text code = text_new();
    int status = EXIT_FINE;
    if (!text_read_file(&code, name, PTX_LIMIT) || !make(&code) ||
        !text_write_file(name, code.bytes, code.length))
        status = report_internal(build, name);
    text_free(&code);
    return status;
}

/* The second step of device code that goes by LLVM's text. */
static int device_text_compile(const Build *build, const Unit *unit, const char *ptx) {
    const char *name = text_name(build, ptx);
    int status = EXIT_FINE;
    if (unit->wide) status = text_change(build, name, wide_copies_make);
    if (status == EXIT_FINE && unit->managed) status = text_change(build, name, managed_make_device);
    if (status != EXIT_FINE) return status;
    Arguments command;
    command_device_text(build, &command, name, ptx);
    return build_run_command(build, &command, build->messages);
}

/* The same for host code. -fPIC, so that it asks for the address of what another file may define. */
static int host_text_compile(const Build *build, const Unit *unit, const char *object) {
    const char *name = text_name(build, object);
    int status = EXIT_FINE;
    if (unit->placeholders) status = text_change(build, name, placeholders_watch);
    if (status == EXIT_FINE && unit->managed) status = text_change(build, name, managed_make_host);
    if (status != EXIT_FINE) return status;
    Arguments command;
    arguments_init(&command, build->arena);
    arguments_add_list(&command, (const char *const[]){build->tools->clang, "-c", "-fPIC", "-x", "ir", NULL});
    command_end(&command, object, name);
    status = build_run_command(build, &command, build->messages);
    if (status != EXIT_FINE || !unit->managed) return status;
    if (managed_redirect(object, build->diagnostics)) return EXIT_FINE;
    return EXIT_FOUND;
}

static int texts_compile(const Build *build, const Unit *unit, const char *ptx, const char *object) {
    int status = EXIT_FINE;
    if (unit_goes_by_text(unit)) status = device_text_compile(build, unit, ptx);
    bool host = host_goes_by_text(unit) && !build->request->host_from;
    if (status == EXIT_FINE && host) return host_text_compile(build, unit, object);
    return status;
}

/* The last look at the device code before it is embedded: names that nobody defines are told here, with
 * their lines, since no loader could do so. */
int build_finish_ptx(const Build *build, const char *ptx, bool whole) {
    Text code = text_new();
    int status = EXIT_FINE;
    bool read = text_read_file(&code, ptx, PTX_LIMIT);
    if (read) ptx_blank_builtins(&code);
    if (!read || !text_write_file(ptx, code.bytes, code.length)) {
        status = report_internal(build, ptx);
    } else if (!undefined_check(code.bytes, whole, build->diagnostics)) {
        status = EXIT_FOUND;
    } else if (build->request->keep_ptx &&
               !text_write_file(build->request->keep_ptx, code.bytes, code.length)) {
        status = report_internal(build, build->request->keep_ptx);
    }
    text_free(&code);
    return status;
}

static int code_embed(const Build *build, const char *file, const char *object) {
    Text code = text_new();
    int status = EXIT_FINE;
    if (!text_read_file(&code, file, PTX_LIMIT))
        status = report_internal(build, file);
    else if (!embed_device_code(object, code.bytes, code.length, build->diagnostics))
        status = EXIT_INTERNAL;
    text_free(&code);
    return status;
}

/* What the device side made, into the object: bitcode that is linked later, or PTX. */
static int device_code_embed(const Build *build, const char *file, const char *object) {
    int status = EXIT_FINE;
    if (!build->request->whole_device) status = build_finish_ptx(build, file, false);
    if (status == EXIT_FINE) return code_embed(build, file, object);
    return status;
}

static bool managed_expected(const Build *build, const char *source) {
    static const char *const names[] = {"__managed__", NULL};
    return source_names(build->arena, source, &build->request->compile, names);
}

/* The host's code does not depend on the device's level of optimisation, so an object that was made of the
 * same source has it already: with --host-from that one's device code gives way to what is compiled now. */
static int source_compile(Build *build, const char *source, const char *object) {
    const char *borrowed = build->request->host_from;
    if (borrowed && file_copy(build, borrowed, object) != EXIT_FINE) return EXIT_INTERNAL;
    const char *ptx = arena_format(build->arena, "%s.ptx", object);
    Sides sides;
    Unit unit = {.source = source,
                 .wide = wide_copies_expected(build->arena, source, &build->request->compile),
                 .managed = managed_expected(build, source)};
    unit_read(build, &unit);
    bool started = unit_compile(build, &sides, &unit, ptx, object);
    int status = EXIT_FOUND;
    if (!started) {
        status = report_internal(build, build->tools->clang);
    } else {
        messages_cut_crash(source, &sides.device.text);
        messages_cut_crash(source, &sides.host.text);
        messages_merge(sides.device.text.bytes, sides.host.text.bytes, build->messages);
        messages_advise(sides.device.text.bytes, build->messages);
        if (sides_fine(&sides)) status = texts_compile(build, &unit, ptx, object);
        if (status == EXIT_FINE) status = device_code_embed(build, ptx, object);
    }
    sides_free(&sides);
    return status;
}

/* Runs one command to its end; what it printed is the caller's to show, as some messages are reworded. */
int build_run_command(const Build *build, const Arguments *command, Text *said) {
    Job job;
    show_command(build, command);
    if (!job_start(&job, command)) {
        job_free(&job);
        return report_internal(build, command->items[0]);
    }
    job_wait(&job);
    text_add(said, job.text.bytes);
    int status = EXIT_FOUND;
    if (job.status == 0) status = EXIT_FINE;
    job_free(&job);
    return status;
}

/* A file of C or C++, as its ending says. It is the user's -O that counts here: no check looks at it. */
static int host_source_compile(const Build *build, const char *source, const char *object) {
    const Request *request = build->request;
    Arguments command;
    arguments_init(&command, build->arena);
    arguments_add_list(&command, (const char *const[]){build->tools->clang, "-c", "-g", "-fPIE", NULL});
    arguments_add(&command, arena_format(build->arena, "-O%c", request->level));
    bool plain_c = text_ends_with(source, ".c");
    if (!plain_c) arguments_add(&command, text_or(request->standard, "-std=gnu++17"));
    if (!plain_c) arguments_add(&command, "-Wno-unused-result"); /* of runtime calls: driver_types.h */
    if (request->openmp) arguments_add(&command, "-fopenmp");
    arguments_add(&command, request->colour ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
    arguments_add_list(&command, (const char *const[]){"-isystem", build->tools->include_dir, NULL});
    command_add_toolkit(build, &command);
    arguments_add_all(&command, &request->compile);
    mpi_add_headers(build->tools->mpi, &command);
    command_end(&command, object, source);
    Text said = text_new();
    int status = build_run_command(build, &command, &said);
    messages_merge("", said.bytes, build->messages);
    messages_advise(said.bytes, build->messages);
    text_free(&said);
    return status;
}

/* x.cu -> x.o in the current folder, as compilers do. */
static const char *object_name(Arena *arena, const char *source) {
    const char *slash = strrchr(source, '/');
    const char *base = source;
    if (slash) base = slash + 1;
    const char *point = strrchr(base, '.');
    return arena_format(arena, "%.*s.o", (int)(point - base), base);
}

static int sources_compile(Build *build, const Arguments *sources, bool cuda, Arguments *objects) {
    for (size_t i = 0; i < sources->count; i++) {
        const char *object = arena_format(build->arena, "%s/%zu.o", build->folder, objects->count);
        int status;
        if (cuda)
            status = source_compile(build, sources->items[i], object);
        else
            status = host_source_compile(build, sources->items[i], object);
        if (status != EXIT_FINE) return status;
        arguments_add(objects, object);
    }
    return EXIT_FINE;
}

/* The objects are in the order of the sources: those of CUDA, then those of the host. */
static int objects_deliver(const Build *build, const Arguments *objects) {
    const Request *request = build->request;
    int status = EXIT_FINE;
    for (size_t i = 0; i < objects->count && status == EXIT_FINE; i++) {
        size_t first_host = request->sources.count;
        const char *source;
        if (i < first_host)
            source = request->sources.items[i];
        else
            source = request->host_sources.items[i - first_host];
        const char *output;
        if (request->output)
            output = request->output;
        else
            output = object_name(build->arena, source);
        status = file_copy(build, objects->items[i], output);
    }
    return status;
}

/* Compile each file, link the device code of those that ask for it, link the program. */
int build_run(Build *build) {
    const Request *request = build->request;
    const char *placeholder = arena_format(build->arena, "%s/placeholder", build->folder);
    if (!placeholder || !text_write_file(placeholder, "-", 1))
        return report_internal(build, "temporary folder");
    Arguments objects;
    arguments_init(&objects, build->arena);
    int status = sources_compile(build, &request->sources, true, &objects);
    if (status == EXIT_FINE) status = sources_compile(build, &request->host_sources, false, &objects);
    if (status != EXIT_FINE) return status;
    if (request->compile_only) return objects_deliver(build, &objects);
    const char *linked = arena_format(build->arena, "%s/linked.o", build->folder);
    bool made = false;
    status = device_link(build, &objects, linked, &made);
    if (status != EXIT_FINE) return status;
    if (made) arguments_add(&objects, linked);
    if (!request->link_device) return program_link(build, &objects);
    if (made) return file_copy(build, linked, text_or(request->output, "a_dlink.o"));
    diag_add(build->diagnostics, DIAG_ERROR, NULL, 0, 0,
             "no object has device code to link: compile with -dc, or with -rdc=true -c");
    return EXIT_FOUND;
}
