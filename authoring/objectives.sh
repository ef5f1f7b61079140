#!/bin/sh
# The table of docs/objectives.md: for each objective of each lesson what proves it, and the files of solutions/ that lack it; with --write, puts
# it there, between the two marks. An objective that a case proves is lacking in every file that fails the case, which no margin names.
cd "$(dirname "$0")/.." || exit 3

# Names of the lesson's files with a margin that matches the expression, three at most, and how many more there are.
files() { # lesson, expression
    grep -rlE "$2" "solutions/$1" | sort | sed 's,.*/,,; s,\.cu$,,' |
        awk 'NR <= 3 { names = names (NR > 1 ? ", " : "") $0 } END { if (NR > 3) names = names " and " NR - 3 " more"; print names }'
}

row() { # lesson, check, objective
    case $2 in
    case:*) echo "| $1 | $3 | the case \"${2#case: }\" | |" ;;
    budget:*) echo "| $1 | $3 | the budget line \`${2#budget: }\` | $(files "$1" "// expect-note: over-budget.* ${2#budget: }( |\$)|// expect: over-budget") |" ;;
    bank-conflict) echo "| $1 | $3 | no \`$2\` | $(files "$1" "// expect(-note)?: (bank-conflict|over-budget.* bank_conflicts)") |" ;;
    *) echo "| $1 | $3 | no \`$2\` | $(files "$1" "// expect(-note)?: $2") |" ;;
    esac
}

table() {
    echo '| lesson | objective | proved by | lacking in |'
    echo '|---|---|---|---|'
    for manifest in lessons/[0-9]*/lesson.yaml; do
        lesson=$(basename "$(dirname "$manifest")")
        sed -n 's/^  - {text: "\(.*\)", check: "\{0,1\}\([^"}]*\)"\{0,1\}}.*/\2|\1/p' "$manifest" |
            while IFS='|' read -r check text; do row "$lesson" "$check" "$text"; done
    done
}

if [ "${1:-}" = --write ]; then
    table >docs/objectives.table
    sed -i -e '/^<!-- objectives -->$/,/^<!-- end of objectives -->$/{/^<!--/!d}' -e '/^<!-- objectives -->$/r docs/objectives.table' docs/objectives.md
    rm docs/objectives.table
else
    table
fi
