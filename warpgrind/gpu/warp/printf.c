/* printf.c - printf in device code: vprintf(format, arguments) for each lane in turn (CUDA C++ Programming
 * Guide, "Formatted Output").
 *
 * The arguments lie packed in memory, each aligned to its size. Both pointers come from the program:
 * everything is read through printf_read, which only reads what is there.
 */
#include "base/minmax.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"
#include "gpu/state/events.h"
#include "gpu/warp/warp.h"

#include <stdio.h>

enum { MOST_OUTPUT = 16 << 20, FORMAT_LIMIT = 4096, STRING_LIMIT = 4096, MOST_ARGUMENTS = 32 };

/** Reads a generic address as the lane sees it; false when not all of it is there. */
static bool printf_read(GpuWarp *warp, unsigned lane, uint64_t address, unsigned bytes, void *to) {
    uint64_t local = address - GPU_LOCAL_WINDOW, shared = address - GPU_SHARED_WINDOW;
    if (local < GPU_WINDOW_SPAN) {
        uint64_t top = stack_top(warp->frame, lane);
        if (local > top || bytes > top - local) return false;
        local_read(warp, lane, (uint32_t)local, bytes, to);
        return true;
    }
    if (shared < GPU_WINDOW_SPAN) {
        if (shared > warp->block->shared_span || bytes > warp->block->shared_span - shared) return false;
        memcpy(to, warp->block->shared + shared, bytes);
        return true;
    }
    const void *from = gpu_memory_host(warp->run->gpu, address, bytes);
    if (from) memcpy(to, from, bytes);
    return from != NULL;
}

size_t printf_read_string(GpuWarp *warp, unsigned lane, uint64_t address, char *to, size_t capacity) {
    size_t length = 0;
    while (length + 1 < capacity && printf_read(warp, lane, address + length, 1, to + length) && to[length])
        length++;
    to[length] = 0;
    return length;
}

/* ---- one conversion ---- */

typedef struct Output {
    GpuWarp *warp;
    const GpuInstruction *ins;
    unsigned lane;
    uint64_t arguments; /**< address of the next one */
    bool given;         /**< there are some */
    unsigned count;
    bool undefined;
    bool lost;              /**< an argument is not there */
    bool missing;           /**< nor was one given */
    bool is_float;          /**< the conversion is of a double */
    GpuPrintfMistake wrong; /**< the value is none for the conversion */
    uint64_t half;          /**< the rest of a value of 8 bytes of which a conversion took 4; 0: none */
    bool halved;            /**< nobody took the rest */
    bool paired;            /**< somebody did */
    const char *half_from, *half_to; /**< the conversion that took 4 */
    GpuPrintfMistake mistake;        /**< the first one */
    char specifier[16];              /**< and what it is about */
} Output;

/* ---- arguments ---- */

/** A value that the call was given: how many bytes it has, and how far into it the place lies that was asked
 * for. */
typedef struct Given {
    unsigned bytes, into; /**< bytes 0: none */
    bool is_double;
} Given;

/** What the instruction stores at that place of the frame. */
static Given printf_stored(const GpuFunction *function, const PtxInstruction *store, int64_t offset) {
    if (store->opcode != PTX_OP_st || store->operands[0].index < 0) return (Given){0};
    const int64_t base = function->frame_constant[store->operands[0].index],
                  start = base + store->operands[0].offset;
    const unsigned count = store->modifiers.vector ? store->modifiers.vector : 1,
                   bytes = ptx_type_bytes(store->type);
    if (base < 0 || offset < start || offset >= start + (int64_t)bytes * count) return (Given){0};
    return (Given){bytes, (unsigned)(offset - start) % bytes, store->type == PTX_F64};
}

/** What the call was given at that place of the stack: a compiler stores all arguments right before the call,
 * also those without a value. */
static Given printf_given(const Output *out, uint64_t local) {
    const GpuFrame *frame = out->warp->frame;
    const PtxInstruction *first = frame->function->ptx->instructions;
    const PtxInstruction *at = out->ins->source;
    while (at != NULL && at > first) {
        at--;
        if (ptx_control(at->opcode) != PTX_CONTROL_NEXT) break;
        const Given given = printf_stored(frame->function, at, (int64_t)local - frame->local_base);
        if (given.bytes > 0) return given;
    }
    return (Given){0};
}

static void printf_note(Output *out, GpuPrintfMistake mistake, const char *from, const char *to) {
    size_t length = (size_t)(to - from);
    if (out->mistake) return;
    out->mistake = mistake;
    if (length >= sizeof out->specifier) length = sizeof out->specifier - 1;
    memcpy(out->specifier, from, length);
    out->specifier[length] = 0;
}

/** What is wrong with a value for a conversion that takes so many bytes. Only values of 4 and 8 bytes are
 * judged: an array of bytes that was copied there tells nothing. A whole number is known as one where its
 * bits make a double that nobody prints: compilers store constant doubles as such. */
static GpuPrintfMistake printf_judge(const Output *out, const Given *given, unsigned bytes, uint64_t value) {
    const bool is_float = out->is_float, known = given->bytes == 4 || given->bytes == 8;
    if (!known) return GPU_PRINTF_FINE;
    if (given->is_double && !is_float) return GPU_PRINTF_DOUBLE;
    if (bytes == 8 && given->bytes == 4) return GPU_PRINTF_WIDE;
    const bool tiny = value != 0 && value >> 52 == 0, below = value >> 48 == 0xffff;
    if (is_float && !given->is_double && (tiny || below)) return GPU_PRINTF_WHOLE;
    return GPU_PRINTF_FINE;
}

/** Four bytes of a value of 8 are no mistake where the next conversion takes the rest: an optimiser joins two
 * values that are halves of one. */
static void printf_halve(Output *out, const Given *given, unsigned bytes, uint64_t local) {
    const bool rest = out->half == local && bytes == 4;
    out->paired |= out->half > 0 && rest;
    out->halved |= out->half > 0 && !rest;
    out->half = bytes == 4 && given->bytes == 8 && given->into == 0 ? local + 4 : 0;
}

/** After the conversion, or the last one (NULL): whether the rest of a value was left. A pair with a value
 * behind it was none. */
static void printf_end_half(Output *out, const char *from, const char *to) {
    const bool more = out->paired && printf_given(out, out->arguments - GPU_LOCAL_WINDOW).bytes > 0;
    if (out->halved || (from == NULL && (out->half > 0 || more)))
        printf_note(out, GPU_PRINTF_CUT, out->half_from, out->half_to);
    out->halved = false;
    if (out->half == 0) return;
    out->half_from = from;
    out->half_to = to;
}

/** The bytes of an argument that have no value; those that nobody stored are zeros, as a card has them. */
static unsigned printf_undefined(const Output *out, uint64_t local, unsigned bytes, uint64_t *value) {
    unsigned undefined = 0;
    if (!out->warp->run->track || local >= GPU_WINDOW_SPAN) return 0;
    for (unsigned i = 0; i < bytes; i++)
        undefined |= (out->warp->local_undefined[local + i] >> out->lane & 1) << i;
    for (unsigned i = 0; i < bytes; i += 4)
        if ((undefined >> i & 0xf) && printf_given(out, local + i).bytes == 0)
            *value &= ~(UINT64_C(0xffffffff) << 8 * i);
    return undefined;
}

/** What a conversion of 4 bytes finds in the gap before a value of 8, which it was given: none of that
 * value. */
static GpuPrintfMistake printf_before(const Output *out, uint64_t local, unsigned bytes) {
    if (bytes != 4 || local % 8 != 4) return GPU_PRINTF_FINE;
    const Given next = printf_given(out, local + 4);
    if (next.bytes != 8 || next.into != 0) return GPU_PRINTF_FINE;
    if (next.is_double) return GPU_PRINTF_DOUBLE;
    return GPU_PRINTF_CUT;
}

/** The next argument, at the next multiple of its size. One that is not there ends the lane's output; an
 * undefined byte on the stack is noted. */
static uint64_t printf_take(Output *out, unsigned bytes) {
    uint64_t value = 0;
    unsigned undefined = 0;
    out->arguments = (out->arguments + bytes - 1) & ~(uint64_t)(bytes - 1);
    uint64_t local = out->arguments - GPU_LOCAL_WINDOW;
    const bool there = printf_read(out->warp, out->lane, out->arguments, bytes, &value);
    const Given given = there && local < GPU_WINDOW_SPAN ? printf_given(out, local) : (Given){0};
    if (!there)
        out->lost = true, out->missing |= !out->given;
    else
        undefined = printf_undefined(out, local, bytes, &value);
    if (undefined && given.bytes == 0) {
        out->wrong = printf_before(out, local, bytes);
        out->missing = !out->wrong;
    }
    if (!out->missing && !out->wrong) out->wrong = printf_judge(out, &given, bytes, value);
    printf_halve(out, &given, bytes, local);
    if (!out->missing && !out->wrong) out->undefined |= undefined != 0;
    out->arguments += bytes;
    out->count++;
    return value;
}

static void printf_put(GpuWarp *warp, const char *bytes, size_t length) {
    text_append(&warp->run->gpu->output, bytes, length);
}

/** The buffer is a ring: when it is full, the oldest lines make room. LIMIT: it is filled with text here, on
 * a card with formats and arguments. */
static void printf_bound(Gpu *gpu) {
    uint64_t limit = gpu->limits[GPU_LIMIT_PRINTF];
    if (limit > MOST_OUTPUT) limit = MOST_OUTPUT;
    size_t length = gpu->output.length - gpu->output_start;
    gpu->limit_is_fixed[GPU_LIMIT_PRINTF] = true;
    if (length <= limit) return;
    char *from = gpu->output.bytes + gpu->output_start + (length - limit);
    const char *end = memchr(from - 1, '\n', limit + 1);
    size_t start;
    if (end)
        start = (size_t)(end + 1 - gpu->output.bytes);
    else
        start = gpu->output.length;
    gpu->dropped += start - gpu->output_start;
    gpu->output_start = start;
    if (start <= limit + STRING_LIMIT) return; /* what was overwritten is removed now and then */
    gpu->output.length -= start;
    memmove(gpu->output.bytes, gpu->output.bytes + start, gpu->output.length + 1);
    gpu->output_start = 0;
}

typedef struct Conversion {
    char flags[8];
    int width, precision; /**< -1: none */
    unsigned bytes;       /**< of a whole number */
    char letter;
} Conversion;

/** The text lies in a local array and goes past its end. */
static bool printf_leaves_array(const Output *out, uint64_t local, size_t length) {
    const GpuFrame *frame = out->warp->frame;
    const int64_t offset = (int64_t)local - frame->local_base;
    if (local >= GPU_WINDOW_SPAN || offset < 0) return false;
    const PtxLocal *array = ptx_local_array(frame->function->ptx, offset);
    return array != NULL && (uint64_t)offset + length >= array->offset + array->bytes;
}

/** Whether the text has its zero where the device has memory, and a value up to there; of other memory than
 * the thread's own nobody knows here what has a value. */
static void printf_look_for_end(Output *out, uint64_t address, size_t length) {
    const uint64_t local = address - GPU_LOCAL_WINDOW;
    const uint32_t *undefined = out->warp->local_undefined;
    char last;
    if (out->wrong || length + 1 == STRING_LIMIT) return; /* it may end later */
    bool ends = !printf_leaves_array(out, local, length) &&
                printf_read(out->warp, out->lane, address + length, 1, &last);
    bool own = out->warp->run->track && local < GPU_WINDOW_SPAN;
    for (size_t i = 0; own && ends && i <= length; i++)
        if (undefined[local + i] >> out->lane & 1) ends = false;
    if (own && (undefined[local] >> out->lane & 1))
        out->undefined = true;
    else if (!ends)
        out->wrong = GPU_PRINTF_NO_END;
}

/** The text of a %s. Null is printed as a card prints it; at an address of nothing a card ends the launch. A
 * precision may say where the text ends. */
static void printf_text(Output *out, uint64_t address, bool whole, char text[STRING_LIMIT]) {
    char first;
    size_t length = printf_read_string(out->warp, out->lane, address, text, STRING_LIMIT);
    if (address == 0 && !out->lost) snprintf(text, STRING_LIMIT, "(null)");
    if (address == 0 || out->lost) return;
    if (printf_read(out->warp, out->lane, address, 1, &first)) {
        if (whole) printf_look_for_end(out, address, length);
        return;
    }
    if (!out->wrong) out->wrong = GPU_PRINTF_NO_TEXT;
    run_fault(out->warp->run, GPU_ILLEGAL_ADDRESS);
}

/* The host's printf does the formatting, with a format of our own making. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/** Prints one conversion by the host's printf, from a format that is written anew: widths are bounded,
 * sizes the device's, and %n never gets through. */
static void printf_convert(Output *out, const Conversion *conversion) {
    char format[32], buffer[STRING_LIMIT + 512], string[STRING_LIMIT];
    int width = MAX(0, conversion->width), precision = conversion->precision, length = 0;
    const char *dot = precision < 0 ? "" : ".*";
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    const char *size = "";
    if (strchr("diouxX", conversion->letter)) size = "ll";
    snprintf(format, sizeof format, "%%%s*%s%s%c", conversion->flags, dot, size, conversion->letter);
    if (precision > STRING_LIMIT / 2) precision = STRING_LIMIT / 2;
#define PRINT(value)                                                                                         \
    (precision < 0 ? snprintf(buffer, sizeof buffer, format, width, value)                                   \
                   : snprintf(buffer, sizeof buffer, format, width, precision, value))
    out->is_float = strchr("fFeEgGaA", conversion->letter) != NULL;
    if (out->is_float) {
        uint64_t bits = printf_take(out, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        length = PRINT(value);
    } else if (conversion->letter == 's') {
        printf_text(out, printf_take(out, 8), precision < 0, string);
        length = PRINT(string);
    } else if (conversion->letter == 'p') {
        uint64_t value = printf_take(out, 8);
        length = snprintf(string, sizeof string, "0x%llx", (unsigned long long)value);
        length = snprintf(buffer, sizeof buffer, "%*s", width, string);
    } else if (conversion->letter == 'c') {
        int value = (int)(unsigned char)printf_take(out, 4);
        length = snprintf(buffer, sizeof buffer, format, width, value);
    } else {
        uint64_t value =
            gpu_extend(printf_take(out, conversion->bytes < 8 ? 4 : 8), conversion->bytes, is_signed);
        length = PRINT((unsigned long long)value);
    }
#undef PRINT
    if (length < 0) return;
    printf_put(out->warp, buffer, (size_t)length < sizeof buffer ? (size_t)length : sizeof buffer - 1);
}
#pragma GCC diagnostic pop

/** A width or a precision, in digits or from an argument, bounded so that nobody prints megabytes of
 * blanks. */
static int printf_number(Output *out, const char **at) {
    int number = 0;
    if (**at == '*') {
        (*at)++;
        number = (int)printf_take(out, 4);
    } else {
        while (**at >= '0' && **at <= '9') {
            if (number < 100000) number = number * 10 + (**at - '0');
            (*at)++;
        }
    }
    return MIN(STRING_LIMIT / 2, number);
}

/** Reads flags, width, precision and length behind a %; returns where the text goes on. */
static const char *printf_parse(Output *out, const char *at, Conversion *conversion) {
    unsigned flags = 0;
    *conversion = (Conversion){.width = -1, .precision = -1, .bytes = 4};
    for (; *at && strchr("-+ #0", *at); at++)
        if (flags < 5 && !strchr(conversion->flags, *at)) conversion->flags[flags++] = *at;
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        conversion->width = printf_number(out, &at);
        if (conversion->width < 0) {
            if (flags < 6 && !strchr(conversion->flags, '-')) conversion->flags[flags++] = '-';
            conversion->width = conversion->width < -STRING_LIMIT / 2 ? STRING_LIMIT / 2 : -conversion->width;
        }
    }
    if (*at == '.') {
        at++;
        conversion->precision = printf_number(out, &at);
    }
    for (; *at && strchr("hlLqjzt", *at); at++) {
        if (*at == 'h')
            conversion->bytes = conversion->bytes == 2 ? 1 : 2;
        else
            conversion->bytes = 8;
    }
    conversion->letter = *at;
    if (*at) return at + 1;
    return at;
}

/** Where a specifier ends that a card does not know, or NULL: sizes other than h, l and ll, a precision given
 * by an argument, and letters that are none. */
static const char *printf_unknown(const char *at) {
    at += strspn(at, "-+ #0");
    at += *at == '*' ? 1 : strspn(at, "0123456789");
    bool unknown = at[0] == '.' && at[1] == '*';
    if (*at == '.') at += unknown ? 2 : 1 + strspn(at + 1, "0123456789");
    const char *size = at;
    at += strspn(at, "hlLqjzt");
    unknown = unknown || strcspn(size, "Lqjzt") < (size_t)(at - size);
    if (!*at || !strchr("%diouxXcsfFeEgGaAp", *at)) return at;
    if (unknown) return at + 1;
    return NULL;
}

/** Prints a specifier as it stands, and takes no argument for it. */
static void printf_literally(Output *out, const char *from, const char *to, GpuPrintfMistake mistake) {
    printf_put(out->warp, from, (size_t)(to - from));
    printf_note(out, mistake, from, to);
}

/** Prints the format for one lane, from one percent sign to the next; what printf returns on a card, the
 * number of arguments. */
static unsigned printf_lane(Output *out, const char *format) {
    while (*format && !out->lost) {
        const char *percent = strchr(format, '%');
        size_t plain;
        if (percent)
            plain = (size_t)(percent - format);
        else
            plain = strlen(format);
        printf_put(out->warp, format, plain);
        if (!percent) break;
        const char *unknown = printf_unknown(percent + 1);
        if (unknown) {
            printf_literally(out, percent, unknown, GPU_PRINTF_UNKNOWN);
            format = unknown;
            continue;
        }
        Conversion conversion;
        bool full = out->count == MOST_ARGUMENTS;
        format = printf_parse(out, percent + 1, &conversion);
        if (conversion.letter == '%')
            printf_put(out->warp, "%", 1);
        else if (full)
            printf_literally(out, percent, format, GPU_PRINTF_EXCESS);
        else
            printf_convert(out, &conversion);
        if (out->missing) printf_note(out, GPU_PRINTF_MISSING, percent, format);
        if (out->wrong) printf_note(out, out->wrong, percent, format);
        out->wrong = GPU_PRINTF_FINE;
        printf_end_half(out, percent, format);
    }
    printf_end_half(out, NULL, NULL);
    return out->count;
}

/** For each lane in turn, in the order of lanes. The output is bounded after each, so that one warp
 * cannot fill all memory. */
void printf_run(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, const uint64_t *formats,
                const uint64_t *arguments, uint64_t *result) {
    char format[FORMAT_LIMIT];
    uint32_t undefined = 0;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        Output out = {.warp = warp,
                      .ins = ins,
                      .lane = lane,
                      .arguments = arguments[lane],
                      .given = arguments[lane] != 0};
        printf_read_string(warp, lane, formats[lane], format, sizeof format);
        result[lane] = printf_lane(&out, format);
        printf_bound(warp->run->gpu);
        if (out.undefined) undefined |= 1u << lane;
        if (out.mistake)
            GPU_SEND(warp->run->gpu, printed_wrongly, warp, lane, ins->pc, out.specifier, out.mistake);
    }
    if (undefined) event_undefined(warp, undefined, ins->pc, GPU_UNDEFINED_PRINTF, ins->pc);
}
