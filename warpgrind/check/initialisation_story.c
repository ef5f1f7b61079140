/* initialisation_story.c - puts a value from nowhere into words: which array it came from, what it decided,
 * what is missing.
 *
 * The line that is named is where the value was read; where it decided something is the other place. A copy
 * to the host is named by its own line when the memory was never written, and by the kernel's line when
 * something undefined was written there.
 */
#include "check/initialisation.h"

#include <inttypes.h>
#include <string.h>

static const char *use_words(GpuUndefinedUse use) {
    switch (use) {
    case GPU_UNDEFINED_BRANCH:
        return "decides which way the thread goes";
    case GPU_UNDEFINED_ADDRESS:
        return "is used as an index or address";
    case GPU_UNDEFINED_ATOMIC:
        return "is used in an atomic operation";
    case GPU_UNDEFINED_BARRIER:
        return "is used in a barrier";
    case GPU_UNDEFINED_SHUFFLE_LANE:
        return "says which lane a shuffle reads from";
    case GPU_UNDEFINED_PRINTF:
        return "is printed";
    }
    BUG("undefined use %d", (int)use);
}

/* ---- how much of an array has values ---- */

typedef struct Coverage {
    uint64_t first, last; /**< elements without a value: the first run of them */
    uint64_t missing;     /**< elements without a value in all */
    uint64_t prefix;      /**< bytes that have a value before the first one that has not */
} Coverage;

static Coverage measure(const Initialisation *initialisation, uint64_t start, uint64_t bytes,
                        unsigned element) {
    uint64_t from = start - GPU_GLOBAL_BASE, end = from + bytes;
    uint64_t gap = bits_find(initialisation->global, from, end, false);
    Coverage coverage = {.prefix = gap - from, .first = (gap - from) / element};
    bool first = true;
    while (gap < end) {
        uint64_t behind = bits_find(initialisation->global, gap, end, true);
        uint64_t low = (gap - from) / element, high = (behind - 1 - from) / element;
        coverage.missing += high - low + 1;
        if (first) coverage.last = high;
        first = false;
        gap = bits_find(initialisation->global, behind, end, false);
    }
    return coverage;
}

static void words_missing(Text *out, const Coverage *coverage, uint64_t length) {
    if (coverage->missing >= length) {
        text_add(out, "nothing was ever written to it");
        return;
    }
    if (coverage->first == coverage->last)
        text_format(out, "element %" PRIu64 " of ", coverage->first);
    else
        text_format(out, "elements %" PRIu64 "..%" PRIu64 " of ", coverage->first, coverage->last);
    text_number(out, length);
    text_add(out, coverage->first == coverage->last ? " was never written" : " were never written");
    uint64_t told = coverage->last - coverage->first + 1, others = coverage->missing - told;
    if (coverage->missing <= told) return;
    text_add(out, others == 1 ? ", nor was " : ", nor were ");
    words_count(out, others, "other");
}

/* "copied 1000 bytes for 1000 elements" is seen in how far the values reach. */
static bool bytes_for_elements(const Coverage *coverage, uint64_t bytes, unsigned element) {
    return element > 1 && coverage->prefix > 0 && coverage->prefix * element == bytes;
}

static void explain_bytes(Text *why, const Coverage *coverage, unsigned element) {
    text_add(why, "Exactly the first ");
    words_count(why, coverage->prefix, "byte");
    text_add(why, coverage->prefix == 1 ? " has a value" : " have values");
    text_format(why,
                ", which is the number of elements: cudaMemcpy and cudaMemset count bytes. Multiply by the "
                "size of an element (%u bytes).",
                element);
}

/* The values stand where a kernel has put them: then its index or its threads are short, not a copy's bytes.
 */
static const char *kernel_of_prefix(Check *check, uint64_t address, const Coverage *coverage) {
    LoggedWriter first;
    if (!check->races || coverage->prefix == 0) return NULL;
    if (writers_list(check, address, coverage->prefix, &first, 1) == 0) return NULL;
    return first.kernel;
}

static void explain_kernel(Text *why, const char *kernel, const Coverage *coverage) {
    text_format(why, "Some elements have values: the kernel %s wrote them, and left these out. ", kernel);
    text_format(
        why, "Work out by hand which thread should write element %" PRIu64 ", and which index it computes. ",
        coverage->first);
    text_add(why, "Either the index is wrong (blockIdx.x * blockDim.x + threadIdx.x), a condition leaves the "
                  "element out, or "
                  "too few blocks were launched: (n + threads - 1) / threads, rounded up.");
}

/* ---- uses in kernels ---- */

static void explain_global(Check *check, const GpuAllocation *allocation, const CheckArray *array,
                           Text *message, Text *why) {
    uint64_t bytes = array->length * array->element_bytes;
    Coverage coverage = measure(check->initialisation, allocation->address + allocation->bytes - bytes, bytes,
                                array->element_bytes);
    if (coverage.missing > 0) {
        text_add(message, " (");
        words_missing(message, &coverage, array->length);
        text_add(message, ")");
    }
    const char *kernel = kernel_of_prefix(check, allocation->address + allocation->bytes - bytes, &coverage);
    if (kernel) {
        explain_kernel(why, kernel, &coverage);
        return;
    }
    if (bytes_for_elements(&coverage, bytes, array->element_bytes)) {
        explain_bytes(why, &coverage, array->element_bytes);
        return;
    }
    if (coverage.missing >= array->length)
        text_add(
            why,
            "Memory from cudaMalloc holds whatever was left there. Copy the data into it with "
            "cudaMemcpy(..., "
            "cudaMemcpyHostToDevice), set it with cudaMemset, or let a kernel fill it, before it is read.");
    else
        text_add(
            why,
            "Part of the array has values, this part has not. Was the copy too short, were too few threads "
            "launched "
            "for the kernel that fills it, or does this thread read an element that is not meant for it?");
}

/* Rows of width elements are read one after the other where they lie a pitch apart. */
static bool explain_padding(const Check *check, uint64_t address, Text *why) {
    const CheckOptions *options = &check->options;
    CheckRows rows;
    if (!options->rows || !options->rows(options->rows_self, address, &rows)) return false;
    if ((address - rows.start) % rows.pitch < rows.width) return false;
    text_add(
        why,
        "The kernel reads the padding between two rows. This memory is from cudaMallocPitch: each row has ");
    words_count(why, rows.width, "byte");
    text_add(why, ", and the next one begins ");
    words_count(why, rows.pitch, "byte");
    text_add(why, " after it began. Pass the pitch to the kernel and find row y with it: "
                  "(float *)((char *)p + y * pitch), or the type that p has.");
    return true;
}

static void explain_shared(Text *why) {
    text_add(
        why,
        "Shared memory has no value when a block starts, so some thread must store into this element first. "
        "Often the threads without an element of their own skip the store, and the sum reads all of the "
        "array. "
        "Let every thread store something (0 where it has nothing), then __syncthreads(), then read.");
}

static void story_of_source(Check *check, const GpuLaunch *launch, const UndefinedSource *source,
                            CheckFinding *finding, Text *message, Text *why) {
    const GpuAllocation *allocation =
        source->space == PTX_SPACE_SHARED ? NULL : gpu_memory_find(check->gpu, source->address);
    finding->party = check_party_at(check, launch, source->block, source->thread, source->pc, "read");
    finding->array = check_array_at(check, launch, source->space, source->address, allocation, source->bytes);
    words_party(message, &finding->party, launch);
    text_add(message, " reads ");
    words_element(message, &finding->array);
    text_add(message, ", which was never written");
    if (!allocation)
        explain_shared(why);
    else if (!explain_padding(check, source->address, why))
        explain_global(check, allocation, &finding->array, message, why);
}

/** What of the thread's own an undefined value came from. */
typedef struct OwnSource {
    const PtxLocal *local; /**< the variable or array of the source; NULL: not known */
    bool array;
    bool own;     /**< read from no memory that threads share */
    bool meeting; /**< the kernel has a barrier: its threads are meant to share something */
    const char *function;
} OwnSource;

static bool has_barrier(const PtxFunction *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == PTX_OP_bar) return true;
    return false;
}

static OwnSource own_source(const Check *check, uint32_t pc) {
    GpuPlace place = gpu_place(check->gpu, pc);
    OwnSource source = {0};
    if (!place.function || !place.instruction) return source;
    source.function = place.function->plain_name;
    source.meeting = has_barrier(place.function);
    const PtxLocal *indexed, *named = ptx_find_local(place.function, place.instruction);
    bool computed = ptx_reads_own_array(place.function, place.instruction, &indexed);
    source.local = computed ? indexed : named;
    source.array = computed || (named && named->element_bytes && named->bytes > named->element_bytes);
    source.own = source.local || source.array || place.instruction->opcode != PTX_OP_ld;
    return source;
}

static void name_own(const OwnSource *source, CheckFinding *finding) {
    const PtxLocal *local = source->local;
    if (!local) return;
    unsigned element = local->element_bytes ? local->element_bytes : 1;
    finding->array = (CheckArray){.name = local->name,
                                  .space = "local",
                                  .element_bytes = element,
                                  .length = local->bytes / element,
                                  .declared = {.file = finding->party.place.file, .line = local->line}};
}

/* "an element of temp", "the variable total": as much as is known of it. */
static void words_own(Text *out, const OwnSource *source) {
    const PtxLocal *local = source->local;
    if (local)
        text_format(out, source->array ? "an element of %s" : "the variable %s", local->name);
    else if (source->array)
        text_format(out, "an element of a local array of %s", source->function);
    else
        text_add(out, "a variable that was never given a value");
    if (!local && !source->array) return;
    if (local && local->line > 0) text_format(out, ", declared at line %d", local->line);
    text_add(out, source->array ? ", to which the thread never stored a value"
                                : ", which was never given a value");
}

static void explain_own(const OwnSource *source, Text *why) {
    const char *name = source->local ? source->local->name : "it";
    if (source->array) {
        text_format(
            why,
            "%s is declared without __shared__: every thread has an array of its own, and sees nothing of "
            "what others store in theirs. If the threads are to share it, write __shared__ before its type. "
            "If it is meant to be the thread's own, give every element a value before it is read.",
            source->local ? name : "The array");
        return;
    }
    text_format(why,
                "A local variable has no value until one is assigned; what it holds then is left over from "
                "something else, often 0. Give %s a value where it is declared%s, or on every path.",
                name, source->local ? "" : " (float sum = 0.0f)");
    if (source->meeting)
        text_format(why,
                    " Every thread has its own: if one thread sets %s for the others, declare it with "
                    "__shared__.",
                    name);
}

/* The variable's name and where it is declared come from the debug information. */
static void story_of_variable(Check *check, const GpuWarp *warp, unsigned lane, uint32_t origin,
                              CheckFinding *finding, Text *message, Text *why) {
    const GpuBlock *block = gpu_warp_block(warp);
    finding->party = check_party(check, block, 32 * gpu_warp_index(warp) + lane, origin, "read");
    words_party(message, &finding->party, gpu_block_launch(block));
    OwnSource source = own_source(check, origin);
    name_own(&source, finding);
    text_add(message, source.array ? " reads " : " uses ");
    words_own(message, &source);
    explain_own(&source, why);
}

void tell_undefined_use(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                        uint32_t origin) {
    if (!origin) origin = pc;
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(warp));
    const UndefinedSource *source = initialisation_source(check->initialisation, launch, origin);
    if (source && source->shuffle) {
        tell_shuffled_value(check, warp, lanes, pc, source, use_words(use));
        return;
    }
    uint64_t key = check_key(SEEN_UNDEFINED, origin, 0);
    if (!check->options.initialisation || check_seen(check, key, check_lane_count(lanes))) return;
    CheckFinding finding = {
        .kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR, .count = check_lane_count(lanes)};
    Text message, why;
    text_init(&message);
    text_init(&why);
    if (source)
        story_of_source(check, launch, source, &finding, &message, &why);
    else
        story_of_variable(check, warp, check_first_lane(lanes), origin, &finding, &message, &why);
    text_format(&message, "; the value %s", use_words(use));
    CheckPlace used = check_place_of_pc(check, pc);
    if (used.line > 0 && used.line != finding.party.place.line) {
        text_format(&message, " at line %d", used.line);
        uint32_t thread = 32 * gpu_warp_index(warp) + check_first_lane(lanes);
        finding.other = check_party(check, gpu_warp_block(warp), thread, pc, "use");
    }
    finding.message = message.bytes;
    finding.explanation = why.bytes;
    check_record(check, &finding, key);
    text_free(&message);
    text_free(&why);
}

static const char *type_of_atomic(const PtxInstruction *instruction) {
    PtxType type = instruction ? instruction->type : PTX_U32;
    if (type == PTX_F32) return "float";
    if (type == PTX_F64) return "double";
    return ptx_type_bytes(type) == 8 ? "unsigned long long" : "int";
}

/* The kernel's name of the memory may be another one than the host's. */
static void explain_first_value(Text *why, const CheckArray *array, const PtxInstruction *instruction) {
    const char *type = type_of_atomic(instruction);
    text_add(why, "An atomic operation changes what is there already, and memory from cudaMalloc has no "
                  "value. Before the launch, ");
    if (array->length > 1)
        text_format(why, "set all of it with cudaMemset(pointer, 0, elements * sizeof(%s))", type);
    else
        text_format(why, "set it with cudaMemset(pointer, 0, sizeof(%s))", type);
    if (array->name) text_format(why, ", where pointer is what the kernel receives as %s", array->name);
    text_add(why, ", or copy another initial value there.");
}

void tell_undefined_atomic(Check *check, const GpuAccess *access, unsigned lane) {
    uint64_t key = check_key(SEEN_UNDEFINED, access->pc, 0);
    if (!check->options.initialisation || check_seen(check, key, 1)) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    const GpuLaunch *launch = gpu_block_launch(block);
    bool shared = access->space == PTX_SPACE_SHARED;
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR};
    finding.party = check_party(check, block, 32 * gpu_warp_index(access->warp) + lane, access->pc, "atomic");
    finding.array = check_array_at(check, launch, access->space, access->address[lane], access->allocation,
                                   access->bytes);
    Text message, why;
    text_init(&message);
    text_init(&why);
    words_element(&message, &finding.array);
    text_add(&message, " is updated by an atomic, but was never given an initial value: ");
    words_party(&message, &finding.party, launch);
    if (shared)
        text_add(&why,
                 "An atomic operation changes what is there already, and shared memory has no value when "
                 "a block starts. Let one thread store the initial value (0 for a sum), then "
                 "__syncthreads(), then the atomics.");
    else
        explain_first_value(&why, &finding.array, gpu_place(check->gpu, access->pc).instruction);
    finding.message = message.bytes;
    finding.explanation = why.bytes;
    check_record(check, &finding, key);
    text_free(&message);
    text_free(&why);
}

/* ---- copies to the host ---- */

static void story_of_copy(Check *check, const CheckArray *array, uint64_t address, uint64_t bytes,
                          Text *message, Text *why) {
    unsigned element = array->element_bytes;
    uint64_t length = bytes / element ? bytes / element : 1;
    Coverage coverage = measure(check->initialisation, address, bytes, element);
    text_add(message, "copies ");
    words_array(message, array);
    text_add(message, " to the host, but ");
    words_missing(message, &coverage, length);
    const char *kernel = kernel_of_prefix(check, address, &coverage);
    if (kernel)
        explain_kernel(why, kernel, &coverage);
    else if (bytes_for_elements(&coverage, bytes, element))
        explain_bytes(why, &coverage, element);
    else if (coverage.missing >= length)
        text_add(why, "No kernel and no copy has written to this memory. Was the kernel launched at all (did "
                      "the launch "
                      "return an error?), and does it write to this array?");
    else
        text_add(
            why,
            "Some elements were computed, these were not. Were enough blocks launched? Their number must be "
            "rounded up: (n + threads - 1) / threads. Or does a condition in the kernel leave them out?");
}

static void story_of_written(Check *check, uint32_t origin, const CheckArray *array, CheckFinding *finding,
                             Text *message, Text *why) {
    OwnSource source = own_source(check, origin);
    finding->other = finding->party;
    finding->party = (CheckParty){.place = check_place_of_pc(check, origin), .what = "read"};
    finding->kernel = source.function;
    words_element(message, array);
    text_add(message, " is copied to the host, but its value was computed from ");
    if (source.own)
        words_own(message, &source);
    else
        text_add(message, "something that never got a value");
    if (finding->party.place.line > 0)
        text_format(message, "; it is read at line %d", finding->party.place.line);
    if (source.own) {
        name_own(&source, finding);
        explain_own(&source, why);
        return;
    }
    const UndefinedSource *read = &check->initialisation->sources[origin % SOURCE_SLOTS];
    if (read->pc == origin && read->space == PTX_SPACE_GLOBAL && explain_padding(check, read->address, why))
        return;
    text_add(why, "What the kernel stored there was computed from memory without a value. At the line "
                  "that reads it, check each value: was it copied from the host, or stored by some "
                  "thread, with a barrier after the store?");
}

/* Every element lacks the same bytes: a component that nobody uses, padding of a type that is not known, or
 * a member that was forgotten. */
static void note_holes(Check *check, const CheckArray *array, const Holes *holes, uint64_t site,
                       uint32_t allocation) {
    uint64_t key = check_key(SEEN_UNDEFINED + 2, site, allocation);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_NOTE, .array = *array};
    finding.party = (CheckParty){.place = check_place_of_site(check, site), .what = "copy"};
    Text message;
    text_init(&message);
    text_add(&message, "copies ");
    words_array(&message, array);
    text_format(&message, " to the host, where byte%s %u", holes->last > holes->first ? "s" : "",
                holes->first);
    if (holes->last > holes->first) text_format(&message, " to %u", holes->last);
    text_add(&message, " of every ");
    text_number(&message, holes->period);
    text_add(&message, " never got a value");
    finding.message = message.bytes;
    finding.explanation =
        "The same part of every element is missing. If the program never uses it (the fourth component of "
        "a float4, or padding between two members), all is well. Otherwise the kernel forgets to store "
        "that member.";
    check_record(check, &finding, key);
    text_free(&message);
}

static void tell_missing(Check *check, const CheckArray *array, uint64_t address, uint64_t bytes,
                         uint64_t site, uint32_t origin, uint64_t key) {
    CheckFinding finding = {.kind = FINDING_UNINITIALIZED_READ, .severity = FINDING_ERROR, .array = *array};
    finding.party = (CheckParty){.place = check_place_of_site(check, site), .what = "copy"};
    Text message, why;
    text_init(&message);
    text_init(&why);
    if (origin)
        story_of_written(check, origin, array, &finding, &message, &why);
    else
        story_of_copy(check, array, address, bytes, &message, &why);
    finding.message = message.bytes;
    finding.explanation = why.bytes;
    check_record(check, &finding, key);
    text_free(&message);
    text_free(&why);
}

void tell_undefined_copy(Check *check, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                         uint64_t site) {
    if (!check->options.initialisation) return;
    Holes holes = holes_find(check, allocation, address, bytes);
    if (holes.kind == HOLES_PADDING) return;
    uint32_t origin = initialisation_origin_global(check->initialisation, holes.address);
    uint64_t key =
        origin ? check_key(SEEN_UNDEFINED, origin, 0) : check_key(SEEN_UNDEFINED + 1, site, allocation->id);
    if (check_seen(check, key, 1)) return;
    unsigned guess = bytes % 4 == 0 ? 4 : 1;
    if (holes.element) guess = holes.element;
    CheckArray array = check_array_global(check, NULL, allocation, holes.address, guess);
    if (holes.kind == HOLES_ALIKE)
        note_holes(check, &array, &holes, site, allocation->id);
    else
        tell_missing(check, &array, address, bytes, site, origin, key);
}
