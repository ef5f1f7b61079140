/* hidden.h - what a student may see of a result.
 *
 * A hidden case tells the concept that it tries, never its name, input, expected value or what came out;
 * findings and budget lines that were seen in one keep their kind and place and lose their numbers; the
 * seed, which would make the inputs again, is never told. Results that graded a class have lost most of this
 * already (autograder/check/hidden.h); this also holds for one made with --reveal, whose output is left out,
 * since a program can print its input.
 */
#pragma once

#include <json-c/json.h>
#include <stdbool.h>

/** A copy of a warpschool/result/v1 with only the members that a student may see; the caller puts it. NULL
 * without memory. `concepts`: those of hidden cases are told. */
struct json_object *hidden_for_student(struct json_object *result, bool concepts);
