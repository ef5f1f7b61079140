/* test_lex.c - text to tokens. */
#include "support.h"

#include "ptx/internal.h"

static Token first_token(const char *text) {
    Lexer lexer;
    Token token;
    lex_begin(&lexer, text, strlen(text));
    lex_next(&lexer, &token);
    return token;
}

static void test_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"0", 0},
                 {"42", 42},
                 {"42U", 42},
                 {"0x1F", 31},
                 {"0XfU", 15},
                 {"017", 15},
                 {"0b101", 5},
                 {"0B11U", 3},
                 {"08x", 0},
                 {"18446744073709551615", UINT64_MAX},
                 {"0xFFFFFFFFFFFFFFFF", UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Token token = first_token(cases[i].text);
        if (strcmp(cases[i].text, "08x") == 0) {
            assert_int_equal(token.kind, TOKEN_BAD);
            continue;
        }
        assert_int_equal(token.kind, TOKEN_INTEGER);
        assert_true(token.bits == cases[i].value);
        assert_int_equal(token.length, strlen(cases[i].text));
    }
}

static void test_floats(void **state) {
    (void)state;
    double value;
    Token token = first_token("0f3F800000");
    assert_int_equal(token.kind, TOKEN_FLOAT32);
    assert_int_equal(token.bits, 0x3F800000);
    token = first_token("0d3FF0000000000000");
    assert_int_equal(token.kind, TOKEN_FLOAT64);
    assert_true(token.bits == UINT64_C(0x3FF0000000000000));
    token = first_token("1.5e-1");
    memcpy(&value, &token.bits, sizeof value);
    assert_int_equal(token.kind, TOKEN_FLOAT64);
    assert_true(value == 0.15);
    assert_int_equal(first_token("0f3F8").kind, TOKEN_BAD);
    assert_int_equal(first_token("0d3FF").kind, TOKEN_BAD);
    assert_int_equal(first_token("1.5e").kind, TOKEN_BAD);
}

static void test_words(void **state) {
    (void)state;
    static const struct {
        const char *text, *word;
        TokenKind kind;
    } cases[] = {{"%r12,", "%r12", TOKEN_WORD},
                 {"$L__BB0_1:", "$L__BB0_1", TOKEN_WORD},
                 {"_Z1kPf(", "_Z1kPf", TOKEN_WORD},
                 {".visible ", "visible", TOKEN_DOT},
                 {".shared::cta.f32", "shared::cta", TOKEN_DOT},
                 {".L2::128B]", "L2::128B", TOKEN_DOT},
                 {".2d.v4", "2d", TOKEN_DOT},
                 {"\"a b\\\"c\"", "a b\\\"c", TOKEN_STRING}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Token token = first_token(cases[i].text);
        assert_int_equal(token.kind, cases[i].kind);
        assert_int_equal(token.length, strlen(cases[i].word));
        assert_memory_equal(token.start, cases[i].word, token.length);
    }
}

static void test_a_hash_is_that_of_its_parts(void **state) {
    (void)state;
    uint32_t whole = lex_hash(LEX_HASH_START, "bar.warp", 8);
    assert_int_equal(whole, lex_hash(lex_hash(LEX_HASH_START, "bar", 3), ".warp", 5));
    assert_int_equal(first_token("bar").hash, lex_hash(LEX_HASH_START, "bar", 3));
}

static void test_blanks_and_lines(void **state) {
    (void)state;
    static const char text[] = " // one .line\n/* two\nlines */\r\n\tadd";
    Token token = first_token(text);
    assert_int_equal(token.kind, TOKEN_WORD);
    assert_int_equal(token.line, 4);
    assert_ptr_equal(token.line_start, text + sizeof text - 1 - strlen("\tadd"));
}

static void test_what_is_no_token(void **state) {
    (void)state;
    static const char *const cases[] = {"/* no end", "\"no end", "\"no end\n\"", "`",
                                        "\x80",      "12ab",     ". x",          "'"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(first_token(cases[i]).kind, TOKEN_BAD);
    assert_int_equal(first_token("").kind, TOKEN_END);
    assert_int_equal(first_token(" // the end").kind, TOKEN_END);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_a_hash_is_that_of_its_parts),
        cmocka_unit_test(test_blanks_and_lines),
        cmocka_unit_test(test_what_is_no_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
