#!/bin/bash
# Counts what the tests' margins say: every kind of finding has three cases that must be found and three near misses that must not,
# every margin names a kind that exists, and every row of rows.txt has a program here. Ends with "N passed, N failed".
# --table prints the same as a Markdown page.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
sh warpgrind/tests/mistakes/severities.sh >"$work/usual.json"
sh warpgrind/tests/mistakes/margins.sh warpgrind/tests/mistakes/*.cu tests/judged/*.cu warpgrind/tests/check/kernels/*.cu solutions/*/mutants/*.cu tests/cli/hostile/*.cu \
    >"$work/margins.json"

# KIND, cases, near misses, separated by tabs, in the order of warpgrind/base/findings.def.
count_kinds() {
    jq -r --slurpfile margins "$work/margins.json" '
        [$margins[0][] | .how as $how | .kinds[] | {kind: ., near: ($how | test("^near")), found: ($how | test("^(expect|kind)"))}] as $all
        | keys_unsorted[] | . as $kind
        | [$kind, ([$all[] | select(.kind == $kind and .found)] | length), ([$all[] | select(.kind == $kind and .near)] | length)] | @tsv' \
        "$work/usual.json"
}

unknown_kinds() {
    jq -r --slurpfile usual "$work/usual.json" '.[] | . as $m | .kinds[] | select($usual[0][.] == null) | "\($m.file):\($m.line): no kind \(.)"' \
        "$work/margins.json"
}

# Files of this folder are called by their row; others stand behind the row's `|`.
programs_of() { # row, words
    local elsewhere=()
    [ "${2%|*}" = "$2" ] || elsewhere=("${2##*| }.cu")
    ls {warpgrind/tests/mistakes,tests/judged}/"$1"-*.cu "${elsewhere[@]}" 2>/dev/null | sed 's,^warpgrind/tests/mistakes/,,; s,^tests/,,; s,\.cu$,,' | paste -sd' '
}

table() {
    printf '# What the tests expect of each kind of finding\n\n'
    printf 'A case is a line that must be named; a near miss looks like it, is right, and must not be named. Both stand in the margins of\n'
    printf '`warpgrind/tests/mistakes`, `warpgrind/tests/check/kernels` and `solutions/*/mutants`; submissions of `tests/cli/hostile` name theirs at the top.\n\n'
    printf '| kind | cases | near misses |\n|---|---|---|\n'
    count_kinds | awk -F'\t' '{ printf "| `%s` | %d | %d |\n", $1, $2, $3 }'
    printf '\n## Mistakes, and right programs that look wrong\n\n| row | what | proved by |\n|---|---|---|\n'
    while read -r row words; do printf '| %s | %s | %s |\n' "$row" "${words% |*}" "$(programs_of "$row" "$words" | sed 's/[^ ][^ ]*/`&`/g')"; done <tests/judged/rows.txt
}

[ "${1:-}" != --table ] || { table; exit; }

printf '%-22s %6s %12s\n' kind cases 'near misses'
while IFS=$'\t' read -r kind cases near; do
    printf '%-22s %6d %12d\n' "$kind" "$cases" "$near"
    problem=
    [ "$cases" -ge 3 ] && [ "$near" -ge 3 ] || problem="has $cases cases and $near near misses, each kind has three of either"
    verdict "$kind" "$problem"
done < <(count_kinds)
echo 'x[i] = 1; // near: crash hang; words // expect-note: leak // says: // so' >"$work/two.cu"
verdict "a line has several margins" "$(sh warpgrind/tests/mistakes/margins.sh "$work/two.cu" |
    jq -r 'map("\(.line) \(.how) \(.kinds | join("+"))") | join(", ") | select(. != "1 near crash+hang, 1 expect-note leak")')"
verdict "margins name kinds that exist" "$(unknown_kinds)"
while read -r row words; do
    problem=
    [ -n "$(programs_of "$row" "$words")" ] || problem="($words) has no program"
    verdict "$row" "$problem"
done <tests/judged/rows.txt
finish
