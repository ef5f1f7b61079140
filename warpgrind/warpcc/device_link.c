/* device_link.c - device code of several files made one: -rdc=true, -dc and -dlink.
 *
 * An object of such a file holds LLVM bitcode where others hold PTX, and its host code asks a function of the
 * program, __cudaRegisterLinkedBinary, for the device code of the whole program. Here clang links the bitcode
 * of all objects and archives of the command line and writes one PTX module; a small object carries it into
 * the program, with that function.
 */
#include "warpcc/warpcc.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 30, MEMBER_HEADER = 60, PTX_LIMIT = 256 << 20 };
#define LINKED_SECTION "warpcc_linked_device_code" /* of include/crt/link.stub */

typedef struct Modules {
    Build *build;
    Arguments files; /* bitcode, a file for each object that has some */
    bool linked;     /* an object of -dlink is among them */
    int status;
} Modules;

/* One object's bitcode, if it has some, becomes a file of its own: clang's linker reads files. */
static void modules_take(Modules *modules, const char *bytes, size_t length) {
    size_t code_length;
    const char *code = embed_find_code(bytes, length, &code_length);
    if (memmem(bytes, length, LINKED_SECTION, strlen(LINKED_SECTION))) modules->linked = true;
    if (!code || code_length < 4 || memcmp(code, "BC", 2) != 0) return;
    const char *file =
        arena_format(modules->build->arena, "%s/module%zu.bc", modules->build->folder, modules->files.count);
    if (file && text_write_file(file, code, code_length))
        arguments_add(&modules->files, file);
    else
        modules->status = EXIT_INTERNAL;
}

/* An archive is a line of magic, and each member behind a header of text (ar(5)) that has its length. */
static void modules_take_archive(Modules *modules, const Text *archive) {
    size_t at = strlen("!<arch>\n");
    while (archive->length - at >= MEMBER_HEADER) {
        char digits[11] = {0};
        memcpy(digits, archive->bytes + at + 48, 10);
        size_t length = strtoul(digits, NULL, 10);
        at += MEMBER_HEADER;
        if (length > archive->length - at) return;
        modules_take(modules, archive->bytes + at, length);
        at += length + length % 2;
        if (at > archive->length) return;
    }
}

/* Operands that are objects or archives may hold device code; options and what cannot be read are the
 * linker's business. */
static void modules_read(Modules *modules, const Arguments *files) {
    for (size_t i = 0; i < files->count; i++) {
        const char *name = files->items[i];
        if (*name == '-') continue;
        Text text = text_new();
        if (text_read_file(&text, name, FILE_LIMIT)) {
            if (text.length >= 8 && memcmp(text.bytes, "!<arch>\n", 8) == 0)
                modules_take_archive(modules, &text);
            else
                modules_take(modules, text.bytes, text.length);
        }
        text_free(&text);
    }
}

/* A C file of nothing, into which all the modules are linked. */
static int modules_link_for(Modules *modules, const char *empty, const char *ptx, Text *said) {
    Build *build = modules->build;
    Arguments command;
    command_link_device(build, &command);
    for (size_t i = 0; i < modules->files.count; i++)
        arguments_add_list(&command, (const char *const[]){"-Xclang", "-mlink-bitcode-file", "-Xclang",
                                                           modules->files.items[i], NULL});
    arguments_add_list(&command, (const char *const[]){"-x", "c", empty, "-o", ptx, NULL});
    return build_run_command(build, &command, said);
}

/* clang refuses a card that is newer than itself: an older one is tried, as for single files. Its message
 * about a name defined twice is replaced by one in terms of CUDA. */
static int modules_link(Modules *modules, const char *empty, const char *ptx) {
    Build *build = modules->build;
    Text said = text_new();
    int status = modules_link_for(modules, empty, ptx, &said);
    while (status == EXIT_FOUND && target_refused(said.bytes) && target_older(build->target)) {
        build->target = target_older(build->target);
        text_clear(&said);
        status = modules_link_for(modules, empty, ptx, &said);
    }
    static const char TWICE[] = "Linking globals named '";
    const char *name = strstr(said.bytes, TWICE);
    if (status == EXIT_FOUND && name) {
        name += strlen(TWICE);
        advise(diag_add(build->diagnostics, DIAG_ERROR, NULL, 0, 0, "two files define the device name %.*s",
                        (int)strcspn(name, "'"), name),
               "define it in one file and declare it extern in the others, or give it two names");
    } else {
        text_add(build->messages, said.bytes);
    }
    text_free(&said);
    return status;
}

/* The object that registers the PTX with the program: link.stub, which CMake compiles too. */
static int registration_make(Build *build, const char *ptx, const char *object) {
    Arguments command;
    arguments_init(&command, build->arena);
    arguments_add_list(&command, (const char *const[]){build->tools->clang, "-c", "-fPIC", NULL});
    arguments_add(&command, arena_format(build->arena, "-DFATBINFILE=\"%s\"", ptx));
    arguments_add_list(&command, (const char *const[]){"-o", object, "-x", "c", NULL});
    arguments_add(&command, arena_format(build->arena, "%s/crt/link.stub", build->tools->include_dir));
    return build_run_command(build, &command, build->messages);
}

static int ptx_settle(Build *build, const char *ptx) {
    Text code = text_new();
    bool read = text_read_file(&code, ptx, PTX_LIMIT);
    bool settled = read && statics_settle(&code, build->diagnostics);
    bool written = settled && text_write_file(ptx, code.bytes, code.length);
    text_free(&code);
    if (written) return EXIT_FINE;
    if (read && !settled) return EXIT_FOUND;
    return EXIT_INTERNAL;
}

/* As nvcc does with -rdc=true: one PTX of all objects' device code, and an object that registers it.
 * Without any device code nothing is made. */
int device_link(Build *build, const Arguments *objects, const char *output, bool *made) {
    Modules modules = {.build = build};
    arguments_init(&modules.files, build->arena);
    modules_read(&modules, objects);
    modules_read(&modules, &build->request->link);
    *made = modules.files.count > 0 && !modules.linked;
    if (modules.status != EXIT_FINE || !*made) return modules.status;
    const char *empty = arena_format(build->arena, "%s/empty.c", build->folder);
    const char *ptx = arena_format(build->arena, "%s/linked.ptx", build->folder);
    if (!empty || !ptx || !text_write_file(empty, "", 0)) return EXIT_INTERNAL;
    int status = modules_link(&modules, empty, ptx);
    if (status == EXIT_FINE) status = ptx_settle(build, ptx);
    if (status == EXIT_FINE) status = build_finish_ptx(build, ptx, true);
    if (status == EXIT_FINE) return registration_make(build, ptx, output);
    return status;
}
