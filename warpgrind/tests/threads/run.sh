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
    grep -q 'nvcc only' "$source" && continue
    "$build/bin/warpcc" -o "$work/program" "$source" >"$work/log" 2>&1 || { verdict "$name" "does not compile"; continue; }
    for checks in ${CHECKS:-all none}; do
        compare "$source" "$checks"
    done
done
[ "$divided" -gt 0 ] || verdict "${FILTER:-all}" "no launch was divided"
echo "$divided launches were divided"
finish
