#!/bin/sh
# The table of addresses in docs/serving.md, from routes.def; with --write, puts it there, between the two marks.
cd "$(dirname "$0")/.." || exit 3
table() {
    echo '| method | address | needs | body | what it is |'
    echo '|---|---|---|---|---|'
    sed -n 's/^\(CLASS_\)*ROUTE([A-Z_]*, [a-z_]*, "\([A-Z]*\)", "\([^"]*\)", \([A-Z]*\), \([^,]*\), "\(.*\)")$/| \2 | `\3` | \4 | \5 | \6 |/p' serve/routes.def |
        sed 's/| READ |/| cookie |/; s/| \(ENTER\|OPEN\) |/| - |/; s/| LAUNCH |/| cookie of the login |/; s/| LOOK |/| cookie, teacher |/; s/| TEACH |/| cookie, own origin, teacher |/; s/| CHANGE |/| cookie, own origin |/; s/| 0 |/| - |/; s/| SERVE_LARGEST_SOURCE |/| 1 MiB |/; s/| SERVE_LARGEST_\(ANSWERS\|MESSAGE\) |/| 16 KiB |/; s/| SERVE_LARGEST_FORM |/| 3 MiB |/; s/| SERVE_LARGEST_LAUNCH |/| 64 KiB |/'
}
if [ "${1:-}" = --write ]; then
    table >docs/serving.table
    sed -i -e '/^<!-- addresses -->$/,/^<!-- end of addresses -->$/{/^<!--/!d}' -e '/^<!-- addresses -->$/r docs/serving.table' docs/serving.md
    rm docs/serving.table
else
    table
fi
