/* desk.h - the learner's side of `warpschool serve`: files, progress and checks, behind a narrow socket.
 *
 * The process that speaks HTTP sends orders (wire.h), each for a row of routes.def. The row's function here
 * answers at once, or begins an errand: one of the learner's commands in a child, as at the terminal, whose
 * output becomes the answer or a stream of events. What is written lies in work/, and is the same that the
 * commands write.
 */
#pragma once

#include "autograder/commands/commands.h"
#include "autograder/course/groups.h"
#include "autograder/course/progress.h"
#include "serve/wire.h"

#include <json-c/json.h>
#include <sys/types.h>

enum { DESK_MOST_ERRANDS = 1024, DESK_MOST_LISTENERS = 1024, DESK_MOST_PAGES = 32 /* listeners of a seat */ };

typedef struct DeskNote DeskNote;

/** Somebody who learns here: whose folder holds work/, and what their pages show. */
typedef struct Seat {
    const char *root; /**< the folder in which work/ is */
    DeskNote *notes;  /**< one for each lesson of the course; NULL: nothing was asked of this seat yet */
    int64_t student;  /**< of a class: the number of the row; 0: the only learner there is */
    const char *student_id; /**< of a class */
    bool teaches;
} Seat;

/** An order, looked at: the lesson exists, and texts end. */
typedef struct DeskOrder {
    WireOrder head;
    const Lesson *lesson; /**< NULL where the route has none */
    const char *body;
    size_t length;
} DeskOrder;

typedef enum ErrandKind { ERRAND_NONE, ERRAND_CHECK, ERRAND_HINT, ERRAND_DRAW, ERRAND_RESET } ErrandKind;

/** A command of the learner that runs, or waits for its turn. */
typedef struct Errand {
    ErrandKind kind;
    Seat *seat;
    uint64_t turn;   /**< the lowest is next; 0: not yet among those that wait (errands.c) */
    int64_t version; /**< of a class: the row of what is checked */
    pid_t pid;       /**< 0: it waits */
    int coming;      /**< its output */
    Text output;
    size_t used; /**< lines of it that were taken for events */
    Text said;   /**< what is no event */
    const Lesson *lesson;
    uint32_t serial; /**< whoever waits for the end; 0: nobody */
    bool as_page;    /**< waits for a whole page */
    bool has_result;
} Errand;

/** A page that is open, and hears what happens to its lesson. */
typedef struct Listener {
    uint32_t serial; /**< 0: none */
    Seat *seat;
    char cookie[WIRE_SECRET + 1], user[WIRE_NAME]; /**< of a class: by which it was let in */
    const Lesson *lesson;
    char version[WIRE_VERSION + 1]; /**< of the file, as it was told last */
} Listener;

/** What a page shows of a lesson's last check and last hint: as HTML, and for its script as JSON. */
struct DeskNote {
    Text verdict; /**< HTML */
    Text marks;   /**< the same for its script: an object of JSON */
    Text hint;    /**< HTML */
    Text notice;  /**< HTML that is shown once */
    Text unsaved; /**< what the learner wrote while somebody else saved, shown once beside the file */
};

struct DeskOffice;
struct Classroom;

typedef struct Desk {
    Session *session;
    Course course;
    Groups groups;
    const char *pages;  /**< the folder of the course's pages; NULL: they have not been made */
    const char *assets; /**< the folder of what a page adds: scripts and style */
    int web;            /**< the socket */
    Text in, out;
    Errand errands[DESK_MOST_ERRANDS];
    Listener listeners[DESK_MOST_LISTENERS];
    Seat *seat;                      /**< whose order is dealt with */
    Seat only;                       /**< where there is no class */
    Arena *arena;                    /**< of the order that is dealt with */
    long jobs;                       /**< so many checks at a time, where there is a class */
    uint64_t turns, told_turn;       /**< the last that was given, and of which pages know */
    const struct DeskOffice *office; /**< NULL: there is no class */
    struct Classroom *room;          /**< the office's own */
    bool hurries;                    /**< the office waits for something that ends soon */
    bool behind;                     /**< orders have come that nobody has dealt with yet */
} Desk;

/** What is said in answer to an order. */
typedef struct DeskAnswer {
    unsigned status;
    WireType type;
    const char *version; /**< NULL: none */
    const char *policy;  /**< of scripts; NULL: none */
    const char *cookie;  /**< what the browser has from now on; NULL: as before */
} DeskAnswer;

typedef void DeskFunction(Desk *desk, const DeskOrder *order);
#define ROUTE(name, function, method, path, right, most, what) DeskFunction desk_##function;
#include "serve/routes.def"
#undef ROUTE

/** What a class adds to the desk, which knows nothing of rosters and databases (serve/class/office.h). */
typedef struct DeskOffice {
    /** Whose order it is: the seat that the cookie or the proxy's word stands for. NULL: nobody's. */
    Seat *(*admit)(Desk *desk, const WireOrder *order);
    /** The rows of routes.def that are there for a class; NULL for the others. */
    DeskFunction *const *functions;
    /** A check was asked for: what is to be checked is written down. False when it cannot be. */
    bool (*note_check)(Desk *desk, Errand *errand);
    /** Its turn has come: the result of the same text before, as an event; NULL: there is none. The caller
     * puts it. `copy` is where the text lies that is to be checked. */
    struct json_object *(*find_result)(Desk *desk, Errand *errand, const char **copy);
    /** The check has ended. `event` NULL: without a result. `known`: it is that of find_result. */
    void (*note_result)(Desk *desk, Errand *errand, struct json_object *event, bool known);
    /** What stands in a lesson's exercise besides. */
    void (*add_words)(Desk *desk, const Lesson *lesson, Text *out);
    /** The last result of the lesson, from before a restart; NULL: none. The caller puts it. */
    struct json_object *(*last_result)(Desk *desk, const Lesson *lesson);
    /** Hands the file in as it is saved: what is to be said of it. */
    const char *(*hand_in)(Desk *desk, const Lesson *lesson);
    /** Where the seat's own page is, as a link for the head of every page. */
    void (*add_way)(const Desk *desk, Text *out);
    /** Once in a while, and once at the beginning. */
    void (*look)(Desk *desk);
} DeskOffice;

/* ---- desk.c ---- */

/** Takes what the other process sent, and deals with orders for a moment, whose replies are to be sent then;
 * false when that process is gone, or sends what makes no sense. */
bool desk_listen(Desk *desk);
/** Sends what is to be sent, as far as there is room; false when the other process is gone. */
bool desk_send(Desk *desk);
void desk_reply(Desk *desk, uint32_t serial, const DeskAnswer *answer, const char *body, size_t length);
/** Sends the browser back to the page of the lesson that it asked about, after a form. */
void desk_turn_back(Desk *desk, uint32_t serial);
/** A sentence of texts.txt as the whole answer; for programs, which show it. */
void desk_say(Desk *desk, uint32_t serial, unsigned status, const char *words);
/** To one page: `data` is JSON. */
void desk_event(Desk *desk, uint32_t serial, const char *event, const char *data);
/** To all pages of the lesson. */
void desk_tell(Desk *desk, const Lesson *lesson, const char *event, const char *data);
/** Ends what a page hears: its browser asks again, and is let in or not. */
void desk_hang_up(Desk *desk, Listener *listener);
/** Around whatever one order or errand needs: it has an arena, and leaves no diagnostics behind, since what
 * they say is in its answer. False without memory. */
bool desk_begin(Desk *desk, Diagnostics *outer);
void desk_end(Desk *desk, const Diagnostics *outer);
DeskNote *desk_note(const Desk *desk, const Lesson *lesson);
/** From here on it is about that seat: its file, its notes. False without memory. */
bool desk_sit(Desk *desk, Seat *seat);
void desk_free_seat(const Desk *desk, Seat *seat);
/** Reads the learner's progress anew, into the order's arena; false without memory. */
bool desk_progress(const Desk *desk, Progress *progress);

/* ---- errands.c ---- */

/** Starts a command about a lesson, or lets it wait for its turn; NULL when it cannot be started. A check
 * takes the place of the learner's that runs. It may be over when this returns: whoever waits for it is told
 * before. */
Errand *errand_start(Desk *desk, ErrandKind kind, const DeskOrder *order, bool as_page);
/** A check of what stands in the row of a version, from before a restart. */
void errand_resume(Desk *desk, const Lesson *lesson, int64_t version);
/** Starts those whose turn has come. */
void errands_go(Desk *desk);
/** Reads what it printed; deals with its end. */
void errand_read(Desk *desk, Errand *errand);
void errand_stop(Errand *errand);

/* ---- source.c ---- */

/** The learner's file: its text and version. It is made from the starter when it is not there. False with a
 * diagnostic in the session. */
bool source_read(Desk *desk, const Lesson *lesson, Text *text, char version[WIRE_VERSION + 1]);
/** What a browser sent, with line ends of one character. */
void source_take_text(const char *bytes, size_t length, Text *out);
/** Writes the file if it has that version. */
typedef enum SourceWritten { SOURCE_WRITTEN, SOURCE_CHANGED, SOURCE_UNWRITTEN } SourceWritten;
SourceWritten source_write(Desk *desk, const Lesson *lesson, const char *bytes, size_t length,
                           const char *version, char now[WIRE_VERSION + 1]);
/** Saves what an order brought; false when that was refused, and answered. */
bool source_save(Desk *desk, const DeskOrder *order, char now[WIRE_VERSION + 1]);
/** Why a command could not be started, for a page to show. */
const char *desk_problem(const Desk *desk);
/** Tells pages whose file has changed since they were told: those of the seat. */
void source_look(Desk *desk);

/* ---- verdict_page.c, words_page.c ---- */

/** The lesson that the terminal would go on with after this one; NULL when that was the last. False without
 * memory. */
bool desk_next(const Desk *desk, const Lesson *lesson, const Lesson **next);
/** A check's result as HTML. `lesson` NULL: for somebody who reads another's, without what comes next, and
 * with lines that lead to line-N of the page. */
void verdict_page(const Desk *desk, const Lesson *lesson, struct json_object *event, const char *source,
                  Text *out);
/** The findings as the marks of an editor. */
struct json_object *verdict_marks(struct json_object *result);
/** Puts a check's last event into the lesson's note, and gives what a page's script gets of it, which the
 * caller puts. */
struct json_object *verdict_take(Desk *desk, const Lesson *lesson, struct json_object *event);
/** A line of words, in which `x` is code, as HTML. */
void words_line(const char *line, size_t length, Text *out);
/** What a command printed for people, as HTML. */
void words_page(const char *words, Text *out);

/* ---- lesson_page.c ---- */

/** The page with its exercise, and what there is to say of it. False with a diagnostic when the learner's
 * file cannot be had. */
bool lesson_page(Desk *desk, const Lesson *lesson, Text *page);
/** Puts a part before or behind the first `mark` of the page; at its end where there is none. */
void page_put(Text *page, const char *mark, bool behind, const Text *part);
/** Of a class: puts the link to the seat's own page into the page's head. */
void page_put_way(const Desk *desk, Text *page);

/* ---- pages.c ---- */

/** A page as the whole answer, whose own scripts may run. */
void desk_page(Desk *desk, uint32_t serial, const Text *page, WireType type);

/** A field of a form that a browser sent, decoded; false where there is no such field. */
bool form_field(const char *form, size_t length, const char *name, Text *value);

/* ---- files.c ---- */

/** Reads a file below a folder, with no way out of it; false with errno set. */
bool files_read(const char *folder, const char *path, Text *text);
/** The hashes of all scripts that stand in a page itself, for its policy. */
void files_policy(const Text *page, char policy[WIRE_POLICY]);
/** A file's version: letters of a hash of whose it is (Seat), and then of what it says. */
enum { FILES_OWNER = 6 }; /**< letters of the owner's; pages know them, too (exercise.js) */
void files_version(int64_t student, const char *bytes, size_t length, char version[WIRE_VERSION + 1]);
/** Whether both are versions of files of one owner. */
bool files_are_one_owners(const char *version, const char *other);
