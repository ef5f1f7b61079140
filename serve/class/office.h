/* office.h - what `warpschool serve` has for a class: who comes in, what was checked and handed in, the
 * teacher's pages. The desk reaches it through DeskOffice (serve/desk/desk.h), and knows nothing of it.
 */
#pragma once

#include "serve/desk/desk.h"
#include "serve/desk/serve.h"

#define COMMAND(name, function, operands, help) CommandRun function;
#include "serve/class/commands.def"
#undef COMMAND

/** For Session.classes. */
extern const ServeClass office_class;

/** What store.h says of query_ask and store_..., of the class's database. */
#define OFFICE_BOOK(desk) &(desk)->room->store, &(desk)->session->diagnostics
#define office_ask(desk, ...) query_ask(OFFICE_BOOK(desk), __VA_ARGS__)
#define office_change(desk, ...) store_change(OFFICE_BOOK(desk), __VA_ARGS__)
#define office_number(desk, ...) store_number(OFFICE_BOOK(desk), __VA_ARGS__)
#define office_text(desk, ...)                                                                               \
    store_text(&(desk)->room->store, (desk)->arena, &(desk)->session->diagnostics, __VA_ARGS__)

/** For DeskOffice. */
void office_add_way(const Desk *desk, Text *out);

#define ROUTE(name, function, method, path, right, most, what)
#define CLASS_ROUTE(name, function, method, path, right, most, what) DeskFunction office_##function;
#include "serve/routes.def"
#undef ROUTE
