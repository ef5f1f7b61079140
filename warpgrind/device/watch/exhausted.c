/* exhausted.c - see exhausted.h. */
#include "device/watch/exhausted.h"
#include "device/options.h"
#include "device/state/complain.h"
#include "device/state/names.h"

void exhausted_note(Device *device, uint64_t bytes) {
    DeviceExhausted *first = &device->exhausted;
    if (first->asked != 0) return;
    *first = (DeviceExhausted){.asked = bytes,
                               .used = gpu_memory_used(device->gpu),
                               .function = device->serving.request->function,
                               .site = device->serving.site,
                               .mark = device->program.mark};
}

/** Nobody took what the call returned, nor asked for the error later. */
static bool nobody_looked(const Device *device) {
    for (unsigned i = 0; i < device->errors.unchecked_count; i++) {
        const DeviceUnchecked *call = &device->errors.unchecked[i];
        if (call->site == device->exhausted.site && call->error == CUDA_OUT_OF_MEMORY) return true;
    }
    return false;
}

/** What --memory must be given, a power of two as cards have it; 0: no number is enough. */
static uint64_t enough_mib(const DeviceExhausted *first) {
    uint64_t mib = 1024, needed = (first->asked >> 20) + (first->used >> 20) + 2;
    while (mib < needed && mib < GPU_GLOBAL_SPAN >> 20)
        mib *= 2;
    if (mib >= needed) return mib;
    return 0;
}

void exhausted_report(Device *device) {
    const DeviceExhausted *first = &device->exhausted;
    if (first->asked == 0) return;
    bool ignored = nobody_looked(device);
    bool failed = device->program.crashed || (device->program.goodbye && device->program.exit_status != 0);
    if (!ignored && !failed) return;
    CheckFinding finding = {.kind = FINDING_LIMIT,
                            .severity = ignored ? FINDING_ERROR : FINDING_NOTE,
                            .party = {.what = "allocate"},
                            .mark = first->mark,
                            .count = 1};
    symbols_place(device->symbols, first->site, &finding.party.place);
    complain_finding(device, &finding,
                     SAID_CALL(NO_MEMORY, .function = names_function(first->function),
                               .asked = first->asked >> 20, .memory = options_memory(&device->options) >> 20,
                               .used = first->used >> 20, .judged = device->options.judged,
                               .enough = enough_mib(first)));
}
