#!/bin/bash
# The cmocka programs of BUILD/tests, one for each tests/<layer>/test_*.c; the last line is "N passed, N failed". A program that is
# not there, or says that it ran no test, is a failure. FILTER selects programs by "layer/test_subject".
. "$(dirname "$0")/suite.bash"

# What tests that failed said, or the one in which the program died.
of_failures() {
    awk '
        /^\[ RUN/ { held = "" }
        { held = held "    " $0 "\n" }
        /^\[ *OK \]/ { held = "" }
        /^\[  FAILED  \]/ { printf "%s", held; held = "" }
        /^\[=*\] [0-9]/ { held = ""; exit }
        END { printf "%s", held }'
}

for source in tests/*/test_*.c; do
    selected "${source#tests/}" || continue
    name=${source#tests/} name=${name%.c}
    output=$("$build/tests/$name" 2>&1) && status=0 || status=$?
    ok=$(grep -c '^\[       OK \]' <<<"$output")
    bad=$(sed -n 's,^\[  FAILED  \] \([0-9]*\) test(s).*,\1,p' <<<"$output" | tail -n 1)
    if [ "$status" -ne 0 ] || [ "$ok" -eq 0 ]; then
        echo "FAILED $name: exit status $status"
        of_failures <<<"$output" | tail -n 40
        [ "${bad:-0}" -gt 0 ] || bad=1
    fi
    printf '%-40s %3d passed\n' "$name" "$ok"
    passed=$((passed + ok)) failed=$((failed + ${bad:-0}))
done
finish
