/* client.c - the session: connecting to the device, and carrying one call at a time.
 *
 * Calls of all host threads go through one mutex: the device is one processor with one queue of messages.
 * While a call is under way the device may ask for host memory (PULL), deliver some (PUSH), print, or have a
 * host function called.
 */
#include "cudart/client.h"
#include "cudart/hub.h"
#include "cudart/passing.h"
#include "cudart/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

Session client_session = {.mutex = PTHREAD_MUTEX_INITIALIZER, .socket = -1, .window_file = -1};
static _Thread_local uint32_t thread_number;
static _Thread_local bool in_callback;

/* ---- bytes ---- */

static bool send_all(const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count > 0) {
        ssize_t sent = send(client_session.socket, at, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

static bool receive_all(void *bytes, size_t count) {
    uint8_t *at = bytes;
    while (count > 0) {
        ssize_t got = recv(client_session.socket, at, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

/** Request and payload leave in one system call. What the socket did not take at once follows. */
static bool send_request(const WireRequest *request, const void *payload) {
    if (request->payload_bytes == 0) return send_all(request, sizeof *request);
    struct iovec parts[2] = {{.iov_base = (void *)(uintptr_t)request, .iov_len = sizeof *request},
                             {.iov_base = (void *)(uintptr_t)payload, .iov_len = request->payload_bytes}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent;
    do
        sent = sendmsg(client_session.socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) return false;
    size_t done = (size_t)sent;
    if (done < sizeof *request) {
        if (!send_all((const uint8_t *)request + done, sizeof *request - done)) return false;
        done = sizeof *request;
    }
    done -= sizeof *request;
    return send_all((const uint8_t *)payload + done, request->payload_bytes - done);
}

/* ---- connecting ---- */

static void complain(const char *message) {
    fprintf(stderr, "libcudart (Warpgrind): %s\n", message);
}

/** The first reply carries the window. */
static bool receive_hello(WireReply *reply) {
    bool whole = passing_receive(client_session.socket, reply, sizeof *reply, &client_session.window_file);
    return whole && reply->magic == WIRE_MAGIC && reply->error == 0 && client_session.window_file >= 0;
}

/** The first request: it says where the program lies in memory. The reply carries the window, which is
 * mapped here. */
static bool say_hello(void) {
    const ClientImage *image = &client_session.image;
    const WireRequest hello = {.magic = WIRE_MAGIC,
                               .function = WIRE_HELLO,
                               .thread = 1,
                               .HELLO = {.version = WIRE_VERSION,
                                         .load_base = image->base,
                                         .text_begin = image->text_begin,
                                         .text_end = image->text_end,
                                         .process = (uint64_t)getpid(),
                                         .image_begin = image->image_begin,
                                         .image_end = image->image_end,
                                         .stack_top = image->stack_top,
                                         .toolkit = CUDART_MAJOR}};
    WireReply reply = {0};
    if (!send_request(&hello, NULL) || !receive_hello(&reply)) return false;
    void *window =
        mmap(NULL, WIRE_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, client_session.window_file, 0);
    if (window == MAP_FAILED) return false;
    client_session.window = window;
    return true;
}

static void remember_status(int status, void *unused) {
    (void)unused;
    client_session.exit_status = status;
}

/** "3", or "3,5,6": one for each rank, in their order. */
static int socket_of_rank(const char *numbers) {
    for (int32_t left = hub_rank().rank; left > 0 && strchr(numbers, ',') != NULL; left--)
        numbers = strchr(numbers, ',') + 1;
    return atoi(numbers);
}

/** Finds the device's socket and introduces the program. Without a device the program is told how to be
 * run, and every call fails. */
static void connect_to_device(void) {
    const char *number = getenv(WIRE_SOCKET_VARIABLE);
    if (number == NULL) {
        complain("this program uses the software GPU: run it as `warpgrind PROGRAM ARGUMENTS...`");
        return;
    }
    int own = client_hub_device();
    if (own >= 0)
        client_session.socket = own;
    else
        client_session.socket = socket_of_rank(number);
    if (fcntl(client_session.socket, F_SETFD, FD_CLOEXEC) != 0 || !say_hello()) {
        complain("there is no device at the socket in " WIRE_SOCKET_VARIABLE);
        return;
    }
    client_session.alive = true;
    client_session.process = getpid();
    on_exit(remember_status, NULL);
    evidence_begin(&client_session.evidence);
    client_session.watch.enabled = client_watch_crashes();
}

static bool ready(void) {
    if (!client_session.started) {
        client_session.started = true;
        client_session.image = client_find_image();
        connect_to_device();
    }
    /* A forked child shares the socket, but its calls would mix with the parent's. */
    return client_session.alive && client_session.process == getpid();
}

static uint32_t this_thread(void) {
    if (thread_number == 0)
        thread_number = __atomic_add_fetch(&client_session.last_thread, 1, __ATOMIC_RELAXED);
    return thread_number;
}

/* ---- what the device asks for ---- */

/** A copy past the end of its array dies at the first page that is not there, with what lies further up
 * whole: memcpy() may begin at the far end, where the thread's own data or a library's may lie. */
static void write_in_order(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    while (bytes > 0) {
        uint64_t piece = WIRE_PAGE - client_word(to) % WIRE_PAGE;
        if (piece > bytes) piece = bytes;
        memcpy(to, from, piece);
        to += piece, from += piece, bytes -= piece;
    }
}

/** Carries rows between host and window. The rows are released first: they may be pages that the watch has
 * locked against the program's own early use. */
static void copy_rows(const WireReply *ask) {
    const WireRows *rows = &ask->rows;
    uint8_t *host = client_pointer(rows->host), *window = client_session.window + rows->window;
    uint64_t span = 0;
    if (rows->count > 0) span = (rows->count - 1) * rows->pitch + rows->width;
    if (rows->count > 0) watch_release(&client_session.watch, rows->host, span);
    watch_open(&client_session.watch, rows->host, span);
    if (ask->kind == WIRE_PUSH) evidence_note(&client_session.evidence, client_calls(), rows->host, span);
    for (uint64_t i = 0; i < rows->count; i++) {
        if (ask->kind == WIRE_PULL)
            memcpy(window + i * rows->width, host + i * rows->pitch, rows->width);
        else
            write_in_order(host + i * rows->pitch, window + i * rows->width, rows->width);
    }
    watch_again(&client_session.watch);
}

/** Memory that was freed may have gone from the program. */
static void peek(const WireRows *rows) {
    if (client_is_mapped(rows->host, rows->width))
        memcpy(client_session.window + rows->window, client_pointer(rows->host), rows->width);
}

static void write_output(uint64_t bytes) {
    char buffer[4096];
    fflush(stdout);
    while (bytes > 0) {
        size_t piece;
        if (bytes < sizeof buffer)
            piece = (size_t)bytes;
        else
            piece = sizeof buffer;
        if (!receive_all(buffer, piece)) return;
        fwrite(buffer, 1, piece, stdout);
        bytes -= piece;
    }
}

static void call_function(const WireCallback *ask) {
    void *data = client_pointer(ask->data);
    if (ask->form == WIRE_HOST_FUNCTION) {
        void (*function)(void *) = (void (*)(void *))(uintptr_t)ask->function;
        function(data);
    } else {
        void (*function)(CudaStream, CudaError, void *) =
            (void (*)(CudaStream, CudaError, void *))(uintptr_t)ask->function;
        function(client_pointer(ask->stream), (CudaError)ask->status, data);
    }
}

/** Calls a host function of the program. It must not call the runtime meanwhile, as in CUDA, and
 * in_callback lets such calls fail (refuse_within). What it must leave alone comes with the reply. */
static bool run_callback(const WireReply *ask) {
    WireRange ranges[WATCH_MAX_RANGES];
    if (ask->payload_bytes > sizeof ranges || !receive_all(ranges, ask->payload_bytes)) return false;
    in_callback = true;
    watch_begin_function(&client_session.watch);
    client_protect_ranges(ranges, ask->payload_bytes / sizeof *ranges);
    call_function(&ask->callback);
    watch_end_function(&client_session.watch);
    in_callback = false;
    return true;
}

bool client_in_host_function(void) {
    return in_callback;
}

void client_lock(void) {
    if (!in_callback) pthread_mutex_lock(&client_session.mutex);
}

void client_unlock(void) {
    if (!in_callback) pthread_mutex_unlock(&client_session.mutex);
}

/** Serves one intermediate reply; false when the connection is lost. */
static bool serve(const WireReply *ask) {
    WireRequest carry_on = {.magic = WIRE_MAGIC, .function = WIRE_CONTINUE, .thread = this_thread()};
    switch ((WireReplyKind)ask->kind) {
    case WIRE_PULL:
    case WIRE_PUSH:
        copy_rows(ask);
        return send_request(&carry_on, NULL);
    case WIRE_PEEK:
        peek(&ask->rows);
        return send_request(&carry_on, NULL);
    case WIRE_CALLBACK:
        return run_callback(ask) && send_request(&carry_on, NULL);
    case WIRE_OUTPUT:
        write_output(ask->payload_bytes);
        return true;
    case WIRE_DONE:
        return false;
    }
    return false;
}

/** Takes as much of the payload as there is room for and throws the rest away, so that the next reply
 * begins where it should. */
static bool receive_payload(const WireReply *reply, uint8_t *into, size_t capacity) {
    uint64_t left = reply->payload_bytes;
    size_t wanted = capacity;
    if (left < capacity) wanted = (size_t)left;
    if (wanted > 0 && !receive_all(into, wanted)) return false;
    for (left -= wanted; left > 0;) {
        uint8_t rest[256];
        size_t piece;
        if (left < sizeof rest)
            piece = (size_t)left;
        else
            piece = sizeof rest;
        if (!receive_all(rest, piece)) return false;
        left -= piece;
    }
    return true;
}

static bool exchange(const WireRequest *request, const void *payload, WireReply *reply, void *into,
                     size_t capacity) {
    if (!send_request(request, payload)) return false;
    for (;;) {
        if (!receive_all(reply, sizeof *reply) || reply->magic != WIRE_MAGIC) return false;
        if (reply->kind == WIRE_DONE) return receive_payload(reply, into, capacity);
        if (!serve(reply)) return false;
    }
}

/* ---- calls ---- */

WireRequest client_request_from(WireRequest request, ClientSite site) {
    request.magic = WIRE_MAGIC;
    request.thread = this_thread();
    request.own_stream = site.own_stream;
    request.site = site.site;
    memcpy(request.callers, site.callers, sizeof request.callers);
    return request;
}

WireRequest client_request(WireFunction function, ClientSite site) {
    return client_request_from((WireRequest){.function = (uint32_t)function}, site);
}

/** The function that the program called. A launch of a kernel that is new asks for its parameters first. */
static uint32_t called(const WireRequest *request) {
    if (request->function == WIRE_NULL_ARGUMENT) return (uint32_t)request->NULL_ARGUMENT.function;
    if (request->function == WIRE_KERNEL_PARAMETERS) return WIRE_cudaLaunchKernel;
    return request->function;
}

/** A call by a host function, in the middle of the exchange that the function runs in: the device is told. */
static CudaError refuse_within(const WireRequest *request) {
    WireRequest told = {.magic = WIRE_MAGIC,
                        .function = WIRE_CALL_WITHIN,
                        .thread = this_thread(),
                        .site = request->site,
                        .CALL_WITHIN = {.called = called(request)}};
    memcpy(told.callers, request->callers, sizeof told.callers);
    if (!send_request(&told, NULL)) client_session.alive = false;
    return CUDA_NOT_PERMITTED;
}

CudaError client_call_into(WireRequest *request, const void *payload, WireReply *reply, void *into,
                           size_t capacity) {
    WireReply own;
    if (reply == NULL) reply = &own;
    memset(reply, 0, sizeof *reply);
    if (in_callback) return refuse_within(request);
    __atomic_fetch_add(&client_session.calls, 1, __ATOMIC_RELAXED);
    client_lock();
    CudaError error = CUDA_NO_DEVICE;
    if (ready()) {
        error = CUDA_UNKNOWN;
        if (exchange(request, payload, reply, into, capacity)) {
            error = reply->error;
            bool lost = error != CUDA_SUCCESS && error != CUDA_NOT_READY; /* what was pending may be lost */
            if (reply->idle || lost) watch_release_all(&client_session.watch);
        } else {
            complain("the device process has died");
            client_session.alive = false;
        }
    }
    client_unlock();
    return error;
}

CudaError client_call(WireRequest *request, const void *payload, WireReply *reply) {
    return client_call_into(request, payload, reply, NULL, 0);
}

void *client_room(size_t bytes) {
    static _Thread_local void *room;
    void *bigger = realloc(room, bytes);
    if (bigger != NULL) room = bigger;
    return bigger;
}

void client_tell(WireRequest *request, const void *payload) {
    if (in_callback) return;
    client_lock();
    if (ready() && !send_request(request, payload)) client_session.alive = false;
    client_unlock();
}

unsigned client_calls(void) {
    return __atomic_load_n(&client_session.calls, __ATOMIC_RELAXED);
}

void client_launched(void) {
    __atomic_fetch_add(&client_session.launches, 1, __ATOMIC_RELAXED);
}

void client_clock_read(void) {
    unsigned now = __atomic_load_n(&client_session.launches, __ATOMIC_RELAXED) + 1;
    unsigned before = __atomic_exchange_n(&client_session.launches_at_clock, now, __ATOMIC_RELAXED);
    if (before == 0 || before == now || in_callback) return;
    /* Clocks are read in signal handlers too: not in the middle of a call. */
    if (pthread_mutex_trylock(&client_session.mutex) != 0) return;
    WireRequest request = client_request(WIRE_CLOCK_READ, (ClientSite){.site = 0});
    if (ready() && !send_request(&request, NULL)) client_session.alive = false;
    pthread_mutex_unlock(&client_session.mutex);
}

CudaError client_send(WireRequest request) {
    return client_call(&request, NULL, NULL);
}

CudaError client_null(WireFunction function, ClientSite site) {
    return client_send(CLIENT_REQUEST(NULL_ARGUMENT, site, .function = function));
}

/* ---- kernels ---- */

const ClientKernel *client_kernel_find(const void *function) {
    client_lock();
    const ClientKernel *found = client_session.kernels;
    while (found != NULL && found->function != function)
        found = found->next;
    client_unlock();
    return found;
}

void client_kernel_keep(ClientKernel *kernel) {
    client_lock();
    kernel->next = client_session.kernels;
    client_session.kernels = kernel;
    client_unlock();
}

/* ---- references ---- */

ClientReference *client_references(void) {
    client_lock();
    ClientReference *newest = client_session.references;
    client_unlock();
    return newest;
}

void client_reference_keep(ClientReference *reference) {
    client_lock();
    reference->next = client_session.references;
    client_session.references = reference;
    client_unlock();
}

/* ---- the end, and what is told at once ---- */

/** From a signal handler: the connection may be in the middle of a call, which the device expects. */
void client_tell_at_once(WireRequest *request) {
    if (client_session.alive && client_session.process == getpid()) send_all(request, sizeof *request);
}

/** Runs after the program's own destructors, which may still free device memory. */
__attribute__((destructor)) static void say_goodbye(void) {
    if (!client_session.alive || client_session.process != getpid()) return;
    const WireRequest request = {.magic = WIRE_MAGIC,
                                 .function = WIRE_GOODBYE,
                                 .thread = 1,
                                 .GOODBYE = {(uint64_t)client_session.exit_status}};
    send_request(&request, NULL);
    client_session.alive = false;
}
