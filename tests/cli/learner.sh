#!/bin/bash
# A learner's way through the course, in a copy of it: exercise, hint, list and reset, one after the other. Every step is taken whatever FILTER
# says, since each starts where the one before it ended; FILTER chooses which are counted. BUILD names the build folder.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8 COLUMNS=80
course=$work/course solution=solutions/01-vector-add/solution.cu
mkdir -p "$course/lessons" && cp -r starter "$course/"
# Few lessons, so that a new one changes no step.
for lesson in 01-vector-add 04-constant-memory 07-block-sum-dynamic 08-block-sum-static 24-scan 25-histogram; do cp -r lessons/$lesson "$course/lessons/"; done
# What a lesson needs must be there.
sed -i 's/^needs: \[1[12]-.*/needs: [08-block-sum-static]/' "$course"/lessons/2[45]-*/lesson.yaml
cp lessons/groups.txt "$course/lessons/"

step() { # name, wanted status, text that must appear, words...
    local name=$1 wanted=$2 text=$3 problem="" output
    shift 3
    output=$("$build/bin/warpschool" --root "$course" "$@" 2>&1 </dev/null)
    local status=$?
    [ "$status" -eq "$wanted" ] || problem="exit status $status, not $wanted"
    case $output in *"$text"*) ;; *) problem="$problem; does not say \"$text\": $(head -c 600 <<<"$output")" ;; esac
    verdict "$name" "$problem"
}

step "list at the beginning" 0 "0 of" list
step "list has groups" 0 "Sums, 0 of 2 passed" list
step "list says what a lesson needs" 0 "A size the compiler knows (core, needs 07)" list
step "the first exercise makes the file" 1 "made from the starter" exercise
verdict "the file is there" "$(cmp "$course/work/01-vector-add.cu" starter/01-vector-add.cu 2>&1)"
step "no hint was seen" 0 "You have seen no hint of 01-vector-add yet" hint --seen
step "hints come one at a time" 0 "hint 1 of 3" hint
step "the second hint" 0 "hint 2 of 3" hint
verdict "both are shown again, and no other" "$("$build/bin/warpschool" --root "$course" hint --seen | grep -o 'hint [1-3] of 3' | paste -sd' ' | grep -qx 'hint 1 of 3 hint 2 of 3' || echo "they are not")"
step "exercise says how many were seen" 1 "(2 of 3 hints seen)" exercise
step "the third hint says where the others are" 0 "Those before it: make hint SEEN=1 LESSON=01" hint
step "the fourth says that they start again" 0 "You have seen all 3 hints" hint
step "and goes on from there" 0 "hint 2 of 3" hint
echo "// mine" >>"$course/work/01-vector-add.cu"
step "checked again, never overwritten" 1 "Next: edit" exercise
verdict "still mine" "$(tail -n 1 "$course/work/01-vector-add.cu" | grep -v '// mine')"
sed 's/if (i < n) z/z/' $solution >"$course/work/01-vector-add.cu"
step "a mistake of a kind" 1 "out-of-bounds" exercise
step "its hint comes first, in the words of the lesson" 0 "Which thread went past the arrays?" hint
step "then the lesson's own go on" 0 "hint 3 of 3" hint
step "the same mistake again" 1 "out-of-bounds" exercise
step "is no reason to repeat its hint" 0 "start again" hint
mkdir -p "$course/build/site" && : >"$course/build/site/progress.js"
cp $solution "$course/work/01-vector-add.cu"
step "a pass says what was learnt" 0 "You can now" exercise 01
step "and what it cost" 0 "percent of the work in one block                   0           0          30" exercise 01
verdict "the site's front page learns of it" "$(grep -vx 'const passedLessons = \["01-vector-add", \];' "$course/build/site/progress.js" || [ -s "$course/build/site/progress.js" ] || echo nothing)"
rm -r "$course/build"
step "a site that is not built is not begun" 0 "You can now" exercise 01
verdict "nor its folder" "$([ ! -e "$course/build" ] || echo "there is one")"
rm "$course/work/.progress"
events=$("$build/bin/warpschool" --root "$course" exercise 01 --events 2>&1)
holds "with --events every line is JSON: phases, each case as it ends, the result last" "$(json_says -s '[.[].event] == ["phase", "phase"] + [range(7) | "case"] + ["phase", "result"] and [.[].phase // empty] == ["compile", "run", "judge"] and
    ([.[].case // empty] == [.[-1].result.cases[].name]) and .[-1].result.verdict == "pass"' <<<"$events"; echo $?)"
verdict "and it counts as any exercise" "$(grep -qx 'passed 01-vector-add' "$course/work/.progress" || echo "it does not")"
rm "$course/work/.progress"
step "passed, and what is next" 0 "Next: make exercise    (04-constant-memory" exercise
step "list shows it" 0 "1 of" list
for target in exercise watch hint picture debug; do
    said=$(make --no-print-directory "$target" LESSON=01 FILE=other.cu 2>&1)
    verdict "make $target takes no FILE" "$([ $? -ne 0 ] && [[ $said == *"make check LESSON=01 FILE=other.cu"* ]] || echo "$said")"
done
list=$("$build/bin/warpschool" --root "$course" list)
verdict "the list keeps its columns" "$(grep -E '[0-9]{2}-[a-z]' <<<"$list" | grep -vE '^(✓ |> |  ) [0-9]{2}-')"
verdict "and ticks what is passed" "$(grep -q '^✓  01-' <<<"$list" || echo "$list")"
step "the next lesson by itself" 1 "04-constant-memory" exercise
# A build folder of its own, whose pages are there or not as the step says.
bare=$work/bare
mkdir -p "$bare/bin" "$course/docs/build" && ln -s $(ls -d "$build"/* | grep -v '/\(bin\|site\)$') "$bare/" && cp -a "$build"/bin/. "$bare/bin/"
build=$bare step "its page is named, and that it is not built" 1 "(make notes)" exercise
mkdir -p "$bare/site/lessons" && : >"$bare/site/lessons/04-constant-memory.html"
build=$bare step "its page is named" 1 "bare/site/lessons/04-constant-memory.html" exercise
rm -r "$bare/site" "$course/docs"
build=$bare step "where nothing can build it, the lesson's text is" 1 "lessons/04-constant-memory/lesson.md" exercise
step "reset keeps the old file" 0 "01-vector-add.cu.1" reset 01
verdict "the old file is whole" "$(cmp "$course/work/01-vector-add.cu.1" $solution 2>&1)"
step "reset asks which" 2 "make reset LESSON=01" reset
step "reset with an empty name" 2 "which lesson?" reset ""

passed() { for lesson; do echo "passed $lesson"; done >"$course/work/.progress"; } # lessons
solve() { cp "solutions/$1/solution.cu" "$course/work/$1.cu"; }                    # lesson
passed 01-vector-add 04-constant-memory 07-block-sum-dynamic 24-scan
step "the core path goes on past other lessons" 1 "08-block-sum-static" exercise
passed 01-vector-add 04-constant-memory 07-block-sum-dynamic
solve 08-block-sum-static
step "the end of the core path offers the other groups" 0 "  Speed                  24 25" exercise
step "and then the first of them is next" 1 "24-scan" exercise
passed 01-vector-add 04-constant-memory 07-block-sum-dynamic 08-block-sum-static 24-scan
solve 25-histogram
step "the last lesson ends the course" 0 "you have passed all 6" exercise
step "a finished course says so" 0 "finished the course" list
mv "$course/lessons/groups.txt" "$work/"
step "a course without groups has a list" 0 "Lessons, 6 of 6 passed" list
echo "title: [" >"$course/lessons/04-constant-memory/lesson.yaml"
step "a broken manifest names file and line" 3 "lesson.yaml:2" list

finish
