/* test_hub.c - what a hub believes of the processes that connect to it: any of them may ask for a device, and
 * only a launcher says how its program has ended, once.
 */
#include "client.h"
#include "cudart/hub.h"
#include "device/command/hub.h"

#include <stdio.h>
#include <sys/un.h>

typedef struct Hub {
    char name[HUB_NAME_BYTES];
    int control, results;
    pid_t process;
} Hub;

static void hub_begin(Hub *hub) {
    static const LauncherOptions options = {.device.memory_bytes = 16 << 20};
    int ends[2];
    snprintf(hub->name, sizeof hub->name, "warpgrind-test-hub-%d", (int)getpid());
    hub->results = memfd_create("results", 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const HubPlan plan = {.options = &options,
                          .listener = hub_listen(hub->name),
                          .control = ends[0],
                          .results = hub->results,
                          .elsewhere = -1};
    assert_true(plan.listener >= 0);
    hub->process = hub_start(&plan);
    assert_true(hub->process > 0);
    hub->control = ends[1];
    close(ends[0]);
    close(plan.listener);
}

/** The reports of all that have joined. */
static struct json_object *hub_end(Hub *hub) {
    static char text[1 << 20];
    int status = 0;
    close(hub->control);
    waitpid(hub->process, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(pread(hub->results, text, sizeof text - 1, 0) > 0);
    close(hub->results);
    return json_tokener_parse(text);
}

static void say(int connection, HubKind kind, int32_t status) {
    const HubRequest asked = {.magic = HUB_MAGIC, .kind = (uint32_t)kind, .rank.rank = -1, .status = status};
    assert_int_equal(send(connection, &asked, sizeof asked, MSG_NOSIGNAL), (int)sizeof asked);
}

/** A process that has got a device. */
static int join_as(const Hub *hub, HubKind kind, int *wire) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = strlen(hub->name);
    memcpy(address.sun_path + 1, hub->name, length);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    assert_int_equal(connect(connection, (const struct sockaddr *)&address, bytes), 0);
    say(connection, kind, 0);
    HubReply reply;
    assert_true(passing_receive(connection, &reply, sizeof reply, wire));
    assert_int_equal(reply.magic, HUB_MAGIC);
    assert_true(reply.device > 0);
    return connection;
}

/** What the only report says of the end of the process, which has told how it did. */
static char *ended_of(HubKind kind) {
    Hub hub;
    int wire;
    hub_begin(&hub);
    int connection = join_as(&hub, kind, &wire);
    close(wire);
    say(connection, HUB_END, 5 << 8);
    struct json_object *reports = hub_end(&hub);
    assert_int_equal(json_object_array_length(reports), 1);
    struct json_object *report = json_object_array_get_idx(reports, 0);
    char *ended = NULL;
    assert_true(asprintf(&ended, "%s %d", json_text(report, "ended", "-"),
                         (int)json_number(report, "exit_status", -1)) > 0);
    close(connection);
    json_object_put(reports);
    return ended;
}

static void only_a_launcher_says_how_it_ended(void **state) {
    (void)state;
    char *launcher = ended_of(HUB_JOIN), *process = ended_of(HUB_PROCESS);
    assert_string_equal(launcher, "exit 5");
    assert_string_not_equal(process, "exit 5");
    free(launcher);
    free(process);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_a_launcher_says_how_it_ended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
