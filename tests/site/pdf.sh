#!/bin/bash
# The whole course as one PDF: every lesson begins on the page that the contents name, nothing sticks out of a page, no page is dark, no script's
# word for nothing is printed. Where there is no Chromium or poppler's tools, the suite says so and ends with the status 77, which is a skip.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
site=$build/site
pdf=$site/warpschool.pdf
browser=$(sh docs/build/browser.sh)

skip() {
    echo "SKIPPED the course as one PDF: $1"
    echo "0 passed, 0 failed"
    exit 77
}

[ -n "$browser" ] || skip "no Chromium is installed (make setup installs it)"
command -v pdfinfo >/dev/null || skip "poppler-utils is not installed (make setup installs it)"
command -v qpdf >/dev/null || skip "qpdf is not installed (make setup installs it)"

pdfinfo "$pdf" >"$work/info" 2>&1
pages=$(awk '$1 == "Pages:" { print $2 }' "$work/info")
holds "it is a book of pages (${pages:-none})" "$([ "${pages:-0}" -gt 100 ] && [ "$pages" -lt 400 ]; echo $?)"
[ "${pages:-0}" -gt 0 ] || finish
holds "its paper is A4" "$(grep -q '(A4)' "$work/info"; echo $?)"
holds "it carries no time of its making" "$(grep -q '^CreationDate: .*2000' "$work/info"; echo $?)"
size=$(wc -c <"$pdf")
holds "it has less than 3 MB ($size bytes)" "$([ "$size" -lt 3000000 ]; echo $?)"
holds "the front page leads to it, and knows its pages" "$(tr '\n' ' ' <"$site/index.html" | grep -qE "href=\"warpschool\.pdf\"[^.]*$pages pages"; echo $?)"

holds "it has tags for screen readers" "$(grep -qE '^Tagged: +yes' "$work/info"; echo $?)"
# The kinds of the tags, as "H1 41" a line. Poppler complains of those that are newer than it.
pdfinfo -struct "$pdf" 2>/dev/null | awk '{ sub(/:$/, "", $1); n[$1]++ } END { for (kind in n) print kind, n[kind] }' >"$work/tags"
for kind in H1 H2 P L LI Table TR TH TD Figure Link Code; do
    holds "its tags have $kind ($(sed -n "s/^$kind //p" "$work/tags"))" "$(grep -q "^$kind " "$work/tags"; echo $?)"
done
qpdf --json --json-key=outlines "$pdf" 2>/dev/null | jq -r '.outlines[] | [.title, .destpageposfrom1] | @tsv' >"$work/outline"
for lesson in lessons/[0-9]*; do
    title=$(sed -n 's/^# //p' "$lesson/lesson.md" | head -n 1 | tr -d '`')
    holds "its outline leads to \"$title\"" "$(grep -qF "$title" "$work/outline"; echo $?)"
done
pdftotext -layout "$pdf" "$work/text" # pages end with a form feed
page_text() { awk -v RS='\f' -v page="$1" 'NR == page' "$work/text"; }
page_text 2 >"$work/contents"
# The page that the contents give for a title: a number, or nothing.
page_of() { grep -F "$1" "$work/contents" | grep -oE '[0-9]+ *$' | tr -d ' '; }

begins() { # title
    local page
    page=$(page_of "$1")
    holds "\"$1\" begins on the page that the contents name (${page:-none})" \
        "$([ -n "$page" ] && page_text "$page" | head -n 8 | grep -qF "$1"; echo $?)"
}
for lesson in lessons/[0-9]*; do begins "$(sed -n 's/^# //p' "$lesson/lesson.md" | head -n 1 | tr -d '`')"; done
begins "Glossary"
begins "Answers and hints"
begins "$(sed -n 's/^# //p' docs/sheet.md)"
begins "$(sed -n 's/^# //p' docs/tiles.md)"
holds "every reference to a page has its number" "$(! grep -nE '(Answer|Hint [0-9]|contents): page *$' "$work/text"; echo $?)"
# What a script prints where it knows nothing. Lessons speak of what is undefined, too: as often as their pages do.
count() { grep -owE 'undefined|NaN|object Object' "$@" | wc -l; }
printed=$(count "$work/text") meant=$(cat "$site"/lessons/*.html "$site"/docs/{tiles,sheet,glossary}.html "$site/findings/index.html" | count)
holds "nothing is printed that a script did not know ($printed times, $meant are meant)" "$([ "$printed" -le "$meant" ]; echo $?)"
holds "code and reports are in it" "$(grep -q '__syncthreads();' "$work/text" && grep -q 'shared-race:' "$work/text"; echo $?)"

# What leads to code stays with it, and a term with its meaning: the last line of each page, a tab, and the first of the next.
awk -v RS='\f' '{
    n = split($0, line, "\n"); first = last = ""
    for (i = 1; i <= n; i++) if (line[i] ~ /[^ ]/ && line[i] !~ /^ *[0-9]+ *$/) { if (first == "") first = line[i]; last = line[i] }
    if (NR > 1) print ended "\t" first
    ended = last
}' "$work/text" | sed 's/^ *//; s/\t */\t/' >"$work/turns"
holds "no page ends with a sentence that leads to code on the next" "$(! grep -P ':\t(solutions|warpgrind)/' "$work/turns"; echo $?)"
holds "no page ends with a term whose meaning is on the next" "$(! cut -f1 "$work/turns" | grep -Fx "$(sed -n 's/^\*\*\(.*\)\*\*$/\1/p' docs/glossary.md | tr -d '`')"; echo $?)"
holds "the command of its cover is one line" "$(page_text 1 | grep -q '# install.*first lesson$'; echo $?)"

# Words beyond the margins are cut by a printer. The paper is 595 points wide.
pdftotext -bbox "$pdf" "$work/boxes"
out=$(sed -nE 's/.*xMin="([0-9.]+)" .*xMax="([0-9.]+)".*>(.*)<\/word>/\1 \2 \3/p' "$work/boxes" | awk '$1 < 40 || $2 > 555 { print $3; n++ } n == 3 { exit }')
words=$(grep -c '<word' "$work/boxes")
holds "no word of $words is out of the margins: $out" "$([ "$words" -gt 20000 ] && [ -z "$out" ]; echo $?)"
# Chromium makes everything smaller when something is too wide.
height=$(sed -nE 's/.*yMin="([0-9.]+)" .*yMax="([0-9.]+)".*/\1 \2/p' "$work/boxes" | awk '{ print $2 - $1 }' | sort -n | awk '{ a[NR] = $1 } END { print a[int(NR / 2)] }')
holds "half of its words are 10 points high or more (${height:-none})" "$(awk -v h="${height:-0}" 'BEGIN { exit !(h >= 10) }'; echo $?)"
fonts=$(pdffonts "$pdf" | awk 'NR > 2 { n++; if ($(NF - 4) != "yes") bad = bad " " $1 } END { print n + 0 bad }')
holds "its fonts are in it ($fonts)" "$([[ $fonts =~ ^[1-9][0-9]*$ ]]; echo $?)"
pdftoppm -gray -r 12 "$pdf" "$work/page"
dark=$(for image in "$work"/page*.pgm; do
    tail -c +15 "$image" | od -An -v -tu1 | awk -v name="${image##*/}" '{ for (i = 1; i <= NF; i++) { all++; if ($i < 110) dark++ } } END { if (dark > all / 4) print name }'
done)
holds "no page is dark: $dark" "$([ -z "$dark" ] && [ "$(ls "$work"/page*.pgm | wc -l)" -eq "$pages" ]; echo $?)"
finish
