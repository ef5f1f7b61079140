/* hash.c - SHA-256 by nettle; see hash.h. */
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <unistd.h>

static void write_digest(struct sha256_ctx *context, char hex[HASH_HEX]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = '\0';
}

void hash_bytes(const char *bytes, size_t length, char hex[HASH_HEX]) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, (const uint8_t *)bytes);
    write_digest(&context, hex);
}

/* Reads piece by piece, as a file may be larger than memory. An interrupted read goes on; errno is that of
 * the read, not of the close. */
bool hash_file(const char *path, char hex[HASH_HEX]) {
    struct sha256_ctx context;
    uint8_t buffer[65536];
    sha256_init(&context);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t got;
    while ((got = read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) sha256_update(&context, (size_t)got, buffer);
    int problem = errno;
    close(fd);
    errno = problem;
    if (got == 0) write_digest(&context, hex);
    return got == 0;
}
