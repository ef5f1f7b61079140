/* managed.c - __managed__ variables, which clang does not have in CUDA, in LLVM's text.
 *
 * The headers make such a variable a __device__ one in a section of its own, MARK. On the device it then
 * needs the mark of PTX, .attribute(.managed), so that the machine gives it pages that the program can map.
 * On the host clang has a shadow of it, at an address of the program, but host code has to use the pages, at
 * their address on the device. So each variable gets a slot, a word that the runtime fills with that address
 * before main, and the shadow becomes a symbol that host code has to ask the linker's table (GOT) for. In the
 * object, managed_object.c then turns each question to the table into one to the slot.
 */
#include "warpcc/warpcc.h"

#include <string.h>

#define MARK ", section \"warpcc_managed\""

/* One line that defines or declares such a variable: "@name = linkage global type value, section ...". */
typedef struct Variable {
    const char *name, *type; /* in the text */
    int name_length;
    bool external; /* another file defines it */
    bool own;      /* no other file may use it */
} Variable;

static bool line_has(const char *line, const char *word) {
    return memmem(line, (size_t)(ir_line_end(line) - line), word, strlen(word)) != NULL;
}

/* A global variable of LLVM's text that carries our mark: it was declared __managed__. */
static bool variable_read(Variable *variable, const char *line) {
    static const char GLOBAL[] = " global ", EQUALS[] = " = ";
    if (*line != '@' || !line_has(line, MARK)) return false;
    const char *equals = strstr(line, EQUALS), *global = strstr(line, GLOBAL);
    if (!equals || !global || global > ir_line_end(line)) return false;
    size_t linkage = (size_t)(global + 1 - equals);
    *variable = (Variable){.name = line + 1,
                           .name_length = (int)(equals - line - 1),
                           .type = global + strlen(GLOBAL),
                           .external = memmem(equals, linkage, " external ", strlen(" external ")) != NULL,
                           .own = memmem(equals, linkage, " internal ", strlen(" internal ")) != NULL};
    return true;
}

/* Type, value and what follows them, without the mark. */
static void rest_write(Text *out, const Variable *variable) {
    const char *mark = strstr(variable->type, MARK), *after = mark + strlen(MARK);
    text_append(out, variable->type, (size_t)(mark - variable->type));
    text_format(out, "%.*s\n", (int)(ir_line_end(after) - after), after);
}

/* ---- the host's side ---- */

/* The shadow is weak: host code has to ask the linker for it, and that of another file may have its name. */
static void shadow_write(Text *out, const Variable *variable) {
    text_format(out, "@%.*s = %s global ", variable->name_length, variable->name,
                variable->external ? "external" : "weak");
    rest_write(out, variable);
}

static void slot_write(Text *out, const Variable *variable) {
    int length = variable->name_length;
    if (variable->external)
        text_format(out,
                    "module asm \".globl " MANAGED_SLOT "%.*s\"\nmodule asm \".hidden " MANAGED_SLOT
                    "%.*s\"\n"
                    "@" MANAGED_SLOT "%.*s = external hidden global i64, align 8\n",
                    length, variable->name, length, variable->name, length, variable->name);
    else
        text_format(out, "@" MANAGED_SLOT "%.*s = %s global i64 0, align 8\n", length, variable->name,
                    variable->own ? "internal" : "hidden");
}

/* "@name" in a line, as a whole word. */
static bool line_uses(const char *line, const Variable *variable) {
    const char *end = ir_line_end(line);
    size_t length = (size_t)variable->name_length;
    for (const char *at = line; (at = memchr(at, '@', (size_t)(end - at))); at++)
        if ((size_t)(end - at) > length + 1 && memcmp(at + 1, variable->name, length) == 0 &&
            strchr(" ,)", at[1 + length]))
            return true;
    return false;
}

/* Whether what begins there is the name of a managed variable. */
static bool name_is_managed(const char *ir, const char *name, Variable *variable) {
    for (const char *at = ir; *at; at = ir_line_end(at) + (*ir_line_end(at) == '\n')) {
        if (!variable_read(variable, at)) continue;
        size_t length = (size_t)variable->name_length;
        if (strncmp(name, variable->name, length) == 0 && strchr(" ,])", name[length])) return true;
    }
    return false;
}

static bool line_names_managed(const char *ir, const char *line, Variable *variable) {
    for (const char *at = ir; *at; at = ir_line_end(at) + (*ir_line_end(at) == '\n'))
        if (variable_read(variable, at) && line_uses(line, variable)) return true;
    return false;
}

static const char REGISTER[] = "@__cudaRegisterVar(", REGISTER_MANAGED[] = "@__cudaRegisterManagedVar(";

/* The second argument of the call, the shadow, becomes the slot. */
static void registration_write(Text *out, const char *line, const Variable *variable) {
    const char *call = strstr(line, REGISTER);
    const char *second = strchr(call, ','), *third = second;
    for (int depth = 0; *third && (third == second || depth > 0 || *third != ','); third++) {
        if (strchr("([{<", *third)) depth++;
        if (strchr(")]}>", *third)) depth--;
    }
    bool opaque = text_starts_with(second, ", ptr");
    text_format(out, "%.*s%s%.*s, ", (int)(call - line), line, REGISTER_MANAGED,
                (int)(second - call - (long)strlen(REGISTER)), call + strlen(REGISTER));
    text_format(out, opaque ? "ptr @" MANAGED_SLOT "%.*s" : "i8* bitcast (i64* @" MANAGED_SLOT "%.*s to i8*)",
                variable->name_length, variable->name);
    text_format(out, "%.*s\n", (int)(ir_line_end(third) - third), third);
}

/* A list of what the program uses of other files' device code is clang's own, so that no linker leaves such a
 * file out. A managed variable has no address before main: its slot, which is in the same file, stands for
 * it. */
static bool used_write(Text *out, const char *ir, const char *line) {
    static const char USED[] = "@__clang_gpu_used_external = ";
    if (!text_starts_with(line, USED)) return false;
    Variable variable;
    const char *end = ir_line_end(line), *from = line, *at = line;
    while ((at = memchr(at + 1, '@', (size_t)(end - at - 1)))) {
        text_append(out, from, (size_t)(at + 1 - from));
        from = at + 1;
        if (name_is_managed(ir, from, &variable)) text_add(out, MANAGED_SLOT);
    }
    text_format(out, "%.*s\n", (int)(end - from), from);
    return true;
}

static void host_line_write(Text *out, const char *ir, const char *line) {
    Variable variable;
    int length = (int)(ir_line_end(line) - line);
    if (text_starts_with(line, "declare ") && line_has(line, REGISTER_MANAGED)) return; /* HIP's */
    const char *call = NULL;
    if (line_has(line, REGISTER)) call = strstr(line, REGISTER);
    bool declares = call && text_starts_with(line, "declare ");
    if (variable_read(&variable, line)) {
        shadow_write(out, &variable);
        slot_write(out, &variable);
    } else if (call && !declares && line_names_managed(ir, line, &variable)) {
        registration_write(out, line, &variable);
    } else if (!used_write(out, ir, line)) {
        text_format(out, "%.*s\n", length, line);
    }
    if (!declares) return;
    const char *rest = call + strlen(REGISTER);
    text_format(out, "%.*s%s%.*s\n", (int)(call - line), line, REGISTER_MANAGED,
                (int)(ir_line_end(rest) - rest), rest);
}

/* ---- the device's side ---- */

/* The end of a type: "[8 x float]", "%struct.P addrspace(1)*", "void (i32)*". */
static const char *type_end(const char *at) {
    static const char SPACE[] = " addrspace(";
    int depth = 0;
    for (; *at && *at != '\n'; at++) {
        if (strchr("([{<", *at)) depth++;
        if (strchr(")]}>", *at)) depth--;
        if (depth > 0 || *at != ' ') continue;
        bool continues = text_starts_with(at, SPACE) || at[1] == '(';
        if (!continues) return at;
    }
    return at;
}

static void annotation_write(Text *nodes, Text *list, unsigned number, const Variable *variable,
                             bool opaque) {
    int type = (int)(type_end(variable->type) - variable->type);
    if (list->length > 0) text_add(list, ", ");
    text_format(list, "!%u", number);
    text_format(nodes, "!%u = !{", number);
    if (opaque)
        text_add(nodes, "ptr addrspace(1)");
    else
        text_format(nodes, "%.*s addrspace(1)*", type, variable->type);
    text_format(nodes, " @%.*s, !\"managed\", i32 1}\n", variable->name_length, variable->name);
}

/* The machine and the host find a variable by its name, which another file has no claim to. */
static void device_variable_write(Text *out, const Variable *variable, const char *line) {
    static const char INTERNAL[] = " internal ", PUBLIC[] = " externally_initialized ";
    const char *linkage = variable->name + variable->name_length;
    const char *internal = NULL;
    if (variable->own) internal = strstr(linkage, INTERNAL);
    if (!internal) {
        text_append(out, line, (size_t)(variable->type - line));
    } else {
        text_append(out, line, (size_t)(internal + 1 - line));
        internal += strlen(INTERNAL);
        const char *global = strstr(internal, "global ");
        text_format(out, "%.*s%s", (int)(global - internal), internal, PUBLIC + 1);
        text_append(out, global, (size_t)(variable->type - global));
    }
    rest_write(out, variable);
}

/* More nodes than any module has by itself. */
enum { FIRST_NODE = 900000000 };

/* On the device a managed variable is annotated as such (NVVM IR, "!nvvm.annotations"), which makes the PTX
 * say .attribute(.managed). The annotations are numbered after all that there are. */
static bool device_make(Text *ir, Text *out, Text *nodes, Text *list) {
    static const char ANNOTATIONS[] = "!nvvm.annotations = !{";
    bool opaque = ir_is_opaque(ir->bytes), listed = false;
    unsigned number = FIRST_NODE;
    Variable variable;
    for (const char *line = ir->bytes; *line; line = ir_line_end(line) + (*ir_line_end(line) == '\n')) {
        int length = (int)(ir_line_end(line) - line);
        if (variable_read(&variable, line)) {
            if (!variable.external) annotation_write(nodes, list, number++, &variable, opaque);
            device_variable_write(out, &variable, line);
        } else if (text_starts_with(line, ANNOTATIONS) && list->length > 0) {
            const char *rest = line + strlen(ANNOTATIONS);
            text_format(out, "%s%s%s%.*s\n", ANNOTATIONS, list->bytes, *rest == '}' ? "" : ", ",
                        (int)(ir_line_end(rest) - rest), rest);
            listed = true;
        } else {
            text_format(out, "%.*s\n", length, line);
        }
    }
    if (!listed) text_format(out, "%s%s}\n", ANNOTATIONS, list->bytes);
    text_add(out, nodes->bytes);
    return !nodes->failed && !list->failed;
}

/* ---- both ---- */

bool managed_make_device(Text *ir) {
    Text out = text_new(), nodes = text_new(), list = text_new();
    bool made = device_make(ir, &out, &nodes, &list);
    text_free(&nodes);
    text_free(&list);
    return ir_replace(ir, &out, made);
}

bool managed_make_host(Text *ir) {
    Text out = text_new();
    for (const char *line = ir->bytes; *line; line = ir_line_end(line) + (*ir_line_end(line) == '\n'))
        host_line_write(&out, ir->bytes, line);
    return ir_replace(ir, &out, true);
}
