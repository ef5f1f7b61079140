#!/bin/sh
# `make bench-against REF=commit`: the machine as it is here beside that of another commit, in processor time. The same program and the
# same PTX are linked with either tree's libraries and run alternately, and the other commit is measured twice: what its two series differ
# by is noise.
# $1: build folder, $2: the commit. ROWS: names of shapes (all), CHECKS: "all none", ROUNDS: alternations (5), RUNS: launches of each (3).
set -eu
build=$1
LC_ALL=C
export LC_ALL
commit=$(git rev-parse --verify "$2^{commit}")
tree=$build/against/$commit
out=$build/bench
cc=${CC:-gcc}

if [ ! -e "$tree/done" ]; then
    rm -rf "$tree"
    mkdir -p "$tree"
    git -C "$(git rev-parse --show-toplevel)" archive "$commit" | tar -x -C "$tree"
    # Before warpgrind was a project of its own, its makefile was that of the whole tree.
    where=$tree
    [ ! -e "$tree/warpgrind/Makefile" ] || where=$tree/warpgrind
    ${MAKE:-make} -C "$where" CC="$cc" BUILD="$tree/build" "$tree/build/lib/libcheck.a" "$tree/build/lib/libgpu.a" "$tree/build/lib/libptx.a" "$tree/build/lib/libbase.a" >"$tree/log" 2>&1 ||
        { tail "$tree/log"; exit 3; }
    touch "$tree/done"
fi
link() { # root, build folder, program: against.c with that tree's headers and libraries
    $cc -std=gnu11 -O2 -D_GNU_SOURCE -I"$1" -I"$1/warpgrind" -I. -o "$3" bench/against.c bench/shape.c bench/plain.c \
        "$2/lib/libcheck.a" "$2/lib/libgpu.a" "$2/lib/libptx.a" "$2/lib/libbase.a" -ljson-c -lm
}
link . "$build" "$out/against-here"
link "$tree" "$tree/build" "$out/against-there"

"$out/against-here" >"$out/against-names.tsv"
lines=$out/against.tsv
: >"$lines"
measure() { # series, program, shape, checks
    printf '%s\t%s\t%s\t%s\n' "$1" "$3" "$4" "$("$2" "$out" "$3" "$4" "${RUNS:-3}")" >>"$lines"
}
for name in ${ROWS:-$(cut -f 1 "$out/against-names.tsv")}; do
    for checks in ${CHECKS:-all none}; do
        round=0
        while [ $round -lt "${ROUNDS:-5}" ]; do
            measure there "$out/against-there" "$name" "$checks"
            measure here "$out/against-here" "$name" "$checks"
            measure again "$out/against-there" "$name" "$checks"
            round=$((round + 1))
        done
    done
done
awk -F '\t' -v commit="$(git rev-parse --short "$commit")" -f bench/against.awk "$out/against-names.tsv" "$lines"
