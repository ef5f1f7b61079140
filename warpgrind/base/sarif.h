/* sarif.h - the parts of a SARIF 2.1.0 log (OASIS) that all our logs share: the rules are the rows of
 * findings.def.
 *
 * Objects belong to the caller until they are put into another. Texts must be valid UTF-8.
 */
#pragma once

#include "base/json.h"

/** A log with one run of the tool `name`; takes `results`, a list. */
struct json_object *sarif_log(const char *name, struct json_object *results);
/** Adds a location to a list, with what happened there (NULL or empty: nothing is said); nothing when the
 * place is unknown. */
void sarif_add_location(struct json_object *list, const char *file, int64_t line, int64_t column,
                        const char *what);
/** A result with rule, level, message and count; NULL for a kind that is none of ours. */
struct json_object *sarif_result(const char *kind, const char *severity, const char *message, int64_t count);
