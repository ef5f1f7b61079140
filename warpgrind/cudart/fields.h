/* fields.h - what is made from the lists of fields in api.def.
 *
 * A row's list reads (address(to), size(bytes)). FIELDS_WITH(PREFIX_, COMMA) before such a list puts the
 * prefix before each kind: PREFIX_address(to), PREFIX_size(bytes). So a struct's members, a function's
 * parameters or a table's rows come from one list, by a macro for each kind. The preprocessor has no loops:
 * there is one step for each number of fields, up to WIRE_ARGUMENTS.
 */
#pragma once

#define FIELDS_1(prefix, join, field) prefix##field
#define FIELDS_2(prefix, join, field, ...) prefix##field join() FIELDS_1(prefix, join, __VA_ARGS__)
#define FIELDS_3(prefix, join, field, ...) prefix##field join() FIELDS_2(prefix, join, __VA_ARGS__)
#define FIELDS_4(prefix, join, field, ...) prefix##field join() FIELDS_3(prefix, join, __VA_ARGS__)
#define FIELDS_5(prefix, join, field, ...) prefix##field join() FIELDS_4(prefix, join, __VA_ARGS__)
#define FIELDS_6(prefix, join, field, ...) prefix##field join() FIELDS_5(prefix, join, __VA_ARGS__)
#define FIELDS_7(prefix, join, field, ...) prefix##field join() FIELDS_6(prefix, join, __VA_ARGS__)
#define FIELDS_8(prefix, join, field, ...) prefix##field join() FIELDS_7(prefix, join, __VA_ARGS__)
#define FIELDS_9(prefix, join, field, ...) prefix##field join() FIELDS_8(prefix, join, __VA_ARGS__)
#define FIELDS_10(prefix, join, field, ...) prefix##field join() FIELDS_9(prefix, join, __VA_ARGS__)
#define FIELDS_11(prefix, join, field, ...) prefix##field join() FIELDS_10(prefix, join, __VA_ARGS__)
#define FIELDS_12(prefix, join, field, ...) prefix##field join() FIELDS_11(prefix, join, __VA_ARGS__)
#define FIELDS_STEP(a, b, c, d, e, f, g, h, i, j, k, l, step, ...) step
#define FIELDS_WITH(prefix, join, ...)                                                                       \
    FIELDS_STEP(__VA_ARGS__, FIELDS_12, FIELDS_11, FIELDS_10, FIELDS_9, FIELDS_8, FIELDS_7, FIELDS_6,        \
                FIELDS_5, FIELDS_4, FIELDS_3, FIELDS_2, FIELDS_1, 0)                                         \
    (prefix, join, __VA_ARGS__)

/* What stands between two fields. */
#define FIELDS_COMMA() ,
#define FIELDS_AND() &&
#define FIELDS_THEN() ;

/** The fields as members of one declaration. */
#define FIELDS_NAMES(...) FIELDS_WITH(FIELD_NAME_, FIELDS_COMMA, __VA_ARGS__)
#define FIELD_NAME_none none
#define FIELD_NAME_address(name) name
#define FIELD_NAME_pointer(name) name
#define FIELD_NAME_handle(name) name
#define FIELD_NAME_stream(name) name
#define FIELD_NAME_event(name) name
#define FIELD_NAME_kernel(name) name
#define FIELD_NAME_size(name) name
#define FIELD_NAME_index(name) name
#define FIELD_NAME_wide(name) name
#define FIELD_NAME_number(name) name
#define FIELD_NAME_setting(name) name
#define FIELD_NAME_flags(name) name
#define FIELD_NAME_direction(name) name
#define FIELD_NAME_shape(name) name[3]
#define FIELD_NAME_out(name) name
#define FIELD_NAME_out_pointer(name) name
#define FIELD_NAME_out_int(name) name
#define FIELD_NAME_out_size(name) name
#define FIELD_NAME_out_wide(name) name
#define FIELD_NAME_word(name) name
#define FIELD_NAME_crash_text(name) name[WIRE_CRASH_TEXT / 8]

/** Results are plain names. */
#define FIELDS_PLAIN(...) __VA_ARGS__
