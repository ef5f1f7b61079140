/* test_gate.c - whom the course in a browser lets in, which address a path means, what a form says, and what
 * the desk makes of orders that an enemy wrote. */
#include "serve/desk/desk.h"
#include "serve/web/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static const WireHello hello = {
    .port = 8470, .key = "0123456789abcdef0123456789abcdef", .cookie = "fedcba9876543210fedcba9876543210"};
#define COOKIE "warpschool_8470=fedcba9876543210fedcba9876543210"

static GateVerdict judged(GateRequest request) {
    ServeTarget target;
    if (request.method == NULL) request.method = "GET";
    if (request.path == NULL) request.path = "/";
    return gate_judge(&hello, &request, &target);
}

static void test_names(void **state) {
    (void)state;
    assert_int_equal(judged((GateRequest){.host = "127.0.0.1:8470", .cookie = COOKIE}), GATE_LET_IN);
    assert_int_equal(judged((GateRequest){.host = "localhost:8470", .cookie = COOKIE}), GATE_LET_IN);
    static const char *const foreign[] = {NULL,
                                          "",
                                          "127.0.0.1",
                                          "127.0.0.1:84700",
                                          "127.0.0.1:8470.evil.example",
                                          "evil.example:8470",
                                          "0.0.0.0:8470",
                                          "127.0.0.1:8470 "};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_int_equal(judged((GateRequest){.host = foreign[i], .cookie = COOKIE}), GATE_FOREIGN_HOST);
    assert_int_equal(judged((GateRequest){.host = "127.0.0.1:8470", .cookie = COOKIE, .repeated = true}),
                     GATE_BROKEN);
}

/* Where a request ends, there is one answer. */
static void test_ends(void **state) {
    (void)state;
    const GateRequest plain = {
        .host = "127.0.0.1:8470", .cookie = COOKIE, .method = "PUT", .path = "/lessons/01-x/source"};
    static const char *const wrong[] = {"", "gzip", "identity", "chunked, gzip", "chunked ", "xchunked"};
    GateRequest request = plain;
    request.origin = "http://127.0.0.1:8470";
    request.coding = "Chunked";
    assert_int_equal(judged(request), GATE_LET_IN);
    request.length = "3";
    assert_int_equal(judged(request), GATE_BROKEN);
    request.length = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        request.coding = wrong[i];
        assert_int_equal(judged(request), GATE_BROKEN);
    }
}

static void test_secrets(void **state) {
    (void)state;
    static const char *const fine[] = {COOKIE, "a=b; " COOKIE, COOKIE "; a=b", "a=b;" COOKIE};
    static const char *const wrong[] = {NULL,
                                        "",
                                        ";;; ",
                                        "warpschool_8470=",
                                        "warpschool_8471=fedcba9876543210fedcba9876543210",
                                        COOKIE "0",
                                        "warpschool_8470=FEDCBA9876543210fedcba9876543210",
                                        "x" COOKIE,
                                        "warpschool_8470=0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_int_equal(judged((GateRequest){.host = "localhost:8470", .cookie = fine[i]}), GATE_LET_IN);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(judged((GateRequest){.host = "localhost:8470", .cookie = wrong[i]}), GATE_NO_COOKIE);
    assert_int_equal(judged((GateRequest){.host = "localhost:8470", .key = hello.key}), GATE_ENTER);
    assert_int_equal(judged((GateRequest){.host = "localhost:8470", .key = hello.cookie}), GATE_NO_COOKIE);
    assert_int_equal(judged((GateRequest){.host = "localhost:8470", .key = hello.key, .path = "/index.html"}),
                     GATE_NO_COOKIE);
}

static void test_origins(void **state) {
    (void)state;
    const GateRequest put = {
        .method = "PUT", .path = "/lessons/01-x/source", .host = "localhost:8470", .cookie = COOKIE};
    static const char *const origins[] = {NULL,
                                          "null",
                                          "http://evil.example",
                                          "https://localhost:8470",
                                          "http://localhost",
                                          "http://localhost:84700"};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        GateRequest request = put;
        request.origin = origins[i];
        assert_int_equal(judged(request), GATE_FOREIGN_ORIGIN);
    }
    GateRequest own = put;
    own.origin = "http://localhost:8470";
    assert_int_equal(judged(own), GATE_LET_IN);
    own.site = "same-origin";
    assert_int_equal(judged(own), GATE_LET_IN);
    own.site = "same-site"; /* a page of another port */
    assert_int_equal(judged(own), GATE_FOREIGN_ORIGIN);
}

static void test_lengths(void **state) {
    (void)state;
    GateRequest put = {.method = "PUT",
                       .path = "/lessons/01-x/source",
                       .host = "localhost:8470",
                       .cookie = COOKIE,
                       .origin = "http://localhost:8470"};
    static const struct {
        const char *length;
        GateVerdict verdict;
    } lengths[] = {{"0", GATE_LET_IN},          {"1048576", GATE_LET_IN},
                   {"1048577", GATE_TOO_LARGE}, {"99999999999999999999", GATE_TOO_LARGE},
                   {"-1", GATE_BROKEN},         {"", GATE_BROKEN},
                   {"1x", GATE_BROKEN},         {" 1", GATE_BROKEN}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        put.length = lengths[i].length;
        assert_int_equal(judged(put), lengths[i].verdict);
    }
}

static void test_versions(void **state) {
    (void)state;
    char version[WIRE_VERSION + 1];
    gate_version("\"0123456789abcdef\"", version);
    assert_string_equal(version, "0123456789abcdef");
    static const char *const none[] = {NULL,
                                       "*",
                                       "\"0123456789abcdeg\"",
                                       "W/\"0123456789abcdef\"",
                                       "\"0123456789abcdef",
                                       "0123456789abcdef"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        gate_version(none[i], version);
        assert_string_equal(version, "");
    }
}

/* ---- addresses ---- */

static void test_paths(void **state) {
    (void)state;
    ServeTarget target;
    assert_int_equal(serve_route(&target, "GET", "/lessons/07-sum.html"), SERVE_FOUND);
    assert_int_equal(target.route, ROUTE_LESSON);
    assert_string_equal(target.lesson, "07-sum");
    assert_int_equal(serve_route(&target, "HEAD", "/lessons/07-sum/pictures/a_b.html"), SERVE_FOUND);
    assert_int_equal(target.route, ROUTE_FILE);
    assert_string_equal(target.file, "lessons/07-sum/pictures/a_b.html");
    assert_int_equal(serve_route(&target, "GET", "/lessons/07-sum/check"), SERVE_NO_METHOD);
    assert_int_equal(serve_route(&target, "DELETE", "/style.css"), SERVE_NO_METHOD);
    static const char *const nowhere[] = {"",      "//",   "/a//b", "/.a",  "/a/.b", "/a/../b",   "/a/",
                                          "/a%2e", "/a b", "/a\\b", "/a?b", "a",     "/a\xc3\xa4"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_int_equal(serve_route(&target, "GET", nowhere[i]), SERVE_NOWHERE);
    char longest[2 * SERVE_LONGEST_PATH];
    memset(longest, 'a', sizeof longest);
    longest[0] = '/';
    longest[SERVE_LONGEST_PATH] = '\0'; /* one letter more than fits */
    assert_int_equal(serve_route(&target, "GET", longest), SERVE_FOUND);
    longest[SERVE_LONGEST_PATH] = 'a';
    longest[SERVE_LONGEST_PATH + 1] = '\0';
    assert_int_equal(serve_route(&target, "GET", longest), SERVE_NOWHERE);
}

static void test_form(void **state) {
    (void)state;
    static const struct {
        const char *form, *value; /* of the field `b`; NULL: there is none */
    } forms[] = {{"a=1&b=2", "2"},     {"b=", ""},     {"b=x+y%0D%0a%26", "x y\r\n&"},
                 {"b=%zz%4", "%zz%4"}, {"bb=1", NULL}, {"a=b=1", NULL},
                 {"b", NULL},          {"", NULL},     {"b=1&b=2", "1"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Text value;
        text_init(&value);
        assert_int_equal(form_field(forms[i].form, strlen(forms[i].form), "b", &value),
                         forms[i].value != NULL);
        assert_string_equal(value.bytes, forms[i].value != NULL ? forms[i].value : "");
        text_free(&value);
    }
}

static void test_words(void **state) {
    (void)state;
    Text out;
    text_init(&out);
    words_page("01-x, hint 1 of 3\n\n  one `two`\n  <three>\n\n      int x;\n        y;\n", &out);
    assert_string_equal(
        out.bytes,
        "<p>01-x, hint 1 of 3</p>\n<p>one <code>two</code> &lt;three&gt;</p>\n<pre>int x;\n  y;\n</pre>\n");
    text_free(&out);
}

static void test_policy(void **state) {
    (void)state;
    Text page;
    char policy[WIRE_POLICY];
    text_init(&page);
    text_add(&page,
             "<script src=\"a.js\"></script><script>alert(1)</script><script>alert(1)</script><script>");
    files_policy(&page, policy);
    /* printf 'alert(1)' | openssl dgst -sha256 -binary | base64 */
    assert_string_equal(policy, "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
    text_free(&page);
}

/* ---- the desk believes nothing ---- */

static bool desk_takes_with(const WireOrder *order, const char *body) {
    Session session = {0};
    Desk desk = {.session = &session};
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    desk.web = ends[0];
    text_init(&desk.in);
    text_init(&desk.out);
    assert_int_equal(write(ends[1], order, sizeof *order), sizeof *order);
    assert_int_equal(write(ends[1], body, strlen(body)), strlen(body));
    bool taken = desk_listen(&desk);
    text_free(&desk.in);
    text_free(&desk.out);
    close(ends[0]);
    close(ends[1]);
    return taken;
}

static bool desk_takes(const WireOrder *order) {
    return desk_takes_with(order, "");
}

static void test_orders_of_an_enemy(void **state) {
    (void)state;
    WireOrder order = {.serial = 1, .route = ROUTE_SOURCE, .lesson = "99-none"};
    assert_true(desk_takes(&order)); /* answered: there is no such lesson */
    order.route = ROUTE_COUNT;
    assert_false(desk_takes(&order));
    order.route = ROUTE_SOURCE;
    order.length = 1;                /* of a body that this address has not */
    assert_true(desk_takes(&order)); /* it has not come yet */
    assert_false(desk_takes_with(&order, "x"));
    order.length = UINT32_MAX;
    assert_false(desk_takes(&order));
    order.length = 0;
    memset(order.lesson, 'a', sizeof order.lesson);
    assert_false(desk_takes(&order));
    order = (WireOrder){.serial = 1, .route = ROUTE_FILE};
    memset(order.file, 'a', sizeof order.file);
    assert_false(desk_takes(&order));
    strcpy(order.file, "../../etc/passwd");
    assert_true(desk_takes(&order)); /* answered: there is no such file */
    order = (WireOrder){.serial = 1, .route = ROUTE_ROOM};
    assert_true(desk_takes(&order)); /* answered: there is no class */
    memset(order.cookie, 'a', sizeof order.cookie);
    assert_false(desk_takes(&order));
    order = (WireOrder){.serial = 1, .route = ROUTE_ROOM};
    memset(order.user, 'a', sizeof order.user);
    assert_false(desk_takes(&order));
}

/* ---- who reads goes first ---- */

static Seat seats[2]; /* of a and of b */
static uint32_t dealt[16];
static size_t dealt_count;

static Seat *admit_by_letter(Desk *desk, const WireOrder *order) {
    (void)desk;
    return &seats[order->cookie[0] - 'a'];
}

static void note_reading(Desk *desk, const DeskOrder *order) {
    (void)desk;
    dealt[dealt_count++] = order->head.serial;
}

/* As long as a disk takes. */
static void note_writing(Desk *desk, const DeskOrder *order) {
    usleep(15000);
    note_reading(desk, order);
}

static void add_order(Desk *desk, uint32_t serial, ServeRouteName route, char who) {
    const WireOrder order = {.serial = serial, .route = route, .cookie = {who}};
    text_append(&desk->in, (const char *)&order, sizeof order);
}

static void test_readers_go_first(void **state) {
    (void)state;
    static DeskFunction *const functions[ROUTE_COUNT] = {
        [ROUTE_MESSAGE] = note_writing, [ROUTE_OWN] = note_reading};
    static const DeskOffice office = {.admit = admit_by_letter, .functions = functions};
    Session session = {0};
    Desk desk = {.session = &session, .office = &office};
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    desk.web = ends[0];
    text_init(&desk.in);
    text_init(&desk.out);
    seats[0].teaches = seats[1].teaches = true;
    add_order(&desk, 1, ROUTE_MESSAGE, 'a');
    add_order(&desk, 2, ROUTE_OWN, 'a'); /* what a has said before counts for a's page */
    add_order(&desk, 3, ROUTE_OWN, 'b');
    add_order(&desk, 4, ROUTE_MESSAGE, 'b');
    assert_true(desk_listen(&desk));
    assert_true(desk.behind); /* so that the replies go out */
    assert_int_equal(dealt_count, 2);
    add_order(&desk, 5, ROUTE_OWN, 'b');
    for (int i = 0; desk.behind && i < 9; i++)
        assert_true(desk_listen(&desk));
    assert_int_equal(desk.in.length, 0);
    static const uint32_t wanted[] = {3, 1, 2, 4, 5};
    assert_int_equal(dealt_count, 5);
    assert_memory_equal(dealt, wanted, sizeof wanted);
    desk_free_seat(&desk, &seats[0]);
    desk_free_seat(&desk, &seats[1]);
    text_free(&desk.in);
    text_free(&desk.out);
    close(ends[0]);
    close(ends[1]);
}

/* ---- of a class ---- */

/* The gate sees that there is something for the desk to look at; behind a proxy, the public name is ours. */
static void test_class(void **state) {
    (void)state;
    const WireHello class = {.port = 8470, .is_class = 1, .host = "cuda.school.example"};
    ServeTarget target;
    const struct {
        GateRequest request;
        GateVerdict verdict;
    } cases[] = {
        {{.path = "/enter/1.1.1.0", .host = "cuda.school.example"}, GATE_LET_IN},
        {{.path = "/enter/1.1.1.0", .host = "cuda.school.example.evil"}, GATE_FOREIGN_HOST},
        {{.path = "/enter/../x", .host = "localhost:8470"}, GATE_NO_COOKIE},
        {{.path = "/", .host = "localhost:8470"}, GATE_NO_COOKIE},
        {{.path = "/", .host = "localhost:8470", .cookie = COOKIE}, GATE_LET_IN},
        {{.path = "/", .host = "localhost:8470", .cookie = "warpschool_8470=fedc"}, GATE_NO_COOKIE},
        {{.path = "/", .host = "localhost:8470", .user = "ann"}, GATE_LET_IN},
        {{.path = "/class/versions/1x.html", .host = "localhost:8470", .cookie = COOKIE}, GATE_LET_IN},
        {{.method = "POST", .path = "/leave", .host = "localhost:8470", .cookie = COOKIE},
         GATE_FOREIGN_ORIGIN},
        {{.method = "POST",
          .path = "/leave",
          .host = "cuda.school.example",
          .cookie = COOKIE,
          .origin = "http://cuda.school.example"},
         GATE_FOREIGN_ORIGIN},
        {{.method = "POST",
          .path = "/leave",
          .host = "cuda.school.example",
          .cookie = COOKIE,
          .origin = "https://cuda.school.example"},
         GATE_LET_IN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GateRequest request = cases[i].request;
        if (request.method == NULL) request.method = "GET";
        assert_int_equal(gate_judge(&class, &request, &target), cases[i].verdict);
    }
    assert_int_equal(judged((GateRequest){.path = "/class.html", .host = "localhost:8470", .cookie = COOKIE}),
                     GATE_NOWHERE); /* there is no class */
    Text cookie;
    text_init(&cookie);
    gate_cookie(&class, COOKIE_SESSION, "0", &cookie);
    assert_string_equal(cookie.bytes, "warpschool_8470=0; Path=/; HttpOnly; SameSite=Lax; Secure");
    text_free(&cookie);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_orders_of_an_enemy),
        cmocka_unit_test(test_readers_go_first),
        cmocka_unit_test(test_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
