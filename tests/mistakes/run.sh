#!/bin/bash
# Mistakes that learners make, each to be named at its line; and right programs that look wrong, each to pass without an error.
# Built by warpcc and run by warpgrind in two schedules. PROGRAMS limits the run. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

problem_of() { # source, seed
    timeout 60 "$build/bin/warpgrind" --seed "$2" --quiet --report "$work/report.json" "$work/program" >"$work/out" 2>"$work/log"
    jq -e .schema "$work/report.json" >/dev/null 2>&1 || { echo "no report: $(tail -n 2 "$work/log")"; return; }
    local found
    found=$(jq -c '[.findings[] | "\(.severity) \(.kind) \(.line)"]' "$work/report.json")
    if grep -q '^/\* expect-none' "$1"; then
        jq -e 'all(.findings[]; .severity == "note")' "$work/report.json" >/dev/null || echo "expected no error, found $found"
        return
    fi
    while IFS=: read -r line text; do
        local severity=error kind
        kind=$(sed 's/.*\/\/ expect[a-z-]*: *\([a-z-]*\).*/\1/' <<<"$text")
        [[ $text == *expect-note* ]] && severity=note
        jq -e --arg k "$kind" --arg s "$severity" --argjson l "$line" \
            'any(.findings[]; .kind == $k and .severity == $s and (.line == $l or .other.line == $l))' "$work/report.json" >/dev/null ||
            echo "expected $severity $kind at line $line, found $found"
        [ $severity = error ] || jq -e 'all(.findings[]; .severity == "note")' "$work/report.json" >/dev/null || echo "expected only notes, found $found"
    done < <(grep -nE '// expect(-note)?: ' "$1")
}

for source in tests/mistakes/*.cu; do
    name=$(basename "$source" .cu)
    case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    grep -qE 'expect(-note|-none)?:' "$source" || { echo "FAILED $name expects nothing"; failed=$((failed + 1)); continue; }
    if ! "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1; then
        echo "FAILED $name does not compile: $(head -n 3 "$work/log")"
        failed=$((failed + 1))
        continue
    fi
    for seed in 0 1; do
        problem=$(problem_of "$source" "$seed")
        if [ -z "$problem" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED $name seed $seed: $problem"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
