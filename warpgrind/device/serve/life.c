/* life.c - a device from its creation to its report: the machine, its checks, and all that watch them. */
#include "device/debug/debug.h"
#include "device/process/halt.h"
#include "device/record/calls.h"
#include "device/record/picture.h"
#include "device/record/picture_streams.h"
#include "device/record/sent.h"
#include "device/record/timeline.h"
#include "device/record/trace.h"
#include "device/state/devices.h"
#include "device/state/state.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/streams/streams.h"
#include "device/watch/hostside.h"
#include "device/watch/order.h"
#include "device/watch/pitched.h"
#include "device/watch/unread.h"
#include "device/watch/withhold.h"

#include <errno.h>
#include <string.h>
/** As CheckFound. */
static void tell_found(void *self, const CheckFinding *finding) {
    Device *device = self;
    if (device->trace != NULL) trace_found(device, finding);
    if (device->picture != NULL) picture_found(device->picture, finding);
    if (device->picture_streams != NULL) picture_streams_found(device, finding);
    if (device->debug != NULL) debug_found(device->debug, finding);
}

static void tell_found_again(void *self, const CheckFinding *finding) {
    const Device *device = self;
    if (device->picture != NULL) picture_found_again(device->picture, finding);
}

/** Names with commas between, "all" and "none" among them; main.c has checked that they are no others. */
static CheckOptions check_options(Device *device) {
    CheckOptions options = check_default_options();
    const char *list = device->options.checks;
    if (list != NULL && strstr(list, "all") == NULL) {
        options.memory = strstr(list, "memory") != NULL;
        options.initialisation = strstr(list, "initialisation") != NULL;
        options.races = strstr(list, "races") != NULL;
        options.synchronisation = strstr(list, "synchronisation") != NULL;
        options.counters = strstr(list, "counters") != NULL;
        options.notes = strstr(list, "notes") != NULL;
    }
    options.lines = device->options.lines;
    options.libraries = options.stops = !device->options.judged;
    options.host_place = symbols_place;
    options.host_element = symbols_element;
    options.rows = pitched_rows;
    options.rows_self = device;
    options.host_place_self = device->symbols;
    if (device->options.trace > 0 || device->options.picture || device->options.debug > 0)
        options.found = tell_found;
    if (device->options.picture) options.found_again = tell_found_again;
    options.found_self = device;
    return options;
}

static bool picture_begin(Device *device) {
    device->picture = picture_create(device);
    device->picture_streams = picture_streams_create();
    return device->picture != NULL && device->picture_streams != NULL;
}

static bool create_machine(Device *device) {
    const DeviceOptions *options = &device->options;
    device->symbols = symbols_open(options->program);
    if (device->symbols == NULL) return false;
    CheckOptions checks = check_options(device);
    const volatile int *halt = halt_watch();
    if (halt == NULL) return false;
    device->halt = halt;
    bool has_one_order = options->trace > 0 || options->picture || options->debug > 0;
    GpuConfig config = {.seed = options->seed,
                        .memory_bytes = options_memory(options),
                        .step_budget = options->steps,
                        .track_undefined = check_follows_values(&checks),
                        /* a trace, a picture or a debugger is of one order: launches are not divided */
                        .threads = has_one_order ? 1 : options->threads,
                        .divide_from = options->divide_from,
                        .parts = devices_count(device),
                        .lanes_apart = withhold_names(device, "exchange"),
                        .products_lost = withhold_names(device, "matrix"),
                        .copies_lost = withhold_names(device, "copies"),
                        .halt = halt};
    device->gpu = gpu_create(&config);
    if (device->gpu == NULL) return false;
    device->check = check_create(device->gpu, &checks);
    if (device->check == NULL) return false;
    if (options->sent > 0 && (device->sent = sent_create()) == NULL) return false;
    device->timeline = timeline_create(device);
    if (device->timeline == NULL) return false;
    if (checks.notes && !unread_watch(device)) return false;
    if (!options->recheck && !options->judged) gpu_allow_repeats(device->gpu);
    if (!withhold_watch(device)) return false;
    devices_watch(device); /* before the picture, so that its finding is about the access that comes now */
    if (options->picture && !picture_begin(device)) return false;
    if (options->debug > 0 && (device->debug = debug_create(device, options->debug)) == NULL) return false;
    if (options->trace == 0) return true;
    device->trace = trace_create(device, options->trace, options->trace_blocks);
    return device->trace != NULL;
}

/** Whatever fails leaves nothing behind; errno survives the clearing up. */
Device *device_create(const DeviceOptions *options, int socket) {
    Arena *arena = arena_create();
    Device *device = NULL;
    if (arena != NULL) device = ARENA_NEW(arena, Device);
    if (device == NULL) {
        arena_destroy(arena);
        errno = ENOMEM;
        return NULL;
    }
    device->arena = arena;
    device->options = *options;
    device->program.mark = "";
    device->card = cards_find(options->card);
    device->program.toolkit = DEVICE_NEWEST_TOOLKIT;
    device->order = order_create();
    device->objects.next_handle = 0x1000;
    if (device->order == NULL || !link_open(&device->link, socket, options->memory_bytes) ||
        !create_machine(device)) {
        int error = ENOMEM;
        if (errno != 0) error = errno;
        device_destroy(device);
        errno = error;
        return NULL;
    }
    streams_create(device);
    return device;
}

void device_destroy(Device *device) {
    if (device == NULL) return;
    queue_drop_all(device);
    graph_destroy_all(device);
    for (DeviceShared *shared = device->objects.shared; shared != NULL; shared = shared->next)
        hostside_end(shared);
    debug_destroy(device->debug);
    trace_destroy(device->trace);
    picture_destroy(device->picture);
    picture_streams_destroy(device->picture_streams);
    sent_destroy(device->sent);
    timeline_destroy(device->timeline);
    if (device->check != NULL) check_destroy(device->check);
    if (device->gpu != NULL) gpu_destroy(device->gpu); /* looks into the modules' PTX to the end */
    for (DeviceModule *module = device->objects.modules, *next; module != NULL; module = next) {
        next = module->next; /* the module is in its own arena */
        arena_destroy(module->arena);
    }
    order_destroy(device->order);
    unread_destroy(device->unread);
    symbols_close(device->symbols);
    link_close(&device->link);
    arena_destroy(device->arena);
}

/** Whose code set the last mark is what a judge asks of a program that says it has ended. */
static struct json_object *last_mark_json(const Device *device) {
    CheckPlace place = {.file = ""};
    symbols_place(device->symbols, device->program.mark_site, &place);
    struct json_object *mark = json_object_new_object();
    json_put_text(mark, "text", device->program.mark);
    json_put_number(mark, "address", (int64_t)place.address);
    return mark;
}

/** The report's head is the device's, the rest is put together by the checks. */
struct json_object *device_report(const Device *device) {
    struct json_object *header = json_object_new_object();
    const char *program = device->options.program;
    json_object_object_add(header, "program", json_object_new_string(text_or(program, "")));
    json_put_number(header, "seed", (int64_t)device->options.seed);
    json_put_text(header, "card", device->card->name);
    json_put_text(header, "ended", "closed");
    if (device->program.goodbye) json_put_number(header, "exit_status", device->program.exit_status);
    json_object_object_add(header, "last_mark", last_mark_json(device));
    json_put_number(header, "threads_total", (int64_t)device->program.threads);
    if (device->options.threads > 1 && device->options.tell_divided)
        json_put_number(header, "divided_launches", (int64_t)gpu_divided(device->gpu));
    json_put_number(header, "output_dropped", (int64_t)device->program.output_dropped);
    json_object_object_add(header, "timeline", timeline_json(device->timeline));
    if (device->withhold != NULL) json_put_number(header, "withheld", (int64_t)withhold_count(device));
    json_object_object_add(header, "calls", calls_json(device));
    json_put_number(header, "calls_total", (int64_t)device->calls.total);
    if (device->trace != NULL) json_object_object_add(header, "trace", trace_summary(device->trace));
    if (device->picture != NULL) json_object_object_add(header, "picture", picture_json(device->picture));
    check_settle(device->check);
    struct json_object *report = check_report_json(device->check, header);
    json_object_put(header);
    return report;
}
