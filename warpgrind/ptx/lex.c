/* lex.c - PTX text to tokens (PTX ISA 4.1 to 4.5).
 *
 * Tokens point into the text. A word's hash is made while it is read, because nearly every word is looked up.
 */
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_follow(char c) {
    return is_letter(c) || is_digit(c);
}

/* The value of a digit in any base up to 16; 16 for other characters. */
static unsigned digit_value(char c) {
    if (is_digit(c)) return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

void lex_begin(Lexer *lexer, const char *text, size_t length) {
    *lexer = (Lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

uint32_t lex_hash(uint32_t hash, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        hash = hash * 33 ^ (unsigned char)bytes[i];
    return hash;
}

bool lex_is(const Token *token, const char *word) {
    size_t length = strlen(word);
    return token->length == length && memcmp(token->start, word, length) == 0;
}

static char peek(const Lexer *lexer, size_t ahead) {
    if ((size_t)(lexer->end - lexer->at) > ahead) return lexer->at[ahead];
    return '\0';
}

static void new_line(Lexer *lexer) {
    lexer->line++;
    lexer->line_start = lexer->at;
}

/* Behind the comment; false when it does not end. */
static bool skip_block_comment(Lexer *lexer) {
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            return true;
        }
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        }
    }
    return false;
}

/* Blanks and comments. A NUL byte counts as a blank: images are often padded with them. */
static bool skip_blanks(Lexer *lexer) {
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->at++;
            new_line(lexer);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0') {
            lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
            if (newline)
                lexer->at = newline;
            else
                lexer->at = lexer->end;
        } else if (c == '/' && peek(lexer, 1) == '*') {
            if (!skip_block_comment(lexer)) return false;
        } else {
            break;
        }
    }
    return true;
}

static void finish(Lexer *lexer, Token *token, TokenKind kind) {
    token->kind = kind;
    token->length = (uint32_t)(lexer->at - token->start);
}

static void lex_word(Lexer *lexer, Token *token, TokenKind kind) {
    const char *at = lexer->at;
    uint32_t hash = LEX_HASH_START;
    while (at < lexer->end && is_follow(*at))
        hash = hash * 33 ^ (unsigned char)*at++;
    token->hash = hash;
    lexer->at = at;
    finish(lexer, token, kind);
}

/* "." word { "::" word }: a directive or a suffix. */
static void lex_dot(Lexer *lexer, Token *token) {
    token->start = ++lexer->at;
    for (;;) {
        while (lexer->at < lexer->end && is_follow(*lexer->at))
            lexer->at++;
        if (peek(lexer, 0) != ':' || peek(lexer, 1) != ':' || !is_follow(peek(lexer, 2))) break;
        lexer->at += 2;
    }
    token->hash = lex_hash(LEX_HASH_START, token->start, (size_t)(lexer->at - token->start));
    finish(lexer, token, lexer->at > token->start ? TOKEN_DOT : TOKEN_BAD);
}

/* Digits of that base, value modulo 2^64; returns how many. */
static unsigned lex_digits(Lexer *lexer, unsigned base, uint64_t *bits) {
    unsigned count = 0;
    for (unsigned value; lexer->at < lexer->end && (value = digit_value(*lexer->at)) < base;
         lexer->at++, count++)
        *bits = *bits * base + value;
    return count;
}

/* 0fXXXXXXXX or 0dXXXXXXXXXXXXXXXX, the exact bits of a float. */
static void lex_exact_float(Lexer *lexer, Token *token, TokenKind kind, unsigned digits) {
    lexer->at += 2;
    bool complete = lex_digits(lexer, 16, &token->bits) == digits;
    finish(lexer, token, complete ? kind : TOKEN_BAD);
}

/* A decimal with a point or an exponent. strtod needs a NUL behind the number, so it gets a copy. */
static void lex_decimal_float(Lexer *lexer, Token *token) {
    char copy[64];
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        bool sign = (c == '+' || c == '-') && (lexer->at[-1] == 'e' || lexer->at[-1] == 'E');
        if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
        lexer->at++;
    }
    finish(lexer, token, TOKEN_FLOAT64);
    if (token->length >= sizeof copy) {
        token->kind = TOKEN_BAD;
        return;
    }
    memcpy(copy, token->start, token->length);
    copy[token->length] = '\0';
    char *end;
    double value = strtod(copy, &end);
    if (*end) token->kind = TOKEN_BAD;
    memcpy(&token->bits, &value, sizeof value);
}

static void lex_integer(Lexer *lexer, Token *token, size_t prefix, unsigned base) {
    lexer->at += prefix;
    unsigned count = lex_digits(lexer, base, &token->bits);
    if (peek(lexer, 0) == 'U') lexer->at++;
    bool complete = count > 0 && !is_follow(peek(lexer, 0));
    while (is_follow(peek(lexer, 0)))
        lexer->at++;
    finish(lexer, token, complete ? TOKEN_INTEGER : TOKEN_BAD);
}

static bool is_decimal_float(const Lexer *lexer) {
    const char *at = lexer->at;
    while (at < lexer->end && is_digit(*at))
        at++;
    if (at == lexer->end) return false;
    return (*at == '.' && at + 1 < lexer->end && is_digit(at[1])) || *at == 'e' || *at == 'E';
}

/* The second character tells the form (PTX ISA 4.5): 0f and 0d are exact floats in hexadecimal digits, 0x,
 * 0b and 0 integers in other bases. */
static void lex_number(Lexer *lexer, Token *token) {
    char second = '\0';
    if (lexer->at[0] == '0') second = peek(lexer, 1);
    if (second == 'f' || second == 'F')
        lex_exact_float(lexer, token, TOKEN_FLOAT32, 8);
    else if (second == 'd' || second == 'D')
        lex_exact_float(lexer, token, TOKEN_FLOAT64, 16);
    else if (second == 'x' || second == 'X')
        lex_integer(lexer, token, 2, 16);
    else if (second == 'b' || second == 'B')
        lex_integer(lexer, token, 2, 2);
    else if (is_decimal_float(lexer))
        lex_decimal_float(lexer, token);
    else
        lex_integer(lexer, token, 0, is_digit(second) ? 8 : 10);
}

static void lex_string(Lexer *lexer, Token *token) {
    token->start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at += *lexer->at == '\\' && peek(lexer, 1) != '\n' && peek(lexer, 1) != '\0' ? 2 : 1;
    bool closed = peek(lexer, 0) == '"';
    finish(lexer, token, closed ? TOKEN_STRING : TOKEN_BAD);
    if (closed) lexer->at++;
}

void lex_next(Lexer *lexer, Token *token) {
    bool comments_end = skip_blanks(lexer);
    *token = (Token){.start = lexer->at, .line = lexer->line, .line_start = lexer->line_start};
    if (lexer->at >= lexer->end) {
        if (comments_end)
            token->kind = TOKEN_END;
        else
            token->kind = TOKEN_BAD;
        return;
    }
    char c = *lexer->at;
    /* % alone is the operator. */
    if (is_letter(c) && (c != '%' || is_follow(peek(lexer, 1)))) {
        lex_word(lexer, token, TOKEN_WORD);
    } else if (c == '.') {
        lex_dot(lexer, token);
    } else if (is_digit(c)) {
        lex_number(lexer, token);
    } else if (c == '"') {
        lex_string(lexer, token);
    } else {
        token->sign = c;
        lexer->at++;
        finish(lexer, token, strchr(",;:(){}[]<>=+-!|@*/%~&^?#", c) ? TOKEN_SIGN : TOKEN_BAD);
    }
}
