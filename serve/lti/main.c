/* main.c - warpschool-lti: started by the server of a class for one job, which is an object of JSON in a
 * file (descriptor 3), and ended with it. What came of it is printed as JSON.
 *
 * It reads what enemies may have written, as tokens come from browsers, and it alone speaks with learning
 * platforms. It has no student's file, seed, hidden case or gradebook, and opens no database; who comes in
 * and what is sent, the server decides.
 */
#include "base/json.h"
#include "serve/lti/claims.h"
#include "serve/lti/services.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOB = 3, DONE = 0, FAILED = 1, MISUSED = 2 };

static int print(struct json_object *object) {
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
    if (fflush(stdout) == 0) return DONE;
    return FAILED;
}

static int print_problem(const char *why) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "problem", why);
    return print(object);
}

/* ---- a launch ---- */

/* The keys that the server has from before, unless they lack the one that signed; then the platform's, as far
 * as the server lets us ask. `*why` is set where the platform does not answer. */
static struct json_object *find_set(const Platform *platform, const Jwt *jwt, struct json_object *job,
                                    const char **why) {
    struct json_object *known = json_member(job, "known");
    if (jwt_find_key(jwt, known) != NULL || !json_flag(job, "ask", true)) return json_object_get(known);
    return services_keys(platform, why);
}

static const char *check_launch(const Platform *platform, const Jwt *jwt, struct json_object *job,
                                struct json_object *answer) {
    const LaunchWanted wanted = {.issuer = json_text(platform->facts, "issuer", ""),
                                 .client = json_text(platform->facts, "client", ""),
                                 .deployments = json_array(platform->facts, "deployments"),
                                 .nonce = json_text(job, "nonce", ""),
                                 .target = json_text(job, "target", ""),
                                 .now = (int64_t)time(NULL)};
    const char *why = NULL, *token = json_text(job, "token", "");
    LtiText refusal = claims_check_head(jwt);
    if (refusal == CLAIMS_FINE) {
        struct json_object *set = find_set(platform, jwt, job, &why), *key = jwt_find_key(jwt, set);
        if (set != NULL && set != json_member(job, "known"))
            json_object_object_add(answer, "keys", json_object_get(set));
        if (key == NULL)
            refusal = LTI_OTHER_KEY;
        else
            refusal = jwt_is_signed(jwt, token, key) ? claims_check(jwt, &wanted) : LTI_BAD_SIGNATURE;
        json_object_put(set);
    }
    if (why != NULL) return why;
    if (refusal != CLAIMS_FINE) return plain_lti(refusal);
    return NULL;
}

static int launch(const Platform *platform, struct json_object *job) {
    struct json_object *answer = json_object_new_object();
    const char *token = json_text(job, "token", "");
    Jwt jwt;
    const char *refusal = plain_lti(LTI_NO_TOKEN);
    if (jwt_open(&jwt, token, strlen(token))) refusal = check_launch(platform, &jwt, job, answer);
    if (refusal != NULL)
        json_put_text(answer, "refused", refusal);
    else
        json_object_object_add(answer, "launch", claims_tell(&jwt));
    jwt_close(&jwt);
    return print(answer);
}

/* ---- the others ---- */

static int make_key(const Platform *platform, struct json_object *job) {
    struct json_object *answer = json_object_new_object();
    Text pem = text_new();
    (void)platform;
    (void)job;
    if (jwt_make_key(&pem)) json_put_text(answer, "key", pem.bytes);
    text_free(&pem);
    return print(answer);
}

static int publish_key(const Platform *platform, struct json_object *job) {
    (void)job;
    if (platform->key != NULL) return print(jwt_publish_key(platform->key));
    return print_problem(plain_lti(LTI_NO_KEY));
}

static int send_scores(const Platform *platform, struct json_object *job) {
    if (platform->key == NULL) return print_problem(plain_lti(LTI_NO_KEY));
    services_scores(platform, json_array(job, "scores"));
    return DONE;
}

static int list_members(const Platform *platform, struct json_object *job) {
    const char *why = plain_lti(LTI_NO_KEY);
    struct json_object *members = NULL;
    if (platform->key != NULL) members = services_members(platform, json_text(job, "url", ""), &why);
    if (members == NULL) return print_problem(why);
    struct json_object *answer = json_object_new_object();
    json_object_object_add(answer, "members", members);
    return print(answer);
}

static const struct {
    const char *name;
    int (*run)(const Platform *platform, struct json_object *job);
} jobs[] = {{"make-key", make_key},
            {"publish-key", publish_key},
            {"launch", launch},
            {"scores", send_scores},
            {"members", list_members}};

static int run(struct json_object *job, Arena *arena) {
    const char *name = json_text(job, "job", ""), *pem = json_text(job, "key", "");
    Platform platform = {.facts = json_member(job, "platform"), .arena = arena};
    int status = MISUSED;
    if (*pem != '\0') platform.key = jwt_read_key(pem);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (strcmp(jobs[i].name, name) == 0) status = jobs[i].run(&platform, job);
    EVP_PKEY_free(platform.key);
    return status;
}

int main(void) {
    Text words = text_new();
    char buffer[65536];
    ssize_t got;
    int status = MISUSED;
    while ((got = read(JOB, buffer, sizeof buffer)) > 0)
        text_append(&words, buffer, (size_t)got);
    struct json_object *job = NULL;
    if (words.length > 0) job = json_tokener_parse(words.bytes);
    Arena *arena = arena_create();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (job != NULL && arena != NULL)
        status = run(job, arena);
    else
        fputs("warpschool-lti is a part of: warpschool serve --class\n", stderr);
    curl_global_cleanup();
    json_object_put(job);
    text_free(&words);
    if (arena != NULL) arena_destroy(arena);
    return status;
}
