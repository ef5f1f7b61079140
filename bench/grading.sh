#!/bin/bash
# How fast a class is graded, beside what its compiling and running alone take. Two lessons' solutions, SUBMISSIONS of them, are graded by
# `warpschool grade` with a worker for each core. Bare is the processor time of the same work by hand: compiled and linked by warpcc, each
# case run by warpgrind in a process of its own, twice. On a machine that does nothing else the elapsed time is the one that counts; the
# processor time is the one that a busy machine can tell.
# $1: build folder.
set -u
build=$1 submissions=${SUBMISSIONS:-40}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

# cpu FILE: seconds of the processor from what `time` said; elapsed FILE: seconds of the clock.
cpu() { awk '{ print $2 + $3 }' "$1"; }

by_hand() { # lesson
    local case
    "$build/bin/warpcc" -c -o "$work/student.o" "solutions/$1/solution.cu" &&
        "$build/bin/warpcc" -o "$work/program" "$work/student.o" "$build/lessons/$1/driver.o" "$build/lib/libdriver.a" || return
    for case in "$work/cases-$1"/*/ "$work/cases-$1"/*/; do
        rm -rf "$work/out" && mkdir "$work/out"
        "$build/bin/warpgrind" --quiet "$work/program" "$work/out" "${case%/}" >/dev/null 2>&1
    done
}

lessons='01-vector-add 07-block-sum-dynamic'
for lesson in $lessons; do
    "$build/bin/warpschool" cases "$lesson" "$work/cases-$lesson" >/dev/null
    { time by_hand "$lesson" >/dev/null 2>&1; } 2>"$work/bare-$lesson"
done
for ((i = 0; i < submissions / 2; i++)); do
    for lesson in $lessons; do
        mkdir -p "$work/class/s$i"
        cp "solutions/$lesson/solution.cu" "$work/class/s$i/$lesson.cu"
    done
done
{ time "$build/bin/warpschool" grade "$work/class" --gradebook "$work/g.db" --seed 1 >"$work/log" 2>&1; } 2>"$work/graded" || { cat "$work/log"; exit 3; }
{ time "$build/bin/warpschool" grade "$work/class" --gradebook "$work/g.db" --seed 1 >"$work/log" 2>&1; } 2>"$work/again"

bare=$(cat "$work"/bare-* | awk -v n="$submissions" '{ sum += $2 + $3 } END { print sum / NR * n }')
printf '\ngrading a class of %d submissions, with a worker for each of %d cores\n' "$submissions" "$(nproc)"
awk -v n="$submissions" -v cores="$(nproc)" -v bare="$bare" -v cpu="$(cpu "$work/graded")" -v again="$(awk '{ print $1 }' "$work/again")" '{
    printf "  elapsed                      %.1f s, %.1f submissions per second\n", $1, n / $1
    printf "  of the processor             %.1f s, %.2f s per submission\n", cpu, cpu / n
    printf "  compiled and run by hand     %.1f s of the processor\n", bare
    printf "  elapsed, beside that by cores     %.2f (bound: 1.3)\n", $1 * cores / bare
    printf "  of the processor, beside that     %.2f\n", cpu / bare
    printf "  the same again, nothing to judge  %.2f s\n", again }' "$work/graded"
