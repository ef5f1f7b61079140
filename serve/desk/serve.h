/* serve.h - the command `serve`, whose row is in serve/commands.def. */
#pragma once

#include "autograder/commands/commands.h"

#define COMMAND(name, function, operands, help) CommandRun function;
#include "serve/commands.def"
#undef COMMAND

struct Desk;
struct WireHello;

/** What the program's library for a class can do: it needs rosters, rules and a database, which the course of
 * a single learner is without. */
typedef struct ServeClass {
    /** Opens the class's folder, and makes what is missing: the desk has an office and a room then. False
     * with a diagnostic. `host`: the name behind a proxy; NULL. */
    bool (*open)(struct Desk *desk, const char *folder, const char *host, bool reuse);
    void (*close)(struct Desk *desk);
} ServeClass;
