#!/bin/bash
# Every lesson's files through `warpschool check`: the starter fails for the declared reason, solution and alternatives pass without a
# finding over several schedules, and each mutant fails with every finding that its margins expect, at that line, or passes without the points of its
# cost. What the judge tells of a mistake, its cause and the judge's own advice, is told of the files that declare it in a margin, `// told: NAME ...`, and of no other;
# and nothing can be told that no file declares, nor a kind be hinted at that no file evokes. Which sentences of warpgrind each mutant is told stands in tests/sentences.txt. With hidden cases, right
# files pass those as well (`--grade`), and what lies in solutions/NN-name/hidden passes all others and fails those.
# BUILD names the build folder. FILTER selects files by their path. EACH_KIND is for the sanitizers, which take five times as long: it thins the
# mutants. A commit draws its part (drawn of suite.bash), besides all of lessons in which it changes something. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/lessons/wishes.bash

# judge LESSON FILE OPTIONS...: leaves $result, and $status.
judge() {
    local lesson=$1 file=$2
    shift 2
    # The sanitizers' build lies in a folder of its own, so it is told where the course is.
    "$build/bin/warpschool" --root . check "$lesson" "$file" --json "$@" >"$result" 2>/dev/null
    status=$?
}

# A case has its points when it passes, and none otherwise; an error about how an answer came about leaves its case none.
# shellcheck disable=SC2016 # jq's variables
unearned='(. as $result | any(.cases[]; .points != (if .verdict == "pass" then .max_points else 0 end))
    or any(.findings[]; .severity == "error" and (.kind | IN("wrong-answer", "not-on-gpu", "not-by-kernel", "not-as-asked")) and
        (.case as $case | any($result.cases[]; .name == $case and .verdict == "pass")))
    or (any(.findings[]; .severity == "error") and
        .score > ([.cases[].points, (.budget[] | select(.measured != null and .measured <= .expected) | .max_points)] | add)))'

# problem_of FILTER ARGUMENTS...: what is wrong with the result. The filter makes text of one that is a result, nothing when it is as it
# should be. One start of jq for all, which takes longer than many a kernel.
problem_of() {
    local filter=$1
    shift
    jq -rs "$@" "if length != 1 or (.[0].schema? != \"warpschool/result/v1\") then \"no result (exit status $status)\"
        elif .[0].verdict | IN(\"pass\", \"fail\") | not then \"verdict \\([.[0].findings[].message])\"
        elif .[0] | $unearned then \"points that nobody earned: \\(.[0] | [.score, (.cases[] | [.name, .verdict, .points])])\"
        else .[0] | $filter end" "$result" 2>/dev/null || echo "no result (exit status $status)"
}

# verdicts NAME FILTER NAME FILTER... -- ARGUMENTS...: a case for each name, whose filter says what is wrong; also with one start of jq. What it says
# begins with the number of its filter, and otherwise it is wrong with all.
verdicts() {
    local names=() filters= number problems
    while [ "$1" != -- ]; do
        filters+="(($2) | \"${#names[@]} \\(.)\"),"
        names+=("$1")
        shift 2
    done
    problems=$(problem_of "${filters%,}" "${@:2}")
    for number in "${!names[@]}"; do
        verdict "${names[number]}" "$(sed -nE "s/^$number //p; /^[^0-9]/p" <<<"$problems")"
    done
}

# The margins of all files: what is expected, `LINE KIND` a line; what it may cost, `LINE WHAT...` a line; and what is told of it. One start of awk.
declare -A expected_of costs_of declared_of
while IFS=$'\t' read -r file what words; do
    case $what in
        expect) expected_of[$file]+=$words$'\n' ;;
        costs) costs_of[$file]+=$words$'\n' ;;
        told) declared_of[$file]+=$words$'\n' ;;
    esac
done < <(find solutions -name '*.cu' -exec awk -v OFS='\t' '
    function rest(mark) { return substr($0, index($0, mark) + length(mark)) }
    /\/\/ expect: / { kind = rest("// expect: "); gsub(/^ +|[^a-z-].*/, "", kind); print FILENAME, "expect", FNR " " kind }
    /\/\/ expect-note: over-budget / { print FILENAME, "costs", FNR " " rest("// expect-note: over-budget ") }
    /^\/\/ told: / { print FILENAME, "told", rest("// told: ") }' {} +)

# A right file costs no more than what its margins name, `// expect-note: over-budget LINE ...`: just these lines of the budget are exceeded, with a
# note at that place, and just their points are missing.
right() { # lesson, file, options...
    selected "$2" || return 0
    judge "$@"
    local costs=${costs_of[$2]:-}
    costs=${costs%$'\n'}
    # shellcheck disable=SC2016 # jq's variables
    verdict "$2 ${*:3}" "$(problem_of '[$costs | split("\n")[] | split(" ") | (.[0] | tonumber) as $line | .[1:][] | {line: $line, what: .}] as $costs
        | [.budget[] | select(.measured == null or .measured > .expected)] as $over
        | if .verdict != "pass" or any(.findings[]; .severity == "error") or any(.cases[]; .verdict != "pass")
            then "not right: " + ([.findings[] | "\(.kind) \(.file):\(.line)"] + [.cases[] | select(.verdict != "pass") | .name + ": " + .message] | join("; "))
          elif ($over | map(.what) | sort) != ($costs | map(.what) | sort) or .score != .max_score - ([$over[].max_points] | add // 0)
            then "\(.score) of \(.max_score) points, over: \([$over[] | [.what, .measured, .expected]])"
          elif any(.findings[].kind as $note | .objectives[] | select(.shown) | .check | . == $note
                  or ($note == "low-occupancy" and IN("budget: launched_threads", "budget: longest_thread", "budget: block_share"))
                  or ($note == "atomic-contention" and . == "budget: global_atomics")
                  or ($note == "uncoalesced" and test("^budget: global.*sectors")); .)
            then "praised in spite of \([.findings[].kind] | unique), shown: \([.objectives[] | select(.shown) | .check])"
          elif ([.findings[] | select(.kind == "over-budget") | .line] | sort) != ($costs | map(.line) | sort)
            then "noted at \([.findings[] | select(.kind == "over-budget") | .line])"
          else empty end' --arg costs "$costs")"
}

# What a learner's costs are compared with, `reference` of the manifest's budget, is what the solution needs; to a tenth, as compilers differ.
solution() { # lesson
    selected "solutions/$1/solution.cu" || return 0
    local problem
    right "$1" "solutions/$1/solution.cu"
    problem=$(problem_of empty)
    [ -n "$problem" ] || problem=$(paste <(sed -n 's/^    reference: //p' "lessons/$1/lesson.yaml") <(jq -r '.budget[].measured' "$result") |
        awk '{ if (NF != 2 || $1 - $2 > $2 / 10 || $2 - $1 > $2 / 10) print "the manifest says " $1 ", measured is " $2 }')
    verdict "solutions/$1/solution.cu: its references" "$problem"
    verdict "solutions/$1/solution.cu: shows all objectives" "$(problem_of '[.objectives[] | select(.shown | not) | .text] | if . == [] then empty else join("; ") end')"
    no_note "$1" "solutions/$1/solution.cu"
}

no_note() { # lesson, what was judged
    wish "$1" "$2: no note speaks against it" "$(problem_of '[.findings[] | "\(.kind) in line \(.line)"] | if . == [] then empty else join("; ") end')"
}

# With a program for each case, where a note may be due to what one case is about.
graded() { # lesson
    selected "solutions/$1/solution.cu" || return 0
    right "$1" "solutions/$1/solution.cu" --grade --seed 7
    no_note "$1" "solutions/$1/solution.cu --grade"
}

# What is told besides the facts, by name: the causes that the lesson's judge sees in wrong answers, and the judge's own advice about errors.
# The advice `writer` is left out: it says where a wrong element was written, and no cause.
# shellcheck disable=SC2016 # jq's variables
told='([.cases[].cause, (.findings[] | select(.severity == "error") | .advice) | values | select(. != "writer")] | unique) as $told
    | ($declared | split("[ \n]+"; null) | map(select(. != "")) | unique) as $declared
    | if $told == $declared then empty else "told \($told | join(" ")), declared \($declared | join(" "))" end'
# What a screen tells of a result it tells once: no two lines of the budget have one title, no explanation holds a line of code or of the
# compiler twice, or its own message; and what the program printed is its own, without a line of the lesson's program. What several findings
# say alike, the screen puts into one line (tests/autograder/test_show.c).
# shellcheck disable=SC2016 # jq's variables
told_once='[([.budget[].title] | group_by(.)[] | select(length > 1) | "two lines of the budget: \(.[0])"),
        (.findings[] | (.explanation // "" | split("\n") | map(select(length > 20))) as $lines | select(($lines | unique | length) < ($lines | length)) | "a line twice: \(.explanation)"),
        (.findings[] | .message as $message | select($message != "" and (.explanation // "" | contains($message))) | "its own message again: \(.explanation)"),
        (.output // "" | split("\n")[] | select(test("^driver: |WARPSCHOOL|lessons/common/")) | "printed by the lesson: \(.)")]
    | if . == [] then empty else join("; ") end'

# A mutant whose margins name nothing but its costs is right, and loses points.
mutant() { # lesson, file, options...
    selected "$2" || return 0
    local expected=${expected_of[$2]:-} name=${2##*/}
    if [ -z "$expected" ] && [ -n "${costs_of[$2]:-}" ]; then
        right "$@"
        return
    fi
    judge "$@"
    is_teachers "$1" || cp "$result" "$REPORTS/$1+${name%.cu}@${*:3}.json"
    # shellcheck disable=SC2016 # jq's variables
    verdicts "$2 ${*:3}" '. as $result
        | if $expected == "" then "has no // expect: line" else $expected | split("\n")[] | split(" ") | (.[0] | tonumber) as $line | .[1] as $kind
            | if $result.verdict == "fail" and any($result.findings[]; .kind == $kind and .severity == "error" and (.line == $line or .other_line == $line))
              then empty else "expected \($kind) at line \($line), found \($result.findings | map(select(.severity == "error") | "\(.kind) \(.line)"))" end end' \
        "${*:2} tells what it declares" "$told" \
        "${*:2} is told once" "$told_once" \
        -- --arg expected "${expected%$'\n'}" --arg declared "${declared_of[$2]:-}"
}

# What only the hidden cases find: of those nobody may be told a number, so that each message is its kind's title and the concept;
# a teacher (`--reveal`) sees the line. What is noted of a case that is shown is told as always.
hidden() { # lesson, file
    selected "$2" || return 0
    if [ ! -f "$2" ]; then
        verdict "$2" "nothing shows what the hidden cases find"
        return
    fi
    mutant "$1" "$2" --grade --seed 7 --reveal
    # shellcheck disable=SC2016 # jq's variables
    verdict "$2" "$(problem_of '[.cases[] | select(.hidden != true)] as $shown
        | [($shown[] | select(.verdict != "pass") | .name),
            (.findings[] | select(.severity == "error" and (.case as $case | $case == null or any($shown[]; .name == $case))) | .message)]
        | if . == [] then empty else "does not pass the cases that are shown: \(.)" end')"
    judge "$1" "$2" --grade --seed 7
    verdict "$2: where it was is not told" "$(problem_of 'if .verdict != "fail" then "verdict \(.verdict)" else .findings[] | select(.severity == "error" or (.case // "" | startswith("hidden: ")))
        | select(.line > 0 or has("kernel") or has("other_line")) | "\(.kind) names line \(.line) of a hidden case" end')"
    verdict "$2: what is told" "$(problem_of '[.cases[] | select(.verdict != "pass" and .hidden != true) | .name] as $shown
        | [.findings[] | select(.severity == "error" or (.case // "" | startswith("hidden: ")))] as $errors
        | [$errors[] | select(.case // "" | startswith("hidden: ") | not) | .message] as $told
        | [(.cases[] | select(.hidden) | .message), ($errors[] | .message, .explanation) | select(test("[0-9]"))] as $numbers
        | if $shown + $told + $numbers == [] then empty else "\($shown) \($told) \($numbers)" end')"
}

starter() { # lesson
    selected "starter/$1.cu" || return 0
    judge "$1" "starter/$1.cu"
    # shellcheck disable=SC2016 # jq's variables
    verdict "starter/$1.cu" "$(problem_of 'if .verdict == "fail" and ([.findings[] | select(.severity == "error")][0].kind == $kind) then empty
        else "expected \($kind) first, found \(.findings | map(.kind))" end' --arg kind "$(sed -n 's/^starter_fails: *//p' "lessons/$1/lesson.yaml")")"
}

# The names of causes in C: those of a lesson's judge, or of what several share.
causes_of() { # files
    cat "$@" | tr '\n' ' ' | grep -oE 'judge_cause\([^"]*"[a-z0-9-]+"|->cause = "[a-z0-9-]+"|\{"[a-z0-9-]+", *"[^"]* ' | grep -oE '"[a-z0-9-]+"' | tr -d '"' | sort -u
}

# What files of a lesson, or of all, declare to be told.
declared_in() { # folders of solutions
    find "$@" -name '*.cu' -exec sed -n 's,^// told: ,,p' {} + | tr ' ' '\n' | sort -u
}

# What tests/autograder/test_causes.c makes the answers of, of a lesson, or of any.
made_in_test() { # lesson
    sed -nE "s/^TOLD\\(\"${1:-[^\"]*}\", \"([^\"]+)\".*/\\1/p" tests/autograder/causes.def | sort -u
}

# A sentence that no file declares has never been seen to be true.
told_by_some() { # lesson
    selected "$1 tells nothing that no file declares" || return 0
    verdict "$1 tells nothing that no file declares" \
        "$(comm -23 <(causes_of "lessons/$1/judge.c") <({ declared_in "solutions/$1"; made_in_test "$1"; } | sort -u) | paste -sd' ')"
}
# Who wrote a copy of more than 64 MiB is not listed: no lesson has one, and a unit test makes it (tests/autograder).
told_by_any() {
    selected "what judges share is declared by some file" || selected "the judge's advice on how answers came about is declared by some file" || return 0
    verdict "what judges share is declared by some file" "$(comm -23 <(causes_of lessons/common/*.h) <({ declared_in solutions; made_in_test; } | sort -u) | paste -sd' ')"
    verdict "the judge's advice on how answers came about is declared by some file" \
        "$(comm -23 <(awk '/^\[/ { inside = /^\[(origin|made)\]/ } inside && /^[A-Z_]+_WHY$/ && $0 !~ /^(WRITER|UNTRACED)_WHY$/ { sub(/_WHY$/, ""); gsub(/_/, "-"); print tolower($0) }' autograder/texts.txt | sort) \
            <(declared_in solutions) | paste -sd' ')"
}

# What a lesson says about a kind of finding is shown after a check whose first error is of that kind, and of no other (coach_kind). So each kind must be
# one that the starter or a file of the lesson is declared to evoke.
kinds_hinted() { # lesson
    awk '/^hints_about:/ { inside = 1; next } /^[^ ]/ { inside = 0 } inside && /^  [a-z-]+:/ { sub(/:.*/, ""); print $1 }' "lessons/$1/lesson.yaml" | sort -u
}
kinds_evoked() { # lesson
    sed -n 's/^starter_fails: *//p' "lessons/$1/lesson.yaml"
    find "solutions/$1" -name '*.cu' -exec sed -n 's,.*// expect: *\([a-z-]*\).*,\1,p' {} +
}
hinted_by_some() { # lesson
    selected "$1 hints at no kind that no file evokes" || return 0
    verdict "$1 hints at no kind that no file evokes" "$(comm -23 <(kinds_hinted "$1") <(kinds_evoked "$1" | sort -u) | paste -sd' ')"
}

# With EACH_KIND set, one mutant in the whole course for each kind of finding: what the sanitizers look at is the same for the others.
first_of_its_kind=$([ -z "${EACH_KIND:-}" ] || grep -Ho '// expect: *[a-z-]*' solutions/*/mutants/*.cu | awk -F: '!seen[$NF]++ { print $1 }')
is_chosen() { # file
    [ -z "${EACH_KIND:-}" ] || [[ $'\n'$first_of_its_kind$'\n' == *$'\n'$1$'\n'* ]]
}

# One line for each file: what it is, its lesson, where it lies, options. The solution is judged by a second seed as well, with `--grade`. Where there are hidden cases,
# the alternatives meet those too; what `--grade` says has all that check says.
cases() {
    local folder lesson file count
    for folder in lessons/[0-9]*; do
        lesson=$(basename "$folder")
        if [ -z "${EACH_KIND:-}" ]; then
            echo "starter $lesson"
            echo "solution $lesson"
            echo "graded $lesson"
        else
            echo "right $lesson solutions/$lesson/solution.cu --seed 7"
        fi
        for file in solutions/"$lesson"/alternatives/*.cu; do
            [ -z "${EACH_KIND:-}" ] && [ -e "$folder/hidden.def" ] || echo "right $lesson $file"
        done
        [ -n "${EACH_KIND:-}" ] || [ ! -d "solutions/$lesson/shapes" ] || for file in solutions/"$lesson"/shapes/*.cu; do echo "right $lesson $file"; done
        if [ -z "${EACH_KIND:-}" ] && [ -e "$folder/hidden.def" ]; then
            for file in solutions/"$lesson"/alternatives/*.cu; do echo "right $lesson $file --grade --seed 7"; done
            for file in solutions/"$lesson"/hidden/*.cu; do echo "hidden $lesson $file"; done
        fi
        count=0
        for file in solutions/"$lesson"/mutants/*.cu; do
            is_chosen "$file" && echo "mutant $lesson $file"
            count=$((count + 1))
        done
        echo "enough $lesson $count"
        [ -n "${EACH_KIND:-}" ] || printf '%s\n' "told_by_some $lesson" "hinted_by_some $lesson"
    done
    [ -n "${EACH_KIND:-}" ] || echo told_by_any
}

enough() { # lesson, mutants
    selected "$1 mutants" || return 0
    local least=10
    ! is_teachers "$1" || least=3
    verdict "$1 mutants" "$([ "$2" -ge $least ] || echo "$2 of at least $least")"
}

run_case() { # line
    result=$work/result.json
    # shellcheck disable=SC2086 # a case is words
    $1
}
export REPORTS=$work/reports
mkdir "$REPORTS"
# Of the lines of files, those that FILTER asks for: a worker takes as long to take a line as many a program to run.
asked_for() {
    local what lesson file options
    while read -r what lesson file options; do
        case $file in */*) selected "$file" || continue ;; esac
        echo "$what $lesson $file $options"
    done
}
cases | asked_for >"$work/cases"
# Lessons in which the commit or the work tree changes something, a line each.
changed_lessons() { changed_files | sed -nE 's,^(lessons|solutions)/([0-9][^/]*)/.*,\2,p' | sort -u; }
# Of changed lessons all, and of each lesson the starter, the solution and what its pages promise; of the mutants a fifteenth, of other right ways a fifth. Of
# what the sanitizers would judge a twelfth.
chosen() {
    if [ -n "${EACH_KIND:-}" ]; then
        grep '/' "$work/cases" | drawn 12 "files under the sanitizers"
        return
    fi
    changed_lessons | sed 's/.*/ & /' >"$work/changed"
    grep -F -f "$work/changed" "$work/cases"
    grep -vF -f "$work/changed" "$work/cases" >"$work/same"
    grep -vE '^(mutant|right|hidden) ' "$work/same"
    grep '^mutant ' "$work/same" | drawn 15 "mutants of lessons that do not change"
    grep -E '^(right|hidden) ' "$work/same" | drawn 5 "other right ways, and ways that hidden cases find"
}
side_by_side run_case < <(chosen)
count_sentences tests/sentences.txt warpgrind/check/texts.txt
finish
