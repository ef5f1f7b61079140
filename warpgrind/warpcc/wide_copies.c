/* wide_copies.c - copies of 16 bytes stay copies of 16 bytes.
 *
 * NVIDIA's compiler copies a float4, and everything else that its type aligns to 16 bytes, with one
 * instruction (ld.v4.u32, st.v4.u32), which a card refuses at an address that is no multiple of 16. Clang
 * makes two or more narrower accesses of such a copy, which hide the mistake and count as more requests. So a
 * source that has such types is compiled in two steps: to LLVM's text, in which each aligned copy becomes
 * vector loads and stores, and from there to PTX. Single members (v.x) are left alone: they are narrow with
 * either compiler.
 */
#include "warpcc/warpcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 16,
    LONGEST = 128, /* clang makes a loop over bytes of longer copies */
    LARGEST_SOURCE = 16 << 20,
    MOST_FILES = 64 /* headers of the program that are looked into */
};

/* ---- which sources have such types, or other names ---- */

typedef struct Search {
    Arena *arena;
    const Arguments *options;
    const char *const *names;      /* what is looked for, up to NULL */
    const char *files[MOST_FILES]; /* each once */
    size_t count;
    bool found;
} Search;

static bool names_any(const char *text, const char *const *names) {
    for (; *names; names++)
        if (strstr(text, *names)) return true;
    return false;
}

static void search_file(Search *search, const char *path);

static void search_headers(Search *search, const char *path, const char *text) {
    for (const char *at = strstr(text, "include"); at && !search->found; at = strstr(at, "include")) {
        at += strlen("include");
        at += strspn(at, " \t");
        if (*at != '"' && *at != '<') continue;
        size_t length = strcspn(++at, "\">\n");
        search_file(search, includes_find(search->arena, search->options, path, at, length));
        at += length;
    }
}

/* Looks for the names in the file and in what it includes from the program's folders. LIMIT: MOST_FILES;
 * the names then count as not there, and copies stay as clang makes them. */
static void search_file(Search *search, const char *path) {
    if (!path || search->found || search->count == MOST_FILES) return;
    for (size_t i = 0; i < search->count; i++)
        if (strcmp(search->files[i], path) == 0) return;
    Text text = text_new();
    if (text_read_file(&text, path, LARGEST_SOURCE)) {
        search->files[search->count++] = path;
        search->found = names_any(text.bytes, search->names);
        search_headers(search, path, text.bytes);
    }
    text_free(&text);
}

bool source_names(Arena *arena, const char *source, const Arguments *options, const char *const *names) {
    Search search = {.arena = arena, .options = options, .names = names};
    search_file(&search, source);
    for (size_t i = 0; i + 1 < options->count; i++)
        if (strcmp(options->items[i], "-include") == 0) search_file(&search, options->items[i + 1]);
    return search.found;
}

bool wide_copies_expected(Arena *arena, const char *source, const Arguments *options) {
    /* Also inside longer names: uint4, ulonglong2, __align__, alignas. */
    static const char *const names[] = {"float4", "int4",  "double2", "double4",
                                        "long2",  "long4", "align",   NULL};
    return source_names(arena, source, options, names);
}

/* ---- the copies in LLVM's text ---- */

/* One pointer of a call: `i8 addrspace(3)* align 16 %7`, or `ptr align 16 %7` from clang 15 on. */
typedef struct Pointer {
    const char *type, *value;
    int type_length, value_length;
} Pointer;

typedef struct Copy {
    Pointer to, from;
    unsigned long bytes;
    const char *rest; /* what follows the call: its line of the source */
} Copy;

/* The end of an argument: a comma or the closing bracket that belongs to the call. */
static const char *argument_end(const char *at) {
    for (int depth = 0; *at && *at != '\n'; at++) {
        if (*at == '(') depth++;
        if (depth == 0 && (*at == ',' || *at == ')')) return at;
        if (*at == ')') depth--;
    }
    return NULL;
}

static bool starts_with_attribute(const char *value) {
    return text_starts_with(value, "dereferenceable") || text_starts_with(value, "no");
}

/* False where the pointer is not known to be aligned, or is written in a way that is not known here. */
static bool pointer_read(Pointer *pointer, const char *start, const char *end) {
    static const char ALIGN[] = " align ";
    const char *align = memmem(start, (size_t)(end - start), ALIGN, strlen(ALIGN));
    if (!align) return false;
    char *value;
    unsigned long alignment = strtoul(align + strlen(ALIGN), &value, 10);
    if (alignment == 0 || alignment % WIDTH != 0 || *value != ' ') return false;
    *pointer = (Pointer){start, value + 1, (int)(align - start), (int)(end - value - 1)};
    static const char NOUNDEF[] = " noundef";
    const char *attribute = memmem(start, (size_t)pointer->type_length, NOUNDEF, strlen(NOUNDEF));
    if (attribute) pointer->type_length = (int)(attribute - start);
    bool known = text_starts_with(start, "i8") || text_starts_with(start, "ptr");
    return known && !starts_with_attribute(value + 1);
}

/* The four arguments of a call of llvm.memcpy (to, from, bytes, volatile), when the copy is aligned, short,
 * a multiple of 16 bytes and not volatile; anything else is left alone. */
static bool copy_read(Copy *copy, const char *line) {
    const char *at = strstr(line, "(");
    const char *ends[4];
    for (int i = 0; i < 4; i++) {
        if (!at) return false;
        ends[i] = argument_end(at + 1);
        if (!ends[i] || (*ends[i] == ')') != (i == 3)) return false;
        const char *start = at + 1 + (i > 0);
        if (i == 0 && !pointer_read(&copy->to, start, ends[i])) return false;
        if (i == 1 && !pointer_read(&copy->from, start, ends[i])) return false;
        if (i == 2 && !text_starts_with(start, "i64 ")) return false;
        if (i == 2) copy->bytes = strtoul(start + 4, NULL, 10);
        if (i == 3 && !text_starts_with(start, "i1 false")) return false;
        at = ends[i];
    }
    copy->rest = strstr(ends[3], ", !dbg");
    return copy->bytes > 0 && copy->bytes % WIDTH == 0 && copy->bytes <= LONGEST;
}

/* Until clang 14 a pointer's type named what it points to: `i8 addrspace(3)*` becomes `<4 x i32>
 * addrspace(3)*`. */
static bool is_opaque(const Pointer *pointer) {
    return *pointer->type == 'p';
}

static void vector_pointer_add(Text *out, const Pointer *pointer) {
    int prefix = 0;
    if (!is_opaque(pointer)) prefix = (int)strlen("i8");
    if (prefix > 0) text_add(out, "<4 x i32>");
    text_format(out, "%.*s", pointer->type_length - prefix, pointer->type + prefix);
}

/* The address of one part as `%name`. */
static void address_write(Text *out, const Pointer *pointer, const char *name, unsigned long offset) {
    const char *suffix = ".byte";
    if (is_opaque(pointer)) suffix = "";
    text_format(out, "  %%%s%s = getelementptr i8, %.*s %.*s, i64 %lu\n", name, suffix, pointer->type_length,
                pointer->type, pointer->value_length, pointer->value, offset);
    if (is_opaque(pointer)) return;
    text_format(out, "  %%%s = bitcast %.*s %%%s.byte to ", name, pointer->type_length, pointer->type, name);
    vector_pointer_add(out, pointer);
    text_add(out, "\n");
}

static void address_use(Text *out, const Pointer *pointer, const char *name) {
    vector_pointer_add(out, pointer);
    text_format(out, " %%%s, align %d", name, WIDTH);
}

/* 16 bytes: addresses, a load and a store, with the line of the call. */
static void part_write(Text *out, const Copy *copy, size_t number, unsigned long offset) {
    char from[64], to[64];
    snprintf(from, sizeof from, "wide.from.%zu.%lu", number, offset);
    snprintf(to, sizeof to, "wide.to.%zu.%lu", number, offset);
    int rest = 0;
    if (copy->rest) rest = (int)strcspn(copy->rest, "\n");
    address_write(out, &copy->from, from, offset);
    address_write(out, &copy->to, to, offset);
    text_format(out, "  %%%s.value = load <4 x i32>, ", from);
    address_use(out, &copy->from, from);
    text_format(out, "%.*s\n  store <4 x i32> %%%s.value, ", rest, rest ? copy->rest : "", from);
    address_use(out, &copy->to, to);
    text_format(out, "%.*s\n", rest, rest ? copy->rest : "");
}

/* Each call of llvm.memcpy that copies such a structure becomes vector loads and stores; the text between
 * the calls is taken over as it is. */
bool wide_copies_make(Text *ir) {
    static const char CALL[] = "call void @llvm.memcpy.";
    Text out = text_new();
    const char *done = ir->bytes;
    size_t made = 0;
    for (const char *call = strstr(done, CALL); call; call = strstr(call + 1, CALL)) {
        Copy copy;
        if (!copy_read(&copy, call)) continue;
        const char *line = call;
        while (line > done && line[-1] != '\n')
            line--;
        text_append(&out, done, (size_t)(line - done));
        for (unsigned long offset = 0; offset < copy.bytes; offset += WIDTH)
            part_write(&out, &copy, made, offset);
        made++;
        done = call + strcspn(call, "\n");
        done += *done == '\n';
        call = done - 1;
    }
    text_add(&out, done);
    if (out.failed) {
        text_free(&out);
        return false;
    }
    text_free(ir);
    *ir = out;
    return true;
}
