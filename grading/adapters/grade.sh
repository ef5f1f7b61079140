#!/bin/sh
# Judges what one student handed in: grade.sh SUBMISSION RESULTS LESSON... writes RESULTS/NN-name.json for each lesson, as
# `warpschool check --json` prints it. Every adapter begins with it. Exit status: 0 all passed, 1 not all, 2 used wrongly, 3 something
# could not be decided: then nobody must get a zero for it.
#
# Nothing in SUBMISSION is trusted or run here: a file is found by its name, and `warpschool check --grade` locks it in. Where the system
# allows no namespaces (many containers do not), nothing is judged, unless WEAK=yes asks for a check without a sandbox: no hidden cases
# then, and who wants to forge points can. A lesson whose file is missing, or is no ordinary file, is judged by a line that says so.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 3
warpschool=$root/build/bin/warpschool
[ $# -ge 3 ] || { echo "usage: grade.sh SUBMISSION RESULTS LESSON..." >&2; exit 2; }
submission=$1 results=$2
shift 2
mkdir -p "$results" || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# The lesson's full name, from its number, its name or the beginning of one.
full_name() {
    for folder in "$root/lessons/$1"*/; do
        [ -d "$folder" ] && basename "$folder" && return
    done
    return 1
}

# What the student's file is called; $work/absent.cu stands for one that is not there, and says so to the compiler.
find_file() { # full name
    for file in "$1.cu" "work/$1.cu" "${1%%-*}.cu" "work/${1%%-*}.cu"; do
        if [ -f "$submission/$file" ] && [ ! -L "$submission/$file" ]; then echo "$file" && return; fi
        if [ -e "$submission/$file" ] || [ -L "$submission/$file" ]; then absent "$file is no ordinary file" && return; fi
    done
    absent "there is no file $1.cu in what was handed in"
}
absent() { printf '#error "%s"\n' "$1" >"$work/absent.cu" && echo "$work/absent.cu"; }

# Without a sandbox the judge at least gives up being root.
judge() { # lesson, file
    if [ "${WEAK:-no}" = yes ]; then
        set -- "$warpschool" check "$1" "$2" --json --sandbox=none
        [ "$(id -u)" -ne 0 ] || set -- setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$@"
    else
        set -- "$warpschool" check "$1" "$2" --grade --json
    fi
    "$@" </dev/null
}

worst=0
for query in "$@"; do
    name=$(full_name "$query") || { echo "grade.sh: there is no lesson $query" >&2; exit 2; }
    file=$(find_file "$name")
    case $file in /*) folder=/ ;; *) folder=$submission ;; esac
    (cd "$folder" && judge "$name" "$file") >"$results/$name.json"
    status=$?
    [ "$status" -ne 2 ] || status=3 # a file that cannot be read, and the result says why
    [ -s "$results/$name.json" ] || status=3
    [ "$status" -le "$worst" ] || worst=$status
done
exit "$worst"
