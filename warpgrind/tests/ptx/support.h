/* support.h - loads PTX for the tests: a whole module, or statements put into a kernel. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/ptx.h"

typedef struct Loaded {
    Arena *arena;
    Diagnostics diagnostics;
    PtxModule *module;
} Loaded;

static inline Loaded load_text(const char *text) {
    Loaded loaded = {.arena = arena_create()};
    assert_non_null(loaded.arena);
    diag_init(&loaded.diagnostics, loaded.arena);
    loaded.module = ptx_load(loaded.arena, "test.ptx", text, strlen(text), &loaded.diagnostics);
    return loaded;
}

/** A function that cannot be executed: its error becomes the module's. */
static inline void refuse_functions(Loaded *loaded) {
    for (uint32_t i = 0; loaded->module && i < loaded->module->function_count; i++) {
        const Diagnostic *why = loaded->module->functions[i]->refusal;
        if (!why) continue;
        Diagnostic *said =
            diag_add(&loaded->diagnostics, why->level, why->file, why->line, why->column, "%s", why->message);
        assert_non_null(said);
        said->source_line = why->source_line;
        said->remedy = why->remedy;
        loaded->module = NULL;
    }
}

#define HEADER ".version 7.5\n.target sm_80\n.address_size 64\n"

/** Registers of every size, so that a statement can be tested without declaring its own. */
#define KERNEL                                                                                               \
    HEADER ".extern .func (.param .b32 r) callee (.param .b32 a, .param .b64 b);\n"                          \
           ".global .align 8 .b8 array[64];\n.const .align 4 .f32 table[4];\n"                               \
           ".visible .entry kernel(.param .u64 kernel_param_0, .param .align 8 .b8 kernel_param_1[24]) {\n"  \
           ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .b128 %q<3>;\n"   \
           ".reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n.local .align 8 .b8 depot[32];\n.shared .align 4 .b8 "      \
           "s[256];\n"

/** The statements as the body of a kernel. */
static inline Loaded load_body(const char *body) {
    Text text;
    text_init(&text);
    text_add(&text, KERNEL);
    text_add(&text, body);
    text_add(&text, "\n}\n");
    Loaded loaded = load_text(text.bytes);
    text_free(&text);
    refuse_functions(&loaded);
    return loaded;
}

static inline void unload(Loaded *loaded) {
    arena_destroy(loaded->arena);
}

/** Says why a module that should load does not. */
static inline void assert_loads(const Loaded *loaded) {
    if (loaded->module) return;
    Text text;
    text_init(&text);
    diag_render(&loaded->diagnostics, &text, false);
    print_error("%s", text.bytes);
    text_free(&text);
    fail();
}

/** The load failed (or that of one function, handed to refuse_functions) with exactly one error, which has
 * these words in its message. */
static inline void assert_refused(const Loaded *loaded, const char *words) {
    assert_null(loaded->module);
    assert_int_equal(loaded->diagnostics.errors, 1);
    if (!strstr(loaded->diagnostics.first->message, words))
        fail_msg("\"%s\" does not say \"%s\"", loaded->diagnostics.first->message, words);
}

static inline const PtxFunction *kernel_of(const Loaded *loaded) {
    const PtxFunction *kernel = ptx_find_function(loaded->module, "kernel");
    assert_non_null(kernel);
    return kernel;
}

static inline const PtxVariable *find_variable(const PtxModule *module, const char *name) {
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i].name, name) == 0) return &module->variables[i];
    return NULL;
}
