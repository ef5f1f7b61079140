#!/bin/bash
# A launch divided among processes (--threads N) must give the same as one that is not: output, exit status, findings, counters, copies
# and who wrote them, counts per line. The sources are the samples and the mistakes; PROGRAMS limits them to a list of names, THREADS and
# CHECKS say under what they run. divide.cu, which has the cases that are easy to get wrong, must really be divided: `// divided: N` in it
# counts the launches. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"

run() { # threads, checks, options, program: leaves report, out and status
    # shellcheck disable=SC2086 # options are words
    timeout 120 "$build/bin/warpgrind" $3 --threads "$1" --divide-from 1 --checks "$2" --annotate --report "$work/report.json" "$work/program" \
        >"$work/out" 2>"$work/err"
    echo "exit status $?" >>"$work/out"
    jq -S 'del(.divided_launches)' "$work/report.json" >>"$work/out"
    jq '.divided_launches // 0' "$work/report.json" >"$work/divided"
    cat "$work/err" >>"$work/out"
}

repeats() { # checks, options: one thread gives the same twice (host memory with addresses in it does not)
    mv "$work/out" "$work/several"
    run 1 "$1" "$2"
    local same=0
    cmp -s "$work/one" "$work/out" || same=1
    mv "$work/several" "$work/out"
    return "$same"
}

compare() { # source, checks
    local options name
    name=$(basename "$1" .cu)
    options=$(sed -n 's|^/[/*] warpgrind: \([-a-z0-9 ]*[a-z0-9]\).*|\1|p' "$1")
    run 1 "$2" "$options"
    mv "$work/out" "$work/one"
    for threads in ${THREADS:-2 3}; do
        run "$threads" "$2" "$options"
        local wanted
        wanted=$(sed -n 's|^// divided: ||p' "$1")
        if ! cmp -s "$work/one" "$work/out" && ! repeats "$2" "$options"; then
            echo "SKIPPED $name, checks $2: two runs on one thread differ"
        elif ! cmp -s "$work/one" "$work/out"; then
            verdict "$name, checks $2, $threads threads" "differs from 1 thread: $(diff "$work/one" "$work/out" | head -n 6)"
        elif [ -n "$wanted" ] && [ "$(cat "$work/divided")" != "$wanted" ]; then
            verdict "$name, checks $2, $threads threads" "$(cat "$work/divided") launches divided, expected $wanted"
        else
            verdict "$name, checks $2, $threads threads" ""
            divided=$((divided + $(cat "$work/divided")))
        fi
    done
}

divided=0
for source in tests/threads/*.cu tests/samples/*.cu tests/mistakes/*.cu tests/check/kernels/*.cu; do
    name=$(basename "$source" .cu)
    selected "$name" || continue
    case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    grep -qE 'nvcc only|expect: compile-error' "$source" && continue
    "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1 || { verdict "$name" "does not compile"; continue; }
    for checks in ${CHECKS:-all none}; do
        compare "$source" "$checks"
    done
done
# Who says nothing gets all the cores that the process may use, and a report that does not tell how many they were.
usual() {
    "$build/bin/warpcc" -o "$work/program" tests/threads/divide.cu || return 1
    local cores
    for cores in 0 0,1; do
        taskset -c $cores "$build/bin/warpgrind" --quiet --report "$work/report$cores" "$work/program" >"$work/out$cores" || return 1
        taskset -c $cores "$build/bin/warpgrind" --quiet --divide-from 1 --report "$work/divided$cores" "$work/program" >/dev/null || return 1
    done
    cmp -s "$work/out0" "$work/out0,1" && cmp -s "$work/report0" "$work/report0,1" &&
        json_says ".divided_launches == null" "$work/divided0" && json_says ".divided_launches > 0" "$work/divided0,1"
}
if selected "cores when nothing is said"; then
    if ! taskset -c 0,1 true 2>/dev/null; then
        echo "SKIPPED cores when nothing is said: there are no two"
    elif usual; then
        verdict "cores when nothing is said" ""
        divided=$((divided + $(jq .divided_launches "$work/divided0,1")))
    else
        verdict "cores when nothing is said" "one core and two differ, or do not divide as they should"
    fi
fi
[ "$divided" -gt 0 ] || verdict "${FILTER:-all}" "no launch was divided"
echo "$divided launches were divided"
finish
