#!/bin/sh
# What a course needs around its lessons, made from the lessons' own files: `make notes` makes pages of it, which students do not get.
#     material.sh plans     lessons/plans.txt with titles and times
#     material.sh notes     for each lesson its time, what students get wrong (the mutants, by finding), and what to ask
set -eu
. docs/build/facts.sh

name_of() { # number
    basename "$(echo lessons/"$1"-*)"
}

hours() { printf '%d&nbsp;h&nbsp;%02d&nbsp;min' $(($1 / 60)) $(($1 % 60)); }

plan() { # weeks
    printf '\n## %s weeks\n\n| week | lessons | at home | the hour in class |\n|---|---|---|---|\n' "$1"
    all=0
    sed -n "s/^$1  *| *//p" lessons/plans.txt >"$work/weeks"
    while IFS='|' read -r week numbers hour; do
        links='' minutes=0
        for number in $numbers; do
            lesson=$(name_of "$number")
            links="$links${links:+, }[$number $(title_of "$lesson")](../lessons/$lesson/lesson.md)"
            minutes=$((minutes + $(minutes_of "$lesson" read) + $(minutes_of "$lesson" do)))
        done
        all=$((all + minutes))
        printf '| %s | %s | %s | %s |\n' "${week% }" "$links" "$(hours $minutes)" "${hour# }"
    done <"$work/weeks"
    printf '\nAll lessons of this plan take %s, the hours in class and the project not counted.\n' "$(hours $all)"
}

plans() {
    printf '# Plans for 8 and for 14 weeks\n\nTimes are those on the lessons'"'"' pages, to read and to do. [Exercises beyond the code](../../docs/exercises.md) and projects come on top.\n'
    for weeks in $(sed -n 's/^\([0-9][0-9]*\) .*/\1/p' lessons/plans.txt | sort -nu); do plan "$weeks"; done
}

# The mutants of a lesson, by the finding that is expected of them, most frequent first: KIND<tab>COUNT<tab>NAMES.
mistakes() { # lesson
    for file in "solutions/$1"/mutants/*.cu; do
        kind=$(grep -ohE '// expect(-note)?: [a-z-]+' "$file" | sed 's/.*: //' | head -n 1)
        [ -z "$kind" ] || printf '%s\t%s\n' "$kind" "$(basename "$file" .cu)"
    done | awk -F'\t' '{ count[$1]++; names[$1] = names[$1] (names[$1] == "" ? "" : ", ") $2 } END { for (kind in count) print kind "\t" count[kind] "\t" names[kind] }' |
        sort -t"$(printf '\t')" -k2,2nr -k1,1
}

lesson_notes() { # lesson
    printf '\n## %s %s\n\n%s minutes to read, %s minutes to do. [Its page](../lessons/%s/lesson.md).\n\n' "${1%%-*}" "$(title_of "$1")" \
        "$(minutes_of "$1" read)" "$(minutes_of "$1" do)" "$1"
    mistakes "$1" >"$work/mistakes"
    printf '**What goes wrong.** %s typical mistakes are kept in `solutions/%s/mutants`; by what the check says of them first:\n\n' \
        "$(awk -F'\t' '{ n += $2 } END { print n }' "$work/mistakes")" "$1"
    printf '| finding | mistakes | their names |\n|---|---|---|\n'
    awk -F'\t' '{ printf "| [%s](../findings/%s.html) | %s | %s |\n", $1, $1, $2, $3 }' "$work/mistakes"
    printf '\n**To ask.** The prediction on the page; from the bank: %s.\n' \
        "$(sed -n 's/^## //p' "lessons/$1/questions.md" | sed 's/.*/*&*/' | paste -sd'|' - | sed 's/|/, /g')"
}

notes() {
    printf '# Notes for instructors, lesson by lesson\n\nMade from the files of the lessons: times, typical mistakes with the name of each, and questions of the bank (`make questions`) that fit.\n'
    for folder in lessons/[0-9]*; do lesson_notes "$(basename "$folder")"; done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
plans | notes) "$1" ;;
*) echo "usage: material.sh plans|notes" >&2; exit 2 ;;
esac
