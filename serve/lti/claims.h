/* claims.h - a launch's token against what is known of the platform: each question has its own refusal in
 * words (texts.txt, [lti]).
 *
 * Nothing of a token counts before its signature is known to be the platform's. What is asked for stands in
 * the Security Framework 1.0 (5.1.3) and in LTI 1.3 core (section 5.3).
 */
#pragma once

#include "serve/lti/jwt.h"
#include "serve/texts.h"

enum {
    CLAIMS_SLACK_SECONDS = 30,    /**< by which clocks may differ */
    CLAIMS_OLDEST_SECONDS = 3600, /**< a token that was made longer ago is not of this launch */
    CLAIMS_LONGEST_NAME = 255     /**< of a user: LTI 1.3 core, 5.3.6.1 */
};

/** What a token must say. */
typedef struct LaunchWanted {
    const char *issuer, *client;     /**< the platform, and what it calls us */
    struct json_object *deployments; /**< an array of texts */
    const char *nonce;               /**< of the login that this browser began */
    const char *target;              /**< the address that the login was about */
    int64_t now;
} LaunchWanted;

/** No refusal. */
#define CLAIMS_FINE ((LtiText)SAY_NOTHING)

/** Before any key is asked for: whether it is a token that this platform could have signed for us. */
LtiText claims_check_head(const Jwt *jwt);
/** Of a token whose signature is right. */
LtiText claims_check(const Jwt *jwt, const LaunchWanted *wanted);
/** What the server needs of it: user, names, whether they teach, context, lesson, line item, members; the
 * caller puts it. */
struct json_object *claims_tell(const Jwt *jwt);
