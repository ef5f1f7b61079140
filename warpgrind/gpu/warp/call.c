/* call.c - calls: of functions in the module, through pointers, and of the device's own library.
 *
 * Arguments and results lie in the .param part of the caller's and the callee's local frames; a call copies
 * them, lane by lane or by whole rows, with their definedness. The library's functions get them as arrays of
 * 64-bit values.
 */
#include "base/minmax.h"
#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory_access.h"
#include "gpu/warp/children.h"
#include "gpu/warp/warp.h"

/* ---- copying between frames: offsets are from the bottom of the lanes' stacks ---- */

/** Part of a frame's local memory. */
typedef struct Place {
    GpuFrame *frame;
    uint32_t at; /**< in its local memory */
} Place;

static uint32_t undefined_words(Place place, uint32_t bytes, uint32_t mask) {
    uint32_t undefined = 0;
    if (undefined_rests(place.frame)) return 0;
    for (uint32_t i = 0; i < bytes; i++)
        undefined |= place.frame->words[place.at + i];
    return undefined & mask;
}

static void call_copy_undefined(GpuWarp *warp, Place from, Place to, uint32_t bytes, uint32_t mask) {
    const uint32_t undefined = undefined_words(from, bytes, mask);
    if (undefined) undefined_wake(to.frame);
    if (undefined_rests(to.frame)) return;
    for (uint32_t i = 0; i < bytes; i++) {
        uint32_t *target = &to.frame->words[to.at + i];
        *target &= ~mask;
        if (undefined) *target |= from.frame->words[from.at + i] & mask;
    }
    const uint32_t first = from.frame->local_base + from.at, second = to.frame->local_base + to.at;
    for (uint32_t i = 0; undefined && i < bytes; i += 4)
        warp->local_origin[(second + i) / 4] = warp->local_origin[(first + i) / 4];
}

/** Copies bytes of a lane's stack with their definedness: by rows where everything is a multiple of a
 * word, which is nearly always. */
static void call_copy(GpuWarp *warp, Place source, Place target, uint32_t bytes, uint32_t mask) {
    const uint32_t from = source.frame->local_base + source.at, to = target.frame->local_base + target.at;
    uint8_t buffer[4];
    if (warp->run->track) call_copy_undefined(warp, source, target, bytes, mask);
    if (from % 4 == 0 && to % 4 == 0 && bytes % 4 == 0) {
        uint8_t *local = warp->local;
        for (uint32_t i = 0; i < bytes; i += 4)
            warp->run->gpu->variant->move_row(local + (size_t)(to + i) * GPU_WARP_LANES,
                                              local + (size_t)(from + i) * GPU_WARP_LANES, mask);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (uint32_t i = 0; i < bytes; i += sizeof buffer) {
            unsigned part;
            if (bytes - i < sizeof buffer)
                part = bytes - i;
            else
                part = (unsigned)sizeof buffer;
            local_read(warp, lane, from + i, part, buffer);
            local_write(warp, lane, to + i, part, buffer);
        }
    }
}

static uint32_t least(uint32_t a, uint32_t b) {
    return MIN(a, b);
}

/** Bytes of a parameter that the call has nothing for: it goes by another declaration of the function. */
static void call_leave_out(GpuFrame *frame, uint32_t first, uint32_t end, uint32_t mask) {
    if (first >= end || !frame->words) return;
    undefined_wake(frame);
    for (uint32_t i = first; i < end; i++)
        frame->words[i] |= mask;
}

static void call_copy_arguments(GpuWarp *warp, const GpuCall *call, GpuFrame *from, GpuFrame *to,
                                uint32_t mask) {
    const PtxFunction *callee = to->function->ptx;
    for (unsigned i = 0; i < callee->parameter_count; i++) {
        const PtxVariable *formal = &callee->parameters[i];
        const uint32_t at = to->function->param_base + formal->offset, bytes = (uint32_t)formal->bytes;
        uint32_t given = 0;
        if (i < call->argument_count) given = least(call->argument_bytes[i], bytes);
        if (given > 0) call_copy(warp, (Place){from, call->arguments[i]}, (Place){to, at}, given, mask);
        call_leave_out(to, at + given, at + bytes, mask);
    }
}

static void call_copy_results(GpuWarp *warp, GpuFrame *from, uint32_t mask) {
    const GpuCall *call = from->call->u.call;
    const PtxFunction *callee = from->function->ptx;
    for (unsigned i = 0; i < call->result_count && i < callee->result_count; i++) {
        const PtxVariable *result = &callee->results[i];
        call_copy(warp, (Place){from, from->function->param_base + result->offset},
                  (Place){from->caller, call->results[i]},
                  least(call->result_bytes[i], (uint32_t)result->bytes), mask);
    }
}

/* ---- call and ret ---- */

/** The function that the first lane's pointer names; lanes with another pointer are left behind to do the
 * call again. */
static GpuFunction *call_resolve(GpuWarp *warp, const GpuInstruction *ins, uint32_t *mask) {
    if (warp->run->track && ins->address_register != GPU_NO_REGISTER) {
        uint32_t undefined = warp->meta[ins->address_register].undefined & *mask;
        if (undefined) undefined_report(warp, ins, ins->address_register, undefined, GPU_UNDEFINED_BRANCH);
    }
    uint64_t address = gpu_lane_value(warp, ins->a, 8, (unsigned)__builtin_ctz(*mask));
    uint32_t same = 0;
    for (uint32_t left = *mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (gpu_lane_value(warp, ins->a, 8, lane) == address) same |= 1u << lane;
    }
    if (same != *mask) {
        GpuGroup *rest = warp_new_group(warp);
        rest->mask = *mask & ~same;
        rest->next = ins;
        rest->frame = warp->frame;
        rest->join = warp->current->join;
        warp->current->mask = same;
        *mask = same;
    }
    return module_function_at(warp->run->kernel, address);
}

static bool call_recurs(const GpuFrame *caller, const GpuFunction *callee) {
    while (caller && caller->function != callee)
        caller = caller->caller;
    return caller != NULL;
}

/** A card's compiler knows how much stack a kernel needs, unless a call recurs or goes through a pointer:
 * from there on the frames must fit into the stack limit. Whether they do. */
static bool call_fits(const GpuWarp *warp, const GpuInstruction *ins, GpuFrame *frame) {
    const GpuFrame *caller = frame->caller;
    bool counts = caller->card_stack || !ins->u.call->callee || call_recurs(caller, frame->function);
    frame->card_stack = counts ? caller->card_stack + frame->function->card_frame : 0;
    return frame->card_stack <= warp->run->gpu->limits[GPU_LIMIT_STACK];
}

/** Enters the callee with all lanes of the group at once. A pointer may lead lanes to different
 * functions: then only those of the first one enter, and the others call again. */
const GpuInstruction *call_function(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuCall *call = ins->u.call;
    GpuGroup *group = warp->current;
    uint32_t before = mask;
    warp_count(warp, ins->ordinal + 1);
    GpuFunction *callee;
    if (call->callee)
        callee = call->callee;
    else
        callee = call_resolve(warp, ins, &mask);
    if (!callee) {
        flow_note_stop(warp, ins, mask);
        run_end(warp->run, GPU_ILLEGAL_INSTRUCTION);
        return NULL;
    }
    GpuFrame *frame = frame_new(warp, callee, warp->frame, mask);
    if (!frame) return NULL;
    frame->call = callee->last_call = ins;
    if (!call_fits(warp, ins, frame)) {
        run_end(warp->run, GPU_STACK_OVERFLOW);
        return NULL;
    }
    frame->caller_join = group->join;
    call_copy_arguments(warp, call, warp->frame, frame, mask);
    group->frame = frame;
    group->next = callee->code;
    if (mask != before || warp->slice <= 0) return NULL;
    warp_enter(warp, group);
    warp->start = callee->code;
    return callee->code;
}

/** When all lanes of the frame return together they go on at once; else frame_return has them wait for the
 * others. */
const GpuInstruction *call_return(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    GpuFrame *frame = warp->frame;
    GpuGroup *group = warp->current;
    call_copy_results(warp, frame, mask);
    if (frame->lanes != mask || group->join != frame->caller_join) return frame_return(warp, ins);
    warp_count(warp, ins->ordinal + 1);
    group->frame = frame->caller;
    group->next = frame->call + 1;
    frame_free(warp, frame);
    if (warp->slice <= 0) return NULL;
    warp_enter(warp, group);
    warp->start = group->next;
    return group->next;
}

/* ---- the library ---- */

typedef struct Arguments {
    uint64_t values[GPU_LIBRARY_MAX_ARGUMENTS][GPU_WARP_LANES];
    uint64_t result[GPU_WARP_LANES];
} Arguments;

static void call_gather(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, Arguments *arguments) {
    const GpuCall *call = ins->u.call;
    memset(arguments, 0, sizeof *arguments);
    for (unsigned i = 0; i < call->argument_count && i < GPU_LIBRARY_MAX_ARGUMENTS; i++)
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            local_read(warp, lane, warp->frame->local_base + call->arguments[i],
                       least(call->argument_bytes[i], 8), (uint8_t *)&arguments->values[i][lane]);
        }
}

static void call_scatter(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                         const Arguments *arguments) {
    const GpuCall *call = ins->u.call;
    if (!call->result_count) return;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        local_write(warp, lane, warp->frame->local_base + call->results[0], least(call->result_bytes[0], 8),
                    (const uint8_t *)&arguments->result[lane]);
    }
}

/** A result is undefined where an argument is. */
static void call_move_undefined(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuCall *call = ins->u.call;
    uint32_t undefined = 0, origin = 0, base = warp->frame->local_base;
    if (undefined_rests(warp->frame)) return;
    for (unsigned i = 0; i < call->argument_count; i++)
        for (uint32_t k = 0; k < call->argument_bytes[i]; k++) {
            uint32_t lanes = warp->local_undefined[base + call->arguments[i] + k] & mask;
            if (lanes) origin = warp->local_origin[(base + call->arguments[i]) / 4];
            undefined |= lanes;
        }
    if (!call->result_count) return;
    for (uint32_t k = 0; k < call->result_bytes[0]; k++) {
        uint32_t *target = &warp->local_undefined[base + call->results[0] + k];
        *target = (*target & ~mask) | undefined;
    }
    warp->local_origin[(base + call->results[0]) / 4] = undefined_from(origin, ins);
}

enum { OWN_PART_OF_HEAP = 4 };

/** The heap has a size, and what does not fit is NULL (CUDA C++ Programming Guide, Dynamic Global Memory
 * Allocation). A card gives 6 pieces of 1 MiB from the usual 8 MiB: a quarter goes into its own books and
 * into gaps. LIMIT: that a quarter goes from heaps and into pieces of other sizes as well is assumed. */
static uint64_t call_take_heap(GpuRun *run, uint64_t bytes, uint32_t pc) {
    Gpu *gpu = run->gpu;
    uint64_t limit = gpu->limits[GPU_LIMIT_HEAP];
    gpu->limit_is_fixed[GPU_LIMIT_HEAP] = true;
    limit -= limit / OWN_PART_OF_HEAP;
    const GpuAllocation *made = NULL;
    if (bytes <= limit && gpu->heap_used <= limit - bytes)
        made = gpu_memory_alloc(gpu, bytes, 16, GPU_ALLOC_DEVICE_HEAP, pc);
    if (made) return made->address;
    run->launch.refused_pc = pc;
    return 0;
}

static void call_malloc(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, Arguments *arguments) {
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        arguments->result[lane] = call_take_heap(warp->run, arguments->values[0][lane], ins->pc);
    }
}

/** cudaMalloc(&p, bytes): from the same heap. */
static void call_device_malloc(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                               Arguments *arguments) {
    enum { OUT_OF_MEMORY = 2 };
    uint64_t got[GPU_WARP_LANES] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        got[lane] = call_take_heap(warp->run, arguments->values[1][lane], ins->pc);
        arguments->result[lane] = got[lane] ? 0 : OUT_OF_MEMORY;
    }
    children_put(warp, mask, arguments->values[0], got);
}

/** free() in device code, lane by lane. Freeing NULL does nothing; anything else that is not the start of
 * a live block of the heap is an error that ends the launch. */
static void call_free(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const Arguments *arguments) {
    for (; mask && !warp->run->ended; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t address = arguments->values[0][lane];
        const GpuAllocation *found = gpu_memory_find(warp->run->gpu, address);
        bool heap = found && found->kind == GPU_ALLOC_DEVICE_HEAP;
        if (!address || (heap && gpu_memory_free(warp->run->gpu, address, ins->pc))) continue;
        warp->address[lane] = address;
        const GpuAllocation *nearest = gpu_memory_nearest(warp->run->gpu, address);
        bool again = nearest && nearest->address == address && nearest->freed;
        GpuFault fault = {.warp = warp,
                          .pc = ins->pc,
                          .kind = again ? GPU_FAULT_FREED : GPU_FAULT_WILD,
                          .space = PTX_SPACE_GLOBAL,
                          .access = GPU_WRITE,
                          .bytes = 1,
                          .lanes = 1u << lane,
                          .address = warp->address,
                          .nearest = nearest};
        GPU_SEND(warp->run->gpu, fault, &fault);
        run_end(warp->run, GPU_ILLEGAL_ADDRESS);
    }
}

static void call_assert(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const Arguments *arguments) {
    char condition[256], file[256];
    unsigned lane = (unsigned)__builtin_ctz(mask);
    printf_read_string(warp, lane, arguments->values[0][lane], condition, sizeof condition);
    printf_read_string(warp, lane, arguments->values[1][lane], file, sizeof file);
    GPU_SEND(warp->run->gpu, asserted, warp, lane, ins->pc, condition, file,
             (unsigned)arguments->values[2][lane]);
    run_end(warp->run, GPU_ASSERT);
}

static void call_pure(const GpuLibraryEntry *entry, uint32_t mask, Arguments *arguments) {
    GpuLibraryCall call = {.lanes = mask, .result = arguments->result};
    for (unsigned i = 0; i < GPU_LIBRARY_MAX_ARGUMENTS; i++)
        call.arguments[i] = arguments->values[i];
    entry->function(&call);
}

/** The library's functions get their arguments as arrays of 64 bits and give back one; what they do to
 * the machine is behind the service. */
const GpuInstruction *call_library(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuLibraryEntry *entry = ins->u.call->library;
    Arguments arguments;
    call_gather(warp, ins, mask, &arguments);
    if (warp->run->track) call_move_undefined(warp, ins, mask);
    switch (entry->service) {
    case GPU_LIBRARY_PURE:
        call_pure(entry, mask, &arguments);
        break;
    case GPU_LIBRARY_VPRINTF:
        printf_run(warp, ins, mask, arguments.values[0], arguments.values[1], arguments.result);
        break;
    case GPU_LIBRARY_ASSERTFAIL:
        call_assert(warp, ins, mask, &arguments);
        break;
    case GPU_LIBRARY_MALLOC:
        call_malloc(warp, ins, mask, &arguments);
        break;
    case GPU_LIBRARY_FREE:
        call_free(warp, ins, mask, &arguments);
        break;
    case GPU_LIBRARY_DEVICE_MALLOC:
        call_device_malloc(warp, ins, mask, &arguments);
        break;
    case GPU_LIBRARY_CHILD_BUFFER:
    case GPU_LIBRARY_CHILD_LAUNCH:
    case GPU_LIBRARY_CHILD_ERROR:
    case GPU_LIBRARY_CHILD_PEEK:
    case GPU_LIBRARY_CHILD_HANDLE:
    case GPU_LIBRARY_CONDITION:
    case GPU_LIBRARY_CHILD_DEVICE:
    case GPU_LIBRARY_CHILD_NOTHING:
        children_call(warp, ins, mask, entry->service, arguments.values, arguments.result);
        break;
    }
    call_scatter(warp, ins, mask, &arguments);
    return warp->run->ended ? warp_stop(warp, ins, GROUP_RUNNABLE) : ins + 1;
}
