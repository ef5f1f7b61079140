#!/bin/bash
# Every lesson's files through `warpschool check`: the starter fails for the declared reason, solution and alternatives pass without a
# finding over several schedules, and each mutant fails with every finding that its margins expect, at that line.
# BUILD names the build folder. FILTER selects files by their path; EACH_KIND thins the mutants. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"
result=$work/result.json

check() { # lesson, file, options...
    local lesson=$1 file=$2
    shift 2
    # The sanitizers' build lies in a folder of its own, so it is told where the course is.
    "$build/bin/warpschool" --root . check "$lesson" "$file" --json "$@" >"$result" 2>/dev/null
    local status=$?
    jq -es 'length == 1 and .[0].schema == "warpschool/result/v1"' "$result" >/dev/null 2>&1 || { echo "no result (exit status $status)"; return; }
    [[ $(jq -r .verdict "$result") =~ ^(pass|fail)$ ]] || echo "verdict $(jq -c '[.findings[].message]' "$result")"
}

right() { # lesson, file, options...
    selected "$2" || return 0
    local problem
    problem=$(check "$@")
    # A right way that costs more than it should says so in its margin, and loses the points of that line.
    local costly=false
    grep -q '// expect-note: over-budget' "$2" && costly=true
    [ -n "$problem" ] || problem=$(jq -r --argjson costly "$costly" --argjson line "$(grep -n '// expect-note: over-budget' "$2" | cut -d: -f1 | grep . || echo 0)" \
        'if .verdict == "pass" and (.score == .max_score) != $costly and any(.findings[]; .kind == "over-budget" and .line == $line) == $costly and ([.findings[] | select(.severity == "error")] | length) == 0
        then empty else "not right: " + ([.findings[] | "\(.kind) \(.file):\(.line)"] + [.cases[] | select(.verdict != "pass") | .name + ": " + .message] | join("; ")) end' "$result")
    verdict "$2 ${*:3}" "$problem"
}

mutant() { # lesson, file
    selected "$2" || return 0
    local problem
    problem=$(check "$1" "$2")
    if [ -z "$problem" ]; then
        local expected
        expected=$(grep -n '// expect: ' "$2" | sed 's/^\([0-9]*\):.*\/\/ expect: *\([a-z-]*\).*/\2 \1/')
        [ -n "$expected" ] || problem="has no // expect: line"
        while read -r kind line; do
            jq -e --arg k "$kind" --argjson l "${line:-0}" \
                '.verdict == "fail" and any(.findings[]; .kind == $k and .severity == "error" and (.line == $l or .other_line == $l))' \
                "$result" >/dev/null ||
                problem="$problem expected $kind at line $line, found $(jq -c '[.findings[] | select(.severity == "error") | "\(.kind) \(.line)"]' "$result")"
        done <<<"$expected"
    fi
    verdict "$2" "$problem"
}

starter() { # lesson
    selected "starter/$1.cu" || return 0
    local problem wanted
    wanted=$(sed -n 's/^starter_fails: *//p' "lessons/$1/lesson.yaml")
    problem=$(check "$1" "starter/$1.cu")
    [ -n "$problem" ] || problem=$(jq -r --arg k "$wanted" 'if .verdict == "fail" and ([.findings[] | select(.severity == "error")][0].kind == $k) then empty
        else "expected \($k) first, found " + ([.findings[] | .kind] | tostring) end' "$result")
    verdict "starter/$1.cu" "$problem"
}

# With EACH_KIND set, right files once, and one mutant in the whole course for each kind of finding: what the sanitizers look at is the
# same for the others.
declare -A seen_kinds
is_chosen() { # file
    [ -n "${EACH_KIND:-}" ] || return 0
    local kind fresh=false
    for kind in $(sed -n 's,.*// expect: *\([a-z-]*\).*,\1,p' "$1"); do
        [ -n "${seen_kinds[$kind]:-}" ] || fresh=true
        seen_kinds[$kind]=$1
    done
    $fresh
}

for folder in lessons/[0-9]*; do
    lesson=$(basename "$folder")
    if [ -z "${EACH_KIND:-}" ]; then
        starter "$lesson"
        right "$lesson" "solutions/$lesson/solution.cu"
    fi
    right "$lesson" "solutions/$lesson/solution.cu" --seed 7
    for file in solutions/"$lesson"/alternatives/*.cu; do right "$lesson" "$file"; done
    count=0
    for file in solutions/"$lesson"/mutants/*.cu; do
        is_chosen "$file" && mutant "$lesson" "$file"
        count=$((count + 1))
    done
    [ "$count" -ge 10 ] && verdict "$lesson mutants" "" || verdict "$lesson mutants" "only $count mutants, a lesson has at least 10"
done
finish
