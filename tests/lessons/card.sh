#!/bin/bash
# What the course's programs do on a card. `card.sh prepare` builds, here, the judge without its sandbox; `card.sh run FOLDER` then
# needs nvcc and a card only: it builds each solution, alternative and mutant with nvcc, runs it over the lesson's cases, and writes
# FOLDER/card.tsv: lesson, program, and what the judge says of its answers, or how the program ended. FILTER=NN takes some lessons only.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
export PATH=$PATH:/usr/local/cuda/bin
judge=build/card/answers

build_one() { # lesson, source, program
    nvcc -O2 -arch="${ARCH:-native}" -I. -Ibench/card/alone -o "$3" "lessons/$1/driver.cu" "$2" build/lessons/driver-all.o >"$3.log" 2>&1 || rm -f "$3"
}

run_one() { # lesson, program's name, folder: one row
    local out=$3/$2.out status=0 said
    mkdir -p "$out"
    for place in "$3"/cases/*/; do mkdir -p "$out/$(basename "$place")"; done
    if [ ! -x "$3/$2" ]; then
        said="not built: $(grep -m 1 error "$3/$2.log" || head -n 1 "$3/$2.log")"
    else
        timeout 20 "$3/$2" "$out" "$3"/cases/* >"$out/log" 2>&1 || status=$?
        said=$($judge decide "$1" "$out" || true)
        [ "$status" = 0 ] || said="exit status $status; $said"
    fi
    printf '%s\t%s\t%s\n' "$1" "$2" "$(tr '\n\t' '  ' <<<"$said")"
    rm -rf "$out" "${3:?}/$2"
}
export -f build_one run_one
export judge

run() { # folder
    local tasks=$1/tasks
    : >"$tasks"
    for place in lessons/*"${FILTER:-}"*/; do
        local lesson folder
        lesson=$(basename "$place")
        [ -f "$place/driver.cu" ] || continue
        folder=$1/$lesson
        mkdir -p "$folder/cases"
        $judge prepare "$lesson" "$folder/cases"
        for source in solutions/"$lesson"/solution.cu solutions/"$lesson"/alternatives/*.cu solutions/"$lesson"/mutants/*.cu; do
            local program=${source#"solutions/$lesson/"}
            program=${program%.cu}
            echo "$lesson $source $folder ${program//\//-}" >>"$tasks"
        done
    done
    # shellcheck disable=SC2016 # the inner shell's words
    xargs -a "$tasks" -P "$(nproc)" -L 1 bash -c 'build_one "$0" "$1" "$2/$3"'
    # shellcheck disable=SC2016
    xargs -a "$tasks" -P 4 -L 1 bash -c 'run_one "$0" "$3" "$2"' | sort >"$1/card.tsv"
}

case ${1:-} in
prepare) make "$judge" ;;
run) run "${2:?a folder}" ;;
*) echo "usage: card.sh prepare | card.sh run FOLDER" >&2 && exit 2 ;;
esac
