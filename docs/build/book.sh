#!/bin/sh
# Makes the whole course one PDF, SITE/warpschool.pdf, of the pages that site.sh has built: `make notes` calls it with SITE, the folder of its
# data, and the pages in their order. book.js, which runs in the page, joins the pages; Chromium prints them. It prints twice: the first time
# shows on which page each chapter begins. Where Chromium or poppler's pdfinfo is missing, no PDF is made, and a line says so.
# It has an outline, which viewers show beside the pages, and tags that tell a screen reader what is a heading, a list or code. The tags make it three
# times as large until qpdf packs them; where qpdf is missing, it has neither.
# A PDF whose pages have not changed is kept. BROWSER names another Chromium.
set -eu
site=$1 data=$2
shift 2
here=$(dirname "$0")
book=$data/book
pdf=$site/warpschool.pdf
browser=$(sh "$here/browser.sh")

skip() {
    rm -f "$pdf"
    echo "notes: no PDF of the course: $1"
    exit 0
}

[ -n "$browser" ] || skip "no Chromium is installed (make setup installs it)"
command -v pdfinfo >/dev/null || skip "pdfinfo is not installed (poppler-utils; make setup installs it)"

# The text of a page without what surrounds it.
main_of() { sed -n '/<main id="content">/,/<\/main>/{/<main id=\|<\/main>/d;p}' "$site/$1"; }

assemble() { # a script that knows the page numbers
    printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Warpschool: a CUDA C course that runs on any laptop</title>\n<style>\n'
    cat "$here/style.css" "$here/book.css"
    printf '</style>\n</head>\n<body>\n'
    cat "$here/book.html"
    for page in "$@"; do
        printf '<article data-page="%s">\n' "$page"
        main_of "$page"
        printf '</article>\n'
    done
    printf '<script>\n'
    cat "$book/pages.js" "$here/book.js"
    printf '</script>\n</body>\n</html>\n'
}

# Prints the page book.html, with OPTIONS. The profile is a new one: the user's own browser may be running.
print() { # options
    profile=$(mktemp -d)
    sandbox=
    [ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
    HOME=$profile timeout 300 "$browser" --headless $sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$profile/profile" --no-pdf-header-footer "$@" \
        --print-to-pdf="$book/course.pdf" "file://$(realpath "$book/book.html")" >"$book/log" 2>&1 || true
    rm -rf "$profile"
    [ -s "$book/course.pdf" ] || skip "$browser printed none ($book/log says why)"
}

mkdir -p "$book"
echo 'const pageNumbers = {};' >"$book/pages.js"
assemble "$@" >"$book/book.html"
# What the PDF is made of: the assembled pages, and the figures that they show.
state=$({ cat "$book/book.html"; find "$site/lessons" -name '*.svg' -exec cat {} +; } | cksum)
if [ -s "$pdf" ] && [ "$(cat "$book/state" 2>/dev/null)" = "$state" ]; then exit 0; fi
rm -f "$book/course.pdf"
print --disable-pdf-tagging
{
    echo 'const pageNumbers = {'
    pdfinfo -dests "$book/course.pdf" | sed -nE 's/^ *([0-9]+) .*"([^"]+)"$/"\2": \1,/p'
    echo '};'
} >"$book/pages.js"
assemble "$@" >"$book/book.html"
if command -v qpdf >/dev/null; then print --export-tagged-pdf --generate-pdf-document-outline; else print --disable-pdf-tagging; fi
# The same pages make the same file, whenever they are printed.
LC_ALL=C sed -i -E "s/^(\/(CreationDate|ModDate) \(D:)[0-9]{14}/\120000101000000/" "$book/course.pdf"
if command -v qpdf >/dev/null; then
    qpdf --object-streams=generate --recompress-flate --compression-level=9 --deterministic-id "$book/course.pdf" "$book/packed.pdf"
    mv "$book/packed.pdf" "$book/course.pdf"
fi
mv "$book/course.pdf" "$pdf"
echo "$state" >"$book/state"
