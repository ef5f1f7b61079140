/* libraries.c - what is found in the code of CUB, Thrust and libcu++ alone, which the program only calls.
 *
 * A learner can mend nothing there, so an error all of whose places lie in a library's headers becomes a note
 * when it cannot come from what the program gave to the library:
 *   - a local variable of the library's function that was never given a value, and used in the library;
 *   - a write over what another block read before, in a kernel of the library's that works in place: the
 *     program gave one range for both, and the writer had looked at a flag. thrust::unique's blocks wait for
 *     each other by relaxed stores without a fence: by the letter a race, but what a block writes is made of
 *     what the others read.
 * Everything else stays an error: ranges that overlap, a functor, storage used twice without a barrier. Notes
 * on library lines alone are left out.
 *
 * cuBLAS comes without sources (cublas/rules.mk): what its kernels do wrong stands at the line that called
 * it.
 *
 * Files are what debug information says, and names what the program says. So none of this happens in a run
 * that is judged (CheckOptions.libraries).
 */
#include "base/headers.h"
#include "check/findings/parts.h"
#include "check/texts.h"

#include <string.h>

/** A library: the namespace in a kernel's mangled name, and the folder of its headers. */
static const struct {
    const char *space, *folder;
} libraries[] = {
    {"3cub", "/cub/"},
    {"6thrust", "/thrust/"},
    {"4cuda", "/cuda/"},
};

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/** Headers of a library lie in a folder of its name, below one of headers. */
static bool in_headers(const char *file) {
    const char *include = NULL;
    if (file) include = strstr(file, "/include/");
    if (!include) return false;
    for (unsigned i = 0; i < LIBRARIES; i++)
        if (strstr(include, libraries[i].folder) != NULL) return true;
    return false;
}

static bool is_place(const CheckPlace *place) {
    return place->line > 0 && in_headers(place->file);
}

static bool is_place_or_none(const CheckPlace *place) {
    return place->line == 0 || in_headers(place->file);
}

/** A kernel template in a library's namespace. */
static bool is_kernel(const GpuLaunch *launch) {
    const PtxFunction *kernel = NULL;
    if (launch) kernel = gpu_kernel_function(launch->spec.kernel);
    if (!kernel || strncmp(kernel->name, "_ZN", 3) != 0) return false;
    for (unsigned i = 0; i < LIBRARIES; i++)
        if (strncmp(kernel->name + 3, libraries[i].space, strlen(libraries[i].space)) == 0) return true;
    return false;
}

static bool is_library_alone(const CheckFinding *finding) {
    return is_place(&finding->party.place) && is_place_or_none(&finding->other.place);
}

static bool is_own_variable(const CheckFinding *finding) {
    return finding->kind == FINDING_UNINITIALIZED_READ && finding->array.space &&
           strcmp(finding->array.space, "local") == 0 && is_place(&finding->array.declared);
}

bool libraries_silence(const Check *check, const CheckFinding *finding) {
    if (check->called && finding->severity == FINDING_NOTE && finding->kind != FINDING_LIMIT) return true;
    return check->options.libraries && finding->severity == FINDING_NOTE && finding->kind != FINDING_LIMIT &&
           !finding->of_library && is_library_alone(finding) && is_place_or_none(&finding->array.declared);
}

void libraries_soften(Check *check, CheckFinding *finding) {
    if (!check->options.libraries || finding->severity != FINDING_ERROR || !is_library_alone(finding)) return;
    if (!is_own_variable(finding) && !finding->in_place) return;
    const LibraryFacts facts = {.told = finding->message};
    const char *message = check_said(check, &texts_library, LIBRARY_MESSAGE, &facts);
    if (!message) return;
    finding->message = message;
    finding->severity = FINDING_NOTE;
    finding->of_library = true;
    finding->explanation = check_said(check, &texts_library, LIBRARY_WHY, &facts);
}

/* What goes wrong in a function of CUB or Thrust is told at the program's line that called it, and the line
 * in the library's header only besides. */
void libraries_name_call(Check *check, CheckFinding *finding) {
    if (!check->options.libraries || !check->launch || finding->launch != check->launch->id) return;
    if (!headers_of_library(text_or(finding->party.place.file, ""))) return;
    const CheckPlace call = check_place_of_launch(check, check->launch);
    if (call.line <= 0 || headers_of_library(call.file)) return;
    if (finding->other.place.line <= 0) finding->other = finding->party;
    finding->party = (CheckParty){.place = call, .what = "call"};
}

/* ---- a library without sources ---- */

/* The folder that its debug information names. */
static bool in_closed(const char *file) {
    static const char folder[] = "/libcublas/";
    return strncmp(file, folder, strlen(folder)) == 0;
}

/* The first instruction that has a line says whose the kernel is. */
static bool is_closed(const GpuKernel *kernel, const PtxFunction *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        GpuPlace place = gpu_kernel_place(kernel, &function->instructions[i]);
        if (place.line > 0) return in_closed(place.file);
    }
    return false;
}

/* The kernel's own entry, or a free one; the oldest is none, since a library has fewer kernels. */
static LibraryCall *call_entry(Check *check, const PtxFunction *kernel) {
    for (unsigned i = 0; i < CHECK_LIBRARY_KERNELS; i++)
        if (!check->library[i].kernel || check->library[i].kernel == kernel) return &check->library[i];
    return NULL;
}

void libraries_launch(Check *check, const GpuLaunch *launch) {
    const PtxFunction *kernel = gpu_kernel_function(launch->spec.kernel);
    check->called = NULL;
    if (!check->options.libraries || !is_closed(launch->spec.kernel, kernel)) return;
    LibraryCall *entry = call_entry(check, kernel);
    if (!entry) return;
    *entry = (LibraryCall){kernel, launch->spec.site, check_place_of_launch(check, launch)};
    check->called = entry;
}

/* LIMIT: of a launch that has ended, the last call that used its kernel. */
CheckPlace libraries_place(const Check *check, const PtxFunction *kernel, CheckPlace place) {
    if (!check->options.libraries || !in_closed(place.file)) return place;
    for (unsigned i = 0; i < CHECK_LIBRARY_KERNELS && check->library[i].kernel; i++)
        if (check->library[i].kernel == kernel) return check->library[i].place;
    return place;
}

bool check_in_library(const Check *check, uint32_t pc) {
    return check->options.libraries && in_closed(gpu_place(check->gpu, pc).file);
}

/* What the program can mend of a library's kernel is the call: that is the second place of what goes wrong in
 * a function that the call was given. */
static void advise_caller(Check *check, CheckFinding *finding) {
    const CheckPlace call = check_place_of_launch(check, check->launch);
    const bool given = !headers_of_library(text_or(finding->party.place.file, ""));
    if (given && call.line > 0 && !in_headers(call.file) && finding->other.place.line == 0)
        finding->other = (CheckParty){.place = call, .what = "launch"};
    if (finding->kind == FINDING_OUT_OF_BOUNDS) finding->explanation = plain_called(CALLED_TOO_FAR);
}

void libraries_advise(Check *check, CheckFinding *finding) {
    if (finding->severity != FINDING_ERROR) return;
    if (check->options.libraries && finding->party.has_thread && is_kernel(check->launch))
        advise_caller(check, finding);
    if (!check->called) return;
    if (finding->kind == FINDING_OUT_OF_BOUNDS) finding->explanation = plain_called(CALLED_OUTSIDE);
    if (finding->kind == FINDING_GLOBAL_RACE) finding->explanation = plain_called(CALLED_OVERLAP);
}

/* ---- a kernel that works in place ---- */

static bool points_into(const GpuAllocation *allocation, uint64_t value) {
    return value >= allocation->address && value - allocation->address <= allocation->bytes;
}

/** All that the kernel was given of the allocation is one address. */
static bool is_given_once(const GpuLaunch *launch, const GpuAllocation *allocation) {
    const PtxFunction *kernel = gpu_kernel_function(launch->spec.kernel);
    uint64_t value, only = 0;
    if (!kernel || !launch->spec.parameters) return false;
    for (size_t at = 0; at + sizeof value <= kernel->parameter_bytes; at += sizeof value) {
        memcpy(&value, (const uint8_t *)launch->spec.parameters + at, sizeof value);
        if (!points_into(allocation, value)) continue;
        if (only != 0 && value != only) return false;
        only = value;
    }
    return only != 0;
}

bool libraries_in_place(const Check *check, const GpuLaunch *launch, const GpuAllocation *allocation) {
    return check->options.libraries && allocation && is_kernel(launch) && is_given_once(launch, allocation);
}
