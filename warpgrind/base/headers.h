/* headers.h - by which path a file is a header of CUB or Thrust. */
#ifndef BASE_HEADERS_H
#define BASE_HEADERS_H

#include <stdbool.h>

/** Whether the path, without what `..` takes back, is one where a package of the system or a CUDA toolkit
 * puts these libraries: nobody else can write there. */
bool headers_of_library(const char *path);

#endif
