/* version.h - the version of warpgrind and warpcc, and of the course that comes with them.
 *
 * A release takes its name from this line, and CHANGELOG.md has a section of that name.
 */
#pragma once

#define WARPGRIND_VERSION "0.1"
