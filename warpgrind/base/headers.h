/* headers.h - by which path a file is a header of the system or a toolkit, and which of these are CUB's and
 * Thrust's. */
#pragma once

#include <stdbool.h>

/** Whether the path is an absolute one through a folder of headers: a learner's own lie beside the source. */
bool headers_are(const char *path);
/** Whether the path, without what `..` takes back, is one where a package of the system or a CUDA toolkit
 * puts these libraries: nobody else can write there. */
bool headers_of_library(const char *path);
