/* picture.h - the page that shows what the threads of a launch did: one HTML file that asks nobody for
 * anything.
 *
 * The page (picture.html) is part of the program; what is recorded (docs/picture.md) and the source are put
 * into it as text that no browser takes for anything else, since both come from programs that nobody vouches
 * for.
 */
#ifndef BASE_PICTURE_H
#define BASE_PICTURE_H

#include "base/text.h"

/** Adds the page. `data`: the text of a warpgrind/picture/v2 object; `name` and `source`: the file that its
 * lines are in, as people know it; `source` may be NULL when it cannot be read. */
void picture_page(Text *out, const char *data, const char *name, const char *source);

#endif
