#!/bin/bash
# The table of attacks (attacks.txt) against what is there: each number of the list has a row, each row has proofs, each proof exists, each hostile
# file is in a row, and docs/attacks.md is made of it. `attack-table.sh --page` prints that page. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
table=${TABLE:-tests/cli/attacks.txt}

fields() { awk -F ' \\| ' '/^[TR][0-9]/ { print $'"$1"' }' "$table"; }

# The page: a table for each heading, with links to the proofs.
page() {
    cat <<'END'
# Attacks on the grader, and what stands against them

Made from `tests/cli/attacks.txt` by `tests/cli/attack-table.sh --page`; `make test` compares the two, and runs every proof. T01 to T71 are the list that the
grader was built against, R their relatives. How a submission is locked in, and which layers a machine has, is in
[sandbox.md](sandbox.md).
END
    awk -F ' \\| ' '
        /^## / { print "\n" $0 "\n\n| | what is tried | what stands against it | proof |\n|---|---|---|---|" }
        /^[TR][0-9]/ {
            n = split($4, proofs, " ")
            words = ""
            for (i = 1; i <= n; i++) {
                proof = proofs[i]
                if (sub(/^[^:]*:/, "&\x01", proof)) { split(proof, part, ":\x01"); gsub(/_/, " ", part[2]); proof = "`" part[1] "`: " part[2] }
                else proof = "`" proof "`"
                words = words (i > 1 ? ", " : "") proof
            }
            print "| " $1 " | " $2 " | " $3 " | " words " |"
        }' "$table"
}
if [ "${1:-}" = --page ]; then
    page
    exit
fi

# The files or the words that a proof names.
missing() { # proof
    case $1 in
    *:*) grep -qiF -- "$(tr _ ' ' <<<"${1#*:}")" "${1%%:*}" 2>/dev/null || grep -qF -- "${1#*:}" "${1%%:*}" 2>/dev/null || echo "$1" ;;
    *) compgen -G "tests/cli/$1" >/dev/null || echo "$1" ;;
    esac
}

for ((number = 1; number <= 71; number += 2)); do
    id=$(printf 'T%02d' "$number")
    verdict "$id has a row" "$([ "$(fields 1 | grep -cx "$id")" = 1 ] || echo "it has $(fields 1 | grep -cx "$id")")"
done
verdict "no number twice" "$(fields 1 | sort | uniq -d)"
verdict "each row has what is tried, what stands against it, and a proof" "$(awk -F ' \\| ' '/^[TR][0-9]/ && (NF != 4 || $2 == "" || $3 == "" || $4 == "")' "$table")"
verdict "each proof exists" "$(fields 4 | tr ' ' '\n' | while read -r proof; do missing "$proof"; done)"
named() { fields 4 | tr ' ' '\n' | grep -v : | while read -r proof; do compgen -G "tests/cli/$proof"; done | sort -u; }
verdict "each hostile file is in a row" "$(comm -13 <(named) <(ls tests/cli/{attacks,hostile}/*.cu | sort))"
verdict "no budget measures time" "$(grep -E '^(COUNTED|KEPT|CALLED)' autograder/budget.def | grep -iE '(nano|micro|milli)?second|wall|\btime\b')"
verdict "docs/serving.md has the addresses of routes.def" "$(sh serve/table.sh | diff - <(sed -n '/^<!-- addresses -->$/,/^<!-- end of addresses -->$/{/^<!--/!p}' docs/serving.md) 2>&1 | head -n 6)"
holds "there are budgets" "$(grep -qE '^COUNTED' autograder/budget.def; echo $?)"
verdict "docs/attacks.md is made of the table" "$(diff <(page) docs/attacks.md 2>&1 | head -n 6)"

finish
