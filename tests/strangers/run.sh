#!/bin/bash
# run.sh - runs programs that others published, as they are: make strangers DIR=folder.
#
#   programs.txt   one row a program: where it lies below DIR, how it is built and started, what its output must contain
#   findings.txt   the errors that are true, each with the published line; any other error is a false alarm
#   page.awk       makes the page of results
#   inputs.awk     makes the small inputs that some programs read
#
# The tree holds none of their code: DIR has a checkout of each collection, under the name that the table gives it. Every program
# is built with warpcc, and with nvcc where that is installed, and runs under warpgrind with every check, SECONDS_EACH at most,
# in a copy of its folder. One line a program, then the sums; PAGE=FILE writes the page of results.
# KEEP=folder keeps what each program printed and what warpgrind said. FILTER=word leaves only the programs with that word in their name, COLLECTION=word those of a collection, COMPILERS="clang nvcc" chooses the compilers.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
here=$PWD/tests/strangers
build=$(cd "${BUILD:-build}" && pwd) || exit 3
directory=${DIR:-}
if [ -z "$directory" ] || [ ! -d "$directory" ]; then
    echo "usage: make strangers DIR=folder, where folder holds checkouts of:"
    sed -n 's/^#: /    /p' "$here/programs.txt"
    exit 2
fi
directory=$(cd "$directory" && pwd) || exit 3
seconds_each=${SECONDS_EACH:-60}
compilers=${COMPILERS:-clang}
[ -n "${COMPILERS:-}" ] || ! PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null || compilers="clang nvcc"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
results=${RESULTS:-$work/results}
: >"$results"

# copy COLLECTION FOLDER: the collections as links, so that relative paths hold, and the program's own folder as a copy, so that
# nothing of what it writes lands in the checkout.
copy() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/$1"
    ln -s "$directory"/* "$work/copy/" 2>/dev/null # some programs need another collection's headers
    cp -rs "$directory/$1/." "$work/copy/$1/"
    rm -rf "${work:?}/copy/$1/$2" && cp -r "$directory/$1/$2" "$work/copy/$1/$2"
    cd "$work/copy/$1/$2"
}

# A kernel's mistake is true when findings.txt has its program, kind and line; "*" stands for any line.
judge_findings() { # NAME REPORT -> the kinds of errors that are not true, and in $true_findings how many are
    local kind file line
    true_findings=0 false_alarms=
    while IFS=$'\t' read -r kind file line; do
        if grep -qF -e "$1 | $kind | ${file##*/}:$line |" -e "$1 | $kind | * |" "$here/findings.txt"; then
            true_findings=$((true_findings + 1))
        else
            false_alarms+=" $kind@${file##*/}:$line"
        fi
    done < <(jq -r '.findings[] | select(.severity == "error") | [.kind, .file // "", .line // 0] | @tsv' "$2")
}

# The last words of a failed build or run, on one line.
last_words() { grep -m1 -E 'error|warpcc:|fatal' "$1" | cut -c1-160 || tail -n 1 "$1" | cut -c1-160; }

build_program() { # COMPILER SOURCES OPTIONS
    local mode=
    [ "$1" = clang ] || mode=--nvcc
    # shellcheck disable=SC2086 # sources and options are words
    timeout 300 "$build/bin/warpcc" $mode -w $3 -o "$work/program" $2 >"$work/said" 2>&1
}

# What came of one program: right, wrong, false-alarm, slow, or refused (at its build), and a word about why.
judge_run() { # NAME STATUS WANTED
    if [ "$2" -eq 124 ] || [ "$2" -eq 143 ] || [ "$2" -eq 137 ]; then
        verdict=slow why="more than $seconds_each s"
    elif [ ! -s "$work/report.json" ]; then
        verdict=wrong why="no report, exit status $2"
    else
        judge_findings "$1" "$work/report.json"
        program_status=$(jq -r 'if .ended == "exit" then .exit_status else .ended end' "$work/report.json")
        if [ -n "$false_alarms" ]; then
            verdict=finding why="$false_alarms"
        elif [ -n "$3" ] && ! grep -qE -- "$3" "$work/printed"; then
            verdict=wrong why="its output lacks \"$3\""
        elif [ "$program_status" != 0 ]; then
            verdict=wrong why="exit status $program_status"
        else
            verdict=right why=
            [ "$true_findings" -eq 0 ] || why="$true_findings true"
        fi
    fi
}

run_program() { # NAME ARGUMENTS WANTED DEVICES
    local status began=$EPOCHREALTIME
    rm -f "$work/report.json"
    # shellcheck disable=SC2086 # arguments are words
    timeout "$seconds_each" "$build/bin/warpgrind" $4 --report "$work/report.json" "$work/program" $2 >"$work/printed" 2>"$work/found" </dev/null
    status=$?
    took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    judge_run "$1" $status "$3"
    [ -n "${KEEP:-}" ] || return
    mkdir -p "$KEEP" && cp "$work/printed" "$KEEP/${1//\//-}.$compiler.printed" && cp "$work/found" "$KEEP/${1//\//-}.$compiler.found"
}

trim() { local text=${1#"${1%%[! ]*}"}; printf '%s' "${text%"${text##*[! ]}"}"; }

one() { # COLLECTION NAME FOLDER SOURCES OPTIONS ARGUMENTS WANTED DEVICES
    copy "$1" "$3" || { verdict=absent why="$3 is not there" took=0; return; }
    if ! build_program "$compiler" "$4" "$5"; then
        verdict=refused why=$(last_words "$work/said") took=0
        return
    fi
    awk -v program="$2" -f "$here/inputs.awk" || { verdict=wrong why="its inputs could not be made" took=0; return; }
    run_program "$2" "$6" "$7" "${8:+--devices $8}"
}

while IFS='|' read -r collection name folder sources options arguments wanted devices; do
    name=$(trim "$name")
    [[ $collection != \#* && -n $name && $name == *"${FILTER:-}"* ]] || continue
    collection=$(trim "$collection")
    [ -d "$directory/$collection" ] && [[ $collection == *"${COLLECTION:-}"* ]] || continue
    for compiler in $compilers; do
        one "$collection" "$name" "$(trim "$folder")" "$(trim "$sources")" "$(trim "$options")" "$(trim "$arguments")" "$(trim "$wanted")" \
            "$(trim "$devices")"
        printf '%-22s %-28s %-6s %-8s %6s s  %s\n' "$collection" "$name" "$compiler" "$verdict" "$took" "$why"
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$collection" "$name" "$compiler" "$verdict" "$took" "$why" >>"$results"
    done
done <"$here/programs.txt"

awk -F'\t' '{ all[$1 "\t" $3]++; if ($4 == "right") right[$1 "\t" $3]++ }
    END { for (k in all) { split(k, p, "\t"); printf "%s, %s: %d of %d end right\n", p[1], p[2], right[k], all[k] } }' "$results" | sort
[ -z "${PAGE:-}" ] || awk -F'\t' -v findings="$here/findings.txt" -v limit="$seconds_each" -f "$here/page.awk" "$results" >"$PAGE"
