/* dap_parts.h - what the adapter's files share: messages (dap_wire.c), requests and the session's life
 * (dap.c), breakpoints (dap_points.c), runs and stops (dap_run.c), what is looked at (dap_look.c,
 * dap_variables.c).
 *
 * A thread of the protocol is a warp: its number is that of the warp in the whole grid, from FIRST_WARP on.
 * The program on the host is a thread, too, when no kernel runs. Numbers of frames and variables are places
 * in a table of handles, which is emptied whenever a run goes on.
 */
#pragma once

#include "base/growable.h"
#include "base/text.h"
#include "debug/dap.h"
#include "debug/place.h"
#include "debug/session.h"

enum { HOST_THREAD = 1, FIRST_WARP = 2, WARP_LANES = 32 };

typedef enum DapHandleKind {
    HANDLE_FRAME,    /**< of a stack; its scopes have the other kinds */
    HANDLE_HOST,     /**< the program's call */
    HANDLE_LOCALS,   /**< variables of a frame */
    HANDLE_LANES,    /**< the warp's lanes */
    HANDLE_BY_LANE,  /**< the frame's variables, each in all lanes */
    HANDLE_IN_LANES, /**< one expression in all lanes */
    HANDLE_CUDA,     /**< threadIdx and its like */
    HANDLE_PARTS     /**< elements or members of an expression's value */
} DapHandleKind;

typedef struct DapHandle {
    DapHandleKind kind;
    int64_t block, thread, frame;
    char *expression; /**< owned; NULL: none */
} DapHandle;

/** A breakpoint as the editor knows it. */
typedef struct DapPoint {
    int64_t id;
    int64_t number; /**< the session's; 0: it was refused */
    char *group;    /**< owned: a file's path, or what kind it is of; each request replaces one group */
    char *data;     /**< owned: of a watchpoint, whose thread and expression; NULL: it is none */
    char *words;    /**< owned: where it is, for people */
    bool verified, hit;
} DapPoint;

typedef struct Dap {
    DeviceOptions device;
    char **argv;        /**< of the program; NULL: not launched */
    Session *session;   /**< NULL: not launched */
    Text input;         /**< not yet a message */
    uint64_t skipping;  /**< bytes of a message that is too long */
    Growable inbox;     /**< json_object *: requests that wait for a stop */
    int64_t said;       /**< number of the last message */
    long line_base;     /**< 1, or 0 for an editor that counts lines from 0 */
    bool running;       /**< a run is under way */
    bool halts;         /**< and may be halted for a request that waits */
    bool pausing;       /**< and shall stop for a person, not for a request that waits */
    bool configured;    /**< configurationDone has come */
    bool ended, leaves; /**< the program, the editor */
    bool stop_on_entry, stop_at_end, no_debug;
    bool changed_told;    /**< that a source is more recent than the program */
    json_object *stop;    /**< the last one; NULL: none */
    json_object *place;   /**< where the thread is that it is about; NULL: none */
    json_object *threads; /**< as they were told last; NULL: never */
    Growable handles;     /**< DapHandle */
    Growable points;      /**< DapPoint */
    int64_t point_id;
} Dap;

/** A request under way. */
typedef struct DapMessage {
    json_object *request, *arguments; /**< arguments: never NULL */
    json_object *body;                /**< of the answer */
    Text error;                       /**< empty: it went well */
    json_object *event;               /**< to be sent behind the answer; NULL: none */
    json_object *question;            /**< that lets the program run, behind that; NULL: none */
} DapMessage;

typedef void DapFunction(Dap *dap, DapMessage *message);
#define DAP_REQUEST(name, when, summary) DapFunction dap_##name;
#include "debug/requests.def"
#undef DAP_REQUEST

/* dap_wire.c */
/** Reads what has come, or waits for it. False: the editor has gone. */
bool wire_read(Dap *dap);
/** The next whole message; NULL: there is none yet. What is none is answered here. */
json_object *wire_take(Dap *dap);
void wire_send(Dap *dap, json_object *message);
json_object *wire_event(const char *name, json_object **body);
void wire_answer(Dap *dap, DapMessage *message);
/** A line in the editor's console. */
void wire_say(Dap *dap, const char *words);

/* dap.c */
/** Answers a request, or keeps it until the run has stopped. Takes it over. */
void dap_handle(Dap *dap, json_object *request);
/** As SessionOutput and SessionHeed. */
void dap_output(void *self, int stream, const char *bytes, size_t count);
void dap_heed(void *self);
/** The session's answer; NULL, with the message's error, when there is none. */
json_object *dap_ask(Dap *dap, DapMessage *message, json_object *question);

/* dap_run.c */
/** Lets the program run, and tells where that has led to. Takes over the question. */
void run_question(Dap *dap, json_object *question);

/* dap_points.c */
/** Tells of breakpoints whose lines have become known. */
void points_refresh(Dap *dap);
/** The editor's number of the session's breakpoint; 0: none. */
DapPoint *points_find(const Dap *dap, int64_t number);
void points_free(Dap *dap);
/** Names those that nothing has come to. */
void points_say_unreached(Dap *dap);

/* dap_look.c */
int64_t look_handle(Dap *dap, DapHandle handle);
const DapHandle *look_find(const Dap *dap, int64_t id);
void look_forget(Dap *dap);
bool look_focus(Dap *dap, int64_t block, int64_t thread);
/** Looks at the thread that the request names, for a step of it. */
void look_at_thread(Dap *dap, DapMessage *message);
/** The number of the thread that the last stop is about. */
int64_t look_stopped_thread(const Dap *dap);
long look_warps(const Dap *dap);

/* dap_variables.c */
/** Looks at the frame that the request names, or at where the last stop was. */
DapHandle variables_frame(const Dap *dap, const DapMessage *message);
/** A row of the session's answer as a variable of the protocol; its parts are to be had by the expression. */
json_object *variables_row(Dap *dap, json_object *row, const char *name, const DapHandle *whole,
                           const char *expression);
