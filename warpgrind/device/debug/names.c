/* names.c - which variable a name means where a thread is: what its function declares, innermost block first,
 * the kernel's parameters, the function's shared arrays, the module's variables, and CUDA's own.
 */
#include "device/debug/value.h"

#include "base/minmax.h"
#include "base/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CUDA's own: threadIdx and its like are structures of three numbers, which lie nowhere ---- */

static Value find_own(const Scene *scene, const char *name) {
    const GpuBlock *block = gpu_warp_block(scene->warp);
    const GpuLaunch *launch = gpu_block_launch(block);
    const struct {
        const char *name;
        GpuDim at;
    } own[] = {
        {"threadIdx", gpu_thread_index(block, GPU_WARP_LANES * gpu_warp_index(scene->warp) + scene->lane)},
        {"blockIdx", gpu_block_index(block)},
        {"blockDim", launch->spec.block},
        {"gridDim", launch->spec.grid}};
    if (strcmp(name, "warpSize") == 0) return (Value){.type = &value_int, .number = GPU_WARP_LANES};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0) return (Value){.type = &value_dim, .own = own[i].at};
    return (Value){0};
}

/* ---- arrays without a type ---- */

/** Registers of the function that hold an address made from the variable: set one by one in the order of the
 * text, which is enough for unoptimised code. */
static bool names_variable(const PtxOperand *operand, const PtxVariable *variable, const bool *made) {
    bool by_register = (operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS) &&
                       operand->index >= 0;
    return operand->variable == variable || (by_register && made[operand->index]);
}

/** What the function loads from or stores to the variable. `extern __shared__` arrays have no type in the
 * debug information. */
static PtxType accessed_type(const PtxFunction *function, const PtxVariable *variable, bool *made) {
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *at = &function->instructions[i];
        bool reached = false, address = false;
        for (unsigned k = 0; k < at->operand_count; k++) {
            if (!names_variable(&at->operands[k], variable, made)) continue;
            reached = true;
            address |= at->operands[k].kind == PTX_OPERAND_ADDRESS;
        }
        if (!reached) continue;
        if (address) return at->type;
        const PtxOperand *result = &at->operands[0];
        if (at->destination_count > 0 && result->kind == PTX_OPERAND_REGISTER) made[result->index] = true;
    }
    return PTX_NONE;
}

static const PtxShown *shown_of(PtxType type, unsigned bytes) {
    if (type == PTX_F32) return &value_float;
    if (type == PTX_F64) return &value_double;
    if (type == PTX_U64 || type == PTX_S64 || type == PTX_B64) return &value_long;
    if (bytes == 0 || bytes == 4) return &value_int;
    return NULL;
}

static PtxType type_in(Scene *scene, const PtxFunction *function, const PtxVariable *variable) {
    bool *made = ARENA_ARRAY(scene->arena, function->register_count + 1, bool);
    if (made != NULL) return accessed_type(function, variable, made);
    return PTX_NONE;
}

/** An array of as many elements as there is room for. A function that does not use it has its type from one
 * that does. */
static const PtxShown *guess_type(Scene *scene, const PtxFunction *function, const PtxVariable *variable,
                                  uint64_t room) {
    PtxShown *array = ARENA_NEW(scene->arena, PtxShown);
    PtxType type = type_in(scene, function, variable);
    const PtxModule *module = gpu_warp_module(scene->warp);
    for (uint32_t i = 0; type == PTX_NONE && i < module->function_count; i++)
        type = type_in(scene, module->functions[i], variable);
    const PtxShown *element = shown_of(type, variable->element_bytes);
    if (array == NULL || element == NULL) return NULL;
    *array = (PtxShown){
        .kind = PTX_SHOWN_ARRAY, .name = "", .bytes = room, .count = room / element->bytes, .of = element};
    return array;
}

/* ---- variables of the text ---- */

static Value variable_value(Scene *scene, const PtxFunction *function, const PtxVariable *variable) {
    const GpuLaunch *launch = gpu_block_launch(gpu_warp_block(scene->warp));
    uint64_t room;
    if (variable->dynamic)
        room = launch->spec.dynamic_shared;
    else
        room = variable->bytes;
    const PtxShown *type = variable->shown;
    if (type == NULL || (type->kind == PTX_SHOWN_ARRAY && type->count == 0))
        type = guess_type(scene, function, variable, room);
    if (type == NULL) return value_fail(scene, "the type of %s is not known", variable->plain_name);
    return (Value){.type = type, .placed = true, .address = gpu_warp_variable(scene->warp, variable)};
}

/** Other kernels of the text may have shared arrays of the same name. */
static bool is_here(const Scene *scene, const PtxVariable *variable) {
    if (variable->space == PTX_SPACE_SHARED) return gpu_warp_variable(scene->warp, variable) != 0;
    return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

/** "a::b" is the variable b whose name in the text, which has each part with its length before it, has a too.
 */
static bool is_called(const PtxVariable *variable, const char *name) {
    const char *end;
    for (; (end = strstr(name, "::")) != NULL; name = end + 2) {
        char part[80];
        snprintf(part, sizeof part, "%d%.*s", (int)(end - name), (int)(end - name), name);
        if (end > name && strstr(variable->name, part) == NULL) return false;
    }
    return strcmp(variable->plain_name, name) == 0;
}

static Value find_variable(Scene *scene, const PtxFunction *function, const PtxVariable *variables,
                           uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++) /* that of no namespace goes first */
        if (is_here(scene, &variables[i]) && strcmp(variables[i].name, name) == 0)
            return variable_value(scene, function, &variables[i]);
    for (uint32_t i = 0; i < count; i++)
        if (is_here(scene, &variables[i]) && is_called(&variables[i], name))
            return variable_value(scene, function, &variables[i]);
    return (Value){0};
}

/* ---- locals ---- */

static const GpuLaneFrame *frame_of(const Scene *scene) {
    return &scene->frames[scene->frame];
}

/** Which instruction of the text the frame is at; UINT32_MAX: none of them. */
static uint32_t index_of(const GpuLaneFrame *frame) {
    const PtxInstruction *first = frame->function->instructions, *at = frame->instruction;
    bool inside = at != NULL && at >= first && at < first + frame->function->instruction_count;
    if (inside) return (uint32_t)(at - first);
    return UINT32_MAX;
}

static uint32_t width_of(const PtxLocal *local) {
    if (local->end > 0) return local->end - local->first;
    return UINT32_MAX;
}

static bool in_scope(const PtxLocal *local, uint32_t at) {
    return local->end == 0 || at == UINT32_MAX || (at >= local->first && at < local->end);
}

static Value local_value(const GpuLaneFrame *frame, const PtxLocal *local) {
    return (Value){
        .type = local->shown, .placed = true, .address = GPU_LOCAL_WINDOW + frame->local + local->offset};
}

/** The type is a reference in C++: what it refers to is meant. */
static Value follow_reference(Scene *scene, Value value) {
    Value pointer;
    if (value.type == NULL || !value.type->reference) return value;
    if (!value_load(scene, &value, &pointer)) return (Value){0};
    return (Value){.type = value.type->of, .placed = true, .address = (uint64_t)pointer.number};
}

static Value find_local(Scene *scene, const char *name) {
    const GpuLaneFrame *frame = frame_of(scene);
    const PtxFunction *function = frame->function;
    const PtxLocal *found = NULL;
    for (uint32_t i = 0; i < function->local_count; i++) {
        const PtxLocal *local = &function->locals[i];
        if (strcmp(local->name, name) != 0 || !in_scope(local, index_of(frame))) continue;
        if (found == NULL || width_of(local) <= width_of(found)) found = local;
    }
    if (found == NULL) return (Value){0};
    if (found->shown == NULL) return value_fail(scene, "the type of %s is not known", name);
    return follow_reference(scene, local_value(frame, found));
}

/** A kernel's parameters lie in its parameter block, whatever the compiler has made of them. Of a function's
 * it is a structure alone that has no other place. */
static Value parameter_value(const GpuLaneFrame *frame, const PtxVariable *parameter) {
    const PtxShown *type = parameter->shown;
    const bool entry = frame->function->entry;
    if (type == NULL || (!entry && type->kind != PTX_SHOWN_STRUCTURE)) return (Value){0};
    uint64_t base = GPU_PARAM_WINDOW;
    if (!entry) base = GPU_LOCAL_WINDOW + frame->arguments;
    return (Value){.type = type, .placed = true, .address = base + parameter->offset};
}

static Value find_parameter(const Scene *scene, const char *name) {
    const GpuLaneFrame *frame = frame_of(scene);
    for (unsigned i = 0; i < frame->function->parameter_count; i++) {
        const PtxVariable *parameter = &frame->function->parameters[i];
        if (strcmp(parameter->plain_name, name) == 0) return parameter_value(frame, parameter);
    }
    return (Value){0};
}

static bool is_lost(const PtxFunction *function, const char *name) {
    for (uint32_t i = 0; i < function->lost_count; i++)
        if (strcmp(function->lost[i], name) == 0) return true;
    return false;
}

static void offer(void *self, const char *name, const Value *value) {
    if (value != NULL) nearest_offer(self, name);
}

/** A task speaks of `out`, the kernel of `d_out`: what comes near is named, if a letter at least is the same.
 */
static Value find_none(Scene *scene, const char *name) {
    const size_t length = strlen(name);
    Nearest nearest = nearest_within(name, MIN(length / 3 + 2, length));
    value_each_local(scene, offer, &nearest);
    if (nearest.best == NULL) return value_fail(scene, "there is no %s here", name);
    return value_fail(scene, "there is no %s here, but there is %s", name, nearest.best);
}

Value value_find(Scene *scene, const char *name) {
    const PtxFunction *function = frame_of(scene)->function;
    const PtxModule *module = gpu_warp_module(scene->warp);
    Value value = find_own(scene, name);
    if (value.type == NULL) value = find_local(scene, name);
    if (value.type == NULL && scene->error == NULL) value = find_parameter(scene, name);
    if (value.type == NULL && scene->error == NULL)
        value = find_variable(scene, function, function->variables, function->variable_count, name);
    if (value.type == NULL && scene->error == NULL)
        value = find_variable(scene, function, module->variables, module->variable_count, name);
    if (value.type != NULL || scene->error != NULL) return value;
    if (is_lost(function, name))
        return value_fail(scene, "the value of %s is optimised away here; warpcc without -O keeps it", name);
    return find_none(scene, name);
}

/* ---- all of them ---- */

static bool is_local(const PtxFunction *function, const char *name) {
    for (uint32_t i = 0; i < function->local_count; i++)
        if (strcmp(function->locals[i].name, name) == 0) return true;
    return false;
}

static bool listed_before(const Scene *scene, const char *name) {
    const PtxFunction *function = frame_of(scene)->function;
    if (is_local(function, name)) return true;
    if (!function->entry) return find_parameter(scene, name).type != NULL;
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].plain_name, name) == 0) return true;
    return false;
}

/** Whether another local of the name, in a narrower block, is the one that is meant. */
static bool is_hidden(const PtxFunction *function, const PtxLocal *local, uint32_t at) {
    for (uint32_t i = 0; i < function->local_count; i++) {
        const PtxLocal *other = &function->locals[i];
        bool same = other != local && strcmp(other->name, local->name) == 0 && in_scope(other, at);
        if (same && width_of(other) < width_of(local)) return true;
    }
    return false;
}

static void each_shared(Scene *scene, const PtxFunction *function, const PtxVariable *variables,
                        uint32_t count, ValueEach *each, void *self) {
    for (uint32_t i = 0; i < count; i++) {
        if (variables[i].space != PTX_SPACE_SHARED || !is_here(scene, &variables[i])) continue;
        const Value value = variable_value(scene, function, &variables[i]);
        if (value.type != NULL) each(self, variables[i].plain_name, &value);
        scene->error = NULL;
    }
}

void value_each_local(Scene *scene, ValueEach *each, void *self) {
    const GpuLaneFrame *frame = frame_of(scene);
    const PtxFunction *function = frame->function;
    const PtxModule *module = gpu_warp_module(scene->warp);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        const Value value = parameter_value(frame, parameter);
        if (value.type != NULL && !is_local(function, parameter->plain_name))
            each(self, parameter->plain_name, &value);
    }
    for (uint32_t i = 0; i < function->local_count; i++) {
        const PtxLocal *local = &function->locals[i];
        if (local->shown == NULL || !in_scope(local, index_of(frame))) continue;
        if (is_hidden(function, local, index_of(frame))) continue;
        const Value value = follow_reference(scene, local_value(frame, local));
        each(self, local->name, &value);
        scene->error = NULL;
    }
    each_shared(scene, function, function->variables, function->variable_count, each, self);
    each_shared(scene, function, module->variables, module->variable_count, each, self);
    for (uint32_t i = 0; i < function->lost_count; i++)
        if (!listed_before(scene, function->lost[i])) each(self, function->lost[i], NULL);
}
