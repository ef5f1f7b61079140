/* files.c - files of the course's pages, versions of the learner's, and the hashes that let a page's own
 * scripts run; see desk.h. */
#include "serve/desk/desk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Names are the routes' business; links and mounts are looked at here, by the system itself. */
static int open_below(const char *folder, const char *path) {
    int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return -1;
    const struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    int error = errno;
    close(root);
    errno = error;
    return fd;
}

bool files_read(const char *folder, const char *path, Text *text) {
    if (folder == NULL) return false;
    int fd = open_below(folder, path);
    struct stat facts;
    bool fine = fd >= 0 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= WIRE_LARGEST;
    char buffer[65536];
    for (ssize_t got; fine && (got = read(fd, buffer, sizeof buffer)) != 0;) {
        fine = (got > 0 || errno == EINTR) && text->length <= WIRE_LARGEST;
        if (got > 0) text_append(text, buffer, (size_t)got);
    }
    if (fd >= 0) close(fd);
    return fine && !text->failed;
}

/* 'sha256-...' as a Content-Security-Policy names a script by what it says. */
static void add_script(const char *script, size_t length, Text *out) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    char letters[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = {0};
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, (const uint8_t *)script);
    sha256_digest(&context, sizeof digest, digest);
    base64_encode_raw(letters, sizeof digest, digest);
    if (out->length > 0) text_add(out, " ");
    text_format(out, "'sha256-%s'", letters);
}

/* Of a page that we have made: its scripts may run, and none that anybody adds. */
void files_policy(const Text *page, char policy[WIRE_POLICY]) {
    static const char begin[] = "<script>";
    Text hashes = text_new();
    for (const char *at = page->bytes; (at = strstr(at, begin)) != NULL;) {
        at += strlen(begin);
        const char *end = strstr(at, "</script>");
        if (end == NULL) break;
        Text one = text_new();
        add_script(at, (size_t)(end - at), &one);
        if (strstr(hashes.bytes, one.bytes) == NULL && hashes.length + one.length + 2 < WIRE_POLICY) {
            if (hashes.length > 0) text_add(&hashes, " ");
            text_add(&hashes, one.bytes);
        }
        text_free(&one);
        at = end;
    }
    memset(policy, 0, WIRE_POLICY);
    memcpy(policy, hashes.bytes, hashes.length);
    text_free(&hashes);
}

static void add_hash(const void *bytes, size_t length, char *out, size_t letters) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, bytes);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < letters; i++)
        out[i] = digits[(digest[i / 2] >> (4 * (1 - i % 2))) & 15];
}

/* Two who share a browser begin with the same text: a page that goes may save what it had with the cookie of
 * the next one, and is refused by its version. */
void files_version(int64_t student, const char *bytes, size_t length, char version[WIRE_VERSION + 1]) {
    add_hash(&student, sizeof student, version, FILES_OWNER);
    add_hash(bytes, length, version + FILES_OWNER, WIRE_VERSION - FILES_OWNER);
    version[WIRE_VERSION] = '\0';
}

bool files_are_one_owners(const char *version, const char *other) {
    return strncmp(version, other, FILES_OWNER) == 0;
}
