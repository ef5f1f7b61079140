/* platforms.c - lti.yaml, the server's key, and jobs for warpschool-lti; see platforms.h. */
#include "serve/class/platforms.h"

#include "base/json.h"
#include "serve/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGEST_FILE = 64 << 10, LARGEST_ANSWER = 8 << 20, KEY_SECONDS = 30, NOBODY = 65534 };

static bool complain(Diagnostics *diagnostics, const char *path, ClassText problem, ClassText remedy,
                     const char *why) {
    const ClassFacts facts = {.path = path, .why = why};
    return advise(
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "%s", told_class(diagnostics->arena, problem, &facts)),
        plain_class(remedy));
}

/* ---- lti.yaml ---- */

/* An address of the platform: what we send there is worth as much as a password. */
static void read_address(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    fields_read_text(reader, field, node);
    const char **text = fields_member(reader, field);
    if (*text != NULL && !text_starts_with(*text, "https://"))
        advise(fields_complain(reader, node, "`%s` must begin with https://", field->key),
               plain_class(CLASS_LTI_ADDRESS_REMEDY));
}

/* It stands in addresses and in the database. */
static void read_name(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    fields_read_text(reader, field, node);
    const char **text = fields_member(reader, field);
    if (*text != NULL && !serve_is_lesson(*text))
        fields_complain(reader, node, "`%s` must be small letters, digits and dashes", field->key);
}

static void read_match(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    static const char *const words[MATCH_COUNT] = {[MATCH_SUB] = "sub",
                                                   [MATCH_SOURCEDID] = "sourcedid",
                                                   [MATCH_EMAIL] = "email",
                                                   [MATCH_LOGIN] = "login"};
    PlatformMatch *match = fields_member(reader, field);
    const char *text = fields_text(reader, node);
    for (int i = 0; text != NULL && i < MATCH_COUNT; i++) {
        if (strcmp(words[i], text) != 0) continue;
        *match = (PlatformMatch)i;
        return;
    }
    fields_complain(reader, node, "`%s` must be sub, sourcedid, email or login", field->key);
}

#define AT(member) offsetof(RoomPlatform, member)
static const Field platform_fields[] = {{"name", read_name, true, AT(name), 0, 0, NULL},
                                        {"issuer", fields_read_text, true, AT(issuer), 0, 0, NULL},
                                        {"client", fields_read_text, true, AT(client), 0, 0, NULL},
                                        {"deployments", fields_read_texts, true, AT(deployments), 0, 0, NULL},
                                        {"login", read_address, true, AT(login), 0, 0, NULL},
                                        {"keys", read_address, true, AT(keys), 0, 0, NULL},
                                        {"token", read_address, true, AT(token), 0, 0, NULL},
                                        {"audience", fields_read_text, false, AT(audience), 0, 0, NULL},
                                        {"ca", fields_read_text, false, AT(authority), 0, 0, NULL},
                                        {"student", read_match, true, AT(match), 0, 0, NULL},
                                        {.key = NULL}};

static bool is_second(const Platforms *platforms, const RoomPlatform *one) {
    for (size_t i = 0; i < platforms->count; i++) {
        const RoomPlatform *other = &platforms->items[i];
        if (text_same(other->name, one->name) ||
            (text_same(other->issuer, one->issuer) && text_same(other->client, one->client)))
            return true;
    }
    return false;
}

static void read_platforms(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    Platforms *platforms = fields_member(reader, field);
    const size_t count = fields_count(node);
    if (count == 0) fields_complain(reader, node, "`%s` must be a list", field->key);
    platforms->items = ARENA_ARRAY(reader->arena, count + 1, RoomPlatform);
    for (size_t i = 0; platforms->items != NULL && i < count; i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        RoomPlatform *one = &platforms->items[platforms->count];
        FieldReader inner = *reader;
        *one = (RoomPlatform){0};
        inner.target = one;
        fields_read_mapping(&inner, platform_fields, item, "a platform");
        if (is_second(platforms, one))
            fields_complain(reader, item, "two platforms with one name, or one issuer and client");
        platforms->count++;
    }
}

static const Field file_fields[] = {{"platforms", read_platforms, true, 0, 0, 0, NULL}, {.key = NULL}};

/* ---- jobs ---- */

static struct json_object *list_of(const TextList *list) {
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < list->count; i++)
        json_object_array_add(array, json_object_new_string(list->items[i]));
    return array;
}

struct json_object *platforms_job(const Platforms *platforms, const char *name, const RoomPlatform *platform,
                                  bool signs) {
    struct json_object *job = json_object_new_object();
    json_put_text(job, "job", name);
    if (signs) json_put_text(job, "key", platforms->key);
    if (platform == NULL) return job;
    struct json_object *facts = json_object_new_object();
    json_put_text(facts, "issuer", platform->issuer);
    json_put_text(facts, "client", platform->client);
    json_put_text(facts, "keys", platform->keys);
    json_put_text(facts, "token", platform->token);
    if (platform->audience != NULL) json_put_text(facts, "audience", platform->audience);
    if (platform->authority != NULL) json_put_text(facts, "ca", platform->authority);
    json_object_object_add(facts, "deployments", list_of(&platform->deployments));
    json_object_object_add(job, "platform", facts);
    return job;
}

/* The job lies in memory that has a descriptor, as what stands on a command line is everybody's to read. The
 * process is nobody, where that can be: the key and the token come with the job. */
bool platforms_start(const Platforms *platforms, Child *child, struct json_object *job) {
    const char *words =
        json_object_to_json_string_ext(job, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    const char *const argv[] = {platforms->program, NULL};
    const int file = memfd_create("job", MFD_CLOEXEC);
    const ChildSetup setup = {.argv = argv,
                              .extra_fds = {file, -1},
                              .user = geteuid() == 0 ? (uid_t)NOBODY : (uid_t)-1,
                              .capture_limit = LARGEST_ANSWER};
    const bool fine = file >= 0 && text_write(file, words, strlen(words)) && lseek(file, 0, SEEK_SET) == 0 &&
                      child_start(child, &setup);
    if (file >= 0) close(file);
    return fine;
}

bool platforms_run(const Platforms *platforms, Child *child, struct json_object *job, double seconds) {
    if (!platforms_start(platforms, child, job)) return false;
    Child *children[] = {child};
    const double deadline = child_now() + seconds;
    while (!child->ended && child_now() < deadline)
        child_watch(children, 1, deadline);
    return child->ended && child->status == 0;
}

/* A job whose answer is one object; the caller puts it. NULL with errno or a problem that is told. */
static struct json_object *ask(const Platforms *platforms, struct json_object *job) {
    Child child = {0};
    struct json_object *answer = NULL;
    if (platforms_run(platforms, &child, job, KEY_SECONDS))
        answer = json_tokener_parse(child.streams[0].bytes);
    child_kill(&child);
    child_free(&child);
    json_object_put(job);
    return answer;
}

/* ---- the key ---- */

/* There whole or not at all, and the owner's alone, as the secret of the links. */
static bool draw_key(const Platforms *platforms, const Classroom *room, const char *path) {
    const char *fresh = room_below(room, "lti.key.new");
    struct json_object *answer = ask(platforms, platforms_job(platforms, "make-key", NULL, false));
    const char *pem = json_text(answer, "key", "");
    unlink(fresh);
    errno = EIO;
    int fd = -1;
    if (*pem != '\0') fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool fine = fd >= 0 && text_write(fd, pem, strlen(pem)) && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    fine = fine && (link(fresh, path) == 0 || errno == EEXIST);
    unlink(fresh);
    json_object_put(answer);
    return fine;
}

static bool read_key(Platforms *platforms, const Classroom *room, Diagnostics *diagnostics) {
    const char *path = room_below(room, "lti.key");
    Text pem = text_new();
    bool fine = access(path, F_OK) == 0 || draw_key(platforms, room, path);
    fine = fine && text_read_named_file(&pem, path, LARGEST_FILE);
    const char *why = strerror(errno);
    if (fine) platforms->key = arena_string(room->arena, pem.bytes);
    text_free(&pem);
    if (fine && platforms->key != NULL)
        platforms->published = ask(platforms, platforms_job(platforms, "publish-key", NULL, true));
    if (json_array(platforms->published, "keys") != NULL) return true;
    return complain(diagnostics, path, CLASS_LTI_NO_KEY, CLASS_LTI_NO_KEY_REMEDY,
                    fine ? "it is no key" : why);
}

/* ---- all of it ---- */

/* A file of certificates is named as the teacher sees it, from the class's folder. The process that needs it
 * could not open it there. */
static bool read_authority(RoomPlatform *platform, const Classroom *room, Diagnostics *diagnostics) {
    if (platform->authority == NULL) return true;
    const char *path = platform->authority;
    Text pem = text_new();
    if (*path != '/') path = room_below(room, path);
    const bool fine = text_read_file(&pem, path, LARGEST_FILE * 16);
    if (!fine) diag_add_errno(diagnostics, path, "cannot read the certificates");
    platform->authority = arena_string(room->arena, pem.bytes);
    text_free(&pem);
    return fine && platform->authority != NULL;
}

static bool read_file(Platforms *platforms, const Classroom *room, Diagnostics *diagnostics) {
    FieldReader reader = {.target = platforms,
                          .arena = room->arena,
                          .path = room_below(room, "lti.yaml"),
                          .diagnostics = diagnostics};
    if (!fields_read_file(&reader, file_fields, "list of platforms", LARGEST_FILE)) return false;
    for (size_t i = 0; i < platforms->count; i++)
        if (!read_authority(&platforms->items[i], room, diagnostics)) return false;
    return true;
}

bool platforms_open(Platforms *platforms, const Classroom *room, const Course *course,
                    Diagnostics *diagnostics) {
    *platforms = (Platforms){0};
    if (access(room_below(room, "lti.yaml"), F_OK) != 0) return true;
    platforms->program = arena_format(room->arena, "%s/bin/warpschool-lti", course->build);
    if (platforms->program == NULL || access(platforms->program, X_OK) != 0)
        return complain(diagnostics, room->folder, CLASS_NO_LTI, CLASS_NO_LTI_REMEDY, NULL);
    return read_file(platforms, room, diagnostics) && read_key(platforms, room, diagnostics);
}

void platforms_close(Platforms *platforms) {
    for (size_t i = 0; i < platforms->count; i++)
        json_object_put(platforms->items[i].known);
    json_object_put(platforms->published);
    *platforms = (Platforms){0};
}

RoomPlatform *platforms_named(const Platforms *platforms, const char *name) {
    for (size_t i = 0; i < platforms->count; i++)
        if (strcmp(platforms->items[i].name, name) == 0) return &platforms->items[i];
    return NULL;
}
