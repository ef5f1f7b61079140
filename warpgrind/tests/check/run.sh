#!/bin/bash
# Real kernels under all observers: what `// expect: KIND` marks must be found at that line, under three schedules, and no error at
# any other line; programs with `// expect-none` must have no error at all. Of the programs in words/, the report that people read
# must have each `// says: TEXT` (and no `// says-not: TEXT`), wherever its lines break. What each program is told is compared with tests/sentences.txt. BUILD names the build folder; ends with
# "N passed, N failed".
. "$(dirname "$0")/../suite.bash"

REPORTS=$work/reports
mkdir "$REPORTS"

problem_of() { # source, seed
    timeout 300 "$build/bin/warpgrind" --seed "$2" --quiet --report "$work/report.json" "$work/program" >"$work/out" 2>&1
    local status=$?
    grep -q '// expect-none' "$1" && [ $status -ne 0 ] && { echo "exit status $status: $(tail -n 2 "$work/out")"; return; }
    cp "$work/report.json" "$REPORTS/$(basename "$1" .cu)@$2.json" 2>/dev/null
    json_says .schema "$work/report.json" 2>/dev/null || { echo "no report: $(tail -n 2 "$work/out")"; return; }
    grep -n '// expect: ' "$1" | sed 's/^\([0-9]*\):.*\/\/ expect: *\([a-z-]*\).*/\2 \1/' | sort >"$work/wanted"
    jq -r '.findings[] | select(.severity == "error") | "\(.kind) \(.line) \(.other.line)"' "$work/report.json" |
        while read -r kind line other; do
            if grep -qx "$kind $other" "$work/wanted"; then echo "$kind $other"; else echo "$kind $line"; fi
        done | sort -u >"$work/found"
    diff "$work/wanted" "$work/found" | sed -n 's/^</missing/p; s/^>/unexpected/p' | paste -sd';'
}

for source in tests/check/kernels/*.cu; do
    name=$(basename "$source" .cu)
    selected "$name" || continue
    grep -qE '// expect(-none)?:' "$source" || { verdict "$name" "expects nothing"; continue; }
    "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1 || { verdict "$name" "does not compile: $(head -n 3 "$work/log")"; continue; }
    for seed in 0 1 2; do verdict "$name seed $seed" "$(problem_of "$source" "$seed")"; done
done

for source in tests/check/words/*.cu $(grep -l "^// says: " tests/check/kernels/*.cu); do
    name=$(basename "$source" .cu)
    selected "$name" || continue
    grep -q '^// says: ' "$source" || { verdict "$name" "says nothing"; continue; }
    "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1 || { verdict "$name" "does not compile: $(head -n 3 "$work/log")"; continue; }
    # shellcheck disable=SC2046 # options are words
    timeout 300 "$build/bin/warpgrind" --full $(sed -n 's|^// options: ||p' "$source") "$work/program" >"$work/out" 2>&1
    tr -s ' \n' '  ' <"$work/out" >"$work/words"
    cp "$work/words" "$REPORTS/$name@words.txt"
    problem=
    while IFS= read -r text; do
        grep -qF -- "$text" "$work/words" || problem="does not say: $text"
    done < <(sed -n 's|^// says: ||p' "$source")
    while IFS= read -r text; do
        if grep -qF -- "$text" "$work/words"; then problem="says: $text"; fi
    done < <(sed -n 's|^// says-not: ||p' "$source")
    verdict "$name" "$problem"
done

count_sentences tests/sentences.txt check/texts.txt
finish
