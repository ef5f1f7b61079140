#!/bin/bash
# profile.sh LESSON FILE: what compute-sanitizer and Nsight Compute say of a learner's kernels on this machine's card, beside warpgrind's own counters of the
# same program on the same inputs. `make profile LESSON=22` calls it; what is not installed is named. CASE chooses the case, the one with the largest inputs
# when it is not given. BUILD names the build folder.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
. bench/card/learner.bash profile "$@"
rm -rf "$out/cases" "$out"/ncu.*

# ---- the program, twice, and its inputs ----

"$build/bin/warpschool" cases "$lesson" "$out/cases" >"$out/names"
largest=$(du -sb "$out"/cases/*/ | sort -rn | awk 'NR == 1 { print $2 }')
case=$(basename "${CASE:+$(printf '%s/cases/%02d' "$out" "$((10#$CASE))")}" 2>/dev/null || true)
case=${case:-$(basename "$largest")}
[ -d "$out/cases/$case" ] || fail 2 "there is no case $case: $build/bin/warpschool cases $lesson FOLDER lists them"
parts=("$file" "$build/lessons/$lesson/driver.o" "$build/lib/libdriver.a")
ranks=()
grep -q '^ranks:' "lessons/$lesson/lesson.yaml" && ranks=(-ccbin=/usr/bin/mpicxx.mpich)
nvcc -O2 -lineinfo -arch=native "${ranks[@]}" -o "$out/card" "${parts[@]}" 2>"$out/log" || { cat "$out/log" >&2; fail 1 "$file does not compile for the card"; }
compiler=()
command -v clang >/dev/null || compiler=(--nvcc) # where there is no clang, nvcc's own front end makes the PTX
"$build/bin/warpcc" "${compiler[@]}" -O2 -w -o "$out/soft" "${parts[@]}" 2>"$out/log" || { cat "$out/log" >&2; fail 1 "$file does not compile"; }
run_on() { # program...: over the case
    rm -rf "$out/answers"
    mkdir -p "$out/answers"
    "$@" "$out/answers" "$out/cases/$case"
}
name=$(sed -n "s|^$out/cases/$case *||p" "$out/names")
echo "$lesson on the $(card_words); the case: $name"

# ---- mistakes ----

echo
if ! command -v compute-sanitizer >/dev/null; then
    echo "compute-sanitizer is not installed (it comes with the CUDA toolkit)."
else
    run_on "$build/bin/warpgrind" --quiet --report "$out/findings.json" "$out/soft" >/dev/null 2>&1 || true
    found() { jq -r --arg kinds "$1" '[.findings[] | select(.severity == "error" and (.kind | test($kinds)))] | length' "$out/findings.json"; }
    {
        echo "mistakes of|compute-sanitizer|warpgrind"
        while IFS='|' read -r tool words kinds; do
            run_on compute-sanitizer --tool "$tool" "$out/card" >"$out/$tool" 2>&1 || true
            errors=$(sed -n 's/^=* *\(ERROR\|RACECHECK\) SUMMARY: \([0-9]*\) .*/\2/p' "$out/$tool" | tail -n 1)
            echo "$words|${errors:-no summary, see $out/$tool}|$(found "$kinds")"
        done <<'TOOLS'
memcheck|memory|out-of-bounds|misaligned|use-after-free|leak|api
racecheck|races in shared memory|race
initcheck|values never set|uninitialised
synccheck|barriers|barrier|sync|hang
TOOLS
    } | aligned '|'
fi

# ---- counters ----

echo
run_on "$build/bin/warpgrind" --quiet --checks counters --report "$out/report.json" "$out/soft" >/dev/null 2>&1 || true
launches=$(jq '.launches | length' "$out/report.json")
[ "$launches" -gt 0 ] || fail 1 "no kernel ran in this case"
# Each kernel by its longest launch: name, and how manieth launch of the program it is.
jq -r '[.launches | to_entries[] | {at: .key, kernel: .value.kernel, counters: .value.counters}] | group_by(.kernel)
    | map(max_by(.counters.warp_instructions)) | sort_by(.at)' "$out/report.json" >"$out/kernels.json"
if command -v ncu >/dev/null; then
    metrics=$(grep -o '"[a-z_0-9.]*"' bench/card/counters.txt | tr -d '"' | sort -u | paste -sd,)
    run_on ncu --csv --page raw --print-units base --launch-count "$launches" --metrics "$metrics" "$out/card" >"$out/ncu.csv" 2>"$out/ncu.log" || true
    # A heading, a row of units, and a row for each launch; every field stands in quotes.
    grep '^"' "$out/ncu.csv" | jq -Rn '[inputs | ltrimstr("\"") | rtrimstr("\"") | split("\",\"")] | .[0] as $names
        | .[2:] | map([$names, .] | transpose | map({key: .[0], value: (.[1] | gsub(","; "") | tonumber? // .)}) | from_entries)' >"$out/ncu.json" || true
fi
if [ ! -s "$out/ncu.json" ] || [ "$(jq length "$out/ncu.json")" = 0 ]; then
    echo '[]' >"$out/ncu.json"
    if grep -qs ERR_NVGPUCTRPERM "$out/ncu.csv" "$out/ncu.log"; then
        echo "Nsight Compute may not read this card's counters: its administrator has to allow it (NVIDIA's page on ERR_NVGPUCTRPERM)."
    elif command -v ncu >/dev/null; then
        reason=$(cat "$out/ncu.csv" "$out/ncu.log" | sed -n 's/^=*ERROR\(==\| *:\) *//p' | head -n 1)
        echo "Nsight Compute said nothing of a kernel: ${reason:-see $out/ncu.csv and $out/ncu.log.}"
    else
        echo "Nsight Compute (ncu) is not installed: only warpgrind's counters follow."
    fi
    echo
fi
formulas=$(grep -v '^#' bench/card/counters.txt | awk -F' [|] ' '{ printf "%s{name: \"%s\", card: ($n | %s), soft: ($s | %s), means: \"%s\"}", (NR > 1 ? ", " : ""), $1, $2, $3, $4 }')
jq -r --slurpfile card "$out/ncu.json" "
    def ratio(\$a; \$b): if \$a == null or (\$b // 0) == 0 then null else \$a / \$b end;
    def shown: if . == null then \"-\" else (if . >= 100 then round elif . >= 10 then (. * 10 | round / 10) else (. * 100 | round / 100) end) | tostring end;
    .[] | .at as \$at | .counters as \$s | (\$card[0][\$at] // null) as \$n
    | \"\(.kernel), launch \(\$at + 1)|card|warpgrind|\", ([${formulas}][] | \"  \(.name)|\(.card | shown)|\(.soft | shown)|\(.means)\")" "$out/kernels.json" | aligned '|' last
echo
disturbed=$(disturbed_words)
[ -z "$disturbed" ] || echo "The card is $disturbed: its percents and its time are not to be trusted."
echo "What warpgrind does not model stands as -. Shown, and never graded."
