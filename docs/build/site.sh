#!/bin/sh
# Builds the course site into $1 from the lessons and docs: `make notes` calls it. $2 holds the tool's reports of mutants.
# Any warning of pandoc ends the build.
set -eu
site=$1 data=$2
here=$(dirname "$0")
mkdir -p "$site/lessons" "$site/docs"
cp "$here/style.css" "$site/style.css"

field() { # lesson, key: a plain scalar of lesson.yaml
    sed -n "s/^$2: *\(.*\)$/\1/p" "lessons/$1/lesson.yaml" | head -n 1
}

title_of() {
    sed -n 's/^# //p' "lessons/$1/lesson.md" | head -n 1
}

facts_of() {
    minutes=$(sed -n 's/^minutes: *{ *read: *\([0-9]*\), *do: *\([0-9]*\) *}.*/\1 minutes to read, \2 minutes to do/p' "lessons/$1/lesson.yaml")
    needs=$(sed -n 's/^needs: *\[\(.*\)\].*/\1/p' "lessons/$1/lesson.yaml")
    printf '%s · needs %s' "$minutes" "${needs:-nothing before it}"
}

page() { # input, output, root, extra pandoc arguments...
    input=$1 output=$2 root=$3
    shift 3
    pandoc --fail-if-warnings --from markdown --to html5 --mathml --template "$here/page.html" -V root="$root" \
        "$@" --lua-filter "$here/page.lua" -o "$output" "$input"
}

lessons=$(cd lessons && for lesson in [0-9]*; do if [ -f "$lesson/lesson.md" ]; then echo "$lesson"; fi; done)
previous=
index=$(mktemp)
trap 'rm -f "$index"' EXIT
cat "$here/index.md" >"$index"
for lesson in $lessons; do
    next=$(printf '%s\n' $lessons | awk -v l="$lesson" 'found { print; exit } $0 == l { found = 1 }')
    pager=
    [ -z "$previous" ] || pager="<a rel=\"prev\" href=\"$previous.html\">← $(title_of "$previous")</a>"
    [ -z "$next" ] || pager="$pager <a rel=\"next\" href=\"$next.html\">$(title_of "$next") →</a>"
    mkdir -p "$site/lessons/$lesson"
    if [ -d "lessons/$lesson/figures" ]; then cp -r "lessons/$lesson/figures" "$site/lessons/$lesson/"; fi
    LESSON=$lesson SITE_DATA=$data page "lessons/$lesson/lesson.md" "$site/lessons/$lesson.html" ../ --toc --toc-depth=2 \
        --metadata-file "lessons/$lesson/lesson.yaml" --lua-filter "$here/lesson.lua" -V pager="$pager" -V facts="$lesson · $(facts_of "$lesson")"
    printf -- '- [%s: %s](lessons/%s.html) [%s]{.summary}\n' "$lesson" "$(title_of "$lesson")" "$lesson" "$(field "$lesson" summary)" >>"$index"
    previous=$lesson
done
echo ':::' >>"$index"
page "$index" "$site/index.html" "" -M pagetitle="A CUDA C course that runs on any laptop"
for document in docs/*.md "$data"/docs/*.md CONTRIBUTING.md CHANGELOG.md; do
    name=$(basename "$document" .md)
    page "$document" "$site/docs/$name.html" ../ --toc --toc-depth=2 -M pagetitle="$name"
done
echo "site: $(printf '%s\n' $lessons | wc -l) lessons"
