/* test_flow.c - where branches meet again, and which barriers they go around.
 *
 * Each case is the body of a kernel. Behind a branch the margin says what is expected: `// meets N`, `//
 * taken N` (taken bypasses the barrier at N), `// falls N`; N is the place of an instruction, `exit` stands
 * for none. `loop`: whoever goes around the barrier leaves a loop that has it.
 */
#include "support.h"

#include <stdlib.h>

static const char *const cases[] = {
    /* if */
    "@%p1 bra END; // meets 2\n"
    "mov.u32 %r1, 0;\n"
    "END: ret;\n",

    /* if / else */
    "@%p1 bra ELSE; // meets 4\n"
    "mov.u32 %r1, 0;\n"
    "bra END; // meets 4\n"
    "ELSE: mov.u32 %r1, 1;\n"
    "END: ret;\n",

    /* barrier inside if: whoever jumps goes around it */
    "@%p1 bra END; // meets 2 taken 1\n"
    "bar.sync 0;\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* the same before the only ret: an early return, as far as optimised code tells */
    "@%p1 bra END; // meets 2\n"
    "bar.sync 0;\n"
    "END: ret;\n",

    /* barriers in both arms: each arm goes around the other's */
    "@%p1 bra ELSE; // meets 4 taken 1 falls 3\n"
    "bar.sync 0;\n"
    "bra END; // meets 4\n"
    "ELSE: bar.sync 0;\n"
    "END: ret;\n",

    /* a barrier behind the meeting point is nobody's */
    "@%p1 bra END; // meets 2\n"
    "mov.u32 %r1, 0;\n"
    "END: bar.sync 0;\n"
    "ret;\n",

    /* early return: the sides only meet at the exit, which is no bypass */
    "@%p1 bra OUT; // meets exit\n"
    "bar.sync 0;\n"
    "ret;\n"
    "OUT: ret;\n",

    /* early return of unoptimised code: a jump of its own to the only ret */
    "@%p1 bra GO; // meets 5\n"
    "bra BACK; // meets 2\n"
    "BACK: bra OUT; // meets 5\n"
    "GO: bar.sync 0;\n"
    "bra OUT; // meets 5\n"
    "OUT: ret;\n",

    /* and the if around the last barrier of a kernel, which is as good as one */
    "@%p1 bra GO; // meets 4\n"
    "bra OUT; // meets 4\n"
    "GO: bar.sync 0;\n"
    "bra OUT; // meets 4\n"
    "OUT: ret;\n",

    /* the same with a guarded return, which is no branch */
    "@%p1 ret;\n"
    "bar.sync 0;\n"
    "ret;\n",

    /* while loop: who leaves goes around the barrier in the body */
    "LOOP: @%p1 bra END; // meets 3 taken 1 loop\n"
    "bar.sync 0;\n"
    "bra LOOP; // meets 0\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* do-while loop: who falls out goes around the next pass */
    "LOOP: bar.sync 0;\n"
    "@%p1 bra LOOP; // meets 2 falls 0 loop\n"
    "mov.u32 %r1, 0;\n"
    "ret;\n",

    /* the halving loop of a reduction: the inner if goes around nothing */
    "LOOP: @%p1 bra END; // meets 6 taken 4 loop\n"
    "@%p2 bra SKIP; // meets 4\n"
    "mov.u32 %r1, 0;\n"
    "bra SKIP; // meets 4\n"
    "SKIP: bar.sync 0;\n"
    "bra LOOP; // meets 0\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* continue in front of a barrier */
    "LOOP: @%p1 bra END; // meets 4 taken 2 loop\n"
    "@%p2 bra LOOP; // meets 0 taken 2\n"
    "bar.sync 0;\n"
    "bra LOOP; // meets 0\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* arriving waits for nobody; a warp's barrier is none of the block's */
    "@%p1 bra END; // meets 3\n"
    "bar.arrive 0, 64;\n"
    "bar.warp.sync -1;\n"
    "END: ret;\n",

    /* a call of a function that has a barrier counts as one */
    "@%p1 bra END; // meets 2 taken 1\n"
    "call helper;\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* and of one that calls such a function */
    "@%p1 bra END; // meets 2 taken 1\n"
    "call outer;\n"
    "END: mov.u32 %r1, 0;\n"
    "ret;\n",

    /* endless loop beside a way out */
    "@%p1 bra SPIN; // meets exit\n"
    "ret;\n"
    "SPIN: bra SPIN; // meets exit\n",

    /* nothing but an endless loop */
    "SPIN: bar.sync 0;\n"
    "@%p1 bra SPIN; // meets 2 falls 0 loop\n"
    "bra SPIN; // meets exit\n",

    /* who traps goes nowhere, and keeps nobody from meeting */
    "@%p1 bra BAD; // meets 1\n"
    "bar.sync 0;\n"
    "ret;\n"
    "BAD: trap;\n",

    "@%p1 bra OTHER; // meets 6 taken 1\n"
    "bar.sync 0;\n"
    "bra END; // meets 6\n"
    "OTHER: @%p2 bra GO; // meets 5\n"
    "trap;\n"
    "GO: mov.u32 %r1, 0;\n"
    "END: mov.u32 %r2, 0;\n"
    "ret;\n",

    "LOOP: @%p1 bra END; // meets 4\n"
    "@%p2 bra GO; // meets 3\n"
    "trap;\n"
    "GO: bra LOOP; // meets 0\n"
    "END: ret;\n",

    /* several targets */
    "list: .branchtargets A, B, C;\n"
    "brx.idx %r1, list; // meets 4\n"
    "A: mov.u32 %r1, 0;\n"
    "bra C; // meets 4\n"
    "B: mov.u32 %r1, 1;\n"
    "C: ret;\n",

    /* a branch to the end of the text */
    "@%p1 bra OUT; // meets exit\n"
    "bar.sync 0;\n"
    "OUT:\n",

    /* a loop with two ways in */
    "@%p1 bra B; // meets 2\n"
    "A: mov.u32 %r1, 0;\n"
    "B: @%p2 bra A; // meets 3\n"
    "ret;\n",
};

static int expected(const char *comment, const char *word) {
    const char *at = comment ? strstr(comment, word) : NULL;
    if (!at) return -1;
    at += strlen(word) + 1;
    return *at == 'e' ? -1 : atoi(at);
}

static void check(const char *source, const char *line, const PtxInstruction *instruction) {
    char comment[128] = "";
    const char *start = strstr(line, "//");
    size_t length = strcspn(line, "\n");
    if (start && start < line + length)
        snprintf(comment, sizeof comment, "%.*s", (int)(line + length - start), start);
    bool right = instruction->reconvergence == expected(comment, "meets") &&
                 instruction->bypasses_barrier_taken == expected(comment, "taken") &&
                 instruction->bypasses_barrier_fallthrough == expected(comment, "falls") &&
                 instruction->leaves_loop == (strstr(comment, " loop") != NULL);
    if (right) return;
    fail_msg("meets %d taken %d falls %d at \"%.*s\" in\n%s", instruction->reconvergence,
             instruction->bypasses_barrier_taken, instruction->bypasses_barrier_fallthrough, (int)length,
             line, source);
}

static const char *line_of(const char *source, int number) {
    while (--number > 0)
        source = strchr(source, '\n') + 1;
    return source;
}

static void test_cases(void **state) {
    (void)state;
    static const char head[] =
        HEADER ".func helper() { bar.sync 0; ret; }\n.func outer() { call helper; ret; }\n"
               ".entry kernel() { .reg .pred %p<4>; .reg .b32 %r<4>;\n";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text;
        text_init(&text);
        text_format(&text, "%s%s}\n", head, cases[i]);
        Loaded loaded = load_text(text.bytes);
        assert_loads(&loaded);
        const PtxFunction *kernel = kernel_of(&loaded);
        for (uint32_t j = 0; j < kernel->instruction_count; j++)
            check(cases[i], line_of(text.bytes, kernel->instructions[j].ptx_line), &kernel->instructions[j]);
        unload(&loaded);
        text_free(&text);
    }
}

/* Many branches must not take time that grows with their square: this is far over the limit of visits. */
static void test_very_many_branches(void **state) {
    (void)state;
    Text text;
    text_init(&text);
    text_add(&text, HEADER ".entry kernel() { .reg .pred %p; bar.sync 0;\n");
    for (int i = 0; i < 30000; i++)
        text_add(&text, "@%p bra END;\n");
    text_add(&text, "END: bar.sync 0; ret; }\n");
    Loaded loaded = load_text(text.bytes);
    assert_loads(&loaded);
    assert_int_equal(kernel_of(&loaded)->instructions[1].reconvergence, 30001);
    unload(&loaded);
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_very_many_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
