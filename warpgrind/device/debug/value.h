/* value.h - values of a thread's variables, read with the types of the source, and written as C writes them.
 *
 * A Scene is where an expression is looked at: a lane, and which of the functions that it is in. A value
 * either lies at a generic address or has been computed.
 */
#pragma once

#include "base/text.h"
#include "gpu/inspect.h"

enum { DEEPEST_CALL = 64 };

typedef struct Scene {
    Arena *arena;
    const GpuWarp *warp;
    unsigned lane;
    GpuLaneFrame frames[DEEPEST_CALL]; /**< innermost first */
    unsigned frame_count, frame;       /**< how many; the one that names are looked up in */
    const char *error;                 /**< why there is no value; NULL: none */
    bool dry; /**< what is read now is not needed: it has a type, and is 0 wherever it would be looked at */
    const uint8_t *was; /**< bytes that stand for those at an address; NULL: memory is as it is */
    uint64_t was_at, was_bytes;
    unsigned looked, shown; /**< so many elements, for the text of a value */
} Scene;

typedef struct Value {
    const PtxShown *type; /**< NULL: there is no value */
    bool placed;
    uint64_t address;
    union { /**< unless placed */
        int64_t number;
        double real;
        GpuDim own; /**< threadIdx and its like: a structure that lies nowhere */
    };
    uint8_t bits, bits_above; /**< of a bit field, which is placed */
} Value;

extern const PtxShown value_int, value_unsigned, value_long, value_size, value_float, value_double,
    value_boolean, value_dim;

/** A lane's view; false when the thread has ended. */
bool scene_open(Scene *scene, Arena *arena, const GpuWarp *warp, unsigned lane);
Value value_fail(Scene *scene, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool value_is_real(const Value *value);
/** The member of a structure, `at` bytes from where that begins. */
Value value_member(const Value *structure, const PtxShownMember *member, uint32_t at);
/** The scalar itself, extended to 64 bits. False: it is none, or cannot be read; the scene says why. */
bool value_load(Scene *scene, const Value *value, Value *loaded);
/** As C writes it; `format` is 'x' for hexadecimal numbers, 0 for the usual. */
void value_text(Scene *scene, const Value *value, char format, Text *out);
/** "float *", "int [4]" */
void value_type_text(const PtxShown *type, Text *out);

/** Elements of an array, members of a structure, 1 for a pointer to something; otherwise 0. */
uint64_t value_part_count(const Value *value);
/** The part of that number; `name` becomes a member's. A pointer that cannot be read is the scene's error. */
Value value_part(Scene *scene, const Value *value, uint64_t i, const char **name);

/** The variable that the name means at that place, the innermost of several. */
Value value_find(Scene *scene, const char *name);
typedef void ValueEach(void *self, const char *name, const Value *value);
/** All variables of the function that are in scope, parameters first; then the names of those that have no
 * place, with NULL for the value. */
void value_each_local(Scene *scene, ValueEach *each, void *self);

/** expression.c: the value of a C expression. */
Value expression_value(Scene *scene, const char *text);
/** Whether it is not zero; a value that cannot be had is false, and the scene has an error. */
bool expression_holds(Scene *scene, const char *text);
