#!/bin/bash
# The tree for arm64: cross-compiled with Debian's gcc, its unit tests run by qemu's user emulation. CC is the cross compiler, BUILD the build
# folder. FILTER selects programs by "layer/test_subject". Ends with "N passed, N failed", or with "SKIPPED: ", what to install, and status 77.
. "$(dirname "$0")/../suite.bash"
compiler=${CC:-aarch64-linux-gnu-gcc}
libraries="libjson-c-dev libyaml-dev libdw-dev libelf-dev libseccomp-dev libzstd-dev liblz4-dev libsqlite3-dev libarchive-dev nettle-dev libcmocka-dev"

skip() { # what is missing
    printf 'SKIPPED: %s. As root on Debian or Ubuntu:\n\n' "$1"
    printf '    dpkg --add-architecture arm64 && apt-get update\n'
    printf '    apt-get install gcc-aarch64-linux-gnu qemu-user %s\n\n' "$(printf '%s:arm64 ' $libraries)"
    exit 77
}
command -v "${compiler##* }" >/dev/null || skip "there is no ${compiler##* }"
command -v qemu-aarch64 >/dev/null || skip "there is no qemu-aarch64"
echo 'int main(void) { return 0; }' >"$work/empty.c"
$compiler -o "$work/empty" "$work/empty.c" -ljson-c -lyaml -ldw -lelf -lseccomp -lzstd -llz4 -lsqlite3 -larchive -lnettle -lcmocka 2>/dev/null ||
    skip "libraries for arm64 are missing"

# qemu's user emulation (7.2) knows neither openat2 nor pidfds nor seccomp filters, and some children that a test forks hang in it, so a device or a
# program of its own needs an arm64 machine. gpu/test_no_memory makes each allocation fail in turn, which takes the emulation far too long.
not_here=" autograder/test_answers autograder/test_child device/test_lockdown autograder/test_sum_judges device/test_debuginfo device/test_serve device/test_sent device/test_trace gpu/test_no_memory "

make --no-print-directory build-arm64 BUILD="$build" ARM64_CC="$compiler" || { echo "FAILED: it does not build"; echo "0 passed, 1 failed"; exit 1; }
# readelf comes with the compiler. Its own word decides, so that a file that is missing, or a reader that is, is no pass.
machine=$(readelf -h "$build/arm64/bin/warpgrind" 2>&1 | sed -n 's/^ *Machine: *//p')
verdict "built for arm64" "$([ "$machine" = AArch64 ] || echo "its machine is '$machine'")"
for source in tests/*/test_*.c; do
    name=${source#tests/} name=${name%.c}
    selected "$name" || continue
    case $not_here in *" $name "*)
        echo "$name: not run under emulation"
        continue
        ;;
    esac
    setsid -w timeout -k 2 "${LIMIT:-300}" qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/arm64/tests/$name" >"$work/output" 2>&1 </dev/null
    status=$?
    ok=$(grep -c '^\[       OK \]' "$work/output")
    bad=$(sed -n 's,^\[  FAILED  \] \([0-9]*\) test(s).*,\1,p' "$work/output" | tail -n 1)
    if [ "$status" -ne 0 ] || [ "$ok" -eq 0 ]; then
        echo "FAILED $name: exit status $status"
        tail -n 40 "$work/output"
        [ "${bad:-0}" -gt 0 ] || bad=1
    fi
    printf '%-40s %3d passed\n' "$name" "$ok"
    passed=$((passed + ok)) failed=$((failed + ${bad:-0}))
done
finish
