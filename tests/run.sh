#!/bin/bash
# Runs the suites and adds up: each ends with a line "N passed, N failed", and so does this one. Arguments: suites as "name:command".
# A suite that dies without that line counts as one failure.
set -u
passed=0 failed=0
for suite in "$@"; do
    name=${suite%%:*} command=${suite#*:}
    started=$SECONDS
    output=$(bash -c "$command" 2>&1)
    status=$?
    last=$(printf '%s\n' "$output" | tail -n 1)
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        ok=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
        [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    else
        ok=0 bad=1
    fi
    [ "$ok" -gt 0 ] || [ "$bad" -gt 0 ] || bad=1
    printf '%-24s %4d passed %4d failed %5d s\n' "$name" "$ok" "$bad" $((SECONDS - started))
    printf '%s\n' "$output" | grep -iE '^(SKIPPED|skipped)' || true
    [ "$bad" -eq 0 ] || printf '%s\n' "$output" | tail -n 60
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
