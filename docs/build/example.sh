#!/bin/sh
# Prints what the tool says of the program that stands for a kind of finding: KIND. findings.txt has the programs. BUILD names the build folder.
set -eu
here=$(dirname "$0")
build=${BUILD:-build}
export NO_COLOR=1 COLUMNS=80 LC_ALL=C.UTF-8
kept=$here/reports/$1.txt # in the repository of a class
if [ -f "$kept" ]; then
    cat "$kept"
    exit 0
fi
row=$(grep -E "^$1( |\$)" "$here/findings.txt") || { echo "$here/findings.txt: no row for $1" >&2; exit 1; }
source=$(echo "$row" | awk '{ print $2 }') lesson=$(echo "$row" | awk '{ print $3 }')
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$source" ]; then
    exit 0
elif [ "$lesson" = - ]; then
    "$build/bin/warpcc" -o "$work/program" "$source" >&2
    "$build/bin/warpgrind" --seed 1 "$work/program" >"$work/out" 2>&1 || status=$?
else
    "$build/bin/warpschool" check "$lesson" "$source" >"$work/out" 2>&1 || status=$?
fi
# A note alone is no failure; a report that does not name the kind is none of it.
[ "$status" -le 1 ] && grep -q "$1" "$work/out" || { echo "$source: no $1 in the report (exit status $status):" >&2; cat "$work/out" >&2; exit 1; }
grep -vE '^warpgrind (explain .* tells more|debug .* steps through this run)' "$work/out"
