#!/bin/bash
# What an author's check must prove of each lesson page, and of the starters: sections, word budget, objectives with a check, text alternatives,
# reports that are read aloud, links to documentation that lasts, starters that are their solutions with the regions cut out and nothing
# of the solution on the page before the fold. What is a wish for a teacher's lesson is said with WISH. LESSON leaves one folder of lessons/.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/lessons/wishes.bash

sections='Questions
You will be able to
Predict
Your turn
Hints
Check yourself
Key points
On the GPU
Further reading'
# Who writes the documentation that a lesson may send its readers to.
hosts='^https://(docs\.nvidia\.com|developer\.nvidia\.com|developer\.download\.nvidia\.com|github\.com/NVIDIA|en\.cppreference\.com)/'

# The words of prose between a report and the next heading or block, one line a report: count, then what of the report they name.
readings() { # page
    awk '
    function finish() { if (reading) print words, named; reading = words = 0; named = "" }
    /^```\{\.report/ { finish(); inside = 1; next }
    /^```/ && inside { inside = 0; reading = 1; next }
    /^```|^## |^!\[/ { finish(); next }
    reading {
        words += NF
        if (tolower($0) ~ /cases?[^a-z]|sums? (is|are) right/) named = named "case "
        if (tolower($0) ~ /finding|kind|race|lines?[^a-z]/) named = named "finding "
    }
    END { finish() }' "$1"
}
# among WORD LINES: whether the word is one of the lines.
among() { [[ $'\n'$2$'\n' == *$'\n'"$1"$'\n'* ]]; }
kinds=$(sed -n 's/^FINDING([A-Z_]*, *"\([a-z-]*\)".*/\1/p' warpgrind/base/findings.def)

for folder in lessons/${LESSON:-[0-9]*}; do
    lesson=$(basename "$folder")
    page=$folder/lesson.md
    holds "$lesson has a page" "$([ -f "$page" ]; echo $?)"
    headings=$(sed -n 's/^## //p' "$page" | grep -Fx "$sections")
    holds "$lesson has all sections in order" "$([ "$headings" = "$sections" ]; echo $?)"
    words=$(sed '/^```/,/^```/d' "$page" | wc -w)
    wish "$lesson" "$lesson has 900 to 1400 words" "$([ "$words" -ge 900 ] && [ "$words" -le 1400 ] || echo "has $words")"
    holds "$lesson has a figure" "$(grep -q '!\[..*\](figures/' "$page"; echo $?)"
    for figure in "$folder"/figures/*.svg; do
        grep -q '<title[^>]*>[^<]' "$figure" && grep -q '<desc[^>]*>[^<]' "$figure"
        holds "$figure has a title and a description" $?
        grep -qF "](figures/$(basename "$figure"))" "$page"
        holds "$figure is on its page" $?
    done
    reports=$(grep -c '^```{\.report' "$page")
    holds "$lesson shows a report" "$([ "$reports" -ge 1 ]; echo $?)"
    holds "$lesson has prose behind each report" "$([ "$(readings "$page" | wc -l)" -eq "$reports" ]; echo $?)"
    while read -r count named; do
        holds "$lesson reads its report aloud ($count words, naming: ${named:-nothing})" \
            "$([ "$count" -ge 30 ] && [[ $named == *finding* ]]; echo $?)"
    done < <(readings "$page")
    holds "$lesson says what the cases of a report say" "$(readings "$page" | grep -q case; echo $?)"
    while read -r quote; do
        holds "$lesson quotes what the judge says of a case: $quote" "$(grep -qF "${quote//\"/}" autograder/texts.txt; echo $?)"
    done < <(grep -o '"right in [^"]*"' "$page")
    while read -r link; do
        [[ $link =~ $hosts ]]
        holds "$lesson links to documentation that lasts: $link" $?
    done < <(grep -oE 'https?://[^) ]+' "$page" | sort -u)
    reading=$(sed -n '/^## Further reading/,$p' "$page")
    links=$(grep -c '^- \[' <<<"$reading")
    holds "$lesson has one to four links for further reading" "$([ "$links" -ge 1 ] && [ "$links" -le 4 ]; echo $?)"
    holds "$lesson says why of each link" "$([ "$(tr '\n' ' ' <<<"$reading" | grep -oE '\]\([^)]*\)[^[]*: +[^ ]' | wc -l)" -eq "$links" ]; echo $?)"
    predict=$(sed -n '/^## Predict/,/^## /p' "$page" | sed '/^::: *{\.fold/,/^:::$/d')
    holds "$lesson keeps the answer of Predict folded" "$(! grep -qE '[A-D] is right|\*\*[A-D]\*?\*?[.,]' <<<"$predict"; echo $?)"
    letters=$(sed -n '/^## Predict/,/^## /p' "$page" | sed -n '/^::: *{\.fold/,/^:::$/p' | grep -oE '^\*[A-D]\*( and \*[A-D]\*)*[ :]' | tr -dc 'A-D')
    holds "$lesson answers Predict in the order of its letters ($letters)" "$([ "$(grep -o . <<<"$letters" | sort | tr -d '\n')" = "$letters" ]; echo $?)"
    while read -r check; do
        case $check in
        case:*) grep -qF "\"${check#case: }\"" "$folder/judge.c" ;;
        budget:*) grep -q "what: ${check#budget: }\$" "$folder/lesson.yaml" ;;
        *) among "$check" "$kinds" ;;
        esac
        holds "$lesson objective's check exists: $check" $?
    done < <(sed -n 's/.*check: *"\{0,1\}\([^"}]*\)"\{0,1\} *}.*/\1/p' "$folder/lesson.yaml")
    holds "$lesson has three hints" "$([ "$(sed -n '/^hints:/,/^[a-z_]*:/p' "$folder/lesson.yaml" | grep -c '^ *- ')" -eq 3 ]; echo $?)"
    # The third is nearly the code: that stands in lines of its own, which fit a terminal behind an indentation of six.
    code=$(awk '/^hints:/ { inside = 1; next } /^[a-z]/ { inside = 0 } inside && /^  - / { n++ } inside && n == 3 && /^        / { print substr($0, 9) }' "$folder/lesson.yaml")
    holds "$lesson sets the code of its third hint apart, in 74 columns ($(wc -L <<<"$code"))" "$([ -n "$code" ] && [ "$(wc -L <<<"$code")" -le 74 ]; echo $?)"
    # What a mistake of this lesson leads to has a hint in the lesson's terms; a wrong answer has the lesson's own hints, and the compiler's words are explained.
    hinted=$(sed -n '/^hints_about:/,/^[a-z_]*:$/ s/^  \([a-z-]*\):.*/\1/p' "$folder/lesson.yaml")
    while read -r kind; do
        among "$kind" "$hinted"
        holds "$lesson has a hint about $kind" $?
    done < <(grep -ohE '// expect: [a-z-]+' solutions/"$lesson"/mutants/*.cu | sed 's/.*: //' | sort -u | grep -vxE 'wrong-answer|compile-error')
    awk -f lessons/common/starter.awk "solutions/$lesson/solution.cu" 2>/dev/null | cmp -s - "starter/$lesson.cu"
    holds "$lesson starter equals its solution with the regions cut out (make starters)" $?
    before_fold=$(sed '/^## Hints/,$d;/^::: *{\.fold/,/^:::$/d' "$page")
    holds "$lesson shows nothing of the solution before the fold" "$(! grep -q 'include="solutions/[^"]*/solution.cu"' <<<"$before_fold"; echo $?)"
    wish "$lesson" "$lesson is filled in" "$({
        grep -rn 'FILL IN' "$folder" "solutions/$lesson" "starter/$lesson.cu"
        grep -n "^| ${lesson%%-*} | .*FILL IN" README.md | sed 's/^/README.md:/'
    } | cut -d: -f1 | sort | uniq -c | awk '{ print $2 " (" $1 ")" }' | paste -sd' ')"
    if grep -qx 'core: true' "$folder/lesson.yaml"; then
        holds "$lesson, of the core, says what limits its kernel" \
            "$(sed -n '/^## On the GPU/,/^## Further/p' "$page" | grep -qE '\*\*What limits it: .*(latency|bandwidth|arithmetic)'; echo $?)"
        while read -r needed; do
            holds "$lesson, of the core, needs a lesson of the core: $needed" "$(grep -qx 'core: true' "lessons/$needed/lesson.yaml"; echo $?)"
        done < <(sed -n 's/^needs: \[\(.*\)\]/\1/p' "$folder/lesson.yaml" | tr -s ', ' '\n' | grep .)
    fi
    holds "$lesson says no \"simply\" or \"just\"" "$(! sed '/^```/,/^```/d' "$page" | grep -qiwE 'simply|just'; echo $?)"
done
holds "docs/objectives.md is what manifests and margins say (sh authoring/objectives.sh --write)" \
    "$(sed '1,/^<!-- objectives -->$/d; /^<!-- end of objectives -->$/,$d' docs/objectives.md | cmp -s - <(sh authoring/objectives.sh); echo $?)"
# What nothing ever lacked is not known to be proved.
holds "each objective that no case proves is lacking in some file" "$(! grep -v '| the case "' docs/objectives.md | grep -qE '\| +\|$'; echo $?)"
finish
