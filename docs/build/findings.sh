#!/bin/sh
# Writes the Markdown of the findings' pages into $1/findings: one for each kind that `warpgrind explain` knows, and their list. The reports
# that example.sh made lie there already. BUILD names the build folder.
set -eu
data=$1
here=$(dirname "$0")
build=${BUILD:-build}

title_of() { sed -n 's/^# //p' "lessons/$1/lesson.md" | head -n 1; }

lesson_line() { printf -- '- [%s %s](../lessons/%s.html)%s\n' "${1%%-*}" "$(title_of "$1")" "$1" "$2"; }

# The lessons that teach the kind by an objective, then those whose typical mistakes make it.
lessons_of() { # kind
    for folder in lessons/[0-9]*; do
        lesson=$(basename "$folder")
        [ -f "$folder/lesson.md" ] || continue
        of_budget=$1
        [ "$1" = over-budget ] && of_budget='budget: [a-z_]+'
        if grep -qE "check: *\"?($1|$of_budget)\"? *}" "$folder/lesson.yaml"; then
            lesson_line "$lesson" ', which teaches how to avoid it'
        elif grep -qE "// expect(-note)?:.* $1( |\$)" "solutions/$lesson/mutants/"*.cu 2>/dev/null; then
            lesson_line "$lesson" ''
        fi
    done
}

finding_page() { # kind; its explanation is in explained
    kind=$1
    source=$(awk -v k="$kind" '$1 == k { print $2 }' "$here/findings.txt")
    severity=$(sed -n '1s/.*(\(.*\)):.*/\1/p' "$explained")
    echo "# $kind"
    printf '\n[%s: `%s`{.prose}]{.facts}\n\n```{.prose}\n' "$severity" "$(sed -n '1s/^[^:]*: //p' "$explained")"
    sed 1d "$explained"
    echo '```'
    printf '\n## What the report looks like\n\n'
    if [ -n "$source" ] && [ ! -f "$source" ]; then # in the repository of a class
        printf '```{.report file="findings/%s.txt" label="The report"}\n```\n' "$kind"
    elif [ -n "$source" ]; then
        printf 'From `%s`:\n\n```{.report file="findings/%s.txt" label="The report"}\n```\n' "$source" "$kind"
        printf '\n```{=html}\n<details><summary>The program</summary>\n```\n\n```{.source file="%s"}\n```\n\n```{=html}\n</details>\n```\n' "$source"
    else
        printf 'This page shows no report: making one takes the whole time limit.\n'
    fi
    printf '\n## Where you meet it\n\n'
    met=$(lessons_of "$kind")
    if [ -n "$met" ]; then echo "$met"; else echo 'In no lesson of its own: any program may run into it.'; fi
    printf '\nIn a terminal: `build/bin/warpgrind explain %s`. [All kinds of finding](index.html).\n' "$kind"
}

list_page() {
    printf '# What the tool finds\n\nAn *error* is a mistake in the program, whatever its answer; a *note* is about something that costs time or
precision. Of the notes, `over-budget` alone costs points: those of its line in the lesson.\n'
    for severity in error note; do
        printf '\n## %ss\n\n| kind | what it means |\n|---|---|\n' "$(echo "$severity" | sed 's/^e/E/;s/^n/N/')"
        "$build/bin/warpgrind" explain | sed -nE "s/^([a-z-]+) +$severity +(.*)\$/| [\`\1\`](\1.html) | \`\2\`{.prose} |/p"
    done
}

explained=$(mktemp)
trap 'rm -f "$explained"' EXIT
mkdir -p "$data/findings"
list_page >"$data/findings/index.md"
for kind in $("$build/bin/warpgrind" explain | awk '{ print $1 }'); do
    "$build/bin/warpgrind" explain "$kind" >"$explained"
    finding_page "$kind" >"$data/findings/$kind.md"
done
