/* memory.c - accesses that may not happen: outside an array, freed, through null or a host pointer,
 * misaligned, to constants.
 *
 * The machine sends a fault for the lanes concerned; here the first of them is put into words, with the
 * array's name, how far off it is, and the likely cause, worked out from the numbers of the launch
 * (memory_hints.c).
 */
#include "check/faults/faults.h"
#include "check/faults/memory.h"
#include "ptx/provenance.h"

#include <string.h>

/* Addresses that programs of the usual Linux layouts have: position-independent code and heap, libraries and
 * stack. */
#define HOST_LOW UINT64_C(0x0000000000400000)
#define HOST_LOW_END UINT64_C(0x0000000080000000)
#define HOST_HIGH UINT64_C(0x0000500000000000)
#define HOST_HIGH_END UINT64_C(0x0000800000000000)
#define NULL_REACH UINT64_C(0x10000000) /* a null pointer plus an index still lies below this */

/* The launch has been told already: where the pointer is used is its other place. */
static bool joins_launch(FaultStory *story, FindingKind kind) {
    if (kind != FINDING_HOST_DEVICE_POINTER) return false;
    CheckPlace launch = check_place_of_launch(story->check, story->launch);
    CheckFinding *known = check_known(story->check, kind, &launch);
    if (!known) return false;
    if (known->other.place.line == 0) {
        known->other = story->party;
        known->kernel = check_intern(story->check, check_kernel_name(story->launch));
        known->launch = story->launch->id;
    }
    check_know(story->check, story->key, known);
    return true;
}

static void file_fault(FaultStory *story, FindingKind kind, Said said) {
    if (joins_launch(story, kind)) return;
    CheckFinding finding = {.kind = kind,
                            .severity = FINDING_ERROR,
                            .party = story->party,
                            .other = story->other,
                            .array = story->array,
                            .count = check_lane_count(story->fault->lanes)};
    check_tell(story->check, &finding, story->key, &said);
}

/* A fault of free() is that of a call which writes. */
static bool is_free(const FaultStory *story) {
    const PtxInstruction *instruction = gpu_place(story->check->gpu, story->fault->pc).instruction;
    return instruction && instruction->opcode == PTX_OP_call && story->fault->access == GPU_WRITE;
}

static const char *deed(const FaultStory *story) {
    if (is_free(story)) return words_frees();
    return words_access(story->fault->access);
}

/* What was missed, by how much, and how large it is. */
static void set_bounds(FaultStory *story) {
    const GpuFault *fault = story->fault;
    const CheckArray *array = &story->array;
    const GpuAllocation *allocation = story->allocation;
    bool before = array->index < 0, local = fault->space == PTX_SPACE_LOCAL;
    story->bounds = (BoundsFacts){
        .nowhere = !array->space || (local && !array->name),
        .local = local,
        .shared = fault->space == PTX_SPACE_SHARED,
        .without_shared = fault->space == PTX_SPACE_SHARED && !array->name && array->length == 0,
        .partly = !before && (uint64_t)array->index < array->length,
        .before = before,
        .in_allocation = allocation != NULL,
        .variable = allocation && allocation->variable,
        .allocated = allocation ? allocation->bytes : 0,
        .party = {&story->party, story->launch},
        .does = words_access(fault->access),
        .bytes = fault->bytes,
        .element = array,
        .array = array,
        .declared = {array->declared, NULL},
        .name = array->name,
        .length = array->length,
        .off = before ? (uint64_t)-array->index : (uint64_t)array->index - array->length + 1,
        .index = array->index,
        .last = (int64_t)(array->length - 1),
        .element_bytes = array->element_bytes,
        .one_byte = array->element_bytes == 1,
        .type = memory_hint_type_of_size(array->element_bytes),
        .thread = story->party.thread.x,
    };
}

static void tell_out_of_bounds(FaultStory *story) {
    Text bounds;
    text_init(&bounds);
    set_bounds(story);
    memory_hint_out_of_bounds(story, &bounds);
    file_fault(story, FINDING_OUT_OF_BOUNDS, said_bounds(BOUNDS_MESSAGE, BOUNDS_WHY, &story->bounds));
    text_free(&bounds);
}

/* The memory belonged to an array once, or it is a graph's, whose address is known before its launch. */
static void tell_freed(FaultStory *story) {
    Check *check = story->check;
    const GpuAllocation *allocation = story->fault->nearest;
    FreedFacts facts = {.unborn = allocation && allocation->kept && allocation->free_site == 0,
                        .known = allocation != NULL,
                        .element = &story->array,
                        .party = {&story->party, story->launch},
                        .again = is_free(story),
                        .does = deed(story)};
    if (allocation && !facts.unborn) {
        bool heap = allocation->kind == GPU_ALLOC_DEVICE_HEAP;
        CheckPlace freed;
        if (heap)
            freed = check_place_of_pc(check, (uint32_t)allocation->free_site);
        else
            freed = check_place_of_site(check, allocation->free_site);
        story->other = (CheckParty){.place = freed, .what = "free"};
        facts.at = (SayLine){freed, &story->party.place};
        facts.library = freed.library;
        facts.destructor = freed.destructor;
        facts.caller = (SayLine){{.file = freed.file, .line = freed.caller}, &story->party.place};
    }
    file_fault(story, FINDING_USE_AFTER_FREE, said_freed(FREED_MESSAGE, FREED_WHY, &facts));
}

static uint64_t distance(uint64_t a, uint64_t b) {
    if (a < b) return b - a;
    return a - b;
}

static bool is_null_pointer(const GpuLaunch *launch, const PtxVariable *parameter) {
    uint64_t value;
    return parameter->bytes == 8 && check_parameter_value(launch, parameter, &value) && value == 0;
}

/* "the arguments z and x are 0": all that are null pointers, as far as their sizes tell. */
static unsigned words_null_arguments(const GpuLaunch *launch, Text *names) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    unsigned count = 0;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        if (!is_null_pointer(launch, parameter)) continue;
        if (count++) text_add(names, " and ");
        text_add(names, parameter->plain_name);
    }
    return count;
}

static void tell_pointer(FaultStory *story, FindingKind kind, PointerFacts *facts) {
    facts->party = (SayParty){&story->party, story->launch};
    facts->does = deed(story);
    file_fault(story, kind, said_pointer(POINTER_MESSAGE, POINTER_WHY, facts));
}

/* A null pointer is mostly an argument: a cudaMalloc of which nobody looked at the error, or one of 0
 * bytes, so a parameter of value 0 that gives the size is named, too. Where none is, it may be what malloc in
 * the kernel gives when the heap is full. */
static void tell_null(FaultStory *story) {
    Text names;
    text_init(&names);
    unsigned count = words_null_arguments(story->launch, &names);
    const PtxVariable *empty = check_parameter_count(story->launch, 0);
    PointerFacts facts = {.null = true, .several = count > 1};
    if (count > 0) facts.names = names.bytes;
    if (count == 0 && story->launch->refused_pc)
        facts.refused = (SayLine){check_place_of_pc(story->check, story->launch->refused_pc), NULL};
    if (empty) facts.empty = empty->plain_name;
    tell_pointer(story, FINDING_OUT_OF_BOUNDS, &facts);
    text_free(&names);
}

static bool looks_like_host(uint64_t address) {
    return (address >= HOST_LOW && address < HOST_LOW_END) ||
           (address >= HOST_HIGH && address < HOST_HIGH_END);
}

/* The parameter whose value is the pointer that went wrong, and none into an array: nearest below the
 * address, or somewhat above it (negative index). */
static const PtxVariable *guilty_parameter(const FaultStory *story, uint64_t *value) {
    uint64_t address = story->fault->address[story->lane];
    const PtxVariable *found = check_parameter_pointing(story->launch, address, NULL_REACH, value);
    if (!found) found = check_parameter_pointing(story->launch, address + (1 << 20), 1 << 20, value);
    if (found && !gpu_memory_find(story->check->gpu, *value)) return found;
    return NULL;
}

static bool has_null_argument(const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (is_null_pointer(launch, &function->parameters[i])) return true;
    return false;
}

/* What an address was computed from. */
typedef struct PointerBehind {
    uint64_t value; /* the pointer into memory; 0: unknown */
    bool several;   /* more than one of its sources is such a pointer */
    bool read;      /* something from memory is among its sources */
    bool open;      /* there may be sources that are not known */
} PointerBehind;

/* Of the values that an address was made from, the one that points into memory: whether this one does. */
static bool take_pointer(Check *check, uint64_t value, PointerBehind *behind) {
    if (!gpu_memory_find(check->gpu, value)) return false;
    if (value == behind->value) return true;
    behind->several |= behind->value != 0;
    behind->value = value;
    return true;
}

/* A pointer that the function was given, and that points nowhere, was made by its caller: what that one hands
 * over there is made from parameters of its own. What it read from memory is not known any more. */
static Provenance handed_over(const GpuFault *fault, unsigned level, const PtxVariable *parameter) {
    const PtxInstruction *call, *inner;
    const PtxFunction *callee = gpu_warp_function(fault->warp, level, &inner);
    const PtxFunction *caller = gpu_warp_function(fault->warp, level + 1, &call);
    if (!callee || !caller || !call) return (Provenance){.open = true};
    Provenance sources = ptx_provenance_of_argument(caller, call, (unsigned)(parameter - callee->parameters));
    sources.open |= sources.read_count > 0;
    return sources;
}

/* Takes each parameter among the sources that points into memory, and goes to the callers for the others.
 * At the level of the kernel there is nowhere to go. */
static void take_parameters(Check *check, const GpuFault *fault, unsigned level, const Provenance *sources,
                            PointerBehind *behind) {
    enum { MOST_LEVELS = 8 };
    const PtxInstruction *call;
    const PtxFunction *function = gpu_warp_function(fault->warp, level, &call);
    behind->open |= sources->open || !function || level == MOST_LEVELS;
    for (unsigned i = 0; i < sources->count && !behind->open; i++) {
        uint64_t value = 0;
        const PtxVariable *parameter = sources->from[i];
        bool known = gpu_warp_parameter(fault->warp, level, parameter, sources->at[i],
                                        check_first_lane(fault->lanes), &value);
        if ((known && take_pointer(check, value, behind)) || function->entry) continue;
        const Provenance handed = handed_over(fault, level, parameter);
        take_parameters(check, fault, level + 1, &handed, behind);
    }
}

/* What the address of that instruction is made from, which never changes. Instructions that go from array to
 * array ask again and again. */
static const Provenance *sources_of(Check *check, const GpuFault *fault) {
    KnownSources *known = &check->sources[fault->pc % CHECK_KNOWN_SOURCES];
    if (known->pc == fault->pc) return &known->sources;
    const PtxInstruction *call;
    GpuPlace place = gpu_place(check->gpu, fault->pc);
    *known = (KnownSources){.pc = fault->pc, .sources = {.open = true}};
    if (place.instruction && place.function == gpu_warp_function(fault->warp, 0, &call))
        known->sources = ptx_provenance(place.function, place.instruction);
    return &known->sources;
}

/* The array whose pointer the address was computed from, when that is sure: the one value that points into
 * memory among parameters, of the functions further out too, and registers with something from memory. */
static PointerBehind pointer_behind(Check *check, const GpuFault *fault) {
    PointerBehind behind = {0};
    const Provenance *sources = sources_of(check, fault);
    unsigned lane = check_first_lane(fault->lanes);
    take_parameters(check, fault, 0, sources, &behind);
    for (unsigned i = 0; i < sources->read_count; i++)
        take_pointer(check, gpu_warp_register(fault->warp, fault->pc, sources->read[i], lane), &behind);
    behind.read = sources->read_count > 0;
    if (behind.several || behind.open) behind.value = 0;
    return behind;
}

/* The element that the address is in when it is counted from a pointer, however far away. */
static void count_from(FaultStory *story, uint64_t pointer) {
    const GpuFault *fault = story->fault;
    const GpuAllocation *allocation = gpu_memory_find(story->check->gpu, pointer);
    story->allocation = allocation;
    story->array = check_array_global(story->check, story->launch, allocation, pointer, fault->bytes);
    int64_t bytes = (int64_t)(fault->address[story->lane] - pointer);
    int64_t element = (int64_t)story->array.element_bytes;
    int64_t below = 0;
    if (bytes < 0) below = element - 1; /* -1 byte is in element -1 */
    story->array.index += (bytes - below) / element;
}

/* The one pointer into memory among the kernel's arguments, members of structures too; 0: none, or several.
 */
static uint64_t only_pointer(Check *check, const GpuLaunch *launch) {
    PointerBehind behind = {0};
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; launch->spec.parameters && i < function->parameter_count; i++) {
        const uint8_t *bytes = (const uint8_t *)launch->spec.parameters + function->parameters[i].offset;
        for (size_t at = 0; at + sizeof behind.value <= function->parameters[i].bytes;
             at += sizeof behind.value) {
            uint64_t value;
            memcpy(&value, bytes + at, sizeof value);
            take_pointer(check, value, &behind);
        }
    }
    if (behind.several) return 0;
    return behind.value;
}

/* A small negative number, as unsigned ints hold it. */
static void know_wrapped(FaultStory *story) {
    const int64_t all = INT64_C(1) << 32, reach = 1 << 16, index = story->array.index;
    story->bounds.wrapped = index < all && index >= all - reach;
    story->bounds.below = index - all;
    story->bounds.index = index;
}

/* An address of the device's, only far away: then it is an index that is wrong. Which array it should have
 * gone to is known from the pointer it was computed from, or when there is only one: what lies nearest may be
 * any. */
static bool tell_far(FaultStory *story) {
    uint64_t address = story->fault->address[story->lane], value = story->pointer;
    if (address - GPU_GLOBAL_BASE >= GPU_GLOBAL_SPAN) return false;
    if (!value && !story->read) value = only_pointer(story->check, story->launch);
    if (!value || !gpu_memory_find(story->check->gpu, value)) return false;
    count_from(story, value);
    set_bounds(story);
    story->bounds.far = true;
    know_wrapped(story);
    file_fault(story, FINDING_OUT_OF_BOUNDS, said_bounds(BOUNDS_MESSAGE, BOUNDS_WHY, &story->bounds));
    return true;
}

/* Below the window of shared memory: a negative index into the array that lies there first. */
static bool tell_below_shared(const FaultStory *story) {
    enum { REACH = 1 << 16 };
    const uint64_t below = GPU_SHARED_WINDOW - story->fault->address[story->lane];
    if (below - 1 >= REACH) return false;
    GpuFault fault = *story->fault;
    fault.space = PTX_SPACE_SHARED;
    FaultStory shared = *story;
    shared.fault = &fault;
    shared.array = check_array_at(story->check, story->launch, PTX_SPACE_SHARED, 0, NULL, fault.bytes);
    if (!shared.array.name) return false;
    const uint64_t element = shared.array.element_bytes;
    shared.array.index -= (int64_t)((below + element - 1) / element);
    tell_out_of_bounds(&shared);
    return true;
}

/* Is what the access reads the address of a function, which is called then? So is an entry of a table of
 * virtual functions. */
static bool reads_function(const FaultStory *story) {
    const GpuPlace place = gpu_place(story->check->gpu, story->fault->pc);
    if (!place.function || !place.instruction || place.instruction->opcode != PTX_OP_ld) return false;
    const PtxOperand *read = &place.instruction->operands[0];
    for (uint32_t i = 0; read->kind == PTX_OPERAND_REGISTER && i < place.function->instruction_count; i++) {
        const PtxInstruction *call = &place.function->instructions[i];
        if (call->opcode != PTX_OP_call || call->callee) continue;
        if (call->operands[0].kind == PTX_OPERAND_REGISTER && call->operands[0].index == read->index)
            return true;
    }
    return false;
}

/* free() of what the heap has not given: memory of the host's calls, a variable, or a place within a block of
 * the heap. */
static void tell_not_given(FaultStory *story) {
    const GpuAllocation *found = gpu_memory_find(story->check->gpu, story->fault->address[story->lane]);
    NotGivenFacts facts = {.party = {&story->party, story->launch}, .known = found != NULL};
    if (found) {
        facts.heap = found->kind == GPU_ALLOC_DEVICE_HEAP;
        facts.past = story->fault->address[story->lane] - found->address;
        if (found->variable) facts.variable = found->variable->plain_name;
        facts.bytes = found->bytes;
    }
    if (found && found->alloc_site && !facts.variable) {
        CheckPlace given;
        if (facts.heap)
            given = check_place_of_pc(story->check, (uint32_t)found->alloc_site);
        else
            given = check_place_of_site(story->check, found->alloc_site);
        story->other = (CheckParty){.place = given, .what = "allocated"};
        facts.at = (SayLine){given, &story->party.place};
    }
    file_fault(story, FINDING_API_MISUSE, said_not_given(NOT_GIVEN_MESSAGE, NOT_GIVEN_WHY, &facts));
}

/* An address in no allocation, by what it most likely is: far from an array by an index gone wrong, null
 * plus a small index, the host's memory, or anything. */
static void tell_wild(FaultStory *story) {
    if (story->fault->space == PTX_SPACE_LOCAL && story->fault->access == GPU_ATOMIC) {
        tell_pointer(story, FINDING_API_MISUSE, &(PointerFacts){.own = true});
        return;
    }
    if (is_free(story)) {
        tell_not_given(story);
        return;
    }
    if (tell_far(story) || tell_below_shared(story)) return;
    uint64_t address = story->fault->address[story->lane], value = 0;
    const PtxVariable *parameter = guilty_parameter(story, &value);
    bool host;
    if (parameter)
        host = looks_like_host(value);
    else
        host = looks_like_host(address);
    if (address < NULL_REACH && (has_null_argument(story->launch) || !host)) {
        tell_null(story);
        return;
    }
    PointerFacts facts = {.host = host,
                          .called = host && reads_function(story),
                          .name = parameter ? parameter->plain_name : NULL,
                          .address = address,
                          .value = value};
    tell_pointer(story, host ? FINDING_HOST_DEVICE_POINTER : FINDING_OUT_OF_BOUNDS, &facts);
}

/* Loads and stores of a fragment have no pointer that somebody cast. */
static bool is_of_fragment(const FaultStory *story) {
    const PtxInstruction *instruction = gpu_place(story->check->gpu, story->fault->pc).instruction;
    if (!instruction) return false;
    PtxOpcode opcode = instruction->opcode;
    return opcode == PTX_OP_wmma_load_a || opcode == PTX_OP_wmma_load_b || opcode == PTX_OP_wmma_load_c ||
           opcode == PTX_OP_wmma_store_d;
}

static void tell_misaligned(FaultStory *story) {
    const GpuFault *fault = story->fault;
    MisalignedFacts facts = {.party = {&story->party, story->launch},
                             .does = words_access(fault->access),
                             .bytes = fault->bytes,
                             .known = story->array.space != NULL,
                             .matrix = is_of_fragment(story),
                             .array = &story->array,
                             .past = (int64_t)(fault->address[story->lane] % fault->bytes)};
    file_fault(story, FINDING_MISALIGNED, said_misaligned(MISALIGNED_MESSAGE, MISALIGNED_WHY, &facts));
}

static void tell_read_only(FaultStory *story) {
    ReadOnlyFacts facts = {.party = {&story->party, story->launch}, .array = &story->array};
    file_fault(story, FINDING_OUT_OF_BOUNDS, said_read_only(READ_ONLY_MESSAGE, READ_ONLY_WHY, &facts));
}

/* The other place is where the address was stored, which tells whose variable it is. */
static void tell_lent(FaultStory *story) {
    const GpuLender *lender = &story->fault->lender;
    const bool now = lender->launch == story->launch->id;
    const GpuBlock *block = gpu_warp_block(story->fault->warp);
    LentFacts facts = {
        .earlier = !now,
        .same_block = now && lender->block == gpu_block_linear(block),
        .thread = {check_dim_of(lender->thread, story->launch->spec.block), story->launch->spec.block},
        .party = {&story->party, story->launch},
        .does = words_access(story->fault->access)};
    story->array = (CheckArray){0};
    story->other = (CheckParty){.place = check_place_of_pc(story->check, lender->pc), .what = "write"};
    if (now)
        story->other =
            check_party_at(story->check, story->launch, lender->block, lender->thread, lender->pc, "write");
    file_fault(story, FINDING_OUT_OF_BOUNDS, said_lent(LENT_MESSAGE, LENT_WHY, &facts));
}

/* Each kind of fault has sections of texts of its own. */
static void tell_fault(FaultStory *story) {
    if (is_free(story)) story->party.what = "frees";
    switch (story->fault->kind) {
    case GPU_FAULT_OUT_OF_BOUNDS:
        tell_out_of_bounds(story);
        return;
    case GPU_FAULT_FREED:
        tell_freed(story);
        return;
    case GPU_FAULT_WILD:
        tell_wild(story);
        return;
    case GPU_FAULT_MISALIGNED:
        tell_misaligned(story);
        return;
    case GPU_FAULT_READ_ONLY:
        tell_read_only(story);
        return;
    case GPU_FAULT_LENT:
        tell_lent(story);
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
        uint64_t start = fault->nearest->address;
        if (distance(fault->address[lane], start) < distance(fault->address[best], start)) best = lane;
    }
    return best;
}

/* An array that each thread has for itself: the element that the lane went for. */
static CheckArray array_of_local(const FaultStory *story) {
    const GpuFault *fault = story->fault;
    const PtxLocal *local = fault->local;
    int64_t bytes = (int64_t)(fault->address[story->lane] - fault->local_address);
    int64_t element = (int64_t)local->element_bytes;
    int64_t below = 0;
    if (bytes < 0) below = element - 1; /* -1 byte is in element -1 */
    return (CheckArray){.name = local->name,
                        .space = "local",
                        .index = (bytes - below) / element,
                        .length = local->bytes / local->element_bytes,
                        .element_bytes = local->element_bytes,
                        .declared = {.file = story->party.place.file, .line = local->line}};
}

/* Where several parameters point into the memory, and nobody knows which was used, none of their names is
 * said.
 */
static CheckArray array_of_allocation(const FaultStory *story) {
    CheckArray array = story->array;
    const GpuAllocation *allocation = story->allocation;
    const int64_t bytes = (int64_t)(story->fault->address[story->lane] - allocation->address);
    const int64_t element = (int64_t)array.element_bytes, below = bytes < 0 ? element - 1 : 0;
    array.name = NULL;
    array.index = (bytes - below) / element;
    array.length = allocation->bytes / array.element_bytes;
    return array;
}

/* The pointers of one line that point nowhere are mostly wrong for one reason. */
static uint64_t key_of_fault(Check *check, const GpuFault *fault) {
    uint64_t kind = SEEN_FAULT + (uint64_t)fault->kind;
    if (fault->kind != GPU_FAULT_WILD)
        return check_key(kind, fault->pc, fault->nearest ? fault->nearest->id : 0);
    CheckPlace place = check_place_of_pc(check, fault->pc);
    if (place.line == 0) return check_key(kind, fault->pc, 0);
    return check_key(kind, (uint64_t)place.line, (uint64_t)(uintptr_t)place.file);
}

/* One for the instruction, wherever it goes. */
static uint64_t key_of_moved(const GpuFault *to) {
    return check_key(SEEN_FAULT + GPU_FAULT_OUT_OF_BOUNDS, to->pc, UINT32_MAX);
}

/* Poison, read out of bounds, as an index is -1: what follows from a mistake is no other one. */
static bool follows_poison(const FaultStory *story) {
    bool poisoned = gpu_warp_poisoned(story->fault->warp) >> story->lane & 1;
    return poisoned && story->array.space && story->array.index == -1;
}

/* What the lane went for, as far as something lies near. */
static void find_array(FaultStory *story) {
    const GpuFault *fault = story->fault;
    bool wild = fault->kind == GPU_FAULT_WILD; /* what lies nearest has nothing to do with it */
    if (wild) {
        story->lane = check_first_lane(fault->lanes);
        story->allocation = NULL;
    } else {
        story->lane = closest_lane(fault);
        story->allocation = fault->nearest;
    }
    uint32_t thread = 32 * gpu_warp_index(fault->warp) + story->lane;
    story->party = check_party(story->check, gpu_warp_block(fault->warp), thread, fault->pc,
                               words_access_noun(fault->access));
    if (!wild)
        story->array = check_array_at(story->check, story->launch, fault->space, fault->address[story->lane],
                                      fault->nearest, fault->bytes);
    if (fault->local) story->array = array_of_local(story);
    if (fault->kind == GPU_FAULT_OUT_OF_BOUNDS && story->pointer)
        count_from(story, story->pointer);
    else if (story->allocation && check_parameters_into(story->launch, story->allocation) > 1)
        story->array = array_of_allocation(story);
}

static void on_fault(void *self, const GpuFault *fault) {
    Check *check = self;
    /* initialisation.c tells where the address came from */
    if (fault->undefined_address && check->options.initialisation) return;
    uint64_t key = key_of_fault(check, fault);
    GpuFault own = *fault;
    uint32_t sound = fault->lanes & ~gpu_warp_poisoned(fault->warp);
    if (sound) own.lanes = sound;
    FaultStory story = {
        .check = check, .fault = &own, .key = key, .launch = gpu_block_launch(gpu_warp_block(fault->warp))};
    if (sound && check_seen(check, key, check_lane_count(own.lanes))) return;
    if (fault->space == PTX_SPACE_GLOBAL) {
        PointerBehind behind = pointer_behind(check, &own);
        story.pointer = behind.value;
        story.read = behind.read;
    }
    if (story.pointer && fault->kind == GPU_FAULT_OUT_OF_BOUNDS)
        own.nearest = gpu_memory_find(check->gpu, story.pointer);
    find_array(&story);
    if (!sound && (follows_poison(&story) || check_seen(check, key, check_lane_count(own.lanes)))) return;
    tell_fault(&story);
}

/* Memory that the host has too may consist of several registered pieces side by side. */
static bool is_whole(const GpuAllocation *allocation) {
    return allocation && allocation->kind != GPU_ALLOC_MAPPED;
}

/* An access to another array than the one whose pointer the address was made from, when that is sure: the
 * pointer is a parameter, which no thread changes. A card does not notice, and neither does the memory
 * itself.
 */
static void on_moved(void *self, const GpuFault *to) {
    Check *check = self;
    const Provenance *sources = sources_of(check, to);
    if (sources->open || sources->count == 0 || sources->read_count > 0 || !is_whole(to->nearest)) return;
    const uint64_t pointer = pointer_behind(check, to).value;
    const GpuAllocation *meant = gpu_memory_find(check->gpu, pointer);
    if (!is_whole(meant) || meant == to->nearest) return;
    if (check_seen(check, key_of_moved(to), check_lane_count(to->lanes))) return;
    GpuFault own = *to;
    own.nearest = meant;
    FaultStory story = {.check = check,
                        .fault = &own,
                        .key = key_of_moved(to),
                        .launch = gpu_block_launch(gpu_warp_block(to->warp)),
                        .pointer = pointer};
    find_array(&story);
    tell_fault(&story);
}

GpuObserver memory_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .fault = on_fault,
                         .moved = on_moved,
                         .texture_fault = textures_on_fault,
                         .in_ranges = true};
}
