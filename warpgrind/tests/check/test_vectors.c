/* Vector clocks: random joins beside plain tables, sharing, and what is left when all is dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "check/order/vectors.h"

enum { BLOCKS = 24, THREADS = 128, VECTORS = 12, ROUNDS = 4000 };

/** The slow and plain way: up to which time each thread of each block is known. */
typedef struct Table {
    uint32_t time[BLOCKS][THREADS];
} Table;

static uint32_t random_state = 12345;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

/* Numbers far apart, side by side, and at the end of the range. */
static uint32_t block_number(unsigned index) {
    static const uint32_t first[] = {0, 1000, 0xffff8};
    return first[index / 8] + index % 8;
}

static void table_join(Table *to, const Table *from) {
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned t = 0; t < THREADS; t++)
            if (from->time[b][t] > to->time[b][t]) to->time[b][t] = from->time[b][t];
}

static void add_both(Vectors *vectors, Vector **vector, Table *table) {
    unsigned block = draw(BLOCKS), count = draw(4);
    uint32_t base = draw(3) ? 0 : draw(20);
    VectorRow rows[4];
    Table more = {0};
    for (unsigned t = 0; t < THREADS; t++)
        more.time[block][t] = base;
    for (unsigned i = 0; i < count; i++) {
        rows[i] =
            (VectorRow){.warp = draw(THREADS / 32), .lanes = draw(1 << 24) << draw(9), .time = draw(30)};
        for (unsigned lane = 0; lane < 32; lane++) {
            uint32_t *time = &more.time[block][32 * rows[i].warp + lane];
            if (rows[i].lanes >> lane & 1 && rows[i].time > *time) *time = rows[i].time;
        }
    }
    vector_add(vectors, vector, block_number(block), base, rows, count);
    table_join(table, &more);
}

static void assert_same(const Vector *vector, const Table *table) {
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned t = 0; t < THREADS; t++) {
            uint32_t time = table->time[b][t];
            assert_false(vector_knows(vector, block_number(b), t, time));
            if (time) assert_true(vector_knows(vector, block_number(b), t, time - 1));
        }
}

static void joins_are_those_of_tables(void **state) {
    (void)state;
    static Table tables[VECTORS];
    Vector *list[VECTORS] = {0};
    Vectors vectors = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned a = draw(VECTORS), b = draw(VECTORS);
        switch (draw(8)) {
        case 0: /* begins anew */
            vector_drop(&vectors, list[a]);
            list[a] = NULL;
            memset(&tables[a], 0, sizeof tables[a]);
            break;
        case 1:
        case 2:
        case 3:
            add_both(&vectors, &list[a], &tables[a]);
            break;
        default:
            vector_join(&vectors, &list[a], list[b]);
            table_join(&tables[a], &tables[b]);
        }
        if (round % 16 == 0) assert_same(list[a], &tables[a]);
    }
    for (unsigned i = 0; i < VECTORS; i++) {
        assert_same(list[i], &tables[i]);
        vector_drop(&vectors, list[i]);
    }
    vectors_clear(&vectors);
    assert_int_equal(vectors.bytes, 0);
    assert_false(vectors.lost);
}

/* Whoever learns nothing new stays the same, and two who learn the same become one. */
static void what_is_alike_is_shared(void **state) {
    (void)state;
    Vectors vectors = {0};
    Vector *all = NULL, *part = NULL, *other = NULL;
    for (uint32_t block = 0; block < 100; block++)
        vector_add(&vectors, &all, block, 5, NULL, 0);
    vector_add(&vectors, &part, 7, 3, NULL, 0);
    vector_add(&vectors, &other, 8, 4, NULL, 0);
    Vector *before = all;
    vector_join(&vectors, &all, part);
    assert_ptr_equal(all, before);
    vector_join(&vectors, &part, all);
    vector_join(&vectors, &other, all);
    assert_ptr_equal(part, all);
    assert_ptr_equal(other, all);
    vector_drop(&vectors, all);
    vector_drop(&vectors, part);
    vector_drop(&vectors, other);
    vectors_clear(&vectors);
    assert_int_equal(vectors.bytes, 0);
}

/* A thousand vectors, each one block more than the one before, need far less than a thousand entries each. */
static void a_chain_needs_little_room(void **state) {
    (void)state;
    enum { LONG = 1000 };
    Vectors vectors = {0};
    Vector *chain[LONG] = {0};
    for (uint32_t i = 0; i < LONG; i++) {
        if (i) vector_join(&vectors, &chain[i], chain[i - 1]);
        vector_add(&vectors, &chain[i], i, i + 1, NULL, 0);
    }
    assert_true(vectors.bytes < (uint64_t)LONG * 2000);
    for (uint32_t i = 0; i < LONG; i++)
        assert_int_equal(vector_knows(chain[LONG / 2], i, 3, i), i <= LONG / 2);
    for (uint32_t i = 0; i < LONG; i++)
        vector_drop(&vectors, chain[i]);
    vectors_clear(&vectors);
    assert_int_equal(vectors.bytes, 0);
}

static void the_end_of_memory_is_told(void **state) {
    (void)state;
    Vectors vectors = {.bytes = VECTORS_MOST_BYTES};
    Vector *vector = NULL;
    vector_add(&vectors, &vector, 1, 1, NULL, 0);
    assert_null(vector);
    assert_true(vectors.lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_are_those_of_tables),
        cmocka_unit_test(what_is_alike_is_shared),
        cmocka_unit_test(a_chain_needs_little_room),
        cmocka_unit_test(the_end_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
