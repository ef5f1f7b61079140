/* test_hash.c - the hashes of FIPS 180-4's examples, of bytes and of a file. */
#include "base/hash.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char of_nothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static void bytes_have_the_standards_hashes(void **state) {
    (void)state;
    char hex[HASH_HEX];
    hash_bytes("abc", 3, hex);
    assert_string_equal(hex, of_abc);
    hash_bytes("", 0, hex);
    assert_string_equal(hex, of_nothing);
}

static void a_file_has_the_hash_of_its_bytes(void **state) {
    (void)state;
    char name[] = "/tmp/test-hash-XXXXXX", of_bytes[HASH_HEX], of_file[HASH_HEX];
    enum { LONGER_THAN_A_BUFFER = 200001 };
    char *bytes = calloc(1, LONGER_THAN_A_BUFFER);
    int fd = mkstemp(name);
    assert_true(fd >= 0 && bytes != NULL);
    memset(bytes, 'x', LONGER_THAN_A_BUFFER);
    assert_true(text_write(fd, bytes, LONGER_THAN_A_BUFFER));
    hash_bytes(bytes, LONGER_THAN_A_BUFFER, of_bytes);
    bool read = hash_file(name, of_file);
    close(fd);
    unlink(name);
    free(bytes);
    assert_true(read);
    assert_string_equal(of_bytes, of_file);
}

static void what_cannot_be_read_has_none(void **state) {
    (void)state;
    char hex[HASH_HEX];
    assert_false(hash_file("/nonexistent/file", hex));
    assert_false(hash_file("/", hex));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_have_the_standards_hashes),
        cmocka_unit_test(a_file_has_the_hash_of_its_bytes),
        cmocka_unit_test(what_cannot_be_read_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
