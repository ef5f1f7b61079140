#!/bin/bash
# What the course's programs compute on a card, and what they compute on warpgrind. `card.sh prepare` builds, here, the judge without its sandbox;
# `card.sh run FOLDER` then needs nvcc and a card only: it builds each solution, alternative and mutant with nvcc, runs it over the lesson's cases, and
# writes FOLDER/card.tsv: lesson, program, a fingerprint of all its answers, and what the judge says of them, or how the program ended. `card.sh soft FOLDER`
# does the same with warpcc and warpgrind, and adds how many errors warpgrind found. FILTER=NN takes some lessons only. A lesson for several
# devices has two of them, on either side; without two cards its row says that it was not run. Cases with ranks, which need an MPI beside the card, are left out.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
. warpgrind/tests/fidelity/card.bash
export judge=build/card/answers side

compiled() { # the rest of the command: by the compiler of this side
    if [ "$side" = run ]; then nvcc -O2 -arch="${ARCH:-native}" -I. "$@"; else build/bin/warpcc -O2 -w -I. "$@"; fi
}
build_driver() { # lesson, folder
    compiled -c -o "$2/driver.o" "lessons/$1/driver.cu" >"$2/driver.log" 2>&1 || rm -f "$2/driver.o"
}
build_one() { # lesson, source, program
    compiled -Ibench/card/alone -o "$3" "$2" "$(dirname "$3")/driver.o" build/lessons/driver-all.o >"$3.log" 2>&1 || rm -f "$3"
}
# All answers in one word: who computes the same bits has the same.
# The five timed calls of a case, which only a card has, have folders of their own, 0 to 4.
fingerprint() { (cd "$1" && find . -name '*.npy' ! -path '*/[0-4]/*' | LC_ALL=C sort | xargs -r sha256sum | sha256sum | cut -c 1-12); }

# How many devices a lesson's programs have.
devices_of() { if grep -q '^devices:' "lessons/$1/lesson.yaml"; then echo 2; else echo 1; fi; }

run_one() { # lesson, program's name, folder: one row
    local out=$3/$2.out status=0 said command=() found=
    [ "$side" = run ] || command=(build/bin/warpgrind --quiet --devices "$(devices_of "$1")" --report "$3/$2.json")
    mkdir -p "$out"
    for place in "$3"/cases/*/; do mkdir -p "$out/$(basename "$place")"; done
    if [ ! -x "$3/$2" ]; then
        said="not built: $(grep -m 1 error "$3/$2.log" || head -n 1 "$3/$2.log")"
    else
        timeout "${LIMIT:-10}" "${command[@]}" "$3/$2" "$out" "$3"/cases/* >"$out/log" 2>&1 || status=$?
        said=$($judge decide "$1" "$out" || true)
        [ "$status" = 0 ] || said="exit status $status; $said"
    fi
    [ ! -s "$3/$2.json" ] || found=$(jq -r '"\t" + ([.findings[] | select(.severity == "error")] | length | tostring)' "$3/$2.json")
    printf '%s\t%s\t%s\t%s%s\n' "$1" "$2" "$(fingerprint "$out")" "$(tr '\n\t' '  ' <<<"$said")" "$found"
    rm -rf "$out" "${3:?}/$2" "$3/$2.json"
}
export -f compiled build_driver build_one devices_of fingerprint run_one

# The cases of a lesson, but those with ranks.
prepare_cases() { # lesson, folder
    mkdir -p "$2"
    $judge prepare "$1" "$2"
    for place in "$2"/*/; do
        if [ -f "$place/ranks.npy" ] && [ "$(tail -c 4 "$place/ranks.npy" | od -An -td4 | tr -d ' ')" != 0 ]; then rm -r "$place"; fi
    done
}
all() { # folder
    local tasks=$1/tasks
    mkdir -p "$1"
    : >"$tasks" >"$1/drivers" >"$1/left-out"
    for place in lessons/*"${FILTER:-}"*/; do
        local lesson folder
        lesson=$(basename "$place")
        [ -f "$place/driver.cu" ] || continue
        if [ "$side" = run ] && [ "$(cards)" -lt "$(devices_of "$lesson")" ]; then
            printf '%s\t-\t-\tnot run: it needs %d cards, and there is %d\n' "$lesson" "$(devices_of "$lesson")" "$(cards)" | tee -a "$1/left-out" >&2
            continue
        fi
        folder=$1/$lesson
        prepare_cases "$lesson" "$folder/cases"
        echo "$lesson $folder" >>"$1/drivers"
        for source in solutions/"$lesson"/solution.cu solutions/"$lesson"/alternatives/*.cu solutions/"$lesson"/mutants/*.cu; do
            local program=${source#"solutions/$lesson/"}
            program=${program%.cu}
            case $program in mutants/rank-*) continue ;; esac # they differ from the solution in cases with ranks alone
            echo "$lesson $source $folder ${program//\//-}" >>"$tasks"
        done
    done
    # shellcheck disable=SC2016 # the inner shell's words
    xargs -r -a "$1/drivers" -P "$(nproc)" -L 1 bash -c 'build_driver "$0" "$1"'
    # shellcheck disable=SC2016
    xargs -r -a "$tasks" -P "$(nproc)" -L 1 bash -c 'build_one "$0" "$1" "$2/$3"'
    # shellcheck disable=SC2016
    xargs -r -a "$tasks" -P "${JOBS:-4}" -L 1 bash -c 'run_one "$0" "$3" "$2"' >"$1/rows"
    # The first line of the table says what ran them.
    { side_words && LC_ALL=C sort "$1/rows" "$1/left-out"; } >"$1/card.tsv"
}
side_words() {
    if [ "$side" = soft ]; then echo "# warpgrind"; else
        echo "# $(card_and_driver), CUDA $(cuda_release), $(date +%F)"
    fi
}

side=${1:-}
case $side in
prepare) make "$judge" ;;
run | soft) all "${2:?a folder}" ;;
*) echo "usage: card.sh prepare | card.sh run FOLDER | card.sh soft FOLDER" >&2 && exit 2 ;;
esac
