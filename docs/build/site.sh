#!/bin/sh
# Builds the course site into $1 from the lessons and docs: `make notes` calls it. $2 holds what the tools print for the pages.
# Any warning of pandoc ends the build. LUNR names the library that searches the pages, where it is not Debian's.
set -eu
site=$1
LUNR=${LUNR:-/usr/share/javascript/lunr/lunr.min.js}
export SITE_DATA="$2"
here=$(dirname "$0")
. "$here/facts.sh"
mkdir -p "$site/lessons" "$site/docs" "$site/findings"
cp "$here/style.css" "$here/site.js" "$here/icon.svg" "$site/"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export SEARCH="$made/search"
: >"$SEARCH"

field() { # lesson, key: a plain scalar of lesson.yaml
    sed -n "s/^$2: *\(.*\)$/\1/p" "lessons/$1/lesson.yaml" | head -n 1
}

needs_of() {
    sed -n 's/^needs: *\[\(.*\)\].*/\1/p' "lessons/$1/lesson.yaml"
}

# The lessons that come before this one, as links to their pages.
facts_of() {
    needs=$(needs_of "$1" | tr -d ',') links=
    for need in $needs; do links="$links${links:+, }<a href=\"$need.html\">${need%%-*} $(title_of "$need")</a>"; done
    printf '%s minutes to read, %s minutes to do · %s' "$(minutes_of "$1" read)" "$(minutes_of "$1" do)" "${links:+after }${links:-needs no other lesson}"
}

# The list of all lessons beside a page; the page itself is marked.
sidebar() { # root, lesson of this page or -
    echo '<ul>'
    for entry in $lessons; do
        current=
        [ "$entry" != "$2" ] || current=' aria-current="page"'
        printf '<li><a href="%slessons/%s.html"%s>%s %s</a></li>\n' "$1" "$entry" "$current" "${entry%%-*}" "$(title_of "$entry")"
    done
    echo '</ul>'
}

# The repository of a class has no page for teachers, and what it has besides lessons is not for developers.
role=
[ ! -f docs/teaching.md ] || role='-V teaching=true'

page() { # input, address in the site, root, extra pandoc arguments...
    input=$1 address=$2 root=$3
    shift 3
    # shellcheck disable=SC2086 # role is words
    PAGE=$address pandoc --fail-if-warnings --from markdown --to html5 --mathml --syntax-definition "$here/cuda.xml" --template "$here/page.html" -V root="$root" $role \
        "$@" --lua-filter "$here/page.lua" -o "$site/$address" "$input"
}

# What the highlighter writes and the style sheet has no use for: a link to each line of code, and a mark on each operator.
slim_code() {
    find "$site/lessons" "$site/docs" "$site/findings" -maxdepth 1 -name '*.html' -exec sed -Ei \
        -e 's,<span id="cb[0-9]+-[0-9]+"><a href="#cb[0-9]+-[0-9]+"[^>]*></a>(.*)</span>,\1,' -e 's,<span class="(op|ex)">([^<]*)</span>,\2,g' \
        -e 's,(<span class="(dv|fl|bn)">[^<]*)</span><span class="bu">([^<]*)</span>,\1\3</span>,g' {} +
}

lesson_pages() {
    previous=
    for lesson in $lessons; do
        next=$(printf '%s\n' $lessons | awk -v l="$lesson" 'found { print; exit } $0 == l { found = 1 }')
        pager=
        [ -z "$previous" ] || pager="<a rel=\"prev\" href=\"$previous.html\">← $(title_of "$previous")</a>"
        [ -z "$next" ] || pager="$pager <a rel=\"next\" href=\"$next.html\">$(title_of "$next") →</a>"
        mkdir -p "$site/lessons/$lesson"
        if [ -d "lessons/$lesson/figures" ]; then cp -r "lessons/$lesson/figures" "$site/lessons/$lesson/"; fi
        rm -rf "$site/lessons/$lesson/pictures"
        if ls "$SITE_DATA/$lesson"/*.html >/dev/null 2>&1; then
            mkdir -p "$site/lessons/$lesson/pictures"
            cp "$SITE_DATA/$lesson"/*.html "$site/lessons/$lesson/pictures/"
        fi
        LESSON=$lesson page "lessons/$lesson/lesson.md" "lessons/$lesson.html" ../ --toc --toc-depth=2 \
            --lua-filter "$here/lesson.lua" -V pager="$pager" -V eyebrow="Lesson ${lesson%%-*}" -V facts="$(facts_of "$lesson")" \
            -V sidebar="$(sidebar ../ "$lesson")" -V description="Lesson ${lesson%%-*} of a CUDA C course: $(field "$lesson" summary)."
        # A picture that the page does not show has no step that leads to the mistake.
        for picture in "$site/lessons/$lesson/pictures"/*.html; do
            [ ! -f "$picture" ] || grep -q "pictures/$(basename "$picture")" "$site/lessons/$lesson.html" || rm "$picture"
        done
        previous=$lesson
    done
}

# 200 as "3 h 20 min".
hours() { if [ "$1" -lt 60 ]; then echo "$1 min"; else echo "$(($1 / 60)) h $(($1 % 60)) min"; fi; }

# The map of the course: a heading for each group that has lessons, a row for each lesson.
lesson_map() {
    while IFS='|' read -r group numbers; do
        here_now=
        for number in $numbers; do
            for lesson in $lessons; do [ "${lesson%%-*}" != "$number" ] || here_now="$here_now $lesson"; done
        done
        [ -n "$here_now" ] || continue
        total=0
        for lesson in $here_now; do total=$((total + $(minutes_of "$lesson" read) + $(minutes_of "$lesson" do))); done
        printf '\n### %s\n\n::: {.lessons}\n' "$(echo "$group" | sed 's/ *$//')"
        for lesson in $here_now; do
            class=
            [ "$(field "$lesson" core)" != true ] || class='{.core}'
            printf -- '- [%s %s](lessons/%s.html)%s [%s min]{.minutes} [%s]{.summary}\n' "${lesson%%-*}" "$(title_of "$lesson")" "$lesson" "$class" \
                $(($(minutes_of "$lesson" read) + $(minutes_of "$lesson" do))) "$(field "$lesson" summary)"
        done
        printf ':::\n\n[%s in all]{.total}\n' "$(hours "$total")"
    done <"$made/groups"
}

book() {
    sh "$here/book.sh" "$site" "$SITE_DATA" $(for lesson in $lessons; do echo "lessons/$lesson.html"; done) docs/tiles.html docs/sheet.html findings/index.html docs/glossary.html
}

exercises_link() {
    printf '\nTwo [exercises beyond the code](docs/exercises.html) go with each lesson, and projects with the course. A chapter shows [tile kernels](docs/tiles.html), which are written for blocks instead of threads.\n'
}

# The line about the PDF, where there is one.
book_link() {
    [ -f "$site/warpschool.pdf" ] || return 0
    printf '\nThe whole course is also [one PDF](warpschool.pdf) of %s pages.\n' "$(pdfinfo "$site/warpschool.pdf" | awk '$1 == "Pages:" { print $2 }')"
}

front_page() {
    grep -v '^#' "lessons/groups.txt" >"$made/groups"
    for lesson in $lessons; do
        grep -qE "\|.* ${lesson%%-*}( |\$)" "$made/groups" || { echo "site: lesson $lesson is in no group of lessons/groups.txt" >&2; exit 1; }
    done
    { if [ -n "$role" ]; then cat "$here/index.md"; else grep -v 'teaching\.html' "$here/index.md"; fi; lesson_map; exercises_link; book_link; } >"$made/index.md"
    # What the learner has passed; each check replaces it (autograder/course/progress.c).
    { printf 'const passedLessons = ['; sed -n 's/^passed \([a-z0-9-]*\)$/"\1", /p' work/.progress 2>/dev/null | tr -d '\n'; echo '];'; } >"$site/progress.js"
    page "$made/index.md" index.html "" -M pagetitle="A CUDA C course that runs on any laptop" -V wide=true
}

# A document's first heading is its title in lists.
document_pages() {
    sides=$(sidebar ../ -)
    { cat "$here/documents.md"; echo; } >"$made/documents.md"
    for document in docs/*.md warpgrind/docs/*.md "$SITE_DATA"/docs/*.md CONTRIBUTING.md CHANGELOG.md; do
        [ -f "$document" ] || continue
        name=$(basename "$document" .md)
        page "$document" "docs/$name.html" ../ --toc --toc-depth=2 -M pagetitle="$name" -V sidebar="$sides"
        case $name in teaching | grading | glossary | sheet | tiles | exercises | course-*) continue ;; esac
        printf -- '- [%s](%s.html)\n' "$(sed -n 's/^# //p' "$document" | head -n 1)" "$name" >>"$made/documents.md"
    done
    page "$made/documents.md" docs/index.html ../ -V sidebar="$sides"
}

finding_pages() {
    sides=$(sidebar ../ -)
    for document in "$SITE_DATA"/findings/*.md; do
        page "$document" "findings/$(basename "$document" .md).html" ../ -V sidebar="$sides"
    done
}

# The names of the reference, one line of JSON for each: reference.sh left Doxygen's list of them.
reference_index() {
    [ -f "$SITE_DATA/reference.tag" ] || return 0
    awk '
    function of(tag,   text) { text = $0; sub(".*<" tag ">", "", text); sub("</" tag ">.*", "", text); return text }
    /<compound kind="file">/ { inside = 1 }
    /<\/compound>/ { inside = 0 }
    inside && /^    <name>/ { file = of("name") }
    /<member kind="(define|function|typedef)">/ { member = inside && file !~ /\.cu$/ }
    member && /<name>/ { name = of("name") }
    member && /<anchorfile>/ { address = of("anchorfile") }
    member && /<anchor>/ { address = address "#" of("anchor") }
    member && /<arglist>/ {
        text = of("arglist")
        gsub(/[\\"]/, "\\\\&", text); gsub(/&lt;/, "\\u003c", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
        printf "{\"url\": \"reference/%s\", \"page\": \"%s\", \"title\": \"%s\", \"weight\": 0.5, \"text\": \"%s\"},\n", address, file, name, text
        member = 0
    }' "$SITE_DATA/reference.tag"
}

search_page() {
    printf '# Search\n\n[Searching needs a script and a library (libjs-lunr); without them, the [map of lessons](index.html#lessons) and the [glossary](docs/glossary.html) have every\nterm.]{#found aria-live="polite"}\n\n```{=html}\n<ol id="results"></ol>\n```\n' >"$made/search.md"
    SEARCH='' page "$made/search.md" search.html "" -V sidebar="$(sidebar "" -)" -V searchable=true
    {
        echo 'const searchData = ['; cat "$SEARCH"; reference_index; echo '];'
        echo 'const taughtTerms = ['; cat "$SEARCH.taught"; echo '];'
    } >"$site/search-data.js"
    rm -f "$site/lunr.js"
    if [ -f "$LUNR" ]; then cp "$LUNR" "$site/lunr.js"; else echo "notes: the pages have no search: lunr is not installed (libjs-lunr; make setup-notes installs it)"; fi
}

lessons=$(cd lessons && for lesson in [0-9]*; do if [ -f "$lesson/lesson.md" ]; then echo "$lesson"; fi; done)
lesson_pages
document_pages
finding_pages
slim_code
book
front_page
search_page
echo "site: $(printf '%s\n' $lessons | wc -l) lessons"
