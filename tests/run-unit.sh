#!/bin/sh
# Runs cmocka programs one by one and adds up their results: the last line is "N passed, N failed".
passed=0 failed=0
for program in "$@"; do
    output=$("$program" 2>&1) && status=0 || status=$?
    ok=$(printf '%s\n' "$output" | grep -c '^\[       OK \]')
    bad=$(printf '%s\n' "$output" | sed -n 's,^\[  FAILED  \] \([0-9]*\) test(s).*,\1,p' | tail -n 1)
    bad=${bad:-0}
    if [ "$status" -ne 0 ]; then
        printf '%s\n' "$output"
        [ "$bad" -gt 0 ] || bad=1
    fi
    printf '%-40s %3d passed\n' "${program#*/tests/}" "$ok"
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
