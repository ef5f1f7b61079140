/* memory.c - accesses that may not happen: outside an array, freed, through null or a host pointer,
 * misaligned, to constants.
 *
 * The machine sends a fault for the lanes concerned; here the first of them is put into words, with the
 * array's name, how far off it is, and the likely cause, worked out from the numbers of the launch
 * (memory_hints.c).
 */
#include "check/memory.h"

#include <inttypes.h>
#include <string.h>

/* Addresses that programs of the usual Linux layouts have: position-independent code and heap, libraries and
 * stack. */
#define HOST_LOW UINT64_C(0x0000000000400000)
#define HOST_LOW_END UINT64_C(0x0000000080000000)
#define HOST_HIGH UINT64_C(0x0000500000000000)
#define HOST_HIGH_END UINT64_C(0x0000800000000000)
#define NULL_REACH UINT64_C(0x10000000) /* a null pointer plus an index still lies below this */

static void describe_distance(Text *out, const FaultStory *story) {
    const CheckArray *array = &story->array;
    const char *edge;
    uint64_t off;
    if (array->length == 0) {
        text_add(out, " ");
        words_array(out, array);
        text_add(out, ", which has no elements");
        return;
    }
    if (array->index < 0) {
        off = (uint64_t)-array->index;
        edge = "before the start of ";
    } else {
        off = (uint64_t)array->index - array->length + 1;
        edge = "past the end of ";
    }
    text_add(out, " ");
    if (off == 1)
        text_add(out, "one element");
    else
        words_count(out, off, "element");
    text_format(out, " %s", edge);
    words_array(out, array);
}

static void describe_size(Text *out, const FaultStory *story) {
    const CheckArray *array = &story->array;
    if (story->fault->space == PTX_SPACE_LOCAL) {
        text_add(out, " (a local array of ");
        words_count(out, array->length, "element");
        if (array->declared.line > 0) text_format(out, ", declared at line %d", array->declared.line);
        text_add(out, ")");
        return;
    }
    if (story->fault->space == PTX_SPACE_SHARED) {
        text_add(out, " (shared array of ");
        words_count(out, array->length, "element");
        if (array->declared.line > 0) text_format(out, ", declared at line %d", array->declared.line);
        text_add(out, ")");
        return;
    }
    const GpuAllocation *allocation = story->allocation;
    if (!allocation || !array->name) return;
    text_add(out, " (");
    words_count(out, allocation->bytes, "byte");
    text_add(out, allocation->variable ? " declared" : " allocated");
    if (array->declared.line > 0) text_format(out, " at line %d", array->declared.line);
    text_add(out, ")");
}

static bool inside_partly(const CheckArray *array) {
    return array->index >= 0 && (uint64_t)array->index < array->length;
}

static void tell_out_of_bounds(FaultStory *story, Text *message) {
    const GpuFault *fault = story->fault;
    const CheckArray *array = &story->array;
    story->kind = FINDING_OUT_OF_BOUNDS;
    if (!array->space || (fault->space == PTX_SPACE_LOCAL && !array->name)) {
        words_party(message, &story->party, story->launch);
        text_format(message, " %s outside %s", words_access(fault->access),
                    fault->space == PTX_SPACE_LOCAL ? "an array of its own (local memory)" : "every array");
        return;
    }
    words_element(message, array);
    if (array->name && array->length > 0) {
        text_add(message, " of ");
        text_number(message, array->length);
    }
    text_add(message, ": ");
    words_party(message, &story->party, story->launch);
    text_format(message, " %s", words_access(fault->access));
    if (inside_partly(array)) {
        text_format(message, " %u bytes there, and not all of them belong to ", (unsigned)fault->bytes);
        words_array(message, array);
    } else {
        describe_distance(message, story);
    }
    describe_size(message, story);
}

static void tell_freed(FaultStory *story, Text *message) {
    Check *check = story->check;
    const GpuAllocation *allocation = story->fault->nearest;
    story->kind = FINDING_USE_AFTER_FREE;
    words_element(message, &story->array);
    text_add(message, ": ");
    words_party(message, &story->party, story->launch);
    if (allocation && allocation->kept && allocation->free_site == 0) {
        text_format(message, " %s memory of a graph that was not launched yet",
                    words_access(story->fault->access));
        text_add(&story->why,
                 "The address is known since the node was made; the memory is there from the launch of "
                 "its graph until it is freed. Use it in the graph itself, behind the node, or after "
                 "cudaGraphLaunch in the same stream.");
        return;
    }
    text_format(message, " %s memory that was freed before", words_access(story->fault->access));
    if (!allocation) return;
    bool heap = allocation->kind == GPU_ALLOC_DEVICE_HEAP;
    CheckPlace freed = heap ? check_place_of_pc(check, (uint32_t)allocation->free_site)
                            : check_place_of_site(check, allocation->free_site);
    story->other = (CheckParty){.place = freed, .what = "free"};
    if (freed.line > 0) {
        text_add(message, ", at ");
        words_line(message, &freed, &story->party.place);
    }
    text_add(&story->why, "After cudaFree the memory may belong to another array: a read gets that array's "
                          "data, and a write damages it. "
                          "Free the memory after the last kernel and the last copy that use it.");
}

static bool is_null_pointer(const GpuLaunch *launch, const PtxVariable *parameter) {
    uint64_t value;
    return parameter->bytes == 8 && check_parameter_value(launch, parameter, &value) && value == 0;
}

/* "the arguments z and x are 0": all that are null pointers, as far as their sizes tell. */
static unsigned words_null_arguments(const GpuLaunch *launch, Text *names) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    unsigned count = 0;
    for (unsigned i = 0; function && i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        if (!is_null_pointer(launch, parameter)) continue;
        text_format(names, "%s%s", count++ ? " and " : "", parameter->plain_name);
    }
    return count;
}

static void tell_null(FaultStory *story, Text *message) {
    Text names;
    text_init(&names);
    unsigned count = words_null_arguments(story->launch, &names);
    const PtxVariable *empty = check_parameter_count(story->launch, 0);
    story->kind = FINDING_OUT_OF_BOUNDS;
    words_party(message, &story->party, story->launch);
    text_format(message, " %s through a null pointer", words_access(story->fault->access));
    if (count)
        text_format(message, "; of the kernel's arguments, %s %s 0", names.bytes, count > 1 ? "are" : "is");
    text_free(&names);
    if (count && empty) {
        text_format(message, ", and so is %s", empty->plain_name);
        text_format(&story->why,
                    "cudaMalloc of 0 bytes gives a pointer to nothing, 0. When %s is 0 there is no element "
                    "to work on: guard the access with if (i < %s), and launch nothing at all for an empty "
                    "array.",
                    empty->plain_name, empty->plain_name);
        return;
    }
    text_add(&story->why, "A pointer that is 0 points to no memory. Trace the pointer that this line uses "
                          "back to where it gets its value: cudaMalloc was not called for it, or failed "
                          "and nobody looked, or the wrong variable was passed or stored.");
}

static void tell_host_pointer(FaultStory *story, Text *message, const PtxVariable *parameter) {
    story->kind = FINDING_HOST_DEVICE_POINTER;
    words_party(message, &story->party, story->launch);
    text_format(message, " %s through ", words_access(story->fault->access));
    if (!parameter) {
        text_add(message, "a pointer into memory of the CPU, which the kernel found in an array or computed");
        text_add(&story->why,
                 "An array on the device may hold pointers, but the GPU can use only those to device "
                 "memory. Allocate what they point to with cudaMalloc as well, and store those "
                 "addresses in the array. One long array, indexed as row * columns + column, needs "
                 "no pointers at all.");
        return;
    }
    text_format(message, "%s, which points to memory of the CPU", parameter->plain_name);
    text_format(
        &story->why,
        "The kernel was given an address in the host's memory (from malloc, new, a host array, or the "
        "host's name of a __constant__ or __device__ variable), which the GPU cannot use. Copy the data "
        "to memory from cudaMalloc and pass that pointer (the d_ one) as %s.",
        parameter->plain_name);
}

static bool looks_like_host(uint64_t address) {
    return (address >= HOST_LOW && address < HOST_LOW_END) ||
           (address >= HOST_HIGH && address < HOST_HIGH_END);
}

/* The parameter whose value is the pointer that went wrong: nearest below the address, or somewhat above it
 * (negative index). */
static const PtxVariable *guilty_parameter(const FaultStory *story, uint64_t *value) {
    uint64_t address = story->fault->address[story->lane];
    const PtxVariable *found = check_parameter_pointing(story->launch, address, NULL_REACH, value);
    if (found) return found;
    return check_parameter_pointing(story->launch, address + (1 << 20), 1 << 20, value);
}

static bool has_null_argument(const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; function && i < function->parameter_count; i++)
        if (is_null_pointer(launch, &function->parameters[i])) return true;
    return false;
}

static void tell_garbage(FaultStory *story, Text *message, const PtxVariable *parameter, uint64_t value) {
    uint64_t address = story->fault->address[story->lane];
    story->kind = FINDING_OUT_OF_BOUNDS;
    words_party(message, &story->party, story->launch);
    text_format(message, " %s at address 0x%" PRIx64 ", which belongs to no array",
                words_access(story->fault->access), address);
    if (parameter) text_format(message, "; the argument %s is 0x%" PRIx64, parameter->plain_name, value);
    text_add(&story->why, "The address is far from everything that was allocated. Either the pointer that "
                          "this line uses is wrong (never "
                          "set, or made from a number), or the index is far too large or too negative: an "
                          "int that overflowed, or a "
                          "variable without a value.");
}

/* An address of the device's, only far away: then it is an index that is wrong, and the array is known. */
static bool tell_far(FaultStory *story, Text *message) {
    uint64_t address = story->fault->address[story->lane], value = 0;
    if (address - GPU_GLOBAL_BASE >= GPU_GLOBAL_SPAN) return false;
    const PtxVariable *parameter = check_parameter_pointing(story->launch, address, GPU_GLOBAL_SPAN, &value);
    const GpuAllocation *allocation = parameter ? gpu_memory_find(story->check->gpu, value) : NULL;
    if (!allocation) return false;
    story->array = check_array_global(story->check, story->launch, allocation, value, story->fault->bytes);
    story->array.index += (int64_t)(address - value) / (int64_t)story->array.element_bytes;
    story->allocation = allocation;
    tell_out_of_bounds(story, message);
    text_add(&story->why, "The index is far too large: an int that overflowed, a variable without a value, "
                          "or bytes where elements are meant (a[i] counts elements).");
    return true;
}

static void tell_wild(FaultStory *story, Text *message) {
    if (tell_far(story, message)) return;
    uint64_t address = story->fault->address[story->lane], value = 0;
    const PtxVariable *parameter = guilty_parameter(story, &value);
    bool host = parameter ? looks_like_host(value) : looks_like_host(address);
    if (address < NULL_REACH && (has_null_argument(story->launch) || !host))
        tell_null(story, message);
    else if (host)
        tell_host_pointer(story, message, parameter);
    else
        tell_garbage(story, message, parameter, value);
}

static void tell_misaligned(FaultStory *story, Text *message) {
    const GpuFault *fault = story->fault;
    uint64_t address = fault->address[story->lane];
    story->kind = FINDING_MISALIGNED;
    words_party(message, &story->party, story->launch);
    text_format(message, " %s %u bytes at an address that is not a multiple of %u",
                words_access(fault->access), (unsigned)fault->bytes, (unsigned)fault->bytes);
    if (story->array.space) {
        text_add(message, ", in ");
        words_array(message, &story->array);
    }
    text_format(&story->why,
                "Values of %u bytes must lie at addresses divisible by %u; this one is %u past such an "
                "address. A pointer was cast to a larger type (float4, double, ...) at an element that does "
                "not start "
                "there. Index in units of the larger type, or read element by element.",
                (unsigned)fault->bytes, (unsigned)fault->bytes, (unsigned)(address % fault->bytes));
}

static void tell_read_only(FaultStory *story, Text *message) {
    story->kind = FINDING_OUT_OF_BOUNDS;
    words_party(message, &story->party, story->launch);
    text_add(message, " writes to ");
    words_array(message, &story->array);
    text_add(message, ", which is __constant__: a kernel may only read it");
    text_add(&story->why,
             "The host fills constant memory with cudaMemcpyToSymbol before the launch, and it does "
             "not change while a kernel runs. Use a __device__ variable or an array from cudaMalloc for "
             "results.");
}

static void tell_fault(FaultStory *story, Text *message) {
    switch (story->fault->kind) {
    case GPU_FAULT_OUT_OF_BOUNDS:
        tell_out_of_bounds(story, message);
        hint_out_of_bounds(story, message);
        return;
    case GPU_FAULT_FREED:
        tell_freed(story, message);
        return;
    case GPU_FAULT_WILD:
        tell_wild(story, message);
        return;
    case GPU_FAULT_MISALIGNED:
        tell_misaligned(story, message);
        return;
    case GPU_FAULT_READ_ONLY:
        tell_read_only(story, message);
        return;
    }
    BUG("fault kind %d", (int)story->fault->kind);
}

/* Of the lanes, the one closest to the array: the first element that is not there teaches more than the last.
 */
static unsigned closest_lane(const GpuFault *fault) {
    unsigned best = check_first_lane(fault->lanes);
    if (!fault->nearest) return best;
    for (unsigned lane = best; lane < GPU_WARP_LANES; lane++) {
        if (!(fault->lanes >> lane & 1)) continue;
        uint64_t a = fault->address[lane], b = fault->address[best], start = fault->nearest->address;
        uint64_t from_a = a < start ? start - a : a - start, from_b = b < start ? start - b : b - start;
        if (from_a < from_b) best = lane;
    }
    return best;
}

/* The launch has been told already: where the pointer is used is its other place. */
static bool joins_launch(FaultStory *story, uint64_t key) {
    if (story->kind != FINDING_HOST_DEVICE_POINTER) return false;
    CheckPlace launch = check_place_of_launch(story->check, story->launch);
    CheckFinding *known = check_known(story->check, story->kind, &launch);
    if (!known) return false;
    if (known->other.place.line == 0) {
        known->other = story->party;
        known->kernel = check_intern(story->check, check_kernel_name(story->launch));
        known->launch = story->launch->id;
    }
    check_know(story->check, key, known);
    return true;
}

static void file_fault(FaultStory *story, const Text *message, uint64_t key) {
    CheckFinding finding = {
        .kind = story->kind, .severity = FINDING_ERROR, .party = story->party, .other = story->other};
    finding.array = story->array;
    finding.count = check_lane_count(story->fault->lanes);
    finding.message = message->bytes;
    finding.explanation = story->why.bytes;
    check_record(story->check, &finding, key);
}

/* An array that each thread has for itself: the element that the lane went for. */
static CheckArray array_of_local(const FaultStory *story) {
    const GpuFault *fault = story->fault;
    const PtxLocal *local = fault->local;
    int64_t bytes = (int64_t)(fault->address[story->lane] - fault->local_address);
    int64_t element = (int64_t)local->element_bytes;
    int64_t below = bytes < 0 ? element - 1 : 0; /* -1 byte is in element -1 */
    return (CheckArray){.name = local->name,
                        .space = "local",
                        .index = (bytes - below) / element,
                        .length = local->bytes / local->element_bytes,
                        .element_bytes = local->element_bytes,
                        .declared = {.file = story->party.place.file, .line = local->line}};
}

static void on_fault(void *self, const GpuFault *fault) {
    Check *check = self;
    /* initialisation.c tells where the address came from */
    if (fault->undefined_address && check->options.initialisation) return;
    uint64_t key =
        check_key(SEEN_FAULT + (uint64_t)fault->kind, fault->pc, fault->nearest ? fault->nearest->id : 0);
    if (check_seen(check, key, check_lane_count(fault->lanes))) return;
    const GpuBlock *block = gpu_warp_block(fault->warp);
    FaultStory story = {.check = check, .fault = fault, .launch = gpu_block_launch(block)};
    bool wild = fault->kind == GPU_FAULT_WILD; /* what lies nearest has nothing to do with it */
    story.lane = wild ? check_first_lane(fault->lanes) : closest_lane(fault);
    story.allocation = wild ? NULL : fault->nearest;
    uint32_t thread = 32 * gpu_warp_index(fault->warp) + story.lane;
    story.party = check_party(check, block, thread, fault->pc, words_access_noun(fault->access));
    if (!wild)
        story.array = check_array_at(check, story.launch, fault->space, fault->address[story.lane],
                                     fault->nearest, fault->bytes);
    if (fault->local) story.array = array_of_local(&story);
    Text message;
    text_init(&message);
    text_init(&story.why);
    tell_fault(&story, &message);
    if (!joins_launch(&story, key)) file_fault(&story, &message, key);
    text_free(&message);
    text_free(&story.why);
}

GpuObserver memory_observer(Check *check) {
    return (GpuObserver){
        .self = check, .fault = on_fault, .texture_fault = textures_on_fault, .in_ranges = true};
}
