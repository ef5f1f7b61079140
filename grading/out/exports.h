/* exports.h - grades in the formats of other systems: from the class view to text, a row of exports.def each.
 *
 * A function gets a Class that holds just what goes into its file: one student for the scopes ONE and
 * STUDENT, one lesson for ONE. What students may not see (hidden.h) has been taken out of the results by
 * then, so that no format can leak it. The texts in a Class are any bytes; each function passes them through
 * escape.h or out.h.
 *
 * A grade that the grader could not decide is nobody's zero: formats with a way to say so say it, class
 * tables leave the cell empty, and the others are refused with a diagnostic.
 */
#pragma once

#include "grading/book/class.h"

/** How much one file of a format holds. */
typedef enum ExportScope { EXPORT_ONE, EXPORT_STUDENT, EXPORT_CLASS } ExportScope;
/** Who reads a file: students are told less of hidden cases, and grades that are not released go neither to
 * them nor to another system. */
typedef enum ExportReader { EXPORT_FOR_STUDENTS, EXPORT_FOR_SYSTEM, EXPORT_FOR_STAFF } ExportReader;

/** One file to be written. */
typedef struct ExportJob {
    const Class *class;
    Arena *arena;
    Diagnostics *diagnostics;
    Gradebook *book; /**< has the sources; NULL: there are none to quote */
    bool canvas_ids; /**< the students' ids are Canvas's own numbers, as in its download of submissions */
} ExportJob;

/** False after adding a diagnostic; a lack of memory shows in `out`. */
typedef bool ExportFunction(const ExportJob *job, Text *out);

/** A row of exports.def. */
typedef struct Export {
    const char *name;
    ExportFunction *write;
    ExportScope scope;
    ExportReader reader;
    const char *file, *help;
} Export;

/** All formats; ends with name == NULL. */
extern const Export exports_table[];

/** The format of that name; NULL after adding an error that lists them. */
const Export *exports_find(const char *name, Diagnostics *diagnostics);
/** Instead of a student or lesson: all of them. */
#define EXPORTS_ALL SIZE_MAX
/** The part of a class that is one student, one lesson or both, by their places in it. Borrowed from `whole`;
 * false without memory. */
bool exports_select(Class *part, Arena *arena, const Class *whole, size_t student, size_t lesson);
/** Whether the class is what one file of the format holds; otherwise there is an error that says what to
 * select. */
bool exports_fit(const Export *format, const Class *class, Diagnostics *diagnostics);
/** Writes one file of a class that fits. */
bool exports_write(const Export *format, const ExportJob *job, Text *out);
/** Adds the results of `warpschool check --json` as the class of one student: what the adapters export
 * without a gradebook. */
bool exports_class_of(Class *class, Arena *arena, struct json_object **results, size_t count,
                      Diagnostics *diagnostics);

#define EXPORT(name, function, scope, reader, file, help) ExportFunction function;
#include "grading/out/exports.def"
#undef EXPORT
