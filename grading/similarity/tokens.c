/* tokens.c - see tokens.h. The reader knows just enough of C: any bytes are a program to it, and it never
 * fails, since half of what students hand in does not compile. */
#include "grading/similarity/tokens.h"
#include "base/minmax.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A word as it stands in the text. */
typedef struct Word {
    const char *bytes;
    size_t length;
} Word;

/* The place in a text. */
typedef struct Reader {
    const char *at, *end;
    int line, depth, piece;
    Tokens out;
} Reader;

/* Words that a copy may gain or lose without doing anything else: a declaration may be unsigned, a value
 * cast. */
static const char *const dropped[] = {"const",        "static",   "inline",          "constexpr", "volatile",
                                      "__restrict__", "register", "__forceinline__", "int",       "unsigned",
                                      "signed",       "long",     "short",           "size_t",    "auto",
                                      "int32_t",      "uint32_t", "int64_t",         "uint64_t",  "ptrdiff_t",
                                      "std"};
static const char *const kept[] = {
    "if",      "else",     "for",    "while", "do",     "switch",    "case",     "default",
    "break",   "continue", "return", "goto",  "sizeof", "struct",    "template", "typename",
    "float",   "double",   "char",   "void",  "bool",   "threadIdx", "blockIdx", "blockDim",
    "gridDim", "warpSize", "dim3",   "min",   "max",    "malloc",    "free",     "printf"};
/* What CUDA's names begin with. */
static const char *const kept_prefixes[] = {"__", "cuda", "atomic", "cub", "thrust"};

static bool is_among(Word word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == word.length && memcmp(list[i], word.bytes, word.length) == 0) return true;
    return false;
}
#define IS_AMONG(word, list) is_among(word, list, sizeof(list) / sizeof *(list))

static bool has_kept_prefix(Word word) {
    for (size_t i = 0; i < sizeof kept_prefixes / sizeof *kept_prefixes; i++) {
        size_t length = strlen(kept_prefixes[i]);
        if (word.length >= length && memcmp(word.bytes, kept_prefixes[i], length) == 0) return true;
    }
    return false;
}

/* FNV-1a. */
static uint64_t hash_word(Word word) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < word.length; i++)
        hash = (hash ^ (unsigned char)word.bytes[i]) * 1099511628211u;
    return hash;
}

static void add(Reader *reader, Word word) {
    if (reader->out.count < TOKENS_MOST)
        reader->out.tokens[reader->out.count++] = (Token){hash_word(word), reader->line, reader->piece};
}

static void add_kind(Reader *reader, const char *kind) {
    add(reader, (Word){kind, strlen(kind)});
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static Word read_name(Reader *reader) {
    Word word = {reader->at, 0};
    while (reader->at < reader->end && is_name(*reader->at))
        reader->at++;
    word.length = (size_t)(reader->at - word.bytes);
    return word;
}

/* 1, 0x1F, 1.5e-3f and what is pasted to it: one word. */
static Word read_number(Reader *reader) {
    Word word = {reader->at, 0};
    while (reader->at < reader->end && (is_name(*reader->at) || *reader->at == '.'))
        reader->at++;
    word.length = (size_t)(reader->at - word.bytes);
    return word;
}

/* The inside of a string or of a comment that starts here; the reader stands after it. "" when none does. */
static Word read_quoted(Reader *reader, const char *open, const char *close) {
    size_t length = strlen(open);
    Word inside = {reader->at, 0};
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, open, length) != 0) return inside;
    inside.bytes = reader->at += length;
    for (length = strlen(close); reader->at < reader->end; reader->at++) {
        if ((size_t)(reader->end - reader->at) >= length && memcmp(reader->at, close, length) == 0) break;
        if (*reader->at == '\n' && open[1] != '*') break;
        if (*reader->at == '\\' && open[1] == '\0' && reader->at + 1 < reader->end) reader->at++;
        reader->line += *reader->at == '\n';
    }
    inside.length = (size_t)(reader->at - inside.bytes);
    if (reader->at < reader->end && *reader->at != '\n') reader->at += length;
    return inside;
}

/* All quotes of C: what opens them, what closes them, and whether they are a token of the structure. */
static const struct {
    const char *open, *close;
    bool counts;
} quotes[] = {{"//", "\n", false}, {"/*", "*/", false}, {"\"", "\"", true}, {"'", "'", true}};

/* A comment or string at the reader's place; whether there was one. */
static bool pass_quoted(Reader *reader, Word *inside, bool *counts) {
    const char *start = reader->at;
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        *inside = read_quoted(reader, quotes[i].open, quotes[i].close);
        *counts = quotes[i].counts;
        if (reader->at != start) return true;
    }
    return false;
}

static void add_structure_name(Reader *reader, Word word) {
    if (IS_AMONG(word, dropped)) return;
    if (IS_AMONG(word, kept) || has_kept_prefix(word))
        add(reader, word);
    else
        add_kind(reader, "name");
}

/* A piece ends with the brace that closes a function. Half-written programs may close more than they open. */
static void count_brace(Reader *reader, char c) {
    if (c == '{') reader->depth++;
    if (c != '}' || reader->depth == 0) return;
    reader->depth--;
    reader->piece += reader->depth == 0;
}

/* Names become one kind, but for words that say what is done; braces and parentheses say nothing. */
static void read_structure(Reader *reader) {
    Word inside;
    bool counts;
    char c = *reader->at;
    if (pass_quoted(reader, &inside, &counts)) {
        if (counts) add_kind(reader, "string");
    } else if (isdigit((unsigned char)c)) {
        read_number(reader);
        add_kind(reader, "number");
    } else if (is_name(c)) {
        add_structure_name(reader, read_name(reader));
    } else {
        if (!isspace((unsigned char)c) && strchr("{}()\\", c) == NULL) add(reader, (Word){reader->at, 1});
        count_brace(reader, c);
        reader->line += c == '\n';
        reader->at++;
    }
}

/* The words in a comment or a string are words like the names around it. */
static void read_wording(Reader *reader) {
    if (is_name(*reader->at)) {
        add(reader, read_number(reader));
        return;
    }
    reader->line += *reader->at == '\n';
    reader->at++;
}

static Tokens read_all(Arena *arena, const char *text, size_t length, void (*read_one)(Reader *)) {
    size_t most = MIN(length, TOKENS_MOST);
    Reader reader = {.at = text, .end = text + length, .line = 1};
    reader.out.tokens = ARENA_ARRAY(arena, most + 1, Token);
    while (reader.out.tokens != NULL && reader.at < reader.end)
        read_one(&reader);
    return reader.out;
}

Tokens tokens_of_structure(Arena *arena, const char *text, size_t length) {
    return read_all(arena, text, length, read_structure);
}

Tokens tokens_of_wording(Arena *arena, const char *text, size_t length) {
    return read_all(arena, text, length, read_wording);
}
