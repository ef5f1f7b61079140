/* test_commits.c - clones: when a file was committed, and that nothing in a clone makes git run or read
 * anything else. */
#include "class.h"

/* Runs a line of shell in the class's folder. */
static void shell(ClassFolder *class, const char *line) {
    const char *whole = arena_format(
        class->arena,
        "cd '%s' && export HOME=\"$PWD\" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
        "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b PATH=/usr/bin:/bin && { %s; } >/dev/null 2>&1",
        class->root, line);
    assert_int_equal(system(whole), 0);
}

/* Commits all of a clone, `seconds` after CLASS_TIME. */
static void commit(ClassFolder *class, const char *clone, int seconds) {
    shell(class,
          arena_format(class->arena, "cd %s && git add -A && GIT_COMMITTER_DATE='%d +0000' git commit -qm x",
                       clone, CLASS_TIME + seconds));
}

static void times_of_commits(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    shell(&class, "git init -q lab-ann && git init -q lab-ben");
    class_put(&class, "lab-ann/work/01-vector-add.cu", "first", 900);
    class_put(&class, "lab-ann/work/07-block-sum-dynamic.cu", "seven", 900);
    commit(&class, "lab-ann", 10);
    class_put(&class, "lab-ann/work/01-vector-add.cu", "second", 900);
    commit(&class, "lab-ann", 20);
    class_put(&class, "lab-ann/README", "a later commit that touches no program", 900);
    commit(&class, "lab-ann", 30);
    class_put(&class, "lab-ben/01-vector-add.cu", "committed", 900);
    commit(&class, "lab-ben", 40);
    class_put(&class, "lab-ben/01-vector-add.cu", "changed since", 900);
    class_put(&class, "lab-ben/08-block-sum-static.cu", "new", 900);
    class_expect(&class, "", NULL,
                 "lab-ann <> \nlab-ben <> \n"
                 "lab-ann: 01-vector-add lab-ann/work/01-vector-add.cu 20 commit [second]\n"
                 "lab-ann: 07-block-sum-dynamic lab-ann/work/07-block-sum-dynamic.cu 10 commit [seven]\n"
                 "lab-ben: 01-vector-add lab-ben/01-vector-add.cu 900 file [changed since] NOTE the file "
                 "differs from what was "
                 "committed, so its time is the file's own\n"
                 "lab-ben: 08-block-sum-static lab-ben/08-block-sum-static.cu 900 file [new] NOTE the file "
                 "was never committed, "
                 "so its time is the file's own\n");
    class_close(&class);
}

/* Of the two files for a lesson the one that was committed last, though it lies on the disk for longer. */
static void the_later_commit_counts(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    shell(&class, "git init -q ann");
    class_put(&class, "ann/01-vector-add.cu", "new", 100);
    class_put(&class, "ann/work/01-vector-add.cu", "old", 900);
    shell(&class, "cd ann && git add work && GIT_COMMITTER_DATE='1700000010 +0000' git commit -qm x");
    commit(&class, "ann", 20);
    class_read(&class, "", NULL);
    class_expect_word(
        &class, "ann/01-vector-add.cu 20 commit [new] NOTE an older file for the same lesson was left out: "
                "ann/work/01-vector-add.cu\n");
    class_close(&class);
}

/* Every setting that can name a program names one that leaves a mark. */
static void hostile_clone(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    shell(&class, "printf '#!/bin/sh\\ntouch \"%s/mark\"\\ntouch /in/mark\\n' \"$PWD\" >evil && chmod 755 "
                  "evil && git init -q ann");
    class_put(&class, "ann/01-vector-add.cu", "one", 900);
    commit(&class, "ann", 10);
    shell(&class, "cd ann && for key in core.fsmonitor core.sshCommand core.pager core.editor pager.log "
                  "diff.external gpg.program "
                  "core.askPass credential.helper uploadpack.packObjectsHook diff.x.textconv diff.x.command "
                  "filter.x.clean "
                  "filter.x.smudge; do git config $key \"$HOME/evil\"; done");
    shell(
        &class,
        "cd ann && git config log.showSignature true && git config alias.log '!../evil' && git config "
        "core.hooksPath $HOME && "
        "git config include.path $HOME/more && git config extensions.partialClone origin && "
        "git config remote.origin.url \"ext::$HOME/evil\" && git config protocol.ext.allow always && "
        "git config remote.origin.promisor true && echo \"*.cu diff=x filter=x\" >.gitattributes && "
        "echo \"$HOME/elsewhere\" >.git/objects/info/alternates && cp ../evil .git/hooks/post-index-change");
    class_read(&class, "", NULL);
    class_expect_word(&class, "ann: 01-vector-add ann/01-vector-add.cu ");
    assert_int_not_equal(access(class_path(&class, "mark"), F_OK), 0);
    assert_int_not_equal(access(class_path(&class, "ann/.git/mark"), F_OK), 0);
    shell(&class, "cd ann && { git status || true; }"); /* the traps are real */
    assert_int_equal(access(class_path(&class, "mark"), F_OK), 0);
    class_close(&class);
}

/* Not a repository at all, and one that lies elsewhere: one line, and the files' own times. */
static void broken_clones(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "ann/.git/HEAD", "nonsense", 0);
    class_put(&class, "ann/01-vector-add.cu", "one", 5);
    class_put(&class, "ben/.git", "gitdir: ../elsewhere", 0);
    class_put(&class, "ben/01-vector-add.cu", "two", 6);
    class_put(&class, "cy/01-vector-add.cu", "three", 7);
    shell(&class, "git init -q elsewhere.git && ln -s ../elsewhere.git cy/.git && rm -rf elsewhere.git");
    class_read(&class, "", NULL);
    class_expect_word(&class, "ann: 01-vector-add ann/01-vector-add.cu 5 file [one]\n"
                              "ben: 01-vector-add ben/01-vector-add.cu 6 file [two]\n"
                              "cy: 01-vector-add cy/01-vector-add.cu 7 file [three]\n"
                              "ann: warning: its history cannot be read: fatal: ");
    class_expect_word(&class, "the times of the files on this disk are taken instead");
    class_close(&class);
}

/* Whoever has clones without end costs the others nothing: some are read, and one line says that the rest is
 * not. */
static void clones_without_end(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    for (int i = 10; i < 40; i++) {
        class_put(&class, arena_format(class.arena, "ann/%d/.git/HEAD", i), "nonsense", 0);
        class_put(&class, arena_format(class.arena, "ann/%d/01-vector-add.cu", i), "one", 5);
    }
    class_put(&class, "ben/01-vector-add.cu", "two", 6);
    shell(&class, "git init -q ben && mkdir -p ben/empty/.git");
    commit(&class, "ben", 20);
    class_read(&class, "", NULL);
    class_expect_word(&class, "ben: 01-vector-add ben/01-vector-add.cu 20 commit [two]\n");
    class_expect_word(&class, "ann/10: warning: its history cannot be read: fatal: ");
    class_expect_word(&class, "; the same with 15 more: ann/11, ann/12, ann/13 and 12 others\n");
    class_expect_word(&class, "ann/26: warning: is one clone too many of one student, and neither it nor any "
                              "further one is read\n");
    assert_null(strstr(class.said.bytes, "ann/27: warning"));
    class_close(&class);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_commits),   cmocka_unit_test(the_later_commit_counts),
        cmocka_unit_test(hostile_clone),      cmocka_unit_test(broken_clones),
        cmocka_unit_test(clones_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
