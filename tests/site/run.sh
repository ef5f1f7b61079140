#!/bin/bash
# The built site: every internal link and picture resolves, pages are not empty, and they read well without a picture, a script or a
# mouse: one title, headings in order, names that are used once, what is wider than a phone can be reached with the keyboard.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"
site=$build/site

# The levels of a page's headings in order, as digits.
levels() { tr '\n' ' ' <"$1" | grep -oE '<h[1-6][ >]' | tr -dc '1-6'; }

for page in "$site/index.html" "$site"/lessons/*.html "$site"/docs/*.html; do
    folder=$(dirname "$page") broken=
    while read -r link; do
        target=${link%%#*} fragment=${link#*#}
        [ "$fragment" != "$link" ] || fragment=
        file=$page
        [ -z "$target" ] || file=$folder/$target
        if [ ! -e "$file" ]; then
            broken="$broken $link"
        elif [ -n "$fragment" ] && ! grep -q "id=\"$fragment\"" "$file"; then
            broken="$broken $link"
        fi
    done < <(grep -oE '(href|src)="[^"]+"' "$page" | sed 's/^[a-z]*="//;s/"$//' | grep -vE '^(https?:|mailto:)' | sort -u)
    holds "${page#"$site"/} has broken links:$broken" "$([ -z "$broken" ]; echo $?)"
    holds "${page#"$site"/} has a main part" "$(grep -q '<main' "$page" && [ "$(wc -c <"$page")" -gt 1500 ]; echo $?)"
    name=${page#"$site"/}
    text=$(tr '\n' ' ' <"$page")
    order=$(levels "$page")
    holds "$name has one title, and it comes first (headings $order)" "$([[ $order =~ ^1[2-6]*$ ]]; echo $?)"
    holds "$name leaves out no level of headings ($order)" "$(! grep -qE '1[3-6]|2[4-6]|3[56]' <<<"$order"; echo $?)"
    holds "$name uses each id once" "$([ -z "$(grep -oE ' id="[^"]+"' <<<"$text" | sort | uniq -d)" ]; echo $?)"
    holds "$name works without a script" "$(! grep -qiE '<script|[ "]on[a-z]+="' <<<"$text"; echo $?)"
    holds "$name says its language and lets readers skip to the content" "$(grep -q '<html lang="en">' <<<"$text" && grep -q 'href="#content"' <<<"$text"; echo $?)"
    tables=$(grep -oE '<table' <<<"$text" | wc -l)
    reached=$(grep -oE '<div class="scroll" tabindex="0"[^>]*> *<table' <<<"$text" | wc -l)
    holds "$name lets the keyboard scroll its tables ($reached of $tables)" "$([ "$tables" -eq "$reached" ]; echo $?)"
    holds "$name has folds that open and close" "$([ "$(grep -o '<details>' <<<"$text" | wc -l)" -eq "$(grep -o '</details>' <<<"$text" | wc -l)" ]; echo $?)"
    holds "${page#"$site"/} has a text alternative for each picture" "$(! grep -oE '<img[^>]*>' "$page" | grep -qvE 'alt="[^"]+"'; echo $?)"
done
# What a page says of a report, from the report to the next heading: "MUTANT<tab>prose" a line.
said() { # lesson.md
    awk '
    function finish() { if (mutant != "") print mutant "\t" prose; mutant = prose = "" }
    /^```\{\.report/ { finish(); mutant = $0; gsub(/.*mutant="|".*/, "", mutant); next }
    /^## / { finish() }
    mutant != "" { prose = prose " " $0 }
    END { finish() }' "$1"
}

# The pages claim what the reports show: ticks, and sums that are not a number.
for page in lessons/[0-9]*/lesson.md; do
    lesson=$(basename "$(dirname "$page")")
    while IFS=$'\t' read -r mutant prose; do
        report=$build/site-data/$lesson/$mutant.txt
        crosses=$(grep -c '^  ✗' "$report") nans=$(grep -cE '^  (✗|    ).* nan ' "$report")
        claim=$(grep -oiE '(every|all) [a-z* ]+(has its|have a) tick|every sum is right' <<<"$prose")
        holds "$lesson says \"$claim\" of $mutant, where $crosses cases are crossed" "$([ -z "$claim" ] || [ "$crosses" -eq 0 ]; echo $?)"
        holds "$lesson explains the nan of $mutant, and only that" \
            "$([ "$(grep -c '`nan`' <<<"$prose")" -eq "$((nans > 0))" ]; echo $?)"
    done < <(said "$page")
done
holds "the site has a page for each lesson" "$([ "$(ls "$site"/lessons/*.html | wc -l)" -eq "$(ls -d lessons/[0-9]* | wc -l)" ]; echo $?)"
holds "the reference has pages" "$([ "$(ls "$site"/reference/*.html 2>/dev/null | wc -l)" -gt 10 ]; echo $?)"
finish
