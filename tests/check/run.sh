#!/bin/bash
# Real kernels under all observers: what `// expect: KIND` marks must be found at that line, under three schedules, and no error at
# any other line; programs with `// expect-none` must have no error at all. Of the programs in words/, the report that people read
# must have each `// says: TEXT` (and no `// says-not: TEXT`), wherever its lines break. BUILD names the build folder; ends with
# "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

problem_of() { # source, seed
    timeout 60 "$build/bin/warpgrind" --seed "$2" --quiet --report "$work/report.json" "$work/program" >"$work/out" 2>&1
    local status=$?
    grep -q '// expect-none' "$1" && [ $status -ne 0 ] && { echo "exit status $status: $(tail -n 2 "$work/out")"; return; }
    jq -e .schema "$work/report.json" >/dev/null 2>&1 || { echo "no report: $(tail -n 2 "$work/out")"; return; }
    grep -n '// expect: ' "$1" | sed 's/^\([0-9]*\):.*\/\/ expect: *\([a-z-]*\).*/\2 \1/' | sort >"$work/wanted"
    jq -r '.findings[] | select(.severity == "error") | "\(.kind) \(.line) \(.other.line)"' "$work/report.json" |
        while read -r kind line other; do
            if grep -qx "$kind $other" "$work/wanted"; then echo "$kind $other"; else echo "$kind $line"; fi
        done | sort -u >"$work/found"
    diff "$work/wanted" "$work/found" | sed -n 's/^</missing/p; s/^>/unexpected/p' | paste -sd';'
}

for source in tests/check/kernels/*.cu; do
    name=$(basename "$source" .cu)
    grep -qE '// expect(-none)?:' "$source" || { echo "FAILED $name expects nothing"; failed=$((failed + 1)); continue; }
    if ! "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1; then
        echo "FAILED $name does not compile: $(head -n 3 "$work/log")"
        failed=$((failed + 1))
        continue
    fi
    for seed in 0 1 2; do
        problem=$(problem_of "$source" "$seed")
        if [ -z "$problem" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED $name seed $seed: $problem"
        fi
    done
done
count() { # name, problem
    if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: $2"; fi
}

for source in tests/check/words/*.cu $(grep -l "^// says: " tests/check/kernels/*.cu); do
    name=$(basename "$source" .cu)
    grep -q '^// says: ' "$source" || { count "$name" "says nothing"; continue; }
    "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1 || { count "$name" "does not compile: $(head -n 3 "$work/log")"; continue; }
    # shellcheck disable=SC2046 # options are words
    timeout 60 "$build/bin/warpgrind" $(sed -n 's|^// options: ||p' "$source") "$work/program" >"$work/out" 2>&1
    tr -s ' \n' '  ' <"$work/out" >"$work/words"
    problem=
    while IFS= read -r text; do
        grep -qF -- "$text" "$work/words" || problem="does not say: $text"
    done < <(sed -n 's|^// says: ||p' "$source")
    while IFS= read -r text; do
        if grep -qF -- "$text" "$work/words"; then problem="says: $text"; fi
    done < <(sed -n 's|^// says-not: ||p' "$source")
    count "$name" "$problem"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
