#!/bin/sh
# {"KIND": "error" or "note", ...}: the usual severity of each row of base/findings.def.
sed -n 's/^FINDING([A-Z_]*, "\([a-z-]*\)", FINDING_\([A-Z]*\),.*/\1 \2/p' "$(dirname "$0")/../../base/findings.def" |
    jq -nR '[inputs | split(" ") | {(.[0]): (.[1] | ascii_downcase)}] | add'
