#!/bin/bash
# What an instructor asks a gradebook: gradebook, override, diff; the rules of course.yaml; and what is said of files that are
# no gradebook. The book is written by tests/grading/scene_book. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
warpschool=$build/bin/warpschool scene=$build/tests/grading/scene_book
book=$work/gradebook.db

ask() { # arguments of warpschool; leaves $status, out, log
    (cd "$work" && timeout 300 "$warpschool" "$@") >"$work/out" 2>"$work/log" </dev/null
    status=$?
}
check() { # name, command that tells
    selected "$1" || return 0
    local problem=
    eval "$2" || problem="not so: $2 (status $status) $(tail -n 12 "$work/out" "$work/log" 2>/dev/null)"
    verdict "$1" "$problem"
}
says() { grep -qF -- "$1" "$work/out"; }
complains() { grep -qF -- "$1" "$work/log" && [ ! -s "$work/out" ]; }
anew() { rm -rf "$work"/gradebook.db* "$work/course.yaml" && "$scene" "$book" "$@"; } # [rules]

rules='id: cuda-2026
title: CUDA C, autumn 2026
lessons:
  01: {weight: 5}
  07: {weight: 20, due: 2026-11-20 23:00 Z}
late: {grace_minutes: 60, percent_per_day: 12.5, none_after_days: 5}'

anew
ask gradebook
check "the class: a row for each student, and a person must look" '[ $status -eq 1 ] && says "cuda-2026: 4 students" && grep -qE "^ann +Ann Other +10 +8 +18$" "$work/out" &&
    grep -qE "^bob +- +9 +9$" "$work/out" && grep -qE "^carl +refused +- +0$" "$work/out" && grep -qE "^dora +.*Dora.* +look! +- +0$" "$work/out" && grep -qE "^of +10 +10 +20$" "$work/out"'
check "the class: signs are explained" 'says "look!    the grader failed" && ! says "waits "'
ask gradebook --student aother
check "a student, by login: nobody must look at anything of hers" '[ $status -eq 0 ] && says "ann, Ann Other, ann@example.org, aother" && says "one of 2 files" && says "sum: 18 of 20 points"'
ask gradebook --lesson 7
check "why points are missing" 'says "    judged: 8 of 10" && says "        2 points: for a program whose answers are all right"'
ask gradebook --student dora
check "names and paths of others change no terminal" '[ $status -eq 1 ] && says "\x1B[31mDora" && says "01\x1B[2J.cu" && ! grep -q $'"'\\x1b'"' "$work/out"'
check "what a person must look at, and what to do" 'says "the grader failed: the worker died" && says "what to do: look at its log"'
ask gradebook --lesson 7
check "a lesson" '[ $status -eq 0 ] && says "2 graded, 0 with all points; nothing was handed in: 2" && says "mean 8.5, median 8.5 of 10 points"'
ask gradebook --gradings
check "gradings, without their seeds" '[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 2 ] && ! grep -q 424242 "$work/out"'
ask gradebook --student ann
cp "$work/out" "$work/all" && ask gradebook && cat "$work/out" >>"$work/all" && ask diff && cat "$work/out" >>"$work/all"
check "no other word tells the seed" '! grep -q 424242 "$work/all"'
ask gradebook --seed
check "the seed, when it is asked for" '[ "$(grep -c "seed 424242" "$work/out")" -eq 2 ]'
COLUMNS=40 ask gradebook
check "a narrow terminal gets more tables" '[ "$(awk "{ if (length > 60) n++ } END { print n + 0 }" "$work/out")" -eq 0 ] && says "sum"'

ask diff
check "diff: what changed, and why" '[ $status -eq 1 ] && grep -qxF "ann (Ann Other), 07-block-sum-dynamic: 4 of 10 -> 8 of 10 (another file was handed in)" "$work/out" && says "2 grades differ between grading 1 and grading 2"'
check "diff: a first file has no other reason" 'grep -qxF "bob, 07-block-sum-dynamic: nothing handed in -> 9 of 10" "$work/out"'
ask diff 2 1
check "diff: the other way round" 'grep -qxF "ann (Ann Other), 07-block-sum-dynamic: 8 of 10 -> 4 of 10 (another file was handed in)" "$work/out" && grep -qxF "bob, 07-block-sum-dynamic: 9 of 10 -> nothing handed in" "$work/out"'
ask diff 2 2
check "diff: nothing between a grading and itself" '[ $status -eq 0 ] && says "0 grades differ"'
ask diff 1 7
check "diff: no such grading" '[ $status -eq 2 ] && complains "there is no grading number \`7\`"'

# ---- by hand ----
ask override carl 1 7.25
check "no override without a reason" '[ $status -eq 2 ] && complains "only with a reason"'
ask override carl 1 7.25 --reason "  "
check "a blank is no reason" '[ $status -eq 2 ] && complains "only with a reason"'
for points in -1 1e3 7.2345 1,5 100001 NaN ""; do
    ask override carl 1 "$points" --reason why
    check "no override of '$points'" '[ $status -eq 2 ] && [ ! -s "$work/out" ]'
done
ask override carol 1 5 --reason why
check "an unknown student" '[ $status -eq 2 ] && complains "there is no student \`carol\`"'
ask override carl 77 5 --reason why
check "an unknown lesson" '[ $status -eq 2 ] && complains "there is no lesson \`77\`"'
ask override carl 2 5 --reason why
check "a lesson that nobody handed in" '[ $status -eq 2 ] && complains "is not part of this class"'
ask override carl 1 --undo --reason why
check "nothing to take back" '[ $status -eq 2 ] && complains "was not changed by hand"'
ask override carl 1 7.25 --reason "a link to a right file" --author eve
check "an override" '[ $status -eq 0 ] && says "carl, 01-vector-add: 7.25 of 10 points, by hand"'
ask gradebook
check "it counts, and is marked" 'grep -qE "^carl +7\.25\* +- +7\.25$" "$work/out" && says "*        changed by hand"'
ask gradebook --student carl
check "it says who and why" 'says "changed by hand, by eve" && says "because: a link to a right file"'
ask override dora 1 10 --reason "looked at it" --author eve
ask gradebook
check "nobody must look any more" '[ $status -eq 0 ]'
ask override carl 1 --undo --reason "it was not"  --author eve
ask gradebook --overrides
check "all of them are kept" '[ "$(wc -l <"$work/out")" -eq 3 ] && says "taken back, by eve: it was not"'

# ---- a teacher's words ----
cell() { # column, regular expression of the line: of export csv
    python3 -c 'import csv, re, sys
for row in csv.DictReader(open(sys.argv[1])):
    if re.search(sys.argv[3], row["student"] + " " + row["lesson"]): print(row[sys.argv[2]])' "$work/out" "$1" "$2"
}
anew "$(printf 'id: cuda-2026\nrubric: [style, report]')"
ask gradebook --remove dora
check "nobody is removed without a reason" '[ $status -eq 2 ] && complains "only with a reason"'
ask gradebook --remove nobody --reason why
check "nor somebody unknown" '[ $status -eq 2 ] && complains "there is no student \`nobody\`"'
ask gradebook --restore ann --reason why
check "nor restored who was there all the time" '[ $status -eq 2 ] && complains "is neither removed nor excused"'
ask gradebook --remove dora --lesson 1 --reason why
check "a lesson is excused and not removed" '[ $status -eq 2 ] && complains "--excuse takes a lesson"'
ask gradebook --remove dora --reason "made by a first run" --author eve
ask gradebook
check "a removed student is in no table, and it is said how many are" '[ $status -eq 0 ] && ! says dora && says "3 students" && says "1 student was removed: warpschool gradebook --history"'
ask export csv
check "nor in an export" '[ -z "$(cell student dora)" ] && [ "$(cell student ann | wc -l)" -eq 2 ]'
ask gradebook --restore dora --reason "she is back" --author eve
ask gradebook --excuse aother --lesson 7 --reason "ill: =1+1<b>" --author eve
ask gradebook --history
check "all of it stays in the history" '[ "$(wc -l <"$work/out")" -eq 3 ] && says "dora: removed from the class, by eve: made by a first run" && says "dora: restored, by eve" && says "ann, 07-block-sum-dynamic: excused, by eve"'
ask gradebook
check "an excused lesson has no points, and is not missed" 'grep -qE "^ann +Ann Other +10 +excused +10$" "$work/out" && says "excused  does not count for this student" && says dora'
ask gradebook --student ann
check "and counts in no sum" 'says "sum: 10 of 10 points" && says "excused, by eve" && says "because: ill: =1+1<b>"'
ask override ann 7 5 --reason why
check "points by hand would contradict it" '[ $status -eq 2 ] && complains "excused from this lesson"'
ask export csv
check "csv: excused, why, by whom" '[ "$(cell verdict "ann 07")" = excused ] && [ -z "$(cell points "ann 07")" ] && [ "$(cell excuse_author "ann 07")" = eve ] && cell remarks "ann 07" | grep -qF "Excused, so this lesson does not count for you: ill: "'
ask export canvas
check "canvas: EX, and the lesson keeps its points" 'grep -q "^\"Ann Other\",.*,10,EX$" "$work/out" && grep -q "^    Points Possible,,,,,10,10$" "$work/out"'
ask gradebook --restore ann --lesson 7 --reason "she was not ill"
ask comment ann 7 "names say nothing" --item styl --points -1
check "an item that the rules do not list" '[ $status -eq 2 ] && complains "the rubric has no item \`styl\`" && grep -q "Did you mean style?" "$work/log"'
ask comment ann 7 "names say nothing" --item style --points -1.5e3
check "points that are no number" '[ $status -eq 2 ] && complains "must be a decimal number"'
ask comment ann 7 --item style --points 1
check "points without a word" '[ $status -eq 2 ] && complains "TEXT is missing"'
ask comment ann 7 "names say nothing" --item style --points -3 --author eve
ask comment ann 7 "names say little" --item style --points -1 --author eve
ask comment ann 7 "=1+1 <i>well done</i>" --author eve
ask comment --everybody 7 "see page 3" --author eve
ask gradebook --student ann
check "the last word on an item counts; comments add up" 'says "07-block-sum-dynamic: 7 of 10 points" && says "judged: 8 of 10" && says "style: -1, by eve: names say little" && ! says "names say nothing" && says "comment, by eve: =1+1 <i>well" && says "comment, by eve: see page 3"'
ask export csv
check "csv: points with the item's, and what was said" '[ "$(cell points "ann 07")" = 7 ] && [ "$(cell score "ann 07")" = 8 ] && [ "$(cell item_points "ann 07")" = -1 ] && cell remarks "ann 07" | grep -qF "style, -1 point: names say little. Comment: " && cell remarks "bob 07" | grep -qF "Comment: see page 3"'
ask export feedback --student ann
check "the student's page has it, harmless" 'says "style, -1 point: names say little" && says "&lt;i&gt;well done" && says "see page 3"'
ask export json
check "json: each remark by itself" '[ "$(jq -c "[.students[0].grades[1].remarks[] | [.item, .points, .author]]" "$work/out")" = "[[\"style\",-1,\"eve\"],[null,null,\"eve\"],[null,null,\"eve\"]]" ]'
mv "$book" "$work/lost.db" && ask gradebook && "$scene" "$book" >"$work/log" 2>&1 || true
ask gradebook --history
check "the words outlive a lost book" '[ "$(wc -l <"$work/out")" -eq 8 ] && says "everybody, 07-block-sum-dynamic: comment, by eve: see page 3"'
ask comment ann 7 --undo --item style
ask comment ann 7 --undo --author eve
ask gradebook --student ann
check "taken back: the item's points, and the comments on this grade" 'says "07-block-sum-dynamic: 8 of 10 points" && ! says "names say" && ! says "well done" && says "see page 3"'
ask comment ann 7 --undo
check "nothing is left to take back" '[ $status -eq 2 ] && complains "nothing to take back"'
printf 'id: cuda-2026\nrubric:\n  - style\n  - style\n' >"$work/other.yaml"
ask gradebook --course other.yaml
check "an item that stands twice: file and line" '[ $status -eq 2 ] && complains "other.yaml:4:5: error: the item style stands here twice"'

# ---- release ----
ask gradebook --release 7
check "a course without holding has nothing to release" '[ $status -eq 2 ] && complains "grades go out at once"'
anew "$(printf 'id: cuda-2026\nrelease: by-hand')"
ask comment ann 7 "well done"
ask export canvas
check "what is not released goes to no other system, and that is said" '[ $status -eq 1 ] && grep -q "^\"Ann Other\",.*,,$" "$work/out" && grep -q "not released are left out; lessons: 2 of 2" "$work/log" && grep -q ",10,10$" "$work/out"'
ask export text --student ann
check "nor to a student" 'says "The grade is not released yet." && ! says "well done" && ! says "8 of 10" && ! says passed'
ask export gradescope --student ann
check "nor as a zero" '[ $status -eq 1 ] && complains "this is not released"'
ask export csv
check "the staff see them" '[ "$(cell points "ann 07")" = 8 ]'
ask gradebook --lesson 7
check "and that they are not out" 'says "not released: warpschool gradebook --release LESSON" && says "8 of 10 points"'
ask gradebook --release 9
check "a lesson that is not of the class" '[ $status -eq 2 ] && [ ! -s "$work/out" ]'
ask gradebook --release 7 --author eve
ask gradebook --lesson 7
check "a release says who and when" 'grep -qE "^released 20[0-9-]+ [0-9:]+ UTC, by eve$" "$work/out"'
ask export canvas
check "one lesson is out, the other is not" 'grep -q "^\"Ann Other\",.*,,8$" "$work/out" && grep -q "lessons: 1 of 2" "$work/log"'
ask export text --student ann
check "and its comment" 'says "well done" && says "The grade is not released yet."'
ask export json
check "json: who let what out" '[ "$(jq -c "[.lessons[] | [.held, .released_by]]" "$work/out")" = "[[true,null],[null,\"eve\"]]" ]'
ask gradebook --release all --author eve
ask gradebook --hold 1 --author eve
ask export canvas
check "held back again" 'grep -q "^\"Ann Other\",.*,,8$" "$work/out"'
ask gradebook --history
check "all of it is in the history" 'says "07-block-sum-dynamic: released, by eve" && says "all lessons: released" && says "01-vector-add: held back"'
printf 'id: cuda-2026\nrelease: never\n' >"$work/other.yaml"
ask gradebook --course other.yaml
check "a way of release that there is not: file and line" '[ $status -eq 2 ] && complains "other.yaml:2:10: error: \`release\` must be at-once or by-hand"'

# ---- without names ----
anew "$(printf 'id: cuda-2026\nanonymous: true')"
ask gradebook
check "names that are shown at once are hidden from nobody" '[ $status -eq 2 ] && complains "anonymous grading ends with the release"'
anew "$(printf 'id: cuda-2026\nrelease: by-hand\nanonymous: true')"
who='\bann|aother|ann other|\bbob|\bcarl|dora'
nameless() { ! grep -qiE "$who" "$work/out" "$work/log"; }
ask gradebook
check "anonymous: numbers for names, and in their order" '[ $status -eq 1 ] && nameless && grep -qE "^[0-9]{4}-[0-9]{4} +10 +8 +18$" "$work/out" && grep -E "^[0-9]{4}-" "$work/out" | sort -c && says "go by numbers until"'
number=$(sed -nE 's/^([0-9-]+) +10 +8 +18$/\1/p' "$work/out")
for command in "gradebook --student $number" "gradebook --lesson 7" "gradebook --lesson 1" "export csv" "export json" diff; do
    ask $command
    check "anonymous: nobody is named by $command" 'nameless && says "$number"'
done
ask export report
check "anonymous: nobody is named by the report" nameless
ask gradebook --student ann
check "anonymous: a name is no number" '[ $status -eq 2 ] && complains "grading is anonymous"'
for format in canvas moodle text lti; do
    ask export $format --student ann
    check "anonymous: nothing goes out before the release: $format" '[ $status -eq 2 ] && complains "nothing is released"'
done
ask comment "$number" 7 "clearly written" --author eve && ask override "$number" 1 9 --reason "half a point" --author eve
check "anonymous: a word by number" '[ $status -eq 0 ] && nameless && says "$number, 01-vector-add: 9 of 10"'
ask gradebook --history && cat "$work/out" >"$work/all" && ask gradebook --overrides && cat "$work/all" >>"$work/out"
check "anonymous: the history has numbers" 'nameless && [ "$(grep -c "$number" "$work/out")" -eq 2 ]'
ask gradebook --excuse bob --lesson 7 --reason ill --author eve
check "anonymous: who counts is said of people" '[ $status -eq 0 ] && says "bob, 07"'
mkdir -p "$work/class/ann" "$work/class/zoe" && cp solutions/07-block-sum-dynamic/solution.cu "$work/class/ann/07.cu" && sed 's/temp/t/' solutions/07-block-sum-dynamic/solution.cu >"$work/class/zoe/07.cu"
ask similarity class --out pages
check "anonymous: programs that are alike are numbers" 'grep -q "$number" "$work/pages/07-block-sum-dynamic.html" && ! grep -qwE "ann|zoe" "$work/out" "$work/log" "$work/pages/07-block-sum-dynamic.html"'
for one in ann bob carl; do mkdir -p "$work/strays/$one" && echo x >"$work/strays/$one/kernel.cu"; done
printf 'id,name\nann,Ann Other\nbob,Bob\ncarl,Carl\ndora,Dora\n' >"$work/strays.csv"
cp "$work/gradebook.db" "$work/kept.db"
ask grade strays --roster strays.csv --allow-weak-sandbox
check "anonymous: what is refused goes by numbers, and is said once" 'nameless && says "refused 3 files: no lesson has this name" && [ "$(grep -cE "^    - a file of [0-9]{4}-[0-9]{4}$" "$work/out")" = 3 ] && grep "^    - a file of" "$work/out" | sort -c && grep -q "1 of 4 have handed in nothing$" "$work/log"'
check "most programs have the name of no lesson: the option is named" 'says "3 of 3 programs are named as no lesson" && says "--lesson 07"'
mv "$work/kept.db" "$work/gradebook.db"
ask gradebook --release 7 --author eve
ask gradebook
check "anonymous: one lesson is still to be graded" 'says "$number" && ! says "Ann Other"'
printf 'id: cuda-2026\nrelease: by-hand\nanonymous: true\nlessons: {07: {due: 2026-11-20 23:00 Z}}\nextensions: [{student: %s, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}]\n' "$number" >"$work/course.yaml"
ask gradebook
check "anonymous: an extension is a person's" 'grep -q "there is no student .$number." "$work/log" && grep -q "of the roster: numbers are for grades alone" "$work/log"'
rm "$work/course.yaml"
ask override ann 7 7.5 --reason "shown in the lab" --author eve
check "anonymous: who asks about a grade that is released may be named" '[ $status -eq 0 ] && says "ann, 07-block-sum-dynamic: 7.5 of 10"'
ask comment ann@example.org 7 "seen" --author eve && ask grade --explain ann 7 && ask override ann 7 --undo --reason "a slip" --author eve
check "anonymous: and so for all that is said of such a grade" '[ $status -eq 0 ] && says "ann, 07-block-sum-dynamic"'
ask comment ann 1 "seen"
check "anonymous: of others a name is no number" '[ $status -eq 2 ] && complains "no number"'
ask export canvas
check "anonymous: what is released goes out under names, and nothing else" 'grep -q "^\"Ann Other\",.*,,8$" "$work/out"'
ask gradebook --release 1 --author eve
ask gradebook
check "anonymous: then names are back" 'grep -qE "^ann +Ann Other +9\* +8 +17\*?$" "$work/out" && ! says "by numbers"'
ask gradebook --history
check "anonymous: and in the history, with who and when" 'says "ann, 07-block-sum-dynamic: comment, by eve" && says "01-vector-add: released, by eve"'
ask export text --student ann
check "anonymous: the student reads her own" 'says "clearly written" && ! says "$number"'

# ---- what other systems call a lesson ----
anew "$(printf 'id: cuda-2026\nlessons:\n  01: {}\n  07: {column: "=Lab, 3 (4711)"}')"
ask export canvas
check "canvas: the column that the rules name, harmless" 'head -n 1 "$work/out" | grep -qF "\"01-vector-add\"," && head -n 1 "$work/out" | grep -qF "Lab, 3 (4711)\""'
ask export moodle
check "moodle: the same, for points and feedback" 'head -n 1 "$work/out" | grep -qF "Lab, 3 (4711) (feedback)\""'
ask export lti
check "lti: the same" '[ "$(grep -c "Lab, 3 (4711)" "$work/out")" -eq 4 ]'
printf 'id: cuda-2026\nlessons:\n  01: {column: Lab}\n  07: {column: Lab}\n' >"$work/other.yaml"
ask export canvas --course other.yaml
check "two lessons in one column: file and line" '[ $status -eq 2 ] && complains "other.yaml:4: error: the column Lab is that of 01-vector-add as well"'

# ---- the help ----
ask gradebook --help
check "the help: options by purpose, and what has commands of its own" '[ $status -eq 0 ] && says "Who counts, one of these with --reason TEXT:" && says "warpschool comment STUDENT LESSON TEXT" && [ "$(sed -n 5p "$work/out" | cut -c1-15)" = "What to look at" ]'
ask gradebook --lessn 7
check "the help: a heading is no option" '[ $status -eq 2 ] && grep -q "Did you mean --lesson?" "$work/log"'

# ---- the class at a glance ----
anew "$(printf 'id: cuda-2026\nleaderboard:\n  aother: Quick Fox\n  nobody: Ghost')"
ask export report
check "a glance: time and files to pass, of those who passed" '[ $status -eq 1 ] && grep -qE "<td>01-vector-add</td><td class=\"number\">1</td>.*aria-label=\"programs by tenths of the score: 0 0 0 0 0 0 0 0 0 0 1\"" "$work/out" && says "0 minutes, 1 file"'
ask export leaderboard
check "the leaderboard has nobody who did not ask, and tells whom nobody knows" '! grep -qE "bob|carl|Ann Other|aother" "$work/out" && grep -q "course.*no student .nobody. for the leaderboard\|there is no student .nobody. for the leaderboard" "$work/log"'
printf 'id: cuda-2026\nleaderboard: {ann: Fox, bob: Fox}\n' >"$work/other.yaml"
ask gradebook --course other.yaml
check "two under one name: file and line" '[ $status -eq 2 ] && complains "other.yaml:2:25: error: the name Fox is taken in line 2"'

# ---- lessons that count together ----
together='id: cuda-2026
lessons:
  01: {weight: 10, group: homework}
  07: {weight: 20, group: homework, column: {moodle: "Lab 7"}}
  12: {weight: 5}
groups:
  homework: {weight: 60, drop_lowest: 1, column: {canvas: "Homework (77)", autolab: hw}}'
anew "$together"
ask gradebook
check "the lowest of a group is dropped, by its share, and the rest has the group's weight" 'grep -qE "^ann +Ann Other +10 +\(16\) +- +60$" "$work/out" && grep -qE "^bob +\(-\) +18 +- +54$" "$work/out" && grep -qE "^of +10 +20 +5 +65$" "$work/out" && says "( )      dropped"'
ask gradebook --student ann
check "why, and the sums" 'says "dropped, as one of the lowest of the group homework" && says "homework: 60 of 60 points" && says "sum: 60 of 65 points"'
ask export canvas
check "canvas: one assignment for many lessons; what is open stays empty" 'head -n 1 "$work/out" | grep -qF "\"Homework (77)\",\"12-grid-sum-atomic\"" && grep -q "^    Points Possible,,,,,60,5$" "$work/out" && grep -q "^\"bob\",.*,54,$" "$work/out" && grep -q "Dora.*,,$" "$work/out"'
ask export moodle
check "moodle: an assignment for each lesson, and what is dropped is no grade" 'grep -q "^\"ann\",\"Ann\",\"Other\",10,\"\",-,\"Dropped, so it does not count: one of your lowest of the group homework\"" "$work/out" && head -n 1 "$work/out" | grep -qF "\"Lab 7\",\"Lab 7 (feedback)\""'
ask export lti
check "lti: no score for what is dropped" 'grep -q "^\"bob\",\"01-vector-add\",,,Initialized" "$work/out" && grep -q "^\"bob\",\"07-block-sum-dynamic\",18,20," "$work/out"'
ask export prairielearn-upload
check "prairielearn: no line" '[ "$(grep -c "^\"ann@" "$work/out")" -eq 1 ]'
ask export autolab --student ann
check "autolab: one problem for many lessons" '[ "$(tail -n 1 "$work/out" | jq -c .scores.hw)" = 60 ] && [ "$(tail -n 1 "$work/out" | jq -c .scoreboard)" = "[60]" ]'
for format in gradescope classroom50; do
    ask export $format --student ann
    check "the score of $format has the rules of the course" '[ "$(jq .score "$work/out")" = 60 ]'
done
ask export gradescope --student ann --lesson 7
check "a lesson alone is what it is" '[ "$(jq .score "$work/out")" = 16 ]'
ask export csv
check "csv: group, and what is dropped" '[ "$(cell group "ann 07")" = homework ] && [ "$(cell dropped "ann 07")" = yes ] && [ "$(cell dropped "ann 01")" = no ]'
ask export json
check "json: the same, and the sum" '[ "$(jq -c "[.students[0].points, .students[0].max_points, .students[0].grades[1].dropped, .lessons[0].group]" "$work/out")" = "[60,65,true,\"homework\"]" ]'
ask export feedback --student ann
check "the student reads why" 'says "Dropped, so it does not count: one of your lowest of the group homework" && says ">60</td>"'
ask gradebook --excuse ann --lesson 1 --reason ill --author eve && ask gradebook
check "the last one that counts is never dropped" 'grep -qE "^ann +Ann Other +excused +16 +- +48$" "$work/out"'
anew "$(printf '%s\nrelease: by-hand' "$together")" && ask gradebook --release 7 --author eve && ask export canvas
check "what is held back is neither low nor high, and keeps its assignment empty" 'grep -q "^\"bob\",.*,,$" "$work/out"'
ask export moodle
check "nor does it tell that the other one is dropped" 'grep -q "^\"ann\",.*,-,\"The grade is not released yet.\",16," "$work/out"'
for wrong in 's/drop_lowest: 1/drop_lowest: 2/|yaml:7: error: of the group homework no lesson would be left' 's/20, group: homework/20, group: homewok/|there is no group `homewok`' \
    's/moodle: /canvas: /|yaml:4: error: 07-block-sum-dynamic has a column, and so has its group' 's/canvas:/cavas:/|unknown key' 's/, group: homework//|the group homework has no lessons' 's/drop_lowest: 1/drop_lowest: x/|drop_lowest'; do
    printf '%s\n' "$together" | sed "${wrong%%|*}" >"$work/other.yaml"
    ask gradebook --course other.yaml
    check "groups: ${wrong#*|}" '[ $status -eq 2 ] && grep -qF -- "${wrong#*|}" "$work/log"'
done

# ---- rules ----
anew "$rules"
ask gradebook
check "the book keeps the rules: weights, lateness in exact decimals" 'says "CUDA C, autumn 2026" && grep -qE "^ann +Ann Other +5 +16 +21$" "$work/out" && grep -qE "^bob +- +13\.5~ +13\.5$" "$work/out" && grep -qE "^of +5 +20 +25$" "$work/out"'
ask gradebook --student bob
check "lateness in words" 'says "late by 1 day, 1:00 hours: 25 % less"'
printf '%s\n' "$rules" | sed 's/12.5/10/; s/^late/attempts: best\nlate/' >"$work/course.yaml"
ask gradebook
check "course.yaml beside the book comes first" 'grep -qE "^bob +- +14\.4~ +14\.4$" "$work/out"'
printf '%s\nattempts: worst\n' "$rules" >"$work/other.yaml"
ask gradebook --course other.yaml
check "a mistake in the rules: file, line, remedy" '[ $status -eq 2 ] && complains "other.yaml:7:11: error: \`attempts\` must be last or best" && grep -q "last: the newest file counts" "$work/log"'
printf 'id: opengl\n' >"$work/other.yaml"
ask gradebook --course other.yaml
check "another course" '[ $status -eq 2 ] && complains "this is the gradebook of the course \`cuda-2026\`, not of \`opengl\`"'
printf 'id: cuda-2026\nlessons: {01: }\n' >"$work/other.yaml"
ask gradebook --course other.yaml
check "a lesson that the rules leave out is said to be left out" 'grep -q "files for 07-block-sum-dynamic were handed in" "$work/log" && grep -qE "^ann +Ann Other +10 +10$" "$work/out"'

# ---- other dates ----
extended() { # lines of `extensions`, and of `late`
    printf '%s\n' "$rules" | sed "s/^late: {grace_minutes: 60, /late: {${2-}/" >"$work/course.yaml"
    [ -z "$1" ] || printf 'extensions:\n%s\n' "$1" >>"$work/course.yaml"
}
extended '  - {student: bob, lesson: 07, due: 2026-11-21 23:00 Z, reason: "ill; =1+1<b>"}'
ask gradebook
check "another date: less is taken off" 'grep -qE "^bob +- +15\.75~ +15\.75$" "$work/out" && grep -qE "^ann +Ann Other +5 +14~ +19$" "$work/out"'
ask gradebook --student bob
check "another date: when, why, and how late" 'says "due 2026-11-21 23:00 UTC for this student: ill; =1+1<b>" && says "late by 1:00 hours: 12.5 % less"'
ask export csv
check "another date: in csv" '[ "$(cell due "bob 07")" = 2026-11-21T23:00:00Z ] && [ "$(cell due "ann 07")" = 2026-11-20T23:00:00Z ] && cell extension_reason "bob 07" | grep -qF "ill; "'
ask export text --student bob
check "another date: the student reads it" 'says "Due for you on 2026-11-21 23:00 UTC: ill; =1+1<b>"'
extended '  - {lesson: 07, due: 2026-11-21 23:00 Z, reason: the server was down}
  - {student: bob, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}'
ask gradebook
check "the nearest of several dates counts" 'grep -qE "^bob +- +18 +18$" "$work/out"'
extended '  - {student: bob, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}
  - {student: bob, lesson: 7, due: 2026-11-22 23:00 Z, reason: ill}'
ask gradebook
check "two for one student: file and line" '[ $status -eq 2 ] && complains "course.yaml:9: error: line 8 has an extension of the same lesson"'
extended '  - {student: ann, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}
  - {student: aother, lesson: 07, due: 2026-11-22 23:00 Z, reason: ill}'
ask gradebook
check "two for one student under two names: file and line" '[ $status -eq 2 ] && complains "course.yaml:9: error: for the student ann, line 8 has another extension"'
for wrong in '{student: bob, lesson: 07, due: 2026-02-30 23:00 Z, reason: ill}|must be a date, a time and its zone' \
    '{student: bob, lesson: 07, due: 2026-11-19 23:00 Z, reason: ill}|is not later than the lesson 07-block-sum-dynamic is due' \
    '{student: bob, lesson: 01, due: 2026-11-23 23:00 Z, reason: ill}|has no date that could be extended' \
    '{student: bob, lesson: 77, due: 2026-11-23 23:00 Z, reason: ill}|there is no lesson' \
    '{student: bob, section: B, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}|for a student or for a section' \
    '{student: bob, lesson: 07, due: 2026-11-23 23:00 Z}|reason'; do
    extended "  - ${wrong%|*}"
    ask gradebook
    check "an extension that cannot be: ${wrong#*|}" '[ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -F "${wrong#*|}" "$work/log" | grep -q "^course.yaml:8"'
done
# What another system granted becomes lines of course.yaml, which the rules read back.
worksheet='Identifier,"Full name","Email address",Status,Grade'
printf '%s\n' "$worksheet" 'Participant 41,"Ann Other",ann@example.org,"Submitted for grading - Extension granted until: Monday, 23 November 2026, 11:00 PM",' \
    'Participant 42,"Ben Ray",ben@example.org,"No submission",' >"$work/moodle.csv"
ask extensions moodle.csv --lesson 07 --zone +01:00 --reason 'a "word" of \o/; =1+1'
extended "$(cat "$work/out")"
check "granted in Moodle: one line, for the one who has an extension" '[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && says "lesson: 07-block-sum-dynamic, due: 2026-11-23 23:00 +01:00, "'
ask gradebook --student ann
check "granted in Moodle: the rules read it, with its words as they are" '[ $status -eq 0 ] && says "due 2026-11-23 22:00 UTC for this student: a \"word\" of " && says "o/; =1+1"'
printf 'login;assignment;due;note\nbob;7;2026-11-21T23:00:00Z;ill\naother;07;2026-11-22 23:00 -05:00;\n' >"$work/other.csv"
ask extensions other.csv
check "granted, in any table: lesson, zone and reason of each row" '[ $status -eq 0 ] && says "\"bob\", lesson: 07-block-sum-dynamic, due: 2026-11-21 23:00 Z, reason: \"ill\"}" &&
    says "\"aother\", lesson: 07-block-sum-dynamic, due: 2026-11-22 23:00 -05:00, reason: \"granted\"}"'
for wrong in 'login,due\nbob,2026-11-21 23:00 Z|other.csv:2: error: no column says which lesson' 'login,lesson,due\nbob,07,2026-11-21 23:00|other.csv:2: error: the date has no zone' \
    'login,lesson,due\nann,07,2026-11-21 23:00 Z\nbob,07,2026-02-30 23:00 Z|other.csv:3: error: this is no date that can be read: 2026-02-30 23:00 Z' \
    'login,lesson,due\nbob,07,Mittwoch, 25. November|other.csv:2: error: this is no date' 'login,lesson,due\nbob,77,2026-11-21 23:00 Z|there is no lesson' \
    'login,lesson,due\nbob,07,|other.csv: error: no row has an extension'; do
    printf '%b\n' "${wrong%%|*}" >"$work/other.csv"
    ask extensions other.csv
    check "granted, and not understood: ${wrong#*|}" '[ $status -eq 2 ] && complains "${wrong#*|}"'
done
extended '  - {student: eve, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}'
ask gradebook
check "somebody unknown, without a roster: a warning with file and line" 'grep -q "course.yaml:8: warning: there is no student .eve. in the gradebook" "$work/log" && says "4 students"'
python3 -c 'import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute("UPDATE student SET listed = 1"); b.commit()' "$book"
ask gradebook
check "with a roster it is an error" '[ $status -eq 2 ] && complains "course.yaml:8: error: there is no student"'
extended '' 'tokens: 1, '
ask gradebook
check "late days: one of two is saved" 'grep -qE "^bob +- +15\.75~ +15\.75$" "$work/out"'
extended '' 'tokens: 3, '
ask gradebook --student bob
check "late days: no more is spent than saves something" 'says "18 of 20 points" && says "0 % less, for 2 late days" && says "late days: 2 of 3 are spent"'
ask override bob 7 20 --reason why
ask gradebook --student bob
check "late days: none for points by hand" 'says "20 of 20 points" && says "late days: 0 of 3 are spent"'
python3 -c 'import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute("UPDATE student SET email = ? WHERE id = ?", ("AOther", "bob")); b.commit()' "$book"
ask override aother 7 20 --reason why
check "what two students are called is nobody" '[ $status -eq 2 ] && complains "is the login or e-mail of ann and of bob"'
extended '  - {student: aother, lesson: 07, due: 2026-11-23 23:00 Z, reason: ill}'
ask gradebook
check "an extension for either of two: file and line" '[ $status -eq 2 ] && complains "course.yaml:8: error: 2 students of the gradebook are called"'
rm -f "$work/course.yaml"

anew
ask override carl 1 72.5 --reason "a slip"
check "an override of more than the lesson's points is done, and doubted" '[ $status -eq 0 ] && says "72.5 of 10 points" && grep -q "warning: 72.5 points are more than the lesson.s 10" "$work/log" && grep -q -- "--undo" "$work/log"'
ask gradebook --remove bob --reason "made by a first run"
ask diff
check "diff: of whom is in the class; one difference is one" '! says bob && says "1 grade differs between grading 1 and grading 2"'

# What the terminal and the class report say of a lesson is one thing, also with a refused file and points by hand.
ask gradebook --lesson 1
mean=$(grep -o 'mean [0-9.]*, median [0-9.]* of [0-9]* points' "$work/out")
ask export report
check "one mean on the terminal and in the report" '[ -n "$mean" ] && says "; $mean"'

# ---- files that are no gradebook ----
one_line() { [ "$(grep -c error: "$work/log")" -eq 1 ] && [ $status -eq "${1:-2}" ] && grep -q "^    " "$work/log" && [ ! -s "$work/out" ]; }
ask gradebook --gradebook nowhere.db
check "no gradebook: said, and none is made" 'one_line && grep -q "nowhere.db: error: there is no gradebook here" "$work/log" && [ ! -e "$work/nowhere.db" ]'
ask override ann 1 5 --reason why --gradebook nowhere.db
check "override makes none either" 'one_line && [ ! -e "$work/nowhere.db" ]'
ask gradebook --gradebook other.yaml
check "a text" 'one_line && grep -q "this is not a gradebook" "$work/log"'
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("CREATE TABLE cookies (name)")' "$work/cookies.db"
ask gradebook --gradebook cookies.db
check "another program's database" 'one_line && grep -q "a database of another program" "$work/log"'
cp "$book" "$work/over.db" && cp "$book.recovery" "$work/over.db.recovery" && printf '%0100d' 0 | dd of="$work/over.db" conv=notrunc status=none
ask gradebook --gradebook over.db
check "a gradebook whose beginning was overwritten" 'one_line && grep -q "this was a gradebook, and something else has been written over its beginning" "$work/log" && grep -q "move it away and run .warpschool grade. again" "$work/log"'
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 99")' "$book"
ask gradebook
check "a newer schema" 'one_line && grep -q "its schema is 99" "$work/log"'
anew && truncate -s -20000 "$book"
ask gradebook
check "a damaged book is read by no one" 'one_line 3 && grep -q "the gradebook is damaged" "$work/log" && grep -q "warpschool grade" "$work/log"'
for command in diff "export csv"; do
    ask $command
    check "a damaged book is read by no one: $command" 'one_line 3'
done
ask override ann 1 5 --reason why
check "who writes in it sets it aside" '[ -e "$work/gradebook.db.damaged-1" ] && grep -q "a new one has what was whole" "$work/log"'

# ---- a disk without room: the command has nothing to be blamed for ----
anew
trap '' XFSZ
for command in gradebook diff "export csv" "override ann 1 5 --reason why"; do
    (ulimit -f 4 && ask $command; exit $status)
    status=$?
    check "a full disk: $command" 'one_line 3 && grep -q "the disk is full" "$work/log"'
done
trap - XFSZ

# ---- the page of the docs ----
anew
python3 - "$book" docs/gradebook.md >"$work/out" 2>&1 <<'PY'
import re, sqlite3, sys
tables, seen = {}, set()
page = open(sys.argv[2]).read()
for part in re.split(r"^### ", page, flags=re.M)[1:]:
    tables[part.split("\n")[0].strip("`")] = set(re.findall(r"^\| `(\w+)`", part, flags=re.M))
database = sqlite3.connect(sys.argv[1])
for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
    columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
    for name in sorted(columns ^ tables.get(table, set())):
        print(f"{table}.{name} is in one of the schema and the page, not in both")
    seen.add(table)
print(len(seen), "tables")
PY
check "docs/gradebook.md has each table and column" '[ "$(cat "$work/out")" = "8 tables" ]'
finish
