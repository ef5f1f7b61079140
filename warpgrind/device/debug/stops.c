/* stops.c - when a run stops: breakpoints, changes of what is watched, lines of a thread, findings.
 *
 * Each instruction comes by here once (on_step). What is known of its pc, such as its line and the
 * breakpoints that stand there, is worked out when it comes for the first time. In a run that seeks nothing
 * stops; the moments that would have stopped are remembered, the last of them is the answer.
 *
 * A moment is a step and a change: 0 is before the step's instruction, and launches, findings and failed
 * calls are counted from then on to the next instruction.
 */
#include "base/finding.h"
#include "base/headers.h"
#include "device/debug/parts.h"
#include "device/state/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_EVERY = 1 << 16 };

/* ---- code ---- */

static bool is_end_of(const char *path, const char *name) {
    size_t length = strlen(path), end = strlen(name);
    if (end > length || strcmp(path + length - end, name) != 0) return false;
    return end == length || path[length - end - 1] == '/';
}

/** An editor names a file by its whole path, a person by its end; so does the compiler, as it was called. */
static bool is_same_file(const char *path, const char *name) {
    return is_end_of(path, name) || is_end_of(name, path);
}

static bool is_own(const GpuPlace *place) {
    return place->line > 0 && place->file != NULL && !headers_are(place->file);
}

/** The first line from the wanted one on that has code in the function, when the function is there at all. */
static int line_in(const PtxFunction *function, int wanted) {
    int found = 0, least = 0, most = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *at = &function->instructions[i];
        if (at->line <= 0 || at->file != function->declared_file) continue;
        if (least == 0 || at->line < least) least = at->line;
        if (at->line > most) most = at->line;
        if (at->line >= wanted && at->column > 0 && (found == 0 || at->line < found)) found = at->line;
    }
    if (wanted >= least && wanted <= most) return found;
    return 0;
}

/** Where a function begins for people: after its parameters have been put away, which has no column. */
static const PtxInstruction *body_of(const PtxFunction *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].line > 0 && function->instructions[i].column > 0)
            return &function->instructions[i];
    return NULL;
}

/** A run of instructions of the line begins there, at the column of the line's first one: a loop's line is
 * met once, not once more at its end. */
static bool begins_line(const PtxFunction *function, const PtxInstruction *at, int line) {
    const PtxInstruction *first = function->instructions;
    while (first->line != line || first->column == 0)
        if (++first == function->instructions + function->instruction_count) return false;
    return at->line == line && at->column == first->column && (at == first || at[-1].line != line);
}

/** A template's instances have their arguments behind the name. */
static bool is_called(const PtxFunction *function, const char *name) {
    const size_t length = strlen(name);
    const char *end = function->plain_name + length;
    return strncmp(function->plain_name, name, length) == 0 && (*end == '\0' || *end == '<');
}

static bool stands_at(const DebugPoint *point, const GpuPlace *place) {
    const PtxFunction *function = place->function;
    const PtxInstruction *first = function->instructions;
    bool inside = place->instruction >= first && place->instruction < first + function->instruction_count;
    if (!point->used || point->watched != NULL || !inside) return false;
    if (point->function != NULL)
        return is_called(function, point->function) && place->instruction == body_of(function);
    if (point->file != NULL && !is_same_file(place->file, point->file)) return false;
    return begins_line(function, place->instruction, line_in(function, point->line));
}

static void fill_code(Debug *debug, uint32_t pc, DebugCode *code) {
    const GpuPlace place = gpu_place(debug->device->gpu, pc);
    code->known = true;
    /* What puts parameters away has no column, and is nothing that anybody wrote. */
    bool written = is_own(&place) && place.column > 0;
    code->library = gpu_is_in_library(debug->device->gpu, pc) || !written;
    if (code->library) return;
    code->file = place.file;
    code->line = place.line;
    code->points = 0;
    for (unsigned i = 0; i < DEBUG_POINTS; i++)
        if (stands_at(&debug->points[i], &place)) code->points |= UINT64_C(1) << i;
}

const DebugCode *stops_code(Debug *debug, uint32_t pc) {
    static const DebugCode nothing = {.library = true};
    while (debug->codes.count <= pc) {
        DebugCode *code = growable_add(&debug->codes);
        if (code == NULL) return &nothing;
        *code = (DebugCode){0};
    }
    DebugCode *code = GROWABLE_AT(&debug->codes, DebugCode, pc);
    if (!code->known) fill_code(debug, pc, code);
    return code;
}

void stops_forget(Debug *debug) {
    debug->codes.count = 0;
}

int stops_line(Debug *debug, const DebugPoint *point) {
    for (const DeviceModule *module = debug->device->objects.modules; module != NULL; module = module->next) {
        const PtxModule *ptx = module->ptx;
        for (uint32_t i = 0; ptx != NULL && i < ptx->function_count; i++) {
            const PtxFunction *function = ptx->functions[i];
            bool known = function->declared_file >= 0 && (uint32_t)function->declared_file < ptx->file_count;
            if (!known || headers_are(ptx->files[function->declared_file])) continue;
            if (point->file != NULL && !is_same_file(ptx->files[function->declared_file], point->file))
                continue;
            const PtxInstruction *body = body_of(function);
            bool same = point->function != NULL && is_called(function, point->function);
            int line = 0;
            if (same && body != NULL) line = body->line;
            if (point->function == NULL) line = line_in(function, point->line);
            if (line > 0) return line;
        }
    }
    return 0;
}

/* ---- stopping ---- */

void stops_here(Debug *debug, const char *reason) {
    debug->reason = reason;
    debug->aim.arriving = false;
    commands_answer(debug, reason);
}

static bool is_replay(const Debug *debug) {
    return debug->aim.seeking || debug->aim.go == GO_step;
}

static void note_match(Debug *debug, uint64_t block, uint64_t thread) {
    debug->aim.matched = true;
    debug->aim.match = debug->step;
    debug->aim.match_change = debug->change;
    debug->aim.match_block = block;
    debug->aim.match_thread = thread;
}

/** Something that stops a run has come about. */
static void stop_for(Debug *debug, const char *reason) {
    if (debug->aim.seeking) {
        if (debug->aim.go == GO_stop) note_match(debug, debug->block, debug->thread);
        return;
    }
    if (!is_replay(debug)) stops_here(debug, reason);
}

/** Whether a run to a moment is there, or behind it, where something has come in another order. */
static bool is_there(const Debug *debug) {
    const DebugAim *aim = &debug->aim;
    if (!is_replay(debug)) return false;
    return debug->step > aim->step || (debug->step == aim->step && debug->change >= aim->change);
}

/** The run was to come here. One that comes back to a stop then stops by itself, with its reason; whoever
 * looks for nothing else stops at once. True: it has stopped. */
static bool arrive(Debug *debug) {
    if (!is_there(debug)) return false;
    if (!debug->aim.seeking) {
        debug->block = debug->aim.match_block;
        debug->thread = debug->aim.match_thread;
    }
    if (debug->aim.seeking || !debug->aim.natural) {
        stops_here(debug, "arrived");
        return true;
    }
    debug->aim = (DebugAim){.go = GO_stop, .arriving = true};
    return false;
}

/** What should have stopped here did not. */
static void arrive_at_last(Debug *debug) {
    if (debug->aim.arriving) stops_here(debug, "arrived");
}

/* ---- threads and lines ---- */

static uint64_t thread_of(const GpuWarp *warp, unsigned lane) {
    return (uint64_t)GPU_WARP_LANES * gpu_warp_index(warp) + lane;
}

static bool in_focus(const Debug *debug, const GpuStepping *step) {
    const uint64_t warp = debug->thread / GPU_WARP_LANES;
    return gpu_warp_index(step->warp) == warp && gpu_block_linear(gpu_warp_block(step->warp)) == debug->block;
}

static bool has_focus(const Debug *debug, const GpuStepping *step) {
    return in_focus(debug, step) && (step->lanes >> (debug->thread % GPU_WARP_LANES) & 1) != 0;
}

/** Whether the thread comes to another line with this instruction. Coming back from a function is not coming
 * to a line: it goes on amid the one with the call. */
static bool begins_other_line(Debug *debug, const GpuStepping *step, const DebugCode *code) {
    const DebugLine last = debug->last;
    if (code->library) return false;
    debug->last = (DebugLine){code->file, code->line, step->depth};
    if (last.line == 0) return true;
    if (step->depth < last.depth) return false;
    return code->line != last.line || step->depth != last.depth || strcmp(code->file, last.file) != 0;
}

void stops_begin(Debug *debug) {
    unsigned lane;
    GpuLaneFrame frames[DEEPEST_CALL];
    const GpuWarp *warp = look_warp(debug, &lane);
    unsigned count = 0;
    if (warp != NULL) count = gpu_lane_frames(warp, lane, frames, DEEPEST_CALL);
    if (count > 0)
        debug->aim.depth = count - 1;
    else
        debug->aim.depth = 0;
    if (count == 0) {
        debug->last = (DebugLine){0};
        return;
    }
    const DebugCode *code = stops_code(debug, frames[0].pc);
    if (!code->library) debug->last = (DebugLine){code->file, code->line, count - 1};
}

/** The thread's own reasons to stop, by what was asked for. */
static bool thread_arrives(Debug *debug, const GpuStepping *step, const DebugCode *code) {
    if (!in_focus(debug, step)) return false;
    if (debug->aim.go == GO_warp) return begins_other_line(debug, step, code);
    if (!has_focus(debug, step)) return false;
    const bool other = begins_other_line(debug, step, code);
    switch (debug->aim.go) {
    case GO_instruction:
        return true;
    case GO_line:
        return other && (debug->aim.line == 0 || code->line == debug->aim.line);
    case GO_next:
        return other && step->depth <= debug->aim.depth;
    case GO_finish:
        return step->depth < debug->aim.depth && !code->library;
    case GO_stop:
    case GO_step:
    case GO_warp:
    case GO_barrier:
    case GO_COUNT:
        break;
    }
    return false;
}

/* ---- breakpoints ---- */

static bool same_dim(GpuDim a, GpuDim b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/** Whether the breakpoint holds for the lane. A condition that cannot be computed is told, once. */
static bool holds_for(Debug *debug, DebugPoint *point, const GpuStepping *step, unsigned lane) {
    const GpuBlock *block = gpu_warp_block(step->warp);
    if (point->has_block && !same_dim(point->block, gpu_block_index(block))) return false;
    if (point->has_thread &&
        !same_dim(point->thread, gpu_thread_index(block, (uint32_t)thread_of(step->warp, lane))))
        return false;
    if (point->condition == NULL) return true;
    Arena *arena = arena_create();
    Scene scene;
    if (arena == NULL) return false;
    bool holds = scene_open(&scene, arena, step->warp, lane) && expression_holds(&scene, point->condition);
    if (scene.error != NULL) {
        text_clear(&debug->message);
        if (!is_replay(debug))
            text_format(&debug->message, "the condition %s: %s", point->condition, scene.error);
        point->condition = NULL;
        holds = true;
    }
    arena_destroy(arena);
    return holds;
}

/** The lane of the step that the breakpoint holds for: the one that is looked at, or the lowest. -1: none. */
static int hit_lane(Debug *debug, DebugPoint *point, const GpuStepping *step) {
    const unsigned own = (unsigned)(debug->thread % GPU_WARP_LANES);
    if (has_focus(debug, step) && holds_for(debug, point, step, own)) return (int)own;
    for (uint32_t left = step->lanes; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (holds_for(debug, point, step, lane)) return (int)lane;
    }
    return -1;
}

static void look_at(Debug *debug, const GpuWarp *warp, unsigned lane) {
    debug->block = gpu_block_linear(gpu_warp_block(warp));
    debug->thread = thread_of(warp, lane);
}

static bool breakpoint_hit(Debug *debug, const GpuStepping *step, const DebugCode *code) {
    for (uint64_t left = code->points; left != 0; left &= left - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(left);
        DebugPoint *point = &debug->points[number];
        const int lane = hit_lane(debug, point, step);
        if (lane < 0 || (point->wanted > 0 && debug->step < point->since)) continue;
        if (++point->hits < point->wanted) continue;
        debug->point = number + 1;
        if (!is_replay(debug)) look_at(debug, step->warp, (unsigned)lane);
        debug->hit_block = gpu_block_linear(gpu_warp_block(step->warp));
        debug->hit_thread = thread_of(step->warp, (unsigned)lane);
        return true;
    }
    return false;
}

/* ---- events ---- */

static void note_thread(Debug *debug, const GpuStepping *step, const DebugCode *code) {
    if (!thread_arrives(debug, step, code)) return;
    if (debug->aim.seeking)
        note_match(debug, debug->block, debug->thread);
    else
        stops_here(debug, debug->aim.go == GO_finish ? "finished" : "step");
}

/** The message, and a thread that wrote is looked at: the way back from there leads to the line that did. */
static void tell_change(Debug *debug, const GpuStepping *writer) {
    watches_say(debug, debug->changed, writer);
    if (writer->warp == NULL || writer->lanes == 0) return;
    const uint32_t lanes = watches_writers(debug, debug->changed, writer);
    bool own = in_focus(debug, writer) && (lanes >> (debug->thread % GPU_WARP_LANES) & 1) != 0;
    if (!own) look_at(debug, writer->warp, (unsigned)__builtin_ctz(lanes));
}

/** Before each instruction. Breakpoints come first, then the thread's own lines; one stop is enough. */
static void on_step(void *self, const GpuStepping *step) {
    Debug *debug = self;
    const GpuStepping before = debug->now;
    const DebugCode *code = stops_code(debug, step->pc);
    debug->step++;
    debug->change = 0;
    debug->now = *step;
    if (arrive(debug)) return;
    watches_begin_step(debug, step);
    const uint64_t now = debug->step;
    const uint64_t changed = watches_changed(debug, step);
    debug->changed = changed;
    debug->point = 0;
    bool hit = code->points != 0 && breakpoint_hit(debug, step, code);
    if (changed != 0 && !is_replay(debug)) tell_change(debug, &before);
    if (hit && debug->aim.seeking && debug->aim.go == GO_stop)
        note_match(debug, debug->hit_block, debug->hit_thread);
    else if (hit || changed != 0)
        stop_for(debug, changed != 0 ? "changed" : "breakpoint");
    if (debug->barrier && in_focus(debug, step)) {
        debug->barrier = false;
        if (debug->aim.seeking)
            note_match(debug, debug->block, debug->thread);
        else
            stops_here(debug, "barrier");
    } else if (!(hit || changed != 0) || is_replay(debug)) {
        note_thread(debug, step, code);
    }
    arrive_at_last(debug);
    if (now % ASK_EVERY == 0 && commands_asked(debug)) stops_here(debug, "interrupted");
}

/** Between two instructions, or amid one. */
static void count_change(Debug *debug) {
    debug->change++;
    arrive(debug);
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Debug *debug = self;
    debug->launch = launch;
    debug->first_step = debug->step + 1;
    debug->now = (GpuStepping){0};
    count_change(debug);
    if (debug->launches) stop_for(debug, "launch");
    arrive_at_last(debug);
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Debug *debug = self;
    (void)launch;
    (void)status;
    debug->launch = NULL;
    debug->now = (GpuStepping){0};
    debug->barrier = false;
}

static void on_block_end(void *self, const GpuBlock *block) {
    Debug *debug = self;
    watches_end_block(debug, block);
    debug->now = (GpuStepping){0};
    bool own = gpu_block_linear(block) == debug->block;
    bool stepping = debug->aim.go != GO_stop && !is_replay(debug);
    if (own && stepping) stops_here(debug, "thread-ended");
}

static void on_barrier(void *self, const GpuBarrier *barrier) {
    Debug *debug = self;
    bool own = gpu_block_linear(barrier->block) == debug->block;
    if (own && debug->aim.go == GO_barrier) debug->barrier = true;
}

static void on_access(void *self, const GpuAccess *access) {
    watches_note(self, access);
}

void stops_attach(Debug *debug) {
    gpu_set_stepper(debug->device->gpu, on_step, debug);
    gpu_attach(debug->device->gpu, &(GpuObserver){.self = debug,
                                                  .launch_begin = on_launch_begin,
                                                  .launch_end = on_launch_end,
                                                  .block_end = on_block_end,
                                                  .access = on_access,
                                                  .barrier = on_barrier});
}

/* ---- findings and failed calls ---- */

static bool kind_is_wanted(const Debug *debug, const char *name) {
    if (debug->kinds == NULL) return true;
    const char *at = strstr(debug->kinds, name);
    const size_t length = strlen(name);
    while (at != NULL &&
           !((at == debug->kinds || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')))
        at = strstr(at + 1, name);
    return at != NULL;
}

static json_object *party_json(const CheckParty *party) {
    json_object *out = json_object_new_object();
    json_put_text(out, "what", party->what);
    json_put_text(out, "file", party->place.file);
    json_put_number(out, "line", party->place.line);
    if (!party->has_thread) return out;
    json_object_object_add(out, "block", look_dim(party->block));
    json_object_object_add(out, "thread", look_dim(party->thread));
    return out;
}

static uint64_t linear_of(GpuDim at, GpuDim extent) {
    return at.x + (uint64_t)extent.x * (at.y + (uint64_t)extent.y * at.z);
}

/** Whether the party is in the warp that executes now. */
static bool is_executing(const Debug *debug, const CheckParty *party) {
    const GpuWarp *warp = debug->now.warp;
    if (warp == NULL || debug->launch == NULL || !party->has_thread) return false;
    const GpuLaunchSpec *spec = &debug->launch->spec;
    return linear_of(party->block, spec->grid) == gpu_block_linear(gpu_warp_block(warp)) &&
           linear_of(party->thread, spec->block) / GPU_WARP_LANES == gpu_warp_index(warp);
}

static json_object *finding_json(const CheckFinding *finding, const CheckParty *here,
                                 const CheckParty *other) {
    json_object *about = json_object_new_object();
    json_put_text(about, "kind", finding_info(finding->kind)->name);
    json_put_text(about, "message", finding->message);
    json_put_text(about, "explanation", finding->explanation);
    json_object_object_add(about, "party", party_json(here));
    if (other->has_thread) json_object_object_add(about, "other", party_json(other));
    return about;
}

/** The run stops where it is: with the party that executes, whichever of the two the finding names first. */
static void stop_at_finding(Debug *debug, const CheckFinding *finding) {
    const bool turned = !is_executing(debug, &finding->party) && is_executing(debug, &finding->other);
    const CheckParty *here;
    if (turned)
        here = &finding->other;
    else
        here = &finding->party;
    const CheckParty *other;
    if (turned)
        other = &finding->party;
    else
        other = &finding->other;
    if (debug->launch != NULL && here->has_thread) {
        debug->block = linear_of(here->block, debug->launch->spec.grid);
        debug->thread = linear_of(here->thread, debug->launch->spec.block);
    }
    text_clear(&debug->message);
    text_format(&debug->message, "%s: %s", finding_info(finding->kind)->name, finding->message);
    debug->about = finding_json(finding, here, other);
    stops_here(debug, "finding");
    json_object_put(debug->about);
    debug->about = NULL;
}

void debug_found(void *self, const CheckFinding *finding) {
    Debug *debug = self;
    bool note = finding->severity == FINDING_NOTE && debug->kinds == NULL;
    count_change(debug);
    bool wanted = debug->findings && !note && kind_is_wanted(debug, finding_info(finding->kind)->name);
    if (wanted && is_replay(debug))
        stop_for(debug, "finding");
    else if (wanted)
        stop_at_finding(debug, finding);
    arrive_at_last(debug);
}

void debug_failed(Debug *debug, const char *function, const char *error) {
    count_change(debug);
    if (debug->errors && !is_replay(debug)) {
        text_clear(&debug->message);
        text_format(&debug->message, "%s returns %s", function, error);
    }
    if (debug->errors) stop_for(debug, "error");
    arrive_at_last(debug);
}

void debug_ended(Debug *debug) {
    debug->ended = true;
    debug->launch = NULL;
    debug->now = (GpuStepping){0};
    stops_here(debug, "ended");
}
