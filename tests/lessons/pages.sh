#!/bin/bash
# What an author's check must prove of each lesson page, and of the starters: sections, word budget, objectives with a check, text alternatives,
# starters that are their solutions with the regions cut out and nothing of the solution on the page before the fold.
# Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
passed=0 failed=0
expect() { # what, condition's status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}

sections='Questions
You will be able to
Predict
Your turn
Hints
Check yourself
Key points
On the GPU
Further reading'
kinds=$(sed -n 's/^FINDING([A-Z_]*, *"\([a-z-]*\)".*/\1/p' base/findings.def)

for folder in lessons/[0-9]*; do
    lesson=$(basename "$folder")
    page=$folder/lesson.md
    expect "$lesson has a page" "$([ -f "$page" ]; echo $?)"
    headings=$(sed -n 's/^## //p' "$page" | grep -Fx "$sections")
    expect "$lesson has all sections in order" "$([ "$headings" = "$sections" ]; echo $?)"
    words=$(sed '/^```/,/^```/d' "$page" | wc -w)
    expect "$lesson has 900 to 1400 words (has $words)" "$([ "$words" -ge 900 ] && [ "$words" -le 1400 ]; echo $?)"
    expect "$lesson has a figure" "$(grep -q '!\[..*\](figures/' "$page"; echo $?)"
    while read -r figure; do
        grep -q '<title' "$folder/$figure" && grep -q '<desc' "$folder/$figure"
        expect "$lesson/$figure has a title and a description" $?
    done < <(grep -o '(figures/[^)]*)' "$page" | tr -d '()')
    while read -r check; do
        case $check in
        case:*) grep -qF "\"${check#case: }\"" "$folder/judge.c" ;;
        *) grep -qx "$check" <<<"$kinds" ;;
        esac
        expect "$lesson objective's check exists: $check" $?
    done < <(sed -n 's/.*check: *"\{0,1\}\([^"}]*\)"\{0,1\} *}.*/\1/p' "$folder/lesson.yaml")
    expect "$lesson has three hints" "$([ "$(sed -n '/^hints:/,/^[a-z_]*:/p' "$folder/lesson.yaml" | grep -c '^ *- ')" -eq 3 ]; echo $?)"
    awk -f lessons/common/starter.awk "solutions/$lesson/solution.cu" 2>/dev/null | cmp -s - "starter/$lesson.cu"
    expect "$lesson starter equals its solution with the regions cut out (make starters)" $?
    before_fold=$(sed '/^## Hints/,$d;/^::: *{\.fold/,/^:::$/d' "$page")
    expect "$lesson shows nothing of the solution before the fold" "$(! grep -q 'include="solutions/[^"]*/solution.cu"' <<<"$before_fold"; echo $?)"
    expect "$lesson says no \"simply\" or \"just\"" "$(! sed '/^```/,/^```/d' "$page" | grep -qiwE 'simply|just'; echo $?)"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
