#!/bin/sh
# The table of formats in docs/exports.md, from exports.def; with --write, puts it there, between the two marks.
cd "$(dirname "$0")/../.." || exit 3
table() {
    echo '| format | one file holds | for | usual name | what it is |'
    echo '|---|---|---|---|---|'
    sed -n 's/^EXPORT("\([^"]*\)", [a-z0-9_]*, \([A-Z]*\), \([A-Z]*\), "\([^"]*\)", "\(.*\)")$/| `\1` | \2 | \3 | `\4` | \5 |/p' grading/out/exports.def |
        sed 's/| ONE |/| a lesson |/; s/| STUDENT |/| a student |/; s/| CLASS |/| the class |/; s/| STUDENTS |/| students |/; s/| SYSTEM |/| staff, for the system |/; s/| STAFF |/| staff |/'
}
if [ "${1:-}" = --write ]; then
    table >docs/exports.table
    sed -i -e '/^<!-- formats -->$/,/^<!-- end of formats -->$/{/^<!--/!d}' -e '/^<!-- formats -->$/r docs/exports.table' docs/exports.md
    rm docs/exports.table
else
    table
fi
