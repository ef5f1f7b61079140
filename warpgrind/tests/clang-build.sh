#!/bin/bash
# Everything builds with clang as well, the programs for its fuzzer among it, without a warning, and what it built answers. What warpcc makes, the precompiled headers and
# the lessons' drivers, is the same whoever built warpcc, and left out; and warnings do not wait for an optimiser. A commit compiles a third of what gcc has compiled, and
# links nothing: make test-all takes all. OBJECTS says which are this suite's, and PROGRAMS are those to look at. Ends with "N passed, N failed".
. "$(dirname "$0")/suite.bash"

# Each object of this suite that gcc has made, and its source, as gcc noted it: one whose source is gone is of another day.
objects() {
    local object source
    # shellcheck disable=SC2086 # a list of words
    (cd "$build/obj" && find ${OBJECTS:-engine} -name '*.d' -exec awk '{ for (i = 1; i <= NF; i++) if ($i ~ /\.c$/) { print FILENAME, $i; nextfile } }' {} +) | sort |
        while read -r object source; do [ ! -e "$source" ] || echo "${object%.d}.o $source"; done
}
clang_makes() { # targets
    flock "$build/clang.lock" make --no-print-directory CC=clang BUILD="$build/clang" PRECOMPILED= DRIVER_OBJECTS= OPT=-O0 HOT_OPT=-O0 "$@" >"$work/log" 2>&1
}
objects >"$work/all"
drawn 3 "objects that clang compiles" <"$work/all" >"$work/objects"
if ! cmp -s "$work/all" "$work/objects"; then
    # The course sees copies of the engine's headers, which are the same for each compiler.
    mkdir -p "$build/clang" && cp -a "$build/headers" "$build/clang/"
    # shellcheck disable=SC2046 # a list of words
    clang_makes -o engine $(sed "s,^,$build/clang/obj/,; s, .*,," "$work/objects")
    status=$?
    verdict "clang compiles $(wc -l <"$work/objects") objects" "$([ $status -eq 0 ] || tail -n 20 "$work/log")"
    finish
fi
clang_makes all fuzz-programs
status=$?
verdict "clang builds everything" "$([ $status -eq 0 ] || tail -n 20 "$work/log")"
for program in ${PROGRAMS:-warpgrind warpcc}; do
    verdict "$program built by clang answers" "$("$build/clang/bin/$program" --help >"$work/log" 2>&1 && grep -q "$program" "$work/log" || echo "it does not")"
done
finish
