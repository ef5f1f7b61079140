#!/bin/bash
# Programs on a warpgrind that asks slow ways as well as fast ones on every access (make CHECK_BOTH=1) and dies where they differ. What is
# found is not looked at here: the other suites do that. PROGRAMS names samples and mistakes, all when it is empty; the kernels of tests/check
# always run. FILTER limits the run. Ends with "N passed, N failed".
. "$(dirname "$0")/suite.bash"
warpgrind=$build/both/bin/warpgrind

sources() {
    local source
    for source in tests/check/kernels/*.cu tests/samples/*.cu tests/mistakes/*.cu; do
        ! grep -q '// expect: compile-error' "$source" || continue
        case " ${PROGRAMS:-$(basename "$source" .cu)} " in
        *" $(basename "$source" .cu) "*) echo "$source" ;;
        *) [ "${source#tests/check/}" = "$source" ] || echo "$source" ;;
        esac
    done
}

both_ways() { # source, options of the compiler
    local name options seed
    name="$(basename "$1" .cu)${2:+ $2}"
    options=$(sed -n 's|^/[/*] warpgrind: \([-a-z0-9 ]*[a-z0-9]\).*|\1|p' "$1")
    # shellcheck disable=SC2086 # options are words
    "$build/bin/warpcc" -w $2 -o "$work/program" "$1" >"$work/log" 2>&1 || { verdict "$name" "does not compile: $(head -n 3 "$work/log")"; return; }
    for seed in 0 1; do
        # shellcheck disable=SC2086
        timeout 120 "$warpgrind" $options --seed $seed --quiet --report "$work/report.json" "$work/program" >"$work/out" 2>&1
        grep -q '^BUG' "$work/out" && { verdict "$name" "$(grep '^BUG' "$work/out" | head -n 1)"; return; }
        [ -s "$work/report.json" ] || { verdict "$name" "no report: $(tail -n 1 "$work/out")"; return; }
    done
    verdict "$name" ""
}

"$warpgrind" --help >/dev/null 2>&1 || { verdict "warpgrind" "there is none with CHECK_BOTH"; finish; }
while read -r source; do
    selected "$(basename "$source" .cu)" || continue
    both_ways "$source" ""
    both_ways "$source" -O2
done < <(sources)
finish
