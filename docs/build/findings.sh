#!/bin/sh
# Writes the Markdown of the findings' pages into $1/findings: one for each kind that `warpgrind explain` knows, and their list. The reports
# that example.sh made lie there already. BUILD names the build folder.
set -eu
data=$1
here=$(dirname "$0")
build=${BUILD:-build}

# Explanations are written for a terminal: identifiers become code, what Markdown would read as its own is escaped, and lines that start with
# four spaces are a block of code.
markdown() {
    awk '
    function words(text,   n, i, part, out, tail) {
        n = split(text, part, " ")
        for (i = 1; i <= n; i++) {
            tail = ""
            while (part[i] ~ /[.,:;]$/) { tail = substr(part[i], length(part[i])) tail; part[i] = substr(part[i], 1, length(part[i]) - 1) }
            if (part[i] ~ /^\(.*[^()]\)$/) { tail = ")" tail; part[i] = substr(part[i], 1, length(part[i]) - 1) }
            lead = ""
            if (part[i] ~ /^\([^)]/) { lead = "("; part[i] = substr(part[i], 2) }
            if (part[i] ~ /_|\(\)|<<<|->|[&\[\]*]/ && part[i] !~ /^[*]$/) part[i] = "`" part[i] "`"
            else gsub(/[*<>$#~^\\]/, "\\\\&", part[i])
            out = out (i > 1 ? " " : "") lead part[i] tail
        }
        return (text ~ /^ / ? " " : "") out (text ~ / $/ && n > 0 ? " " : "")
    }
    function prose(line,   n, i, part, out) {
        n = split(line, part, "`")
        for (i = 1; i <= n; i++) out = out (i > 1 ? "`" : "") (i % 2 ? words(part[i]) : part[i])
        return out
    }
    function close_code() { if (code) print "```\n"; code = 0 }
    /^    / { if (!code) print "\n```cpp"; code = 1; print substr($0, 5); next }
    { close_code() }
    /^(wrong|right|slow|fast)[:,]/ {
        word = substr($0, 1, match($0, /[:,]/) - 1)
        rest = substr($0, length(word) + 1)
        if (rest == ":") rest = ""
        print "\n**" toupper(substr(word, 1, 1)) substr(word, 2) "**" prose(rest) "\n"
        next
    }
    { print prose($0) }
    END { close_code() }'
}

title_of() { sed -n 's/^# //p' "lessons/$1/lesson.md" | head -n 1; }

lesson_line() { printf -- '- [%s %s](../lessons/%s.html)%s\n' "${1%%-*}" "$(title_of "$1")" "$1" "$2"; }

# The lessons that teach the kind by an objective, then those whose typical mistakes make it.
lessons_of() { # kind
    for folder in lessons/[0-9]*; do
        lesson=$(basename "$folder")
        [ -f "$folder/lesson.md" ] || continue
        if grep -qE "check: *\"?$1\"? *}" "$folder/lesson.yaml"; then
            lesson_line "$lesson" ', which teaches how to avoid it'
        elif grep -qE "// expect:.* $1( |\$)" "solutions/$lesson/mutants/"*.cu 2>/dev/null; then
            lesson_line "$lesson" ''
        fi
    done
}

finding_page() { # kind; its explanation is in explained
    kind=$1
    source=$(awk -v k="$kind" '$1 == k { print $2 }' "$here/findings.txt")
    severity=$(sed -n '1s/.*(\(.*\)):.*/\1/p' "$explained")
    echo "# $kind"
    printf '\n[%s: %s]{.facts}\n\n' "$severity" "$(sed -n '1s/^[^:]*: //p' "$explained" | sed 's/[_*]/\\&/g')"
    sed 1d "$explained" | markdown
    printf '\n## What the report looks like\n\n'
    if [ -n "$source" ]; then
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
    printf '# What the tool finds\n\nAn *error* is a mistake in the program, whatever its answer; a *note* costs time or precision, and no points.\n'
    for severity in error note; do
        printf '\n## %ss\n\n| kind | what it means |\n|---|---|\n' "$(echo "$severity" | sed 's/e/E/;s/^n/N/')"
        "$build/bin/warpgrind" explain | sed -nE "s/^([a-z-]+) +$severity +(.*)\$/\1\t\2/p" | sed 's/[_*]/\\&/g' |
            awk -F'\t' '{ printf "| [`%s`](%s.html) | %s |\n", $1, $1, $2 }'
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
