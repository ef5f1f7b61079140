#!/bin/bash
# The built site: every internal link and picture resolves, pages are not empty, no template variable is left over.
# Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 3
site=${BUILD:-build}/site
passed=0 failed=0
expect() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}

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
    expect "${page#"$site"/} has broken links:$broken" "$([ -z "$broken" ]; echo $?)"
    expect "${page#"$site"/} has a main part" "$(grep -q '<main' "$page" && [ "$(wc -c <"$page")" -gt 1500 ]; echo $?)"
    expect "${page#"$site"/} has a text alternative for each picture" "$(! grep -oE '<img[^>]*>' "$page" | grep -qvE 'alt="[^"]+"'; echo $?)"
done
expect "the site has a page for each lesson" "$([ "$(ls "$site"/lessons/*.html | wc -l)" -eq "$(ls -d lessons/[0-9]* | wc -l)" ]; echo $?)"
expect "the reference has pages" "$([ "$(ls "$site"/reference/*.html 2>/dev/null | wc -l)" -gt 10 ]; echo $?)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
