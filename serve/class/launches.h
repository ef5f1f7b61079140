/* launches.h - who comes from a learning platform: login, launch, and what becomes of them.
 *
 * A login keeps nothing here. What the browser gets as a cookie, and the platform hands back as `state` and
 * `nonce`, belong together by the signature of the class's secret; so however many logins are begun by
 * whomever, nobody else's is pushed out. A nonce that has let somebody in is written down, and lets nobody in
 * again.
 */
#pragma once

#include "serve/class/room.h"

/** Reads lti.yaml. `host` is the name under which browsers know us. False with a diagnostic. */
bool launches_open(Desk *desk, const char *host);
void launches_close(Desk *desk);
/** Once in a while: launches that were checked go on, and scores that wait are sent again. */
void launches_look(Desk *desk);

/** The issue of a person's link, as the database has it now: another process may have withdrawn them. 0: they
 * may not come in (office.c). */
int64_t office_issue(Desk *desk, int64_t student);
/** What a browser is to be known by (office.c). */
bool office_draw_cookie(char cookie[WIRE_SECRET + 1]);
/** A session of a browser (office.c): its row, and the cookie. False when it could not be written. */
bool office_begin_session(Desk *desk, int64_t student, int64_t issue, char cookie[WIRE_SECRET + 1]);
