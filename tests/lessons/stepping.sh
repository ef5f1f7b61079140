#!/bin/bash
# The debugger over each lesson's solution, in the case with the least input that runs a kernel: thread (0,0,0) goes forwards over a few lines and back again, and by
# number to some of them, and has the same values at the same steps (warpgrind/tests/cli/debug.py). Programs of MPI ranks have no debugger. BUILD names the
# build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export WARPGRIND=$build/bin/warpgrind PYTHONDONTWRITEBYTECODE=1

# step NN-name: one solution.
step() {
    local problem="it does not compile"
    selected "$1" || return 0
    mkdir -p "$work/$1/answers" && cd "$work/$1" || return
    "$build/bin/warpcc" -o program "$tree/solutions/$1/solution.cu" "$build/lessons/$1/driver.o" "$build/lib/libdriver.a" 2>log &&
        "$build/bin/warpschool" --root "$tree" cases "${1%%-*}" cases >>log 2>&1 || rm -rf cases
    local case
    for case in $(du -s cases/* 2>/dev/null | sort -n | awk '{ print $2 }'); do
        problem=$(timeout 300 python3 "$tree/warpgrind/tests/cli/debug.py" "$PWD/program" 6 0,0 answers "$case" 2>&1) && [[ $problem == *"the same forwards and back" ]] && problem=
        [[ $problem == "too few"* ]] || break # as in a case of no elements, which needs no kernel
    done
    cd "$tree" && rm -rf "${work:?}/$1"
    verdict "$1" "$problem"
}

tree=$PWD
side_by_side step < <(for file in solutions/*/solution.cu; do
    name=$(basename "$(dirname "$file")")
    grep -q '^ranks:' "lessons/$name/lesson.yaml" || echo "$name"
done | drawn 6 "solutions stepped over")
finish
