#!/bin/bash
# The device's own clock and the calls that are counted, in the report: copies of 101 steps each way, whose steps are worked out by hand below.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"
"$warpcc" -o "$work/copies" tests/cli/timeline/copies.cu >"$work/log" 2>&1
steps() { jq -r '[.timeline[] | "\(.steps) \(.work) \(.whole)"] | join(", ")' "$work/report.json"; }

# One after the other: 8 * 101. Side by side: the copies there follow each other, and the last one back is one more.
while read -r way expected; do
    for order in late early; do
        for seed in 0 1; do
            run --quiet --seed $seed --stream-order $order --report "$work/report.json" "$work/copies" "$way"
            check "timeline $way $order seed $seed" "[ '$(steps)' = '$expected' ] && grep -qx fine $work/out"
        done
    done
done <<'END'
one 808 808 true
wait 808 808 true
pageable 808 808 true
each 505 808 true
events 505 808 true
END

# Of a kernel beside a copy the steps that both run; copies beside copies, and a kernel in the default stream, which has its time alone, have none.
while read -r way expected; do
    run --quiet --report "$work/report.json" "$work/copies" "$way"
    check "timeline kernels beside copies: $way" "json_says '[.timeline[].overlap] | add == $expected' $work/report.json"
done <<'END'
each 0
kernel 101
kernel-in-default 0
END

# Each host thread waits for itself, so two devices work at the same time; one thread has them wait for each other.
"$warpcc" -o "$work/threads" tests/cli/timeline/threads.cu >"$work/log" 2>&1
while read -r way memory expected; do
    for order in late early; do
        run --quiet --devices 2 --stream-order $order --report "$work/report.json" "$work/threads" "$way" "$memory"
        check "timeline $way with a device each, $memory memory, $order" "[ '$(steps)' = '$expected' ] && grep -qx fine $work/out"
    done
done <<'END'
threads pinned 202 404 true
threads ordinary 202 404 true
one pinned 404 404 true
one ordinary 404 404 true
END

# A stream that is over leaves its place in the clocks to another one: a race is found after a hundred of them.
run --quiet --report "$work/report.json" "$work/copies" many-waited-for
line=$(grep -n 'the race' tests/cli/timeline/copies.cu | cut -d: -f1)
check "timeline a race after many streams" "json_says 'any(.findings[]; .kind == \"missing-sync\" and .line == $line)' $work/report.json"
check "timeline many streams are ordered" "[[ '$(steps)' == *true ]]"
run --quiet --report "$work/report.json" "$work/copies" many-at-once
check "timeline too many streams at once are said" "[[ '$(steps)' == *false ]]"

# Calls by place: one row for the loop that allocates, and the total.
run --quiet --report "$work/report.json" "$work/copies" each
line=$(grep -n 'CHECK(cudaMalloc((' tests/cli/timeline/copies.cu | cut -d: -f1)
check "timeline calls are counted by place" "json_says '[.calls[] | select(.function == \"cudaMalloc\")] | length == 1 and .[0].count == 4 and .[0].line == $line' $work/report.json"
check "timeline calls have a total" "json_says '.calls_total == ([.calls[].count] | add) and .calls_total == 9' $work/report.json"
check "timeline waits are calls" "json_says '[.calls[] | select(.function == \"cudaDeviceSynchronize\")] | .[0].count == 1' $work/report.json"
# What a stream captures is written down, not launched: a graph is one call each time.
"$warpcc" -o "$work/captured" tests/samples/graph-capture.cu
run --quiet --report "$work/report.json" "$work/captured"
check "timeline captured launches are no calls" "json_says '[.calls[] | select(.function | startswith(\"cudaLaunch\"))] == []' $work/report.json"
check "timeline each launch of a graph is a call" "json_says '[.calls[] | select(.function == \"cudaGraphLaunch\")] | .[0].count == 3' $work/report.json"
finish
