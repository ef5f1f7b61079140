/* headers.h - which headers of CUB and Thrust the compiler has read.
 *
 * A launch's report names the file in which the kernel stands (`code_file`), as debug information says it.
 * That is believed of a library's header which the compiler has opened by itself, as it writes down for make
 * (-MD): no directive of the source changes what stands there. In its sandbox these folders are the system's,
 * and can only be read.
 */
#pragma once

#include "autograder/check/check.h"

/** Keeps the libraries' headers of the rule that the compiler has left in this file; none where there is no
 * such file. */
void headers_read(Check *check, const char *rule);
/** Takes `code_file` from each launch of a device's report whose file is a library's and was not read. */
void headers_check_report(const Check *check, struct json_object *report);
