#!/bin/bash
# The repository that students get (make class-copy): what is not in it, and that it works. To save time it takes over our objects, and builds what
# differs. With WHOLE=1 it builds everything and the pages (make test-class-copy).
# BUILD names the build folder, which has the pages' reports. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8 NO_COLOR=1
. tests/authoring/copies.bash
copy=$work/copy

refused() { # what is said of it, words of the message, DIR
    output=$(BUILD=$build sh authoring/class-copy.sh "$3" 2>&1)
    status=$?
    verdict "refused: $1" "$([ $status -eq 2 ] && grep -qF -- "$2" <<<"$output" && [ "$(wc -l <<<"$output")" -eq 2 ] || echo "exit status $status: $output")"
}
mkdir "$work/full" && echo mine >"$work/full/notes.txt" && echo a >"$work/file"
refused "no folder" "the folder is missing" ""
refused "a folder with something in it" "is there, and not empty" "$work/full"
refused "a file" "is no folder" "$work/file"
refused "a folder in none" "no folder that you can write to" "$work/none/copy"
holds "what is refused is left alone" "$([ "$(ls "$work/full")" = notes.txt ] && [ "$(cat "$work/file")" = a ] && [ ! -e "$work/none" ]; echo $?)"

mkdir "$copy" # an empty one will do
output=$(BUILD=$build sh authoring/class-copy.sh "$copy" 2>&1)
holds "a copy is written: $output" $?
holds "and nothing beside it" "$([ "$(ls -A "$work" | tr '\n' ' ')" = "copy file full " ]; echo $?)"

for absent in solutions tests authoring grading .git .ci docs/teaching.md docs/ARCHITECTURE.md CONTRIBUTING.md work build; do
    holds "a copy has no $absent" "$([ ! -e "$copy/$absent" ]; echo $?)"
done
verdict "nothing of it is called hidden, or a mutant" "$(find "$copy" -name 'hidden.def' -o -name '*mutant*' ! -name mutant.sh)"
verdict "no page asks for a file that is not there" "$(cd "$copy" && grep -rnE 'include="|`solutions/' lessons/*/lesson.md)"
verdict "no page or report names a file of the teacher's" "$(cd "$copy" && grep -rlE '(solutions|tests)/' lessons/*/lesson.md lessons/*/reports docs/build/reports)"
verdict "no solution is told" "$(python3 tests/authoring/leaks.py . "$copy" 2>&1)"
cp solutions/12-grid-sum-atomic/solution.cu "$copy/lessons/common/forgotten.h"
holds "one that is put there is found" "$(python3 tests/authoring/leaks.py . "$copy" 2>&1 | grep -q '^lessons/common/forgotten.h tells what lesson 12'; echo $?)"
rm "$copy/lessons/common/forgotten.h"
for lesson in lessons/[0-9]*; do
    lesson=$(basename "$lesson")
    holds "$lesson is all there" "$(cmp -s "starter/$lesson.cu" "$copy/starter/$lesson.cu" && cmp -s "lessons/$lesson/judge.c" "$copy/lessons/$lesson/judge.c" &&
        [ "$(grep -c 'report mutant=' "$copy/lessons/$lesson/lesson.md")" -eq "$(ls "$copy/lessons/$lesson/reports" 2>/dev/null | wc -l)" ]; echo $?)"
done

if [ -z "${WHOLE:-}" ]; then
    take_build "$copy"
    rm "$copy/build/obj/warpschool/main.o" # what it includes is gone
fi
output=$(make -C "$copy" exercise 2>&1)
holds "make exercise builds it and checks the first lesson: ${output: -300}" "$(grep -q '^01-vector-add: not yet, 0 of 10 points' <<<"$output" && [ -f "$copy/work/01-vector-add.cu" ]; echo $?)"
verdict "its program knows no hidden case" "$(strings -a "$copy/build/bin/warpschool" | grep -F "$(sed -n 's/.*\.concept = "\(.*\)",/\1/p' lessons/*/hidden.def)")"
output=$("$copy/build/bin/warpschool" check 01 "$copy/starter/01-vector-add.cu" --format junit 2>&1)
holds "nor are its formats: $output" "$([ $? -eq 2 ] && grep -q 'no format `junit` here' <<<"$output"; echo $?)"
holds "grading is not in it" "$(! "$copy/build/bin/warpschool" help | grep -qE '^  (grade|gradebook|similarity) '; echo $?)"
output=$(make -C "$copy" list 2>&1)
holds "make list has all lessons" "$([ "$(grep -cE '^[> ]+ [0-9]{2}-' <<<"$output")" -eq "$(ls -d lessons/[0-9]* | wc -l)" ]; echo $?)"
output=$(make -C "$copy" help 2>&1)
holds "make help has what learners type" "$(grep -q 'make notes' <<<"$output" && ! grep -qE 'class-copy|make test' <<<"$output"; echo $?)"

# The course in a browser is for one learner there; a class is served from the whole course. Where the course itself has no server, no copy has.
if [ -x "$build/bin/warpschool-http" ]; then (
    build=$copy/build course=$copy
    . tests/serve/serving.bash
    course=$copy
    start_server || { echo "the server does not start" && exit; }
    cookie=$(curl -si "$address/?key=$key" | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p')
    curl -s -H "Cookie: $cookie" -H "Origin: $address" -d do=check "$address/lessons/01-vector-add/form"
    curl -s -H "Cookie: $cookie" "$address/lessons/01-vector-add.html" | grep -q 'Not yet: 0 of 10 points' || echo "no verdict is on the page"
    stop_server || echo "the server ends badly"
    mkdir "$work/autumn" && echo id,name >"$work/autumn/roster.csv"
    "$build/bin/warpschool" --root "$copy" serve --class "$work/autumn" 2>&1 | grep -q 'serves one learner' || echo "a class is served"
) >"$work/served" 2>&1
verdict "it serves one learner in a browser, and no class" "$(cat "$work/served")"; fi
# A teacher may leave it out: a line `drop serve/*` in authoring/class-copy.txt.
mv "$copy/serve" "$work/serve" && rm "$copy/build/obj/warpschool/main.o"
output=$(make -C "$copy" list 2>&1)
holds "without serve/ it builds, and has all else: ${output: -300}" "$(grep -q '01-vector-add' <<<"$output" && ! "$copy/build/bin/warpschool" help | grep -q '^  serve '; echo $?)"
mv "$work/serve" "$copy/serve" && rm "$copy/build/obj/warpschool/main.o"

starter() { # lesson
    local wanted
    wanted=$(sed -n 's/^starter_fails: *//p' "lessons/$1/lesson.yaml")
    verdict "starter $1 fails as declared in the copy" "$("$copy/build/bin/warpschool" check "$1" "$copy/starter/$1.cu" --json 2>&1 |
        jq -r --arg wanted "$wanted" 'if .verdict == "fail" and [.findings[] | select(.severity == "error")][0].kind == $wanted then empty else [.verdict, .problem, .findings[].kind] end' 2>&1)"
}
# Those of the core path; all of them, CUB's long compilation among them, with WHOLE.
side_by_side starter < <(cd lessons && if [ -n "${WHOLE:-}" ]; then ls -d [0-9]*; else grep -l '^core: true' [0-9]*/lesson.yaml | xargs -n 1 dirname; fi)

if [ -n "${WHOLE:-}" ]; then
    output=$(make -C "$copy" notes 2>&1)
    holds "make notes builds its pages: ${output: -300}" $?
    verdict "no page tells of a solution's file" "$(grep -rlE '(solutions|tests)/' "$copy"/build/site/lessons/*.html "$copy"/build/site/findings/*.html)"
    # The reference is not in it; all else is as on our own pages.
    verdict "its pages are as ours" "$(BUILD=$copy/build bash tests/site/run.sh 2>/dev/null | grep '^FAILED' | grep -v '^FAILED \(reference\|the reference\|the attacks\)')"
fi
finish
