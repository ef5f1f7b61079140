#!/bin/bash
# warpschool similarity: a class's folder becomes a page for each lesson. What is alike is tested in tests/grading/test_alike.c.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
program=$build/bin/warpschool
export TMPDIR=$work

mkdir -p "$work"/class/{ann,ben,cy}
cp solutions/07-block-sum-dynamic/solution.cu "$work/class/ann/07-block-sum-dynamic.cu"
sed 's/temp/scratch/g' "$work/class/ann/07-block-sum-dynamic.cu" >"$work/class/ben/07.cu"
cp starter/07-block-sum-dynamic.cu "$work/class/cy/"
cp solutions/01-vector-add/solution.cu "$work/class/cy/01-vector-add.cu"

output=$("$program" similarity --out "$work/pages" "$work/class" 2>&1)
holds "exits with 0" $?
grep -q '^  structure 100 %  wording  *[0-9]* %  rare  *[0-9]*  ann and ben$' <<<"$output"
holds "names the pair" $?
! grep -q 'group' <<<"$output"
holds "what the lesson's page shows makes no group" $?
page=$work/pages/07-block-sum-dynamic.html
grep -q 'class="shared"' "$page" && grep -q '1 of them is the unchanged starter' "$page"
holds "writes a page" $?
! grep -Eiq '<script|src=|url\(|@import|<link' "$page"
holds "everything is in the page" $?
[ "$(stat -c %a "$work/pages" "$page" | tr '\n' ' ')" = "700 600 " ]
holds "nobody else on the machine reads it" $?
test -s "$work/pages/01-vector-add.html"
holds "a page for each lesson" $?
"$program" similarity --lesson 7 --out "$work/one" "$work/class" >/dev/null 2>&1
holds "one lesson" "$((1 - $(find "$work/one" -name '*.html' | wc -l)))"

# Classes of 37 with ten planted pairs (tests/grading/planted.py): six copies in other words and order, four halves that two programs were mixed
# of. All ten stand in the first twelve. In the classes from 2 on, both sources of a mix have a function in common.
for seed in 1 2 12 23 28 40 54 58 76 96; do
    python3 tests/grading/planted.py "$work/planted$seed" "$seed" | sort >"$work/pairs"
    "$program" similarity --pairs 12 --out "$work/planted-pages" "$work/planted$seed" >"$work/said" 2>&1
    found=$(sed -n '/The closest pairs/,/<details>/s,.*#pair-[0-9]*">[0-9]*</a></td><td>\(s[0-9]*\)</td><td>\(s[0-9]*\)</td>.*,\1 \2\n\2 \1,p' \
        "$work/planted-pages/24-scan.html" | sort -u | comm -12 "$work/pairs" - | tee "$work/found" | wc -l)
    [ "$found" -eq 10 ]
    holds "planted pairs, seed $seed: $found of ten in the first twelve" $?
    grep -qE '^  group [0-9]+: (.*, )?s(25, s02|02, s25)' "$work/said" && ! grep -qE '^  group [0-9]+: ([^,]*,){6}' "$work/said"
    holds "a planted group is named, and none is a crowd, seed $seed" $?
done

# Last year's programs: compared with this year's and not with each other; the picture of the groups and the other orders.
mkdir -p "$work/last/zoe" "$work/last/yan"
cp "$work/planted1/s02/"*.cu "$work/last/zoe/" && cp "$work/planted1/s02/"*.cu "$work/last/yan/" && echo '// mine' >>"$(ls "$work/last/yan/"*.cu)"
mkdir "$work/now" && cp -r "$work"/planted1/s0[3-9] "$work"/planted1/s1? "$work"/planted1/s25 "$work/now/"
"$program" similarity --out "$work/with-last" --earlier "$work/last" "$work/now" >"$work/said" 2>&1
holds "earlier years: exits with 0" $?
grep -qE '^  group [0-9]+: .*earlier: (zoe|yan)' "$work/said" && grep -qE '^  group .*s25' "$work/said"
holds "a copy of an earlier year's is in a group with it" $?
! grep -qE 'td>earlier: [a-z]+</td><td>earlier: ' "$work/with-last/24-scan.html"
holds "two of earlier years are no pair" $?
grep -q '<svg class="graph"' "$work/with-last/24-scan.html" && grep -qE '<a href="#pair-1"><path d="M420 ' "$work/with-last/24-scan.html"
holds "the groups as a picture, whose arcs lead to the pairs" $?
[ "$(sed -n '/The same by wording/,/<.details>/s,.*class="share">[0-9]* %</td><td class="share">\([0-9]*\) %.*,\1,p' "$work/with-last/24-scan.html" | sort -rnc 2>&1)" = "" ]
holds "the pairs by wording" $?
! grep -Eiq '<script|src=|url\(|@import|<link' "$work/with-last/24-scan.html"
holds "and still everything is in the page" $?

# complains NAME STATUS TEXT ARGUMENTS...: the exit status, and what is said.
complains() {
    local name=$1 status=$2 text=$3
    shift 3
    output=$("$program" similarity --out "$work/bad" "$@" 2>&1)
    [ $? -eq "$status" ] && grep -qF -- "$text" <<<"$output"
    holds "$name" $?
}
complains "no such folder" 2 "No such file or directory" "$work/absent"
complains "no such lesson" 2 "no lesson" --lesson 77 "$work/class"
complains "a lesson that nobody handed in" 2 "nobody has handed in 25-histogram" --lesson 25 "$work/class"
complains "no such roster" 2 "name the roster, a CSV file" --roster "$work/absent.csv" "$work/class"
complains "no such earlier year" 2 "No such file or directory" --earlier "$work/absent" "$work/class"
mkdir "$work/course" "$work/nobody"
ln -s "$PWD/lessons" "$PWD/autograder" "$work/course/"
output=$("$program" --root "$work/course" similarity --out "$work/bad" "$work/class" 2>&1)
[ $? -eq 3 ] && grep -qE '/starter/[^/]*\.cu: error: cannot read what the lesson gives: No such file' <<<"$output"
holds "no starter" $?
complains "nobody there" 2 "nobody has handed in anything here" "$work/nobody"
finish
