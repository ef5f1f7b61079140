#!/bin/bash
# run.sh - runs programs that others published, as they are: make strangers DIR=folder.
#
# DIR has a checkout of each collection; LIST says what to build there, and is the user's own, as the code is. One row of it is a program:
#
#   collection | name | folder | sources | options | arguments | what the output must contain (a pattern) | how many devices, 1 when not
#   given | an edit of the sources (for sed), such as a smaller problem | a command that makes its inputs, in its folder
#
# FINDINGS is a file of errors that are known to be true, one row each: name | kind | FILE:LINE, or * for any | why. Any other error is
# a false alarm until somebody has looked. Every program is built with warpcc (clang), and by nvcc where that is installed, and runs
# under warpgrind with every check in a copy of its folder, for SECONDS_EACH seconds of the processor at most. One line a program, then the
# sums.
#
#   FILTER=word, COLLECTION=word   only the programs with that word in their name, or that of their collection
#   COMPILERS="clang nvcc"         which compilers
#   NAMES="bfs hw1/hello"          only these programs
#   KEEP=folder                    keeps what each program printed and what warpgrind said of it
#   RESULTS=file                   adds the rows of results there, for a run in several parts
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
build=$(cd "${BUILD:-build}" && pwd) || exit 3
directory=${DIR:-}
if [ ! -d "$directory" ] || [ ! -r "${LIST:-}" ]; then
    echo "usage: make strangers DIR=folder LIST=file [FINDINGS=file]"
    echo "    folder holds checkouts of published programs, file is your list of those to build: tests/strangers/run.sh says how it is written"
    exit 2
fi
list=$(realpath "$LIST") findings=$(realpath "${FINDINGS:-/dev/null}")
directory=$(cd "$directory" && pwd) || exit 3
seconds_each=${SECONDS_EACH:-60}
compilers=${COMPILERS:-clang}
[ -n "${COMPILERS:-}" ] || ! PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null || compilers="clang nvcc"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
results=${RESULTS:-$work/results}
touch "$results"

# copy COLLECTION FOLDER: links to what lies in and beside the program's folder and those above it, so that relative paths hold, and a
# copy of the folder itself, so that nothing of what the program writes lands in the checkout.
copy() {
    rm -rf "$work/copy"
    local from=$directory to=$work/copy part rest=$1/$2
    while [ -n "$rest" ]; do
        part=${rest%%/*}
        [ "$rest" != "$part" ] && rest=${rest#*/} || rest=
        mkdir -p "$to"
        ln -s "$from"/* "$to/" || return
        rm -f "$to/$part"
        from+=/$part to+=/$part
    done
    cp -r "$from" "$to" && cd "$to"
}

# A kernel's mistake is true when FINDINGS has its program, kind and line; "*" stands for any line.
judge_findings() { # NAME REPORT -> the kinds of errors that are not true, and in $true_findings how many are
    local kind file line
    true_findings=0 false_alarms=
    while IFS=$'\t' read -r kind file line; do
        if grep -qF -e "$1 | $kind | ${file##*/}:$line |" -e "$1 | $kind | * |" "$findings"; then
            true_findings=$((true_findings + 1))
        else
            false_alarms+=" $kind@${file##*/}:$line"
        fi
    done < <(jq -r '.findings[] | select(.severity == "error") | [.kind, .file // "", .line // 0] | @tsv' "$2")
}

# The last words of a failed build or run, on one line.
last_words() { grep -m1 -E 'error|warpcc:|fatal' "$1" | cut -c1-160 || tail -n 1 "$1" | cut -c1-160; }

build_program() { # COMPILER SOURCES OPTIONS
    # What CUDA 13 has no more: warpcc has it with clang; nvcc is told what took its place.
    local mode=
    [ "$1" = clang ] || mode="--nvcc -DcudaThreadSynchronize=cudaDeviceSynchronize -DcudaThreadExit=cudaDeviceReset"
    # shellcheck disable=SC2086 # sources and options are words
    timeout 300 "$build/bin/warpcc" $mode -w $3 -o "$work/program" $2 >"$work/said" 2>&1
}

# What came of one program: right, wrong, false-alarm, slow, or refused (at its build, or by a call), and a word about why.
judge_run() { # NAME STATUS WANTED
    if [ "$2" -eq 124 ] || [ "$2" -eq 143 ] || [ "$2" -eq 137 ] || [ "${took%.*}" -ge "$seconds_each" ]; then
        verdict=slow why="more than $seconds_each s of the processor"
        [ "${took%.*}" -ge "$seconds_each" ] || why="stopped by the clock after $took s of the processor"
    elif [ ! -s "$work/report.json" ]; then
        verdict=wrong why="no report, exit status $2"
    else
        judge_findings "$1" "$work/report.json"
        program_status=$(jq -r 'if .ended == "exit" then .exit_status else .ended end' "$work/report.json")
        if [[ $false_alarms =~ ^(\ limit@[^ ]*)+$ ]]; then # what the software GPU does not have, by name and line
            verdict=refused why=$(jq -r '[.findings[] | select(.kind == "limit")][0].message' "$work/report.json")
        elif [ -n "$false_alarms" ]; then
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
    local status TIMEFORMAT='%U %S'
    rm -f "$work/report.json"
    # The wall clock only ends what waits: on a machine that does other things a program takes longer, and that is not its fault.
    # shellcheck disable=SC2086 # arguments are words
    {
        time timeout "${WALL_EACH:-$((4 * seconds_each))}" "$build/bin/warpgrind" $4 --report "$work/report.json" "$work/program" $2 \
            >"$work/printed" 2>"$work/found" </dev/null
        status=$?
    } 2>"$work/took"
    took=$(awk '{ printf "%.1f", $1 + $2 }' "$work/took")
    judge_run "$1" $status "$3"
    [ -n "${KEEP:-}" ] || return 0
    mkdir -p "$KEEP" && cp "$work/printed" "$KEEP/${1//\//-}.$compiler.printed" && cp "$work/found" "$KEEP/${1//\//-}.$compiler.found"
}

trim() { local text=${1#"${1%%[! ]*}"}; printf '%s' "${text%"${text##*[! ]}"}"; }

# shrink EDIT: makes the problem smaller, in the copy of the program's folder, by the one change that the list gives.
shrink() {
    find . -type f \( -name '*.c*' -o -name '*.h*' \) -exec cat {} + >"$work/before"
    find . -type f \( -name '*.c*' -o -name '*.h*' \) -exec sed -i "$1" {} +
    ! find . -type f \( -name '*.c*' -o -name '*.h*' \) -exec cat {} + | cmp -s - "$work/before"
}

one() { # COLLECTION NAME FOLDER SOURCES OPTIONS ARGUMENTS WANTED DEVICES EDIT INPUTS
    copy "$1" "$3" || { verdict=absent why="$3 is not there" took=0; return; }
    [ -z "$9" ] || shrink "$9" || { verdict=wrong why="\"$9\" changes nothing" took=0; return; }
    if ! build_program "$compiler" "$4" "$5"; then
        verdict=refused why=$(last_words "$work/said") took=0
        return
    fi
    [ -z "${10}" ] || bash -c "${10}" >"$work/said" 2>&1 || { verdict=wrong why="its inputs could not be made" took=0; return; }
    run_program "$2" "$6" "$7" "${8:+--devices $8}"
}

while IFS='|' read -r collection name folder sources options arguments wanted devices edit inputs; do
    name=$(trim "$name")
    [[ $collection != \#* && -n $name && $name == *"${FILTER:-}"* ]] || continue
    [[ -z ${NAMES:-} || " $NAMES " == *" $name "* ]] || continue
    collection=$(trim "$collection")
    [ -d "$directory/$collection" ] && [[ $collection == *"${COLLECTION:-}"* ]] || continue
    for compiler in $compilers; do
        one "$collection" "$name" "$(trim "$folder")" "$(trim "$sources")" "$(trim "$options")" "$(trim "$arguments")" "$(trim "$wanted")" \
            "$(trim "$devices")" "$(trim "$edit")" "$(trim "$inputs")"
        why=${why//"$work/copy/$collection/"/} # a place of this run only
        printf '%-22s %-28s %-6s %-8s %6s s  %s\n' "$collection" "$name" "$compiler" "$verdict" "$took" "$why"
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$collection" "$name" "$compiler" "$verdict" "$took" "$why" >>"$results"
    done
done <"$list"

# Of a program that was run again the last row counts.
awk -F'\t' '{ k = $1 FS $2 FS $3; if (!(k in last)) order[++n] = k; last[k] = $0 } END { for (i = 1; i <= n; i++) print last[order[i]] }' \
    "$results" >"$work/last"
awk -F'\t' '{ all[$1 "\t" $3]++; if ($4 == "right") right[$1 "\t" $3]++ }
    END { for (k in all) { split(k, p, "\t"); printf "%s, %s: %d of %d end right\n", p[1], p[2], right[k], all[k] } }' "$work/last" | sort
