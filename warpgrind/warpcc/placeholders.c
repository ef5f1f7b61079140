/* placeholders.c - host code that uses a __device__ or __constant__ variable by its name, in LLVM's text.
 *
 * On the host such a name stands for a variable of its own, by whose address the runtime tells which one is
 * meant. Nothing else is in it: host code that reads it finds no result, and what it assigns reaches no
 * kernel. nvcc warns where it sees such code; clang has no word for it. So before each load and store of one
 * goes a call of the runtime, which then knows that the program did so, and in which line. LIMIT: by a
 * pointer or a reference that was taken before, the variable is used without a word.
 */
#include "base/growable.h"
#include "warpcc/warpcc.h"

#include <string.h>

/* What the call is made by: the runtime may be another one, which has no such function. */
#define CALLED "__warpcc_placeholder_use"
#define TOLD "warpgrindPlaceholderUse"

/* A variable as its registration has it: "i8* bitcast (i32* @found to i8*)", or "ptr @found". */
typedef struct Placeholder {
    const char *argument, *name; /* in the text */
    size_t argument_length, name_length;
} Placeholder;

/* A pointer into one that a function has in a register: "%5". */
typedef struct Derived {
    const char *name;
    size_t length;
    const Placeholder *of;
} Derived;

typedef struct Watch {
    const char *ir;
    Growable placeholders, derived; /* the latter of the function that is read */
    bool opaque, used;
    Text out;
} Watch;

static bool is_of_name(char letter) {
    return letter && strchr("_.$-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", letter);
}

static size_t name_length(const char *name) {
    size_t length = 0;
    while (is_of_name(name[length]))
        length++;
    return length;
}

/* The comma or the bracket that ends an operand. */
static const char *operand_end(const char *at) {
    for (int depth = 0; *at && *at != '\n'; at++) {
        if (strchr("([{<", *at)) depth++;
        if (strchr(")]}>", *at) && depth-- == 0) return at;
        if (*at == ',' && depth == 0) return at;
    }
    return at;
}

/* What stands behind the comma, or the end of the operand where there is none. */
static const char *operand_next(const char *at) {
    const char *end = operand_end(at);
    return *end == ',' ? end + 1 : end;
}

/* ---- which variables ---- */

/* Of a managed variable, or of one whose value is known on the host too, the host may have what it finds. */
static bool is_empty(const char *ir, const Placeholder *placeholder) {
    static const char *const empty[] = {" undef", " poison", " zeroinitializer"};
    const size_t length = placeholder->name_length;
    for (const char *line = ir; *line; line = ir_line_end(line) + (*ir_line_end(line) == '\n')) {
        const char *name = line + 1, *end = ir_line_end(line);
        if (*line != '@' || strncmp(name, placeholder->name, length) != 0) continue;
        if (!text_starts_with(name + length, " = ")) continue;
        for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++)
            if (memmem(name, (size_t)(end - name), empty[i], strlen(empty[i]))) return true;
        return false;
    }
    return false;
}

static bool registrations_read(Watch *watch) {
    static const char REGISTER[] = "call void @__cudaRegisterVar(";
    for (const char *at = watch->ir; (at = strstr(at, REGISTER)); at++) {
        const char *argument = operand_next(at + strlen(REGISTER));
        argument += strspn(argument, " ");
        const char *end = operand_end(argument);
        const char *name = memchr(argument, '@', (size_t)(end - argument));
        if (!name) continue;
        Placeholder *placeholder = growable_add(&watch->placeholders);
        if (!placeholder) return false;
        *placeholder = (Placeholder){.argument = argument,
                                     .argument_length = (size_t)(end - argument),
                                     .name = name + 1,
                                     .name_length = name_length(name + 1)};
        if (!is_empty(watch->ir, placeholder)) watch->placeholders.count--;
    }
    return true;
}

/* ---- what a line does ---- */

/* The placeholder that an operand is, or points into. */
static const Placeholder *operand_placeholder(const Watch *watch, const char *operand) {
    const char *end = operand_end(operand);
    for (const char *at = operand; at < end; at++) {
        if (*at != '@' && *at != '%') continue;
        size_t length = name_length(at + 1);
        for (size_t i = 0; *at == '@' && i < watch->placeholders.count; i++) {
            const Placeholder *known = GROWABLE_AT(&watch->placeholders, Placeholder, i);
            if (known->name_length == length && memcmp(known->name, at + 1, length) == 0) return known;
        }
        for (size_t i = 0; *at == '%' && i < watch->derived.count; i++) {
            const Derived *known = GROWABLE_AT(&watch->derived, Derived, i);
            if (known->length == length && memcmp(known->name, at + 1, length) == 0) return known->of;
        }
    }
    return NULL;
}

/* "%5 = getelementptr inbounds [4 x float], [4 x float]* @scale, ..." and "%6 = bitcast ...". */
static bool derived_read(Watch *watch, const char *line, const char *does) {
    const char *operand = does;
    if (text_starts_with(does, "getelementptr "))
        operand = operand_next(does);
    else if (!text_starts_with(does, "bitcast "))
        return true;
    const Placeholder *of = operand_placeholder(watch, operand);
    if (!of || *line != '%') return true;
    Derived *derived = growable_add(&watch->derived);
    if (!derived) return false;
    *derived = (Derived){.name = line + 1, .length = name_length(line + 1), .of = of};
    return true;
}

static void use_write(Watch *watch, const char *line, const Placeholder *used, bool write) {
    if (!used) return;
    const char *end = ir_line_end(line);
    const char *place = memmem(line, (size_t)(end - line), ", !dbg !", strlen(", !dbg !"));
    text_format(&watch->out, "  call void @" CALLED "(%.*s, i32 %d)%.*s\n", (int)used->argument_length,
                used->argument, write, place ? (int)(end - place) : 0, place ? place : "");
    watch->used = true;
}

/* A load, a store, or a copy of a whole structure: its second operand is the place, and of a copy the first
 * one as well. */
static void uses_write(Watch *watch, const char *line, const char *does) {
    static const char COPY[] = "call void @llvm.memcpy.";
    const bool load = text_starts_with(does, "load "), store = text_starts_with(does, "store ");
    if (load || store) {
        use_write(watch, line, operand_placeholder(watch, operand_next(does)), store);
    } else if (text_starts_with(does, COPY)) {
        const char *to = does + strcspn(does, "(\n");
        if (*to != '(') return;
        use_write(watch, line, operand_placeholder(watch, to + 1), true);
        use_write(watch, line, operand_placeholder(watch, operand_next(to + 1)), false);
    }
}

/* ---- the text ---- */

static bool line_write(Watch *watch, const char *line) {
    if (text_starts_with(line, "define ")) watch->derived.count = 0;
    if (text_starts_with(line, "  ")) {
        const char *begin = line + 2, *does = begin, *equals;
        if (*begin == '%') {
            equals = begin + 1 + name_length(begin + 1);
            if (text_starts_with(equals, " = ")) does = equals + 3;
        }
        if (!derived_read(watch, begin, does)) return false;
        uses_write(watch, line, does);
    }
    text_format(&watch->out, "%.*s\n", (int)(ir_line_end(line) - line), line);
    return true;
}

/* The program may be linked with a runtime that has no such function. The frame is there for the runtime,
 * which looks for the line of the call. */
static void called_write(Watch *watch) {
    const char *pointer = watch->opaque ? "ptr" : "i8*";
    text_format(&watch->out, "declare extern_weak void @" TOLD "(%s, i32)\n", pointer);
    text_format(&watch->out,
                "define internal void @" CALLED
                "(%s %%place, i32 %%write) noinline \"frame-pointer\"=\"all\" {\n"
                "  %%there = icmp ne %s @" TOLD ", null\n"
                "  br i1 %%there, label %%tell, label %%end\n"
                "tell:\n"
                "  call void @" TOLD "(%s %%place, i32 %%write)\n"
                "  br label %%end\n"
                "end:\n"
                "  ret void\n"
                "}\n",
                pointer, watch->opaque ? "ptr" : "void (i8*, i32)*", pointer);
}

bool placeholders_watch(Text *ir) {
    Watch watch = {.ir = ir->bytes,
                   .placeholders = GROWABLE(Placeholder),
                   .derived = GROWABLE(Derived),
                   .opaque = ir_is_opaque(ir->bytes),
                   .out = text_new()};
    bool fine = registrations_read(&watch);
    for (const char *line = ir->bytes; fine && *line; line = ir_line_end(line) + (*ir_line_end(line) == '\n'))
        fine = line_write(&watch, line);
    if (watch.used) called_write(&watch);
    growable_free(&watch.placeholders);
    growable_free(&watch.derived);
    return ir_replace(ir, &watch.out, fine);
}

/* ---- which sources have such variables ---- */

/* Behind the word stands a variable when ; or = or { comes before the bracket of a function's parameters. */
static bool declares_variable(const char *at) {
    at += strcspn(at, "(;={");
    return *at && *at != '(';
}

bool placeholders_expected(const char *source) {
    static const char *const words[] = {"__device__", "__constant__"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (const char *at = source; (at = strstr(at, words[i])); at++)
            if (declares_variable(at)) return true;
    return false;
}
