/* names.c - compares the student's symbols with the driver's and with what is reserved; see names.h.
 *
 * The driver needs the student's function under its C++ name, parameters included (_Z10vector_addPfPKfS1_i).
 * When the object has that plain name with other parameters, the signature is what went wrong, and that is
 * what the finding says.
 */
#include "autograder/compile/names.h"
#include "base/minmax.h"

#include "autograder/check/source.h"
#include "autograder/compile/symbols.h"
#include "autograder/texts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_OBJECT = 64 << 20, MOST_NEEDED = 8 };

/* What the driver needs and which of that the submission defines, gathered while symbols are visited. */
typedef struct Names {
    Check *check;
    const char *needed[MOST_NEEDED]; /* what the driver wants from the student, mangled */
    bool found[MOST_NEEDED];
    size_t needed_count;
    bool reserved;
} Names;

static bool is_runtime(const char *name) {
    bool api = text_starts_with(name, "cuda") && isupper((unsigned char)name[4]);
    return api || text_starts_with(name, "__cuda") || text_starts_with(name, "warpgrind") ||
           text_starts_with(name, "driver_");
}

static bool is_reserved(const Check *check, const char *name) {
    if (strcmp(name, "main") == 0 || is_runtime(name)) return true;
    const TextList *list = &check->lesson->manifest.reserved;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0) return true;
    return false;
}

static void add_reserved(Check *check, const char *name) {
    const char *source = check->submission->source.bytes;
    int line = source_find_definition(source, name);
    if (line == 0) line = source_find_word(source, name);
    bool is_main = strcmp(name, "main") == 0;
    const NamesFacts facts = {.name = arena_format(check->arena, "%.100s", name), .is_main = is_main};
    check_add(check, FINDING_RESERVED_SYMBOL, line, said_names(NAMES_TAKEN_MESSAGE, NAMES_TAKEN_WHY, &facts));
}

/* The plain name in "_Z10vector_addPf..."; NULL when the symbol is not a plain C++ function. */
static const char *plain_name(Arena *arena, const char *mangled) {
    if (!text_starts_with(mangled, "_Z") || !isdigit((unsigned char)mangled[2])) return NULL;
    char *end;
    unsigned long length = strtoul(mangled + 2, &end, 10);
    if (length <= strlen(end)) return arena_copy(arena, end, length);
    return NULL;
}

static void visit_driver(void *context, const SymbolView *symbol) {
    Names *names = context;
    const char *plain = NULL;
    if (!symbol->defined) plain = plain_name(names->check->arena, symbol->name);
    if (plain == NULL || names->needed_count == MOST_NEEDED) return;
    if (text_starts_with(plain, "cuda")) return;
    names->needed[names->needed_count++] = arena_string(names->check->arena, symbol->name);
    if (names->check->function == NULL) names->check->function = plain;
}

static void visit_student(void *context, const SymbolView *symbol) {
    Names *names = context;
    if (!symbol->defined) return;
    if (is_reserved(names->check, symbol->name)) {
        names->reserved = true;
        add_reserved(names->check, symbol->name);
    }
    for (size_t i = 0; i < names->needed_count; i++)
        if (names->needed[i] != NULL && strcmp(names->needed[i], symbol->name) == 0) names->found[i] = true;
}

static bool visit_file(const char *path, SymbolVisitor *visit, Names *names) {
    Text bytes = text_new();
    bool fine = text_read_file(&bytes, path, LARGEST_OBJECT) &&
                symbols_visit(bytes.bytes, bytes.length, visit, names);
    text_free(&bytes);
    return fine;
}

/* The lesson's own code is known by its section. */
static void check_sections(Names *names, const Text *object) {
    SectionView section;
    if (!symbols_find_section(object->bytes, object->length, CHECK_DRIVER_SECTION, &section)) return;
    names->reserved = true;
    add_reserved(names->check, CHECK_DRIVER_SECTION);
}

static void add_unreadable(Check *check) {
    check_add(check, FINDING_LIMIT, 0, said_names(NAMES_UNREADABLE_MESSAGE, NAMES_UNREADABLE_WHY, NULL));
}

/* Without an object the compiler has said why. */
static bool visit_object(const char *path, Names *names, bool *there) {
    Text bytes = text_new();
    bool fine = text_read_file(&bytes, path, LARGEST_OBJECT);
    *there = fine || errno != ENOENT;
    fine = fine && symbols_visit(bytes.bytes, bytes.length, visit_student, names);
    if (fine) check_sections(names, &bytes);
    text_free(&bytes);
    return fine;
}

static void add_missing(Check *check, const char *mangled) {
    const char *plain = plain_name(check->arena, mangled);
    if (plain == NULL) return;
    int line = source_find_definition(check->submission->source.bytes, plain);
    check_add(check, FINDING_COMPILE_ERROR, line,
              SAID_NAMES(MISSING, .found = line != 0, .name = plain, .lesson = check->lesson->name));
}

/* Compares the symbols of two object files: what the driver needs must be there, and what belongs to the
 * runtime or the driver must not. */
bool names_check(Check *check, const char *object_path) {
    Names names = {.check = check};
    visit_file(STAGE_DRIVER_OBJECT, visit_driver, &names);
    bool there;
    if (!visit_object(object_path, &names, &there)) {
        if (there) add_unreadable(check);
        return !there;
    }
    bool fine = !names.reserved;
    for (size_t i = 0; i < names.needed_count; i++) {
        if (names.found[i] || names.needed[i] == NULL) continue;
        add_missing(check, names.needed[i]);
        fine = false;
    }
    return fine;
}

/* "undefined reference to `helper(int)'": what the linker says is long, this part is what matters. */
void names_explain_link(Check *check, const char *output) {
    static const char *const marks[] = {"undefined reference to", "multiple definition of",
                                        "undefined symbol:", "duplicate symbol:"};
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof marks / sizeof *marks; i++)
        found = strstr(output, marks[i]);
    if (found == NULL) found = output;
    Text text = text_new();
    size_t length = strcspn(found, "\n;");
    text_add_visible(&text, found, MIN(length, 300));
    check_add(check, FINDING_COMPILE_ERROR, 0, SAID_NAMES(LINK, .said = text.bytes));
    text_free(&text);
}
