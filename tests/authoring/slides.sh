#!/bin/bash
# The slides (make slides): each lesson is in a deck with its questions, figures and key points, without answers; a page of paper for each slide.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8
output=$(BROWSER=- sh docs/build/slides/slides.sh "$work/decks" 2>&1)
holds "decks are made, and that there is no PDF is said: $output" "$([ $? -eq 0 ] && grep -qF 'no PDF, because no Chromium' <<<"$output" && [ ! -e "$work"/decks/sums.pdf ]; echo $?)"
cat "$work"/decks/*.html >"$work/all"
for lesson in $(cd lessons && ls -d [0-9]*); do
    title=$(sed -n 's/^# //p' "lessons/$lesson/lesson.md" | head -n 1)
    deck=$(grep -lF ">${lesson%%-*} $title</h1>" "$work"/decks/*.html)
    slides=$(awk -v t=">${lesson%%-*} $title</h1>" '/<section id=[^>]*class="title-slide|<h1>[0-9]|<h1 / { inside = 0 } index($0, t) { inside = 1 } inside' "$deck" /dev/null)
    lacking=
    for heading in Questions Predict 'What limits it' 'Key points'; do
        [ "$heading" != 'What limits it' ] || grep -q '^\*\*What limits it' "lessons/$lesson/lesson.md" || continue
        grep -qF ">$heading</h2>" <<<"$slides" || lacking="$lacking, $heading"
    done
    holds "$lesson has slides, and lacks none$lacking" "$([ "$(wc -w <<<"$deck")" -eq 1 ] && [ -z "$lacking" ]; echo $?)"
    figures=$(grep -cE '^!\[' "lessons/$lesson/lesson.md")
    holds "and its $figures figures" "$([ "$(grep -oE '<img [^>]*src="data:image/svg' <<<"$slides" | wc -l)" -ge "$figures" ]; echo $?)"
done
holds "a section without a figure or code has its first paragraph" "$(tr '\n' ' ' <"$work/all" | grep -q 'The <strong>field</strong> has an edge. Cells there lack'; echo $?)"
holds "no slide ends where something should come" "$(! tr '\n' ' ' <"$work/all" | grep -qE ':</p> *</(section|div)>'; echo $?)"
holds "a paragraph that leads to a list has it" "$(tr '\n' ' ' <"$work/all" | grep -q 'three rules keep that from doing harm:</p> *<ul'; echo $?)"
holds "a sentence that only leads to a report is gone" "$(! grep -q 'The tool says' "$work/all"; echo $?)"
holds "no slide has an answer, a hint or a report" "$(! grep -qE 'and why the others tempt|<details>|What the tool says|>Hint 1<' "$work/all"; echo $?)"
holds "a deck needs no other file and no network" "$(! grep -qE '(src|<link[^>]*href)="(https?:|lessons/)' "$work/all"; echo $?)"

# On paper: one group, of lessons with a tree, with much code, with a section of words alone and with tables, printed.
if [ -n "$(sh docs/build/browser.sh)" ] && command -v pdfinfo >/dev/null; then
    mkdir -p "$work/tree/lessons" && ln -s "$PWD/docs" "$PWD/solutions" "$PWD/starter" "$work/tree/" && ln -s "$PWD"/lessons/{07,18,21,27,28}-* "$work/tree/lessons/"
    echo 'Sums | 07 18 21 27 28' >"$work/tree/lessons/groups.txt"
    output=$(cd "$work/tree" && sh docs/build/slides/slides.sh decks 2>&1)
    pages=$(pdfinfo "$work/tree/decks/sums.pdf" | awk '$1 == "Pages:" { print $2 }') slides=$(grep -c '<section' "$work/tree/decks/sums.html")
    # The browser's deck begins with a slide of the group's name.
    holds "paper has a page for each slide ($pages of $slides): $output" "$([ "$pages" -eq $((slides - 1)) ]; echo $?)"
    # A slide is 600 points wide, and its margins are 30.
    pdftotext -bbox "$work/tree/decks/sums.pdf" "$work/boxes"
    out=$(sed -nE 's/.*xMin="([0-9.]+)" .*xMax="([0-9.]+)".*>(.*)<\/word>/\1 \2 \3/p' "$work/boxes" | awk '($1 < 29 && $3 !~ /^[A-D]\.$/) || $2 > 575 { print $3; n++ } n == 3 { exit }')
    holds "no word lies in the margin of a slide: $out" "$(grep -q '<word' "$work/boxes" && [ -z "$out" ]; echo $?)"
else
    echo "slides on paper skipped: no Chromium, or no pdfinfo (make setup-notes)"
fi
finish
