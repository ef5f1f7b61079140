#!/bin/sh
# `make new-lesson NAME=... [SHAPE=...]`: makes a lesson of authoring/new-lesson that builds and passes its author's checks (make check-lesson) at once. What it
# needs from its author says FILL IN. NAME is halo-exchange, or 26-halo-exchange to give it a number; SHAPE is a folder of authoring/new-lesson with a judge.
# What is not given is asked for where somebody can answer.
set -eu
cd "$(dirname "$0")/.."
. authoring/lessons.sh
command=new-lesson
wanted=${1:-} shape=${2:-} author=${3:-}
table=authoring/new-lesson
shapes='array       each element of an array becomes another: y[i] = 2 * x[i]
reduction   many numbers become one: their sum
field       a field of two dimensions, each cell from its neighbours
library     a call of a library that works on the device: a sum by CUB'

ask() { # question: what is answered, nothing where nobody can
    [ -t 0 ] || return 0
    printf '%s ' "$1" >&2
    read -r answer || answer=
    printf '%s' "$answer"
}

# What differs in the pages and files of the four shapes, besides their own templates.
part_of() { # name
    awk -v wanted="[$1]" '/^\[[a-z]+\]$/ { found = $0 == wanted; next } found' "$table/$shape/page.in"
}

fill() { # template, file
    mkdir -p "$(dirname "$2")"
    awk -v check="$table/check.in" -v parts="$table/$shape/page.in" -f authoring/fill.awk "$1" >"$2"
}

# What is another way to write the solution says only in what it differs.
vary() { # variant, file
    mkdir -p "$(dirname "$2")"
    fill "$1" "$2.variant"
    fill "$table/$shape/solution.cu.in" "$2.solution"
    awk -f authoring/variant.awk "$2.variant" "$2.solution" >"$2" || refuse "the template $1 does not fit its solution" "mend it: authoring/variant.awk says how"
    rm "$2.variant" "$2.solution"
}

[ -n "$wanted" ] || wanted=$(ask "The lesson's name, one to three words with dashes, such as halo-exchange:")
check_name "$wanted" "make new-lesson NAME=halo-exchange"
if [ -z "$shape" ] && [ -t 0 ]; then
    printf '%s\n' "$shapes" >&2
    shape=$(ask "The shape of what is asked for [array]:")
fi
[ -n "$shape" ] || shape=array
printf '%s\n' "$shapes" | cut -d' ' -f1 | grep -qxF -e "$shape" || refuse "there is no shape \`$shape\`" "one of: $(printf '%s\n' "$shapes" | cut -d' ' -f1 | paste -sd' ')"
[ -n "$author" ] || author=$(git config user.name 2>/dev/null | tr -cd '[:alnum:] .-') || true
[ -n "$author" ] || author="FILL IN your name"
printf '%s\n' "$author" | grep -qxE '[^"\\:#@&]+' || refuse "\`$author\` cannot be an author's name" "letters, dots, dashes and spaces"

[ -n "$number" ] || number=$(next_number)
refuse_taken "$number" "$name"
lesson=$number-$name
underscored=$(printf '%s' "$name" | tr - _)
title=$(printf '%s' "$name" | tr - ' ' | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }')
region=$(sed -n 's,^ *// \[\([a-z]*\)\]$,\1,p' "$table/$shape/solution.cu.in" | head -n 1)
# The function is never a word of C++, whatever the lesson is called.
VALUES="LESSON=$lesson
NUMBER=$number
FUNCTION=run_$underscored
ID=judge_${number}_$underscored
TITLE=$title
AUTHOR=$author
REGION=$region
MUTANT=$(part_of mutant)
BEFORE=$(part_of before)
POINTS=$(part_of points)"
export VALUES

for file in judge.c driver.cu hidden.def lesson.yaml; do fill "$table/$shape/$file.in" "lessons/$lesson/$file"; done
for file in lesson.md figures/sketch.svg; do fill "$table/$file.in" "lessons/$lesson/$file"; done
fill "$table/$shape/solution.cu.in" "solutions/$lesson/solution.cu"
for folder in mutants hidden alternatives; do
    for variant in "$table/$shape/$folder"/*.in; do vary "$variant" "solutions/$lesson/$folder/$(basename "$variant" .in).cu"; done
done
awk -f lessons/common/starter.awk "solutions/$lesson/solution.cu" >"starter/$lesson.cu"
enter_in_lists "$number" "$name" "FILL IN what one writes"
cat <<END
$lesson is there: lessons/$lesson, solutions/$lesson, starter/$lesson.cu, a line each in lessons/groups.txt and README.md.
Next: make check-lesson LESSON=$lesson    (passes, and says what to do next)
      docs/teaching.md, "Add a lesson", has the steps.
END
