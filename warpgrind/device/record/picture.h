/* picture.h - `--picture FILE`: what the threads of one launch did to which element, for the page that shows
 * it (base/picture.h).
 *
 * Recorded is the first launch with an error in it, else the first that reads what nobody wrote, else the
 * last: of its first blocks, every access of a warp, every barrier, parting of lanes and mistake, in the
 * order in which the model ran them. A device without a picture has NULL here.
 */
#pragma once

#include "check/check.h"

struct Device;

typedef struct Picture Picture;

/** Attaches to the device's machine, after the Check: a finding is known before the step that it is about.
 * NULL without memory. */
Picture *picture_create(struct Device *device);
void picture_destroy(Picture *picture);
/** As CheckFound, with the Picture as `self`. */
void picture_found(void *self, const CheckFinding *finding);
/** The same, each further time. */
void picture_found_again(void *self, const CheckFinding *finding);
/** What was recorded, as the text of a JSON object (warpgrind/picture/v3); for the report; the caller puts
 * it. */
struct json_object *picture_json(Picture *picture);
