#!/bin/bash
# Two operations on one array, copies of all kinds, memsets and kernels, in streams of all kinds, with something between them or nothing: a finding
# where nothing orders them, and none where something does. orders.py says which; each run tries a share of the 16,560, and ALL=1 all of them.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

"$warpcc" -w -o "$work/orders" tests/cli/orders.cu 2>"$work/log"
check "compiles" "[ -x $work/orders ]"
one_of=${ALL:+1}
for part in kernel-writes kernel-reads to-pinned from-pinned to-pageable from-pageable sync-to sync-from sync-from-pinned sync-device-to sync-memset device-from device-to memset; do
    selected "first $part" || continue
    python3 tests/cli/orders.py "$warpgrind" "$work/orders" "$part" "${one_of:-101}" >"$work/out" 2>"$work/log"
    check "first $part" "[ \$(sed -n 's/ tried$//p' $work/out) -gt 0 ] && ! grep -q 'FALSE\|MISSED\|NOTHING' $work/out || { cat $work/out; false; }"
done
finish
