#!/bin/sh
# Slides of the course, one deck for each group of lessons: slides.sh FOLDER writes NAME.html, which a browser shows (arrow keys, no network), and
# NAME.pdf, where Chromium is installed. They are made of the pages' own questions, figures, code and key points. `make slides` calls it.
set -eu
here=$(dirname "$0")
out=$1
browser=$(sh "$here/../browser.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# The slides of a group's lessons, as one document.
collect() { # numbers
    for number in $1; do
        LESSON=$(cd lessons && ls -d "$number"-* 2>/dev/null) || continue
        LESSON=$LESSON pandoc --from markdown --to markdown --wrap=none --lua-filter "$here/slides.lua" "lessons/$LESSON/lesson.md"
        echo
    done
}

deck() { # format, file, options...
    format=$1 file=$2
    shift 2
    pandoc --from markdown --to "$format" --slide-level=2 --standalone --self-contained --highlight-style=tango --mathml --metadata title="$group" \
        --include-in-header="$work/style.html" "$@" "$work/deck.md" -o "$file" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
}

# On paper there is a page for each slide; a browser's own slides would be one.
print() { # html, pdf
    [ -n "$browser" ] || return 0
    sandbox=
    [ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
    # shellcheck disable=SC2086
    HOME=$work timeout 120 "$browser" --headless $sandbox --disable-gpu --no-first-run --disable-background-networking --user-data-dir="$work/profile" \
        --no-pdf-header-footer --print-to-pdf="$work/deck.pdf" "file://$(realpath "$1")" >"$work/log" 2>&1 && [ -s "$work/deck.pdf" ] ||
        { echo "slides: $browser printed no $2:" >&2; tail -n 3 "$work/log" >&2; return 1; }
    mv "$work/deck.pdf" "$2"
}

{ echo "<style>"; cat "$here/slides.css"; echo "</style>"; } >"$work/style.html"
grep -v '^#' lessons/groups.txt >"$work/groups"
while IFS='|' read -r group numbers; do
    group=$(echo "$group" | sed 's/ *$//')
    name=$(echo "$group" | tr 'A-Z ' 'a-z-')
    collect "$numbers" >"$work/deck.md"
    [ -s "$work/deck.md" ] || continue
    deck dzslides "$out/$name.html"
    deck html5 "$work/paper.html" --section-divs
    print "$work/paper.html" "$out/$name.pdf"
    printf 'slides: %s/%s.html, %s slides\n' "$out" "$name" "$(grep -c '<section' "$out/$name.html")"
done <"$work/groups"
[ -n "$browser" ] || echo "slides: no PDF, because no Chromium is installed (make setup-notes installs it)"
