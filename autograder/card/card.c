/* card.c - asks nvidia-smi and nvcc; see card.h. */
#include "autograder/card/card_parts.h"

#include "autograder/sandbox/child.h"
#include "autograder/texts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 20 };

/* ---- programs ---- */

static const char *in_folder(Arena *arena, const char *folder, size_t length, const char *name) {
    const char *path = arena_format(arena, "%.*s/%s", (int)length, folder, name);
    if (path != NULL && access(path, X_OK) == 0) return path;
    return NULL;
}

/* Where the shell would find it, else in `usual`; NULL. */
static const char *find_program(Arena *arena, const char *name, const char *usual) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        const char *found = NULL;
        if (*path == '/') found = in_folder(arena, path, length, name);
        if (found != NULL) return found;
        path += length + (path[length] == ':');
    }
    return in_folder(arena, usual, strlen(usual), name);
}

static const char *find_nvcc(Arena *arena) {
    const char *home = getenv("CUDA_HOME");
    const char *bin = NULL;
    if (home != NULL && *home == '/') bin = arena_format(arena, "%s/bin", home);
    const char *own = NULL;
    if (bin != NULL) own = in_folder(arena, bin, strlen(bin), "nvcc");
    if (own != NULL) return own;
    return find_program(arena, "nvcc", "/usr/local/cuda/bin");
}

bool card_has_compiler(Arena *arena) {
    return find_nvcc(arena) != NULL;
}

static bool ask(const char *const *argv, Text *said) {
    return child_ask(argv, NULL, (double)PATIENCE_SECONDS, said) == 0;
}

/* ---- what nvidia-smi says ---- */

/* The next field of a line of values, which are separated by ", ". */
static const char *take_field(Arena *arena, const char **at) {
    const char *field = *at;
    size_t length = strcspn(field, ",\n");
    *at = field + length + strspn(field + length, ", ");
    while (length > 0 && field[length - 1] == ' ')
        length--;
    return arena_copy(arena, field, length);
}

static unsigned count_lines(const char *text) {
    unsigned count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* Reasons of nvmlClocksEventReasons (NVML's documentation) that make a card slower than it could be: power
 * cap, hardware slowdown, heat by software and hardware, power brake. An idle card has a reason of its own,
 * which is none. */
static const unsigned long slow_reasons = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
/* Percent of the time in which a kernel ran, lately; a check before may have left some. */
enum { BUSY_PERCENT = 50, LOOKS = 3 };

/* A list of numbers, as CUDA reads it: what stands behind a number that is no card's does not count. Cards
 * that are named by other words than numbers are taken for the machine's own first ones. */
static void read_visible(Card *card, unsigned there) {
    const char *at = getenv("CUDA_VISIBLE_DEVICES");
    card->count = 0;
    if (at == NULL || strspn(at, "0123456789,") != strlen(at)) {
        for (unsigned i = 0; i < there && i < CARD_MOST; i++)
            card->numbers[card->count++] = i;
        return;
    }
    while (*at != '\0' && card->count < CARD_MOST) {
        char *end;
        const unsigned long number = strtoul(at, &end, 10);
        if (end == at || number >= there) break;
        card->numbers[card->count++] = (unsigned)number;
        at = end + (*end == ',');
    }
}

/* Each card has a line; read is the first one's that may be used. */
static bool read_card(Card *card, Arena *arena, const char *lines) {
    const char *at = lines;
    read_visible(card, count_lines(lines));
    if (card->count == 0) return false;
    for (unsigned i = 0; i < card->numbers[0]; i++)
        at = strchr(at, '\n') + 1;
    card->name = take_field(arena, &at);
    card->driver = take_field(arena, &at);
    const char *capability = take_field(arena, &at), *used = take_field(arena, &at);
    const char *reasons = take_field(arena, &at), *parts = take_field(arena, &at);
    int major, minor;
    if (card->name == NULL || card->driver == NULL || capability == NULL ||
        sscanf(capability, "%d.%d", &major, &minor) != 2)
        return false;
    card->architecture = arena_format(arena, "sm_%d%d", major, minor);
    card->busy = used != NULL && atoi(used) >= BUSY_PERCENT;
    card->throttled = reasons != NULL && (strtoul(reasons, NULL, 16) & slow_reasons) != 0;
    card->shared = parts != NULL && strcmp(parts, "Enabled") == 0;
    return card->architecture != NULL;
}

static bool ask_driver(Card *card, Arena *arena, const char *tool) {
    const char *const about_card[] = {tool,
                                      "--query-gpu=name,driver_version,compute_cap,utilization.gpu,"
                                      "clocks_throttle_reasons.active,mig.mode.current",
                                      "--format=csv,noheader,nounits", NULL};
    Text said = text_new();
    bool there = ask(about_card, &said) && read_card(card, arena, said.bytes);
    /* The share of the last second, in which a program of ours may have had the card. */
    for (int look = 0; there && card->busy && look < LOOKS; look++) {
        sleep(1);
        there = ask(about_card, &said) && read_card(card, arena, said.bytes);
    }
    if (!there) card->said = arena_copy(arena, said.bytes, strcspn(said.bytes, "\n"));
    const char *number = arena_format(arena, "%u", card->numbers[0]);
    const char *const about_others[] = {tool,   "--query-compute-apps=pid", "-i",
                                        number, "--format=csv,noheader",    NULL};
    if (there && number != NULL && ask(about_others, &said) && count_lines(said.bytes) > 0) card->busy = true;
    text_free(&said);
    return there;
}

/* ---- what nvcc says ---- */

/* The folder above nvcc's bin, links followed: what it needs lies below. Debian's own lies below /usr. */
static bool settle_compiler(Card *card, Arena *arena, const char *nvcc) {
    char path[PATH_MAX];
    if (realpath(nvcc, path) == NULL) return false;
    card->nvcc = arena_string(arena, path);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL || slash == path) return false;
        *slash = '\0';
    }
    card->toolkit = arena_string(arena, path);
    return card->nvcc != NULL && card->toolkit != NULL;
}

/* CUDA 13 has no code for cards before Turing, for one. */
static bool makes_code(const Card *card) {
    const char *const argv[] = {card->nvcc, "--list-gpu-code", NULL};
    Text said = text_new();
    /* An nvcc that is older than the question is told by its own error when it compiles. */
    const bool knows = !ask(argv, &said) || strstr(said.bytes, card->architecture) != NULL;
    text_free(&said);
    return knows;
}

CardLack card_find(Card *card, Arena *arena) {
    *card = (Card){.count = 0};
    const char *nvcc = find_nvcc(arena), *tool = find_program(arena, "nvidia-smi", "/usr/bin");
    if (tool == NULL) return CARD_NO_TOOL;
    if (!ask_driver(card, arena, tool)) return CARD_NO_DRIVER;
    if (nvcc == NULL || !settle_compiler(card, arena, nvcc)) return CARD_NO_COMPILER;
    if (makes_code(card)) return CARD_THERE;
    return CARD_TOO_OLD;
}

SandboxBind card_show_toolkit(const Card *card) {
    if (text_starts_with(card->toolkit, "/usr")) return (SandboxBind){NULL, NULL, false, false};
    return (SandboxBind){card->toolkit, card->toolkit, false, true};
}

/* ---- in words ---- */

static const CardText lacks[] = {[CARD_NO_COMPILER] = CARD_LACKS_COMPILER,
                                 [CARD_NO_TOOL] = CARD_LACKS_TOOL,
                                 [CARD_NO_DRIVER] = CARD_LACKS_DRIVER,
                                 [CARD_TOO_OLD] = CARD_LACKS_CODE};
static const CardText remedies[] = {[CARD_NO_COMPILER] = CARD_INSTALL_COMPILER,
                                    [CARD_NO_TOOL] = CARD_INSTALL_DRIVER,
                                    [CARD_NO_DRIVER] = CARD_ASK_DRIVER,
                                    [CARD_TOO_OLD] = CARD_OLDER_COMPILER};

const char *card_explain(CardLack lack, const Card *card, Arena *arena) {
    return told_card(arena, lacks[lack],
                     &(CardFacts){.name = card->name,
                                  .said = card->said != NULL && *card->said != '\0' ? card->said : NULL,
                                  .architecture = card->architecture});
}

const char *card_remedy(CardLack lack) {
    return plain_card(remedies[lack]);
}
