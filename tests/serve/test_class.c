/* test_class.c - links of a class, and whose turn it is. */
#include "serve/class/links.h"
#include "serve/desk/desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_links(void **state) {
    (void)state;
    const LinkSecret secret = {{1, 2, 3}}, other = {{1, 2, 4}};
    const Link link = {.student = 12, .issue = 3, .end = 2000000000};
    Link read;
    char token[LINK_LONGEST], altered[LINK_LONGEST + 2];
    link_write(&link, &secret, token);
    assert_true(link_read(&read, token, &secret, 2000000000));
    assert_int_equal(read.student, 12);
    assert_int_equal(read.issue, 3);
    assert_false(link_read(&read, token, &secret, 2000000001)); /* over */
    assert_false(link_read(&read, token, &other, 0));
    for (size_t i = 0; token[i] != '\0'; i++) { /* each letter counts */
        strcpy(altered, token);
        altered[i] = token[i] == '7' ? '8' : '7';
        assert_false(link_read(&read, altered, &secret, 0));
        altered[i] = '\0';
        assert_false(link_read(&read, altered, &secret, 0));
    }
    snprintf(altered, sizeof altered, " %s", token); /* the same numbers, written otherwise */
    assert_false(link_read(&read, altered, &secret, 0));
    snprintf(altered, sizeof altered, "0%s", token);
    assert_false(link_read(&read, altered, &secret, 0));
    snprintf(altered, sizeof altered, "%s0", token);
    assert_false(link_read(&read, altered, &secret, 0));
}

/* ---- turns: an office that knows each result, and notes who came ---- */

/** Who came, in order. */
static struct {
    const Seat *seats[16];
    size_t count, most; /**< after so many the machine is full */
} came;

static bool note_check(Desk *desk, Errand *errand) {
    (void)desk;
    errand->version = 1;
    return true;
}

static struct json_object *find_result(Desk *desk, Errand *errand, const char **copy) {
    (void)copy;
    came.seats[came.count++] = errand->seat;
    if (came.count == came.most) desk->jobs = 0;
    return json_tokener_parse("{\"event\":\"result\",\"result\":{\"verdict\":\"pass\"}}");
}

static void note_result(Desk *desk, Errand *errand, struct json_object *event, bool known) {
    (void)desk;
    (void)errand;
    (void)event;
    (void)known;
}

static struct json_object *last_result(Desk *desk, const Lesson *lesson) {
    (void)desk;
    (void)lesson;
    return NULL;
}

static const DeskOffice office = {.note_check = note_check,
                                  .find_result = find_result,
                                  .note_result = note_result,
                                  .last_result = last_result};

/* A desk with three seats, and a lesson whose file nobody has. */
typedef struct House {
    Session session;
    Desk desk;
    Lesson lesson;
    Seat seats[3];
    Arena *arena;
} House;

static void ask(House *house, int seat, ErrandKind kind) {
    const DeskOrder order = {.head = {.serial = 1}, .lesson = &house->lesson};
    Diagnostics outer;
    assert_true(desk_begin(&house->desk, &outer));
    assert_true(desk_sit(&house->desk, &house->seats[seat]));
    assert_non_null(errand_start(&house->desk, kind, &order, false));
    desk_end(&house->desk, &outer);
}

static void open_house(House *house) {
    *house = (House){.arena = arena_create(), .lesson = {.name = "01-x", .folder = "/nowhere"}};
    house->session.arena = house->arena;
    house->desk = (Desk){.session = &house->session, .office = &office};
    house->desk.course =
        (Course){.root = "/nowhere", .build = "/nowhere", .lessons = &house->lesson, .count = 1};
    text_init(&house->desk.in);
    text_init(&house->desk.out);
    for (int i = 0; i < 3; i++)
        house->seats[i] = (Seat){.root = "/nowhere", .student = i + 1};
}

static void close_house(House *house) {
    for (int i = 0; i < 3; i++)
        desk_free_seat(&house->desk, &house->seats[i]);
    text_free(&house->desk.in);
    text_free(&house->desk.out);
    arena_destroy(house->arena);
}

static void test_turns(void **state) {
    (void)state;
    static House house;
    Desk *desk = &house.desk;
    open_house(&house);
    ask(&house, 0, ERRAND_CHECK);
    ask(&house, 0, ERRAND_DRAW); /* the same seat a second time */
    ask(&house, 1, ERRAND_CHECK);
    ask(&house, 2, ERRAND_CHECK);
    ask(&house, 1, ERRAND_CHECK); /* a newer text keeps the place of the older one */
    errands_go(desk);
    assert_int_equal(came.count, 0); /* no room */
    desk->jobs = 1;
    came.most = 3;
    errands_go(desk);
    assert_int_equal(came.count, 3);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(came.seats[i], &house.seats[i]);
    unsigned waiting = 0; /* the picture, behind those who had asked after it */
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        waiting += desk->errands[i].kind == ERRAND_DRAW && desk->errands[i].turn == 4;
        errand_stop(&desk->errands[i]);
    }
    assert_int_equal(waiting, 1);
    close_house(&house);
}

/* ---- pages that hear ---- */

static int pages_of(const House *house, int seat) {
    int count = 0;
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        count += house->desk.listeners[i].seat == &house->seats[seat];
    return count;
}

static void open_page(House *house, int seat) {
    const DeskOrder order = {.head = {.serial = 5000}, .lesson = &house->lesson};
    Diagnostics outer;
    assert_true(desk_begin(&house->desk, &outer));
    assert_true(desk_sit(&house->desk, &house->seats[seat]));
    desk_events(&house->desk, &order);
    desk_end(&house->desk, &outer);
}

/* One seat has as many as it may, another one all the rest: a third one is heard, and takes of the latter. */
static void test_pages(void **state) {
    (void)state;
    static House house;
    open_house(&house);
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        house.desk.listeners[i] = (Listener){.serial = (uint32_t)i + 1,
                                             .seat = &house.seats[i < DESK_MOST_PAGES ? 0 : 1],
                                             .lesson = &house.lesson};
    open_page(&house, 2);
    assert_int_equal(pages_of(&house, 2), 1);
    assert_int_equal(pages_of(&house, 1), DESK_MOST_LISTENERS - DESK_MOST_PAGES - 1);
    open_page(&house, 1); /* has most, and gets none */
    open_page(&house, 0); /* has as many as one may */
    assert_int_equal(pages_of(&house, 1), DESK_MOST_LISTENERS - DESK_MOST_PAGES - 1);
    assert_int_equal(pages_of(&house, 0), DESK_MOST_PAGES);
    close_house(&house);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_links), cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
